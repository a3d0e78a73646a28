"""A term, or a whole equation, of the person's own: typed, checked, fitted at once, handed to the next iteration."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import streamlit as st

from dolq_core import runs
from dolq_core.errors import TermError
from dolq_core.records import TermKey, TermNote, derivative
from dolq_core.views.terms import fitted_apart, is_banned, latex_of, read_equation, read_key, short_names_of, text_of
from dolq_core.views.trial import WhatIf, what_if, what_if_equation
from pages.ui import drafts, formulas, frame, session, words

T = TypeVar("T")
WHAT = {"term": "A term", "equation": "A whole equation"}


def try_a_term(run: runs.Run) -> None:
    """Draw the popover; what can be read becomes a change that waits in the bar."""
    popover = frame.editor(run.id, "Try a term", "try", type="tertiary", icon=":material/add:")
    with popover, st.container(key="editor_try"):
        if one_of("Try", WHAT, "try.what") == "equation":
            _an_equation(run)
        else:
            _a_term(run)


def one_of(label: str, ways: Mapping[str, str], key: str) -> str:
    """Draw the choice between a term and something wider; return it."""
    return st.segmented_control(
        label, list(ways), default="term", format_func=ways.__getitem__, required=True, key=key,
        label_visibility="collapsed",
    )  # fmt: skip


def _a_term(run: runs.Run) -> None:
    key, _ = typed(run, "try")
    if key is not None:
        waiting = drafts.draft(run.id, run.state.iteration)
        company = (*waiting.proposals, *waiting.pins, *run.state.proposals)
        _told(what_if(run, key, tuple(note.key for note in company)))
        _apart(run, session.value("try.term") or "")
    if key is not None and is_banned(run, key):
        st.caption("Banned; trying it lifts the ban.")
    st.checkbox("In every hypothesis from now on (pin)", key="try.pin")
    st.button("Add to the changes", key="try.add", disabled=key is None, on_click=_add, args=(run,))


def _an_equation(run: runs.Run) -> None:
    """Draw the field for a right-hand side; its numbers are fitted, only its terms count."""
    states = run.state.problem.dataset.states
    equation = equation_of(run, "whole")
    own = f"`{states[equation].name}`" if not states[equation].name.isidentifier() else states[equation].name
    text = st.text_input(
        "Right-hand side", key="whole.text", placeholder=f"{own} - {own}**2 + 1", live=True,
        help="A sum of terms; numbers in front of them are fitted, also those that you type.",
    )  # fmt: skip
    told = "Terms with + and -; numbers in front of them are fitted, typed or not, and so are a, k1, Km, Vmax, alpha."
    note = _read(text or "", told, lambda: read_equation(run.state, equation, text or ""))
    if note is not None:
        _told(what_if_equation(run, note))
        _apart(run, text or "")
        lifted = [text_of(run, key) for s in note.skeletons if is_banned(run, key := TermKey(equation, s))]
        if lifted:
            st.caption(f"{words.plain(', '.join(lifted))}: banned; trying this lifts the ban.")
    st.text_input("Your reason", key="whole.reason")
    st.button("Add to the changes", key="whole.add", disabled=note is None, on_click=_add_equation, args=(run,))


def _told(tried: WhatIf) -> None:
    """Say what a fit at once has shown."""
    if tried.latex:
        st.markdown(formulas.law(tried.latex))
    mark = ":material/check:" if tried.worth else ":material/close:"
    st.markdown(f"{mark} {words.plain(tried.words)}")
    if tried.typed:
        st.caption(words.plain(tried.typed))


def _apart(run: runs.Run, text: str) -> None:
    """Say that letters are numbers of this equation alone."""
    if told := fitted_apart(run.state, text):
        st.caption(words.plain(told))


def typed(run: runs.Run, place: str) -> tuple[TermKey | None, str]:
    """Draw equation, term and reason; return the term as it was read (None while it is not one) and the reason."""
    states = run.state.problem.dataset.states
    equation = equation_of(run, place)
    first, last = (short_names_of(run)[state.symbol] for state in (states[0], states[-1]))
    text = st.text_input("Term", key=f"{place}.term", placeholder=f"{first}**2 or sin({last})", live=True)
    told = "Columns, numbers, + - * / ^, sin, exp, log ...; numbers such as a, k1, Km, Vmax, alpha are fitted."
    key = _read(text or "", told, lambda: read_key(run.state, equation, text or ""))
    if key is not None:
        st.markdown(f"Reads as {words.tex(latex_of(run, key))}")
    return key, st.text_input("Your reason", key=f"{place}.reason").strip()


def equation_of(run: runs.Run, place: str) -> int:
    """Draw the choice of the equation; return its number."""
    rates = [derivative(variable.name) for variable in run.state.problem.dataset.states]
    return st.selectbox("Equation", range(len(rates)), format_func=rates.__getitem__, key=f"{place}.equation")


def _read(text: str, told: str, read: Callable[[], T]) -> T | None:
    """Return what was typed, as it was read; None, and what can be typed or what is wrong, while it is nothing."""
    if not text.strip():
        st.caption(told)
        return None
    try:
        return read()
    except TermError as error:
        frame.fault(str(error))
        return None


def _add(run: runs.Run) -> None:
    """Take up what the fields hold at the moment of the click: it may be newer than what was checked last."""
    key = _read_now(lambda: read_key(run.state, session.value("try.equation"), session.value("try.term")))
    if key is not None:
        note = TermNote(key, (session.value("try.reason") or "").strip())
        drafts.propose(run.id, run.state.iteration, note, pin=bool(session.value("try.pin")))
        for field in ("try.term", "try.reason"):
            session.reset(field, "")


def _add_equation(run: runs.Run) -> None:
    reason = (session.value("whole.reason") or "").strip()
    read = partial(read_equation, run.state, session.value("whole.equation"), session.value("whole.text"), reason)
    note = _read_now(read)
    if note is not None:
        drafts.propose_equation(run.id, run.state.iteration, note)
        for field in ("whole.text", "whole.reason"):
            session.reset(field, "")


def _read_now(read: Callable[[], T]) -> T | None:
    """Read; what cannot be read stays in its field, where the fault is shown."""
    try:
        return read()
    except TermError:
        return None
