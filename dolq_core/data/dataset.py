"""A table to a data set: trajectories with checked times, variables with safe symbols and units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Unpack

import numpy as np

from dolq_core.arrays import Floats, Ints, frozen
from dolq_core.data.clock import is_moments, restarts, times_of
from dolq_core.data.columns import Column, Table, cell, column_of, rows_at
from dolq_core.data.findings import Finding, Said, TableError, counted, refusal, sentence
from dolq_core.data.given import GivenRoles, Known, derivative_values, input_values, weight_values
from dolq_core.data.lookup import find, groups, numbers_of
from dolq_core.data.naming import free_name
from dolq_core.data.preparation import prepare, say_moments
from dolq_core.data.roles import Roles, constant, guess_roles, time_of
from dolq_core.data.words import unit_of
from dolq_core.records import Dataset, Preparation, Trajectory, Variable
from dolq_core.terms import safe_names

MIN_SAMPLES: Final = 5  # the fewest for which any estimate of a derivative has something to average


class More(GivenRoles, total=False):
    """What may be said of a table beyond its time, states and runs.

    Attributes:
        inputs, weights, derivatives: as for `guess_roles`.
        preparation: what is done to the columns before they get their roles; they may be derived ones.
        restarting: take every restart of time as a new run.
    """

    preparation: Preparation
    restarting: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table was understood; `findings` holds all that was assumed, from the file to the runs."""

    dataset: Dataset
    roles: Roles
    findings: tuple[Finding, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, in plain sentences."""
        return tuple(map(sentence, self.findings))


def to_dataset(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    name: str = "",
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    **more: Unpack[More],
) -> Dataset:
    """Return the data set of a table, with guessed roles where none is named; raise DataError."""
    return understand(table, time, states, run, name, units, meanings, **more).dataset


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
    """Return the data set together with the roles of its columns and everything that was assumed.

    units, meanings: by own name of a column. A unit that is not given is read off the header ("temp (°C)").
    more: further roles and what is done to columns before; see `More`.
    Runs with fewer than MIN_SAMPLES rows are left out with a note; a state that is constant is kept when it is named.
    """
    preparation = more.get("preparation", Preparation())
    table = _prepared(table, preparation, time, run, more)
    units, meanings = {**table.units, **(units or {})}, meanings or {}
    for own in (*units, *meanings):
        find(table, own)
    given = _roles_of(more)
    if more.get("restarting"):
        table, run = split_at_restarts(table, time or guess_roles(table, None, states, run or "", **given).time)
    roles = guess_roles(table, time, states, run, **given)
    said = Said([*table.findings, *roles.findings])
    t, clock = _times(table, roles.time, said)
    measured = [numbers_of(table, own) for own in roles.states]
    _check_finite(table, roles, t, measured)
    x = np.column_stack(measured)
    runs = groups(table, roles.run)
    _check_times(table, roles, t, runs)
    long = {label: positions for label, positions in runs.items() if len(positions) >= MIN_SAMPLES}
    _check_lengths(roles, x, runs, long)
    _say_short(said, table, runs, long)
    for own in roles.states:
        if constant(table, own, roles.run):
            said.add("constant-column", "it is constant in every run", "kept as a state", column=own)
    known = Known(
        input_values(table, roles.inputs, t, long, said),
        weight_values(table, roles.weights, roles.states),
        derivative_values(table, roles.derivatives, roles.states),
    )
    unit = units.get(roles.time) or clock or unit_of(roles.time, time=True)
    variables = _variables(roles, units, meanings)
    dataset = Dataset(
        name=name or table.name,
        time=Variable(roles.time, "t", unit, meanings.get(roles.time, "")),
        states=variables[: len(roles.states)],
        trajectories=tuple(_trajectory(t, x, label, positions, known) for label, positions in long.items()),
        inputs=variables[len(roles.states) :],
        weights=roles.weights,
        derivatives=roles.derivatives,
        preparation=preparation,
    )
    return Reading(dataset, roles, tuple(said.all))


def _prepared(table: Table, how: Preparation, time: str | None, run: str | None, more: More) -> Table:
    """Return the table with its columns prepared; the time is guessed among the columns of the file."""
    if how == Preparation():
        return table
    others = [*(more.get("inputs") or ()), *(more.get("weights") or ()), *(more.get("derivatives") or ())]
    others = [name for name in others if name in table.columns]
    return prepare(table, how, time_of(table, time, run, others))


def _roles_of(more: More) -> GivenRoles:
    return {
        "inputs": more.get("inputs"),
        "weights": more.get("weights"),
        "derivatives": more.get("derivatives"),
    }


def _variables(roles: Roles, units: Mapping[str, str], meanings: Mapping[str, str]) -> tuple[Variable, ...]:
    own = (*roles.states, *roles.inputs)
    return tuple(
        Variable(name, symbol, units.get(name, unit_of(name)), meanings.get(name, ""))
        for name, symbol in zip(own, safe_names(own, roles.time).symbols, strict=True)
    )


def _trajectory(t: Floats, x: Floats, label: str, positions: Ints, known: Known) -> Trajectory:
    if len(positions) == len(t):  # one run: no second copy of a long table
        x.setflags(write=False)
        own = known.at(None)
        return Trajectory(frozen(t), x, own.inputs, label, own.weights, own.derivatives)
    own = known.at(positions)
    at = (frozen(t[positions]), frozen(x[positions]))
    return Trajectory(*at, own.inputs, label, own.weights, own.derivatives)


def _times(table: Table, name: str, said: Said) -> tuple[Floats, str]:
    """Return the times and, where they were dates, their unit."""
    column = find(table, name)
    if not is_moments(column):
        return numbers_of(table, name), ""
    t, unit = times_of(table, name)
    say_moments(table, column, t, unit, said)
    return t, unit


def split_at_restarts(table: Table, time: str) -> tuple[Table, str]:
    """Return the table with a column that counts the restarts of time, from 1, and its name."""
    column = find(table, time)
    t = times_of(table, time)[0] if is_moments(column) else numbers_of(table, time)
    starts = np.zeros(len(t))
    starts[restarts(t)] = 1.0
    name = free_name("part", table.columns)
    columns: dict[str, Column] = {**table.columns, name: column_of(name, frozen(1.0 + np.cumsum(starts)), (), {})}
    return replace(table, columns=columns, parts=name), name


def _say_short(said: Said, table: Table, runs: Mapping[str, Ints], long: Mapping[str, Ints]) -> None:
    short = [label for label in runs if label not in long]
    if short:
        found = f"runs with fewer than {MIN_SAMPLES} rows: {', '.join(short)}"
        rows = sorted(row for label in short for row in rows_at(table, runs[label]))
        said.add("too-few-points", found, "left out", "Measure more often.", rows, severity="left out")


def _check_finite(table: Table, roles: Roles, t: Floats, measured: Sequence[Floats]) -> None:
    missing = np.flatnonzero(np.isnan(t))
    if missing.size:
        rows = rows_at(table, missing)
        hint = "Fill it in, or remove the row."
        raise refusal("missing-cell", "", "the time is missing", hint, rows, roles.time)
    for own, values in zip((roles.time, *roles.states), (t, *measured), strict=True):
        infinite = np.flatnonzero(np.isinf(values)).tolist()
        if infinite:
            reason = f"'{cell(table.columns[own], infinite[0])}' is infinite"
            rows = rows_at(table, infinite)
            raise refusal("infinite", "", reason, "Leave the cell empty, or remove the row.", rows, own)


def _check_times(table: Table, roles: Roles, t: Floats, runs: Mapping[str, Ints]) -> None:
    for label, positions in runs.items():
        of_run = t[positions]
        back = (np.flatnonzero(np.diff(of_run) <= 0) + 1).tolist()
        if back:
            starts = restarts(of_run)
            restart = back == starts
            where = f" (run '{label}')" if roles.run else ""
            raise _not_increasing(table, roles, of_run, positions, starts if restart else back, where, restart=restart)


def _not_increasing(
    table: Table, roles: Roles, t: Floats, positions: Ints, back: Sequence[int], where: str, *, restart: bool
) -> TableError:
    rows = rows_at(table, positions[list(back)])
    reason = f"time {t[back[0]]} follows {t[back[0] - 1]}{where}, but time must increase inside a run"
    more = f" ({counted(len(rows) - 1, 'more row')} like it)" if len(rows) > 1 else ""
    if restart:
        hint = "If a new run begins there, say so, or name a column that tells runs apart."
        return refusal("time-restart", "", f"time starts again: {reason}{more}", hint, rows)
    hint = "Remove the row" if roles.run else "Remove the row, or name a column that tells runs apart"
    return refusal("time-not-increasing", "", f"{reason}{more}", f"{hint}.", rows)


def _check_lengths(roles: Roles, x: Floats, runs: Mapping[str, Ints], long: Mapping[str, Ints]) -> None:
    """Refuse a table in which no run, or no run of one of the states, has MIN_SAMPLES values."""
    if not long:
        most = max(map(len, runs.values()))
        what = "its longest run has" if roles.run else "it has"
        reason = f"{what} {most} rows, but at least {MIN_SAMPLES} are needed"
        raise refusal("too-few-points", "The table", reason, "Measure more often.")
    for j, own in enumerate(roles.states):
        most = max(int((~np.isnan(x[positions, j])).sum()) for positions in long.values())
        if most < MIN_SAMPLES:
            reason = f"no run has more than {most} values of it, but at least {MIN_SAMPLES} are needed"
            hint = "Fill in the gaps, or name the states without it."
            raise refusal("too-few-points", "", reason, hint, column=own)
