"""Equations: the best system so far, with its coefficients, against the data, and to take away."""

import json
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.runs import BestTerm, Panel
from pages.discover import plots
from pages.equations import evidence, further
from pages.ui import frame, words

STANDS = {
    "settled": ":blue-badge[settled]",
    "provisional": ":orange-badge[provisional]",
    "none": ":gray-badge[no law to claim]",
}


def page() -> None:
    """Draw the result of the open run."""
    run = frame.opened()
    if run is None:
        frame.header("Equations", "", [])
        frame.empty("No run is open, so there is no equation yet. Try it on yeast, or upload a table.")
        return
    facts = [f"after iteration {run.state.iteration}"]
    _, buttons = frame.header(run.name, "", facts)
    if run.state.iteration == 0:
        st.markdown("No equation yet.")
        if st.button("Go to Discover", type="primary", icon=":material/science:"):
            st.switch_page("pages/discover/page.py")
        return
    with buttons:
        _downloads(run)
    found = runs.show(run)
    left, right = st.columns([1.62, 1], gap="medium")
    with left:
        for panel in found:
            _equation(panel)
        evidence.fronts(run, found)
    with right:
        plots.fit(run)
        plots.plane(run)
    with left:  # last: the first time it takes a moment, and the rest of the page is there already
        further.further(run, found)


def _equation(panel: Panel) -> None:
    with st.container(key=f"eq_{panel.equation}"):
        with st.container(key=f"title_{panel.equation}", horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(words.tex(rf"\displaystyle {panel.best_latex or panel.lhs}"), width="stretch")
            st.markdown(STANDS[panel.status], width="content")
        st.caption(words.plain(panel.status_reason))
        evidence.scores(panel)
        if panel.best_terms:
            st.table(_coefficients(panel.best_terms), border="horizontal", hide_index=True)
            evidence.tied(panel)
            with st.expander("Why these terms", key=f"why_{panel.equation}"):
                for term in panel.best_terms:
                    st.markdown(f"{words.tex(term.latex)}: {words.plain(term.reason or 'not graded')}")


def _coefficients(terms: Sequence[BestTerm]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Term": [words.tex(term.latex) for term in terms],
            "Coefficient": [words.coefficient(term.coefficient, term.std_error) for term in terms],
            "95 % interval": [words.interval(term.coefficient, term.std_error) for term in terms],
            "Decided": [words.badge(term.action) if term.action else "not graded" for term in terms],
        }
    )


def _downloads(run: runs.Run) -> None:
    document = runs.result(run)
    name = "".join(letter if letter.isalnum() else "_" for letter in run.name) or "result"
    st.download_button(
        "Result (JSON)", lambda: json.dumps(document, indent=2, ensure_ascii=False), f"{name}.json",
        "application/json", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    st.download_button(
        "Equations (text)", lambda: _text(document), f"{name}.txt", "text/plain", icon=":material/download:",
        on_click="ignore",
    )  # fmt: skip


def _text(document: dict) -> str:
    """Return one line per equation, in the names that stand in the expressions, readable by Python and SymPy."""
    symbols = document["symbols"]
    lines = [f"# {document['dataset']}, after iteration {document['iterations']}"]
    lines += [f"# {symbol} stands for the column {own!r}" for own, symbol in symbols.items()]
    for own, found in document["equations"].items():
        lines.append(f"d{symbols.get(own, own)}_dt = {found['expression']}  # {found['status']}")
    return "\n".join(lines) + "\n"


page()
