"""The words of a run as they changed: description, meanings and units, insight, remark; by whom, from when on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from dolq_core.records import Entry, Intervention, Iteration, Problem, Start, Variable, VariableNote

Subject: TypeAlias = Literal["description", "columns", "insight", "remark"]
Mark: TypeAlias = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text in a comparison."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Version:
    """One wording of a subject.

    Attributes:
        number: from 1; text: the whole wording; by: "you" or "the Scientist".
        since: the first iteration that it guides (an insight of the Scientist is made in the one before).
        pieces: what changed against the version before, word by word; empty for the first.
    """

    number: int
    text: str
    by: str
    since: int
    pieces: tuple[Piece, ...] = ()


def versions(entries: Sequence[Entry], subject: Subject) -> tuple[Version, ...]:
    """Return every wording of a subject in a log without what was taken back, the oldest first."""
    found: list[Version] = []
    for text, by, since in _wordings(entries, subject):
        if not found or text != found[-1].text:
            pieces = differences(found[-1].text, text) if found else ()
            found.append(Version(len(found) + 1, text, by, since, pieces))
    return tuple(found)


def differences(before: str, after: str) -> tuple[Piece, ...]:
    """Return what was removed and added from one text to the other, word by word (`difflib`)."""
    old, new = before.split(), after.split()
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", " ".join(old[i1:i2])))
            continue
        if i2 > i1:
            pieces.append(Piece("removed", " ".join(old[i1:i2])))
        if j2 > j1:
            pieces.append(Piece("added", " ".join(new[j1:j2])))
    return tuple(pieces)


def _wordings(entries: Sequence[Entry], subject: Subject) -> Iterator[tuple[str, str, int]]:
    notes: dict[str, VariableNote] = {}
    problem: Problem | None = None
    iteration = 0
    for entry in entries:
        match entry:
            case Start():
                problem = entry.problem
                first = {"description": problem.description, "columns": columns_text(problem, notes)}.get(subject)
                if first is not None:
                    yield first, "you", 1
            case Iteration():
                iteration = entry.number
                if subject == "insight" and entry.evaluation.review.insight:
                    yield entry.evaluation.review.insight, "the Scientist", iteration + 1
            case Intervention():
                notes |= {note.name: note for note in entry.variables}
                text = columns_text(problem, notes) if subject == "columns" and problem else _said(entry, subject)
                if text is not None:
                    yield text, "you", iteration + 1
            case _:
                pass


def _said(entry: Intervention, subject: Subject) -> str | None:
    return {"description": entry.description, "insight": entry.insight, "remark": entry.remark}.get(subject)


def columns_text(problem: Problem, notes: dict[str, VariableNote]) -> str:
    """Return a line per column: name, unit in brackets, meaning."""
    data = problem.dataset
    return "\n".join(_line(variable, notes.get(variable.name)) for variable in (data.time, *data.states, *data.inputs))


def _line(variable: Variable, note: VariableNote | None) -> str:
    unit, meaning = (variable.unit, variable.meaning) if note is None else (note.unit, note.meaning)
    bracket = f" [{unit}]" if unit else ""
    return f"{variable.name}{bracket}: {meaning or 'no meaning given'};"
