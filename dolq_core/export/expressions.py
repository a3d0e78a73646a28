"""Right-hand sides in the syntax of a programming language, every number in full precision."""

import re
from collections.abc import Collection

from dolq_core.export.law import Law
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


def used_functions(law: Law) -> set[str]:
    """Return which of our functions occur, `sqrt` and `real_power` among them."""
    written = [to_code(term.skeleton, term.inner, {}, _MARKED) for term in law.terms]
    return set(re.findall(r"(\w+)\(", " ".join(written)))


_MARKED = Syntax(real_power="real_power")


def uses_time(law: Law) -> bool:
    """Whether the time itself stands in a term."""
    return any("t" in variables(term.skeleton) for term in law.terms)
