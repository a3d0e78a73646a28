"""CSV tables of a run: the data, every decision on a term, every call of a language model.

A spreadsheet runs a cell that begins like a formula. Texts here are a stranger's (names of columns, reasons, replies):
one that begins so gets an apostrophe before it, the spreadsheets' own sign for text. Numbers stay as they are.
"""

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from math import isfinite
from typing import Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import first_word
from dolq_core.grades import reason_in
from dolq_core.records import Dataset, Entry, Intervention, Iteration, ModelCall, Start, TermKey, Trajectory
from dolq_core.terms import Names, to_text

Cell: TypeAlias = str | float | int | bool | None

FORMULAS: Final = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula, in full-width forms too (OWASP, "CSV Injection")."""


def safe(text: str) -> str:
    """Return `text` so that no spreadsheet runs it."""
    return f"'{text}" if text[:1] in FORMULAS or text.lstrip()[:1] in FORMULAS else text


def written(rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as CSV: numbers in full precision, empty where there is none, texts that are no formulas."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue()


def _cell(value: Cell) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value) if isfinite(value) else ("" if value != value else str(value))
    return safe(value) if isinstance(value, str) else ("" if value is None else str(value))


def data(dataset: Dataset) -> str:
    """Return the samples: run, time, states, inputs, then weights and given derivatives where there are any."""
    rows: list[Sequence[Cell]] = [["run", *columns(dataset)]]
    for number, run in enumerate(dataset.trajectories, 1):
        rows += [[run.label or number, *row] for row in samples(dataset, run)]
    return written(rows)


def columns(dataset: Dataset) -> list[str]:
    """Return the names of the columns of `samples`."""
    given = [one.column for one in (*dataset.weights, *dataset.derivatives)]
    return [v.name for v in dataset.columns] + given


def samples(dataset: Dataset, run: Trajectory, most: int | None = None) -> list[list[float]]:
    """Return the first samples of a run: time, states, inputs, weights and derivatives side by side."""
    places = {state.name: j for j, state in enumerate(dataset.states)}
    parts: list[Floats] = [run.t[:most, None], run.x[:most]] + ([] if run.inputs is None else [run.inputs[:most]])
    for given, values in ((dataset.weights, run.weights), (dataset.derivatives, run.derivatives)):
        parts += [values[:most, [places.get(one.state, 0)]] for one in given if values is not None]
    return np.hstack(parts).tolist()


DECISIONS: Final = (
    "entry", "stands", "iteration", "by", "equation", "what", "decision", "words", "numbers", "error without, refitted",
    "change of error, zeroed", "nats lost without", "strikes", "disputed", "reason",
)  # fmt: skip


def decisions(entries: Sequence[Entry], gone: Collection[int], names: Names) -> str:
    """Return one row per verdict of the machine and per word of a person, in the order of the log.

    gone: the places of the entries that were taken back; they stay in the table and do not stand.
    """
    rows: list[Sequence[Cell]] = [DECISIONS]
    iteration = 0
    for number, entry in enumerate(entries, start=1):
        if isinstance(entry, Iteration):
            iteration = entry.number
            found = _of_machine(entry, names)
        elif isinstance(entry, Start | Intervention):
            said = first_word(entry.problem.blocks) if isinstance(entry, Start) else entry
            found = _of_person(said, names)
        else:
            continue
        rows += [(number, number - 1 not in gone, iteration, *row) for row in found]
    return written(rows)


def _of_machine(done: Iteration, names: Names) -> Iterator[tuple[Cell, ...]]:
    ablations = {one.key: one for one in done.evaluation.ablations}
    for verdict in done.verdicts:
        found = ablations.get(verdict.key)
        yield (
            "machine", *_place(verdict.key, names), verdict.action, verdict.semantic, verdict.evidence,
            found and found.refitted, found and found.zeroed, found and found.nats, verdict.strikes, verdict.conflict,
            reason_in(done, verdict),
        )  # fmt: skip


def _of_person(said: Intervention, names: Names) -> Iterator[tuple[Cell, ...]]:
    for override in said.overrides:
        numbers = override.ablation
        yield (
            said.by, *_place(override.key, names), override.choice, override.semantic, numbers and numbers.grade,
            numbers and numbers.refitted, numbers and numbers.zeroed, numbers and numbers.nats, None, None,
            override.reason,
        )  # fmt: skip
    for place, decision, reason in (*_of_terms(said, names), *_of_words(said)):
        yield (said.by, *place, decision, None, None, None, None, None, None, None, reason or said.reason)


def _of_terms(said: Intervention, names: Names) -> Iterator[tuple[tuple[str, str], str, str]]:
    for decision, notes in (("ban", said.ban), ("pin", said.pin), ("propose", said.propose)):
        for note in notes:
            yield _place(note.key, names), decision, note.reason
    for decision, keys in (("unban", said.unban), ("unpin", said.unpin)):
        for key in keys:
            yield _place(key, names), decision, ""
    for note in said.equations:
        whole = " + ".join(to_text(skeleton, names) for skeleton in note.skeletons)
        yield (names.own[note.equation], whole), "propose equation", note.reason
    for note in said.ban_families:
        yield (names.own[note.key.equation], f"{note.key.kind} {note.key.symbol}".strip()), "ban family", note.reason
    for key in said.unban_families:
        yield (names.own[key.equation], f"{key.kind} {key.symbol}".strip()), "unban family", ""


def _of_words(said: Intervention) -> Iterator[tuple[tuple[str, str], str, str]]:
    for decision, text in (("description", said.description), ("insight", said.insight), ("remark", said.remark)):
        if text is not None:
            yield ("", text), decision, ""
    for note in said.variables:
        yield ("", f"{note.name} [{note.unit}] {note.meaning}".strip()), "column", ""


def _place(key: TermKey, names: Names) -> tuple[str, str]:
    return names.own[key.equation], to_text(key.skeleton, names)


def calls(entries: Sequence[tuple[int, ModelCall]]) -> str:
    """Return one row per attempt to reach a language model, with all that was sent and all that came back.

    entries: (number of the entry in the log, call).
    """
    heads = [field.name for field in fields(ModelCall)]
    return written([["entry", *heads], *([number, *astuple(call)] for number, call in entries)])
