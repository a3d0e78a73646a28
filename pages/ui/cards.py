"""Bundled data sets as cards: what it is, how large and how hard, and what it teaches."""

from collections.abc import Sequence

import streamlit as st

from dolq_core.bundled import Bundled, SamplePlan, load_bundled
from pages.ui import new_run, words

PER_ROW = 4
BADGES = {
    "easy": ":green-badge[:material/signal_cellular_alt_1_bar: easy]",
    "medium": ":blue-badge[:material/signal_cellular_alt_2_bar: medium]",
    "hard": ":orange-badge[:material/signal_cellular_alt: hard]",
}


def cards(sets: Sequence[Bundled]) -> None:
    """Draw one card per data set, four in a row; a card opens its data set on the data page."""
    for first in range(0, len(sets), PER_ROW):
        for column, one in zip(st.columns(PER_ROW), sets[first : first + PER_ROW], strict=False):
            with column, st.container(key=f"card_{one.id}", gap="xsmall"):
                opened = st.button(
                    one.title, key=f"open_{one.id}", type="tertiary", icon=":material/arrow_forward:",
                    icon_position="right",
                )  # fmt: skip
                st.markdown(words.plain(one.hook))
                st.caption(f"{BADGES[one.difficulty]} {_size(one)}")
                if opened:
                    new_run.choose_bundled(one.id)
                    st.switch_page("pages/data/page.py")


def _size(about: Bundled) -> str:
    """Say how large a set is; a computed one as it is at first."""
    found = load_bundled(about.id).dataset.trajectories if about.kind == "real" else ()
    count = sum(len(run.t) for run in found) or SamplePlan().points
    several = f" · {words.plural(len(found), 'run')}" if len(found) > 1 else ""
    return f"{words.plural(count, 'row')} · {words.plural(len(about.states), 'state')}{several}"
