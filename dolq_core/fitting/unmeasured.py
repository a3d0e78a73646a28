"""States that nobody measured: the rate of a state, or a hidden one of which it is known in which term it acts.

x'' = f(x, x') is x' = v with v' = f(x, v). A hidden state is said by its term: in x' = ... + g*z the coefficient of the
term is one, so z is known up to that and has its unit. The values of v and z are those of the smoothest curve with
which the equation of x holds: they start fits and are drawn beside simulations, and where noise is the limit no fit is
compared with them: they have free starts, and follow from what they do to x.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import linalg

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import DataError, TermError
from dolq_core.fitting.names import names_of
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.noise import noise_levels
from dolq_core.numerics.target import Target
from dolq_core.records import Blocks, Dataset, EquationBlocks, Given, Trajectory, Variable
from dolq_core.terms import (
    FUNCTIONS,
    Skeleton,
    compile_columns,
    count_params,
    parse_term,
    safe_names,
    to_text,
    variables,
)

MARK = "_dot"
"""What the name of a rate ends with: x_dot is the rate of x."""
NEEDED = 4
"""Samples of a run whose halves are compared."""
SMOOTHEST, ROUGHEST = 9, -9
"""Powers of ten of the weight of smoothness that are tried."""
EXACT = 1e-6
"""Of the rate of x: what its equation is left with where samples have no noise."""
_sparse: Any = sparse
_solve: Any = linalg.spsolve
"""Without types: SciPy's stubs know no diagonals that are arrays."""
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HOW = "Give the state, and the term of its equation that holds the hidden one: 'infected: infected*S'."


def with_rates(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Return the data with the rate of each named state as a further state, after the others.

    Raises DataError for a name that is no state, or whose rate is there already, and for one with a given derivative.
    """
    for name in dict.fromkeys(names):
        one = dataset.states[_place(dataset, name)]
        unit = f"{one.unit or 1}/{dataset.time.unit}" if dataset.time.unit else one.unit
        told = f"rate of {one.name}, not measured"
        dataset = _with_state(dataset, Variable(_called(one), "", unit, told), Given(_called(one), one.name))
    return dataset


def with_hidden(dataset: Dataset, said: Sequence[str]) -> Dataset:
    """Return the data with hidden states as further ones, each said as 'STATE: TERM'; raise DataError."""
    for text in said:
        what = f"The hidden state {text!r}"
        state, _, term = (part.strip() for part in text.partition(":"))
        names = names_of(dataset)
        if names.known.get(state) not in names.symbols[: len(dataset.states)]:
            raise DataError(what, f"{state!r} is no state of these data", _HOW)
        of = dataset.states[names.symbols.index(names.known[state])].name
        new = [name for name in _NAME.findall(term) if name not in {*names.known, *FUNCTIONS, "sqrt"}]
        if len(set(new)) != 1:
            reason = f"{term!r} needs one name that is no column, the hidden state's, and has {len(set(new))}"
            raise DataError(what, reason, _HOW)
        try:
            dataset = _with_state(dataset, Variable(new[0], "", "", "not measured"), Given(new[0], of, term))
        except TermError as error:
            raise DataError(what, str(error), _HOW) from error
    return dataset


@dataclass(frozen=True, slots=True)
class Acting:
    """How a state that was not measured acts: in x' of the state `on`, as `term`, which is `factor` times it.

    rest: what may stand beside it there: the decay of x, where that could not as well be a part of what is hidden.
    """

    on: int
    term: Skeleton
    factor: Skeleton
    rest: tuple[Skeleton, ...]


def acting(dataset: Dataset, one: Given) -> Acting:
    """Return how an unmeasured state acts; raise TermError where its term is not in proportion to it."""
    names = names_of(dataset)
    j, symbol = [state.name for state in dataset.states].index(one.state), names.symbol_of[one.column]
    text = one.term or symbol
    term, factor = parse_term(text, names).skeleton, parse_term(f"({text})/{symbol}", names).skeleton
    if symbol in variables(factor) or count_params(term) or "t" in variables(term):
        raise TermError(text, "it is not in proportion to the hidden state, or has fitted numbers or time in it")
    return Acting(j, term, factor, () if factor in ("1", names.symbols[j]) else (Skeleton(names.symbols[j]),))


def with_unmeasured_equations(dataset: Dataset, blocks: Blocks) -> Blocks:
    """Return the rules with x' = v for each rate v that was not measured, and with the term of each hidden state.

    Beside that term stand those that a person allows in the equation; if nothing is said, `Acting.rest`.
    """
    rules = {one.equation: one for one in blocks.equations}
    for one in dataset.unmeasured:
        how = acting(dataset, one)
        own = rules.get(how.on, EquationBlocks(how.on))
        if not one.term:
            rules[how.on] = replace(own, terms=(how.term,), fixed=((how.term, 1.0),), start=())
            continue
        beside = how.rest if own.terms is None else own.terms
        fixed = tuple(pair for pair in own.fixed if pair[0] != how.term)
        rules[how.on] = replace(own, terms=tuple(dict.fromkeys((how.term, *beside))), fixed=(*fixed, (how.term, 1.0)))
    return replace(blocks, equations=tuple(rules[j] for j in sorted(rules))) if dataset.unmeasured else blocks


def sources_of(dataset: Dataset) -> dict[int, int]:
    """Return in the equation of which state each unmeasured one acts, by number."""
    place = {state.name: j for j, state in enumerate(dataset.states)}
    return {place[one.column]: place[one.state] for one in dataset.unmeasured}


def unmeasured_words(dataset: Dataset) -> list[str]:
    """Return what was not measured, as sentences."""
    return [
        f"{one.column} is a state that was not measured: {one.term} acts on {one.state}."
        if one.term
        else f"{one.column}, the rate of {one.state}, is a state of its own."
        for one in dataset.unmeasured
    ]


def convention_of(dataset: Dataset, equation: int, beside: Collection[Skeleton] = ()) -> str:
    """Return what is known of a hidden state, and what of it is a convention; empty for a measured one.

    beside: the terms of the equation in which it acts. A state z that acts as g*z could be a*z + b as well: the
    coefficient one fixes a, and b is fixed by leaving out the term g.
    """
    given = {one.column: one for one in dataset.unmeasured if one.term}.get(dataset.states[equation].name)
    if given is None:
        return ""
    how, names = acting(dataset, given), names_of(dataset)
    one = f"the coefficient of {to_text(how.term, names)} in the equation of {given.state} is set to 1"
    known = f"{given.column} is hidden: never measured, and known only by what it does to {given.state}."
    if how.factor in beside:
        return f"{known} Its scale is a convention: {one}."
    part = "a constant" if how.factor == "1" else f"a term in {to_text(how.factor, names)} alone"
    return f"{known} Its scale and zero are conventions: {one}, and {part} counts as a part of {given.column}."


def unmeasured_target(target: Target, dataset: Dataset) -> Target:
    """Return the target with nothing measured of the states that were not, and the error of their curves as noise."""
    sources = sources_of(dataset)
    if not sources:
        return target
    noise, floor, data = target.noise.copy(), target.floor.copy(), target.measured
    gain = None if target.white is None else target.white / np.where(noise > 0.0, noise, 1.0)
    for one, (new, state) in zip(dataset.unmeasured, sources.items(), strict=True):
        if noise[state] > 0.0:
            noise[new] = max(noise[new], _error(dataset, acting(dataset, one), target.noise))
            floor[new] = np.hypot(floor[new], noise[new] * (0.0 if gain is None else gain[state]))
    if data is not None:
        seen = data.data.y.copy()
        seen[:, list(sources)] = np.nan
        sigma = np.where(np.isin(np.arange(len(noise)), list(sources)), noise, data.data.sigma)
        data = replace(data, data=replace(data.data, y=seen, sigma=sigma))
    return replace(target, noise=noise, floor=floor, measured=data)


def _place(data: Dataset, name: str) -> int:
    states = [state.name for state in data.states]
    if name not in states:
        reason = "a second-order law was asked for it, and the data have no such state"
        raise DataError(f"The state {name!r}", reason, f"The states are {', '.join(states)}.")
    if _called(data.states[states.index(name)]) in states:
        raise DataError(f"The state {name!r}", "its rate is a state already", "Take one of the two.")
    if any(one.state == name for one in data.derivatives):
        reason = "its derivative is given, so that nothing is left to find out by a second-order law"
        raise DataError(f"The state {name!r}", reason, "Take the derivative as a state, or leave it out.")
    return states.index(name)


def _called(state: Variable) -> str:
    return state.symbol.rstrip("_") + MARK


def _with_state(dataset: Dataset, new: Variable, given: Given) -> Dataset:
    own = (*dataset.states, *dataset.inputs)
    symbol = safe_names([*(one.name for one in own), new.name]).symbols[-1]
    whole = replace(
        dataset,
        states=(*dataset.states, replace(new, symbol=symbol)),
        unmeasured=(*dataset.unmeasured, given),
    )
    how = acting(whole, given)
    curves = _curves(dataset.trajectories, names_of(dataset).symbols, how, _noise(dataset))
    runs = [_with_curve(run, curve) for run, curve in zip(dataset.trajectories, curves, strict=True)]
    return replace(whole, trajectories=tuple(runs))


def _noise(dataset: Dataset) -> Floats:
    return noise_levels([(run.t, run.x) for run in dataset.trajectories])


def _with_curve(run: Trajectory, curve: Floats) -> Trajectory:
    n = len(run.t)
    weights = None if run.weights is None else np.hstack((run.weights, np.ones((n, 1))))
    unknown = None if run.derivatives is None else np.hstack((run.derivatives, np.full((n, 1), np.nan)))
    return replace(run, x=frozen(np.column_stack((run.x, curve))), weights=weights, derivatives=unknown)


def _curves(runs: Sequence[Trajectory], symbols: tuple[str, ...], how: Acting, noise: Floats) -> list[Floats]:
    """Return the smoothest z (n,) in each run with which x' = z*factor - k*x holds as well as x' is known."""
    slopes = [fit_curve(run.t, run.x[:, how.on], float(noise[how.on]))(run.t, 1) for run in runs]
    if how.factor == "1":
        return slopes
    smooth = [
        np.column_stack([fit_curve(r.t, y, float(s))(r.t, 0) for y, s in zip(r.x.T, noise, strict=True)]) for r in runs
    ]
    values = [x if run.inputs is None else np.hstack((x, run.inputs)) for run, x in zip(runs, smooth, strict=True)]
    column = compile_columns(how.factor, symbols)
    g = np.nan_to_num(np.concatenate([column(x.T, run.t, ()) for run, x in zip(runs, values, strict=True)]))
    b = np.concatenate(slopes)
    beside = np.concatenate([x[:, [how.on] * len(how.rest)] for x in smooth])
    rows = _sparse.hstack([_sparse.diags(g), _sparse.csc_matrix(beside)]).tocsc()
    power = float(np.mean(g**2)) or 1.0
    none = _sparse.csc_matrix((len(b) - 2 * len(runs), len(how.rest)))
    bends = _sparse.hstack([_sparse.block_diag([_bends(run.t) for run in runs]), none])
    rough = power * (bends.T @ bends) + 1e-9 * power * _sparse.diags(np.ones(len(b) + len(how.rest)))
    enough = max(_error_of_slopes(runs, how.on, float(noise[how.on])), EXACT * float(np.std(b)))
    z: Floats = np.zeros(len(b) + len(how.rest))
    for weight in range(SMOOTHEST, ROUGHEST - 1, -1):
        z = np.asarray(_solve((rows.T @ rows + 10.0**weight * rough).tocsc(), rows.T @ b), dtype=np.float64)
        left: Floats = rows @ z - b
        if float(np.sqrt(np.mean(left**2))) <= enough:
            break
    return np.split(z[: len(b)], np.cumsum([len(run.t) for run in runs])[:-1])


def _bends(t: Floats) -> Any:
    """Second differences (n - 2, n) of values at these times, in units of the mean step."""
    h = np.diff(t) / np.mean(np.diff(t))
    left, right = 2.0 / (h[:-1] * (h[:-1] + h[1:])), 2.0 / (h[1:] * (h[:-1] + h[1:]))
    return _sparse.diags([left, -left - right, right], [0, 1, 2], shape=(len(t) - 2, len(t))).tocsc()


def _error(dataset: Dataset, how: Acting, noise: Floats) -> float:
    """How far a curve is off (root mean square): half of what those of the two halves of the samples differ by."""
    runs = [run for run in dataset.trajectories if len(run.t) >= 2 * NEEDED]
    if how.factor == "1" or not runs:
        return _error_of_slopes(dataset.trajectories, how.on, float(noise[how.on]))
    halves = [[_half(run, first) for run in runs] for first in (0, 1)]
    both = [_curves(half, names_of(dataset).symbols, how, noise) for half in halves]
    apart: list[Floats] = [
        np.interp(run.t, a.t, x) - np.interp(run.t, b.t, y)
        for run, a, b, x, y in zip(runs, *halves, *both, strict=True)
    ]
    return 0.5 * float(np.sqrt(np.mean(np.concatenate(apart) ** 2)))


def _half(run: Trajectory, first: int) -> Trajectory:
    inputs = None if run.inputs is None else run.inputs[first::2]
    return Trajectory(run.t[first::2], run.x[first::2], inputs)


def _error_of_slopes(runs: Sequence[Trajectory], j: int, noise: float) -> float:
    """The same of slopes of the state j."""
    apart: list[Floats] = []
    for t, x in ((run.t, run.x[:, j]) for run in runs if len(run.t) >= NEEDED):
        apart.append(fit_curve(t[::2], x[::2], noise)(t, 1) - fit_curve(t[1::2], x[1::2], noise)(t, 1))
    return 0.5 * float(np.sqrt(np.mean(np.concatenate(apart) ** 2))) if apart else 0.0
