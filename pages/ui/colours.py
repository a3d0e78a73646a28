"""The colours of the charts in both themes (the pages' own are in theme.css and .streamlit/config.toml)."""

from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True)
class Colours:
    """One theme, as the charts see it."""

    ground: str
    panel: str
    text: str
    muted: str
    grid: str
    held_out: str
    remove: str
    remove_text: str
    mark: str
    lines: tuple[str, ...]


LIGHT = Colours(
    ground="#FFFFFF", panel="#F3F5F7", text="#0B0F14", muted="#4A525C", grid="#E3E7EB", held_out="#F0F2F4",
    remove="#D55E00", remove_text="#8F3D00", mark="#3D454E",
    lines=("#0072B2", "#A34E7F", "#00775A", "#8F5A00", "#4A525C"),
)  # fmt: skip
DARK = Colours(
    ground="#12161B", panel="#1B2128", text="#F1F4F7", muted="#BCC5CF", grid="#2B333C", held_out="#20272F",
    remove="#F0803C", remove_text="#FFB48A", mark="#C9D1D9",
    lines=("#56B4E9", "#DE9BC2", "#2DC79B", "#E8B04A", "#BCC5CF"),
)  # fmt: skip


def colours() -> Colours:
    """Return the colours of the theme that the person looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT
