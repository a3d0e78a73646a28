"""The paper's three optimizers as it describes them: BFGS, differential evolution, and one after the other.

Source: paper, section 3.2 and Table 5. They search all coefficients at once for the least mean squared error,
linear ones too. Least squares and variable projection do the same for a thousandth of the cost
(docs/decisions/005-optimizer.md); these stay for comparison, and for surfaces with many valleys.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias

import numpy as np
from scipy.optimize import Bounds, differential_evolution, minimize

from dolq_core.arrays import Floats

Strategy: TypeAlias = Literal["bfgs", "de", "hybrid"]
STRATEGIES: tuple[Strategy, ...] = ("bfgs", "de", "hybrid")

BFGS_TOLERANCE = 1e-9  # Table 5
DE_STRATEGY = "best1bin"  # Table 5
DE_POPULATION = 20  # Table 5; per parameter
DE_TOLERANCE = 1e-5  # Table 5
DE_GENERATIONS = 1000  # SciPy's default; the paper names no other
DE_BOUND = 10.0  # each parameter is sought in [-10, 10]; the paper names no bounds


@dataclass(frozen=True, slots=True)
class Minimum:
    """The best parameters (p,) that a strategy found, their mean squared error, and the evaluations spent."""

    strategy: Strategy
    theta: Floats
    mse: float
    evaluations: int


def minimise(
    model: Callable[[Floats], Floats], target: Floats, count: int, strategy: Strategy, seed: int = 0
) -> Minimum:
    """Fit `count` parameters so that model(theta) (M,) meets target (M,).

    A model value that is not finite makes the error infinite (paper, appendix: implementation details).
    """
    spent = 0

    def mse(theta: Floats) -> float:
        nonlocal spent
        spent += 1
        with np.errstate(all="ignore"):
            error = float(np.mean((target - model(theta)) ** 2))
        return error if np.isfinite(error) else inf

    if strategy == "bfgs":
        theta = _bfgs(mse, np.ones(count))
    else:
        theta = _de(mse, count, seed)
        if strategy == "hybrid":
            theta = min((theta, _bfgs(mse, theta)), key=mse)
    return Minimum(strategy, theta, mse(theta), spent)


def best_of_three(model: Callable[[Floats], Floats], target: Floats, count: int, seed: int = 0) -> Minimum:
    """Return the best of the three strategies, with the evaluations of all (paper, section 3.2)."""
    found = [minimise(model, target, count, strategy, seed) for strategy in STRATEGIES]
    best = min(found, key=lambda minimum: minimum.mse)
    return Minimum(best.strategy, best.theta, best.mse, sum(minimum.evaluations for minimum in found))


def _bfgs(mse: Callable[[Floats], float], start: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return np.asarray(minimize(mse, start, method="BFGS", options={"gtol": BFGS_TOLERANCE}).x, dtype=np.float64)


def _de(mse: Callable[[Floats], float], count: int, seed: int) -> Floats:
    found = differential_evolution(
        mse,
        Bounds(np.full(count, -DE_BOUND), np.full(count, DE_BOUND)),
        strategy=DE_STRATEGY,
        maxiter=DE_GENERATIONS,
        popsize=DE_POPULATION,
        tol=DE_TOLERANCE,
        polish=False,
        rng=np.random.default_rng(seed),
    )
    return np.asarray(found.x, dtype=np.float64)
