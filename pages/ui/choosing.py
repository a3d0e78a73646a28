"""Which state and which run a section speaks of."""

from typing import Any

import streamlit as st

from dolq_core.fitting.held_out import names_of_runs
from dolq_core.records import Dataset
from pages.ui import words


def state_of(names: list[str], key: str, label: str = "State", few: int = 4, width: int = 220, **options: Any) -> int:
    """Draw the choice of a state where there are several, as a list where they are more than `few`; return its number.

    width: of the list.
    """
    if len(names) == 1:
        return 0
    if len(names) > few:
        return st.selectbox(
            label, range(len(names)), format_func=lambda j: names[j], key=key, width=width, **options
        )  # fmt: skip
    return st.segmented_control(
        label, range(len(names)), default=0, format_func=lambda j: words.plain(names[j]), required=True, key=key,
        **options,
    )  # fmt: skip


def run_of(dataset: Dataset, key: str) -> int:
    """Draw the choice of a run where there are several, and return its number."""
    names = names_of_runs(dataset)
    if len(names) == 1:
        return 0
    return st.selectbox("Run of the table", range(len(names)), format_func=lambda i: names[i], key=key, width=220)
