"""What the reader found, assumed and left out: what stops a run as an error, the rest behind one quiet line."""

from collections.abc import Sequence

import streamlit as st

from dolq_core.data import Finding
from dolq_core.inspection import Listed, listed
from pages.ui import words

ICONS = {"mind": ":orange[:material/priority_high:]", "said": ":gray[:material/info:]"}


def stops(findings: Sequence[Finding]) -> None:
    """Draw what stops a run: what it is, where, and the way out."""
    for one in listed(findings):
        if one.weight == "stops":
            st.error(words.plain(f"{one.text} {one.way_out}".strip()), icon=":material/error:")


def assumed(findings: Sequence[Finding]) -> None:
    """Draw what was assumed or left out; open at once only where something may not be what the person means."""
    found = [one for one in listed(findings) if one.weight != "stops"]
    if not found:
        return
    doubtful = sum(one.weight == "mind" for one in found)
    label = f"{words.plural(len(found), 'thing')} assumed or left out"
    with st.expander(f"{label}, {doubtful} to check" if doubtful else label, expanded=bool(doubtful)):
        for one in found:
            _line(one)


def _line(one: Listed) -> None:
    way_out = f"  \n:gray[{words.plain(one.way_out)}]" if one.way_out else ""
    with st.container(key=None, horizontal=True, gap="small"):
        st.markdown(f"{ICONS[one.weight]} {words.plain(one.text)}{way_out}")
