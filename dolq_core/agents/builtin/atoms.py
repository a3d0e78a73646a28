"""Sets of columns: which few explain one left-hand side best, by projections and the Gram matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Bools, Floats, Ints
from dolq_core.fitting import complexity
from dolq_core.terms import Skeleton

Chosen: TypeAlias = tuple[int, ...]
"""Indices of atoms, ascending."""

SAME = 1.0 - 1e-9
"""Cosine from which two columns count as one."""
TINY = 1e-150
"""Length from which a column counts as zero."""
FREE = 1e-10
"""Share of a column outside the chosen ones below which it adds nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Columns to choose from, for the left-hand side b (M,).

    Attributes:
        skeletons: the term each column belongs to; a term with inner parameters has one column per start.
        a: (K, M) columns of unit length.
        gram: (K, K) their products; g: (K,) their products with b.
        owner: (K,) number of the term.
    """

    skeletons: tuple[Skeleton, ...]
    a: Floats
    b: Floats
    gram: Floats
    g: Floats
    owner: Ints

    @property
    def power(self) -> float:
        """Squared length of b."""
        return float(self.b @ self.b)


def atoms_of(columns: Sequence[tuple[Skeleton, Floats]], b: Floats) -> Atoms:
    """Scale columns to unit length and leave out zeros and multiples of simpler ones."""
    sized = [(s, row, float(np.linalg.norm(row))) for s, row in columns]
    kept = [(s, row / size) for s, row, size in sized if size > TINY]
    if not kept:
        empty = np.empty((0, len(b)))
        return Atoms((), empty, b, np.empty((0, 0)), np.empty(0), np.empty(0, dtype=np.int64))
    a = np.array([row for _, row in kept])
    gram = a @ a.T
    index = _distinct(np.abs(gram) > SAME, [s for s, _ in kept])
    return _assembled(tuple(kept[i][0] for i in index), a[index], b, gram[np.ix_(index, index)])


def with_columns(atoms: Atoms, columns: Sequence[tuple[Skeleton, Floats]]) -> Atoms:
    """Return the atoms with further columns at the end, without those that are zero."""
    sized = [(s, row, float(np.linalg.norm(row))) for s, row in columns]
    kept = [(s, row / size) for s, row, size in sized if size > TINY]
    if not kept:
        return atoms
    new = np.array([row for _, row in kept])
    across = atoms.a @ new.T
    gram = np.block([[atoms.gram, across], [across.T, new @ new.T]])
    return _assembled((*atoms.skeletons, *(s for s, _ in kept)), np.vstack((atoms.a, new)), atoms.b, gram)


def _assembled(skeletons: tuple[Skeleton, ...], a: Floats, b: Floats, gram: Floats) -> Atoms:
    numbers = {s: i for i, s in enumerate(dict.fromkeys(skeletons))}
    owner = np.array([numbers[s] for s in skeletons], dtype=np.int64)
    return Atoms(skeletons, a, b, gram, a @ b, owner)


def _distinct(same: Bools, owners: Sequence[Skeleton]) -> list[int]:
    """Indices of columns of which none is a multiple of another; the simpler term stays."""
    order = sorted(range(len(owners)), key=lambda i: ("params[" in owners[i], complexity(owners[i]), i))
    taken: list[int] = []
    gone = np.zeros(len(owners), dtype=np.bool_)
    for i in order:
        if not gone[i]:
            taken.append(i)
            gone |= same[i]
    return sorted(taken)


def left(atoms: Atoms, chosen: Chosen) -> float:
    """Squared residual of b on the chosen columns, exactly (no Gram matrix)."""
    q, _ = np.linalg.qr(atoms.a[list(chosen)].T)
    return float(np.sum((atoms.b - q @ (q.T @ atoms.b)) ** 2))


def left_with(atoms: Atoms, chosen: Chosen) -> Floats:
    """Squared residual (K,) of b on the chosen columns and each further one; inf where that adds nothing new."""
    index = list(chosen)
    free, correlation, power = np.ones(len(atoms.g)), atoms.g, atoms.power
    if index:
        q, r = np.linalg.qr(atoms.a[index].T)
        inside = np.linalg.solve(r.T, atoms.gram[index]).T if _is_regular(r) else atoms.a @ q
        free = 1.0 - np.sum(inside**2, axis=1)
        projected = q.T @ atoms.b
        correlation = atoms.g - inside @ projected
        power = float(np.sum((atoms.b - q @ projected) ** 2))
    gain = np.divide(correlation**2, free, out=np.full_like(free, -np.inf), where=free > FREE)
    taken = np.isin(atoms.owner, atoms.owner[index])
    return np.where(taken | ~np.isfinite(gain), np.inf, power - gain)


def _is_regular(r: Floats) -> bool:
    diagonal = np.abs(np.diag(r))
    return bool(np.min(diagonal) > 1e-6 * np.max(diagonal))


def best_pairs(atoms: Atoms, count: int) -> list[Chosen]:
    """Return the `count` best pairs of different terms out of all."""
    g, gram = atoms.g, atoms.gram
    determinant = 1.0 - gram**2
    with np.errstate(all="ignore"):
        gain = (g[:, None] ** 2 + g[None, :] ** 2 - 2.0 * gram * np.outer(g, g)) / determinant
    gain[(determinant < FREE) | (atoms.owner[:, None] == atoms.owner[None, :])] = -np.inf
    rows, columns = np.triu_indices(len(g), 1)
    values = gain[rows, columns]
    count = min(count, len(values))
    top = np.argpartition(-values, count - 1)[:count] if count else np.empty(0, dtype=np.int64)
    ranked = sorted(top.tolist(), key=lambda i: (-values[i], i))
    return [(int(rows[i]), int(columns[i])) for i in ranked if np.isfinite(values[i])]


def grown(atoms: Atoms, beam: Sequence[Chosen], width: int) -> list[Chosen]:
    """Return the `width` best sets that have one more column than those of the beam."""
    trials: dict[Chosen, float] = {}
    for chosen in beam:
        remaining = left_with(atoms, chosen)
        for i in np.argsort(remaining, kind="stable")[:width].tolist():
            if np.isfinite(remaining[i]):
                trials[tuple(sorted((*chosen, i)))] = float(remaining[i])
    return sorted(trials, key=lambda chosen: (trials[chosen], chosen))[:width]


def swapped(atoms: Atoms, chosen: Chosen, fixed: Sequence[int], rounds: int = 3) -> Chosen:
    """Replace columns one by one by better ones, except the fixed, until nothing improves."""
    current = chosen
    for _ in range(rounds):
        best, least = current, left(atoms, current) * (1.0 - 1e-9)
        for i in current:
            if i in fixed:
                continue
            rest = tuple(c for c in current if c != i)
            remaining = left_with(atoms, rest)
            j = int(np.argmin(remaining))
            if remaining[j] < least:
                best, least = tuple(sorted((*rest, j))), float(remaining[j])
        if best == current:
            break
        current = best
    return current
