"""Every number of the law with its error and unit, and how well each is known."""

from dataclasses import dataclass, replace
from math import isfinite

from dolq_core.blocks import FREE
from dolq_core.export.latex import in_latex, in_text
from dolq_core.fitting import names_of
from dolq_core.fitting.declared import One, declared
from dolq_core.fitting.profile import LIMIT, Profile
from dolq_core.fitting.unmeasured import acting
from dolq_core.records import Dataset, FittedTerm, RunState, TermKey, may_be_zero
from dolq_core.runs import Run, workbench
from dolq_core.terms import Names, to_latex, to_text
from dolq_core.views.system import reported
from dolq_core.views.terms import unit_badge

__all__ = ["LIMIT", "Number", "Profile", "declared_of", "numbers", "pairs", "profiled", "unit_of"]

BELOW, ABOVE = 2.0, 3.0
"""Times the value that a coefficient can be moved on either side of zero: -2 and 3."""
ERRORS = 5.0
"""Standard errors that a number can be moved at least."""
STEPS = 250


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the law.

    Attributes:
        inner: which of the numbers inside the term it is; None for the coefficient in front.
        text: the term, or the number's letter and the term that it stands in; latex: the term, in which a number inside
            stands as its letter.
        declared: what a person has said of it: "given", "at its limit", "shared"; or whose scale it sets, of a hidden
            state; empty for nothing.
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
        return may_be_zero(self.value, self.std_error)

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
    said, _ = declared_of(state)
    return tuple(
        number
        for best in state.best
        if best is not None
        for term in best.reported.terms
        for number in _of_term(run, names, TermKey(best.fit.equation, term.skeleton), term, said)
    )


def _of_term(run: Run, names: Names, key: TermKey, term: FittedTerm, said: dict[TermKey, str]) -> list[Number]:
    name = run.state.problem.dataset.states[key.equation].name
    text, shape = to_text(term.skeleton, names), to_latex(term.skeleton, names)
    own = Number(
        key, name, None, in_text(term, names), in_latex(term, names),
        term.coefficient, term.std_error, unit_of(run, key, None), said.get(key, ""),
    )  # fmt: skip
    _, *inside = pairs(term)
    return [
        own,
        *(
            replace(
                own, inner=k, text=f"p{k + 1} in {text}", latex=shape, value=value,
                std_error=error, unit=unit_of(run, key, k), declared="",
            )
            for k, (value, error) in enumerate(inside)
        ),
    ]  # fmt: skip


def declared_of(state: RunState) -> tuple[dict[TermKey, str], tuple[One, ...]]:
    """Return what a person has declared of the law's numbers (`fitting.declared`)."""
    fits = [visited.reported for visited in state.best if visited is not None]
    said, ones = declared(state.problem.blocks, fits) if state.problem.blocks != FREE else ({}, ())
    return said | _scales(state.problem.dataset), ones


def _scales(dataset: Dataset) -> dict[TermKey, str]:
    """Return of each term by which a hidden state acts what its coefficient, one, is for."""
    hidden = [(one.column, acting(dataset, one)) for one in dataset.unmeasured if one.term]
    return {TermKey(how.on, how.term): f"sets the scale of {name}" for name, how in hidden}


def pairs(term: FittedTerm) -> list[tuple[float, float | None]]:
    """Return every number of a term with its error."""
    return [(term.coefficient, term.std_error), *term.inside]


def unit_of(run: Run, key: TermKey, inner: int | None) -> str:
    """Return the unit of a number; empty for none or unknown."""
    badge = unit_badge(run, key)
    return "" if badge is None else badge.coefficient if inner is None else badge.inside.get(inner, "")


def profiled(run: Run, place: int) -> Profile | None:
    """Return how well the number at a place of `numbers` is told; None where an equation is missing or runs away."""
    fits, every = reported(run.state), numbers(run)
    return workbench(run).whole.profile(fits, place, every[place].std_error) if fits else None
