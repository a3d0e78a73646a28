"""Whether a law has the true terms and coefficients: one measure for ours and for PySINDy's."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.laws import Part, compared, law_of_texts
from dolq_core.terms import Skeleton
from lab.campaign import Case
from lab.campaign.expand import expanded
from lab.campaign.laws import names_of

CLOSE = 0.05


@dataclass(frozen=True, slots=True)
class Marks:
    """What a law is worth.

    Attributes:
        exact: all terms of all equations and no others, sums multiplied out.
        close: exact, and each coefficient within 5 %.
        whole: the matrix of coefficients is within 5 % of the true one in the spectral norm, whatever its terms.
    """

    exact: bool
    close: bool
    whole: bool


NONE = Marks(exact=False, close=False, whole=False)


def marks(case: Case, texts: tuple[str, ...]) -> Marks:
    """Score a law that is written in the names of the case; without one, nothing is right."""
    if len(texts) != len(case.equations):
        return NONE
    names = names_of(case)
    found, true = ([dict(_sums(parts)) for parts in law_of_texts(one, names)] for one in (texts, case.equations))
    matched = [_matched(mine, theirs) for mine, theirs in zip(found, true, strict=True)]
    exact = all(one is not None for one in matched)
    close = exact and all(abs(a - b) <= CLOSE * abs(b) for pairs in matched for a, b in pairs or ())
    columns = sorted({term for law in (*found, *true) for term in law})
    return Marks(exact, close, _distance(_matrix(found, columns), _matrix(true, columns)) < CLOSE)


def _sums(parts: Sequence[Part]) -> list[tuple[Skeleton, float]]:
    """Return the terms of an equation multiplied out, those of one form as one."""
    total: dict[Skeleton, float] = {}
    for part in parts:
        for term, value in expanded(*part):
            total[term] = total.get(term, 0.0) + value
    return list(total.items())


def _matched(found: dict[Skeleton, float], true: dict[Skeleton, float]) -> list[tuple[float, float]] | None:
    """Return pairs of coefficients, found and true; None where the terms differ. Constants inside: within 5 %."""
    missed, beyond = compared(list(found), list(true))
    if missed or beyond:
        return None
    pairs = [(mine, next(term for term in true if not compared([mine], [term])[0])) for mine in found]
    return [(found[mine], true[theirs]) for mine, theirs in pairs]


def _matrix(law: list[dict[Skeleton, float]], columns: list[Skeleton]) -> Floats:
    return np.array([[parts.get(term, 0.0) for term in columns] for parts in law])


def _distance(found: Floats, true: Floats) -> float:
    return float(np.linalg.norm(found - true, 2) / np.linalg.norm(true, 2))
