"""A table to a data set: trajectories with checked times, variables with safe symbols and units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, Ints, frozen
from dolq_core.data.csv import Table
from dolq_core.data.roles import Roles, constant, find, groups, guess_roles, numbers_of, unit_of
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import safe_names

MIN_SAMPLES: Final = 5  # the fewest for which any estimate of a derivative has something to average


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table was understood; `notes` holds all that was assumed, from the file to the runs."""

    dataset: Dataset
    roles: Roles
    notes: tuple[str, ...]


def to_dataset(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    name: str = "",
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
) -> Dataset:
    """Return the data set of a table, with guessed roles where none is named; raise DataError."""
    return understand(table, time, states, run, name, units, meanings).dataset


def understand(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    name: str = "",
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
) -> Reading:
    """Return the data set together with the roles of its columns and everything that was assumed.

    units, meanings: by own name of a column. A unit that is not given is read off the header ("temp (°C)").
    Runs with fewer than MIN_SAMPLES rows are left out with a note; a state that is constant is kept when it is named.
    """
    units, meanings = units or {}, meanings or {}
    for own in (*units, *meanings):
        find(table, own)
    roles = guess_roles(table, time, states, run)
    notes = [*table.notes, *roles.notes]
    t = numbers_of(table, roles.time)
    x = np.column_stack([numbers_of(table, own) for own in roles.states])
    _check_finite(table, roles, t, x)
    runs = groups(table, roles.run)
    _check_times(table, roles, t)
    long = {label: positions for label, positions in runs.items() if len(positions) >= MIN_SAMPLES}
    _check_lengths(roles, x, runs, long)
    short = [label for label in runs if label not in long]
    if short:
        notes.append(f"Runs with fewer than {MIN_SAMPLES} rows were left out: {', '.join(short)}.")
    notes += [f"State '{own}' is constant in every run." for own in roles.states if constant(table, own, roles.run)]
    symbols = safe_names(roles.states, roles.time).symbols
    dataset = Dataset(
        name=name or table.name,
        time=Variable(
            roles.time, "t", units.get(roles.time, unit_of(roles.time, time=True)), meanings.get(roles.time, "")
        ),
        states=tuple(
            Variable(own, symbol, units.get(own, unit_of(own)), meanings.get(own, ""))
            for own, symbol in zip(roles.states, symbols, strict=True)
        ),
        trajectories=tuple(
            Trajectory(frozen(t[positions]), frozen(x[positions]), None, label) for label, positions in long.items()
        ),
    )
    return Reading(dataset, roles, tuple(notes))


def _check_finite(table: Table, roles: Roles, t: Floats, x: Floats) -> None:
    missing = np.flatnonzero(np.isnan(t))
    if missing.size:
        thing = f"Row {table.rows[missing[0]]}, column '{roles.time}'"
        raise DataError(thing, "the time is missing", "Fill it in, or remove the row.")
    for own, values in zip((roles.time, *roles.states), (t, *x.T), strict=True):
        infinite = np.flatnonzero(np.isinf(values))
        if infinite.size:
            i = int(infinite[0])
            reason = f"'{table.columns[own].text[i]}' is infinite"
            raise DataError(f"Row {table.rows[i]}, column '{own}'", reason, "Leave the cell empty, or remove the row.")


def _check_times(table: Table, roles: Roles, t: Floats) -> None:
    for positions in groups(table, roles.run).values():
        steps = np.diff(t[positions])
        back = np.flatnonzero(steps <= 0)
        if back.size:
            before, after = positions[back[0] : back[0] + 2].tolist()
            reason = f"time {t[after]} follows {t[before]}, but time must increase inside a run"
            hint = "Remove the row" if roles.run else "Remove the row, or name a column that tells runs apart"
            where = f" (run '{table.columns[roles.run].text[after]}')" if roles.run else ""
            raise DataError(f"Row {table.rows[after]}{where}", reason, f"{hint}.")


def _check_lengths(roles: Roles, x: Floats, runs: Mapping[str, Ints], long: Mapping[str, Ints]) -> None:
    """Refuse a table in which no run, or no run of one of the states, has MIN_SAMPLES values."""
    if not long:
        most = max(map(len, runs.values()))
        what = "its longest run has" if roles.run else "it has"
        raise DataError(
            "The table", f"{what} {most} rows, but at least {MIN_SAMPLES} are needed", "Measure more often."
        )
    for j, own in enumerate(roles.states):
        most = max(int((~np.isnan(x[positions, j])).sum()) for positions in long.values())
        if most < MIN_SAMPLES:
            reason = f"no run has more than {most} values of it, but at least {MIN_SAMPLES} are needed"
            raise DataError(f"Column '{own}'", reason, "Fill in the gaps, or name the states without it.")
