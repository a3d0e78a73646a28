"""Best subsets by size: which few terms of a library explain one equation.

Sizes grow one by one. Pairs are tried exhaustively on the Gram matrix, larger sets by a beam and by swaps; every
term with inner parameters has a beam of its own, because it looks poor until its parameters fit. The leading
sets of each size are fitted exactly, pruned by a block jackknife, relieved of aliases, and ranked by description
length. The search ends at the floor.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import inf, isfinite
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.atoms import (
    Chosen,
    best_pairs,
    best_triples,
    grown,
    left,
    left_with,
    pair_gains,
    swapped,
    unlike,
)
from dolq_core.agents.builtin.bases import SWINGS, Bases, other_starts
from dolq_core.agents.builtin.choice import Choice, Fitted
from dolq_core.agents.builtin.exact import is_sensible
from dolq_core.agents.builtin.modulated import Inside, is_modulated
from dolq_core.agents.builtin.sets import EXACT_PARAMETRIC, PLAIN_BEAM, Sets
from dolq_core.agents.builtin.shortening import shortened
from dolq_core.agents.builtin.worth import FAR, worthy
from dolq_core.arrays import Floats
from dolq_core.blocks import wrong_sign
from dolq_core.fitting import Workbench, term_cost
from dolq_core.fitting.limits import disguised, explains
from dolq_core.records import AT_FLOOR, Blocks, EquationFit
from dolq_core.terms import Skeleton, count_params

BEAM = 24
OWN_BEAM = 3
PLAIN_SETS = {1: 1, 2: 3, 3: 5}
"""Sets of a term with inner parameters and plain partners (a variable, a constant) that are tried besides, by size:
with one partner missing the parameters go astray, and the beam with them."""
OWN_TERMS = 16
"""Terms with inner parameters that are followed at each size."""
LARGEST_PARAMETRIC = 4
SWAPPED = 4
EXACT = 6
"""Sets without inner parameters that are fitted exactly at each size."""
SHORTENED, LEAST_SHORTENED = 3, 3
"""Rounds in which one term may stand for several, and terms of a law that is looked at so."""
RATES = 12
"""Structures with a rate that follows a rhythm exponentially that are fitted."""
BELOW_FLOOR = 0.3
"""Residual over floor from which no further term can gain more than it costs."""
PATIENCE, PATIENCE_FAR = 2, 3
"""Sizes without a better score before the search ends; further than FAR floors away one more."""
CHEAPER = 2.0
"""Nats by which a larger structure has to be able to cost less for the search to go on at the floor."""


def search(
    bench: Workbench, equation: int, choice: Choice, forced: Sequence[Skeleton], max_terms: int
) -> list[EquationFit]:
    """Return fits of distinct structures, the best score first.

    Args:
        bench: the data.
        equation: whose left-hand side.
        choice: the library.
        forced: terms that every structure holds.
        max_terms: the largest size.
    """
    known = _known.setdefault(bench, {})
    wanted = (
        choice.skeletons,
        tuple(forced),
        choice.favoured,
        choice.shared,
        choice.known,
        choice.flows,
        choice.removed,
    )
    key = (equation, *wanted, choice.blocks, max_terms)
    if key not in known:
        found = tuple(Search(bench, equation, choice, forced).run(max_terms))
        if clock.is_late():
            return list(found)
        known[key] = found
    return list(known[key])


Terms: TypeAlias = tuple[Skeleton, ...]
Question: TypeAlias = tuple[int, Terms, Terms, Terms, Fitted, Fitted, tuple[Fitted, ...], Terms, Blocks, int]
_known: WeakKeyDictionary[Workbench, dict[Question, tuple[EquationFit, ...]]] = WeakKeyDictionary()


class Search(Sets):
    """One equation's search: sets of all sizes, and every structure that was fitted."""

    def __init__(self, bench: Workbench, equation: int, choice: Choice, forced: Sequence[Skeleton]) -> None:
        super().__init__(bench, equation, choice, forced)
        bench = self.bench
        self.gains = pair_gains(self.atoms)
        self.beams: dict[Skeleton, list[Chosen]] = {}
        self.shared: dict[int, list[Chosen]] = {
            i: [tuple(sorted({*self.must, i}))]
            for i, term in enumerate(zip(self.atoms.skeletons, self.atoms.inner, strict=True))
            if term in choice.shared
        }
        self.least = inf
        self.found: dict[frozenset[Skeleton], EquationFit] = {}

    def run(self, max_terms: int) -> list[EquationFit]:
        """Grow sizes until the floor is reached, nothing gets better, or a limit of time has passed."""
        sizes = range(len(self.must) + 1, min(max_terms, int(self.bench.target.effective // 2)) + 1)
        with suppress(clock.OutOfTime):
            self._grow(sizes)
        ranked = sorted(self.found.values(), key=rank)
        if not ranked:
            clock.check()
        return ranked if self.bench.is_sparse else worthy(ranked, self.bench)

    def _grow(self, sizes: range) -> None:
        best, waited, beam, plain = inf, 0, [self.must], [self.must]
        for size in sizes:
            done = min((fit.floor_ratio for fit in self.found.values()), default=inf) <= BELOW_FLOOR
            own = [] if done else self._own_sets(size, plain)
            beam, plain = self._grown(beam, size), self._grown_plain(plain, size)
            parametric = unlike(self.atoms, (chosen for _, chosen in own), EXACT_PARAMETRIC)
            if not beam and not parametric:
                break
            fits = [self._fit(chosen) for chosen in (*self._leading([*beam, *plain]), *parametric)]
            for fit in fits:
                pruned = self.exact.pruned(fit)
                other = self.exact.without_aliases(pruned)
                self._note(fit, pruned, other if other is pruned else self.exact.pruned(other))
            waited = 0 if self.least < best else waited + 1
            best = min(best, self.least)
            lowest = min((fit.floor_ratio for fit in self.found.values()), default=inf)
            patience = 1 if lowest <= AT_FLOOR else (PATIENCE if lowest <= FAR else PATIENCE_FAR)
            if waited >= patience or (lowest <= BELOW_FLOOR and not self._could_be_cheaper(size + 1)):
                break
        if not self.found or min(fit.floor_ratio for fit in self.found.values()) > AT_FLOOR:
            beside = [*self.following(), *(self.beside(flows) for flows in self.choice.flows)]
            beside += [*self.curved_pairs(), *self.beside_quadratic(), *self.beside_cubic(sizes.stop - 1)]
            beside += self.beside_known(sizes.stop - 1)
            fits = [self.exact.pruned(fit) for fit in (*map(self._fit, beside), *self._beside_decay())]
            driven = [self.exact.pruned(self._fit(chosen)) for chosen in self.in_a_rhythm(sizes.stop - 1)]
            fits += [fit for fit in driven if any(is_modulated(term.skeleton) for term in fit.terms)]
            self._note(*(fit for fit in fits if len(fit.terms) < sizes.stop))
            self._note(*(self.exact.pruned(self.exact.fitted(terms)) for terms in self._rates()))
        for fit in sorted(self.found.values(), key=rank)[:EXACT_PARAMETRIC]:
            if len(fit.terms) > LARGEST_PARAMETRIC or AT_FLOOR < fit.floor_ratio < inf:
                self._note(*(self.exact.pruned(self._fit(chosen)) for chosen in self.regrown(fit, sizes.stop - 1)))
        self._shorten()
        for fit in sorted(self.found.values(), key=rank)[:EXACT_PARAMETRIC]:
            if fit.floor_ratio <= FAR:
                self._note(self.exact.pruned(self.exact.simplified(fit)))

    def _shorten(self) -> None:
        """Put one term in place of several of the best fit while that is not at the floor and gets better by it."""
        for _ in range(SHORTENED):
            before = self.least
            best = min(self.found.values(), key=rank, default=None)
            if best is None or best.floor_ratio <= AT_FLOOR or len(best.terms) < LEAST_SHORTENED:
                return
            known = tuple(sorted({*self.must, *self.columns((t.skeleton, t.inner) for t in best.terms)}))
            fitted = [self.roughly_fitted(chosen) for chosen in shortened(self.atoms, known, self.must)]
            ranked = [chosen for _, chosen in sorted((self.score(chosen, mse), chosen) for chosen, mse in fitted)]
            self._note(*(self.exact.pruned(self._fit(c)) for c in unlike(self.atoms, ranked, EXACT_PARAMETRIC)))
            if self.least >= before:
                return

    def _rates(self) -> list[Inside]:
        """Return the best structures with a rate that follows a rhythm exponentially, with numbers to start from."""
        best = [*map(self._fit, self.in_proportion()), *sorted(self.found.values(), key=rank)]
        return self.at_a_rate(fit.terms for fit in best)[:RATES]

    def _beside_decay(self) -> list[EquationFit]:
        """Return fits of a state's own decay and a term with several numbers inside, from all starts; of clean samples.

        A few steps from the best start do not bring the three numbers of a sigmoid to their place.
        """
        if not self.bench.is_clean:
            return []
        decay = Skeleton(self.bench.symbols[self.equation])
        base = tuple(dict.fromkeys([*self.forced, decay] if decay in self.allowed else self.forced))
        own = [s for s in self.moving if count_params(s) > 1 and s not in base and not is_modulated(s)]
        return [self.exact.fitted((s, ()) for s in (*base, skeleton)) for skeleton in own]

    def _could_be_cheaper(self, size: int) -> bool:
        """Whether a structure of this many of the plainest terms would cost less than the best one found."""
        best = min(self.found.values(), key=rank)
        target = self.bench.target
        costs = [term_cost(term.skeleton, len(term.inner), target.effective) for term in best.terms]
        return sum(costs) > size * term_cost("1", 0, target.effective) + CHEAPER

    def _note(self, *fits: EquationFit) -> None:
        for fit in fits:
            sound = (
                isfinite(fit.score) and fit.terms and not self.exact.ghosts(fit) and all(map(is_sensible, fit.terms))
            )
            sound = sound and not wrong_sign(self.choice.blocks, self.equation, fit.terms)
            if sound and not self._is_removed(fit):
                shape = frozenset(term.skeleton for term in fit.terms)
                self.found[shape] = min(
                    self.found.get(shape, fit), fit, key=lambda one: one.score
                )  # the first of equals
                self.least = min(self.least, fit.score)

    def _is_removed(self, fit: EquationFit) -> bool:
        """Whether a term, as fitted, is one under another name that a person removed, alone or beside the others.

        Or several are, whose sum it is. In a structure that explains nothing one that looks like it is enough:
        x*log(y) makes up for x*y there.
        """
        removed, loosely = self.choice.removed, not explains(fit)
        return disguised(self.bench.dataset, fit.terms, removed, self.forced, loosely=loosely)

    # --- sets ---------------------------------------------------------------------------------------

    def _grown(self, beam: Sequence[Chosen], size: int) -> list[Chosen]:
        """The best sets that grow from a beam; one term beside a whole linear law is tried whatever the beam is."""
        if size == 2 and not self.must:
            wide = best_pairs(self.gains, BEAM)
        else:
            wide = grown(self.atoms, beam, BEAM)
        improved = [swapped(self.atoms, chosen, self.must) for chosen in wide[:SWAPPED]] if size > 2 else []
        linear = tuple(sorted({*self.must, *self.partners}))
        beside = grown(self.atoms, [linear], EXACT) if size == len(linear) + 1 else []
        found = list(dict.fromkeys((*beside, *improved, *wide)))[:BEAM]
        return list(dict.fromkeys((*found, *self._triples(size))))

    def _grown_plain(self, beam: Sequence[Chosen], size: int) -> list[Chosen]:
        """The same among the terms without inner parameters, which the starts of the others would crowd out."""
        fixed = self.atoms.fixed
        if len(self.atoms.skeletons) == fixed or any(i >= fixed for i in self.must):
            return []
        if size == 2 and not self.must:
            return best_pairs(self.gains[:, :fixed], PLAIN_BEAM)
        return list(dict.fromkeys((*grown(self.atoms, beam, PLAIN_BEAM, fixed), *self._triples(size))))

    def _triples(self, size: int) -> list[Chosen]:
        """The best of all sets of three plain terms of several states that are clean: noise hides what they leave."""
        are_told = size == 3 and not self.must and self.bench.is_clean and self.bench.d > 1
        return best_triples(self.atoms, PLAIN_BEAM) if are_told else []

    def _own_sets(self, size: int, beam: Sequence[Chosen]) -> list[tuple[float, Chosen]]:
        """Best sets of this size with each term that has inner parameters, roughly fitted: (score, set).

        beam: sets one smaller, without inner parameters, the best first.
        """
        moving = self.moving if size <= LARGEST_PARAMETRIC else ()
        places = Bases(self.atoms, self.must, self.partners, list(self.shared), size, beam)
        common = [(base, left_with(self.atoms, base)) for base in (places.common() if moving else ())]
        sets: dict[Skeleton, list[Chosen]] = {}
        for s in moving:
            own = [(base, left_with(self.atoms, base)) for base in places.of_rhythm(s)]
            if found := self._sets_with(s, size, [*common, *own]):
                sets[s] = found
        for i, beam in self.shared.items():
            if size > len(beam[0]):
                self.shared[i] = beam = grown(self.atoms, beam, BEAM, self.atoms.fixed) or beam
            if own := [chosen for chosen in beam[:OWN_BEAM] if len(chosen) == size]:
                sets.setdefault(self.atoms.skeletons[i], []).extend(own)
        promise = {s: min(left(self.atoms, chosen) for chosen in found) for s, found in sets.items()}
        rough: list[tuple[float, Chosen]] = []
        for skeleton in self._followed(promise):
            fitted = [self.roughly_fitted(chosen) for chosen in sets[skeleton]]
            scored = sorted((self.score(chosen, mse), chosen) for chosen, mse in fitted)
            self.beams[skeleton] = [chosen for _, chosen in scored[:OWN_BEAM]]
            rough.extend(scored)
        return sorted(rough)

    def _followed(self, promise: Mapping[Skeleton, float]) -> list[Skeleton]:
        """The terms with inner parameters to fit: favoured ones, the best of every mechanism, then the best others."""
        ranked = sorted(promise, key=lambda s: (s not in self.choice.favoured, promise[s]))
        first = dict.fromkeys(s for s in ranked if s in self.choice.favoured)
        best: dict[str, Skeleton] = {}
        for skeleton in ranked:
            best.setdefault(self.choice.kinds.get(skeleton, ""), skeleton)
        return list(dict.fromkeys((*first, *best.values(), *ranked)))[:OWN_TERMS]

    def _sets_with(self, skeleton: Skeleton, size: int, bases: Sequence[tuple[Chosen, Floats]]) -> list[Chosen]:
        """Sets of this size to try with one term: its best start on each base, and what its own beam grows to."""
        mine = self.columns_of[skeleton]
        if not mine:
            return []
        best = [(base, mine[int(np.argmin(after[mine]))], float(np.min(after[mine]))) for base, after in bases]
        ranked = sorted((value, tuple(sorted((*base, i)))) for base, i, value in best if value < inf)
        joined = unlike(self.atoms, (chosen for _, chosen in ranked), PLAIN_SETS.get(size - len(self.must), 1))
        own = grown(self.atoms, self.beams.get(skeleton, []), 2 * OWN_BEAM)
        if size == 2 and not self.must:
            own = sorted((*own, *best_pairs(self.gains, 2 * OWN_BEAM, mine)), key=lambda c: (left(self.atoms, c), c))
        grown_further = unlike(self.atoms, (*joined, *own), len(joined) + OWN_BEAM)
        return [*grown_further, *(other_starts(self.atoms, joined, mine, bases) if SWINGS.search(skeleton) else [])]

    def _leading(self, beam: Sequence[Chosen]) -> list[Chosen]:
        """The sets of the common beam to fit exactly: distinct as structures, few of them with inner parameters."""
        samples = len(self.atoms.b)
        scored = [c for _, c in sorted((self.score(c, left(self.atoms, c) / samples), c) for c in beam)]
        fixed = [c for c in scored if not self._moves(c)]
        moving = [c for c in scored if self._moves(c)]
        return [*unlike(self.atoms, fixed, EXACT), *unlike(self.atoms, moving, 1)]

    def _moves(self, chosen: Chosen) -> bool:
        return any(count_params(self.atoms.skeletons[i]) for i in chosen)

    def _fit(self, chosen: Chosen) -> EquationFit:
        return self.exact.fitted((self.atoms.skeletons[i], self.atoms.inner[i]) for i in chosen)


def rank(fit: EquationFit) -> tuple[float, list[str]]:
    """Return what fits are ordered by: the score, and the names of the terms for a tie."""
    return fit.score, [term.skeleton for term in fit.terms]
