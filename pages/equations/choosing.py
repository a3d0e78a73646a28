"""Which state and which run a section speaks of."""

import streamlit as st

from dolq_core.fitting.held_out import names_of_runs
from dolq_core.records import Dataset
from pages.ui import words


def state_of(names: list[str], key: str) -> int:
    """Draw the choice of a state where there are several, and return its number."""
    if len(names) == 1:
        return 0
    if len(names) > 4:
        return st.selectbox("State", range(len(names)), format_func=lambda j: names[j], key=key, width=220)
    return st.segmented_control(
        "State", range(len(names)), default=0, format_func=lambda j: words.plain(names[j]), required=True, key=key,
    )  # fmt: skip


def run_of(dataset: Dataset, key: str) -> int:
    """Draw the choice of a run where there are several, and return its number."""
    names = names_of_runs(dataset)
    if len(names) == 1:
        return 0
    return st.selectbox("Run of the table", range(len(names)), format_func=lambda i: names[i], key=key, width=220)
