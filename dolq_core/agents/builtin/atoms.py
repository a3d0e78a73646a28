"""Sets of columns: which few explain one left-hand side best, by projections and the Gram matrix."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dolq_core import clock
from dolq_core.arrays import Floats, Ints
from dolq_core.fitting import complexity
from dolq_core.fitting.starts import INSIDE
from dolq_core.numerics.lapack import dtrtri, triangle
from dolq_core.numerics.least_squares import FREE, gain_of_two
from dolq_core.numerics.rounding import squares
from dolq_core.terms import Skeleton, count_params

Number = TypeVar("Number", np.float64, np.int64)
Chosen: TypeAlias = tuple[int, ...]
"""Indices of atoms, ascending."""

SAME = 1.0 - 1e-9
"""Cosine from which two columns count as one."""
TINY = 1e-150
"""Length from which a column counts as zero."""
EXACT = 1e-14
"""Of the left-hand side: what a projection without differences of squares leaves uncertain is CANCELLED of it."""
LEADING = 8
"""Times as many triples as are wanted of which what is left is computed without differences of squares."""
MANY = 500
"""Columns of which all triples are compared: 0.6 s of CPU for 450, 0.1 s for 190."""


BLOCK = 256
"""Columns that are compared with the simpler ones at once."""


class Atoms:
    """Columns to choose from, for one left-hand side; they can become more.

    Attributes:
        skeletons: the term each column belongs to; a term with inner parameters has one column per start.
        inner: the inner parameters of each column.
        b: (M,) left-hand side; power: its squared length.
        fixed: how many columns at the beginning are of terms without inner parameters.
    """

    def __init__(self, b: Floats) -> None:
        self.b = b
        self.power = float(b @ b)
        self.skeletons: list[Skeleton] = []
        self.inner: list[tuple[float, ...]] = []
        self.fixed = 0
        self._a = np.empty((64, len(b)))
        self._owner = np.empty(64, dtype=np.int64)
        self._g = np.empty(64)
        self._numbers: dict[Skeleton, int] = {}
        self._rows: dict[int, Floats] = {}

    @property
    def a(self) -> Floats:
        """(K, M) columns of unit length."""
        return self._a[: len(self.skeletons)]

    @property
    def g(self) -> Floats:
        """(K,) products of the columns with b."""
        return self._g[: len(self.skeletons)]

    @property
    def owner(self) -> Ints:
        """(K,) number of the term of each column."""
        return self._owner[: len(self.skeletons)]

    def add(self, skeleton: Skeleton, inner: tuple[float, ...], row: Floats) -> int | None:
        """Append a column (M,) of any length and return its index; None when it is zero."""
        size = float(np.linalg.norm(row))
        if not size > TINY:
            return None
        k = len(self.skeletons)
        if k == len(self._a):
            self._a, self._g, self._owner = _doubled(self._a), _doubled(self._g), _doubled(self._owner)
        self._a[k] = row / size
        self._g[k] = self._a[k] @ self.b
        self._owner[k] = self._numbers.setdefault(skeleton, len(self._numbers))
        self.skeletons.append(skeleton)
        self.inner.append(inner)
        return k

    def products(self, index: Sequence[int]) -> Floats:
        """Return the products (k, K) of some columns with all; they are remembered."""
        count = len(self.skeletons)
        for i in index:
            known = self._rows.get(i)
            if known is None:
                self._rows[i] = self.a @ self._a[i]
            elif len(known) < count:
                self._rows[i] = np.concatenate((known, self._a[len(known) : count] @ self._a[i]))
        return np.array([self._rows[i] for i in index])


def _doubled(values: NDArray[Number]) -> NDArray[Number]:
    return np.concatenate((values, np.empty_like(values)))


def with_kin(
    shared: Iterable[tuple[Skeleton, tuple[float, ...]]], skeletons: Iterable[Skeleton]
) -> list[tuple[Skeleton, tuple[float, ...]]]:
    """Return terms of other equations with their inner parameters, and those of `skeletons` that hold the same.

    What sugar/(31 + sugar) makes elsewhere may be held back here: biomass*ethanol*sugar/(31 + sugar).
    """
    known = list(dict.fromkeys(shared))
    held = {(tuple(INSIDE.findall(skeleton)), len(inner)): inner for skeleton, inner in reversed(known)}
    own = ((s, (tuple(INSIDE.findall(s)), count_params(s))) for s in skeletons)
    return list(dict.fromkeys((*known, *((s, held[part]) for s, part in own if part[0] and part in held))))


def atoms_of(columns: Sequence[tuple[Skeleton, tuple[float, ...], Floats]], b: Floats) -> Atoms:
    """Scale columns to unit length and leave out zeros and multiples of simpler ones; fixed terms come first."""
    sized = [(s, inner, row, float(np.linalg.norm(row))) for s, inner, row in columns]
    kept = [(s, inner, row / size) for s, inner, row, size in sized if size > TINY]
    order = sorted(range(len(kept)), key=lambda i: ("params[" in kept[i][0], complexity(kept[i][0]), i))
    fixed = [i for i in order if "params[" not in kept[i][0]]
    atoms = Atoms(b)
    for i in sorted(_distinct(np.array([kept[i][2] for i in fixed]), fixed)) if fixed else ():
        atoms.add(*kept[i])
    atoms.fixed = len(atoms.skeletons)
    moving = sorted(order[len(fixed) :])
    for block in (moving[k : k + BLOCK] for k in range(0, len(moving), BLOCK)):
        like = np.abs(np.array([kept[i][2] for i in block]) @ atoms.a[: atoms.fixed].T)
        for i, most in zip(block, like.max(axis=1, initial=0.0).tolist(), strict=True):
            if most <= SAME:
                atoms.add(*kept[i])
    return atoms


def _distinct(a: Floats, numbers: Sequence[int]) -> list[int]:
    """Return the numbers of the columns a (k, M), the simplest first, of which none is a multiple of an earlier one."""
    same = np.abs(a @ a.T) > SAME
    gone = np.zeros(len(a), dtype=np.bool_)
    taken: list[int] = []
    for k, number in enumerate(numbers):
        if not gone[k]:
            taken.append(number)
            gone |= same[k]
    return taken


def left(atoms: Atoms, chosen: Chosen) -> float:
    """Squared residual of b on the chosen columns, exactly (no Gram matrix)."""
    beyond = float(_triangle(atoms, list(chosen))[-1, -1]) if len(chosen) < len(atoms.b) else 0.0
    return float(squares(np.array([beyond * beyond]), EXACT * atoms.power)[0])


def left_with(atoms: Atoms, chosen: Chosen) -> Floats:
    """Squared residual (K,) of b on the chosen columns and each further one; inf where that adds nothing new."""
    clock.check()
    index = list(chosen)
    free, correlation, power = np.ones(len(atoms.g)), atoms.g, atoms.power
    taken = np.zeros(len(atoms.g), dtype=np.bool_)
    if index and len(index) >= len(atoms.b):
        return np.full(len(atoms.g), np.inf)
    if index:
        r = _triangle(atoms, index)
        r, projected, beyond = r[:-1, :-1], r[:-1, -1], r[-1, -1]
        if _is_regular(r):
            inside = dtrtri(r)[0].T @ atoms.products(index)
        else:
            q, _ = np.linalg.qr(atoms.a[index].T)
            inside, projected = (atoms.a @ q).T, q.T @ atoms.b
        free = 1.0 - np.einsum("ij,ij->j", inside, inside)
        correlation = atoms.g - projected @ inside
        power = float(beyond * beyond)
        for i in index:
            taken |= atoms.owner == atoms.owner[i]
    gain = np.divide(correlation**2, free, out=np.full_like(free, -np.inf), where=free > FREE)
    return np.where(taken | ~np.isfinite(gain), np.inf, squares(power - gain, power))


def _triangle(atoms: Atoms, index: Sequence[int]) -> Floats:
    """Return R (k + 1, k + 1) of the QR of some columns and b, which is the last one; more rows than columns."""
    table = np.empty((len(index) + 1, len(atoms.b)))
    table[:-1], table[-1] = atoms.a[index], atoms.b
    return triangle(table)


def _is_regular(r: Floats) -> bool:
    diagonal = np.abs(np.diag(r))
    return bool(np.min(diagonal) > 1e-6 * np.max(diagonal))


def pair_gains(atoms: Atoms) -> Floats:
    """Return (fixed, K) what each pair of different terms takes off the power of b; -inf where it is no pair.

    The first of a pair is a term without inner parameters.
    """
    k = atoms.fixed
    g, gram = atoms.g, atoms.a[:k] @ atoms.a.T
    gain = gain_of_two(g[:k], g, gram)
    gain[atoms.owner[:k, None] == atoms.owner[None, :]] = -np.inf
    gain[np.arange(len(g))[None, :] <= np.arange(k)[:, None]] = -np.inf
    return np.where(np.isfinite(gain), atoms.power - squares(atoms.power - gain, atoms.power), -np.inf)


def best_pairs(gains: Floats, count: int, seconds: Sequence[int] | None = None) -> list[Chosen]:
    """Return the `count` best pairs out of all, or of those with the given second columns."""
    index = list(range(gains.shape[1]) if seconds is None else seconds)
    values: Floats = (gains if seconds is None else gains[:, index]).ravel()
    return [(i // len(index), index[i % len(index)]) for i in least(-values, count) if np.isfinite(values[i])]


def best_triples(atoms: Atoms, count: int) -> list[Chosen]:
    """Return the `count` best triples of terms without inner parameters; none where there are too many of these.

    Where states follow one another, no pair of a law need be among the best pairs, and no exchange of one column leads
    to it: of one of four tanks the law's three terms leave 1e-13 of the left-hand side, the next triple 1e-6.
    """
    k = atoms.fixed
    if not 3 <= k <= MANY:
        return []
    clock.check()
    g, gram = atoms.g[:k], atoms.a[:k] @ atoms.a[:k].T
    trials: list[tuple[float, Chosen]] = []
    for i in range(k - 2):
        inside = gram[i, i + 1 :]
        free = 1.0 - inside**2
        scale = np.where(free > FREE, 1.0 / np.sqrt(np.maximum(free, FREE)), 0.0)
        correlation = (g[i + 1 :] - inside * g[i]) * scale
        cosine = (gram[i + 1 :, i + 1 :] - np.outer(inside, inside)) * np.outer(scale, scale)
        gain = gain_of_two(correlation, correlation, cosine)
        gain[np.outer(scale, scale) == 0.0] = -np.inf
        own = best_pairs(np.where(np.tri(k - i - 1, dtype=np.bool_), -np.inf, gain), count)
        trials += [(g[i] ** 2 + gain[pair], (i, i + 1 + pair[0], i + 1 + pair[1])) for pair in own]
    leading = sorted(trials, key=lambda trial: (-trial[0], trial[1]))[: LEADING * count]
    return [chosen for _, chosen in sorted((left(atoms, chosen), chosen) for _, chosen in leading)[:count]]


def grown(atoms: Atoms, beam: Sequence[Chosen], width: int, among: int | None = None) -> list[Chosen]:
    """Return the `width` best sets that have one more column, of the first `among`, than those of the beam."""
    trials: dict[Chosen, float] = {}
    for chosen in beam:
        remaining = left_with(atoms, chosen)[:among]
        for i in least(remaining, width):
            if np.isfinite(remaining[i]):
                trials[tuple(sorted((*chosen, i)))] = float(remaining[i])
    return sorted(trials, key=lambda chosen: (trials[chosen], chosen))[:width]


def least(values: Floats, count: int) -> list[int]:
    """Return the indices of the `count` least of values (n,), which are no NaN, in order; the first of equals first."""
    index = np.arange(len(values))
    if 0 < count < len(values):
        index = np.flatnonzero(values <= np.partition(values, count - 1)[count - 1])
    return index[np.argsort(values[index], kind="stable")][:count].tolist()


def unlike(atoms: Atoms, sets: Iterable[Chosen], count: int) -> list[Chosen]:
    """Return the first `count` sets that differ as structures."""
    found: dict[frozenset[Skeleton], Chosen] = {}
    for chosen in sets:
        found.setdefault(frozenset(atoms.skeletons[i] for i in chosen), chosen)
        if len(found) == count:
            break
    return list(found.values())


def swapped(atoms: Atoms, chosen: Chosen, fixed: Sequence[int], rounds: int = 3) -> Chosen:
    """Replace columns one by one by better ones, except the fixed, until nothing improves."""
    current = chosen
    for _ in range(rounds):
        best, least = current, left(atoms, current) * (1.0 - 1e-6)
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
