"""What a table knows besides times and states: inputs, weights of samples, and derivatives.

| role       | what it is                              | a missing cell                        | guessed by name      |
|------------|-----------------------------------------|---------------------------------------|----------------------|
| input      | a known u(t): in terms, no equation     | filled linearly, said in a finding    | input, forcing, or   |
|            |                                         |                                       | two levels only      |
| weight     | how much a sample counts beside others  | 0: the sample does not count          | never                |
| derivative | dx/dt of a state: fitted as it is       | the rate is not known there           | dx/dt, dxdt, x_dot   |
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.findings import Findings, quoted, refusal
from dolq_core.data.table import Table, check_range, find, numbers_of, rows_at, runs_of
from dolq_core.records import Given
from dolq_core.units import without_unit

_INPUTS: Final = frozenset({"input", "inputs", "forcing"})
_FEWEST_LEVELS: Final = 4
"""Values up to which a column may be a code or a switch, and is no evidence that something moves."""
_NEGLIGIBLE: Final = 0.05
"""Share of the largest rate below which the sign of a rate does not count."""


def as_given(wanted: Mapping[str, str] | None) -> tuple[Given, ...]:
    """Return the roles that a person gave, as records."""
    return tuple(Given(column, state) for column, state in (wanted or {}).items())


def guess_inputs(table: Table, names: Iterable[str], findings: Findings) -> tuple[str, ...]:
    """Return the columns of numbers that are called input or forcing, or that switch between two levels.

    No equation without jumps keeps a state at two values. A table of such columns alone is left as it is.
    """
    numeric = [name for name in names if _is_numeric(table, name)]
    found = [name for name in numeric if without_unit(name).lower() in _INPUTS]
    switched = [name for name in numeric if name not in found and _is_switched(table.columns[name].values)]
    moving = [name for name in numeric if len(np.unique(table.columns[name].values)) > _FEWEST_LEVELS]
    for name in switched if moving else ():
        hint = "Name it as a state if it has a law of its own."
        findings.add("input-guess", "it switches between two values", "taken as an input", hint, column=name)
    for name in found:
        hint = "Name it as a state if it has a law of its own."
        findings.add("input-guess", "its name says that it is known", "taken as an input", hint, column=name)
    return tuple(name for name in numeric if name in found or (moving and name in switched))


def _is_switched(values: Floats) -> bool:
    """Whether a column has two levels, each held for two samples on average."""
    filled = values[~np.isnan(values)]
    changes = int(np.count_nonzero(np.diff(filled)))
    return len(np.unique(filled)) == 2 and 2 * (changes + 1) <= len(filled)


def guess_derivatives(
    table: Table, time: str, run: str | None, names: Sequence[str], findings: Findings
) -> tuple[Given, ...]:
    """Return the columns whose name says that they are the derivative of another one among `names`.

    Not where it would leave a single state whose rate has both signs: no law in that state alone can do that, so the
    rate is a state of its own, as the velocity of a pendulum is.
    """
    states = defaultdict[str, list[str]](list)
    for state in names:
        for form in _forms(without_unit(state), without_unit(time)):
            states[form].append(state)
    pairs = [Given(name, state) for name in names for state in states.get(without_unit(name), ())]
    found = [one for one in pairs if _is_numeric(table, one.column) and _is_numeric(table, one.state)]
    columns = {one.column for one in found}
    left = [name for name in names if name not in columns]
    if len(columns) < len(found) or len({one.state for one in found}) < len(found):
        return ()
    if len(left) == 1 and any(_changes_sign(table, one.column, run) for one in found):
        return ()
    for one in found:
        what = f"its name says that it is the rate of change of '{one.state}'"
        hint = "Name it as a state if it is one in its own right, as a velocity can be, or give it no role."
        findings.add("derivative-guess", what, "fitted in place of an estimate", hint, column=one.column)
    return tuple(found)


def _forms(state: str, time: str) -> set[str]:
    rate = f"d{state}"
    return {f"{rate}/dt", f"{rate}/d{time}", f"{rate}dt", f"{rate}_dt", f"{state}_dot", f"{state}dot", f"{state}'"}


def _is_numeric(table: Table, name: str) -> bool:
    return table.columns[name].numbers is not None


def _changes_sign(table: Table, name: str, run: str | None) -> bool:
    """Whether the values of a column have both signs inside a run."""
    values = table.columns[name].values
    least = _NEGLIGIBLE * float(np.nanmax(np.abs(values)))
    parts = (values[positions] for positions in runs_of(table, run).values())
    return any(float(np.nanmin(part)) < -least and float(np.nanmax(part)) > least for part in parts if part.size)


def check_roles(
    table: Table,
    inputs: Sequence[str],
    weights: Sequence[Given],
    derivatives: Sequence[Given],
    states: Sequence[str],
    others: Sequence[str | None],
) -> None:
    """Refuse a column with two roles, one that is not there or holds no numbers, and one of what is no state."""
    every = [*states, *inputs, *(one.column for one in (*weights, *derivatives))]
    for name in every:
        find(table, name)
        if name in others or every.count(name) > 1:
            raise refusal("bad-role", "", "it is named twice", "Give each column one role.", column=name)
        numbers_of(table, name)
    for what, given in (("derivative", derivatives), ("weight", weights)):
        for one in given:
            if one.state not in states and (one.state or what == "derivative"):
                reason = f"it is the {what} of '{one.state}', which is no state"
                raise refusal("bad-role", "", reason, f"The states are {quoted(states)}.", column=one.column)
            if [other.state for other in given].count(one.state) > 1:
                reason = f"there are two {what}s of " + (f"'{one.state}'" if one.state else "all states")
                raise refusal("bad-role", "", reason, "Name one of them.", column=one.column)


def input_values(
    table: Table, inputs: Sequence[str], t: Floats, runs: Mapping[str, Ints], findings: Findings
) -> Floats | None:
    """Return (n, u) inputs without gaps, None without inputs; an input without any value in a run is refused."""
    filled = [np.array(numbers_of(table, name)) for name in inputs]
    for name, values in zip(inputs, filled, strict=True):
        check_range(table, name, values)
        gaps = np.flatnonzero(np.isnan(values))
        for positions in runs.values():
            own = values[positions]
            known = ~np.isnan(own)
            if not known.any():
                reason = "a run has no value of this input"
                raise refusal("input-gap", "", reason, "Fill it in.", rows_at(table, positions[:1]), name)
            values[positions] = np.where(known, own, np.interp(t[positions], t[positions][known], own[known]))
        if gaps.size:
            hint = "Fill the cells in, or leave the rows out."
            assumed = "filled linearly between its neighbours, and with the nearest value at an end"
            findings.add("input-gap", "a value of an input is missing", assumed, hint, rows_at(table, gaps), name)
    return np.column_stack(filled) if filled else None


def weight_values(table: Table, given: Sequence[Given], states: Sequence[str]) -> Floats | None:
    """Return (n, d) weights of the samples, None when all count alike; a missing cell is 0.

    A state's own weight is multiplied by that of the row. Raises TableError for one that is negative or infinite.
    """
    found = np.ones((len(table.rows), len(states)))
    for one in given:
        values = np.nan_to_num(numbers_of(table, one.column), nan=0.0, posinf=np.inf)
        check_range(table, one.column, values)
        below = np.flatnonzero(values < 0.0)
        if below.size:
            hint = "Use 0 for a sample that should not count, and more for one that counts more."
            raise refusal("weight", "", "a weight is negative", hint, rows_at(table, below), one.column)
        for j, state in enumerate(states):
            if one.state in ("", state):
                found[:, j] *= values
    return found if given else None


def derivative_values(table: Table, given: Sequence[Given], states: Sequence[str]) -> Floats | None:
    """Return (n, d) derivatives as the table has them, NaN where there is none; None when it has none at all."""
    found = np.full((len(table.rows), len(states)), np.nan)
    for one in given:
        check_range(table, one.column, numbers_of(table, one.column))
        found[:, states.index(one.state)] = numbers_of(table, one.column)
    return found if given else None
