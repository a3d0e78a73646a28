"""Where a fitted term is infinite: sums with fitted numbers that it divides by."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.terms.evaluate import compile_tree
from dolq_core.terms.expr import Add, Call, Expr, Num, Pow, Skeleton, params_in, walk
from dolq_core.terms.reader import read


@lru_cache(maxsize=4096)
def divisors(skeleton: Skeleton) -> tuple[Expr, ...]:
    """Return the sums with numbers to be fitted that a term divides by, but for those of functions.

    (p + x)/(1 - exp(-p - x)) has none: where its divisor is zero, so is what it divides.
    """
    found = (
        node
        for node in walk(read(skeleton))
        if isinstance(node, Pow) and isinstance(node.exponent, Num) and node.exponent.value < 0.0
    )
    sums = (node.base for node in found if isinstance(node.base, Add) and params_in(node.base))
    return tuple(dict.fromkeys(one for one in sums if not any(isinstance(part, Call) for part in walk(one))))


def is_infinite_between(
    skeleton: Skeleton, symbols: tuple[str, ...], x: Floats, t: Floats, inner: Sequence[float]
) -> bool:
    """Whether a term goes through a pole between two of the points x (d, N) of one run at t (N,)."""
    values = (compile_tree(divisor, symbols)(x, t, inner) for divisor in divisors(skeleton))
    return any(np.min(one) < 0.0 < np.max(one) for one in values)
