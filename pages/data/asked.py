"""What is asked of a table, and never guessed: where time starts again, and which columns are runs side by side."""

from typing import Literal

import streamlit as st

from dolq_core.data import SideBySide
from dolq_core.inspection import Inspection
from pages.ui import session, words

RESTARTS = {"runs": "separate runs", "error": "errors in the table"}
TOGETHER = {"runs": "runs", "apart": "different quantities"}
Question = Literal["restarts", "together"]


def answer(question: Question, mark: str) -> str:
    """Return what the person said, a key of RESTARTS or of TOGETHER; empty while they have not."""
    return session.value(_key(question, mark)) or ""


def has_restarts(found: Inspection, mark: str) -> bool:
    """Whether there is something to ask about time that starts again, or it was answered."""
    return bool(answer("restarts", mark)) or any(one.code == "time-restart" for one in found.findings)


def restarts(found: Inspection, mark: str) -> None:
    """Draw the question with the rows where time starts again; once it is answered, only the answer."""
    where = next((one for one in found.findings if one.code == "time-restart"), None)
    said = answer("restarts", mark)
    with st.container(key="restarts" if said else "disagree"):
        if where is not None and not said:
            more = f" and {where.count - len(where.rows)} more" if where.count > len(where.rows) else ""
            rows = f"{'rows' if where.count > 1 else 'row'} {', '.join(map(str, where.rows))}{more}"
            st.markdown(f":orange[:material/help:] Time starts over in {words.plain(rows)}.")
        st.segmented_control(
            "These are", list(RESTARTS), format_func=RESTARTS.__getitem__, key=_key("restarts", mark),
            persist_state="session",
        )  # fmt: skip


def together(beside: SideBySide, mark: str) -> None:
    """Draw the question; a run waits for its answer only where the names say that they are runs."""
    names = [name for runs in beside.columns.values() for name in runs.values()]
    listed = ", ".join(names[:4]) + (" ..." if len(names) > 4 else "")
    many = f"{len(beside.labels)} runs of {' and '.join(beside.columns)}"
    is_open = beside.sure and not answer("together", mark)
    with st.container(key="disagree_together" if is_open else "together"):
        st.segmented_control(
            words.label(f"{listed}: {many}, or different quantities?"), list(TOGETHER), key=_key("together", mark),
            format_func=lambda one: words.label(many) if one == "runs" else TOGETHER[one], persist_state="session",
        )  # fmt: skip


def _key(question: Question, mark: str) -> str:
    return f"{question}·{mark}"
