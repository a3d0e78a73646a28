"""Every run in the store, a line each: where it stands, how well it fits, what it took, and a button to open it."""

import math
from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.errors import grouped
from dolq_core.ports import RunInfo
from dolq_core.views.summary import Summary, summary
from pages.ui import formulas, frame, jobs, session, words

HEADS = ("Run, data", "Status", "Error", "Held out", "Iterations", "Interventions", "Tokens", "Last change, UTC")
EXPLAINED = "Error: NMSE of the simulation, worst state, over all runs. Held out: the same on unseen data."
MANY = 10  # runs, beyond which there is a field to filter them
MOST_LAWS = 2  # equations that stand under a run
SHOWN = 5  # runs that are drawn at first, and the open one: what happened in it stays within reach


def runs_table(found: Sequence[RunInfo]) -> None:
    """Draw the runs, the last changed first; a filter where there are many."""
    with st.container(key="panel_runs", gap=None):
        wanted = _filtered(found) if len(found) > MANY else found
        if not wanted:
            st.markdown("No run matches. Clear the filter to see all.")
            return
        most = session.value("runs.shown") or SHOWN
        with st.container(key="hd_runs"):
            st.markdown(words.cells(HEADS))
        drawn = [info for number, info in enumerate(wanted) if number < most or info.id == session.run_id()]
        for info in drawn:
            _run(info)
        if len(wanted) > len(drawn):
            more = words.plural(len(wanted) - len(drawn), "older run")
            st.button(f"Show {more}", type="tertiary", on_click=session.reset, args=("runs.shown", len(found)))
    st.caption(EXPLAINED)


def _filtered(found: Sequence[RunInfo]) -> list[RunInfo]:
    asked = st.text_input("Filter the runs", key="runs.filter", placeholder="Name or data set")
    part = (asked or "").strip().casefold()
    return [info for info in found if part in info.name.casefold() or part in info.dataset.casefold()]


def _run(info: RunInfo) -> None:
    here, line = info.id == session.run_id(), summary(session.store(), info)
    with st.container(key=f"run_{info.id}"):
        st.markdown(words.cells(_cells(info, line)))
        name = words.plain(info.name)
        label = f"Open now *{name}*" if here else f"Open *{name}*"  # the name is for a reader of the screen
        if st.button(label, key=f"open_{info.id}", disabled=here, help=f"Open {name}"):
            frame.enter(lambda: info.id)
        if line.laws:
            more = [f"and {len(line.laws) - MOST_LAWS} more"] if len(line.laws) > MOST_LAWS else []
            st.caption(words.cells([*map(formulas.law, line.laws[:MOST_LAWS]), *more]))


def _cells(info: RunInfo, line: Summary) -> tuple[str, ...]:
    return (
        f"**{words.plain(info.name)}**  \n:small[:gray[{words.plain(info.dataset)}]]",
        _status(info, line),
        error(line.error),
        error(line.held_out),
        str(info.iterations),
        str(info.interventions),
        "no model" if line.tokens is None else grouped(line.tokens),
        info.changed[:16].replace("T", " "),
    )


def _status(info: RunInfo, line: Summary) -> str:
    if not jobs.is_working(info.id):
        return line.status
    return f"{line.status}; at work" if info.iterations else "at work"


def error(value: float | None) -> str:
    """Return the error of a simulated trajectory; a dash where there is none to tell."""
    if value is None:
        return "–"
    return words.number(value, 2) if math.isfinite(value) else "failed"


def remove(run: runs.Run) -> None:
    """Draw the button under which the open run is removed for good, once that is said; not while a job works on it."""
    with st.popover("Delete", type="tertiary", icon=":material/delete:", help="Delete this run"):
        st.markdown(f"**{words.plain(run.name)}** and all that happened in it, for good.")
        st.caption("A bundle (Equations, Export) keeps a copy that can be imported again.")
        working = jobs.is_working(run.id)
        if working:
            st.caption("A job is at work on it: stop that first, on Discover.")
        if st.button("Delete for good", icon=":material/delete_forever:", disabled=working):
            if frame.attempt(lambda: runs.remove(session.store(), run.id)):
                session.open_run("")
            st.rerun()


def rename(run: runs.Run) -> None:
    """Draw the button under which the open run gets another name."""
    with st.popover("Rename", type="tertiary", icon=":material/edit:", help="Rename this run"):
        with st.form(f"rename·{run.id}·{run.name}", border=False):
            name = st.text_input("New name", run.name, max_chars=120)
            if st.form_submit_button("Rename the run"):
                frame.attempt(lambda: runs.rename(session.store(), run.id, name))
                st.rerun()
