"""One mode for a room: no sidebar, letters that the last row can read, law and chart together on one screen.

It is in the address and in the session, so it outlives reloads and changes of the page.
"""

import re
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from pages.ui import session

LEAST: Final = 24
"""Pixels of the smallest letter."""
THICKER: Final = 1.8
"""Times the marks and lines of a chart that is read at a desk."""
HEADING: Final = 0.06
"""Of a chart's height: what larger letters take from each panel below the first."""
ON, BACK, LEAVE = "PageDown", "PageUp", "Esc"
"""Keys, as the remote controls of presenters send them."""

_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"(?:(\d)(?:\s|\\,)*)?\\t?frac{_BRACED}{_BRACED}")


def is_on() -> bool:
    """Whether the screen is a room's."""
    return session.is_presenting()


def begin() -> None:
    """Tell the style sheet that the page is for a room; before anything else of the page."""
    if is_on():
        with st.container(key="presenting"):
            st.markdown("Presentation")  # out of sight: a container without anything is not drawn


def switch() -> None:
    """Draw the way into the mode, or out of it."""
    if is_on():
        st.button("Leave", key="leave_presenting", icon=":material/close_fullscreen:", on_click=session.present,
                  args=(False,), shortcut=LEAVE, help="Back to the page with its sidebar")  # fmt: skip
    else:
        st.button("Present", key="present", icon=":material/present_to_all:", on_click=session.present, args=(True,),
                  help="For a room: large letters, no sidebar, law and chart on one screen; Esc leaves it")  # fmt: skip


def enlarged(figure: go.Figure) -> go.Figure:
    """Return a figure with letters of LEAST pixels and margins, marks and lines to match; the given one stays."""
    large: Any = figure.to_dict()
    layout = large["layout"]
    scale = LEAST / layout["font"]["size"]
    layout.pop("height", None)  # it takes the room that there is
    layout["font"]["size"] = LEAST
    layout["margin"] = {side: round(scale * width) for side, width in layout["margin"].items()}
    layout.setdefault("legend", {})["font"] = {"size": LEAST}
    for name, axis in layout.items():
        if name.startswith(("xaxis", "yaxis")):
            _large_axis(axis, is_lower=name.startswith("y") and axis.get("domain", (0, 1))[1] < 1)
    for said in layout.get("annotations", ()):
        said["font"] = {**said.get("font", {}), "size": LEAST}
        said |= {shift: scale * said.get(shift, 0) for shift in ("xshift", "yshift")}
    for trace in large["data"]:
        _thick(trace)
    return go.Figure(large)


def _large_axis(axis: Any, *, is_lower: bool) -> None:
    axis |= {"tickfont": {"size": LEAST}, "nticks": 5}
    if "title" in axis:
        axis["title"]["font"] = {"size": LEAST}
    if is_lower:  # its name stands above it
        axis["domain"] = [axis["domain"][0], axis["domain"][1] - HEADING]


def _thick(trace: Any) -> None:
    """Draw a trace's marks and lines so that they are seen from afar."""
    for part, size in (("marker", "size"), ("line", "width")):
        now = trace.get(part, {}).get(size)
        if isinstance(now, int | float):
            trace[part][size] = THICKER * now
    if "textfont" in trace:
        trace["textfont"]["size"] = LEAST


def in_a_line(latex: str) -> str:
    """Return LaTeX with a slash for each fraction bar: a bar makes small letters, or a high line."""

    def written(found: re.Match[str]) -> str:
        number, above, below = found[1] or "", found[2], found[3]
        above = "" if number and above == "1" else _whole(above, r"[+-]")
        return f"{number}{' ' if above and number else ''}{above}/{_whole(below, r'[+ -]')}"

    return _FRACTION.sub(written, latex)


def _whole(part: str, apart: str) -> str:
    """Return a part of a fraction in brackets, where without them it would fall apart at one of these signs."""
    bare = re.sub(r"\\left.*\\right.|\\[a-z]+", "", part)
    return rf"\left({part}\right)" if re.search(apart, bare.strip()) else part
