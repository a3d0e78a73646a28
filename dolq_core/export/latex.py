"""Equations as LaTeX, in the columns' own names, with numbers rounded for people."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from math import floor, log10, sqrt

import numpy as np

from dolq_core.export.expressions import one_line
from dolq_core.export.law import ATTEMPT, Law
from dolq_core.export.templates import render
from dolq_core.records import EquationFit, FittedTerm, Variable
from dolq_core.terms import GREEK, Names, Skeleton, is_sum, latex_name, latex_text, to_latex, to_text

ONE = Skeleton("1")
SMALL = 1e-3
"""Below it a power of ten is written, in equations, in words (`views.amounts`) and in the tables of the pages."""
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Figures of a power of ten, in words and tables."""
SAME = 1e-10
"""Added to the variances, so that coefficients that lean on each other to the last digit have digits as well."""


def left_side(names: Names, equation: int) -> str:
    """Return the time derivative of a state: a dot over one letter, d/dt before anything longer."""
    name = to_latex(Skeleton(names.symbols[equation]), names)
    base, _, index = name.partition("_{")
    if len(base) == 1 or (base.startswith("\\") and base[1:].isalpha()):
        return rf"\dot{{{base}}}" + (f"_{{{index}" if index else "")
    return rf"\tfrac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\,{name}"


def errors_beside(fit: EquationFit) -> list[float | None]:
    """Return the standard error that each coefficient would have were the others known: what digits are worth.

    Coefficients that lean on each other are known far better together than one by one: with each cut to its own error
    the equation that is read would not be the one that was fitted.
    """
    own = [term.std_error for term in fit.terms]
    if len(fit.correlation) != len(own) or None in chain(own, *fit.correlation):
        return own
    leaning = np.diag(np.linalg.inv(np.array(fit.correlation, dtype=float) + SAME * np.eye(len(own))))
    return [error and error / sqrt(max(by, 1.0)) for error, by in zip(own, leaning.tolist(), strict=True)]


MEASURED = 12
"""Digits at most of a number beside its error."""
UNKNOWN = 6
"""Digits at least of a number inside a term whose error is not known."""
PRINTED = 12
"""Digits with which a number that is rounded already is written: as many as any law for reading takes."""


def as_printed(fits: Sequence[EquationFit], least: int = 0) -> tuple[EquationFit, ...]:
    """Return the equations with the numbers that are printed."""
    return tuple(
        replace(
            fit,
            terms=tuple(
                replace(
                    term,
                    coefficient=float(f"{term.coefficient:.{digits_of(term.coefficient, error, least)}g}"),
                    inner=inner_as_read(term, least),
                )
                for term, error in zip(fit.terms, errors_beside(fit), strict=True)
            ),
        )
        for fit in fits
    )


def inner_as_read(term: FittedTerm, least: int = 0) -> tuple[float, ...]:
    """Return the numbers inside a term with the digits that they have for reading."""
    return tuple(float(f"{p:.{k}g}") for p, k in zip(term.inner, _inner_digits(term, least), strict=True))


def _inner_digits(term: FittedTerm, least: int) -> list[int]:
    """Return the digits of each number inside: a phase of many samples takes those that its error leaves."""
    return [digits_of(p, error, max(4 if error else UNKNOWN, least)) for p, error in term.inside]


def in_text(term: FittedTerm, names: Names) -> str:
    """Return a term as plain text, the numbers inside it as they are read."""
    return to_text(term.skeleton, names, inner_as_read(term), PRINTED)


def in_latex(term: FittedTerm, names: Names, least: int = 0) -> str:
    """Return a term as LaTeX, the numbers inside it as they are read."""
    digits = max(4, least, *_inner_digits(term, least))
    return to_latex(term.skeleton, names, inner_as_read(term, least), digits)


def summands(fit: EquationFit, names: Names, least: int = 0) -> list[tuple[str, str]]:
    """Return (sign, coefficient times term) of each term; the sign is "+" or "-"."""
    return [_summand(*each, least) for each in zip(fit.terms, repeat(names), errors_beside(fit))]


def _summand(term: FittedTerm, names: Names, error: float | None, least: int) -> tuple[str, str]:
    sign = "-" if term.coefficient < 0 else "+"
    number = rounded(abs(term.coefficient), error, least)
    if term.skeleton == ONE:
        return sign, number
    body = in_latex(term, names, least)
    body = rf"\left({body}\right)" if is_sum(term.skeleton) else body
    return sign, body if number == "1" else rf"{number}\,{body}"


def right_side(fit: EquationFit, names: Names) -> str:
    """Return the sum of the terms; a question mark where there is none, since then there is no law."""
    return _sum(summands(fit, names)).removeprefix("+ ") or "?"


def _sum(parts: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{sign} {body}" for sign, body in parts)


def equation(fit: EquationFit, names: Names, *, refused: bool = False) -> str:
    """Return the whole equation; refused: it is no law."""
    return f"{left_side(names, fit.equation)} {_equals(refused)} {right_side(fit, names)}"


def _equals(refused: bool) -> str:
    return r"\approx" if refused else "="


def system(
    fits: Sequence[EquationFit],
    names: Names,
    per_line: int | None = None,
    least: int = 0,
    refused: Collection[int] = (),
) -> str:
    """Return all equations, one below the other at their equals signs; with `per_line`, so many terms a line.

    least: digits that every number has at least. refused: the equations that are no law, which say so.
    """
    lines = [
        f"{left_side(names, fit.equation)} &{_equals(fit.equation in refused)} {_broken(fit, names, per_line, least)}"
        + rf"\quad\text{{({ATTEMPT})}}" * (fit.equation in refused)
        for fit in fits
    ]
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _broken(fit: EquationFit, names: Names, per_line: int | None, least: int) -> str:
    parts = summands(fit, names, least)
    size = per_line or max(len(parts), 1)
    lines = [_sum(parts[k : k + size]) for k in range(0, len(parts), size)]
    return " \\\\\n&\\quad ".join(lines).removeprefix("+ ") or "?"


def rounded(value: float, std_error: float | None = None, least: int = 0) -> str:
    """Return `value` with four significant digits, or as many as its standard error leaves, as LaTeX."""
    digits = digits_of(value, std_error, least)
    text = f"{value:.{digits}g}"
    if 0.0 < abs(value) < SMALL:
        text = re.sub(r"\.?0*e", "e", f"{value:.{digits - 1}e}")
    if "e" not in text:
        return text
    mantissa, power = text.split("e")
    return rf"{mantissa}\times 10^{{{int(power)}}}"


def digits_of(value: float, std_error: float | None, least: int = 0) -> int:
    """Return the digits of a number in a law for reading: four, or those that its standard error leaves."""
    digits = 4
    if std_error and value and std_error < abs(value):
        digits = min(6, max(2, len(f"{abs(value) / std_error:.0f}") + 1))
    return max(digits, least)


def borne(value: float, error: float) -> int:
    """Return the digits of a number in a table: to the place of its error's second, twelve at most; else two."""
    if not 0.0 < error < abs(value):
        return 2
    second = floor(log10(float(f"{error:.1e}"))) - 1
    return max(2, min(MEASURED, floor(log10(abs(value))) - second + 1))


def measured(value: float, error: float | None) -> str:
    """Return `value +- error` for a table in plain text, with six digits where no error is known."""
    return f"{value:.6g}" if not error else f"{value:.{borne(value, error)}g} +- {error:.2g}"


# --- a document that compiles as it stands, with pdfLaTeX, XeLaTeX or LuaLaTeX ---------------------


_GREEK = [*GREEK[:17], "varsigma", *GREEK[17:]]
"""Small letters in the order of Unicode."""
PER_LINE = 4
"""Terms in a line of an equation."""


def document(law: Law) -> str:
    """Return the words, the equations, what the symbols stand for, and every coefficient with its error."""
    title = f"{law.title}: {law.heading}"
    paragraphs = [title, *(line for line in law.problem.description.splitlines() if line.strip())]
    columns = [_column(law, k, column) for k, column in enumerate((law.dataset.time, *law.variables))]
    parts = {
        "words": "\n\n".join(map(_text, paragraphs)),
        "system": system(law.fits, law.names, PER_LINE, law.digits, law.refused),
        "variables": " \\\\\n".join(columns),
        "terms": " \\\\\n".join(_terms(law)) or "none & & &",
        "statuses": "\n\n".join(map(_text, law.verdicts)),
    }
    parts["declared"] = _declared("".join(parts.values()))
    return render("document.tex.j2", **parts)


def _text(text: str) -> str:
    return latex_text(one_line(text))


def _column(law: Law, place: int, column: Variable) -> str:
    symbol = latex_name(column.name if place == 0 else law.names.short_of[column.symbol])
    said = f"{column.name}: {column.meaning}" if column.meaning else column.name
    return rf"${symbol}$ & \parbox[t]{{9cm}}{{\raggedright {_text(said)}}} & {_text(column.unit)}"


def _terms(law: Law) -> Iterator[str]:
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        for term in fit.terms:
            body = "1" if term.skeleton == "1" else in_latex(term, law.names)
            state = latex_name(law.names.short_of[column.symbol])
            yield f"${state}$ & ${body}$ & {_measured(term.coefficient, term.std_error)}"
            for k, (value, doubt) in enumerate(term.inside, start=1):
                yield f" & $p_{{{k}}}$ in it & {_measured(value, doubt)}"


def _measured(value: float, error: float | None) -> str:
    """A number and its error, as two cells."""
    if not error:
        return f"${rounded(value)}$ & "
    return (
        f"${rounded(float(f'{value:.{MEASURED}g}'), least=borne(value, error))}$ & ${rounded(float(f'{error:.2g}'))}$"
    )


def _declared(shown: str) -> str:
    """Return what pdfLaTeX puts for letters that its fonts lack: Greek as mathematics, the others as [?]."""
    strange = sorted({char for char in shown if ord(char) > 0x7F})
    if not strange:
        return ""
    lines = [
        r"  \newcommand{\orelse}[3]{\ifcsname u8:\detokenize{#1}\endcsname\else\DeclareUnicodeCharacter{#2}{#3}\fi}"
    ]
    lines += [rf"  \orelse{{{char}}}{{{ord(char):04X}}}{{{_instead(char)}}}" for char in strange]
    return "\n".join(lines) + "\n"


def _instead(char: str) -> str:
    place = ord(char) - 0x3B1
    letter = _GREEK[place] if 0 <= place < len(_GREEK) else ""
    return {"": "[?]", "omicron": "o"}.get(letter, rf"\ensuremath{{\{letter}}}")
