"""The header with its buttons, and the job behind them: step, auto, pause, stop.

An iteration runs in a process of its own (`dolq_core.jobs`), so it survives clicks, page changes and a closed tab.
Two clicks start one job. The page looks at the job once a second and draws itself anew when the store has more than
it shows.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.jobs import Mode, Snapshot
from dolq_core.records import RunState
from dolq_core.views import summary
from pages.discover import decisions
from pages.ui import drafts, frame, jobs, presenting, progress, session, words

WAYS = {"pause": ":material/pause: Pause", "stop": ":material/stop: Stop"}


def header(run: runs.Run) -> DeltaGenerator:
    """Draw name, status, facts and buttons; return the place of the progress line.

    A click on one of the buttons is answered here alone first, and the page is drawn after it.
    """
    st.fragment(_header)(run, [])
    # not `st.empty`: what it shows stays until there is something new, and nothing moves
    return st.container(key="job")


def _header(run: runs.Run, drawn: list[bool]) -> None:
    """drawn: each time that this was drawn since the page was, and whether a job was at work."""
    state = run.state
    facts = [
        f"Iteration {state.iteration} of {state.settings.iterations}",
        f"{_banned(state)} banned",
    ]
    if state.iteration > state.settings.iterations:
        facts[0] = f"Iteration {state.iteration}"
    job = _obeyed(run, jobs.snapshot(run.id))
    working = job is not None and not job.ended
    buttons = frame.header(run.name, progress.badge(job) if job and working else status(run), facts)
    with buttons:
        _end_buttons(job) if job and working else _start_buttons(run)
        presenting.switch()
    drawn.append(working)
    if drawn[:-1] and not drawn[-2]:  # Step or Auto was clicked: the rest of the page is another one now
        st.rerun()


def _banned(state: RunState) -> str:
    """Return how many terms and how many kinds of terms are banned."""
    kinds = [words.plural(len(state.families), "kind of terms", "kinds of terms")] if state.families else []
    own = [words.plural(len(state.bans), "term")] if state.bans or not kinds else []
    return " and ".join([*own, *kinds])


def _start_buttons(run: runs.Run) -> None:
    st.button(
        "Step", key="step", icon=":material/skip_next:", on_click=_begin, args=(run, "step"),
        help="One iteration: propose, fit, grade, decide",
    )  # fmt: skip
    st.button(
        "Auto", key="auto", icon=":material/fast_forward:", on_click=_begin, args=(run, "auto"),
        help="Step until there is a reason to stop",
    )  # fmt: skip


def _begin(run: runs.Run, mode: Mode) -> None:
    """Start the job before anything is drawn, so that it goes on wherever the person goes next."""
    if len(drafts.draft(run.id, run.state.iteration)):
        session.ask_step(run.id, run.state.iteration, mode)
    else:
        frame.attempt(lambda: jobs.start(run, mode))


def _end_buttons(job: Snapshot) -> None:
    """Offer Pause and Stop as a choice that stays chosen.

    A button's click is an event, and is lost when the page draws itself anew at that moment; a choice is a value that
    every later look carries, so it arrives with the next one.
    """
    st.segmented_control(
        "End the job", list(WAYS), format_func=WAYS.__getitem__, key=_end_key(job), label_visibility="collapsed",
        help="Pause: after this iteration. Stop: now, without it",
    )  # fmt: skip


def _end_key(job: Snapshot) -> str:
    return f"end·{job.run}·{job.began}"


def _obeyed(run: runs.Run, job: Snapshot | None) -> Snapshot | None:
    """Do what was chosen of Pause and Stop, and return the job as it is then: the badge is drawn before the choice."""
    if job is None or job.ended:
        return job
    asked = session.value(_end_key(job))
    if asked == "pause" and job.wanted == "go":
        jobs.pause(run.id)
    if asked == "stop" and job.wanted != "stop":
        jobs.stop(run.id)
    return jobs.snapshot(run.id)


def status(run: runs.Run) -> str:
    """Return the verdict on the system as a badge; beside it another one where the person is asked."""
    if run.state.iteration == 0:
        return ":blue-badge[:material/flag: Ready]"
    asked = summary.asked(run.state)
    icon = "person" if asked == summary.WAITING else "balance"
    return f"{frame.verdict(run)}{f' :orange-badge[:material/{icon}: {asked}]' if asked else ''}"


def go_on(run: runs.Run, place: DeltaGenerator) -> None:
    """Watch the job that is at work; ask first where changes that are not applied would be lost by a step."""
    mode = session.step_asked(run.id, run.state.iteration)
    if mode is not None:
        session.forget_step()
        _waiting(run, mode)
        return
    with place:
        progress.watch(run)


@st.dialog("Changes not applied")
def _waiting(run: runs.Run, mode: Mode) -> None:
    count = words.plural(len(drafts.draft(run.id, run.state.iteration)), "change")
    st.markdown(f"Go on with your {count}, or without?")
    if st.button("Apply and go on", type="primary", icon=":material/arrow_forward:"):
        if decisions.apply(run):
            frame.attempt(lambda: jobs.start(runs.load(session.store(), run.id), mode))
        st.rerun()
    if st.button("Discard and go on", icon=":material/undo:"):
        drafts.withdraw(run.id)
        frame.attempt(lambda: jobs.start(run, mode))
        st.rerun()
