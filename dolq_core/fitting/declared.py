"""Which numbers of a law a person has declared: known ones, those at a limit, and one number in several places."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dolq_core.fitting.restriction import law_of, places_of, restriction_of
from dolq_core.fitting.trajectories import coefficients
from dolq_core.records import Blocks, EquationFit, TermKey

GIVEN, LIMIT, SHARED = "given", "at its limit", "shared"


@dataclass(frozen=True, slots=True)
class One:
    """A number that stands in several places.

    Attributes:
        places: the terms; inner: which of their numbers, None for their coefficients.
        factors: each number over the first one.
        value, std_error: of the first one.
    """

    places: tuple[TermKey, ...]
    inner: int | None
    factors: tuple[float, ...]
    value: float
    std_error: float | None


def declared(blocks: Blocks, fits: Sequence[EquationFit]) -> tuple[dict[TermKey, str], tuple[One, ...]]:
    """Return what is declared of coefficients, in a word, and the numbers that are one in several places."""
    rule = restriction_of(blocks, law_of(fits))
    if rule is None:
        return {}, ()
    z = rule.reduced(coefficients(fits))
    held = rule.held(z, rule.at_limits(z))
    keys = [(TermKey(fit.equation, term.skeleton), term) for fit in fits for term in fit.terms]
    places: list[tuple[TermKey, int | None, float, float | None]] = []
    for key, term in keys:
        places.append((key, None, term.coefficient, term.std_error))
        errors = (*term.inner_errors, *[None] * len(term.inner))
        places += [(key, k, value, errors[k]) for k, value in enumerate(term.inner)]
    outer = places_of([term.skeleton for _, term in keys])
    said: dict[TermKey, str] = {}
    for (key, _), k in zip(keys, outer, strict=True):
        if not held.moves[k]:
            said[key] = LIMIT if rule.moves[k] else GIVEN
    ones: list[One] = []
    for column in held.free.T:
        rows = [k for k in np.flatnonzero(column).tolist() if np.count_nonzero(held.free[k]) == 1]
        if len(rows) > 1:
            key, inner, value, error = places[rows[0]]
            factors = tuple(float(column[k] / column[rows[0]]) for k in rows)
            ones.append(One(tuple(places[k][0] for k in rows), inner, factors, value, error))
            said.update({places[k][0]: SHARED for k in rows if places[k][1] is None})
    return said, tuple(ones)
