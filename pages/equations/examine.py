"""The sections below the law: each is drawn, and computed, only while its tab is open."""

from collections.abc import Callable

import streamlit as st

from dolq_core import runs
from dolq_core.views import conditions
from dolq_core.views.equations import Panel
from pages.equations import ahead, by_condition, evidence, profile, residuals, sliders

Section = Callable[[], None]


@st.fragment
def examine(run: runs.Run, found: tuple[Panel, ...]) -> None:
    """Draw the tabs and the one that is open."""
    sections: dict[str, Section] = {
        "How many terms?": lambda: evidence.fronts(run, found),
        "Residuals": lambda: residuals.residuals(run),
        "Rates": lambda: residuals.rates(run),
        "Forecast": lambda: ahead.forecast(run),
        "Move coefficients": lambda: sliders.sliders(run),
        "Profiles": lambda: profile.profiles(run),
    }
    if conditions.is_possible(run):
        sections["Conditions"] = lambda: by_condition.conditions(run)
    tabs = st.tabs(list(sections), key="examine", on_change="rerun")
    for tab, draw in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab:
                draw()
