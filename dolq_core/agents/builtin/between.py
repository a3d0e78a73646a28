"""Numbers between two starts of a term: what it could leave beside other columns, before it is fitted.

Starts stand three times apart. Where noise is small, one that is twice off looks hopeless, however well the term fits
once its number does; a column halfway and either of its neighbours together leave about what a number between leaves.
"""

from collections.abc import Sequence
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
            length; across: (2, B) their products with the columns at both starts.
    """

    ends: Ints
    terms: tuple[tuple[Skeleton, float], ...]
    rows: Floats
    across: Floats

    @classmethod
    def of(cls, near: Workbench, atoms: Atoms) -> "Between":
        """Return those of the terms of some columns, their starts."""
        moving: dict[Skeleton, list[int]] = {}
        for i in range(atoms.fixed, len(atoms.skeletons)):
            moving.setdefault(atoms.skeletons[i], []).append(i)
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
        ends, own = np.array(pairs, dtype=np.int64).reshape(-1, 2).T, np.array(rows).reshape(-1, len(atoms.b))
        across = np.array([np.einsum("ij,ij->i", atoms.a[index], own) for index in ends])
        return cls(ends, tuple(terms), own, across)

    def left(self, atoms: Atoms, chosen: Chosen) -> Floats:
        """Squared residual (B,) of b on the chosen columns and each of these with the better of its neighbours.

        inf where one adds nothing new.
        """
        clock.check()
        index = list(chosen)
        q = np.linalg.qr(atoms.a[index].T)[0] if index else np.empty((len(atoms.b), 0))
        b = atoms.b - q @ (q.T @ atoms.b)
        beyond = np.column_stack((q, b))
        one, two = (atoms.a[: int(self.ends.max(initial=-1)) + 1] @ beyond)[self.ends], self.rows @ beyond
        one, g, two, h = one[..., :-1], one[..., -1], two[:, :-1], two[:, -1]
        free, other = 1.0 - np.einsum("eij,eij->ei", one, one), 1.0 - np.einsum("ij,ij->i", two, two)
        across = self.across - np.einsum("eij,ij->ei", one, two)
        apart = free * other - across**2
        new = (free > FREE) & (other > FREE) & (apart > FREE)
        gain = np.divide(g**2 * other + h**2 * free - 2.0 * g * h * across, apart, out=np.zeros_like(g), where=new)
        taken = np.isin(atoms.owner[self.ends[0]], atoms.owner[index])
        power = float(b @ b)
        return np.where(taken | ~new, np.inf, squares(power - gain, power)).min(axis=0)


def _halfway(atoms: Atoms, index: Sequence[int]) -> tuple[list[tuple[int, int]], list[float]]:
    """Return neighbouring starts of a term, and the geometric mean of each two."""
    starts = sorted((atoms.inner[i][0], i) for i in index if len(atoms.inner[i]) == 1)
    near = [(low, high) for low, high in pairwise(starts) if low[0] * high[0] > 0.0]
    return [(i, k) for (_, i), (_, k) in near], [copysign(sqrt(p * q), p) for (p, _), (q, _) in near]
