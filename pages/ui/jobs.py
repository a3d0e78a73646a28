"""What works on runs beside the pages: one board of jobs for all sessions of this server, asked as one person."""

import atexit

import streamlit as st

from dolq_core import runs
from dolq_core.jobs import Board, Limits, Mode, Snapshot
from dolq_core.records import Intervention
from pages.ui import identity, new_run, session


@st.cache_resource(show_spinner=False)
def board() -> Board:
    """Return the board of jobs; a first worker is warm before it is needed."""
    found = Board()
    atexit.register(found.close)
    found.warm()
    return found


def start(run: runs.Run, mode: Mode) -> None:
    """Start a job on the run as it is shown; where one is at work already, that is the job."""
    if is_working(run.id):
        return
    models = None if run.state.asleep else run.state.models
    choices = (models.sampler, models.scientist) if models else ()
    keys = [(choice.provider, choice.base_url, new_run.key_of(choice)) for choice in choices if choice is not None]
    left = run.state.settings.iterations - run.state.iteration
    limits = Limits(iterations=left if left > 0 else run.state.settings.iterations)
    board().start(session.store(), run.id, len(run.entries), mode, keys, limits)


def begin(run: str) -> None:
    """Start the first iteration of a new run by itself; language models wait for a click, since a call may cost."""
    new = runs.load(session.store(), run)
    if new.state.models is None:
        start(new, "step")


def snapshot(run: str) -> Snapshot | None:
    """Return where the job on a run stands; None when there is none."""
    return board().snapshot(run, identity.owner())


def is_working(run: str) -> bool:
    """Whether a job is at work on the run."""
    now = snapshot(run)
    return now is not None and not now.ended


def pause(run: str) -> None:
    """Let the job on the run end when the iteration under way has ended."""
    board().pause(run, identity.owner())


def stop(run: str) -> None:
    """End the job on the run now."""
    board().stop(run, identity.owner())


def forget(run: str) -> None:
    """Forget a job that has ended: its words have been read."""
    board().forget(run, identity.owner())


def intervene(run: runs.Run, said: Intervention) -> None:
    """Store a person's word on the run as it is shown; where a job is at work, on the run as it is by now."""
    runs.intervene(session.store(), run.id, said, at=None if is_working(run.id) else len(run.entries))
