"""Right-hand sides in the syntax of a programming language, every number in full precision."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from dolq_core.export.comments import about, comment, one_line, with_errors
from dolq_core.export.law import Law, LawRun, simulated_runs
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, Syntax, to_code, variables

LONGEST = 60
"""Characters of a name; MATLAB knows 63."""


def identifiers(names: Names, reserved: Collection[str]) -> dict[str, str]:
    """Return what stands for each symbol in a program: itself, or something like it where the language has the word."""
    taken = {"t", *reserved}
    found: dict[str, str] = {}
    for symbol in sorted(names.symbols, key=lambda s: len(s) > LONGEST or s in taken):  # others keep their names
        found[symbol] = _free(symbol, taken)
        taken.add(found[symbol])
    return found


def _free(symbol: str, taken: Collection[str]) -> str:
    short, number = symbol[:LONGEST], 2
    free = short if len(symbol) <= LONGEST and short not in taken else f"{short[: LONGEST - 1].rstrip('_')}_"
    while free in taken:
        free, number = f"{short[: LONGEST - 4].rstrip('_')}_{number}", number + 1
    return free


def program_parts(law: Law, reserved: Collection[str], sign: str, quoted: Callable[[str], str]) -> dict[str, Any]:
    """Return what the template of every program is filled in with; `sign` begins a comment."""
    symbols = identifiers(law.names, reserved)
    return {
        "law": law,
        "about": comment(sign, about(law, symbols)),
        "states": [symbols[column.symbol] for column in law.dataset.states],
        "inputs": [symbols[column.symbol] for column in law.dataset.inputs],
        "uses_time": uses_time(law),
        "used": used_functions(law),
        "quoted": quoted,
        "names": ", ".join(quoted(column.name) for column in law.dataset.states),
    }


def equations(
    law: Law, reserved: Collection[str], syntax: Syntax, sign: str, written: "Written", end: tuple[str, str] = ("", "")
) -> list[tuple[str, list[str]]]:
    """Return of each equation the state's name and its terms, one a line, with standard errors as comments.

    end: what every line but the last of an equation ends with, and what the last does.
    """
    symbols = identifiers(law.names, reserved)
    found: list[tuple[str, list[str]]] = []
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        lines = written(fit, symbols, syntax)
        ended = [line + end[0] for line in lines[:-1]] + [line + end[1] for line in lines[-1:]]
        found.append((one_line(column.name), with_errors(fit, ended, sign)))
    return found


def followed(law: Law) -> list[dict[str, Any]]:
    """Return the runs that a program follows: with their inputs, or with one zero of each where no term uses them."""
    return [_followed(run, slice(None) if law.driven else slice(1), float(law.driven)) for run in simulated_runs(law)]


def _followed(run: LawRun, some: slice, factor: float) -> dict[str, Any]:
    inputs = run.inputs[some] * factor if not factor else run.inputs
    span = float(run.t[0]), float(run.t[-1])
    return {"label": run.label, "span": span, "start": run.start, "t": run.t[some], "inputs": inputs}


def numbers(values: Any, nan: str, between: str) -> str:
    """Return numbers in full precision; what is not known is written `nan`."""
    return between.join(repr(v) if v == v else nan for v in map(float, values))


def unpacked(names: Sequence[str]) -> str:
    """Return the left side of an assignment that takes a vector apart."""
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def summands(fit: EquationFit, symbols: dict[str, str], syntax: Syntax) -> list[tuple[str, str]]:
    """Return (sign, coefficient times term) for every term; the sign is "+" or "-"."""
    return [_summand(term, symbols, syntax) for term in fit.terms]


def added(fit: EquationFit, symbols: dict[str, str], syntax: Syntax) -> list[str]:
    """Return the terms one a line, each with its sign before it, as a sum in brackets can hold them."""
    parts = summands(fit, symbols, syntax)
    first = [f"-{text}" if sign == "-" else text for sign, text in parts[:1]]
    return [*first, *(f"{sign} {text}" for sign, text in parts[1:])]


def trailing(fit: EquationFit, symbols: dict[str, str], syntax: Syntax) -> list[str]:
    """Return the same where a line must end with the sign that joins it to the next: it would be complete without."""
    parts = summands(fit, symbols, syntax)
    first = [f"-{text}" if sign == "-" else text for sign, text in parts[:1]]
    joints = [f" {sign}" for sign, _ in parts[1:]] + [""]
    return [text + joint for text, joint in zip((*first, *(text for _, text in parts[1:])), joints, strict=False)]


def _summand(term: FittedTerm, symbols: dict[str, str], syntax: Syntax) -> tuple[str, str]:
    sign = "-" if term.coefficient < 0.0 else "+"
    number = repr(abs(term.coefficient))
    if term.skeleton == "1":
        return sign, number
    return sign, f"{number} * {to_code(term.skeleton, term.inner, symbols, syntax)}"


Written = Callable[[EquationFit, dict[str, str], Syntax], list[str]]


def used_functions(law: Law) -> set[str]:
    """Return which of our functions occur, `sqrt` and `real_power` among them."""
    written = [to_code(term.skeleton, term.inner, {}, _MARKED) for term in law.terms]
    return set(re.findall(r"(\w+)\(", " ".join(written)))


_MARKED = Syntax(real_power="real_power")


def uses_time(law: Law) -> bool:
    """Whether the time itself stands in a term."""
    return any("t" in variables(term.skeleton) for term in law.terms)
