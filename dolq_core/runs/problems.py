"""Data to a problem: open files, read them or a bundled set, and say what would be held out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, Unpack

from dolq_core.blocks import (
    agree,
    blocks_of,
    both,
    own_of,
    read_blocks,
    read_choices,
    read_functions,
    read_hidden,
    read_second_order,
    required,
    unit_fault,
    units_of,
)
from dolq_core.bundled import bundled, load_bundled
from dolq_core.data import (
    AS_FOUND,
    Dialect,
    Said,
    Table,
    TableError,
    all_meant,
    meant,
    none_meant,
    read_tables,
    understand,
)
from dolq_core.errors import DataError, nearest
from dolq_core.fitting import names_of
from dolq_core.fitting.held_out import split
from dolq_core.fitting.unmeasured import with_hidden, with_rates, with_unmeasured_equations
from dolq_core.inspection import Inspection, OpenedFiles, inspect_table, open_files, short_names
from dolq_core.records import Dataset, Preparation, Problem, Variable
from dolq_core.runs.recent import Recent
from dolq_core.units import unit_behind

Source: TypeAlias = Path | tuple[str, bytes]
"""A file, or a name with what it holds."""
TABLES = frozenset(".csv .tsv .tab .txt .dat .gz .bz2 .xz .xlsx .xls .ods .parquet".split())
"""What the names of tables end with: another file is none that a person can mean."""
_OF_ROWS = ("restarting", "averaging", "sorting", "side_by_side", "called")


def inspect(paths: Sequence[Path], *, how: Dialect = AS_FOUND, **said: Unpack[Said]) -> Inspection:
    """Return how `find_problem` would understand the files; what stops it is a finding, not an error."""
    try:
        table = read_tables(paths, how)
    except TableError as error:
        return Inspection(paths[0].name, None, error.findings)
    return inspect_table(table, **_called(table, said))


def _called(table: Table, said: Said) -> Said:
    """Return what is said of a table, its columns called without the units behind their names, as on the page Data."""
    short = {own: name for own, name in short_names(table).items() if unit_behind(own)}
    return {**said, "called": {**short, **all_meant(said.get("called") or {}, table.columns)}}


def find_problem(
    named: str | tuple[str, bytes],
    description: str = "",
    *,
    files: Sequence[str | tuple[str, bytes]] = (),
    how: Dialect = AS_FOUND,
    **said: Unpack[Said],
) -> tuple[Problem, tuple[str, ...]]:
    """Return a bundled set by its id, or a file's table, and what was assumed, in sentences; raise DataError.

    A file of that name comes first. The columns of a bundled set have their roles; a preparation may add states to
    them. A description of one's own replaces the bundled one.

    files: further ones with the same columns, each a run. how: what is said of the way they are written.
    """
    given = bool(files) or said.get("time") is not None or said.get("run") is not None
    given = given or any(said.get(what) for what in ("states", "inputs", "weights", "derivatives", *_OF_ROWS))
    if not isinstance(named, str) or Path(named).exists() or given or named not in {one.id for one in bundled()}:
        first, *others = map(_source, (named, *files))
        for one in (first, *others):
            _look_for(one)
        name = first.stem if isinstance(first, Path) else first[0]
        table = read_tables([first, *others], how)
        reading = understand(table, name=name, **_called(table, said))
        return Problem(reading.dataset, description), reading.notes
    problem = load_bundled(named, preparation=said.get("preparation", Preparation()))
    return (replace(problem, description=description) if description else problem), ()


def _source(named: str | tuple[str, bytes]) -> Source:
    return Path(named) if isinstance(named, str) else named


def _look_for(source: Source) -> None:
    """Raise DataError for a file that is not there, with the one that may be meant."""
    if not isinstance(source, Path) or source.exists():
        return
    inside = source.parent.iterdir() if source.parent.is_dir() else ()
    tables = {one.name: str(one) for one in inside if one.suffix.lower() in TABLES and one.is_file()}
    sets = {one.id: one.id for one in bundled()}
    near = nearest(source.name, [*tables, *sets])
    way_out = f"Did you mean '{(tables | sets)[near]}'?" if near else "Check its name and place."
    raise DataError(f"The file '{source}'", "there is none of this name", way_out)


def with_words(problem: Problem, units: Mapping[str, str], meanings: Mapping[str, str]) -> Problem:
    """Return the problem with units and meanings of columns, by their names; raise DataError."""
    dataset = problem.dataset
    known = [one.name for one in dataset.columns]
    units, meanings = all_meant(units, known), all_meant(meanings, known)
    if unknown := next((name for name in (*units, *meanings) if name not in known), None):
        raise DataError(f"Column {unknown!r}", "there is no such column", none_meant(unknown, known))

    def told(one: Variable) -> Variable:
        return replace(one, unit=units.get(one.name, one.unit), meaning=meanings.get(one.name, one.meaning))

    states, inputs = (tuple(map(told, own)) for own in (dataset.states, dataset.inputs))
    return replace(problem, dataset=replace(dataset, time=told(dataset.time), states=states, inputs=inputs))


def with_library(problem: Problem, text: str) -> Problem:
    """Return the problem with the terms that its laws are made of, one a line, `x: x*y` or `x*y`; raise DataError."""
    states = [one.name for one in problem.dataset.states]
    terms: dict[str, list[str]] = {name: [] for name in states}
    for line in (one.partition("#")[0].strip() for one in text.splitlines()):
        before, _, term = line.rpartition(":")
        name = meant(before.strip(), states)
        if line and name and name not in terms:
            reason = f"it names the equation of {name!r}"
            raise DataError(f"The library's line {line!r}", reason, f"The states are {', '.join(states)}.")
        for own in ([name] if name else states) if line else ():
            terms[own].append(term.strip())
    if empty := next((name for name, own in terms.items() if not own), None):
        raise DataError("The library", f"it has no term for the equation of {empty!r}", "Write a term on a line.")
    said = {"equations": {name: {"terms": own} for name, own in terms.items()}}
    library = blocks_of(said, names_of(problem.dataset, told=True), len(states))
    pinned = [[term for j, term in problem.blocks.pins if j == equation] for equation in range(len(states))]
    equations = tuple(
        replace(
            own_of(problem.blocks, one.equation),
            terms=(*(one.terms or ()), *required(problem.blocks, one.equation), *pinned[one.equation]),
        )
        for one in library.equations
    )
    return replace(problem, blocks=replace(problem.blocks, equations=equations))


def with_choices(problem: Problem, vetoes: Sequence[str], pins: Sequence[str]) -> Problem:
    """Return the problem with vetoes and pins as `read_choices` takes them; raise DataError."""
    names = names_of(problem.dataset, told=True)
    said = read_choices(vetoes, pins, names, len(problem.dataset.states))
    return replace(problem, blocks=both(said, problem.blocks, names))


def with_second_order(problem: Problem, names: Sequence[str], hidden: Sequence[str] = ()) -> Problem:
    """Return the problem with the rates of some states as states, and with hidden states, 'STATE: TERM'.

    Raises DataError.
    """
    dataset = with_hidden(_with_rates(problem.dataset, names), hidden)
    return replace(problem, dataset=dataset, blocks=with_unmeasured_equations(dataset, problem.blocks))


def _with_rates(dataset: Dataset, names: Sequence[str]) -> Dataset:
    known = [one.name for one in dataset.states]
    return with_rates(dataset, [meant(name, known) for name in names])


def with_blocks(problem: Problem, text: str) -> Problem:
    """Return the problem with building blocks for its laws, read from TOML; raise DataError."""
    measured = with_hidden(_with_rates(problem.dataset, read_second_order(text)), read_hidden(text))
    dataset = replace(measured, functions=read_functions(text, names_of(measured)))
    blocks = read_blocks(text, names_of(dataset, told=True), len(dataset.states))
    if blocks.units and not units_of(dataset).keys() & {variable.symbol for variable in dataset.states}:
        way_out = "Give the columns their units: in the header, as in 'S (g/L)', or on the page Data."
        raise DataError("Building blocks: units cannot be used", "no state has a unit that is known", way_out)
    for own in blocks.equations if blocks.units else ():
        for term in (*required(blocks, own.equation), *own.start):
            if fault := unit_fault(dataset, term):
                reason = f"{term} is asked for, and {fault}"
                raise DataError("Building blocks: units cannot be used", reason, "Take one of the two rules out.")
    blocks = with_unmeasured_equations(dataset, blocks)
    agree(blocks, names_of(dataset))
    return replace(problem, dataset=dataset, blocks=blocks)


def held_from(dataset: Dataset, share: float, whole: Sequence[str] = ()) -> tuple[tuple[float | None, ...], str]:
    """Return per run the time from which it is held out (None: not at all), and the rule in words.

    share: of each run, at its end; whole: runs that are held out from their first sample. Raises DataError.
    """
    parts = split(dataset, share, whole)
    return parts.since, parts.reason.strip()


_opened: Recent[tuple[str, Dialect], OpenedFiles] = Recent(2)  # a large table takes as much memory as its file


def opened(files: Sequence[tuple[str, bytes]], mark: str, how: Dialect = AS_FOUND) -> OpenedFiles:
    """Return what `open_files` makes of the files; mark tells them apart from all others. The last are remembered."""
    return _opened.once((mark, how), lambda: open_files(files, how))
