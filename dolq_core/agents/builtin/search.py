"""Best subsets by size: which few terms of a library explain one equation.

Sizes grow one by one. Pairs are tried exhaustively on the Gram matrix, larger sets by a beam and by swaps; every
term with inner parameters has a beam of its own, because it looks poor until its parameters fit. The leading
sets of each size are fitted exactly, pruned by a block jackknife, relieved of aliases, and ranked by description
length. The search ends at the floor.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from math import inf, isfinite
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.atoms import (
    Atoms,
    Chosen,
    atoms_of,
    best_pairs,
    grown,
    left,
    left_with,
    pair_gains,
    swapped,
    unlike,
    with_kin,
)
from dolq_core.agents.builtin.bases import SWINGS, Bases, other_starts, partners, quadratic
from dolq_core.agents.builtin.exact import Exact, is_sensible
from dolq_core.agents.builtin.worth import FAR, worthy
from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, wrong_sign
from dolq_core.fitting import Workbench, description_length, term_cost
from dolq_core.fitting.limits import ALIKE as IMITATES
from dolq_core.fitting.limits import cosines
from dolq_core.records import AT_FLOOR, Blocks, EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params

BEAM = 24
OWN_BEAM = 3
PLAIN_SETS = {1: 1, 2: 3, 3: 5}
"""Sets of a term with inner parameters and plain partners (a variable, a constant) that are tried besides, by size:
with one partner missing the parameters go astray, and the beam with them."""
PLAIN_BEAM = 8
OWN_TERMS = 16
"""Terms with inner parameters that are followed at each size."""
LARGEST_PARAMETRIC = 4
MOST_REGROWN = 5
"""Terms with inner parameters of which pairs are kept while plain ones grow anew beside them."""
SWAPPED = 4
EXACT = 6
"""Sets per size that are fitted exactly, and of those with inner parameters."""
EXACT_PARAMETRIC = 3
QUADRATIC = 6
"""Terms with inner parameters that are tried beside a whole quadratic law."""
BELOW_FLOOR = 0.3
"""Residual over floor from which no further term can gain more than it costs."""
PATIENCE, PATIENCE_FAR = 2, 3
"""Sizes without a better score before the search ends; further than FAR floors away one more."""
CHEAPER = 2.0
"""Nats by which a larger structure has to be able to cost less for the search to go on at the floor."""

Fitted: TypeAlias = tuple[tuple[Skeleton, tuple[float, ...]], ...]
"""Terms with their inner parameters."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a search may choose from.

    Attributes:
        skeletons: the terms.
        favoured: terms with inner parameters that are tried even when they look poor at their starts.
        kinds: term with inner parameters -> its mechanism; the best of every mechanism is followed.
        simpler: what a term becomes where an inner parameter has a special value; tried in place of a fitted one.
        shared: terms of the other equations with the inner parameters they have there; starts for this one.
        flows: all terms of each other equation: what leaves one state mostly enters another.
        removed: terms that a person removed; one with inner parameters that comes to the same is not taken either.
        blocks: whose signs a coefficient must have.
    """

    skeletons: tuple[Skeleton, ...]
    favoured: tuple[Skeleton, ...] = ()
    kinds: Mapping[Skeleton, str] = field(default_factory=dict[Skeleton, str])
    simpler: Mapping[Skeleton, tuple[Skeleton, ...]] = field(default_factory=dict[Skeleton, tuple[Skeleton, ...]])
    shared: Fitted = ()
    flows: tuple[Fitted, ...] = ()
    removed: tuple[Skeleton, ...] = ()
    blocks: Blocks = FREE


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
    key = (
        equation,
        choice.skeletons,
        tuple(forced),
        choice.favoured,
        choice.shared,
        choice.flows,
        choice.removed,
        choice.blocks,
        max_terms,
    )
    if key not in known:
        found = tuple(_Search(bench, equation, choice, forced).run(max_terms))
        if clock.is_late():
            return list(found)
        known[key] = found
    return list(known[key])


Terms: TypeAlias = tuple[Skeleton, ...]
Question: TypeAlias = tuple[int, Terms, Terms, Terms, Fitted, tuple[Fitted, ...], Terms, Blocks, int]
_known: WeakKeyDictionary[Workbench, dict[Question, tuple[EquationFit, ...]]] = WeakKeyDictionary()


class _Search:
    """One equation's search: the library as atoms, and every structure that was fitted."""

    def __init__(self, bench: Workbench, equation: int, choice: Choice, forced: Sequence[Skeleton]) -> None:
        self.bench = bench = bench.for_equation(equation)
        self.equation = equation
        self.power = bench.power(equation)
        self.forced = forced
        self.choice = choice
        every = dict.fromkeys((*forced, *choice.skeletons))
        columns = [(s, inner, row) for s in every for inner, row in bench.trial_columns(s)]
        self.allowed = {*every, *(s for some in choice.simpler.values() for s in some)}
        self.allowed |= {s for flows in choice.flows for s, _ in flows}
        known = [(*term, bench.column(*term)) for term in with_kin(choice.shared, every) if term[0] in self.allowed]
        columns += [(s, inner, row) for s, inner, row in known if row is not None]
        self.atoms: Atoms = atoms_of(columns, bench.target.b[equation])
        self.exact = Exact(bench, equation, self.atoms, forced, choice.simpler)
        self.gains = pair_gains(self.atoms)
        self.must: Chosen = tuple(self.atoms.skeletons.index(s) for s in forced if s in self.atoms.skeletons)
        self.moving = tuple(s for s in every if count_params(s))
        self.columns_of = {s: [i for i, other in enumerate(self.atoms.skeletons) if other == s] for s in self.moving}
        self.partners: Chosen = partners(self.atoms, bench.symbols)
        removed = [bench.column(s, ()) for s in choice.removed if not count_params(s)]
        self.removed = [row for row in removed if row is not None]
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
        ranked = sorted(self.found.values(), key=_rank)
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
                self._note(fit, pruned, self.exact.pruned(self.exact.without_aliases(pruned)))
            waited = 0 if self.least < best else waited + 1
            best = min(best, self.least)
            lowest = min((fit.floor_ratio for fit in self.found.values()), default=inf)
            patience = 1 if lowest <= AT_FLOOR else (PATIENCE if lowest <= FAR else PATIENCE_FAR)
            if waited >= patience or (lowest <= BELOW_FLOOR and not self._could_be_cheaper(size + 1)):
                break
        if not self.found or min(fit.floor_ratio for fit in self.found.values()) > AT_FLOOR:
            beside = [self._beside(flows) for flows in self.choice.flows]
            beside += self._beside_quadratic()
            fits = [self.exact.pruned(self._fit(chosen)) for chosen in beside]
            self._note(*(fit for fit in fits if len(fit.terms) < sizes.stop))
        for fit in sorted(self.found.values(), key=_rank)[:EXACT_PARAMETRIC]:
            if len(fit.terms) > LARGEST_PARAMETRIC or AT_FLOOR < fit.floor_ratio < inf:
                self._note(*(self.exact.pruned(self._fit(chosen)) for chosen in self._regrown(fit, sizes.stop - 1)))
        for fit in sorted(self.found.values(), key=_rank)[:EXACT_PARAMETRIC]:
            if fit.floor_ratio <= FAR:
                self._note(self.exact.pruned(self.exact.simplified(fit)))

    def _regrown(self, fit: EquationFit, most: int) -> list[Chosen]:
        """Return sets of two terms of a fit with inner parameters, as fitted, and of plain ones.

        The others may only imitate plain terms, as exp(p*v) and v*exp(p*v) together imitate v and v**2.
        """
        moving = sorted((t for t in fit.terms if t.inner), key=lambda t: t.skeleton in self.forced)[-MOST_REGROWN:]
        rows = [(term, self.bench.column(term.skeleton, term.inner)) for term in moving]
        known = [self.atoms.add(term.skeleton, term.inner, row) for term, row in rows if row is not None]
        found: list[tuple[float, Chosen]] = []
        for pair in combinations([i for i in known if i is not None], 2):
            own = {self.atoms.skeletons[i] for i in pair}
            beam = [tuple(sorted({*(i for i in self.must if self.atoms.skeletons[i] not in own), *pair}))]
            best: list[tuple[float, Chosen]] = []
            while beam and len(beam[0]) < most:
                beam = grown(self.atoms, beam, PLAIN_BEAM, self.atoms.fixed)
                best += [(self._score(chosen, left(self.atoms, chosen) / len(self.atoms.b)), chosen) for chosen in beam]
            found += sorted(best)[:1]
        return [chosen for _, chosen in sorted(found)[:EXACT_PARAMETRIC]]

    def _beside(self, flows: Fitted) -> Chosen:
        """Return the terms of another equation beside a whole linear law."""
        known = self._fitted_columns(flows)
        plain = [self.atoms.skeletons.index(s) for s, inner in flows if not inner and s in self.atoms.skeletons]
        return tuple(sorted({*self.must, *self.partners, *plain, *known}))

    def _fitted_columns(self, terms: Iterable[tuple[Skeleton, tuple[float, ...]]]) -> list[int]:
        """Return the columns of terms with these inner parameters, but for those that every set holds anyway."""
        held = {self.atoms.skeletons[i] for i in self.must}
        rows = [(t, self.bench.column(*t)) for t in terms if t[1] and t[0] in self.allowed and t[0] not in held]
        known = (self.atoms.add(*term, row) for term, row in rows if row is not None)
        return [i for i in known if i is not None]

    def _beside_quadratic(self) -> list[Chosen]:
        """Return the most promising terms with inner parameters beside a whole quadratic law, each with its kin.

        The current through a gate that opens by itself is two terms with the same numbers inside, beside four others.
        """
        base = tuple(sorted({*self.must, *quadratic(self.atoms, self.bench.symbols)}))
        after = left_with(self.atoms, base)
        held = {self.atoms.skeletons[i] for i in base}
        own = {s: index for s, index in self.columns_of.items() if index and s not in held}
        starts = {s: min(index, key=lambda i: after[i]) for s, index in own.items()}
        found: list[Chosen] = []
        for skeleton in sorted(starts, key=lambda s: (after[starts[s]], s))[:QUADRATIC]:
            chosen, mse = self._roughly_fitted(tuple(sorted((*base, starts[skeleton]))))
            inner = next((self.atoms.inner[i] for i in chosen if self.atoms.skeletons[i] == skeleton), ())
            kin = with_kin([(skeleton, inner)], own) if mse < inf else []
            found.append(tuple(sorted({*base, *self._fitted_columns(kin)})))
        return found

    def _could_be_cheaper(self, size: int) -> bool:
        """Whether a structure of this many of the plainest terms would cost less than the best one found."""
        best = min(self.found.values(), key=_rank)
        target = self.bench.target
        costs = [term_cost(term.skeleton, len(term.inner), target.effective) for term in best.terms]
        return sum(costs) > size * term_cost("1", 0, target.effective) + CHEAPER

    def _note(self, *fits: EquationFit) -> None:
        for fit in fits:
            sound = (
                isfinite(fit.score) and fit.terms and not self.exact.ghosts(fit) and all(map(is_sensible, fit.terms))
            )
            sound = sound and not wrong_sign(self.choice.blocks, self.equation, fit.terms)
            if sound and not any(map(self._is_removed, fit.terms)):
                shape = frozenset(term.skeleton for term in fit.terms)
                self.found[shape] = min(
                    self.found.get(shape, fit), fit, key=lambda one: one.score
                )  # the first of equals
                self.least = min(self.least, fit.score)

    def _is_removed(self, term: FittedTerm) -> bool:
        """Whether a term, as fitted, is one under another name that a person removed."""
        if not self.removed or not term.inner or term.skeleton in self.forced:
            return False
        row = self.bench.column(term.skeleton, term.inner)
        return row is not None and max(cosines(row, np.array(self.removed))) >= IMITATES

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
        return list(dict.fromkeys((*beside, *improved, *wide)))[:BEAM]

    def _grown_plain(self, beam: Sequence[Chosen], size: int) -> list[Chosen]:
        """The same among the terms without inner parameters, which the starts of the others would crowd out."""
        fixed = self.atoms.fixed
        if len(self.atoms.skeletons) == fixed or any(i >= fixed for i in self.must):
            return []
        if size == 2 and not self.must:
            return best_pairs(self.gains[:, :fixed], PLAIN_BEAM)
        return grown(self.atoms, beam, PLAIN_BEAM, fixed)

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
            fitted = [self._roughly_fitted(chosen) for chosen in sets[skeleton]]
            scored = sorted((self._score(chosen, mse), chosen) for chosen, mse in fitted)
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

    def _roughly_fitted(self, chosen: Chosen) -> tuple[Chosen, float]:
        """Fit the inner parameters of a set for a few steps; its refined columns join the atoms."""
        terms = sorted((self.atoms.skeletons[i], self.atoms.inner[i]) for i in chosen)
        fit = self.bench.rough(self.equation, [s for s, _ in terms], [inner for _, inner in terms])
        if fit.failure:
            return chosen, inf
        moved: dict[Skeleton, int | None] = {}
        for term in fit.terms:
            row = self.bench.column(term.skeleton, term.inner) if term.inner else None
            moved[term.skeleton] = None if row is None else self.atoms.add(term.skeleton, term.inner, row)
        after = (moved.get(self.atoms.skeletons[i]) for i in chosen)
        return tuple(sorted(i if new is None else new for i, new in zip(chosen, after, strict=True))), fit.mse

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
        return [*unlike(self.atoms, fixed, EXACT), *unlike(self.atoms, moving, 1)]

    def _moves(self, chosen: Chosen) -> bool:
        return any(count_params(self.atoms.skeletons[i]) for i in chosen)

    def _fit(self, chosen: Chosen) -> EquationFit:
        return self.exact.fitted((self.atoms.skeletons[i], self.atoms.inner[i]) for i in chosen)


def _rank(fit: EquationFit) -> tuple[float, list[str]]:
    return fit.score, [term.skeleton for term in fit.terms]
