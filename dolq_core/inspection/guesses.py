"""What a person finds filled in beside each column of a table: a role, whom it is about, a unit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from dolq_core.data.dataset import split_at_restarts
from dolq_core.data.dates import elapsed, increases, is_dates, restarts, times_or_none
from dolq_core.data.findings import TableError
from dolq_core.data.roles import Roles, guess_roles, labels_of_restarts, names_time
from dolq_core.data.table import Column, Table
from dolq_core.units import unit_of, without_unit

Role: TypeAlias = Literal["Time", "Run", "State", "Input", "Derivative", "Weight", "Ignore"]
ROLES: Final[tuple[Role, ...]] = ("Time", "Run", "State", "Input", "Derivative", "Weight", "Ignore")


MANY: Final = 30
"""States beyond which a table is asked for those that belong together: each is an equation to be found."""


def many_words(states: int) -> str:
    """Return what is said of a table of so many states; empty where they are not many."""
    return f"{states} columns may be states: choose those that belong together." if states > MANY else ""


@dataclass(frozen=True, slots=True)
class Guess:
    """What one column may be.

    Attributes:
        of: the state that a derivative or a weight belongs to, by its own name; empty for a weight of all.
        why: why a column is left out; empty for any other.
    """

    role: Role
    of: str = ""
    unit: str = ""
    why: str = ""


def guesses(table: Table) -> Mapping[str, Guess]:
    """Return a guess for each column; where the table as a whole has none, by its name and numbers alone.

    Then a column with a few words among its numbers keeps its role, so that the words are what is refused.
    """
    try:
        roles = _roles(table)
    except TableError:
        time = next((own for own in table.columns if names_time(own, lambda one: increases(table, one, None))), "")
        found = {own: _alone(one, is_time=own == time) for own, one in table.columns.items()}
    else:
        found = {own: _guess(own, roles) for own in table.columns}
    return {own: replace(one, unit=_unit(table, own, one.role)) for own, one in found.items()}


def label_of_restarts(table: Table, time: str) -> str:
    """Return the column that changes wherever time starts over and nowhere else; empty where there is none."""
    t = times_or_none(table.columns[time]) if time else None
    return next(labels_of_restarts(table, t, time, {time}), "") if t is not None and restarts(t) else ""


def short_names(table: Table) -> Mapping[str, str]:
    """Return what each column may be called: its name without its unit, where no other column is called so."""
    bare = {own: without_unit(own) for own in table.columns}
    taken = [*bare.values(), *table.columns]
    return {own: short if short and taken.count(short) == 1 else own for own, short in bare.items()}


def _roles(table: Table) -> Roles:
    """Return the roles that are guessed; what changes only where time starts over is no state, whatever it is."""
    roles = guess_roles(table)
    t = times_or_none(table.columns[roles.time])
    if roles.run is not None or t is None or not restarts(t):
        return roles
    split = split_at_restarts(table, roles.time)
    try:
        return replace(guess_roles(split, roles.time, run=split.parts), run=None)
    except TableError:
        return roles


def _guess(own: str, roles: Roles) -> Guess:
    rates = {one.column: one.state for one in roles.derivatives}
    if own in rates:
        return Guess("Derivative", rates[own])
    if own in roles.states or own in roles.inputs:
        return Guess("State" if own in roles.states else "Input")
    if own in (roles.time, roles.run):
        return Guess("Time" if own == roles.time else "Run")
    left_out = (one.found for one in roles.findings if one.column == own and one.severity == "left out")
    return Guess("Ignore", why=next(left_out, ""))


def _alone(column: Column, *, is_time: bool) -> Guess:
    filled = len(column.values) - len(column.missing)
    if is_time:
        return Guess("Time")
    return Guess("State" if filled and len(column.odd) * 2 <= filled else "Ignore")


def _unit(table: Table, own: str, role: Role) -> str:
    """Return the unit that the file tells, or the name of the column."""
    if role not in ("Time", "State", "Input"):
        return ""
    is_time = role == "Time"
    clock = elapsed(table.columns[own])[1] if is_time and is_dates(table.columns[own]) else ""
    return table.units.get(own) or clock or unit_of(own, time=is_time)
