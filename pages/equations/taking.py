"""What leaves the page: the system to paste elsewhere, and files."""

import json

import streamlit as st

from dolq_core import runs


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


def _copies(run: runs.Run) -> None:
    found = runs.copies(run)
    for title, code, language in (
        ("LaTeX", found.latex, "latex"), ("Text", found.text, None), ("Python", found.python, "python"),
    ):  # fmt: skip
        st.markdown(f"**{title}**")
        if code:
            st.code(code, language=language)
        else:
            st.caption("An equation is missing.")


def _files(run: runs.Run) -> None:
    name = "".join(letter if letter.isalnum() else "_" for letter in run.name) or "result"
    for label, make, ending, kind in (
        ("Result (JSON)", lambda: _document(run), "json", "application/json"),
        ("Equations (text)", lambda: runs.copies(run).text, "txt", "text/plain"),
        ("Trajectories (CSV)", lambda: runs.table(run), "csv", "text/csv"),
    ):
        st.download_button(label, make, f"{name}.{ending}", kind, icon=":material/download:", on_click="ignore")


def _document(run: runs.Run) -> str:
    return json.dumps(runs.result(run), indent=2, ensure_ascii=False)
