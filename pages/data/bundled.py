"""A data set that comes with the app: its story, what it teaches, how it is sampled, and the start of a run."""

import streamlit as st

from dolq_core.bundled import Bundled, bundled, load_bundled
from dolq_core.records import Problem
from pages.data import allowing, parts, sampled
from pages.ui import cards, new_run, words

# one page to the browser: it would stay as far down as the card was
TO_THE_TOP = """<script>document.querySelector('[data-testid="stMain"]').scrollTo(0, 0)</script>"""


def data_set(name: str) -> None:
    """Draw one bundled data set."""
    about = next((one for one in bundled() if one.id == name), None)
    if about is None:
        new_run.choose_bundled("")
        st.rerun()
        return
    _drawn(about)
    st.html(TO_THE_TOP, unsafe_allow_javascript=True)


@st.fragment
def _drawn(about: Bundled) -> None:
    """Draw the page of a set: a fragment, so that a slider redraws what depends on it and nothing else."""
    if new_run.bundled() != about.id:
        st.rerun()
    new_run.keep_said((about.id,))
    top = st.container()
    left, right = st.columns([1.35, 1], gap="medium")
    with right:
        problem = load_bundled(about.id, sampled.sampling(about))
        held = parts.preview(problem.dataset, about.id)
        description = parts.description(about.id, problem.description, problem.dataset)
        allowed = allowing.blocks(about.id, problem.dataset)
    with top:
        start = parts.header(about.title, cards.BADGES[about.difficulty], problem.dataset, allowed)
        allowing.doubts(allowed)
    if start and isinstance(allowed, Problem):
        parts.start(allowed, description, problem.dataset.name, held)
    with left:  # last: the checks of fitness take longer than a slider may
        _story(about)
        parts.variables(problem.dataset)
        parts.fitness(problem.dataset, held)


def _story(about: Bundled) -> None:
    with st.container(key="panel_story"):
        st.header("What it is", anchor=False)
        st.markdown(words.plain(about.story))
        lines = (
            ("What to look out for", about.lookout),
            (f"Difficulty: {about.difficulty}", about.why),
            ("Source", about.source),
            ("Caveat", about.caveat),
            ("Units", "" if any(state.unit for state in about.states) else "None: every quantity is a pure number."),
        )
        for label, text in lines:
            if text:
                st.markdown(f"**{label}.** {words.plain(text)}")
