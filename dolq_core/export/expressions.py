"""Right-hand sides in the syntax of a programming language, every number in full precision."""

import re
import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from dolq_core.export.law import Law, simulated_runs
from dolq_core.fitting.provenance import given_words, prepared_words
from dolq_core.records import EquationFit, Variable
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
        "uses_time": any("t" in variables(term.skeleton) for term in law.terms),
        "used": used_functions(law),
        "quoted": quoted,
        "numbers": numbers,
        "unpacked": unpacked,
        "names": ", ".join(quoted(column.name) for column in law.dataset.states),
    }


def equations(
    law: Law,
    reserved: Collection[str],
    syntax: Syntax,
    sign: str,
    *,
    trailing: bool = False,
    ends: tuple[str, str] = ("", ""),
) -> list[tuple[str, list[str]]]:
    """Return of each equation what it is of and its terms, one a line, with standard errors as comments.

    trailing: a line ends with the sign that joins it to the next, for languages in which it would be complete without.
    ends: what a line of an equation ends with, and what its last one does.
    """
    symbols = identifiers(law.names, reserved)
    found: list[tuple[str, list[str]]] = []
    for fit in law.fits:
        lines = _lines(fit, symbols, syntax, trailing=trailing)
        ended = [line + ends[k + 1 == len(lines)] for k, line in enumerate(lines)]
        errors = [term.std_error for term in fit.terms]
        said = ["" if error is None else f"  {sign} standard error {error:.2g}" for error in errors]
        found.append(
            (one_line(law.rate(fit.equation)), [line + words for line, words in zip(ended, said, strict=True)])
        )
    return found


def _lines(fit: EquationFit, symbols: dict[str, str], syntax: Syntax, *, trailing: bool) -> list[str]:
    """Return coefficient times term, one a line, each with its sign before it or at the end of the line above."""
    lines: list[str] = []
    for term in fit.terms:
        sign, text = "-" if term.coefficient < 0.0 else "+", repr(abs(term.coefficient))
        if term.skeleton != "1":
            text += f" * {to_code(term.skeleton, term.inner, symbols, syntax)}"
        if not lines:
            lines.append(text if sign == "+" else f"-{text}")
        elif trailing:
            lines[-1] += f" {sign}"
            lines.append(text)
        else:
            lines.append(f"{sign} {text}")
    return lines


def followed(law: Law) -> list[dict[str, Any]]:
    """Return the runs that a program follows: with their inputs, or with one zero of each where no term uses them."""
    return [
        {
            "label": run.label,
            "span": (float(run.t[0]), float(run.t[-1])),
            "start": run.start,
            "t": run.driving[0] if law.driven else run.t[:1],
            "inputs": run.driving[1] if law.driven else run.inputs[:1] * 0.0,
        }
        for run in simulated_runs(law)
    ]


def numbers(values: Any, nan: str, between: str) -> str:
    """Return numbers in full precision; what is not known is written `nan`."""
    return between.join(repr(v) if v == v else nan for v in map(float, values))


def unpacked(names: Sequence[str]) -> str:
    """Return the left side of an assignment that takes a vector apart."""
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


REAL = {"sqrt": "real_sqrt", "log": "real_log", "asin": "real_asin", "acos": "real_acos"}
"""Julia's own raise outside their domain, MATLAB's go complex; the app answers NaN, and a solver steps back from it."""


def guards(law: Law) -> set[str]:
    """Return which functions of `REAL`, and `real_power`, a program has to define; others among them have no guard."""
    return {REAL.get(name, name) for name in used_functions(law)}


def used_functions(law: Law) -> set[str]:
    """Return which of our functions occur, `sqrt` and `real_power` among them."""
    marked = Syntax(real_power="real_power")
    written = [to_code(term.skeleton, term.inner, {}, marked) for term in law.terms]
    return set(re.findall(r"(\w+)\(", " ".join(written)))


# --- comments: the run, the variables, the status; no text of a run can end its comment ------------


WIDTH = 100


def lines(text: str) -> list[str]:
    """Return `text` as lines of printable characters: no sign in it ends a line or turns the direction of writing."""
    shown = ["".join(char if char.isprintable() else " " for char in line) for line in text.splitlines()]
    return [part for line in shown for part in textwrap.wrap(line, WIDTH, break_on_hyphens=False)]


def one_line(text: str) -> str:
    """Return `text` as one line of printable characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def comment(sign: str, said: list[str]) -> list[str]:
    """Return the lines as comments that begin with `sign`; an empty one stays a line of its own."""
    return [f"{sign} {line}".rstrip() for line in said]


def about(law: Law, identifiers: dict[str, str]) -> list[str]:
    """Return what the reader of a program should know: which run, the words, each variable, how far to trust it.

    identifiers: what stands for each symbol in the program.
    """
    return [
        *lines(f"{one_line(law.title)}: {law.heading}"),
        *([""] if law.problem.description.strip() else []),
        *lines(law.problem.description),
        "",
        *(line for said in _variables(law, identifiers) for line in lines(said)),
        *(line for said in prepared_words(law.dataset) for line in lines(one_line(said))),
        *lines(one_line(given_words(law.dataset))),
        "",
        *(line for said in law.verdicts for line in lines(one_line(said))),
    ]


def _variables(law: Law, identifiers: dict[str, str]) -> Iterator[str]:
    yield _variable("t", "the time", law.dataset.time)
    for kind, columns in (("the state", law.dataset.states), ("the input", law.dataset.inputs)):
        for column in columns:
            yield _variable(identifiers[column.symbol], kind, column)


def _variable(identifier: str, kind: str, column: Variable) -> str:
    name, unit, meaning = one_line(column.name), one_line(column.unit), one_line(column.meaning)
    called = "" if name == identifier else f" {name!r}"
    return f"{identifier} is {kind}{called}{f' in {unit}' if unit else ''}{f': {meaning}' if meaning else '.'}"
