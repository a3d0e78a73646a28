"""Positions only: for which states the law is sought in the second order."""

import streamlit as st

from dolq_core import runs
from dolq_core.errors import DataError
from dolq_core.records import Dataset
from pages.ui import words

HELP = (
    "For x'' = f(x, x'), as of a position whose speed was not measured. The rate becomes a state of its own, x_dot, "
    "with the known equation x' = x_dot; under noise, no fit is compared with its values."
)


def chosen(of: str, dataset: Dataset) -> Dataset:
    """Draw the choice; return the data with the rates that are asked for as further states."""
    names = [state.name for state in dataset.states]
    asked = st.pills(
        "Second-order law for", names, selection_mode="multi", key=f"second·{of}·{names}", persist_state="session",
        format_func=words.plain, help=HELP,
    )  # fmt: skip
    try:
        return runs.with_rates(dataset, [name for name in names if name in asked])
    except DataError as error:
        st.warning(words.plain(str(error)), icon=":material/info:")
        return dataset
