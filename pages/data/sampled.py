"""How a computed data set is drawn: the sliders for noise, samples, runs and seed."""

import streamlit as st

from dolq_core import lessons, runs
from dolq_core.bundled import Bundled, SamplePlan
from pages.ui import session, words

POINTS = (20, 50, 100, 200, 500, 1000)
NOISE = tuple(half / 2 for half in range(21))  # percent
SEEDS = 999
RUNS = {1: "one", 2: "two"}


def sampling(about: Bundled) -> SamplePlan | None:
    """Draw the sliders and return what they say; None for a measured set, which is as it was measured."""
    if about.kind == "real":
        return None
    usual = SamplePlan()
    with st.container(key="panel_sampling"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.header("How it is sampled", anchor=False)
            _as_in_a_lesson(about)
        left, right = st.columns(2, gap="medium")
        with left:
            noise = _noise(about, usual) if about.kind == "generated" else usual.noise
            points = _points(about, usual)
        with right:
            starts = _starts(about, usual)
            seed = _seed(about, usual, idle=about.kind == "generated" and not noise)
    return SamplePlan(points, noise, starts, seed)


def _as_in_a_lesson(about: Bundled) -> None:
    """Offer the noise, samples and starts of the lessons on this set: they leave something to decide."""
    found = lessons.plans(about.id)
    if not found:
        return
    with st.popover("As in a lesson", icon=":material/school:"):
        for name, plan in found.items():
            values = {"noise": 100 * plan.noise, "points": plan.points, "starts": plan.starts, "seed": plan.seed}
            st.button(
                words.label(name), key=f"as·{about.id}·{name}", type="tertiary", on_click=session.reset_all,
                args=({f"{knob}·{about.id}": value for knob, value in values.items()},),
            )  # fmt: skip


def _noise(about: Bundled, usual: SamplePlan) -> float:
    key = f"noise·{about.id}"
    session.seed(key, 100 * usual.noise)
    return st.select_slider(
        "Noise, of each state's spread", NOISE, key=key, format_func=lambda percent: f"{percent:g} %",
        persist_state="session",
        help="White noise on every sample; its standard deviation, in percent of the state's own along the run.",
    ) / 100  # fmt: skip


def _points(about: Bundled, usual: SamplePlan) -> int:
    key = f"points·{about.id}"
    most = runs.allowed().rows
    points = [n for n in POINTS if most is None or max(RUNS) * n <= most] or POINTS[:2]
    session.seed(key, min(usual.points, points[-1]))
    return st.select_slider("Samples in each run", points, key=key, persist_state="session")


def _starts(about: Bundled, usual: SamplePlan) -> int:
    key = f"starts·{about.id}"
    session.seed(key, usual.starts)
    chosen = st.segmented_control(
        "Starts" if about.kind == "generated" else "Runs", list(RUNS), key=key, format_func=RUNS.__getitem__,
        required=True, persist_state="session",
        help="Two: a second run from another start." if about.kind == "generated" else "Two: drawn apart.",
    )  # fmt: skip
    return chosen or usual.starts


def _seed(about: Bundled, usual: SamplePlan, *, idle: bool) -> int:
    key = f"seed·{about.id}"
    session.seed(key, usual.seed)
    return int(
        st.number_input(
            "Seed", 0, SEEDS, key=key, step=1, disabled=idle, persist_state="session",
            help="Another seed draws other noise; the same one draws the same again.",
        )
    )  # fmt: skip
