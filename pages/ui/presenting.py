"""One mode for a room: no sidebar, letters that the last row can read, law and chart together on one screen.

It is in the address and in the session, so it outlives reloads and changes of the page.
"""

import re
from pathlib import Path
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from pages.ui import session

CSS = Path(__file__).with_name("presenting.css")
LEAST: Final = 24
"""Pixels of the smallest letter."""
THICKER: Final = 1.8
"""Times the marks and lines of a chart that is read at a desk."""
HEADING: Final = 0.22
"""Of a chart's height: the name of a panel below the first, where laws and text leave a chart little of a screen."""
MOST_HEADINGS: Final = 0.4
"""Of a chart's height: what all of them take at most."""
TIGHTER: Final = 1.7
"""Times the margins above and below: letters grow more than the space between their lines."""
LINE, LIFTED, NARROW = 16, 3, 12
"""Of a chart at the desk, in pixels: a second line above a panel, what stands in the first, the margin at the right."""
BESIDE: Final = 34
"""Letters, with those of the markup, that a name leaves room for in its line."""
END: Final = "end"
"""What a name at the end of a line is called: the key says it too, and a room has no place for both."""
ON, BACK, LEAVE = "PageDown", "PageUp", "Esc"
"""Keys, as the remote controls of presenters send them."""

_BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"(?:(\d)((?:\s|\\,)*))?\\t?frac{_BRACED}{_BRACED}")


def is_on() -> bool:
    """Whether the screen is a room's."""
    return session.is_presenting()


def begin() -> None:
    """Set the style sheet of a page for a room; before anything else of the page."""
    if is_on():
        with st.container(key="presenting"):
            st.markdown(f"<style>\n{CSS.read_text(encoding='utf-8')}</style>", unsafe_allow_html=True)


def switch() -> None:
    """Draw the way into the mode, or out of it."""
    if is_on():
        st.button("Leave", key="leave_presenting", icon=":material/close_fullscreen:", on_click=session.present,
                  args=(False,), shortcut=LEAVE, help="Back to the page with its sidebar")  # fmt: skip
    else:
        st.button("Present", key="present", icon=":material/present_to_all:", on_click=session.present, args=(True,),
                  help="Full screen for a room: large type, law and chart together; Esc leaves")  # fmt: skip


def enlarged(figure: go.Figure) -> go.Figure:
    """Return a figure with letters of LEAST pixels and margins, marks and lines to match; the given one stays."""
    large: Any = figure.to_dict()
    layout = large["layout"]
    scale = LEAST / layout["font"]["size"]
    layout.pop("height", None)  # it takes the room that there is
    layout["font"]["size"] = LEAST
    layout.setdefault("legend", {})["font"] = {"size": LEAST}
    _large_axes(layout)
    _large_words(layout, scale)
    for trace in large["data"]:
        _thick(trace)
    return go.Figure(large)


def _large_axes(layout: Any) -> None:
    """Enlarge ticks and names; panels below each other get the room that their names take, and fewer ticks."""
    axes = [axis for name, axis in layout.items() if name.startswith(("xaxis", "yaxis"))]
    panels = [axis for name, axis in layout.items() if name.startswith("yaxis") and "domain" in axis]
    panels.sort(key=lambda axis: -axis["domain"][1])
    for axis in axes:
        axis |= {"tickfont": {"size": LEAST}, "nticks": 3 if axis in panels and len(panels) > 1 else 5}
        if "title" in axis:
            axis["title"]["font"] = {"size": LEAST}
    gap = min(HEADING, MOST_HEADINGS / max(1, len(panels) - 1))
    heights = [axis["domain"][1] - axis["domain"][0] for axis in panels]
    room, top = (1 - gap * (len(panels) - 1)) / sum(heights or [1]), 1.0
    for axis, height in zip(panels, heights, strict=True):
        axis["domain"] = [max(0.0, top - room * height), top]
        top -= room * height + gap


def _large_words(layout: Any, scale: float) -> None:
    """Enlarge margins and what is written in a chart.

    What stands above a panel in two lines comes into one, without the unit, where it is short enough; only `held out`
    stays above the others.
    """
    margin = layout["margin"]
    every = layout.get("annotations", ())
    said = [one for one in every if one.get("name") != END]
    if len(said) < len(every):
        margin["r"] = NARROW
    above = [one for one in said if one.get("yref", "").endswith("domain")]
    is_short = all(len(one["text"]) <= BESIDE for one in above if one["xanchor"] == "right")
    lifted = [one for one in above if is_short and one["yshift"] > LIFTED]
    for one in lifted:
        if one["xanchor"] == "left":
            one |= {"text": one["text"].partition(" (")[0], "yshift": LIFTED}
    if lifted and all(one["xanchor"] == "left" for one in lifted):
        margin["t"] -= LINE
    layout["margin"] = {side: round((scale if side in "lr" else TIGHTER) * width) for side, width in margin.items()}
    for one in said:
        one["font"] = {**one.get("font", {}), "size": LEAST}
        one |= {shift: scale * one.get(shift, 0) for shift in ("xshift", "yshift")}
    if every:
        layout["annotations"] = said


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
        number, apart, above, below = found[1] or "", found[2] or "", found[3], found[4]
        above = "" if number and above == "1" else _whole(above, r"[+-]")
        return f"{number}{(apart or ' ') if above and number else ''}{above}/{_whole(below, r'[+ -]')}"

    return _FRACTION.sub(written, latex)


def _whole(part: str, apart: str) -> str:
    """Return a part of a fraction in brackets, where without them it would fall apart at one of these signs."""
    bare = re.sub(r"\\left.*\\right.|\\[a-z]+", "", part)
    return rf"\left({part}\right)" if re.search(apart, bare.strip()) else part
