"""Best subsets of a library for one equation along a reference: which few terms explain the samples best.

What counts is the description length: half the log of the residual per row, and what the terms cost. Small sets of the
most plausible terms are all tried, pairs of all columns as well, larger sets grow from the best ones. A term with inner
parameters looks poor until they fit: the most promising ones are fitted at each size, beside the best sets so far and
beside sets of variables.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, inf

import numpy as np

from dolq_core.agents.builtin.atoms import FREE, Atoms, Chosen, atoms_of, left, left_with, unlike
from dolq_core.agents.builtin.between import Between
from dolq_core.agents.builtin.modulated import is_modulated
from dolq_core.agents.builtin.waves import wave_beside
from dolq_core.arrays import Floats, Ints
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import SHARED, Prior, numbers
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton

BEAM = 12
"""Structures of a size that are grown further."""
PATIENCE = 2
"""Sizes without a better structure before a search ends."""
ALL = 12_000
"""Sets of the most plausible terms that are tried at each size, about."""
LARGEST = 5
"""Size up to which all sets of the most plausible terms are tried."""
REFINED, PARTNERED = 30, 6
"""Sets whose inner parameters are fitted at each size, and terms of them beside each set of variables."""
SINGLE = 24
"""Sets with one such term only that are fitted at each size, however many sets with several look better."""
BRIDGED, HOPEFUL = 10, 10.0
"""Sets of a size whose one inner parameter is fitted because it may lie between two of its starts, and nats behind the
best set so far up to which that is worth it."""
PARTNERS = 10
"""Sets of plain terms of a size beside which terms with inner parameters are fitted, at most."""
DRIVEN = 3
"""Rhythms beside a linear law, beside which terms with inner parameters are fitted. Of a steep curve under a rhythm,
350 samples, 2 % noise, 26 draws: all are found; of the first 12 with two rhythms, 8."""
ROWS = 64
"""Rows of the table of all pairs that are worked out at once."""
POOR = 1.2
"""Squares left per row from which the first reference does not carry the data: 3 standard deviations of 450 rows."""
SPARSER = (4.0, 16.0)
"""Rows that count for one where the first reference does not carry the data: what it leaves is smooth, not noise."""
BETTER = 0.02
"""Nats by which a structure or a system has to be better to take the place of another."""
JITTER = 1e-10
LEAST = 1e-9
"""Squares that are left at least: below, structures count as equal."""

Found = tuple[float, tuple[FittedTerm, ...]]


class Subsets:
    """One search."""

    def __init__(
        self,
        near: Workbench,
        equation: int,
        skeletons: Sequence[Skeleton],
        forced: Sequence[Skeleton],
        shared: Mapping[Skeleton, tuple[float, ...]],
        carried: Mapping[Skeleton, tuple[float, ...]],
        starts: Iterable[tuple[Skeleton, tuple[float, ...]]],
        prior: Prior,
        samples: int,
    ) -> None:
        """near: the data along the reference.

        shared: terms of other equations, with their inner parameters; carried: this one's own, of the reference;
        starts: further inner parameters to start from.
        """
        self.near = near
        self.equation = equation
        self.effective = near.target.effective
        known = dict.fromkeys((*forced, *skeletons))
        tried = [s for s in known if s in forced or not is_modulated(s)]
        columns = [(s, inner, row) for s in tried for inner, row in near.trial_columns(s)]
        for s, inner in dict.fromkeys((*shared.items(), *carried.items(), *starts)):
            row = near.column(s, inner) if inner and s in known else None
            if row is not None:
                columns.append((s, inner, row))
        self.atoms: Atoms = atoms_of(columns, near.target.b[equation])
        self._costs = {s: prior.name(equation, s) + numbers(s, samples) for s in set(self.atoms.skeletons)}
        for s in shared:
            if s in self._costs:
                self._costs[s] = min(SHARED, prior.name(equation, s)) + numbers(s, samples)
        self.cost = np.array([self._costs[s] for s in self.atoms.skeletons])
        self.must: Chosen = tuple(self.atoms.skeletons.index(s) for s in forced if s in self.atoms.skeletons)
        self._values: dict[Chosen, float] = {}
        self._refined: set[Chosen] = set()
        known_here = zip(self.atoms.skeletons, self.atoms.inner, strict=True)
        fitted = [i for i, (s, inner) in enumerate(known_here) if inner and inner in (shared.get(s), carried.get(s))]
        own = {i for i in fitted if self.atoms.skeletons[i] in carried}
        self._order = sorted((*range(self.atoms.fixed), *fitted), key=lambda i: (i not in own, self.cost[i], i))
        self._driven: list[Chosen] = []
        self._between = Between.of(near, self.atoms)

    def run(self, most: int, count: int) -> list[Found]:
        """Return (nats, terms) of the best distinct structures, the best first."""
        self._driven = self._with_waves(most)
        beam: list[Chosen] = [self.must]
        best, waited = self._value(self.must) if self.must else inf, 0
        for size in range(len(self.must) + 1, most + 1):
            beam = self._of_size(size, beam)
            if not beam:
                break
            now = min(map(self._value, beam))
            best, waited = (now, 0) if now < best - BETTER else (best, waited + 1)
            if waited >= PATIENCE and size > 2:
                break
        ranked = sorted(self._values, key=lambda chosen: (self._values[chosen], chosen))
        distinct = unlike(self.atoms, (c for c in ranked if set(self.must) <= set(c)), 2 * count)
        fits = [self._fitted(chosen) for chosen in distinct]
        return sorted((fit for fit in fits if fit[0] < inf), key=lambda fit: fit[0])[:count]

    def _with_waves(self, most: int) -> list[Chosen]:
        """Fit each wave whose phase is free beside a linear law, and return the best of these sets."""
        linear = {i for i in range(self.atoms.fixed) if self.atoms.skeletons[i] in ("1", *self.near.symbols)}
        base = tuple(sorted({*self.must, *linear}))
        held = {self.atoms.skeletons[i] for i in base}
        found: dict[Chosen, float] = {}
        for skeleton in dict.fromkeys(self.atoms.skeletons[self.atoms.fixed :]) if len(base) < most else ():
            inner = wave_beside(self.near, self.atoms, base, skeleton) if skeleton not in held else ()
            known = self._index(FittedTerm(skeleton, 1.0, None, inner)) if inner else None
            found |= {} if known is None else self._refine(tuple(sorted((*base, known))))
        return sorted(found, key=lambda chosen: (found[chosen], chosen))[:DRIVEN]

    # --- sets -------------------------------------------------------------------------------------------

    def _of_size(self, size: int, beam: Sequence[Chosen]) -> list[Chosen]:
        """The best sets of a size, of distinct structures."""
        tried: dict[Chosen, float] = {}
        trials: dict[Chosen, float] = {}
        if size == 2 and not self.must:
            self._add_pairs(tried, trials)
        else:
            for chosen in beam:
                self._add_grown(chosen, tried, trials)
        for chosen in dict.fromkeys((self.must, *self._partners(size - 1))) if size > 1 else ():
            self._add_grown(chosen, {}, trials, PARTNERED)
        every = self._all_of(size)
        tried.update(every)
        trials.update({c: value for c, value in every.items() if any(k >= self.atoms.fixed for k in c)})
        ranked = sorted(trials, key=lambda c: (trials[c], c))
        single = [c for c in ranked if sum(k >= self.atoms.fixed for k in c) == 1]
        bridged = self._bridged(size)
        for chosen in dict.fromkeys((*ranked[:REFINED], *single[:SINGLE], *bridged)):
            tried.update(self._refine(chosen))
        best = unlike(self.atoms, sorted(tried, key=lambda c: (tried[c], c)), BEAM)
        return sorted(best, key=lambda chosen: (self._value(chosen), chosen))

    def _bridged(self, size: int) -> list[Chosen]:
        """Sets beside partners of a term whose parameter may lie between two starts, so that it leaves little."""
        most = min(self._values.values(), default=inf) + HOPEFUL
        costs = np.array([self._costs[skeleton] for skeleton, _ in self._between.terms])
        found: dict[tuple[Chosen, Skeleton], tuple[float, float]] = {}
        for chosen in dict.fromkeys((self.must, *self._partners(size - 1))) if size > 1 and self._between.terms else ():
            values = self._after(self._between.left(self.atoms, chosen)) + costs + float(self.cost[list(chosen)].sum())
            best: dict[Skeleton, int] = {}
            order: list[int] = np.argsort(values, kind="stable").tolist()
            for n in (n for n in order if values[n] <= most):
                best.setdefault(self._between.terms[n][0], n)
            for skeleton, n in list(best.items())[:PARTNERED]:
                found[chosen, skeleton] = float(values[n]), self._between.terms[n][1]
        leading = sorted(found, key=lambda one: (found[one][0], one))[:BRIDGED]
        starts = [(chosen, self._index(FittedTerm(s, 1.0, None, (found[chosen, s][1],)))) for chosen, s in leading]
        return [tuple(sorted((*chosen, i))) for chosen, i in starts if i is not None]

    def _partners(self, size: int) -> list[Chosen]:
        """Sets of variables, a rhythm, the constant, the state's own square: with one missing, numbers go astray."""
        driven = [chosen for chosen in self._driven if len(chosen) == size]
        own = f"{self.near.symbols[self.equation]}**2"
        free = size - len(self.must)
        for names in (("1", *self.near.symbols, own), ("1", *self.near.symbols)):
            plain = [i for i in self._order if self.atoms.skeletons[i] in names and i not in self.must]
            if free >= 1 and comb(len(plain), free) <= PARTNERS:
                return [*driven, *(tuple(sorted((*self.must, *some))) for some in combinations(plain, free))]
        return driven

    def _add_grown(
        self, chosen: Chosen, tried: dict[Chosen, float], trials: dict[Chosen, float], most: int = 3 * BEAM
    ) -> None:
        """Add sets with one more column, and the best start of each term with inner parameters."""
        rest = self._after(left_with(self.atoms, chosen)) if chosen else self._alone()
        values = rest + self.cost + float(self.cost[list(chosen)].sum())
        for i in self._distinct(values, most):
            tried[tuple(sorted((*chosen, i)))] = float(values[i])
        first = self.atoms.fixed
        for i in self._distinct(values[first:], most, first):
            trials[tuple(sorted((*chosen, i)))] = float(values[i])

    def _add_pairs(self, tried: dict[Chosen, float], trials: dict[Chosen, float]) -> None:
        """Add the best pair with each column, and the best pair of each term with inner parameters."""
        values, partners = self._pairs()
        for i, (value, k) in enumerate(zip(values.tolist(), partners.tolist(), strict=True)):
            if value < inf:
                tried[(min(i, k), max(i, k))] = value
        first = self.atoms.fixed
        for i in self._distinct(values[first:], None, first):
            k = int(partners[i])
            trials[(min(i, k), max(i, k))] = float(values[i])

    def _pairs(self) -> tuple[Floats, Ints]:
        """Nats (K,) of the best pair with each column, inf where there is none, and the other one of it (K,).

        Nats are compared as left * exp(2 cost / rows): a log for each of the pairs would take half of the time. A block
        of rows at a time stays in the cache.
        """
        a, g, owner, power = self.atoms.a, self.atoms.g, self.atoms.owner, self.atoms.power
        weight = np.exp(2.0 / self.effective * self.cost)
        best, partner = np.full(len(g), inf), np.zeros(len(g), dtype=np.int64)
        for first in range(0, len(g), ROWS):
            rows, rest = slice(first, first + ROWS), slice(first, None)
            gram = a[rows] @ a[rest].T
            free = 1.0 - gram**2
            new = (free >= FREE) & (owner[rows, None] != owner[rest])
            gain = g[rows, None] ** 2 + g[rest] ** 2 - 2.0 * gram * (g[rows, None] * g[rest])
            left_over = power - np.divide(gain, free, out=np.zeros_like(gain), where=new)
            values = np.where(new, np.maximum(left_over, LEAST) * weight[rows, None] * weight[rest], inf)
            for axis, where in ((1, rows), (0, rest)):
                lowest = np.argmin(values, axis=axis)
                value = np.take_along_axis(values, np.expand_dims(lowest, axis), axis).reshape(-1)
                better = value < best[where]
                best[where] = np.where(better, value, best[where])
                partner[where] = np.where(better, lowest + first, partner[where])
        return self._after(best), partner

    def _all_of(self, size: int) -> dict[Chosen, float]:
        """All sets of the most plausible terms: without parameters, or with those of the reference or of `shared`."""
        free = size - len(self.must)
        if not 1 <= free <= LARGEST:
            return {}
        order = [i for i in self._order if i not in self.must]
        n = len(order)
        while n > free and comb(n, free) > ALL:
            n -= 1
        if n < free:
            return {}
        sets = np.array([(*self.must, *c) for c in combinations(order[:n], free)])
        used = np.unique(sets)
        place = np.searchsorted(used, sets)
        gram = self.atoms.a[used] @ self.atoms.a[used].T + JITTER * np.eye(len(used))
        g = self.atoms.g[used]
        solved = np.linalg.solve(gram[place[:, :, None], place[:, None, :]], g[place][:, :, None])[:, :, 0]
        values = self._after(self.atoms.power - np.sum(solved * g[place], axis=1)) + self.cost[sets].sum(axis=1)
        best = np.argsort(values, kind="stable")[: 2 * BEAM]
        return {tuple(sorted(sets[k].tolist())): float(values[k]) for k in best.tolist()}

    def _refine(self, chosen: Chosen) -> dict[Chosen, float]:
        """Fit the inner parameters of a set; its columns as fitted join the others."""
        if chosen in self._refined:
            return {}
        self._refined.add(chosen)
        terms = sorted((self.atoms.skeletons[k], self.atoms.inner[k]) for k in chosen)
        fit = self.near.rough(self.equation, [s for s, _ in terms], [inner for _, inner in terms])
        if fit.failure:
            return {}
        moved = {t.skeleton: self._index(t) for t in fit.terms if t.inner}
        new = tuple(sorted(moved.get(self.atoms.skeletons[k], k) or k for k in chosen))
        return {new: self._value(new)}

    def _distinct(self, values: Floats, count: int | None, first: int = 0) -> list[int]:
        """Columns from the `first` one on with the least values, one for each term, all or so many."""
        order = np.argsort(values, kind="stable")
        _, places = np.unique(self.atoms.owner[first:][order], return_index=True)
        own = order[np.sort(places)[:count]]
        return (own[np.isfinite(values[own])] + first).tolist()

    # --- values -----------------------------------------------------------------------------------------

    def _after(self, left_over: Floats) -> Floats:
        """Nats of rows of which the squares (k,) are left."""
        return 0.5 * self.effective * np.log(np.maximum(left_over, LEAST) / self.effective)

    def _alone(self) -> Floats:
        return self._after(self.atoms.power - self.atoms.g**2)

    def _value(self, chosen: Chosen) -> float:
        if chosen not in self._values:
            after = self._after(np.array([left(self.atoms, chosen)]))
            self._values[chosen] = float(after[0] + self.cost[list(chosen)].sum())
        return self._values[chosen]

    @property
    def left_over(self) -> float:
        """Squares left per row by the best structure."""
        best = min(self._values, key=lambda c: (self._values[c], c), default=self.must)
        return left(self.atoms, best) / self.effective

    def sparser(self, rows: float) -> tuple[FittedTerm, ...]:
        """Return the best set that was tried if so many rows counted for one; empty where it cannot be fitted."""

        def value(chosen: Chosen) -> float:
            cost = float(self.cost[list(chosen)].sum())
            return (self._values[chosen] - cost) / rows + cost

        sets = [chosen for chosen in self._values if chosen and set(self.must) <= set(chosen)]
        return self._fitted(min(sets, key=lambda chosen: (value(chosen), chosen)))[1] if sets else ()

    def _fitted(self, chosen: Chosen) -> Found:
        """Fit a structure along the reference, inner parameters too."""
        terms = sorted((self.atoms.skeletons[i], self.atoms.inner[i]) for i in chosen)
        fit = self.near.again(self.equation, [s for s, _ in terms], [inner for _, inner in terms])
        if fit.failure:
            return inf, ()
        after = self._after(np.array([fit.mse * len(self.near.target.b[self.equation])]))
        return float(after[0] + self.cost[list(chosen)].sum()), fit.terms

    # --- one structure ----------------------------------------------------------------------------------

    def instead(self, terms: Sequence[FittedTerm], k: int, count: int) -> list[FittedTerm]:
        """Return the best terms to stand in the place of the k-th one, for the residual that the others leave."""
        rest = [self._index(t) for n, t in enumerate(terms) if n != k]
        if any(i is None for i in rest):
            return []
        chosen = tuple(sorted(i for i in rest if i is not None))
        values = (self._after(left_with(self.atoms, chosen)) if chosen else self._alone()) + self.cost
        return [
            FittedTerm(self.atoms.skeletons[i], 1.0, None, self.atoms.inner[i])
            for i in self._distinct(values, count + 1)
            if self.atoms.skeletons[i] != terms[k].skeleton
        ][:count]

    def _index(self, term: FittedTerm) -> int | None:
        """The column of a term as fitted; it joins the others."""
        row = self.near.column(term.skeleton, term.inner)
        if row is None or term.skeleton not in self._costs:
            return None
        k = self.atoms.add(term.skeleton, term.inner, row)
        if k is not None:
            self.cost = np.append(self.cost, self._costs[term.skeleton])
        return k

    def with_coefficients(self, terms: Sequence[FittedTerm]) -> tuple[FittedTerm, ...]:
        """Return terms with coefficients of least squares; empty where one is not finite."""
        rows = [self.near.column(t.skeleton, t.inner) for t in terms]
        whole = [row for row in rows if row is not None]
        if len(whole) < len(rows) or not whole:
            return ()
        b = self.near.target.b[self.equation]
        values = np.asarray(np.linalg.lstsq(np.array(whole).T, b, rcond=None)[0], dtype=np.float64).tolist()
        return tuple(replace(t, coefficient=v) for t, v in zip(terms, values, strict=True))


def sparser(searches: Sequence[Subsets]) -> list[tuple[tuple[FittedTerm, ...], ...]]:
    """Return systems of fewer terms, one search for each equation, where their reference does not carry the data."""
    if not searches or max(search.left_over for search in searches) <= POOR:
        return []
    return [system for rows in SPARSER if all(system := tuple(search.sparser(rows) for search in searches))]
