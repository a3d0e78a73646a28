"""What leaves the page: the system to paste elsewhere, and files."""

from itertools import groupby

import streamlit as st

from dolq_core import runs
from dolq_core.views.files import TARGETS, ExportTarget, copies, which_coefficients, why_not_exported
from pages.ui import frame


@st.fragment
def taking(run: runs.Run) -> None:
    """Draw the two buttons of the header; what they hold is made when they are opened or pressed."""
    with st.container(horizontal=True, gap="small"):
        copy = st.popover("Copy", icon=":material/content_copy:", key="copy", on_change="rerun")
        if copy.open:
            with copy:
                _copies(run)
        with st.popover("Download", icon=":material/download:"):
            _files(run)
            if told := which_coefficients(run):
                st.caption(told)


def _copies(run: runs.Run) -> None:
    found = copies(run)
    for title, code, language in (
        ("LaTeX", found.latex, "latex"), ("Text", found.text, None), ("Python", found.python, "python"),
    ):  # fmt: skip
        st.markdown(f"**{title}**")
        if code:
            st.code(code, language=language)
        else:
            st.caption("An equation is missing.")


def _files(run: runs.Run) -> None:
    for group, targets in groupby(TARGETS.values(), key=lambda target: target.group):
        with st.container(key=f"takes_{group.lower().replace(' ', '_')}", gap=None):
            st.markdown(f"**{group}**")
            for target in targets:
                _button(run, target)


def _button(run: runs.Run, target: ExportTarget) -> None:
    why_not = why_not_exported(run, target.id)
    frame.take(
        run, target.id, target.label, key=f"take_{target.id}", help=why_not or None, disabled=bool(why_not),
        type="tertiary",
    )  # fmt: skip
