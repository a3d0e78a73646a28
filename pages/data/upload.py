"""Tables of the person's own: how they were read, what each column is, and all that was assumed, before a run."""

import streamlit as st

from dolq_core import runs
from dolq_core.data import Table, stacked
from dolq_core.errors import DataError
from dolq_core.inspection import Inspection, OpenedFiles, first_cells
from pages.data import allowing, columns, findings, parts, reading, restarts, together
from pages.ui import new_run, words

READY = ":blue-badge[:material/check: Ready to start]"
ASKED = ":orange-badge[:material/help: One question]"
FAULT = ":orange-badge[:material/error: Not ready]"
UNREAD = ":orange-badge[:material/error: Cannot be read]"


def tables(given: new_run.Upload) -> None:
    """Draw the files that were given, or why they cannot be read."""
    chosen = reading.how(given.mark)
    opened = runs.opened(given.files, given.mark, chosen)
    if opened.table is None:
        parts.header(given.name, UNREAD, None)
        findings.stops(opened.findings)
        reading.otherwise(opened, given.mark)
        return
    _table(given, opened, opened.table, reading.mark_of(given.mark, chosen))


def _table(given: new_run.Upload, opened: OpenedFiles, table: Table, mark: str) -> None:
    top = st.container()
    beside = together.found(table)
    open_question = beside is not None and beside.sure and not together.answer(mark)
    if beside is not None and together.answer(mark) == "runs":
        table = stacked(table, beside)
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        made = columns.panel(table, mark)
    again = restarts.answer(mark) == "runs"
    answer = made if isinstance(made, DataError) else columns.understood(table, made, mark, restarting=again)
    with top:
        ready = answer.reading if isinstance(answer, Inspection) else None
        badge = ASKED if open_question else _badge(answer, mark)
        start = parts.header(given.name, badge, ready.dataset if ready and not open_question else None)
        reading.line(opened, given.mark, answer if isinstance(answer, Inspection) else None)
        if beside is not None:
            together.ask(beside, mark)
        _stops(answer, mark)
    with left:
        findings.assumed(answer.findings if isinstance(answer, Inspection) else table.findings)
    with right:
        if ready is None:
            st.markdown("**First rows, as they were read**")
            parts.rows(list(table.columns), first_cells(table))
            return
        held = parts.preview(ready.dataset, mark, ready.roles.run)
        description = parts.description(given.mark, "", ready.dataset)
        allowed = allowing.blocks(mark, ready.dataset)
    with left:  # last: the checks of fitness take longer than a slider may
        parts.fitness(ready.dataset, mark)
    if start:
        parts.start(allowed, description, table.name.rsplit(".", 1)[0], held)


def _badge(answer: Inspection | DataError, mark: str) -> str:
    if isinstance(answer, Inspection) and answer.reading is not None:
        return READY
    return ASKED if isinstance(answer, Inspection) and _is_asked(answer, mark) else FAULT


def _is_asked(found: Inspection, mark: str) -> bool:
    return restarts.asks(found, mark) and not restarts.answer(mark)


def _stops(answer: Inspection | DataError, mark: str) -> None:
    """Draw the question that is open, and what stops a run."""
    if isinstance(answer, DataError):
        st.error(words.plain(str(answer)), icon=":material/error:")
        return
    if restarts.asks(answer, mark):
        restarts.ask(answer, mark)
    if answer.reading is None and not _is_asked(answer, mark):
        findings.stops(answer.findings)
