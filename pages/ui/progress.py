"""How far a job is, on every page: looked at once a second while it works, and told when it ends."""

import html
import time

import streamlit as st

from dolq_core import runs
from dolq_core.jobs import Snapshot
from dolq_core.views.summary import FOUND, found, verdict
from dolq_core.views.working import doing, worked_on
from pages.ui import jobs, session, words

EVERY_S = 1.0
READ_S = (2.0, 5.0)
"""Seconds for which a drawn page stands at least, while a run is young and when it is long: a click needs a page that
holds still, and each iteration of many says less."""
PER_ENTRY_S = 0.1
STANDS = 15.0
"""It stands so many times as long as it took to draw: with many people on one server each sees fewer of the iterations,
and clicks are answered."""
QUIET = "Paused."
"""What a person asked for themselves is not told them again."""
PHASES = {
    "": (0.0, 0.02),
    "wait": (0.0, 0.02),
    "sample": (0.02, 0.1),
    "fit": (0.1, 0.7),
    "evaluate": (0.7, 0.85),
    "decide": (0.85, 0.9),
    "simulate": (0.9, 1.0),
}  # where on the line each phase of the loop begins and ends


def watch(run: runs.Run, beside: bool = False) -> None:
    """Draw the job of a run while it works; draw the page anew when there is more in the store, or it ends.

    beside: as a line of words, for the sidebar of pages that show something else.
    """
    job = jobs.snapshot(run.id)
    if job is None:
        if not beside:
            st.html(line(0, 100, ""))
        return
    young, long = READ_S
    reads = min(max(young, PER_ENTRY_S * len(run.entries)), long)
    stands = time.monotonic() + max(reads, STANDS * session.drawing_s())
    st.fragment(_look, run_every=EVERY_S)(run, beside, stands)


def _look(run: runs.Run, beside: bool, stands: float) -> None:
    """Draw first, and only then ask for a new page: what is drawn lets a click that waits go before.

    Where a person has an editor open the page waits for them; the run does not.
    """
    job = jobs.snapshot(run.id)
    if job is None:
        return
    waits = session.is_editing() and not beside
    note = f"{job.iteration} iterations are done by now; this page waits for you." if waits else ""
    if beside:
        now = max(job.iteration, run.state.iteration) + 1  # the job counts from its first end on
        st.caption(
            f"Iteration {now}: {_word(job).lower()}{words.plain(_on(run, job))}, {words.number(job.seconds, 2)} s"
        )
    else:
        st.html(line(_percent(job), 100, _word(job), note if job.at > len(run.entries) else _count(run, job)))
    if waits and not job.ended:
        return
    if job.ended:
        _ended(run, job)
    if job.at > len(run.entries) and time.monotonic() > stands:
        st.rerun()


def _ended(run: runs.Run, job: Snapshot) -> None:
    """Keep why a job ended, unless the page says it anyway."""
    jobs.forget(run.id)
    now = runs.load(session.store(), run.id)
    if job.words not in ("", now.state.paused) and (job.failed or job.mode == "auto"):
        session.keep_end(now, job.words)
    st.rerun()


def last_words(run: runs.Run) -> None:
    """Draw why the last job ended, until the run goes on."""
    said = session.end_of(run)
    if said not in ("", QUIET) and not jobs.is_working(run.id):
        is_found = verdict(run.state).status == "settled"
        draw, icon = (st.info, ":material/check:") if is_found else (st.warning, ":material/info:")
        draw(words.plain(found(run.state) if said == FOUND else said), icon=icon)


def badge(job: Snapshot) -> str:
    """Return the badge of a run that is being worked on."""
    what = {"go": "At work", "pause": "Pausing after this iteration", "stop": "Stopping"}[job.wanted]
    return f":blue-badge[:material/sync: {what}]"


def _word(job: Snapshot) -> str:
    return doing(job.phase, 0, 0)


def _count(run: runs.Run, job: Snapshot) -> str:
    """Say what is done, how much of it, for which equation, and how long the job has worked."""
    return f"{doing(job.phase, job.done, job.of)}{html.escape(_on(run, job))}, {job.seconds:.0f} s"


def _on(run: runs.Run, job: Snapshot) -> str:
    named = worked_on(run.state.problem.dataset.states, job.equations, whole=job.whole)
    return f", {named}" if named else ""


def _percent(job: Snapshot) -> int:
    low, high = PHASES.get(job.phase, (0.9, 1.0))
    return round(100 * (low + (high - low) * (job.done / job.of if job.of else 0.0)))


def line(done: int, of: int, word: str, note: str = "") -> str:
    """Return the line under the header: empty, or filled as far as the work is done; a note stands at its right."""
    if not word:
        return '<div class="dolq-line"></div>'
    return (
        f'<div class="dolq-line busy" role="progressbar" aria-label="{word}" aria-valuemin="0" aria-valuemax="{of}" '
        f'aria-valuenow="{done}"><div style="width:{round(100 * done / of)}%"></div></div>'
        + (f'<p class="dolq-note">{note}</p>' if note else "")
    )
