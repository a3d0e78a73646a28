"""Noisy samples: the search for a whole system, judged by how its simulation explains the samples.

    reference --> pool of structures per equation --> systems fitted to whole runs --> best one --> reference ...

Around a reference every term of a library changes the samples linearly (`fitting.output_error`), so thousands of
structures of one equation are ranked by one regression each; the first reference is a polynomial for each equation,
damped, later ones are simulations of the best system, which carry no noise. What is ranked first is then fitted to
whole runs with the other equations (`fitting.likelihood`), and changed term by term.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, permutations
from math import inf
from typing import TypeAlias

from dolq_core import clock
from dolq_core.agents.builtin.changing import complement, entering, joined, plainest_first, turned
from dolq_core.agents.builtin.references import polynomials, relaxing
from dolq_core.agents.builtin.subsets import BETTER, POOR, Library, Subsets, sparser
from dolq_core.blocks import FREE, with_kin
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import Judged, Likelihood, System, shape
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.rivals import rivals_of_system
from dolq_core.fitting.symmetry import exchange, image
from dolq_core.numerics.whiteness import WHITE
from dolq_core.records import AT_FLOOR, Blocks, EquationFit, FittedTerm
from dolq_core.terms import Skeleton

KEPT = 30
"""Structures of each library that are fitted to whole runs at most."""
FIRST = 6
"""Structures of an equation that are fitted to whole runs where the reference is not the best system."""
NEAR = 5.0
"""Nats behind its own structure up to which others are fitted to whole runs, along the best system."""
REMEMBERED = 3
"""Structures of a pool whose inner parameters are starts from then on."""
LOWEST, HIGHEST = 2, 3
"""Degrees of the first reference: the next one where this one does not carry the data, each equation alone at last."""
ROUNDS = 6
"""References: the last ones mostly change nothing."""
REPLACED = 4
"""Terms that are tried in the place of one that is not plain."""
LEADERS, CARRIED = 3, 30
"""Systems of which terms are tried with special values, and that are tried again on longer stretches."""

Pool: TypeAlias = list[tuple[FittedTerm, ...]]
"""Structures of one equation, the best first."""


class Pursuit:
    """One search for whole systems."""

    def __init__(
        self,
        bench: Workbench,
        likes: Sequence[Likelihood],
        prior: Prior,
        libraries: Sequence[Library],
        most: int,
        blocks: Blocks = FREE,
    ) -> None:
        """likes: on whole runs, then on shorter and shorter stretches; most: terms in an equation; blocks: declared."""
        self.bench = bench
        self.likes = likes
        self.like = likes[0]
        self.prior = prior
        self.libraries = libraries
        self.most = most
        self.blocks = blocks
        self.d = bench.d
        self.best: Judged | None = None
        self.least = inf
        self._gains = [0.0] * bench.d
        self._ended: set[tuple[int, object]] = set()
        self._first: dict[int, tuple[list[Pool], list[System]]] = {}
        self._subsets: list[Subsets] = []
        self._starts: list[dict[tuple[Skeleton, tuple[float, ...]], None]] = [{} for _ in range(bench.d)]

    def run(self) -> list[Judged]:
        """Return the systems that were fitted, the best first; none where no system follows the samples.

        On whole runs where some system follows them; else on stretches, which are lengthened as far as one does.
        Where a limit of time has passed, those that were fitted by then.
        """
        with suppress(clock.OutOfTime):
            self._run()
        return self.ranked()

    def _run(self) -> None:
        level = 0
        for level in range(len(self.likes)):
            self._use(level)
            if self._from_all_sides():
                break
        while level and self.best is not None:
            found = self.ranked()[:CARRIED]
            level -= 1
            self._use(level)
            for judged in found:
                self._try(judged.system, judged)
            if not self._has_best():
                self._use(level + 1)
                for judged in found:
                    self._try(judged.system)
                break
            self._search(len(self.libraries[0].stages) - 1)

    def _has_best(self) -> bool:
        return self.best is not None

    def _from_all_sides(self) -> bool:
        """Search each library anew, then the widest one from the best system found; whether there is one.

        No wider one anew where the best system leaves only noise, and along it nothing of the widest comes near.
        """
        last = len(self.libraries[0].stages) - 1
        for stage in range(last + 1):
            self.best, self.least = None, inf
            self._search(stage, *self._fresh(stage))
            plain = self.best
            if plain is not None and self._explains():
                self._search(last)
                if self.best is plain and not self._has_rival():
                    break
        found = self.ranked()
        if not found:
            return False
        self.best, self.least = found[0], self._length(found[0])
        self._search(last)
        self._simplify()
        return True

    def _explains(self) -> bool:
        """Whether the best system leaves nothing but noise of whole runs."""
        if self.best is None or self.like is not self.likes[0]:
            return False
        return float(max(self.best.misfit)) <= AT_FLOOR and min(self.like.whiteness(self.best)) > WHITE

    def _has_rival(self) -> bool:
        """Whether the best system has a rival as its status will count them, that does not merely add to it."""
        assert self.best is not None
        known = rivals_of_system(self.like, self.best, self.prior)
        return any(
            not {t.skeleton for t in terms} <= {t.skeleton for t in rival.system[j]}
            for j, terms in enumerate(self.best.system)
            for rival in known[j].close
        )

    def _use(self, level: int) -> None:
        self.like, self.best, self.least, self._ended = self.likes[level], None, inf, set()

    def _search(self, stage: int, fresh: Sequence[Pool] = (), sparse: Sequence[System] = ()) -> None:
        """Search one library, from the best system so far and what is fresh, until a round changes nothing."""
        for round_ in range(ROUNDS):
            before = None if self.best is None else shape(self.best.system)
            if (stage, before) in self._ended or (round_ and fresh and self._explains()):
                break
            pools = list(fresh)
            if self.best is not None:
                self._subsets = []
                pools = [self._pool(self._as_fits(self.best), j, stage) for j in range(self.d)]
                if not round_ and fresh:
                    pools = [joined(near, new) for near, new in zip(pools, fresh, strict=True)]
            if not all(pools):
                break
            self._begin(pools, () if round_ else sparse)
            if self.best is None:
                break
            self._descend(pools)
            self._prune()
            self._turn()
            self._close()
            self._mirror()
            if shape(self.best.system) == before:
                self._replace()
                if shape(self.best.system) == before:
                    self._ended.add((stage, before))
                    break

    def _fresh(self, stage: int) -> tuple[list[Pool], list[System]]:
        """Pools along the first reference, each equation alone where that does not carry the data; sparser systems.

        A state that is alone gets both: a polynomial in it cannot carry what a rhythm drives.
        """
        if stage not in self._first:
            pools: list[Pool] = [[] for _ in range(self.d)]
            sparse: list[System] = []
            for degree in range(LOWEST if self.d > 1 else HIGHEST, HIGHEST + 1):
                reference = polynomials(self.bench, degree)
                self._subsets = []
                pools = [self._pool(reference, j, stage) for j in range(self.d)]
                sparse += sparser(self._subsets[-self.d :]) if all(pools) else []
                if self.d > 1 and max(search.left_over for search in self._subsets) <= POOR:
                    break
            else:
                for reference in (polynomials(self.bench, LOWEST), relaxing(self.bench)):
                    alone = [self._pool(reference, j, stage, decoupled=True) for j in range(self.d)]
                    pools = [joined(first, second) for first, second in zip(alone, pools, strict=True)]
                    sparse += sparser(self._subsets[-self.d :]) if all(alone) else []
            self._first[stage] = pools, sparse
        return self._first[stage]

    def ranked(self) -> list[Judged]:
        """Return every system that follows the samples, the shortest description first."""
        sound = [judged for judged in self.like.known if self._length(judged) < inf]
        found = sorted(sound, key=lambda judged: (self._length(judged), shape(judged.system)))
        return plainest_first(found, self._length)

    def _length(self, judged: Judged) -> float:
        return self.like.length(judged, self.prior) if judged.fit < inf else inf

    def _try(self, system: System, near: Judged | None = None, *, afresh: bool = False) -> bool:
        """Fit a system, along `near` or the best one; whether it is the best so far. afresh: from these numbers too."""
        system = with_kin(self.blocks, system)
        best_fit = inf if self.best is None else self.best.fit
        judged = self.like.judged(system, near or self.best, best_fit, afresh=afresh)
        length = self._length(judged)
        if length < self.least - BETTER:
            self.best, self.least = judged, length
            return True
        return False

    # --- structures of one equation --------------------------------------------------------------------

    def _as_fits(self, judged: Judged) -> list[EquationFit]:
        return [replace(self.bench.null(j), terms=terms) for j, terms in enumerate(judged.system)]

    def _pool(self, reference: Sequence[EquationFit], j: int, stage: int, *, decoupled: bool = False) -> Pool:
        """Structures of one equation with their numbers, the best first."""
        along = self.best.x if self.best is not None and self.like is self.likes[0] else None
        near = self.bench.output_error(reference, j, decoupled=decoupled, along=along)
        if near is None:
            return []
        library = self.libraries[j]
        search = Subsets(
            near, j, library.stages[stage], library.forced, self._shared(j), self._starts[j], self.prior,
            self.like.samples,
        )  # fmt: skip
        self._subsets.append(search)
        found = search.run(self.most, KEPT)
        self._starts[j].update({(t.skeleton, t.inner): None for _, ts in found[:REMEMBERED] for t in ts if t.inner})
        own = None if self.best is None else frozenset(t.skeleton for t in self.best.system[j])
        value = next((v for v, ts in found if frozenset(t.skeleton for t in ts) == own), None)
        self._gains[j] = 0.0 if value is None else value - found[0][0]
        if value is None:
            return [terms for _, terms in found[:FIRST]]
        return [terms for v, terms in found if v <= value + NEAR]

    def _shared(self, j: int) -> dict[Skeleton, tuple[float, ...]]:
        """Terms of the other equations of the best system, and their images: what they cost here is little."""
        if self.best is None:
            return {}
        found: dict[Skeleton, tuple[float, ...]] = {}
        for i, terms in enumerate(self.best.system):
            for term, other in zip(terms, self._images(self.best.system, i, j), strict=True) if i != j else ():
                found.setdefault(term.skeleton, term.inner)
                found.setdefault(other.skeleton, term.inner)
        return found

    def _images(self, system: System, i: int, j: int) -> tuple[FittedTerm, ...]:
        """Terms of equation i with its state and that of equation j exchanged."""
        pairs = exchange([[t.skeleton for t in terms] for terms in system], self.bench.symbols, i, j)
        return tuple(replace(term, skeleton=image(term.skeleton, pairs)) for term in system[i])

    # --- systems -----------------------------------------------------------------------------------------

    def _begin(self, pools: Sequence[Pool], sparse: Sequence[System]) -> None:
        """Find a first system that follows the samples: sparse ones, the first of each pool, the second, ..."""
        for system in sparse:
            self._try(system)
        for k in range(max(map(len, pools)) if self.best is None else 1):
            self._try(tuple(pool[min(k, len(pool) - 1)] for pool in pools))

    def _descend(self, pools: Sequence[Pool]) -> None:
        """Try every structure of a pool with the best others, equation by equation, until nothing gets better.

        The equation that has most to gain comes first: another one might be bent to make up for it.
        """
        for _ in range(3):
            better = False
            for j in sorted(range(self.d), key=lambda j: -self._gains[j]):
                for terms in pools[j]:
                    better |= self._try(self._with(j, terms))
            if not better:
                break

    def _with(self, j: int, terms: tuple[FittedTerm, ...]) -> System:
        assert self.best is not None
        return tuple(terms if i == j else own for i, own in enumerate(self.best.system))

    def _prune(self) -> None:
        """Leave out single terms while the description gets shorter."""
        better = True
        while better and self.best is not None:
            better = False
            for j, terms in enumerate(self.best.system):
                for term in terms:
                    if term.skeleton not in self.libraries[j].forced:
                        rest = tuple(t for t in self.best.system[j] if t.skeleton != term.skeleton)
                        if len(rest) < len(self.best.system[j]):
                            shorter = self._with(j, rest)
                            better |= self._try(shorter, afresh=self.like.has_missed(self.best, j, term.skeleton))
                            other = tuple(complement(t, term) for t in rest)
                            better |= other != rest and self._try(self._with(j, other), afresh=True)

    def _turn(self) -> None:
        """Try the other side of each levelling term, in all equations at once."""
        assert self.best is not None
        start = self.best
        for system in turned(start.system, self.bench.symbols):
            if all(self._may_hold(j, terms) for j, terms in enumerate(system)):
                self._try(system, start)

    def _close(self) -> None:
        """Try in each equation what leaves one or two others, or all: of a closed system nothing else enters it."""
        assert self.best is not None
        start = self.best
        for j in range(self.d) if self.d > 1 else ():
            others = [i for i in range(self.d) if i != j]
            for some in dict.fromkeys((*combinations(others, 1), *combinations(others, 2), tuple(others))):
                terms = tuple(entering([start.system[i] for i in some]))
                if len(terms) <= self.most and self._may_hold(j, terms):
                    self._try(tuple(terms if i == j else own for i, own in enumerate(start.system)), start)

    def _mirror(self) -> None:
        """Try in each equation the image of each other one: equal oscillators have equal laws."""
        assert self.best is not None
        start = self.best
        for i, j in permutations(range(self.d), 2):
            terms = tuple(sorted(self._images(start.system, i, j), key=lambda term: term.skeleton))
            if self._may_hold(j, terms):
                self._try(tuple(terms if k == j else own for k, own in enumerate(start.system)), start)

    def _may_hold(self, j: int, terms: Sequence[FittedTerm]) -> bool:
        library, own = self.libraries[j], {term.skeleton for term in terms}
        known = {*library.stages[-1], *library.forced, *(s for some in library.simpler.values() for s in some)}
        return len(own) == len(terms) > 0 and own <= known and set(library.forced) <= own

    def _simplify(self) -> None:
        """Try what a term becomes where an inner parameter has a special value: sin(w*t) for sin(a + w*t)."""
        while any(self._simplified(judged) for judged in self._leaders()):
            pass

    def _leaders(self) -> list[Judged]:
        """The best system, and what comes near it."""
        return [judged for judged in self.ranked()[:LEADERS] if self._length(judged) <= self.least + NEAR]

    def _simplified(self, judged: Judged) -> bool:
        for j, terms in enumerate(judged.system):
            for k, term in enumerate(terms):
                others = [t for m, t in enumerate(terms) if m != k]
                for skeleton in self.libraries[j].simpler.get(term.skeleton, ()) if term.inner else ():
                    if any(t.skeleton == skeleton for t in others):
                        continue
                    new = self._refitted(judged, j, others, skeleton)
                    system = tuple(new if i == j else own for i, own in enumerate(judged.system))
                    if new and self._try(system, judged):
                        return True
        return False

    def _refitted(
        self, judged: Judged, j: int, others: Sequence[FittedTerm], skeleton: Skeleton
    ) -> tuple[FittedTerm, ...]:
        """Fit an equation with one new term along a system, from the starts of that term."""
        near = self.bench.output_error(self._as_fits(judged), j)
        if near is None:
            return ()
        known = {t.skeleton: t.inner for t in others}
        order = sorted((*known, skeleton))
        fit = near.again(j, order, [known.get(s, ()) for s in order])
        return () if fit.failure else fit.terms

    def _replace(self) -> None:
        """Put others in the place of each term that is not plain: along a chaotic reference v may look like sin(v)."""
        if self.best is None or len(self._subsets) != self.d:
            return
        start = self.best
        for j, terms in enumerate(start.system):
            kept = {*self.libraries[j].stages[0], *self.libraries[j].forced}
            for k, term in enumerate(terms):
                rest = [t for m, t in enumerate(terms) if m != k]
                for new in self._subsets[j].instead(terms, k, REPLACED) if term.skeleton not in kept else ():
                    fitted = self._subsets[j].with_coefficients([*rest, new])
                    if fitted and not any(t.skeleton == new.skeleton for t in rest):
                        self._try(tuple(fitted if i == j else own for i, own in enumerate(start.system)), start)
