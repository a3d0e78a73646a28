"""Equations as LaTeX, in the columns' own names, with numbers rounded for people."""

from collections.abc import Sequence
from dataclasses import replace

from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, Skeleton, is_sum, to_latex

ONE = Skeleton("1")


def left_side(names: Names, equation: int) -> str:
    """Return the time derivative of a state: a dot over one letter, d/dt before anything longer."""
    name = to_latex(Skeleton(names.symbols[equation]), names)
    base, _, index = name.partition("_{")
    if len(base) == 1 or (base.startswith("\\") and base[1:].isalpha()):
        return rf"\dot{{{base}}}" + (f"_{{{index}" if index else "")
    return rf"\tfrac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\,{name}"


def term_part(term: FittedTerm, names: Names) -> tuple[str, str]:
    """Return (sign, coefficient times term) of one summand; the sign is "+" or "-"."""
    sign = "-" if term.coefficient < 0 else "+"
    number = rounded(abs(term.coefficient), term.std_error)
    if term.skeleton == ONE:
        return sign, number
    body = to_latex(term.skeleton, names, tuple(float(f"{p:.4g}") for p in term.inner))
    body = rf"\left({body}\right)" if is_sum(term.skeleton) else body
    return sign, body if number == "1" else rf"{number}\,{body}"


def right_side(fit: EquationFit, names: Names) -> str:
    """Return the sum of the terms, or 0 when there is none."""
    parts = [term_part(term, names) for term in fit.terms]
    said = " ".join(f"{sign} {body}" for sign, body in parts)
    return said.removeprefix("+ ") or "0"


def equation(fit: EquationFit, names: Names) -> str:
    """Return the whole equation."""
    return f"{left_side(names, fit.equation)} = {right_side(fit, names)}"


def system(fits: Sequence[EquationFit], names: Names, per_line: int | None = None) -> str:
    """Return all equations, one below the other at their equals signs; with `per_line`, so many terms a line."""
    lines = [f"{left_side(names, fit.equation)} &= {_broken(fit, names, per_line)}" for fit in fits]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _broken(fit: EquationFit, names: Names, per_line: int | None) -> str:
    size = per_line or max(len(fit.terms), 1)
    parts = [replace(fit, terms=fit.terms[k : k + size]) for k in range(0, max(len(fit.terms), 1), size)]
    first, *rest = [right_side(part, names) for part in parts]
    return " \\\\\n&\\quad ".join([first, *(line if line.startswith("- ") else f"+ {line}" for line in rest)])


def rounded(value: float, std_error: float | None = None) -> str:
    """Return `value` with four significant digits, or as many as its standard error leaves, as LaTeX."""
    digits = 4
    if std_error and value and std_error < abs(value):
        digits = min(6, max(2, len(f"{abs(value) / std_error:.0f}") + 1))
    text = f"{value:.{digits}g}"
    if "e" not in text:
        return text
    mantissa, power = text.split("e")
    return rf"{mantissa}\times 10^{{{int(power)}}}"
