"""Earlier wordings of what was said of a run: who wrote them, from which iteration on, and what changed."""

import html
from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.views.history import Piece, Subject, versions
from pages.ui import words

NAMES: dict[Subject, str] = {
    "description": "description",
    "columns": "meanings and units",
    "insight": "insight",
    "remark": "remark",
}
TAGS = {"same": "{}", "added": "<ins>{}</ins>", "removed": "<del>{}</del>"}
"""Removed words are struck and added ones underlined, so that colour is not all that tells them apart."""


def drawn(run: runs.Run, subject: Subject) -> None:
    """Draw the versions of one part of the words, the newest first; nothing where there is only one."""
    found = versions(run, subject)
    if len(found) < 2:
        return
    st.caption(f"Versions of the {NAMES[subject]}")
    for version in reversed(found):
        told = f"Version {version.number}, by {version.by}, from iteration {version.since} on"
        st.markdown(f"**{words.plain(told)}**")
        st.html(f'<p class="dolq-said dolq-changes">{marked(version.pieces) or html.escape(version.text)}</p>')


def marked(pieces: Sequence[Piece]) -> str:
    """Return the pieces as HTML."""
    return " ".join(TAGS[piece.mark].format(html.escape(piece.text)) for piece in pieces)
