"""Numbers between two starts of a term: what it could leave beside other columns, before it is fitted.

Starts stand three times apart. Where noise is small, one that is twice off looks hopeless, however well the term fits
once its number does; a column halfway and either of its neighbours together leave about what a number between leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import copysign, sqrt

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.atoms import FREE, TINY, Atoms, Chosen
from dolq_core.arrays import Floats, Ints
from dolq_core.fitting import Workbench
from dolq_core.numerics.rounding import squares
from dolq_core.terms import Skeleton


@dataclass(frozen=True, slots=True)
class Between:
    """Columns halfway between neighbouring starts of one sign, of terms with one inner parameter.

    Attributes:
        ends: (2, B) the columns at both starts; terms: the term and the number of each column; rows: (B, M) of unit
            length.
    """

    ends: Ints
    terms: tuple[tuple[Skeleton, float], ...]
    rows: Floats

    @classmethod
    def of(cls, near: Workbench, atoms: Atoms, moving: Mapping[Skeleton, Sequence[int]]) -> "Between":
        """Return those of some terms, by the columns of their starts."""
        pairs: list[tuple[int, int]] = []
        terms: list[tuple[Skeleton, float]] = []
        rows: list[Floats] = []
        for skeleton, index in moving.items():
            ends, values = _halfway(atoms, index)
            found = near.columns.stack(skeleton, np.array(values)[:, None]) if values else ()
            for pair, value, row in zip(ends, values, found, strict=True):
                size = float(np.linalg.norm(row))
                if TINY < size < np.inf:
                    pairs.append(pair)
                    terms.append((skeleton, value))
                    rows.append(row / size)
        return cls(np.array(pairs, dtype=np.int64).reshape(-1, 2).T, tuple(terms), np.array(rows))

    def left(self, atoms: Atoms, chosen: Chosen) -> Floats:
        """Squared residual (B,) of b on the chosen columns and each of these with the better of its neighbours."""
        return np.minimum(*(left_with_both(atoms, chosen, index, self.rows) for index in self.ends))


def _halfway(atoms: Atoms, index: Sequence[int]) -> tuple[list[tuple[int, int]], list[float]]:
    """Return neighbouring starts of a term, and the geometric mean of each two."""
    starts = sorted((atoms.inner[i][0], i) for i in index if len(atoms.inner[i]) == 1)
    near = [(low, high) for low, high in pairwise(starts) if low[0] * high[0] > 0.0]
    return [(i, k) for (_, i), (_, k) in near], [copysign(sqrt(p * q), p) for (p, _), (q, _) in near]


def left_with_both(atoms: Atoms, chosen: Chosen, first: Ints, rows: Floats) -> Floats:
    """Squared residual (B,) of b on the chosen columns, each of `first` and the row (M,) of unit length beside it.

    inf where one adds nothing new.
    """
    clock.check()
    one, two, b = atoms.a[first], rows, atoms.b
    if chosen:
        q, _ = np.linalg.qr(atoms.a[list(chosen)].T)
        b = b - q @ (q.T @ b)
        one, two = one - (one @ q) @ q.T, two - (two @ q) @ q.T
    free, other, across = (np.einsum("ij,ij->i", x, y) for x, y in ((one, one), (two, two), (one, two)))
    g, h = one @ b, two @ b
    apart = free * other - across**2
    new = (free > FREE) & (other > FREE) & (apart > FREE)
    gain = np.divide(g**2 * other + h**2 * free - 2.0 * g * h * across, apart, out=np.zeros_like(g), where=new)
    taken = np.isin(atoms.owner[first], atoms.owner[list(chosen)])
    return np.where(taken | ~new, np.inf, squares(float(b @ b) - gain, float(b @ b)))
