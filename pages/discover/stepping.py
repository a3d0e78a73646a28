"""The header with its buttons, and the job behind them: step, auto, pause, stop.

An iteration runs in a process of its own (`dolq_core.jobs`), so it survives clicks, page changes and a closed tab.
Two clicks start one job. The page looks at the job twice a second and draws itself anew when the store has more than
it shows.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.jobs import Snapshot
from pages.ui import frame, progress, session, words


def header(run: runs.Run) -> DeltaGenerator:
    """Draw name, status, facts and buttons; return the place of the progress line."""
    state = run.state
    facts = [f"Iteration {state.iteration} of {state.settings.iterations}", f"{_banned(run)} banned"]
    if state.iteration > state.settings.iterations:
        facts[0] = f"Iteration {state.iteration}"
    job = session.job(run.id)
    working = job is not None and not job.ended
    _, buttons = frame.header(run.name, progress.badge(job) if job and working else status(run), facts)
    with buttons:
        _end_buttons(run, job) if job and working else _start_buttons(run)
    return st.empty()


def _start_buttons(run: runs.Run) -> None:
    st.button(
        "Step", key="step", icon=":material/skip_next:", on_click=_begin, args=(run, "step"),
        help="One iteration: propose, fit, grade, decide",
    )  # fmt: skip
    st.button(
        "Auto", key="auto", icon=":material/fast_forward:", on_click=_begin, args=(run, "auto"),
        help="Iteration after iteration, until there is a reason to stop",
    )  # fmt: skip


def _begin(run: runs.Run, mode: progress.Mode) -> None:
    """Start the job before anything is drawn, so that it goes on wherever the person goes next."""
    if len(session.draft(run.id, run.state.iteration)):
        session.ask_step(run.id, run.state.iteration, mode)
    else:
        frame.attempt(lambda: session.start_job(run, mode))


def _end_buttons(run: runs.Run, job: Snapshot) -> None:
    board = session.board()
    st.button(
        "Pause", key="pause", icon=":material/pause:", disabled=job.wanted != "go", on_click=board.pause,
        args=(run.id,), help="End when this iteration has ended",
    )  # fmt: skip
    st.button(
        "Stop", key="stop", icon=":material/stop:", on_click=board.stop, args=(run.id,),
        help="End now; the iteration under way is dropped, every finished one is kept",
    )  # fmt: skip


def status(run: runs.Run) -> str:
    """Return the badge that says whose turn it is."""
    stopped = runs.reason_to_stop(run)
    if run.state.iteration == 0:
        return ":blue-badge[:material/flag: Ready]"
    last = run.state.last
    disputed = last is not None and any(verdict.conflict for verdict in last.verdicts)
    conflict = last is not None and last.evaluation.review.conflict
    if stopped.startswith("Found") and not disputed and not conflict:
        return ":blue-badge[:material/check: Found: all at the noise floor]"
    return ":orange-badge[:material/person: Waiting for you]"


def go_on(run: runs.Run, place: DeltaGenerator) -> None:
    """Watch the job that is at work; ask first where changes that are not applied would be lost by a step."""
    mode = session.step_asked(run.id, run.state.iteration)
    if mode is not None:
        session.forget_step()
        _waiting(run, mode)
        return
    with place:
        progress.watch(run)


@st.dialog("Your changes are not applied yet")
def _waiting(run: runs.Run, mode: progress.Mode) -> None:
    iteration = run.state.iteration
    count = len(session.draft(run.id, iteration))
    st.markdown(f"{words.plural(count, 'change')} would be lost by this step. Close this to go on editing.")
    if st.button("Withdraw them and step", icon=":material/undo:"):
        session.withdraw(run.id, iteration)
        frame.attempt(lambda: session.start_job(run, mode))
        st.rerun()


def _banned(run: runs.Run) -> str:
    return words.plural(len(run.state.bans), "term")
