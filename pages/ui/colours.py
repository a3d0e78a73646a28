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
    start: str
    stream: str
    cells: dict[str, tuple[str, str]]  # ground and letter of a decision


LIGHT = Colours(
    ground="#FFFFFF", panel="#F3F5F7", text="#0B0F14", muted="#4A525C", grid="#E3E7EB", held_out="#F0F2F4",
    remove="#D55E00", remove_text="#8F3D00", mark="#3D454E",
    lines=("#0072B2", "#A34E7F", "#00775A", "#8F5A00", "#4A525C"), start="#009E73", stream="#8A939D",
    cells={"keep": ("#0072B2", "#FFFFFF"), "hold": ("#E3E7EB", "#3D454E"), "remove": ("#FCE6D9", "#8F3D00"),
           "pin": ("#5A3690", "#FFFFFF")},
)  # fmt: skip
DARK = Colours(
    ground="#12161B", panel="#1B2128", text="#F1F4F7", muted="#BCC5CF", grid="#2B333C", held_out="#20272F",
    remove="#F0803C", remove_text="#FFB48A", mark="#C9D1D9",
    lines=("#56B4E9", "#DE9BC2", "#2DC79B", "#E8B04A", "#BCC5CF"), start="#2DC79B", stream="#6B7682",
    cells={"keep": ("#56B4E9", "#0B0F14"), "hold": ("#353E48", "#D5DCE3"), "remove": ("#4A2412", "#FFB48A"),
           "pin": ("#B48CE8", "#0B0F14")},
)  # fmt: skip


def colours() -> Colours:
    """Return the colours of the theme that the person looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT
