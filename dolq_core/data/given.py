"""What a table knows besides times and states: inputs, weights of samples, and derivatives that it gives.

| role       | what it is                              | a missing cell                        | guessed by name      |
|------------|-----------------------------------------|---------------------------------------|----------------------|
| input      | a known u(t): in terms, no equation     | filled linearly, said in a finding    | input, forcing       |
| weight     | how much a sample counts beside others  | 0: the sample does not count          | never                |
| derivative | dx/dt of a state: fitted as it stands   | the rate is not known there           | dx/dt, dxdt, x_dot   |
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np

from dolq_core.arrays import Floats, Ints, frozen
from dolq_core.data.columns import Table, rows_at
from dolq_core.data.findings import Said, refusal
from dolq_core.data.lookup import find, groups, numbers_of
from dolq_core.data.units import BRACKET
from dolq_core.records import Given

_INPUTS: Final = frozenset({"input", "inputs", "forcing"})
_TURNS: Final = 0.05
"""Share of the largest rate from which a rate of the other sign counts."""


class GivenRoles(TypedDict, total=False):
    """The roles of columns beside time, run and states, by own names; None leaves inputs and derivatives to a guess.

    Attributes:
        weights: the state that a column weighs, by the column's name; "" for the whole row.
        derivatives: the state that a column is the derivative of, by the column's name.
    """

    inputs: Sequence[str] | None
    weights: Mapping[str, str] | None
    derivatives: Mapping[str, str] | None


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Inputs (n, u), weights (n, d) and derivatives (n, d) of all rows, or None where a table has none."""

    inputs: Floats | None = None
    weights: Floats | None = None
    derivatives: Floats | None = None

    def at(self, positions: Ints | None) -> "Known":
        """Return the rows of one run, read-only; all rows without positions."""
        parts = (self.inputs, self.weights, self.derivatives)
        own = [None if p is None else frozen(p if positions is None else p[positions]) for p in parts]
        return Known(*own)


def as_given(wanted: Mapping[str, str] | None) -> tuple[Given, ...]:
    """Return the roles that a person gave, as records."""
    return tuple(Given(column, state) for column, state in (wanted or {}).items())


def guess_derivatives(table: Table, time: str, run: str | None, names: Sequence[str], said: Said) -> tuple[Given, ...]:
    """Return the columns whose name says that they are the derivative of another one among `names`.

    Not where it would leave a single state whose rate has both signs: no law in that state alone can do that, so the
    rate is a state of its own, as the velocity of a pendulum is.
    """
    bare = {name: BRACKET.sub("", name).strip() for name in names}
    unit, states = BRACKET.sub("", time).strip(), defaultdict[str, list[str]](list)
    for state, of in bare.items():
        for form in _forms(of, unit):
            states[form].append(state)
    found = [
        Given(column, state)
        for column, shown in bare.items()
        for state in states.get(shown, ())
        if _is_numeric(table, column, state)
    ]
    if len({one.column for one in found}) < len(found) or len({one.state for one in found}) < len(found):
        return ()
    left = [name for name in names if name not in {one.column for one in found}]
    if len(left) == 1 and any(_turns(table, one.column, run) for one in found):
        return ()
    for one in found:
        what = f"its name says that it is the rate of change of '{one.state}'"
        hint = "Name it as a state if it is one of its own, as a velocity can be; or name it as nothing."
        said.add("derivative-guess", what, "fitted in place of an estimate", hint, column=one.column)
    return tuple(found)


def _forms(of: str, time: str) -> set[str]:
    return {
        f"d{of}/dt", f"d{of}/d{time}", f"d{of}dt", f"d{of}_dt", f"{of}_dot", f"{of}dot", f"{of}'",
    }  # fmt: skip


def _is_numeric(table: Table, *names: str) -> bool:
    return all(table.columns[name].numbers is not None for name in names)


def _turns(table: Table, name: str, run: str | None) -> bool:
    """Whether the values of a column have both signs inside a run."""
    values = table.columns[name].values
    most = float(np.nanmax(np.abs(values)))
    parts = (values[positions] for positions in groups(table, run).values())
    return any(float(np.nanmin(p)) < -_TURNS * most and float(np.nanmax(p)) > _TURNS * most for p in parts if p.size)


def guess_inputs(table: Table, names: Iterable[str], said: Said) -> tuple[str, ...]:
    """Return the columns of numbers that are called input or forcing, and say so."""
    found = [n for n in names if BRACKET.sub("", n).strip().lower() in _INPUTS and _is_numeric(table, n)]
    for name in found:
        hint = "Name it as a state if it has a law of its own."
        said.add("input-guess", "its name says that it is known", "taken as an input", hint, column=name)
    return tuple(found)


def check_given(table: Table, inputs: Sequence[str], others: Sequence[Given], taken: Sequence[str | None]) -> None:
    """Refuse a column with two roles, and one that does not exist or holds no numbers."""
    listed = [*inputs, *(one.column for one in others)]
    for name in listed:
        find(table, name)
        if name in taken or listed.count(name) > 1:
            raise refusal("bad-role", "", "it is named twice", "Give each column one role.", column=name)
        numbers_of(table, name)


def check_of_states(derivatives: Sequence[Given], weights: Sequence[Given], states: Sequence[str]) -> None:
    """Refuse a derivative or weight of what is no state, and two of one state."""
    for what, given in (("derivative", derivatives), ("weight", weights)):
        for one in given:
            every = not one.state and what == "weight"
            if one.state not in states and not every:
                listed = ", ".join(f"'{own}'" for own in states)
                reason = f"it is the {what} of '{one.state}', which is no state"
                raise refusal("bad-role", "", reason, f"The states are {listed}.", column=one.column)
            if [other.state for other in given].count(one.state) > 1:
                of = f"of '{one.state}'" if one.state else "of all states"
                reason = f"there are two {what}s {of}"
                raise refusal("bad-role", "", reason, "Name one of them.", column=one.column)


def input_values(table: Table, inputs: Sequence[str], t: Floats, runs: Mapping[str, Ints], said: Said) -> Floats | None:
    """Return (n, u) inputs without gaps, None without inputs; a run in which one was never seen is refused."""
    if not inputs:
        return None
    filled = [np.array(numbers_of(table, name)) for name in inputs]
    for name, values in zip(inputs, filled, strict=True):
        _finite(table, name, values)
        gaps = np.flatnonzero(np.isnan(values))
        for positions in runs.values():
            _fill(table, name, values, t, positions)
        if gaps.size:
            way_out = "Fill the cells in, or leave the rows out."
            assumed = "filled linearly between its neighbours, and with the nearest value at an end"
            said.add("input-gap", "a value of an input is missing", assumed, way_out, rows_at(table, gaps), name)
    return np.column_stack(filled)


def _fill(table: Table, name: str, values: Floats, t: Floats, positions: Ints) -> None:
    own = values[positions]
    seen = ~np.isnan(own)
    if not seen.any():
        reason = "a run has no value of this input"
        raise refusal("input-gap", "", reason, "Fill it in.", rows_at(table, positions[:1]), name)
    if not seen.all():
        values[positions] = np.interp(t[positions], t[positions][seen], own[seen])


def weight_values(table: Table, given: Sequence[Given], states: Sequence[str]) -> Floats | None:
    """Return (n, d) weights of the samples, None when all count alike; a missing cell is 0.

    A state's own weight is multiplied by that of the row. Raises TableError for one that is negative or infinite.
    """
    if not given:
        return None
    found = np.ones((len(table.rows), len(states)))
    for one in given:
        values = np.nan_to_num(numbers_of(table, one.column), nan=0.0, posinf=np.inf)
        _finite(table, one.column, values)
        below = np.flatnonzero(values < 0.0)
        if below.size:
            hint = "Use 0 for a sample that shall not count, and more for one that counts more."
            raise refusal("weight", "", "a weight is negative", hint, rows_at(table, below), one.column)
        for j, state in enumerate(states):
            if one.state in ("", state):
                found[:, j] *= values
    return found


def derivative_values(table: Table, given: Sequence[Given], states: Sequence[str]) -> Floats | None:
    """Return (n, d) derivatives as given, NaN where there is none; None when the table gives none."""
    if not given:
        return None
    found = np.full((len(table.rows), len(states)), np.nan)
    for one in given:
        values = numbers_of(table, one.column)
        _finite(table, one.column, values)
        found[:, states.index(one.state)] = values
    return found


def _finite(table: Table, name: str, values: Floats) -> None:
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise refusal("infinite", "", "a value is infinite", "Leave the cell empty.", rows_at(table, infinite), name)
