"""Every number of the law with its error and unit, those that are one in several places, and how well each is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf, isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, is_joint
from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.fitting.declared import One, declared
from dolq_core.fitting.equal import Equal, equal
from dolq_core.fitting.profile import LIMIT, Profile
from dolq_core.fitting.whole_runs import System, system_of
from dolq_core.loop.status import SIGNIFICANT
from dolq_core.records import FittedTerm, RunState, TermKey
from dolq_core.runs import Run, workbench
from dolq_core.terms import Names, to_latex, to_text
from dolq_core.views.system import reported
from dolq_core.views.terms import unit_badge

__all__ = ["LIMIT", "Number", "Profile", "Shared", "numbers", "profiled", "shared"]

BELOW, ABOVE = 2.0, 3.0
"""Times the value that a coefficient can be moved on either side of zero: -2 and 3."""
ERRORS = 5.0
"""Standard errors that a number can be moved at least."""
STEPS = 250
EXACT = 1e-3
"""Share of a number within which it is known at best: without noise the derivative's error is in no standard error."""


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the law.

    Attributes:
        inner: which of the numbers inside the term it is; None for the coefficient in front.
        text: the term, or the number's letter and the term that it stands in; latex: the term, in which a number inside
            stands as its letter.
        declared: what a person has said of it: "given", "at its limit", "shared"; empty for nothing.
    """

    key: TermKey
    equation_name: str
    inner: int | None
    text: str
    latex: str
    value: float
    std_error: float | None
    unit: str
    declared: str

    @property
    def may_be_zero(self) -> bool:
        """Whether its 95 % interval holds zero."""
        return self.std_error is not None and abs(self.value) < SIGNIFICANT * self.std_error

    @property
    def low(self) -> float:
        """The least value that it can be moved to; zero and the fitted value lie in the range."""
        return self._range[0]

    @property
    def high(self) -> float:
        """The largest one."""
        return self._range[1]

    @property
    def step(self) -> float:
        """The smallest move; from `low` a whole number of them leads to the fitted value."""
        return (self.high - self.low) / STEPS

    @property
    def _range(self) -> tuple[float, float]:
        """A coefficient may change its sign; a number inside a term, whose sign a pole may hang on, may not."""
        below, above = (BELOW, ABOVE) if self.inner is None else (0.0, 2.0)
        reach = ERRORS * self.std_error if self.std_error is not None and isfinite(self.std_error) else 0.0
        if self.inner is None and 2.0 * reach > (below + above) * abs(self.value):
            return self.value - reach, self.value + reach
        if self.value == 0.0:
            return -1.0, 1.0
        ends = (-below * self.value, above * self.value)
        return min(ends), max(ends)


def numbers(run: Run) -> tuple[Number, ...]:
    """Return the numbers of the best equations: per term the coefficient, then those inside it."""
    state, names = run.state, names_of(run.state.problem.dataset)
    said, _ = _declared(state)
    return tuple(
        number
        for best in state.best
        if best is not None
        for term in (best.refined or best.fit).terms
        for number in _of_term(run, names, TermKey(best.fit.equation, term.skeleton), term, said)
    )


def _of_term(run: Run, names: Names, key: TermKey, term: FittedTerm, said: dict[TermKey, str]) -> list[Number]:
    name = run.state.problem.dataset.states[key.equation].name
    text, shape = to_text(term.skeleton, names), to_latex(term.skeleton, names)
    own = Number(
        key, name, None, to_text(term.skeleton, names, term.inner), to_latex(term.skeleton, names, term.inner),
        term.coefficient, term.std_error, _unit(run, key, None), said.get(key, ""),
    )  # fmt: skip
    _, *inside = _pairs(term)
    return [
        own,
        *(
            replace(
                own, inner=k, text=f"p{k + 1} in {text}", latex=shape, value=value,
                std_error=error, unit=_unit(run, key, k), declared="",
            )
            for k, (value, error) in enumerate(inside)
        ),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shared:
    """A number that is one in several places: LaTeX of each place, value and standard error.

    declared: a person said so; else its values, fitted apart, are equal to within their errors, `apart` of them.
    """

    where: tuple[str, ...]
    value: float
    std_error: float | None
    unit: str
    declared: bool = True
    apart: float = 0.0


def shared(run: Run) -> tuple[Shared, ...]:
    """Return the numbers of the law that are one in several places, as declared or as found."""
    names = names_of(run.state.problem.dataset)
    said = tuple(
        Shared(
            _places(names, one.places, one.factors, one.inner),
            one.value,
            one.std_error,
            _unit(run, one.places[0], one.inner),
        )
        for one in _declared(run.state)[1]
    )
    return said if is_joint(run.state.problem.blocks) else (*said, *_equal(run, names))


def _declared(state: RunState) -> tuple[dict[TermKey, str], tuple[One, ...]]:
    fits = [visited.refined or visited.fit for visited in state.best if visited is not None]
    return declared(state.problem.blocks, fits) if state.problem.blocks != FREE else ({}, ())


def _equal(run: Run, names: Names) -> list[Shared]:
    """Return numbers of two equations that are equal to within their errors, as the search counts them once."""
    fits, bench = reported(run.state), workbench(run)
    if len(fits) < 2:
        return []
    found = bench.judged(fits)
    if found is not None and found[1].covariance is not None:
        system, covariance, samples, exact = found[1].system, found[1].covariance, found[0].samples, 0.0
    else:  # equations that were fitted one at a time hang together by nothing that is known
        errors = [error for fit in fits for term in fit.terms for _, error in _pairs(term)]
        system, covariance, exact = system_of(fits), np.diag([inf if e is None else e**2 for e in errors]), EXACT
        samples = sum(len(one.t) for one in run.state.problem.dataset.trajectories)
    values = np.array([value for terms in system for term in terms for value, _ in _pairs(term)])
    same = equal(system, covariance + np.diag((exact * values) ** 2), names.symbols, samples)
    return [shared for one in same for shared in _joined(run, one, system, covariance, names)]


def _pairs(term: FittedTerm) -> list[tuple[float, float | None]]:
    """Return every number of a term with its error."""
    inner = zip_longest(term.inner, term.inner_errors[: len(term.inner)])
    return [(term.coefficient, term.std_error), *inner]


def _unit(run: Run, key: TermKey, inner: int | None) -> str:
    """Return the unit of a number; empty for none or unknown."""
    badge = unit_badge(run, key)
    return "" if badge is None else badge.coefficient if inner is None else badge.inside.get(inner, "")


def _joined(run: Run, one: Equal, system: System, covariance: Floats, names: Names) -> list[Shared]:
    """Return one row for each of the equal numbers of two terms: the mean by their covariance."""
    terms = [system[j][k] for j, k in (one.first, one.second)]
    keys = [TermKey(j, term.skeleton) for (j, _), term in zip((one.first, one.second), terms, strict=True)]
    at = [_place(system, *place) for place in (one.first, one.second)]
    which = ([None] if one.outer else []) + (list(range(len(terms[0].inner))) if one.inner else [])
    found: list[Shared] = []
    for inner in which:
        unit, other = (_unit(run, key, inner) for key in keys)
        if unit and other and unit != other:
            continue
        k = 0 if inner is None else 1 + inner
        first, second = (term.coefficient if inner is None else term.inner[inner] for term in terms)
        sign = 1.0 if first * second > 0.0 else -1.0
        pair = covariance[np.ix_([a + k for a in at], [a + k for a in at])] * np.outer((1.0, sign), (1.0, sign))
        weights = np.linalg.pinv(pair).sum(axis=1)
        value = float(weights @ (first, sign * second) / weights.sum())
        where = _places(names, keys, (1.0, sign), inner)
        found.append(Shared(where, value, float(weights.sum() ** -0.5), unit, declared=False, apart=one.apart))
    return found


def _place(system: System, equation: int, term: int) -> int:
    """Return the place of a term's coefficient among all numbers."""
    terms = [t for j, own in enumerate(system) for k, t in enumerate(own) if (j, k) < (equation, term)]
    return sum(1 + len(t.inner) for t in terms)


def _places(names: Names, keys: Sequence[TermKey], factors: Sequence[float], inner: int | None) -> tuple[str, ...]:
    """Write the number by its first place, and each further one with its factor."""
    number = "" if inner is None else rf"p_{{{inner + 1}}} \text{{ in }} "
    said: list[str] = []
    for key, factor in zip(keys, factors, strict=True):
        times = "" if factor == 1.0 else rf"{factor:g} \times " if factor != -1.0 else "-"
        state = latex.left_side(names, key.equation)
        said.append(rf"{times}{number}{to_latex(key.skeleton, names)} \text{{ in }} {state}")
    return tuple(said)


def profiled(run: Run, place: int) -> Profile | None:
    """Return how well the number at a place of `numbers` is told; None where an equation is missing or runs away."""
    fits, every = reported(run.state), numbers(run)
    return workbench(run).whole.profile(fits, place, every[place].std_error) if fits else None
