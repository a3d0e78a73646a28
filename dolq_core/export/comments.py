"""The comments of an exported program: the run, the variables, the status. No text of a run can end its comment."""

import textwrap
from collections.abc import Iterator

from dolq_core.export.law import Law
from dolq_core.fitting.provenance import given_words, prepared_words
from dolq_core.records import STANDS, EquationFit, Variable

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


def about(law: Law, identifiers: dict[str, str], *, spelled: str = "") -> list[str]:
    """Return what the reader of a program should know: which run, the words, each variable, how far to trust it.

    identifiers: what stands for each symbol in the program. spelled: a sentence on how the program is run.
    """
    return [
        *lines(f"{one_line(law.title)}: the system that DoLQ found, after iteration {law.iteration}."),
        *([spelled] if spelled else []),
        *([""] if law.problem.description.strip() else []),
        *lines(law.problem.description),
        "",
        *(line for said in _variables(law, identifiers) for line in lines(said)),
        *(line for said in prepared_words(law.dataset) for line in lines(one_line(said))),
        *lines(one_line(given_words(law.dataset))),
        "",
        *(line for said in _statuses(law) for line in lines(said)),
    ]


def with_errors(fit: EquationFit, terms: list[str], sign: str) -> list[str]:
    """Return the lines of an equation, one a term, each with the standard error of its coefficient as a comment."""
    errors = [term.std_error for term in fit.terms]
    said = ["" if error is None else f"  {sign} standard error {error:.2g}" for error in errors]
    return [f"{line}{words}" for line, words in zip(terms, said, strict=True)]


def _variables(law: Law, identifiers: dict[str, str]) -> Iterator[str]:
    yield _variable("t", "the time", law.dataset.time)
    for kind, columns in (("the state", law.dataset.states), ("the input", law.dataset.inputs)):
        for column in columns:
            yield _variable(identifiers[column.symbol], kind, column)


def _variable(identifier: str, kind: str, column: Variable) -> str:
    name, unit, meaning = one_line(column.name), one_line(column.unit), one_line(column.meaning)
    called = "" if name == identifier else f" {name!r}"
    return f"{identifier} is {kind}{called}{f' in {unit}' if unit else ''}{f': {meaning}' if meaning else '.'}"


def _statuses(law: Law) -> Iterator[str]:
    for column, (status, reason) in zip(law.dataset.states, law.statuses, strict=True):
        yield f"Change of {one_line(column.name)}: {STANDS[status]}. {one_line(reason)}".rstrip()
    if law.record:
        yield law.record
