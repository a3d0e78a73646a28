"""What is compared, as records: one structure, its constants under each condition, and what else explains them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite

import numpy as np
from scipy.stats import chi2

from dolq_core.blocks import required
from dolq_core.conditions.candidates import Candidate, Conditions
from dolq_core.conditions.constants import Shared, shared
from dolq_core.conditions.following import CHANCE, Followed, followed
from dolq_core.conditions.split import Condition, split
from dolq_core.errors import DataError, FitError
from dolq_core.fitting import names_of
from dolq_core.fitting.likelihood import shape
from dolq_core.fitting.rivals import CLOSE
from dolq_core.numerics.machine import one_thread
from dolq_core.records import RunState
from dolq_core.terms import Names, Skeleton, to_code, to_text, variables

LEADERS = 5
"""Structures of which it is asked which constants they share."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of the law.

    Attributes:
        name: as in the law; equation: of which state; skeleton: of its term; place: 0 the coefficient, else inside.
        values, errors: (c,) by condition, with standard errors, None where it was not fitted; alike where it is shared.
        differs: from condition to condition.
        nats: what it would cost to take it the other way: shared, or free.
        follows: the formulas of a column that hold for it, the best first.
    """

    name: str
    equation: int
    skeleton: Skeleton
    place: int
    values: tuple[float, ...]
    errors: tuple[float | None, ...]
    differs: bool
    nats: float
    follows: tuple[Followed, ...] = ()


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two constants that differ, and stand in one ratio under all conditions: second over first."""

    first: str
    second: str
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One law under many conditions.

    Attributes:
        labels: of the conditions; equations: the law, its constants by name.
        misfit: (d,) distance of simulation and samples, in standard deviations of the noise.
        rivals: other structures within 6 nats and how many they are behind.
    """

    labels: tuple[str, ...]
    equations: tuple[str, ...]
    constants: tuple[Constant, ...]
    ratios: tuple[Ratio, ...]
    misfit: tuple[float, ...]
    rivals: tuple[tuple[tuple[str, ...], float], ...]


def _silent(_: str) -> None:
    return


def compare(state: RunState, by: str = "", heard: Callable[[str], None] = _silent) -> Comparison:
    """Find the structure that explains all conditions, and which of its constants differ from one to another.

    state: a run that was begun: its data, what laws may be made of, and what a person removed or pinned.
    by: an input with one value in each run, which says the condition; empty: each run is one.
    heard: told what is being done. Raises DataError where there is one condition, FitError where nothing is found.
    """
    parts = split(state.problem.dataset, by)
    _check(state, names_of(parts[0].dataset).symbols)
    with one_thread():
        return _compared(state, parts, heard)


def _check(state: RunState, symbols: Sequence[str]) -> None:
    """Raise DataError where a law is asked for a term of a column that says the condition."""
    blocks, names = state.problem.blocks, names_of(state.problem.dataset)
    asked = [key.skeleton for key in state.pins]
    for own in blocks.equations:
        asked += [*required(blocks, own.equation), *(own.terms or ())]
    for skeleton in asked:
        if other := variables(skeleton) - {*symbols, "t"}:
            reason = f"{names.own_of[min(other)]} says the condition, and takes no part in the law"
            raise DataError(f"The term {to_text(skeleton, names)}", reason, "Take the pin or the rule out.")


def _compared(state: RunState, parts: Sequence[Condition], heard: Callable[[str], None]) -> Comparison:
    known = Conditions(state, parts, heard)
    leaders: list[tuple[Candidate, Shared]] = []
    for n, one in enumerate(known.found[:LEADERS], 1):
        heard(f"Which constants differ: structure {n} of {min(LEADERS, len(known.found))}")
        found = shared(known, one)
        if found is not None:
            leaders.append((one, found))
    if not leaders:
        way_out = "Compare fewer runs, or those that start alike; `discover` says what is seen in each."
        raise FitError("These runs", "no structure that was tried follows those of all conditions", way_out)
    leaders.sort(key=lambda pair: (pair[1].length, shape(pair[0].system)))
    one, best = leaders[0]
    names = names_of(parts[0].dataset)
    constants = _constants(one, best, {name: [part.levels[name] for part in parts] for name in parts[0].levels})
    near = [(other, found) for other, found in leaders[1:] if found.length <= best.length + CLOSE]
    close = [(other, found) for other, found in near if not _holds(other, one)]
    return Comparison(
        tuple(part.label for part in parts),
        equations_of(one, names),
        constants,
        _ratios(best, constants),
        tuple(best.joint.misfit.tolist()),
        tuple((equations_of(other, names), found.length - best.length) for other, found in close),
    )


def _holds(other: Candidate, one: Candidate) -> bool:
    """Whether a structure has all terms of another, and more: that they say nothing is known."""
    return all(set(own) <= set(more) for own, more in zip(shape(one.system), shape(other.system), strict=True))


def equations_of(one: Candidate, names: Names) -> tuple[str, ...]:
    """Return the equations with a name for each number: k1, k2 and so on."""
    identifiers = {s: own if own.isidentifier() else s for s, own in zip(names.symbols, names.own, strict=True)}
    said: list[str] = []
    at = 0
    for j, terms in enumerate(one.system):
        parts: list[str] = []
        for term in terms:
            first = at
            body = to_code(term.skeleton, (), identifiers, parameter=lambda i, first=first: f"k{first + i + 2}")
            parts.append(f"k{at + 1}" if term.skeleton == "1" else f"k{at + 1}*{body}")
            at += 1 + len(term.inner)
        said.append(f"d {names.own[j]} / d {names.time} = {' + '.join(parts) or '0'}")
    return tuple(said)


def _constants(one: Candidate, best: Shared, levels: dict[str, list[float]]) -> tuple[Constant, ...]:
    joint, found = best.joint, list[Constant]()
    for j, terms in enumerate(one.system):
        for term in terms:
            for place in range(1 + len(term.inner)):
                at = len(found)
                values: tuple[float, ...] = tuple(joint.theta[:, at].tolist())
                told: list[float] = joint.errors[:, at].tolist()
                errors = tuple(error if isfinite(error) else None for error in told)
                differs = not best.same[at]
                follows = followed(values, told, levels) if differs and None not in errors else ()
                found.append(
                    Constant(f"k{at + 1}", j, term.skeleton, place, values, errors, differs, best.gains[at], follows)
                )
    return tuple(found)


def _ratios(best: Shared, constants: Sequence[Constant]) -> tuple[Ratio, ...]:
    """Pairs of coefficients of one equation that differ and whose ratio does not: by chi2, to first order."""
    found: list[Ratio] = []
    covariance = best.joint.covariance
    for (i, one), (j, other) in combinations(enumerate(constants), 2):
        if not (one.differs and other.differs and one.equation == other.equation) or one.place or other.place:
            continue
        a, b = np.array(one.values), np.array(other.values)
        if np.any(a == 0.0):
            continue
        ratio = b / a
        first, second = (np.arange(len(a)) * best.joint.theta.shape[1] + k for k in (i, j))
        vary = covariance[second, second] - 2.0 * ratio * covariance[first, second]
        vary = (vary + ratio**2 * covariance[first, first]) / a**2
        weight = 1.0 / np.maximum(vary, 1e-300)
        mean = float(np.sum(weight * ratio) / np.sum(weight))
        if float(chi2.sf(float(np.sum(weight * (ratio - mean) ** 2)), len(a) - 1)) >= CHANCE:
            found.append(Ratio(one.name, other.name, mean, float(np.sum(weight)) ** -0.5))
    return tuple(found)
