"""Terms whose inner parameters do next to nothing on the data: x*exp(p*y) with p near zero is x."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.on_samples import values_on_samples
from dolq_core.records import Dataset, FittedTerm, RunState, TermKey
from dolq_core.terms import Skeleton, count_params, parse_term, variables

ALIKE = 0.9995
"""Cosine of the values on the samples from which a term looks like a product of powers: a difference of 3 %."""
DEGREE = 3
UNCOMPARED = -1
"""Stands for a number of rivals that is not known yet."""


def plainer(state: RunState, equation: int) -> tuple[Skeleton, ...]:
    """Return the best structure with products of powers in place of the terms that look like them, as fitted.

    Under noise such a term can reach the floor first; what it is taken for has to be fitted before the run may end.
    Empty where no term looks like one, where that structure was fitted already, and where a term of it is banned.
    """
    best = state.best[equation] if state.best else None
    if best is None or best.fit.failure:
        return ()
    fit = best.refined or best.fit
    found = {_plain(state.problem.dataset, term) for term in fit.terms}
    tried = (equation, tuple(sorted(found))) in state.archive
    banned = any(TermKey(equation, skeleton) in state.bans for skeleton in found)
    return () if tried or banned or found == {term.skeleton for term in fit.terms} else tuple(sorted(found))


def rivals_of(state: RunState, equation: int) -> int:
    """Return how many other structures explain an equation as well as its best one.

    0 where data are clean or few, UNCOMPARED where a person's word brought another best one since the last look.
    """
    found = state.last.rivals if state.last else ()
    return found[equation] if found else 0


def imitated(dataset: Dataset, term: FittedTerm, skeletons: Sequence[Skeleton]) -> Skeleton | None:
    """Return which of some terms without inner parameters a term with some looks like on the samples, as fitted."""
    plain = [skeleton for skeleton in skeletons if not count_params(skeleton)]
    if not term.inner or not plain:
        return None
    rows = values_on_samples(dataset, [(term.skeleton, term.inner), *((skeleton, ()) for skeleton in plain)])
    return next((s for s, cosine in zip(plain, cosines(rows[0], rows[1:]), strict=True) if cosine >= ALIKE), None)


def _plain(dataset: Dataset, term: FittedTerm) -> Skeleton:
    """Return the product of powers of the term's own variables that it looks like, the simplest first; else itself."""
    symbols = [variable.symbol for variable in (*dataset.states, *dataset.inputs)]
    own = sorted(variables(term.skeleton) & set(symbols))
    if not term.inner or not own:
        return term.skeleton
    texts = ["*".join(some) or "1" for n in range(DEGREE + 1) for some in combinations_with_replacement(own, n)]
    powers = list(dict.fromkeys(parse_term(text, symbols).skeleton for text in texts))
    return imitated(dataset, term, powers) or term.skeleton


def cosines(row: Floats, others: Floats) -> Sequence[float]:
    """Return the size of the cosine between a row (N,) and each of others (k, N); 0 for zeros."""
    sizes = float(np.linalg.norm(row)) * np.linalg.norm(others, axis=1)
    return np.divide(np.abs(others @ row), sizes, out=np.zeros(len(others)), where=sizes > 0.0).tolist()
