"""A table to a data set: trajectories with checked times, variables with safe symbols and units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypedDict, Unpack

import numpy as np

from dolq_core.arrays import Floats, Ints, frozen
from dolq_core.data.dates import elapsed, is_ambiguous, is_dates, note_elapsed, restarts
from dolq_core.data.extra_roles import derivative_values, input_values, weight_values
from dolq_core.data.findings import Finding, Findings, TableError, counted, refusal
from dolq_core.data.meant import all_meant, both_meant, meant, scaled_meant
from dolq_core.data.preparation import prepare
from dolq_core.data.repeats import averaged, by_time
from dolq_core.data.roles import Roles, guess_roles, is_constant, labels_of_restarts, refuse_text, time_and_run
from dolq_core.data.table import Table, check_range, column_of, find, free_name, numbers_of, rows_at, runs_of
from dolq_core.data.wide import side_by_side, stacked
from dolq_core.records import Dataset, Given, Preparation, Trajectory, Variable
from dolq_core.terms import safe_names
from dolq_core.units import unit_behind, unit_of

MIN_SAMPLES: Final = 5  # the fewest for which any estimate of a derivative has something to average


class More(TypedDict, total=False):
    """What may be said of a table beyond its time, states and runs.

    Attributes:
        inputs: columns that are known functions of time; None leaves them to a guess, as with the derivatives.
        weights: the state that a column weighs, by the column's name; "" for the whole row.
        derivatives: the state that a column is the derivative of, by the column's name.
        preparation: what is done to the columns before they get their roles; they may be derived ones.
        restarting: take every restart of time as a new run.
        averaging: take the rows of a run that share a time as one measurement, repeated, and average them.
        sorting: put the rows of each run in the order of time.
        side_by_side: take columns such as S run1, S run2 as runs of S; the other options then mean the columns S.
        called: what a column is called from here on, by its own name; a name that is not there stays.
    """

    inputs: Sequence[str] | None
    weights: Mapping[str, str] | None
    derivatives: Mapping[str, str] | None
    preparation: Preparation
    restarting: bool
    averaging: bool
    sorting: bool
    side_by_side: bool
    called: Mapping[str, str]


class Said(More, total=False):
    """What may be said of a table: by own names also its time, its states and the column that tells runs apart."""

    time: str | None
    states: Sequence[str] | None
    run: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table was understood; `findings` holds all that was assumed, from the file to the runs."""

    dataset: Dataset
    roles: Roles
    findings: tuple[Finding, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, in plain sentences."""
        return tuple(one.sentence for one in self.findings)


def understand(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    name: str = "",
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    **more: Unpack[More],
) -> Reading:
    """Return the data set of a table, the roles of its columns and everything that was assumed; raise TableError.

    units, meanings: by own name of a column. A unit that is not given is read off the header ("temp (°C)").
    Every column may be named without its unit where no other is called so.
    more: further roles and what is done to columns before; see `More`.
    Runs with fewer than MIN_SAMPLES rows are left out with a note; a state that is constant is kept when it is named.
    """
    if more.get("side_by_side") and (beside := side_by_side(table)):
        table, run = stacked(table, beside), run or "run"
    preparation = scaled_meant(more.get("preparation", Preparation()), table.columns)
    time, run = (name and meant(name, table.columns) for name in (time, run))
    inputs, weights, derivatives = more.get("inputs"), more.get("weights"), more.get("derivatives")
    if preparation != Preparation():  # the time is guessed among the columns of the file
        others = {own for own in (*(inputs or ()), *(weights or ()), *(derivatives or ())) if own in table.columns}
        table = prepare(table, preparation, time_and_run(table, time, run, {time, *others}, Findings())[0])
    states = states and [meant(name, table.columns) for name in states]
    more, time = _meant(more, table), time and meant(time, table.columns)
    units, meanings = (all_meant(said or {}, table.columns) for said in (units, meanings))
    units = {**table.units, **units}
    for own in (*units, *meanings):
        find(table, own)
    table, roles = _enough_for_roles(table, time, states, run, more)
    findings = Findings((*table.findings, *roles.findings))
    t, time_unit = _times(table, roles.time, findings)
    for own in roles.states:
        check_range(table, own, numbers_of(table, own))
    x = np.column_stack([numbers_of(table, own) for own in roles.states])
    runs = runs_of(table, roles.run)
    for label, positions in runs.items():
        back = (np.flatnonzero(np.diff(t[positions]) <= 0) + 1).tolist()
        if back:
            raise _not_increasing(table, roles, t[positions], label, positions, back)
    runs = _long_enough(table, roles, x, runs, findings)
    for own in roles.states:
        if is_constant(table, own, roles.run):
            findings.add("constant-column", "it is constant in every run", "kept as a state", column=own)
    given = (
        input_values(table, roles.inputs, t, runs, findings),
        weight_values(table, roles.weights, roles.states),
        derivative_values(table, roles.derivatives, roles.states),
    )
    called = _called(table, roles, more.get("called", {}))
    variables = _variables(roles, units, meanings, called)
    unit = units.get(roles.time) or time_unit or unit_of(roles.time, time=True)
    told = zip((roles.time, *roles.states, *roles.inputs), (unit, *(one.unit for one in variables)), strict=True)
    _note_units(dict(told), findings)
    dataset = Dataset(
        name=name or table.name,
        time=Variable(called[roles.time], "t", unit, meanings.get(roles.time, "")),
        states=variables[: len(roles.states)],
        trajectories=tuple(_trajectory(t, x, label, positions, given) for label, positions in runs.items()),
        inputs=variables[len(roles.states) :],
        weights=tuple(Given(called[one.column], called.get(one.state, one.state)) for one in roles.weights),
        derivatives=tuple(Given(called[one.column], called.get(one.state, one.state)) for one in roles.derivatives),
        preparation=preparation,
    )
    return Reading(dataset, roles, tuple(findings))


def _meant(more: More, table: Table) -> More:
    """Return what is said beyond time, states and runs by the columns that are meant."""
    found = more.copy()
    if inputs := more.get("inputs"):
        found["inputs"] = [meant(name, table.columns) for name in inputs]
    if weights := more.get("weights"):
        found["weights"] = both_meant(weights, table.columns)
    if derivatives := more.get("derivatives"):
        found["derivatives"] = both_meant(derivatives, table.columns)
    if called := more.get("called"):
        found["called"] = all_meant(called, table.columns)
    return found


def _enough_for_roles(
    table: Table, time: str | None, states: Sequence[str] | None, run: str | None, more: More
) -> tuple[Table, Roles]:
    """Return the table and its roles; of a few rows columns are constant by chance, and the rows are what is said."""
    try:
        return _with_roles(table, time, states, run, more)
    except TableError as error:
        is_short = error.findings[-1].code == "no-numbers" and len(table.rows) < MIN_SAMPLES
        if is_short and sum(column.numbers is not None for column in table.columns.values()) > 1:
            raise _too_few(len(table.rows)) from None
        raise


def _with_roles(
    table: Table, time: str | None, states: Sequence[str] | None, run: str | None, more: More
) -> tuple[Table, Roles]:
    """Return the table, its rows split, sorted or averaged where that is asked for, and the roles of its columns."""
    weights = more.get("weights") or {}
    guess = partial(guess_roles, inputs=more.get("inputs"), derivatives=more.get("derivatives"))
    if more.get("restarting"):
        table = split_at_restarts(table, time or guess(table, None, states, run or "", weights=weights).time)
        run = table.parts
    roles = guess(table, time, states, run, weights=weights)
    if more.get("sorting"):
        table = by_time(table, roles.time, roles.run)
    if more.get("averaging"):
        table, counts = averaged(table, roles.time, roles.run)
        roles = guess(table, roles.time, states, roles.run or "", weights={**weights, **counts})
    return table, roles


def _called(table: Table, roles: Roles, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return what every column is called from here on; raise TableError where two would be called the same."""
    found = {own: " ".join(wanted.get(own, "").split()) or own for own in table.columns}
    used = [roles.time, *roles.states, *roles.inputs]
    names = [found[own] for own in used]
    for own, name in zip(used, names, strict=True):
        if names.count(name) > 1:
            reason = f"another column is called '{name}', too"
            raise refusal("duplicate-name", "", reason, "Give it another name.", column=own)
    return found


def _variables(
    roles: Roles, units: Mapping[str, str], meanings: Mapping[str, str], called: Mapping[str, str]
) -> tuple[Variable, ...]:
    own = (*roles.states, *roles.inputs)
    symbols = safe_names([called[name] for name in own], called[roles.time]).symbols
    return tuple(
        Variable(called[name], symbol, units.get(name, unit_of(name)), meanings.get(name, ""))
        for name, symbol in zip(own, symbols, strict=True)
    )


def _note_units(units: Mapping[str, str], findings: Findings) -> None:
    """Note the units that were read off the end of a column's name without brackets."""
    for own, unit in units.items():
        if unit and unit_behind(own) and unit == unit_of(own):
            assumed = f"'{unit}' was taken as its unit"
            hint = "Give it another unit, or none, if that is wrong."
            findings.add("name-unit", "its name ends with a unit", assumed, hint, column=own)


def _trajectory(
    t: Floats, x: Floats, label: str, positions: Ints, beside: tuple[Floats | None, Floats | None, Floats | None]
) -> Trajectory:
    whole = len(positions) == len(t)  # one run: no second copy of a long table
    rows = slice(None) if whole else positions
    inputs, weights, derivatives = (None if part is None else frozen(part[rows]) for part in beside)
    if whole:
        x.setflags(write=False)
    return Trajectory(frozen(t[rows]), x if whole else frozen(x[rows]), inputs, label, weights, derivatives)


def _times(table: Table, name: str, findings: Findings) -> tuple[Floats, str]:
    """Return the times and, where they were dates, their unit."""
    column, unit = find(table, name), ""
    if is_dates(column):
        t, unit = elapsed(column)
        note_elapsed(table, column, t, unit, findings)
    else:
        t = _numbers(table, name)
    missing = np.flatnonzero(np.isnan(t))
    if missing.size:
        hint = "Fill it in, or remove the row."
        raise refusal("missing-cell", "", "the time is missing", hint, rows_at(table, missing), name)
    check_range(table, name, t)
    return t, unit


def _numbers(table: Table, time: str) -> Floats:
    """Return the times as numbers; raise TableError, which says of dates that they read two ways."""
    if is_ambiguous(find(table, time)):
        refuse_text(table, [time])
    return numbers_of(table, time)


def split_at_restarts(table: Table, time: str) -> Table:
    """Return the table with a column that counts the restarts of time, from 1."""
    column = find(table, time)
    t = elapsed(column)[0] if is_dates(column) else _numbers(table, time)
    starts = np.zeros(len(t))
    starts[restarts(t)] = 1.0
    name = free_name("part", table.columns)
    return replace(table, columns={**table.columns, name: column_of(name, 1.0 + np.cumsum(starts))}, parts=name)


def _not_increasing(
    table: Table, roles: Roles, t: Floats, label: str, positions: Ints, back: Sequence[int]
) -> TableError:
    rows = rows_at(table, positions[list(back)])
    where = f" (run '{label}')" if roles.run else ""
    more = f" ({counted(len(rows) - 1, 'more row')} like it)" if len(rows) > 1 else ""
    reason = f"time {t[back[0]]} follows {t[back[0] - 1]}{where}, but time must increase inside a run{more}"
    if back == restarts(t):
        free = {roles.time, roles.run, *(one.column for one in (*roles.weights, *roles.derivatives))}
        labels = next(labels_of_restarts(table, t, roles.time, free), None) if not roles.run else None
        which = f"'{labels}', which changes there, as its label" if labels else "a column that tells runs apart"
        hint = f"If a new run begins there, say so, or name {which}."
        return refusal("time-restart", "", f"time starts again: {reason}", hint, rows)
    if np.all(np.diff(t) >= 0.0):
        hint = "If measurements were repeated, have them averaged; else remove the row, or name a column of runs."
        return refusal("time-repeat", "", reason, hint, rows)
    return refusal("time-not-increasing", "", reason, _out_of_order(len(rows), has_runs=bool(roles.run)), rows)


def _out_of_order(rows: int, *, has_runs: bool) -> str:
    named = "" if has_runs else ", or name a column that tells runs apart"
    if rows > 1:
        return f"If only the order of the rows is wrong, have them sorted by time; else remove them{named}."
    return f"Remove the row{named}. If only its place is wrong, have the rows sorted by time."


def _too_few(rows: int, *, has_runs: bool = False) -> TableError:
    what = "its longest run has" if has_runs else "it has"
    reason = f"{what} {counted(rows, 'row')}, but at least {MIN_SAMPLES} are needed"
    return refusal("too-few-points", "The table", reason, "Measure more often.")


def _long_enough(
    table: Table, roles: Roles, x: Floats, runs: Mapping[str, Ints], findings: Findings
) -> dict[str, Ints]:
    """Return the runs of at least MIN_SAMPLES rows; refuse a table without any, or with too few values of a state."""
    long = {label: positions for label, positions in runs.items() if len(positions) >= MIN_SAMPLES}
    if not long:
        raise _too_few(max(map(len, runs.values())), has_runs=bool(roles.run))
    for j, own in enumerate(roles.states):
        most = max(int((~np.isnan(x[positions, j])).sum()) for positions in long.values())
        if most < MIN_SAMPLES:
            reason = f"no run has more than {most} values of it, but at least {MIN_SAMPLES} are needed"
            hint = "Fill in the gaps, or name the states without it."
            raise refusal("too-few-points", "", reason, hint, column=own)
    short = [label for label in runs if label not in long]
    if short:
        found = f"runs with fewer than {MIN_SAMPLES} rows: {', '.join(short)}"
        rows = sorted(row for label in short for row in rows_at(table, runs[label]))
        findings.add("too-few-points", found, "left out", "Measure more often.", rows, severity="left out")
    return long
