"""The same terms and choices as one table: an extra for those who like a grid. Edits go into the same draft."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.records import Choice, TermKey, derivative
from dolq_core.views.equations import Panel, Row
from pages.discover import terms
from pages.ui import drafts, session, words

CHOICE, REASON = "Your choice", "Your reason"
SHOWN = ("Equation", "Term", "Coefficient", "If dropped", "Scientist", "Numbers", "Verdict")
Told = tuple[TermKey, Choice, str]  # a row as it was first drawn: what an edit of it changes


def wanted() -> bool:
    """Whether the terms are shown as a table."""
    return bool(session.value(session.TABLE))


def switch() -> bool:
    """Draw the switch; return what it says now."""
    return st.toggle("Table view", key=session.TABLE, persist_state="session", help="All terms in one grid")


def take_in(run: runs.Run, found: Sequence[Panel]) -> None:
    """Bring every edit of the table into the draft, by the terms that were shown: a row's position says nothing."""
    widget = drafts.table_widget(run.id, run.state.iteration)
    told: Sequence[Told] = session.value(_told(widget)) or ()
    rows = {row.key: row for row in _rows(found)}
    for position, edit in drafts.edited_rows(widget).items():
        key, choice, reason = told[position]
        if key in rows:
            choice, reason = edit.get(CHOICE) or choice, edit.get(REASON, reason) or ""
            terms.wish(run, rows[key], choice, reason.strip())


def table(run: runs.Run, found: Sequence[Panel]) -> None:
    """Draw one row per term; only the last two columns can be edited.

    The choices in it are those of the moment it came up. The browser keeps the edits since then and lays them over, so
    what they changed must not come back as data.
    """
    widget = drafts.table_widget(run.id, run.state.iteration)
    rows = _rows(found)
    told: dict[TermKey, Told] = {one[0]: one for one in session.value(_told(widget)) or ()}
    if session.value(widget) is None or set(told) != {row.key for row in rows}:
        wishes = drafts.draft(run.id, run.state.iteration).wishes
        told = {row.key: _now(row, wishes.get(row.key)) for row in rows}
        session.reset(_told(widget), tuple(told.values()))
    rates = {panel.equation: derivative(panel.name) for panel in found}
    limit = run.state.settings.max_holds
    frame = pd.DataFrame(
        [(*_cells(row, rates[row.key.equation], limit), *told[row.key][1:]) for row in rows],
        index=[f"{run.state.iteration}·{row.key.equation}·{row.key.skeleton}" for row in rows],
        columns=[*SHOWN, CHOICE, REASON],
    )
    st.data_editor(
        frame, key=widget, hide_index=True, disabled=SHOWN, alt=f"{words.plural(len(rows), 'term')} with all grades",
        column_config={
            CHOICE: st.column_config.SelectboxColumn(options=words.CHOICES, required=True, width=110),
            REASON: st.column_config.TextColumn(width="medium"),
        },
    )  # fmt: skip


def _rows(found: Sequence[Panel]) -> list[Row]:
    return [row for panel in found for row in panel.rows]


def _now(row: Row, pending: drafts.Pending | None) -> Told:
    if pending is not None:
        return row.key, pending.choice, pending.reason
    return row.key, terms.current(row), row.choice_reason


def _cells(row: Row, rate: str, limit: int) -> tuple[str, ...]:
    strikes = f" {row.strikes}/{limit}" if row.action == "hold" and row.strikes else ""
    return (
        rate,
        words.cell_term(row.text),
        words.coefficient(row.coefficient, row.std_error),
        words.dropped(row.refitted, row.nats) if row.graded else "",
        (words.NO_GRADE if row.is_ungraded else row.semantic) if row.graded else "",
        row.evidence if row.graded else "",
        f"{row.action}{strikes}{', disputed' * row.conflict}{', in another law' * row.is_of_another}"
        if row.graded
        else "not graded",
    )


def _told(widget: str) -> str:
    return f"{widget}·told"
