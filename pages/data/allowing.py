"""What laws may be made of, as ticks: functions, degree and kinds of terms; variables and signs by equation."""

from collections.abc import Sequence

import streamlit as st

from dolq_core.blocks import CALLED, FREE, in_words, read_signs
from dolq_core.errors import DataError
from dolq_core.fitting import names_of
from dolq_core.records import Blocks, Dataset, EquationBlocks
from pages.ui import words

DEGREES = (1, 2, 3, 4)
PARTS = {"ratios": "Ratios", "inner": "Fitted numbers inside terms", "time": "Time itself"}


def blocks(of: str, dataset: Dataset) -> Blocks:
    """Draw the choice of building blocks for the run to come; return it, and say what cannot be used."""
    with st.expander("What laws may be made of", icon=":material/tune:"):
        st.caption("What is not allowed is never fitted, whoever proposes it.")
        functions = st.pills(
            "Functions", CALLED, default=CALLED, selection_mode="multi", key=f"functions·{of}", persist_state="session"
        )
        degree = st.segmented_control(
            "Highest degree of a term", DEGREES, key=f"degree·{of}", persist_state="session",
            help="3 lets in x³ and x·y². None chosen: any.",
        )  # fmt: skip
        kept = st.pills(
            "Also allowed", PARTS, default=list(PARTS), selection_mode="multi", format_func=PARTS.__getitem__,
            key=f"parts·{of}", persist_state="session",
        )  # fmt: skip
        equations = [_equation(of, j, dataset) for j in range(len(dataset.states))]
    chosen = Blocks(
        None if len(functions) == len(CALLED) else tuple(name for name in CALLED if name in functions),
        degree,
        ratios="ratios" in kept,
        inner="inner" in kept,
        time="time" in kept,
        equations=tuple(own for own in equations if own != EquationBlocks(own.equation)),
    )
    if chosen != FREE:
        st.caption(words.plain(" ".join(in_words(chosen, names_of(dataset)))))
    return chosen


def _equation(of: str, j: int, dataset: Dataset) -> EquationBlocks:
    names = names_of(dataset)
    columns = (*names.symbols, "t")
    state = words.plain(names.own[j])
    left, right = st.columns([2, 1])
    chosen = left.pills(
        f"Variables in the equation of {state}", columns, default=columns, selection_mode="multi",
        key=f"variables·{of}·{j}·{columns}", persist_state="session",  # other columns are another choice
        format_func=lambda symbol: words.plain(names.own_of.get(symbol, names.time)),
    )  # fmt: skip
    said = right.text_input(
        "Signs", key=f"signs·{of}·{j}", persist_state="session", placeholder=f"-{names.symbols[j]}",
        help="Terms with their sign, commas between them: -v for one that only lowers.",
    )  # fmt: skip
    variables = None if len(chosen) == len(columns) else tuple(_in_order(chosen, columns))
    try:
        return EquationBlocks(j, variables, signs=read_signs(said, names))
    except DataError as error:
        right.error(words.plain(str(error)), icon=":material/error:")
        return EquationBlocks(j, variables)


def _in_order(chosen: Sequence[str], columns: Sequence[str]) -> list[str]:
    return [column for column in columns if column in chosen]
