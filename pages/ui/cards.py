"""Bundled data sets as cards: what it is, and what it teaches."""

from collections.abc import Sequence

import streamlit as st

from dolq_core.runs import Bundled
from pages.ui import session, words

PER_ROW = 4


def cards(sets: Sequence[Bundled]) -> None:
    """Draw one card per data set, four in a row; a card opens its data set on the data page."""
    for first in range(0, len(sets), PER_ROW):
        for column, one in zip(st.columns(PER_ROW), sets[first : first + PER_ROW], strict=False):
            with column, st.container(key=f"card_{one.id}", gap="xsmall"):
                opened = st.button(
                    one.title, key=f"open_{one.id}", type="tertiary", icon=":material/arrow_forward:",
                    icon_position="right",
                )  # fmt: skip
                st.caption(f"{words.plural(len(one.states), 'state')} · {one.difficulty}")
                st.markdown(words.plain(one.hook))
                if opened:
                    session.choose_bundled(one.id)
                    st.switch_page("pages/data/page.py")
