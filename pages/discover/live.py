"""The first iteration as it works: how many structures were tried, and the front of size against error so far."""

from itertools import groupby

import streamlit as st

from dolq_core import runs
from dolq_core.jobs import Seen, Snapshot
from dolq_core.records import TermKey, derivative
from dolq_core.views.terms import latex_of
from pages.ui import charts, frame, front, jobs, words

EVERY_S = 1.0


def live(run: runs.Run) -> None:
    """Draw what the job on a run without a law has found so far; nothing where none is at work."""
    if run.state.iteration == 0 and jobs.is_working(run.id):
        st.fragment(_look, run_every=EVERY_S)(run)


def _look(run: runs.Run) -> None:
    job = jobs.snapshot(run.id)
    if job is not None and not job.ended and job.front:
        drawn(run, job)


def drawn(run: runs.Run, job: Snapshot) -> None:
    """Draw the count, the front of every equation, and the candidates on it."""
    st.markdown(f"**{words.plural(job.tried, 'structure')}** tried, {job.seconds:.0f} s. The best of each size so far:")
    names = [state.name for state in run.state.problem.dataset.states]
    found = {names[j]: list(own) for j, own in groupby(job.front, key=lambda one: one.equation)}
    lines = {name: [(len(one.terms), one.error) for one in own] for name, own in found.items()}
    charts.show(front.sizes(lines), f"live·{run.id}", front.sizes_alt(lines))
    rows = [
        (words.plain(derivative(name)), _terms(run, one), words.number(one.error, 2))
        for name in found
        for one in found[name]
    ]
    frame.table(rows, ["Equation", "Terms", "Error"])


def _terms(run: runs.Run, one: Seen) -> str:
    terms = [latex_of(run, TermKey(one.equation, skeleton)) for skeleton in one.terms]
    return ", ".join(map(words.tex, terms)) or "none"  # each by itself, so that a line can break between two
