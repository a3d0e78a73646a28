"""A term of the person's own: typed, checked while it is typed, handed to the next iteration."""

import streamlit as st

from dolq_core import runs
from dolq_core.errors import TermError
from dolq_core.records import TermKey, TermNote
from pages.ui import session, words


def try_a_term(run: runs.Run) -> None:
    """Draw the popover; a readable term becomes a change that waits in the bar."""
    with st.popover("Try a term", type="tertiary", icon=":material/add:"):
        key, reason = typed(run, "try")
        if key is not None:
            _what_if(run, key)
        if key is not None and key in run.state.bans:
            st.caption("It is on the ban list; trying it lifts the ban.")
        st.button(
            "Add to the changes", key="try.add", disabled=key is None, on_click=_add,
            args=(run.id, run.state.iteration, key, reason),
        )  # fmt: skip


def _what_if(run: runs.Run, key: TermKey) -> None:
    """Fit the term at once in the best equation, and say what it would change."""
    tried = runs.what_if(run, key)
    if tried.latex:
        st.markdown(f"${tried.latex}$")
    mark = ":material/check:" if tried.worth else ":material/close:"
    st.markdown(f"{mark} {words.plain(tried.words)}")


def typed(run: runs.Run, place: str) -> tuple[TermKey | None, str]:
    """Draw equation, term and reason; return the term as it was read (None while it is not one) and the reason."""
    states = run.state.problem.dataset.states
    names = [variable.name for variable in states]
    equation = st.selectbox(
        "Equation", range(len(names)), format_func=lambda j: f"change of {names[j]}", key=f"{place}.equation"
    )
    text = st.text_input(
        "Term", key=f"{place}.term", placeholder=f"{states[0].symbol}**2 or sin({states[-1].symbol})", live=True
    )
    key = _read(run, equation, text or "")
    return key, st.text_input("Your reason", key=f"{place}.reason").strip()


def _read(run: runs.Run, equation: int, text: str) -> TermKey | None:
    if not text.strip():
        st.caption("Names of the columns, numbers, + - * / **, sin, exp, log ...; C stands for a number to be fitted.")
        return None
    try:
        key = runs.read_key(run.state, equation, text)
    except TermError as error:
        st.markdown(f":orange[:material/error:] {words.plain(str(error))}")
        return None
    st.markdown(f"Reads as {words.tex(runs.latex_of(run, key))}")
    return key


def _add(run: str, iteration: int, key: TermKey, reason: str) -> None:
    session.propose(run, iteration, TermNote(key, reason))
    for field in ("term", "reason"):
        session.reset(f"try.{field}", "")
