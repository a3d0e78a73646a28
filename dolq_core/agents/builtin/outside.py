"""Noisy samples: structures with terms outside the libraries, along a system that was found.

They are what only words bring in, and what no mechanism writes down (`mechanisms.composed`). A term that the libraries
lack is imitated by several that they have, so none of these can be trusted: the new ones stand beside the system's own
terms, all of them or all but one, and beside whole sets of plain terms, and what is too many goes one by one while the
description gets shorter.
"""

from collections.abc import Iterable, Sequence
from math import inf
from typing import TypeAlias

import numpy as np

from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.scan import Base, Scan, plain_sets, split
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import Prior, numbers
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, count_params

FIRST, SECOND = 6, 3
"""New terms that are tried beside each set, and further ones beside each of these."""
GRID, FINER, REFINED = 12, 2, 12
"""Values of a number that curves are looked at with, times as many frequencies of a wave as a fit would start from, and
curves of which the number is found more closely beside each set."""
ROUGH, FITTED = 30, 10
"""Structures whose numbers are fitted for a few steps, and to the end."""
STARTS = 6
"""Starts of a term with several numbers inside that are followed: a pulse is lost from the best four."""
JITTER = 1e-10
LEAST = 1e-9
"""Squares that are left at least."""

Trial: TypeAlias = tuple[float, Base]
"""Nats, and terms."""


class Outside:
    """Structures of one equation, the samples along a reference."""

    def __init__(
        self, near: Workbench, equation: int, library: Library, own: Sequence[FittedTerm], prior: Prior, samples: int
    ) -> None:
        """near: the data along the reference; own: its terms in this equation; samples: what numbers are priced by."""
        self.near, self.equation, self.library = near, equation, library
        self.own: Base = [(term.skeleton, term.inner) for term in own]
        self.prior, self.samples = prior, samples
        self.several = [s for s in library.rare if count_params(s) > 1]
        self.b = near.target.b[equation]
        self.effective = near.target.effective
        new = (*library.rare, *library.composed.curved, *library.composed.plain)
        self.scan = Scan(near, equation, new, {s: self._cost(s) for s in new}, GRID, FINER)

    def structures(self, most: int) -> list[tuple[FittedTerm, ...]]:
        """Return the most promising structures of up to `most` terms, as fitted, the best first."""
        bases = self._bases()
        self.scan.meet(term for base in bases for term in base)
        trials = [*(terms for base in bases for terms in self._beside(base)), *self._with_several()]
        leading = self._best((self._pruned(terms, most) for terms in trials), ROUGH)
        fitted = filter(None, (self._rough(terms) for terms in leading))
        whole = self._best((self._pruned(terms, most) for terms in fitted), FITTED)
        fits = [self.near.again(self.equation, *split(terms)) for terms in whole]
        return [fit.terms for fit in fits if not fit.failure]

    @staticmethod
    def _best(trials: Iterable[Trial], count: int) -> list[Base]:
        """Return the best of distinct structures."""
        best: dict[frozenset[Skeleton], Trial] = {}
        for value, terms in trials:
            shape = frozenset(skeleton for skeleton, _ in terms)
            if value < best.get(shape, (inf,))[0]:
                best[shape] = value, terms
        return [terms for _, terms in sorted(best.values(), key=lambda trial: trial[0])[:count]]

    def _bases(self) -> list[Base]:
        small, wide = plain_sets(self.near.symbols, self.equation)
        found: list[Base] = [self.own, *([t for m, t in enumerate(self.own) if m != k] for k in range(len(self.own)))]
        found += [self._base(terms) for terms in (*small, *wide, *self.library.composed.bases)]
        distinct = dict.fromkeys(tuple(base) for base in found)
        return [list(base) for base in distinct if set(self.library.forced) <= {skeleton for skeleton, _ in base}]

    def _base(self, terms: Iterable[str]) -> Base:
        """Return the terms that may be in a law, and those that must, with their numbers as they are along it."""
        inner = dict(self.own)
        known = [Skeleton(term) for term in terms]
        free = filter(self.library.holds, known)
        return [(s, inner.get(s, ())) for s in dict.fromkeys((*self.library.forced, *free))]

    def _beside(self, base: Base) -> Iterable[Base]:
        found = self.scan.beside(base, FIRST, REFINED)
        self.scan.meet(found)
        for seen in found:
            one = [*base, seen]
            yield one
            for other in self.scan.beside(one, SECOND, REFINED // 2):
                yield [*one, other]
        self.scan.forget(found)

    def _with_several(self) -> Iterable[Base]:
        """Terms with several numbers inside, as they fit for a few steps: their grid is too coarse to compare them."""
        symbols = self.near.symbols
        for base in (self.own, self._base(("1", symbols[self.equation])), self._base(("1", *symbols))):
            held = {skeleton for skeleton, _ in base}
            for seen in self.scan.starts(base, [s for s in self.several if s not in held], STARTS):
                if fitted := self._rough([*base, seen]):
                    yield fitted

    def _rough(self, terms: Base) -> Base:
        """Fit the numbers of a structure for a few steps; nothing where that fails."""
        fit = self.near.rough(self.equation, *split(terms))
        return [] if fit.failure else [(term.skeleton, term.inner) for term in fit.terms]

    def _pruned(self, terms: Base, most: int) -> Trial:
        """Return the best set of at most so many terms that is left as they go one by one."""
        rows = [(term, row) for term in sorted(terms) if (row := self.near.column(*term)) is not None]
        sizes = np.array([np.linalg.norm(row) for _, row in rows])
        if len(rows) < len(terms) or not len(rows) or not np.all(sizes > 0.0):
            return inf, terms
        a = np.array([row for _, row in rows]) / sizes[:, None]
        gram, g, power = a @ a.T + JITTER * np.eye(len(a)), a @ self.b, float(self.b @ self.b)
        cost = np.array([self._cost(skeleton) for (skeleton, _), _ in rows])
        must = np.array([skeleton in self.library.forced for (skeleton, _), _ in rows])
        keep = np.arange(len(rows))
        best, chosen = inf, keep
        while len(keep):
            inverse = np.linalg.inv(gram[np.ix_(keep, keep)])
            solved = inverse @ g[keep]
            left = max(power - float(solved @ g[keep]), LEAST)
            value = float(self._nats(np.array([left]))[0] + cost[keep].sum())
            if len(keep) <= most and value < best:
                best, chosen = value, keep
            free = np.flatnonzero(~must[keep])
            if not len(free):
                break
            after = self._nats(left + solved[free] ** 2 / np.diag(inverse)[free]) - cost[keep[free]]
            keep = np.delete(keep, free[int(np.argmin(after))])
        return best, [rows[k][0] for k in chosen]

    def _nats(self, left: Floats) -> Floats:
        return 0.5 * self.effective * np.log(np.maximum(left, LEAST) / self.effective)

    def _cost(self, skeleton: Skeleton) -> float:
        return self.prior.name(self.equation, skeleton) + numbers(skeleton, self.samples)
