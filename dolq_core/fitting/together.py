"""A whole system fitted on its target at once, where numbers of its equations are one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import is_joint
from dolq_core.fitting.coefficients import bare_terms, rows_of, with_numbers
from dolq_core.fitting.restriction import law_of, restriction_of
from dolq_core.fitting.trajectories import coefficients
from dolq_core.fitting.within import Shape, within
from dolq_core.records import EquationFit

if TYPE_CHECKING:
    from dolq_core.fitting.equations import Equations

SMALLEST = 1e-9
"""Of the size of a left-hand side: its rows are never taken for more precise than that."""


def together(bench: "Equations", fits: Sequence[EquationFit]) -> tuple[EquationFit, ...]:
    """Return the system with the numbers that its rules make one; as it is where none does, or nothing fits.

    Every equation counts by what its own fit leaves. Scores of few samples stay those of single equations.
    """
    rule = restriction_of(bench.blocks, law_of(fits))
    if rule is None or not is_joint(bench.blocks) or any(fit.failure or not fit.terms for fit in fits):
        return tuple(fits)
    own = [bench.for_equation(fit.equation) for fit in fits]
    b = [one.target.b[fit.equation] for one, fit in zip(own, fits, strict=True)]
    worth = [1.0 / _error(one, fit) for one, fit in zip(own, fits, strict=True)]
    ends = np.cumsum([0, *map(len, b)])
    places = [(j, term.skeleton) for j, fit in enumerate(fits) for term in fit.terms]

    def row(k: int, inner: Sequence[float]) -> Floats | None:
        j, skeleton = places[k]
        column = own[j].column(skeleton, inner)
        if column is None:
            return None
        whole = np.zeros(ends[-1])
        whole[ends[j] : ends[j + 1]] = column * worth[j]
        return whole

    left = np.concatenate([part * weight for part, weight in zip(b, worth, strict=True)])
    shape = Shape([skeleton for _, skeleton in places], row)
    found = within(shape, left, rule, [coefficients(fits)], sum(one.target.effective for one in own))
    if found is None:
        return tuple(fits)
    numbers = found[0]
    terms, _ = with_numbers(bare_terms(shape.skeletons, numbers), numbers.linear)
    told = numbers.linear.correlation
    done: list[EquationFit] = []
    for j, (one, fit) in enumerate(zip(own, fits, strict=True)):
        mine = [k for k, (i, _) in enumerate(places) if i == j]
        moved = replace(fit, terms=tuple(terms[k] for k in mine))
        rows = rows_of(told[np.ix_(mine, mine)])
        new = one.measured(moved, "one fit of the whole system")
        score = one.scored(fit.equation, new.terms, new.mse, new.mse, "", ahead=False).score
        done.append(replace(new, correlation=rows, score=fit.score if bench.is_sparse else score))
    return tuple(done)


def _error(bench: "Equations", fit: EquationFit) -> float:
    j = fit.equation
    return max(float(np.sqrt(fit.mse)), SMALLEST * float(np.sqrt(bench.power(j))), 1e-300)
