"""Data to a problem: open files, read them or a bundled set, and say what would be held out."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from dolq_core.blocks import read_blocks, read_functions, read_second_order, required, unit_fault, units_of
from dolq_core.bundled import bundled, load_bundled
from dolq_core.data import AS_FOUND, Dialect, More, TableError, read_tables, understand
from dolq_core.errors import DataError
from dolq_core.fitting import names_of
from dolq_core.fitting.held_out import split
from dolq_core.fitting.second_order import with_rate_equations, with_rates
from dolq_core.inspection import Inspection, OpenedFiles, inspect_table, open_files
from dolq_core.records import (
    Dataset,
    Preparation,
    Problem,
)
from dolq_core.runs.recent import Recent


def read_problem(
    path: Path,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    description: str = "",
    *,
    files: Sequence[Path] = (),
    how: Dialect = AS_FOUND,
    **more: Unpack[More],
) -> tuple[Problem, tuple[str, ...]]:
    """Read a table from a file; return the problem and what was assumed, in sentences; raise DataError.

    files: further ones with the same columns, each a run. how: what is said of the way they are written.
    more: as for `understand`.
    """
    table = read_tables([path, *files], how)
    reading = understand(table, time, states, run, name=path.stem, **more)
    return Problem(reading.dataset, description), reading.notes


def inspect(
    paths: Sequence[Path],
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    *,
    how: Dialect = AS_FOUND,
    **more: Unpack[More],
) -> Inspection:
    """Return how `read_problem` would understand the files; what stops it is a finding, not an error."""
    try:
        table = read_tables(paths, how)
    except TableError as error:
        return Inspection(paths[0].name, None, error.findings)
    return inspect_table(table, time, states, run, **more)


def find_problem(
    named: str,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    description: str = "",
    *,
    files: Sequence[str] = (),
    how: Dialect = AS_FOUND,
    **more: Unpack[More],
) -> tuple[Problem, tuple[str, ...]]:
    """Return a bundled set by its id, or read a file; a file of that name comes first. Raise DataError.

    The columns of a bundled set have their roles; a preparation may add states to them. A description of one's own
    replaces the bundled one.
    """
    path, given = Path(named), time is not None or bool(states) or run is not None or bool(files)
    said = ("inputs", "weights", "derivatives", "restarting", "side_by_side", "called")
    given = given or any(more.get(what) for what in said)
    if path.exists() or given or named not in {one.id for one in bundled()}:
        others = [Path(one) for one in files]
        return read_problem(path, time, states, run, description, files=others, how=how, **more)
    problem = load_bundled(named, preparation=more.get("preparation", Preparation()))
    return (replace(problem, description=description) if description else problem), ()


def with_second_order(problem: Problem, names: Sequence[str]) -> Problem:
    """Return the problem with second-order laws for some states: their rates become states; raise DataError."""
    dataset = with_rates(problem.dataset, names)
    return replace(problem, dataset=dataset, blocks=with_rate_equations(dataset, problem.blocks))


def with_blocks(problem: Problem, text: str) -> Problem:
    """Return the problem with building blocks for its laws, read from TOML; raise DataError."""
    measured = with_rates(problem.dataset, read_second_order(text))
    dataset = replace(measured, functions=read_functions(text, names_of(measured)))
    blocks = read_blocks(text, names_of(dataset), len(dataset.states))
    if blocks.units and not units_of(dataset).keys() & {variable.symbol for variable in dataset.states}:
        way_out = "Give the columns their units: in the header, as in 'S (g/L)', or on the page Data."
        raise DataError("Building blocks: units cannot be used", "no state has a unit that is known", way_out)
    for own in blocks.equations if blocks.units else ():
        for term in (*required(blocks, own.equation), *own.start):
            if fault := unit_fault(dataset, term):
                reason = f"{term} is asked for, and {fault}"
                raise DataError("Building blocks: units cannot be used", reason, "Take one of the two rules out.")
    return replace(problem, dataset=dataset, blocks=with_rate_equations(dataset, blocks))


def held_from(dataset: Dataset, share: float, whole: Sequence[str] = ()) -> tuple[tuple[float | None, ...], str]:
    """Return per run the time from which it is held out (None: not at all), and the rule in words.

    share: of each run, at its end; whole: runs that are held out from their first sample. Raises DataError.
    """
    parts = split(dataset, share, whole)
    return parts.since, parts.reason.strip()


_opened: Recent[tuple[str, Dialect], OpenedFiles] = Recent(2)  # a large table takes as much memory as its file


def opened(files: Sequence[tuple[str, bytes]], mark: str, how: Dialect = AS_FOUND) -> OpenedFiles:
    """Return what `open_files` makes of the files; mark tells them apart from all others. The last are remembered."""
    found = _opened.get((mark, how))
    if found is None:
        found = open_files(files, how)
        _opened.put((mark, how), found)
    return found
