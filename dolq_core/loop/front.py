"""The Pareto front of an equation's archive: the least error for each number of terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log10

from dolq_core.records import EquationFit, RunState


@dataclass(frozen=True, slots=True)
class Front:
    """Structures of one equation that nothing smaller beats.

    Attributes:
        points: by number of terms, `front_error` falling; every one is in the archive.
        dominated: the other structures that could be fitted.
        knee: index in `points` of the structure after which more terms bring little; None below three points.
    """

    points: tuple[EquationFit, ...]
    dominated: tuple[EquationFit, ...]
    knee: int | None


def front_error(fit: EquationFit) -> float:
    """Return the error that the front compares: held out, or on left-out blocks where nothing is held out."""
    return fit.cv_nmse if fit.held_out is None else fit.held_out


def front(state: RunState, equation: int) -> Front:
    """Return the front of an equation: number of terms against `front_error`."""
    fits = [v.fit for (j, _), v in state.archive.items() if j == equation and isfinite(front_error(v.fit))]
    ranked = sorted(fits, key=lambda fit: (len(fit.terms), front_error(fit)))
    points: list[EquationFit] = []
    for fit in ranked:
        if not points or front_error(fit) < front_error(points[-1]):
            points.append(fit)
    chosen = {id(fit) for fit in points}
    return Front(tuple(points), tuple(fit for fit in ranked if id(fit) not in chosen), knee(points))


def knee(points: Sequence[EquationFit]) -> int | None:
    """Return the point farthest below the straight line from the first to the last, error on a log axis.

    The rule of Satopaa et al., "Finding a kneedle in a haystack" (2011), without its smoothing. None below three
    points, or where no point lies below the line.
    """
    if len(points) < 3:
        return None
    height = [log10(max(front_error(fit), 1e-300)) for fit in points]
    width = [len(fit.terms) for fit in points]
    slope = (height[-1] - height[0]) / (width[-1] - width[0])
    depth = [height[0] + slope * (w - width[0]) - h for w, h in zip(width, height, strict=True)]
    deepest = max(range(len(points)), key=lambda i: depth[i])
    return deepest if depth[deepest] > 0 else None
