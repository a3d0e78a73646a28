"""Runs that stand side by side: S run1, S run2, S run3 are columns of one quantity, once for each run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from dolq_core.data.table import Table, at, column_of, free_name
from dolq_core.units import without_unit

_WORDS: Final = (
    "run|rep|repeat|replicate|replica|trial|exp|experiment|batch|series|sample|flask|tube|well|"
    "versuch|lauf|messung|messreihe|durchgang|wiederholung|essai|ensayo|réplica|serie"
)
_SAID: Final = re.compile(rf"(?P<stem>.*?)[\s_.(\[#-]*(?:{_WORDS})[\s_.#-]*(?P<run>\d+|[a-z])[)\]]?", re.IGNORECASE)
_SECOND: Final = re.compile(r"(?P<stem>.*\S) \((?P<run>\d+)\)")  # as the reader tells equal names apart
_COUNTED: Final = re.compile(r"(?P<stem>.*?[^\W\d])[\s_.-]*(?P<run>\d+)")
_NAMELESS: Final = "x"


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Columns that may be runs of the same quantities.

    Attributes:
        columns: for each quantity the names of its columns by run; a run may lack a quantity.
        labels: of the runs, in the order of the file.
        sure: whether the names say so (run, replicate, the same name twice); else they are counted, no more.
    """

    columns: Mapping[str, Mapping[str, str]]
    labels: tuple[str, ...]
    sure: bool


def side_by_side(table: Table) -> SideBySide | None:
    """Return which columns of numbers look like one quantity in several runs; None where none do."""
    own = [name for name, column in table.columns.items() if column.numbers is not None and name != table.parts]
    for found, sure in ((_grouped(own, _SAID), True), (_twice(own), True), (_grouped(own, _COUNTED), False)):
        if found:
            return SideBySide(found, tuple(dict.fromkeys(run for runs in found.values() for run in runs)), sure)
    return None


def _grouped(own: Sequence[str], pattern: re.Pattern[str]) -> dict[str, dict[str, str]]:
    """Return the columns of each quantity by run, where there are at least two; x1 and x2 are names by position."""
    groups: dict[str, dict[str, str]] = {}
    for name in own:
        bare = without_unit(name) if not pattern.fullmatch(name) or pattern is _COUNTED else name
        if found := pattern.fullmatch(bare):
            stem = found["stem"].strip(" _.-") or _NAMELESS
            groups.setdefault(f"{stem}{name[len(bare) :]}", {}).setdefault(found["run"], name)
    several = {stem: runs for stem, runs in groups.items() if len(runs) > 1}
    return {stem: runs for stem, runs in several.items() if pattern is _SAID or stem != _NAMELESS}


def _twice(own: Sequence[str]) -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = {}
    for name in own:
        if (found := _SECOND.fullmatch(name)) and found["stem"] in own:
            groups.setdefault(found["stem"], {"1": found["stem"]})[found["run"]] = name
    return groups


def stacked(table: Table, found: SideBySide) -> Table:
    """Return the table with the runs below each other and a column that names the run of each row.

    Columns that belong to no run, such as the time, are repeated. A row is left out where a run has no value in it.
    """
    members = {name for runs in found.columns.values() for name in runs.values()}
    parts = [_rows(table, found, run) for run in found.labels]
    every = np.concatenate(parts)
    run = free_name("run", [name for name in table.columns if name not in members])
    labels = [label for label, part in zip(found.labels, parts, strict=True) for _ in part]
    columns = {run: column_of(run, np.full(len(every), np.nan), dict(enumerate(labels)))}
    units: dict[str, str] = {}
    for name, column in table.columns.items():
        stem = next((stem for stem, runs in found.columns.items() if name in runs.values()), name)
        if stem in columns:
            continue
        units[stem] = table.units.get(name, "")
        if stem == name and name not in members:
            columns[name] = at(column, every)
            continue
        own = (found.columns[stem].get(label) for label in found.labels)
        values = [
            table.columns[one].values[part] if one else np.full(len(part), np.nan)
            for one, part in zip(own, parts, strict=True)
        ]
        columns[stem] = column_of(stem, np.concatenate(values))
    rows = tuple(table.rows[int(i)] for i in every)
    return replace(table, columns=columns, rows=rows, units={own: unit for own, unit in units.items() if unit})


def _rows(table: Table, found: SideBySide, run: str) -> np.ndarray:
    own = [runs[run] for runs in found.columns.values() if run in runs]
    return np.flatnonzero(np.any([~np.isnan(table.columns[name].values) for name in own], axis=0))
