"""One step at a time: the header with its button, and the iteration itself with its progress.

The step runs in this script thread, after the whole page is drawn. It is asked for by run and iteration, so two
clicks ask once; it commits whole or not at all, in the core; a job in the background can take `_step`'s place.
"""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.errors import AgentError
from pages.ui import frame, session, words

PHASES = {
    "sample": ("Proposing", 0.0, 0.1),
    "fit": ("Fitting", 0.1, 0.7),
    "evaluate": ("Grading", 0.7, 0.85),
    "decide": ("Deciding", 0.85, 0.9),
    "simulate": ("Simulating", 0.9, 1.0),
}  # the word for each phase of the loop, and where on the line it begins and ends


def header(run: runs.Run) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Draw name, status, facts and the Step button; return the places of the badge and of the progress line."""
    state = run.state
    facts = [f"Iteration {state.iteration} of {state.settings.iterations}", f"{_banned(run)} banned"]
    if state.iteration > state.settings.iterations:
        facts[0] = f"Iteration {state.iteration}"
    badge, buttons = frame.header(run.name, status(run), facts)
    asked = session.step_asked(run.id, state.iteration)
    with buttons:
        st.button(
            "Step", key="step", icon=":material/skip_next:", disabled=asked, on_click=session.ask_step,
            args=(run.id, state.iteration), help="One iteration: propose, fit, grade, decide",
        )  # fmt: skip
    line = st.empty()
    line.html(_line(0, ""))
    return badge, line


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


def step_if_asked(run: runs.Run, places: tuple[DeltaGenerator, DeltaGenerator]) -> None:
    """Do the step that was asked for from exactly this state, then draw the page anew."""
    if not session.step_asked(run.id, run.state.iteration):
        return
    if len(session.draft(run.id, run.state.iteration)):
        session.forget_step()
        _waiting(run)
        return
    frame.attempt(lambda: _paused_or(lambda: _step(run, places), run))
    session.forget_step()
    st.rerun()


def _paused_or(step: Callable[[], None], run: runs.Run) -> None:
    """Do the step; where a language model gave no answer, the page itself says why it is paused."""
    try:
        step()
    except AgentError:
        if run.state.models is None:
            raise


def _step(run: runs.Run, places: tuple[DeltaGenerator, DeltaGenerator]) -> None:
    badge, line = places

    def on_phase(phase: str, done: int, of: int) -> None:
        word, low, high = PHASES.get(phase, (phase.capitalize(), 0.9, 1.0))
        count = f", {done} of {of} hypotheses" if phase == "fit" and of else ""
        badge.markdown(f":blue-badge[:material/sync: {word}{count}]")
        line.html(_line(low + (high - low) * (done / of if of else 0), word))

    runs.step_once(session.store(), run.id, on_phase, at=len(run.entries), keys=session.key_of)


@st.dialog("Your changes are not applied yet")
def _waiting(run: runs.Run) -> None:
    iteration = run.state.iteration
    count = len(session.draft(run.id, iteration))
    st.markdown(f"{words.plural(count, 'change')} would be lost by this step. Close this to go on editing.")
    if st.button("Withdraw them and step", icon=":material/undo:"):
        session.withdraw(run.id, iteration)
        session.ask_step(run.id, iteration)
        st.rerun()


def _banned(run: runs.Run) -> str:
    return words.plural(len(run.state.bans), "term")


def _line(share: float, word: str) -> str:
    if not word:
        return '<div class="dolq-line"></div>'
    percent = round(100 * share)
    return (
        f'<div class="dolq-line busy" role="progressbar" aria-label="{word}" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{percent}"><div style="width:{percent}%"></div></div>'
    )
