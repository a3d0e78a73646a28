"""Best subsets by size: which few terms of a library explain one equation.

Sizes grow one by one. Pairs are tried exhaustively on the Gram matrix, larger sets by a beam and by swaps. The
leading sets of each size are fitted exactly (inner parameters by variable projection, whose refined columns then
join the library), pruned by a block jackknife, and ranked by description length. The search ends at the floor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.fitting import Workbench, complexity
from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton

BEAM = 24
SWAPPED = 4
EXACT = 8
"""Sets per size that are fitted exactly."""
EXACT_PARAMETRIC = 3
AT_FLOOR = 1.3
CERTAIN = 4.0
"""Size of a coefficient over its block-jackknife error below which its term may go."""
SAME = 1.0 - 1e-9
"""Cosine from which two columns count as one."""
PATIENCE = 2
"""Sizes without a better score before the search ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Columns to choose from: unit rows a (K, M), whose term each is, their Gram matrix, and g = a @ b."""

    skeletons: tuple[Skeleton, ...]
    a: Floats
    gram: Floats
    g: Floats
    b: Floats
    power: float


def search(
    bench: Workbench, equation: int, skeletons: Sequence[Skeleton], forced: Sequence[Skeleton], max_terms: int
) -> list[EquationFit]:
    """Return fits of distinct structures, the best score first; every one holds the forced terms."""
    atoms = _atoms(bench, equation, [*forced, *skeletons])
    found: dict[frozenset[Skeleton], EquationFit] = {}
    if not len(atoms.skeletons):
        return []
    must = tuple(atoms.skeletons.index(s) for s in forced if s in atoms.skeletons)
    most = min(max_terms, int(bench.target.effective // 2))
    best, waited = float("inf"), 0
    beam: list[Chosen] = [must]
    for size in range(len(must) + 1, most + 1):
        beam = _grow(atoms, beam, exhaustive=size == 2 and not must)
        if not beam:
            break
        beam = _swapped(atoms, beam, must)
        fits = [_fit(bench, equation, atoms, chosen) for chosen in _leading(atoms, beam)]
        for fit in [f for fit in fits for f in (fit, _pruned(bench, fit, set(forced)))]:
            if isfinite(fit.score) and fit.terms:
                found.setdefault(frozenset(t.skeleton for t in fit.terms), fit)
        least = min((f.score for f in found.values()), default=float("inf"))
        waited = 0 if least < best else waited + 1
        best = min(best, least)
        if waited >= PATIENCE or any(f.floor_ratio <= AT_FLOOR for f in fits):
            break
    return sorted(found.values(), key=lambda fit: (fit.score, [t.skeleton for t in fit.terms]))


def _atoms(bench: Workbench, equation: int, skeletons: Sequence[Skeleton]) -> Atoms:
    rows: list[Floats] = []
    owners: list[Skeleton] = []
    for skeleton in dict.fromkeys(skeletons):
        for row in bench.trial_columns(skeleton):
            size = float(np.linalg.norm(row))
            if size > 0.0:
                rows.append(row / size)
                owners.append(skeleton)
    b = bench.target.b[equation]
    if not rows:
        return Atoms((), np.empty((0, len(b))), np.empty((0, 0)), np.empty(0), b, float(b @ b))
    keep = _distinct(np.array(rows), owners)
    a = np.array(rows)[keep]
    return Atoms(tuple(owners[i] for i in keep), a, a @ a.T, a @ b, b, float(b @ b))


def _distinct(a: Floats, owners: Sequence[Skeleton]) -> list[int]:
    """Indices of columns of which none is a multiple of another; the simpler term stays."""
    order = sorted(range(len(owners)), key=lambda i: (complexity(owners[i]), i))
    cosines = np.abs(a @ a.T) > SAME
    taken: list[int] = []
    gone = np.zeros(len(owners), dtype=np.bool_)
    for i in order:
        if not gone[i]:
            taken.append(i)
            gone |= cosines[i]
    return sorted(taken)


# --- sets on the Gram matrix ------------------------------------------------------------------------

Chosen = tuple[int, ...]


def _grow(atoms: Atoms, beam: Sequence[Chosen], *, exhaustive: bool) -> list[Chosen]:
    """Return the BEAM best sets with one more atom."""
    if exhaustive:
        return _best_pairs(atoms)
    trials: dict[frozenset[int], float] = {}
    for chosen in beam:
        left = _left_with(atoms, chosen)
        for i in np.argsort(left, kind="stable")[:BEAM].tolist():
            if np.isfinite(left[i]):
                trials[frozenset((*chosen, i))] = float(left[i])
    ranked = sorted(trials.items(), key=lambda pair: (pair[1], sorted(pair[0])))
    return [tuple(sorted(chosen)) for chosen, _ in ranked[:BEAM]]


def _best_pairs(atoms: Atoms) -> list[Chosen]:
    g, gram = atoms.g, atoms.gram
    determinant = 1.0 - gram**2
    with np.errstate(all="ignore"):
        gain = (g[:, None] ** 2 + g[None, :] ** 2 - 2.0 * gram * np.outer(g, g)) / determinant
    gain[determinant < 1e-10] = -np.inf
    same = _same_term(atoms)
    gain[same] = -np.inf
    upper: tuple[Ints, Ints] = np.triu_indices(len(g), 1)
    values = gain[upper]
    top = np.argsort(-values, kind="stable")[:BEAM]
    return [(int(upper[0][i]), int(upper[1][i])) for i in top if np.isfinite(values[i])]


def _same_term(atoms: Atoms) -> np.ndarray:
    ids = {s: i for i, s in enumerate(dict.fromkeys(atoms.skeletons))}
    owner = np.array([ids[s] for s in atoms.skeletons])
    return owner[:, None] == owner[None, :]


def _left_with(atoms: Atoms, chosen: Chosen) -> Floats:
    """Squared residual (K,) of the chosen atoms and each further one; inf where that adds nothing new."""
    index = list(chosen)
    if index:
        q, _ = np.linalg.qr(atoms.a[index].T)
        inside = atoms.a @ q
        free = 1.0 - np.sum(inside**2, axis=1)
        projected = q.T @ atoms.b
        correlation = atoms.g - inside @ projected
        power = atoms.power - float(projected @ projected)
    else:
        free, correlation, power = np.ones(len(atoms.g)), atoms.g, atoms.power
    gain = np.divide(correlation**2, free, out=np.full_like(free, -np.inf), where=free > 1e-10)
    owners = {atoms.skeletons[i] for i in index}
    taken = np.array([s in owners for s in atoms.skeletons])
    return np.where(taken | ~np.isfinite(gain), np.inf, power - gain)


def _swapped(atoms: Atoms, beam: list[Chosen], fixed: Chosen) -> list[Chosen]:
    """Try to replace each atom of the leading sets; the improved sets go first."""
    improved: list[Chosen] = []
    for chosen in beam[:SWAPPED]:
        current = chosen
        for _ in range(3):
            nxt = _swap_once(atoms, current, fixed)
            if nxt == current:
                break
            current = nxt
        improved.append(current)
    return list(dict.fromkeys((*improved, *beam)))[:BEAM]


def _swap_once(atoms: Atoms, chosen: Chosen, fixed: Chosen) -> Chosen:
    best, least = chosen, _left(atoms, chosen) * (1.0 - 1e-9)
    for i in chosen:
        if i in fixed:
            continue
        rest = tuple(c for c in chosen if c != i)
        left = _left_with(atoms, rest)
        j = int(np.argmin(left))
        if left[j] < least:
            best, least = tuple(sorted((*rest, j))), float(left[j])
    return best


def _left(atoms: Atoms, chosen: Chosen) -> float:
    q, _ = np.linalg.qr(atoms.a[list(chosen)].T)
    b = atoms.b
    return float(np.sum((b - q @ (q.T @ b)) ** 2))


# --- exact fits -------------------------------------------------------------------------------------


def _leading(atoms: Atoms, beam: Sequence[Chosen]) -> list[Chosen]:
    """The sets to fit exactly: distinct as structures, few of them with inner parameters."""
    seen: set[frozenset[Skeleton]] = set()
    leading: list[Chosen] = []
    parametric = 0
    for chosen in sorted(beam, key=lambda c: _left(atoms, c)):
        terms = frozenset(atoms.skeletons[i] for i in chosen)
        inner = any("params[" in term for term in terms)
        if terms in seen or (inner and parametric >= EXACT_PARAMETRIC) or len(leading) >= EXACT:
            continue
        seen.add(terms)
        parametric += inner
        leading.append(chosen)
    return leading


def _fit(bench: Workbench, equation: int, atoms: Atoms, chosen: Chosen) -> EquationFit:
    return bench.fit(equation, sorted(atoms.skeletons[i] for i in chosen))


def _pruned(bench: Workbench, fit: EquationFit, forced: set[Skeleton]) -> EquationFit:
    """Drop the least certain term, again and again, while its coefficient cannot be told from zero."""
    current = fit
    while len(current.terms) > 1 and not current.failure:
        certainty = bench.certainty(current)
        loose = [
            (t, term.skeleton)
            for t, term in zip(certainty, current.terms, strict=True)
            if t < CERTAIN and term.skeleton not in forced
        ]
        if not loose:
            break
        weakest = min(loose)[1]
        current = bench.fit(current.equation, [t.skeleton for t in current.terms if t.skeleton != weakest])
    return current
