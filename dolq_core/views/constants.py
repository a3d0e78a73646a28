"""Constants of the law that are one in several places, of two equations or of one: as declared, or as found."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, log, sqrt
from typing import Any, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import is_joint
from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.fitting.equal import KNOWN, SAYING, equal
from dolq_core.fitting.score import INNER
from dolq_core.fitting.whole_runs import System, system_of
from dolq_core.fitting.workbench import TRAJECTORY
from dolq_core.records import TermKey, derivative
from dolq_core.runs import Run, workbench
from dolq_core.terms import Names, to_latex, to_text
from dolq_core.views.numbers import declared_of, pairs, unit_of
from dolq_core.views.system import reported

EXACT = 1e-3
"""Share of a number within which it is known at best: without noise the derivative's error is in no standard error."""
Link: TypeAlias = tuple[int, int, float]
"""Two numbers of the law that are equal, and how many standard errors they are apart as fitted."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a number stands: a term's coefficient, or a number inside it.

    Attributes:
        equation, term: the state's name, and the term as text.
        inner: which of the numbers inside the term; None for the coefficient.
        factor: over the first one of those that are equal.
        latex: all of it.
    """

    equation: str
    term: str
    inner: int | None
    factor: float
    latex: str

    @property
    def text(self) -> str:
        """In words, as it gives the first one: "p1 in S/(p1 + S) in dS/dt", "-2 times coefficient of x in dy/dt"."""
        times = "" if self.factor == 1.0 else f"{1.0 / self.factor:g} times " if self.factor != -1.0 else "minus "
        number = "coefficient of" if self.inner is None else f"p{self.inner + 1} in"
        return f"{times}{number} {self.term} in {derivative(self.equation)}"


@dataclass(frozen=True, slots=True)
class Shared:
    """A number that is one in several places, with value and standard error.

    declared: a person said so; else its values, fitted apart, are equal to within their errors, `apart` of them.
    """

    where: tuple[Spot, ...]
    value: float
    std_error: float | None
    unit: str
    declared: bool = True
    apart: float = 0.0

    @property
    def why(self) -> str:
        """Whether a person declared it, or how far the values are apart as fitted."""
        return "declared" if self.declared else f"equal, {self.apart:.2g} standard errors apart"

    def document(self) -> dict[str, Any]:
        """As it stands in the result document."""
        return {
            "places": [
                {
                    "equation": one.equation,
                    "term": one.term,
                    "parameter": one.inner,
                    "factor": one.factor,
                    "text": one.text,
                }
                for one in self.where
            ],
            "value": self.value,
            "standard_error": self.std_error,
            "unit": self.unit,
            "declared": self.declared,
            "apart": None if self.declared else self.apart,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class _Place:
    """inner: which of the numbers inside the term; None for the coefficient."""

    key: TermKey
    inner: int | None
    value: float


def shared(run: Run) -> tuple[Shared, ...]:
    """Return the numbers of the law that are one in several places, as declared or as found."""
    names = names_of(run.state.problem.dataset)
    said = tuple(
        Shared(
            tuple(_spot(run, names, key, one.inner, by) for key, by in zip(one.places, one.factors, strict=True)),
            one.value,
            one.std_error,
            unit_of(run, one.places[0], one.inner),
        )
        for one in declared_of(run.state)[1]
    )
    return said if is_joint(run.state.problem.blocks) else (*said, *_found(run, names))


def _found(run: Run, names: Names) -> list[Shared]:
    """Return numbers that are equal to within their errors."""
    fits, bench = reported(run.state), workbench(run)
    if not fits:
        return []
    is_whole = all(TRAJECTORY in fit.strategy for fit in fits)  # else its numbers are others than those shown
    found = bench.judged(fits, anew=True) if is_whole else None  # a search leaves other fits than a run read again
    if found is not None and found[1].covariance is not None:
        system, covariance, samples, exact = found[1].system, found[1].covariance, found[0].samples, 0.0
    else:  # equations that were fitted one at a time hang together by nothing that is known
        errors = [error for fit in fits for term in fit.terms for _, error in pairs(term)]
        system, covariance, exact = system_of(fits), np.diag([inf if e is None else e**2 for e in errors]), EXACT
        samples = sum(len(one.t) for one in run.state.problem.dataset.trajectories)
    places = [
        _Place(TermKey(j, term.skeleton), k - 1 if k else None, value)
        for j, terms in enumerate(system)
        for term in terms
        for k, (value, _) in enumerate(pairs(term))
    ]
    spread = covariance + np.diag([(exact * place.value) ** 2 for place in places])
    units = [unit_of(run, place.key, place.inner) for place in places]
    links = [*_across(system, spread, names.symbols, samples), *_within(places, spread, samples)]
    agreed = [one for one in links if units[one[0]] == units[one[1]] or not (units[one[0]] and units[one[1]])]
    return [_joined(run, names, places, covariance, group, apart, units[group[0]]) for group, apart in _groups(agreed)]


def _across(system: System, spread: Floats, symbols: Sequence[str], samples: int) -> Iterator[Link]:
    """Yield the equal numbers of two equations, as the search counts them once."""
    starts: dict[tuple[int, int], int] = {}
    at = 0
    for j, terms in enumerate(system):
        for k, term in enumerate(terms):
            starts[j, k] = at
            at += 1 + len(term.inner)
    for one in equal(system, spread, symbols, samples):
        j, k = one.first
        for inside in [0] * one.outer + list(range(1, 1 + len(system[j][k].inner))) * one.inner:
            yield starts[one.first] + inside, starts[one.second] + inside, one.apart


def _within(places: Sequence[_Place], spread: Floats, samples: int) -> Iterator[Link]:
    """Yield the equal numbers of two terms of one equation: coefficients but for the sign, or numbers inside.

    Equality has to save what it costs to say, and to choose it among all pairs that could be equal.
    """
    for equation in {place.key.equation for place in places}:
        pairs_of = [
            (a, b)
            for a, b in combinations(range(len(places)), 2)
            if places[a].key.equation == places[b].key.equation == equation
            and places[a].key != places[b].key
            and (places[a].inner is None) == (places[b].inner is None)
        ]
        for a, b in pairs_of:
            sure = all(abs(places[k].value) >= KNOWN * sqrt(spread[k, k]) for k in (a, b))
            sign = _sign(places[a], places[b])
            variance = float(spread[a, a] + spread[b, b] - 2.0 * sign * spread[a, b])
            if not sure or variance <= 0.0:
                continue
            apart = abs(places[a].value - sign * places[b].value) / sqrt(variance)
            saved = 0.5 * log(max(samples, 2)) + (0.0 if places[a].inner is None else INNER)
            if saved - SAYING - log(len(pairs_of)) > 0.5 * apart**2:
                yield a, b, apart


def _sign(one: _Place, other: _Place) -> float:
    return -1.0 if one.inner is None and one.value * other.value < 0.0 else 1.0


def _groups(links: Sequence[Link]) -> list[tuple[list[int], float]]:
    """Return the numbers that hang together by links, and how far two of them are apart at most."""
    found: list[tuple[set[int], float]] = []
    for a, b, apart in links:
        met = [one for one in found if a in one[0] or b in one[0]]
        whole = {a, b}.union(*(group for group, _ in met))
        found = [one for one in found if one not in met] + [(whole, max([apart, *(far for _, far in met)]))]
    return [(sorted(group), apart) for group, apart in found]


def _joined(
    run: Run, names: Names, places: Sequence[_Place], covariance: Floats, group: list[int], apart: float, unit: str
) -> Shared:
    """Return one row for equal numbers: their mean by their covariance."""
    first = places[group[0]]
    signs = np.array([_sign(first, places[k]) for k in group])
    weights = np.linalg.pinv(covariance[np.ix_(group, group)] * np.outer(signs, signs)).sum(axis=1)
    value = float(weights @ (signs * [places[k].value for k in group]) / weights.sum())
    where = (_spot(run, names, places[k].key, places[k].inner, s) for k, s in zip(group, signs.tolist(), strict=True))
    return Shared(tuple(where), value, float(weights.sum() ** -0.5), unit, declared=False, apart=apart)


def _spot(run: Run, names: Names, key: TermKey, inner: int | None, factor: float) -> Spot:
    times = "" if factor == 1.0 else rf"{1.0 / factor:g} \times " if factor != -1.0 else "-"
    number = "" if inner is None else rf"p_{{{inner + 1}}} \text{{ in }} "
    where = rf"{times}{number}{to_latex(key.skeleton, names)} \text{{ in }} {latex.left_side(names, key.equation)}"
    name = run.state.problem.dataset.states[key.equation].name
    return Spot(name, to_text(key.skeleton, names), inner, factor, where)
