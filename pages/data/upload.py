"""Tables of the person's own: how they were read, what each column is, and all that was assumed, before a run."""

from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.data import Finding, Table, side_by_side, stacked
from dolq_core.errors import DataError
from dolq_core.inspection import Inspection, Listed, OpenedFiles, first_cells, listed
from dolq_core.records import Problem
from pages.data import allowing, asked, columns, parts, reading
from pages.ui import new_run, words

READY = ":blue-badge[:material/check: Ready to start]"
ASKED = ":orange-badge[:material/help: One question]"
ICONS = {"mind": ":orange[:material/priority_high:]", "said": ":gray[:material/info:]"}
BESIDES = "Not counted: the roles above, guesses until you choose others."
UNREAD = ":orange-badge[:material/error: Cannot be read]"


def tables(given: new_run.Upload) -> None:
    """Draw the files that were given, or why they cannot be read."""
    chosen = reading.how(given.mark)
    new_run.keep_said((given.mark, reading.mark_of(given.mark, chosen)))
    opened = runs.opened(given.files, given.mark, chosen)
    if opened.table is None:
        parts.header(given.name, UNREAD, None)
        _faults(opened.findings)
        reading.otherwise(opened, given.mark)
        return
    _table(given, opened, opened.table, reading.mark_of(given.mark, chosen))


def _table(given: new_run.Upload, opened: OpenedFiles, table: Table, mark: str) -> None:
    top = st.container()
    beside = side_by_side(table)
    open_question = beside is not None and beside.sure and not asked.answer("together", mark)
    if beside is not None and asked.answer("together", mark) == "runs":
        table = stacked(table, beside)
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        made = columns.panel(table, mark)
    answer = made if isinstance(made, DataError) else columns.understood(table, made, mark)
    ready = answer.reading if isinstance(answer, Inspection) else None
    with top:
        head = st.container()
        reading.line(opened, given.mark, answer if isinstance(answer, Inspection) else None)
        if beside is not None:
            asked.together(beside, mark)
        _stops(answer, mark, columns.label_of_runs(table, mark))
    with left:
        _assumed(answer.findings if isinstance(answer, Inspection) else table.findings)
    badge = ASKED if open_question else _badge(answer, mark)
    if ready is None:
        with head:
            parts.header(given.name, badge, None)
        with right:
            st.markdown("**First rows, as they were read**")
            parts.rows(list(table.columns), first_cells(table))
        return
    with right:
        held = parts.preview(ready.dataset, mark, ready.roles.run)
        description = parts.description(given.mark, "", ready.dataset)
        allowed = allowing.blocks(mark, ready.dataset)
    with head:
        start = parts.header(given.name, badge, None if open_question else ready.dataset, allowed)
        allowing.doubts(allowed)
    with left:  # last: the checks of fitness take longer than a slider may
        parts.fitness(ready.dataset, held)
    if start and isinstance(allowed, Problem):
        parts.start(allowed, description, table.name.rsplit(".", 1)[0], held)


def _badge(answer: Inspection | DataError, mark: str) -> str:
    if isinstance(answer, Inspection) and answer.reading is not None:
        return READY
    return ASKED if isinstance(answer, Inspection) and asked.is_open(answer, mark) else parts.FAULT


def _stops(answer: Inspection | DataError, mark: str, label: str) -> None:
    """Draw the question that is open, and what stops a run; label: the column that may tell runs apart."""
    if isinstance(answer, DataError):
        st.error(words.plain(str(answer)), icon=":material/error:")
        return
    for one in asked.of_rows(answer, mark):
        asked.rows(one, answer, mark, label)
    if answer.reading is None and not asked.is_open(answer, mark):
        _faults(answer.findings)


def _faults(findings: Sequence[Finding]) -> None:
    """Draw what stops a run: what it is, where, and the way out."""
    for one in listed(findings):
        if one.weight == "stops":
            st.error(words.plain(f"{one.text} {one.way_out}".strip()), icon=":material/error:")


def _assumed(findings: Sequence[Finding]) -> None:
    """Draw what was assumed or left out; open at once only where something may not be what the person means."""
    found = [one for one in listed(findings) if one.weight != "stops"]
    if not found:
        return
    doubtful = sum(one.count for one in found if one.weight == "mind")
    label = f"{words.plural(sum(one.count for one in found), 'thing')} assumed or left out"
    with st.expander(f"{label}, {doubtful} to check" if doubtful else label, expanded=bool(doubtful)):
        for one in found:
            _line(one)
        st.caption(BESIDES)


def _line(one: Listed) -> None:
    way_out = f"  \n:gray[{words.plain(one.way_out)}]" if one.way_out else ""
    with st.container(horizontal=True, gap="small"):
        st.markdown(f"{ICONS[one.weight]} {words.plain(one.text)}{way_out}")
