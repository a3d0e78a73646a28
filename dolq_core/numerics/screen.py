"""Which combinations of starts to refine: all are tried at once, by what their columns leave of the target."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from scipy.linalg import lapack

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.rounding import squares

_dgeqrf, _dorgqr = (cast(Callable[..., tuple[Any, ...]], getattr(lapack, name)) for name in ("dgeqrf", "dorgqr"))

LEADERS = 6
"""Combinations of starts of all terms that are kept."""
EXPLAINED = 1e-20
"""Squared share of a column that the others do not explain, below which it adds nothing."""


def leaders(b: Floats, fixed: Floats, grids: Sequence[Floats]) -> list[tuple[int, ...]]:
    """Return the best combinations, one start per term, the best first: term after term, keeping the LEADERS best.

    Args:
        b: (M,) left-hand side.
        fixed: (f, M) columns of terms without inner parameters.
        grids: per term its columns (s, M), one per start; a later term stands at its middle start until its turn.
    """
    beams: list[tuple[int, ...]] = [()]
    for i, grid in enumerate(grids):
        rest = [g[len(g) // 2] for g in grids[i + 1 :]]
        scored = np.array(
            [_left(b, np.array([*fixed, *(grids[k][j] for k, j in enumerate(beam)), *rest]), grid) for beam in beams]
        )
        order: Ints = np.argsort(scored, axis=None, kind="stable")[:LEADERS]
        beams = [(*beams[n // len(grid)], n % len(grid)) for n in order.tolist()]
    return beams


def _left(b: Floats, base: Floats, grid: Floats) -> Floats:
    """Return the squares (s,) that the base (k, M) and one column of the grid (s, M) together leave of b."""
    own = np.einsum("ij,ij->i", grid, grid)
    if len(base):
        packed, tau, _, _ = _dgeqrf(base.T)
        q = _dorgqr(packed[:, : len(tau)], tau)[0]
        b, grid = b - q @ (q.T @ b), grid - (grid @ q) @ q.T
    new = np.einsum("ij,ij->i", grid, grid)
    gain = np.square(grid @ b) / np.where(new > EXPLAINED * own, new, np.inf)
    return squares(float(b @ b) - gain, float(b @ b))
