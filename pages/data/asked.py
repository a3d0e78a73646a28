"""What is asked of a table, and never guessed: what rows of one time or of an earlier one are, and columns alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from dolq_core.data import SideBySide
from dolq_core.inspection import Inspection
from pages.data.making import key_of
from pages.ui import session, words

TOGETHER = {"runs": "runs", "apart": "different quantities"}
Question = Literal["restarts", "repeats", "order", "together"]


@dataclass(frozen=True, slots=True)
class OfRows:
    """What is asked where the times of rows do not increase: after which finding, and the answers in words."""

    question: Question
    code: str
    said: str
    label: str
    answers: Mapping[str, str]


OF_ROWS = (
    OfRows(
        "restarts", "time-restart", "Time starts over in {rows}.", "Where time starts over, the rows are",
        {"runs": "separate runs", "error": "errors in the table"},
    ),
    OfRows(
        "repeats", "time-repeat", "{Rows} {have} the same time as the row before.", "Rows that share a time are",
        {"mean": "repeated measurements, to be averaged", "error": "errors in the table"},
    ),
    OfRows(
        "order", "time-not-increasing", "Time goes back in {rows}.", "Rows out of order are",
        {"sort": "to be sorted by time", "error": "errors in the table"},
    ),
)  # fmt: skip


LABELLED = "labels"


def answer(question: Question, mark: str) -> str:
    """Return what the person said, a key of the answers; empty while they have not."""
    return session.value(_key(question, mark)) or ""


def of_rows(found: Inspection, mark: str) -> list[OfRows]:
    """Return what there is to ask about rows, or was answered."""
    codes = {one.code for one in found.findings}
    return [one for one in OF_ROWS if one.code in codes or answer(one.question, mark)]


def is_open(found: Inspection, mark: str) -> bool:
    """Whether a question about rows waits for its answer."""
    return any(not answer(one.question, mark) for one in of_rows(found, mark))


def rows(one: OfRows, found: Inspection, mark: str, label: str = "") -> None:
    """Draw the question with the rows that it is about; once it is answered, only the answer.

    label: the column that changes where time starts over, which may tell the runs apart.
    """
    is_labelled = label and one.question == "restarts"
    answers = {**({LABELLED: f"runs that {label} tells apart"} if is_labelled else {}), **one.answers}
    where = next((finding for finding in found.findings if finding.code == one.code), None)
    said = answer(one.question, mark)
    with st.container(key=one.question if said else f"disagree_{one.question}"):
        if where is not None and not said:
            more = f" and {where.count - len(where.rows)} more" if where.count > len(where.rows) else ""
            shown = f"{'rows' if where.count > 1 else 'row'} {', '.join(map(str, where.rows))}{more}"
            have = "have" if where.count > 1 else "has"
            told = one.said.format(rows=shown, Rows=shown.capitalize(), have=have)
            st.markdown(f":orange[:material/help:] {words.plain(told)}")
        st.segmented_control(
            one.label, list(answers), format_func=lambda said: words.label(answers[said]),
            key=_key(one.question, mark), persist_state="session", on_change=_labelled if is_labelled else None,
            args=(mark, label),
        )  # fmt: skip


def _labelled(mark: str, label: str) -> None:
    """Give a column the role that the answer says."""
    role = key_of(mark, label, "role")
    if answer("restarts", mark) == LABELLED:
        session.reset(role, "Run")
    elif session.value(role) == "Run":
        session.reset(role, "Ignore")


def together(beside: SideBySide, mark: str) -> None:
    """Draw the question; a run waits for its answer only where the names say that they are runs."""
    names = [name for runs in beside.columns.values() for name in runs.values()]
    listed = ", ".join(names[:4]) + (" ..." if len(names) > 4 else "")
    many = f"{len(beside.labels)} runs of {' and '.join(beside.columns)}"
    waits = beside.sure and not answer("together", mark)
    with st.container(key="disagree_together" if waits else "together"):
        st.segmented_control(
            words.label(f"{listed}: {many}, or different quantities?"), list(TOGETHER), key=_key("together", mark),
            format_func=lambda one: words.label(many) if one == "runs" else TOGETHER[one], persist_state="session",
        )  # fmt: skip


def _key(question: Question, mark: str) -> str:
    return f"{question}·{mark}"
