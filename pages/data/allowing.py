"""What laws may be made of: ticks for functions, degree, kinds of terms, variables and signs; all else as text."""

from dataclasses import replace

import streamlit as st

from dolq_core import runs
from dolq_core.blocks import CALLED, FREE, apart, both, in_words, listed, read_choices, read_signs
from dolq_core.errors import DataError
from dolq_core.fitting import names_of, unmeasured_words
from dolq_core.records import Blocks, Dataset, EquationBlocks, Problem
from dolq_core.views.stated import contradicted
from pages.ui import session, words

DEGREES = (1, 2, 3, 4)
PARTS = {"ratios": "Ratios", "inner": "Fitted numbers inside terms", "time": "Time itself"}


EXAMPLE = """[equations.{0}]
must = ["{0}"]
bounds = {{"{0}" = [-2, 0]}}"""
HELP = (
    "TOML: required terms, fixed or bounded numbers, conserved sums, shared constants, symmetry, limits of states, "
    "hidden states, your own functions, a first hypothesis. See “Building blocks” in the documentation."
)
SECOND_ORDER = (
    "x'' = f(x, x'), as for a position whose speed was not measured. The speed becomes a state, x_dot; under noise "
    "no fit is compared with its values."
)


def blocks(of: str, dataset: Dataset) -> Problem | DataError:
    """Draw the choice of building blocks for the run to come; return the data with them, and with rates asked for.

    The error, told at its place too, where a rule cannot be used: no run begins without a rule that somebody gave.
    """
    with st.expander("Building blocks", icon=":material/tune:"):
        dataset = _with_rates(of, dataset)
        st.caption("Nothing but what is chosen here is fitted, whoever proposes it.")
        ticks = _ticks(of)
        said = _choices(of, dataset)
        equations = [_equation(of, j, dataset) for j in range(len(dataset.states))]
        further = st.text_area(
            "Further rules", key=f"further·{of}", persist_state="session", help=HELP,
            placeholder=EXAMPLE.format(_written(dataset, 0)),
        )  # fmt: skip
        if isinstance(said, DataError):
            return said
        own: list[EquationBlocks] = []
        for one in equations:
            if isinstance(one, DataError):
                return one
            own += [one] if one != EquationBlocks(one.equation) else []
        try:
            made = runs.with_blocks(Problem(dataset, ""), further)
            ticked = replace(ticks, equations=tuple(own), vetoes=said.vetoes, pins=said.pins)
            chosen = both(ticked, made.blocks, names_of(made.dataset))
        except DataError as error:
            return _told(error)
    sentences = [*unmeasured_words(made.dataset), *([] if chosen == FREE else in_words(chosen, names_of(made.dataset)))]
    if told := apart(further, names_of(made.dataset)):
        sentences.append(told)
    if sentences:
        st.caption(words.plain(" ".join(sentences)))
    return replace(made, blocks=chosen)


def doubts(allowed: Problem | DataError) -> None:
    """Say which rules the table contradicts; a run can begin with them all the same."""
    for said in contradicted(allowed) if isinstance(allowed, Problem) else ():
        st.warning(words.plain(f"In “Building blocks”, below: {said}"), icon=":material/warning:")


def _written(dataset: Dataset, j: int) -> str:
    """Return a state as a person would write it in a term: E for a column E, which is E_ in the core."""
    names = names_of(dataset, told=True)
    symbol = names.symbols[j]
    return short if (short := names.short_of[symbol]).isidentifier() else symbol


def hidden(dataset: Dataset) -> str:
    """Return where a hidden state is said and what is typed there, with an example for these data, as Markdown."""
    state, known = _written(dataset, 0), {name.casefold() for name in names_of(dataset).known}
    new = next((name for name in ("z", "w", "q") if name not in known), "hidden_state")
    return (
        f'A hidden state: type `hidden = ["{state}: {state}*{new}"]` into “Further rules”, in “Building blocks”. '
        f"It says that {new}, which was not measured, acts on {words.plain(state)} in this term, with coefficient 1."
    )


def _told(error: DataError) -> DataError:
    """Draw the error under the field that it is about."""
    st.error(words.plain(str(error)), icon=":material/error:")
    return error


def _with_rates(of: str, dataset: Dataset) -> Dataset:
    """Draw the choice; return the data with the rates that are asked for as further states."""
    names = [state.name for state in dataset.states]
    asked = st.pills(
        "Second-order law for", names, selection_mode="multi", key=f"second·{of}·{names}", persist_state="session",
        format_func=words.plain, help=SECOND_ORDER,
    )  # fmt: skip
    try:
        return runs.with_rates(dataset, [name for name in names if name in asked])
    except DataError as error:
        st.warning(words.plain(str(error)), icon=":material/info:")
        return dataset


def _ticks(of: str) -> Blocks:
    """Draw what holds for all equations."""
    session.seed(f"functions·{of}", list(CALLED))
    session.seed(f"parts·{of}", list(PARTS))
    functions = st.pills("Functions", CALLED, selection_mode="multi", key=f"functions·{of}", persist_state="session")
    degree = st.segmented_control(
        "Highest degree of a term", DEGREES, key=f"degree·{of}", persist_state="session",
        help="3 allows x³ and x·y²; none chosen: any.",
    )  # fmt: skip
    kept = st.pills(
        "Also allowed", PARTS, selection_mode="multi", format_func=PARTS.__getitem__, key=f"parts·{of}",
        persist_state="session",
    )  # fmt: skip
    return Blocks(
        None if len(functions) == len(CALLED) else tuple(name for name in CALLED if name in functions),
        degree,
        ratios="ratios" in kept,
        inner="inner" in kept,
        time="time" in kept,
    )


def _choices(of: str, dataset: Dataset) -> Blocks | DataError:
    """Draw the fields for vetoes and pins; the error, told at the place, where one cannot be used."""
    names = names_of(dataset, told=True)
    state = _written(dataset, 0)
    left, right = st.columns(2)
    veto = left.text_input(
        "Vetoes", key=f"vetoes·{of}", persist_state="session", placeholder=f"sin({state}), {state}: {state}**3",
        help="Terms that are never proposed, separated by commas: in every equation, or in the one named before the "
        "colon. Each can be taken back while the run goes on.",
    )  # fmt: skip
    pin = right.text_input(
        "Pins", key=f"pins·{of}", persist_state="session", placeholder=f"{state}: {state}",
        help="Terms of every hypothesis, likewise. A term that nobody may remove is a further rule: must.",
    )  # fmt: skip
    try:
        return read_choices(listed(veto), listed(pin), names, len(dataset.states))
    except DataError as error:
        return _told(error)


def _equation(of: str, j: int, dataset: Dataset) -> EquationBlocks | DataError:
    names = names_of(dataset, told=True)
    columns = (*names.symbols, "t")
    state = words.plain(names.own[j])
    left, right = st.columns([2, 1])
    key = f"variables·{of}·{j}·{columns}"  # other columns are another choice
    session.seed(key, list(columns))
    chosen = left.pills(
        f"Variables in the equation of {state}", columns, selection_mode="multi", key=key, persist_state="session",
        format_func=lambda symbol: words.plain(names.own_of.get(symbol, names.time)),
    )  # fmt: skip
    said = right.text_input(
        "Signs", key=f"signs·{of}·{j}", persist_state="session", placeholder=f"-{_written(dataset, j)}",
        help="Signed terms, separated by commas: -v only lowers.",
    )  # fmt: skip
    variables = None if len(chosen) == len(columns) else tuple(one for one in columns if one in chosen)
    try:
        return EquationBlocks(j, variables, signs=read_signs(said, names))
    except DataError as error:
        return _told(error)
