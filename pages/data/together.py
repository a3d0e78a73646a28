"""Columns that stand side by side for runs of one quantity: asked, and never guessed."""

import streamlit as st

from dolq_core.data import SideBySide, Table, side_by_side
from pages.ui import session, words

ANSWERS = {"runs": "runs", "apart": "different quantities"}


def found(table: Table) -> SideBySide | None:
    """Return the columns that may be runs of one quantity."""
    return side_by_side(table)


def answer(mark: str) -> str:
    """Return what the person said: runs, apart, or nothing yet."""
    return session.value(_key(mark)) or ""


def ask(beside: SideBySide, mark: str) -> None:
    """Draw the question; a run waits for its answer only where the names say that they are runs."""
    names = [name for runs in beside.columns.values() for name in runs.values()]
    listed = ", ".join(names[:4]) + (" ..." if len(names) > 4 else "")
    many = f"{len(beside.labels)} runs of {' and '.join(beside.columns)}"
    is_open = beside.sure and not answer(mark)
    with st.container(key="disagree_together" if is_open else "together"):
        st.segmented_control(
            words.label(f"{listed}: {many}, or different quantities?"), list(ANSWERS), key=_key(mark),
            format_func=lambda one: words.label(many) if one == "runs" else ANSWERS[one], persist_state="session",
        )  # fmt: skip


def _key(mark: str) -> str:
    return f"together·{mark}"
