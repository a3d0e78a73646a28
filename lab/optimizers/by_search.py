"""Coefficients by searching all of them at once: the paper's optimizers, on the same objective as our own.

Source: paper, section 3.2 and Table 5; `lab.optimizers.hybrid` has the strategies, docs/decisions/005 why they
are not the default.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.reasons import failed
from dolq_core.numerics.least_squares import left_out
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params
from lab.optimizers.hybrid import Minimum, best_of_three, minimise

Searching: TypeAlias = Literal["bfgs", "de", "hybrid", "best of three"]


def fit_by_search(bench: Workbench, equation: int, skeletons: Sequence[Skeleton], optimizer: Searching) -> EquationFit:
    """Fit one structure as the paper does: the mean squared error over outer and inner parameters together.

    There are no standard errors: where such a search ends need not be a minimum. `strategy` names the optimizer.
    """
    why = "" if not skeletons else next((f"{s}: {w}" for s in skeletons if (w := bench.why_not(s))), "")
    if why or not skeletons:
        return failed(equation, skeletons, why) if why else bench.null(equation)
    b = bench.target.b[equation]
    found = search(model_of(bench, skeletons), b, len(skeletons) + sum(map(count_params, skeletons)), optimizer)
    outer, inner = parameters(found.theta, skeletons)
    columns = [bench.column(s, values) for s, values in zip(skeletons, inner, strict=True)]
    finite = [c for c in columns if c is not None]
    if len(finite) < len(columns) or not np.isfinite(found.mse):
        return failed(equation, skeletons, "the search ended where a term is not finite on the data")
    terms = tuple(FittedTerm(s, c, None, values) for s, c, values in zip(skeletons, outer, inner, strict=True))
    strategy = found.strategy if optimizer != "best of three" else f"best of three: {found.strategy}"
    return bench.scored(equation, terms, found.mse, left_out(np.array(finite), b, bench.target.blocks), strategy)


def search(model: Callable[[Floats], Floats], b: Floats, count: int, optimizer: Searching) -> Minimum:
    """Search `count` parameters by one strategy, or by all three and keep the best."""
    return best_of_three(model, b, count) if optimizer == "best of three" else minimise(model, b, count, optimizer)


def parameters(theta: Floats, skeletons: Sequence[Skeleton]) -> tuple[list[float], list[tuple[float, ...]]]:
    """Split theta into outer coefficients, one per term, and inner parameters per term, which follow them."""
    k = len(skeletons)
    ends = np.cumsum([k, *(count_params(s) for s in skeletons)]).tolist()
    inner = [tuple(theta[first:end].tolist()) for first, end in zip(ends[:-1], ends[1:], strict=True)]
    return theta[:k].tolist(), inner


def model_of(bench: Workbench, skeletons: Sequence[Skeleton]) -> Callable[[Floats], Floats]:
    """Return theta -> left-hand side (M,); NaN where a term is not finite. Columns that stand still are made once."""
    fixed = {i: c for i, s in enumerate(skeletons) if not count_params(s) and (c := bench.column(s)) is not None}
    nothing: Floats = np.zeros_like(bench.target.b[0])
    if len(fixed) == len(skeletons):
        matrix: Floats = np.array(list(fixed.values())).T

        def linear(theta: Floats) -> Floats:
            return np.asarray(matrix @ theta, dtype=np.float64)

        return linear

    def model(theta: Floats) -> Floats:
        outer, inner = parameters(theta, skeletons)
        total = nothing
        for i, (skeleton, coefficient) in enumerate(zip(skeletons, outer, strict=True)):
            column: Floats | None = fixed[i] if i in fixed else bench.column(skeleton, inner[i])
            if column is None:
                return np.full_like(nothing, np.nan)
            total = total + coefficient * column
        return total

    return model
