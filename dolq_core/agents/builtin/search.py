"""Best subsets by size: which few terms of a library explain one equation.

Sizes grow one by one. Pairs are tried exhaustively on the Gram matrix, larger sets by a beam and by swaps; every
term with inner parameters has a beam of its own, because it looks poor until its parameters fit. The leading
sets of each size are fitted exactly, pruned by a block jackknife, relieved of aliases, and ranked by description
length. The search ends at the floor.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf, isfinite
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from dolq_core.agents.builtin.atoms import TINY, Atoms, Chosen, atoms_of, best_pairs, grown, left, swapped, with_columns
from dolq_core.fitting import Workbench, description_length
from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton, count_params

BEAM = 24
OWN_BEAM = 3
PLAIN_PAIRS = 2
"""Sets of a term with inner parameters and two plain partners (a variable, a constant) that are tried besides: with
one partner missing the parameters go astray, and the beam with them."""
OWN_TERMS = 16
"""Terms with inner parameters that are followed at each size."""
LARGEST_PARAMETRIC = 4
SWAPPED = 4
EXACT = 6
"""Sets per size that are fitted exactly, and of those with inner parameters."""
EXACT_PARAMETRIC = 3
AT_FLOOR = 1.5
BELOW_FLOOR = 0.3
"""Residual over floor from which no further term can gain more than it costs."""
CERTAIN = 4.0
"""Size of a coefficient over its block-jackknife error below which its term may go."""
ALIAS = 1.0 - 1e-7
"""Cosine from which a term with inner parameters is the simpler term it imitates."""
FAR = 3.0
"""Floors away from which a larger structure must cut the error by as much to be worth its terms."""
PATIENCE, PATIENCE_FAR = 2, 3
"""Sizes without a better score before the search ends; further than FAR floors away one more."""
GHOST = 1e-4
"""Size of a term's contribution over that of the left-hand side below which it is no term but a trace of the target's
own error (1e-8 of the mean square)."""


def search(
    bench: Workbench,
    equation: int,
    skeletons: Sequence[Skeleton],
    forced: Sequence[Skeleton],
    max_terms: int,
    favoured: Sequence[Skeleton] = (),
) -> list[EquationFit]:
    """Return fits of distinct structures, the best score first.

    Args:
        bench: the data.
        equation: whose left-hand side.
        skeletons: the library.
        forced: terms that every structure holds.
        max_terms: the largest size.
        favoured: terms with inner parameters that are tried even when they look poor at their starts.
    """
    known = _known.setdefault(bench, {})
    key = (equation, tuple(skeletons), tuple(forced), tuple(favoured), max_terms)
    if key not in known:
        known[key] = tuple(_Search(bench, equation, skeletons, forced, favoured).run(max_terms))
    return list(known[key])


Question: TypeAlias = tuple[int, tuple[Skeleton, ...], tuple[Skeleton, ...], tuple[Skeleton, ...], int]
_known: WeakKeyDictionary[Workbench, dict[Question, tuple[EquationFit, ...]]] = WeakKeyDictionary()


class _Search:
    """One equation's search: the library as atoms, and every structure that was fitted."""

    def __init__(
        self,
        bench: Workbench,
        equation: int,
        skeletons: Sequence[Skeleton],
        forced: Sequence[Skeleton],
        favoured: Sequence[Skeleton],
    ) -> None:
        self.bench = bench
        self.equation = equation
        self.power = bench.power(equation)
        self.forced = forced
        every = dict.fromkeys((*forced, *skeletons))
        columns = [(s, row) for s in every for row in bench.trial_columns(s)]
        self.atoms: Atoms = atoms_of(columns, bench.target.b[equation])
        self.must: Chosen = tuple(self.atoms.skeletons.index(s) for s in forced if s in self.atoms.skeletons)
        self.moving = tuple(s for s in every if count_params(s))
        self.favoured = frozenset(favoured)
        self.partners: Chosen = tuple(i for i, s in enumerate(self.atoms.skeletons) if s in bench.symbols or s == "1")
        self.beams: dict[Skeleton, list[Chosen]] = {}
        self.fits: dict[tuple[Skeleton, ...], EquationFit] = {}
        self.found: dict[frozenset[Skeleton], EquationFit] = {}

    def run(self, max_terms: int) -> list[EquationFit]:
        """Grow sizes until the floor is reached or nothing gets better."""
        best, waited, beam = inf, 0, [self.must]
        for size in range(len(self.must) + 1, min(max_terms, int(self.bench.target.effective // 2)) + 1):
            beam = self._grown(beam, size)
            parametric = self._by_structure((chosen for _, chosen in self._own_sets(size)), EXACT_PARAMETRIC)
            if not beam and not parametric:
                break
            fits = [self._fit(chosen) for chosen in (*self._leading(beam), *parametric)]
            for fit in fits:
                pruned = self._pruned(fit)
                self._note(fit, pruned, self._pruned(self._without_aliases(pruned)))
            least = min((fit.score for fit in self.found.values()), default=inf)
            waited = 0 if least < best else waited + 1
            best = min(best, least)
            lowest = min((fit.floor_ratio for fit in self.found.values()), default=inf)
            patience = 1 if lowest <= AT_FLOOR else (PATIENCE if lowest <= FAR else PATIENCE_FAR)
            if lowest <= BELOW_FLOOR or waited >= patience:
                break
        ranked = sorted(self.found.values(), key=_rank)
        return ranked if self.bench.is_sparse else worth_their_terms(ranked)

    def _note(self, *fits: EquationFit) -> None:
        for fit in fits:
            if isfinite(fit.score) and fit.terms and not self._ghosts(fit):
                self.found.setdefault(frozenset(term.skeleton for term in fit.terms), fit)

    # --- sets ---------------------------------------------------------------------------------------

    def _grown(self, beam: Sequence[Chosen], size: int) -> list[Chosen]:
        if size == 2 and not self.must:
            wide = best_pairs(self.atoms, BEAM)
        else:
            wide = grown(self.atoms, beam, BEAM)
        improved = [swapped(self.atoms, chosen, self.must) for chosen in wide[:SWAPPED]] if size > 2 else []
        return list(dict.fromkeys((*improved, *wide)))[:BEAM]

    def _own_sets(self, size: int) -> list[tuple[float, Chosen]]:
        """Best sets of this size with each term that has inner parameters, roughly fitted: (score, set)."""
        if size > LARGEST_PARAMETRIC:
            return []
        sets = {s: found for s in self.moving if (found := self._sets_with(s, size))}
        promise = {s: min(left(self.atoms, chosen) for chosen in found) for s, found in sets.items()}
        ranked = sorted(sets, key=lambda s: (s not in self.favoured, promise[s]))[:OWN_TERMS]
        rough: list[tuple[float, Chosen]] = []
        for skeleton in ranked:
            fitted = [self._roughly_fitted(chosen) for chosen in sets[skeleton]]
            scored = sorted((self._score(chosen, mse), chosen) for chosen, mse in fitted)
            self.beams[skeleton] = [chosen for _, chosen in scored[:OWN_BEAM]]
            rough.extend(scored)
        return sorted(rough)

    def _sets_with(self, skeleton: Skeleton, size: int) -> list[Chosen]:
        """Sets of this size to try with one term: grown from all its starts, and with the plainest partners."""
        mine = [i for i, s in enumerate(self.atoms.skeletons) if s == skeleton]
        alone = [tuple(sorted({*self.must, i})) for i in mine]
        extra = size - len(self.must)
        if extra <= 1:
            return self._by_structure(sorted(alone, key=lambda c: left(self.atoms, c)), 1) if extra == 1 else []
        if extra == 2:
            wide = grown(self.atoms, alone, len(alone) + OWN_BEAM)
            plain = [tuple(sorted((*a, i))) for i in self.partners if i not in self.must for a in alone]
            plain = sorted(plain, key=lambda c: left(self.atoms, c))
            return [*self._by_structure(wide, OWN_BEAM), *self._by_structure(plain, OWN_BEAM)]
        own = self._by_structure(grown(self.atoms, self.beams.get(skeleton, []), 2 * OWN_BEAM), OWN_BEAM)
        if extra > 3:
            return own
        free = [i for i in self.partners if i not in self.must]
        pairs = [tuple(sorted({*a, i, j})) for i, j in combinations(free, 2) for a in alone]
        whole = sorted((c for c in pairs if len(c) == size), key=lambda c: left(self.atoms, c))
        return self._by_structure([*own, *whole], len(own) + PLAIN_PAIRS)

    def _by_structure(self, sets: Iterable[Chosen], count: int) -> list[Chosen]:
        """The first `count` sets that differ as structures."""
        seen: dict[frozenset[Skeleton], Chosen] = {}
        for chosen in sets:
            seen.setdefault(frozenset(self.atoms.skeletons[i] for i in chosen), chosen)
            if len(seen) == count:
                break
        return list(seen.values())

    def _roughly_fitted(self, chosen: Chosen) -> tuple[Chosen, float]:
        """Fit the inner parameters of a set for a few steps; its refined columns join the atoms."""
        skeletons = [self.atoms.skeletons[i] for i in chosen]
        fit = self.bench.rough(self.equation, skeletons)
        if fit.failure:
            return chosen, inf
        first = len(self.atoms.skeletons)
        refined = {
            term.skeleton: row
            for term in fit.terms
            if term.inner
            and (row := self.bench.column(term.skeleton, term.inner)) is not None
            and float(np.linalg.norm(row)) > TINY
        }
        self.atoms = with_columns(self.atoms, list(refined.items()))
        number = {skeleton: first + i for i, skeleton in enumerate(refined)}
        return tuple(sorted(number.get(self.atoms.skeletons[i], i) for i in chosen)), fit.mse

    def _score(self, chosen: Chosen, mse: float) -> float:
        target = self.bench.target
        sizes = [(s, count_params(s)) for s in (self.atoms.skeletons[i] for i in chosen)]
        return description_length(mse, float(target.floor[self.equation]), self.power, target.effective, sizes)

    def _leading(self, beam: Sequence[Chosen]) -> list[Chosen]:
        """The sets of the common beam to fit exactly: distinct as structures, few of them with inner parameters."""
        samples = len(self.atoms.b)
        scored = [c for _, c in sorted((self._score(c, left(self.atoms, c) / samples), c) for c in beam)]
        fixed = [c for c in scored if not self._moves(c)]
        moving = [c for c in scored if self._moves(c)]
        return [*self._by_structure(fixed, EXACT), *self._by_structure(moving, 1)]

    def _moves(self, chosen: Chosen) -> bool:
        return any(count_params(self.atoms.skeletons[i]) for i in chosen)

    # --- exact fits ---------------------------------------------------------------------------------

    def _fitted(self, skeletons: Iterable[Skeleton]) -> EquationFit:
        """Fit a structure once; without inner parameters the rough fit has the exact coefficients already."""
        key = tuple(sorted(skeletons))
        if key not in self.fits:
            moving = any(count_params(s) for s in key)
            self.fits[key] = (self.bench.on_target if moving else self.bench.rough)(self.equation, key)
        return self.fits[key]

    def _fit(self, chosen: Chosen) -> EquationFit:
        return self._fitted(self.atoms.skeletons[i] for i in chosen)

    def _pruned(self, fit: EquationFit) -> EquationFit:
        """Drop the term that matters least, again and again, while it is not certain or the score gets better."""
        current = fit
        while len(current.terms) > 1 and not current.failure:
            loose = [pair for pair in self._weakest(current) if pair[1] not in self.forced]
            if not loose:
                break
            ghosts = [pair for pair in loose if pair[1] in self._ghosts(current)]
            certainty, weakest = (ghosts or loose)[0]
            less = self._fitted(t.skeleton for t in current.terms if t.skeleton != weakest)
            if not ghosts and certainty >= CERTAIN and less.score > current.score:
                break
            current = less
        return current

    def _ghosts(self, fit: EquationFit) -> set[Skeleton]:
        """Terms that contribute next to nothing; what a person asked for is none."""
        least = GHOST * float(np.sqrt(self.power))
        sizes = [(t, self.bench.column(t.skeleton, t.inner)) for t in fit.terms if t.skeleton not in self.forced]
        return {
            t.skeleton
            for t, row in sizes
            if row is not None and abs(t.coefficient) * float(np.sqrt(np.mean(np.square(row)))) < least
        }

    def _weakest(self, fit: EquationFit) -> list[tuple[float, Skeleton]]:
        return sorted(zip(self.bench.certainty(fit), (t.skeleton for t in fit.terms), strict=True))

    def _without_aliases(self, fit: EquationFit) -> EquationFit:
        """Replace terms whose inner parameters make them imitate a simpler term: x*y/(p + y) with p = 0 is x."""
        if fit.failure:
            return fit
        plain = [i for i, s in enumerate(self.atoms.skeletons) if not count_params(s)]
        terms: dict[Skeleton, None] = {}
        for term in fit.terms:
            row = (
                self.bench.column(term.skeleton, term.inner)
                if term.inner and term.skeleton not in self.forced
                else None
            )
            simpler = term.skeleton
            if row is not None and plain:
                cosines = np.abs(self.atoms.a[plain] @ row) / max(float(np.linalg.norm(row)), TINY)
                k = int(np.argmax(cosines))
                simpler = self.atoms.skeletons[plain[k]] if cosines[k] > ALIAS else simpler
            terms[simpler] = None
        return fit if set(terms) == {t.skeleton for t in fit.terms} else self._fitted(terms)


def _rank(fit: EquationFit) -> tuple[float, list[str]]:
    return fit.score, [term.skeleton for term in fit.terms]


def worth_their_terms(fits: Sequence[EquationFit]) -> list[EquationFit]:
    """Leave out structures far from the floor that one with fewer numbers nearly equals.

    A residual that is smooth (an integrator's error, a missing mechanism) can always be chased with more terms;
    where the floor is not reached, every further number has to cut the error by the factor FAR.
    """
    return [fit for fit in fits if fit.floor_ratio <= FAR or not any(nearly_equals(other, fit) for other in fits)]


def nearly_equals(small: EquationFit, large: EquationFit) -> bool:
    """Whether the larger structure cuts the error by less than FAR for each further number."""
    extra = sum(1 + len(t.inner) for t in large.terms) - sum(1 + len(t.inner) for t in small.terms)
    return extra > 0 and small.mse <= FAR ** (2 * extra) * large.mse
