"""Noisy samples: the search for a whole system, judged by how its simulation explains the samples.

    reference --> pool of structures per equation --> systems fitted to whole runs --> best one --> reference ...

Around a reference every term of a library changes the samples linearly (`fitting.output_error`), so thousands of
structures of one equation are ranked by one regression each; the first reference is a polynomial for each equation,
damped, later ones are simulations of the best system, which carry no noise. What is ranked first is then fitted to
whole runs with the other equations (`fitting.likelihood`), and changed term by term.
"""

from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import TypeAlias

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.changing import joined, over_the_same, replaced
from dolq_core.agents.builtin.moves import NEAR, Moves
from dolq_core.agents.builtin.outside import Outside
from dolq_core.agents.builtin.references import polynomials, relaxing
from dolq_core.agents.builtin.subsets import POOR, Subsets, sparser
from dolq_core.arrays import Floats
from dolq_core.fitting.likelihood import HOPELESS, Judged, System, shape
from dolq_core.fitting.limits import FEW
from dolq_core.fitting.rivals import CLOSE, rivals_of_system
from dolq_core.fitting.whole_runs import numbers_of
from dolq_core.mechanisms import WAVE
from dolq_core.numerics.whiteness import WHITE
from dolq_core.records import AT_FLOOR, EquationFit, FittedTerm
from dolq_core.terms import Skeleton

KEPT = 30
"""Structures of each library that are fitted to whole runs at most."""
FIRST = 6
"""Structures of an equation that are fitted to whole runs where the reference is not the best system."""
REMEMBERED = 3
"""Structures of a pool whose inner parameters are starts from then on."""
LOWEST, HIGHEST = 2, 3
"""Degrees of the first reference: the next one where this one does not carry the data, each equation alone at last."""
SPOKEN = 1
"""The library of what words speak of."""
ROUNDS = 6
"""References: the last ones mostly change nothing."""
NEARBY = 3.0
"""Times the noise by which the best system may miss the samples before shorter stretches are searched as well."""
REPLACED = 4
"""Terms that are tried in the place of one that is not plain."""
CARRIED = 30
"""Systems that are tried again on longer stretches."""

OUTSIDE = 3
"""References along which terms outside the libraries are tried, at most."""

Pool: TypeAlias = list[tuple[FittedTerm, ...]]
"""Structures of one equation, the best first."""


STILL = 1e-6
"""Share of its range by which a state moves where it may turn: what is at rest turns with every last digit."""


def turns(x: Floats) -> int:
    """Return how often the states of a simulation (n, d) turn round."""
    count = 0
    for column in x.T:
        steps = np.diff(column)
        moving = np.sign(steps[np.abs(steps) > STILL * np.ptp(column)])
        count += int(np.count_nonzero(np.diff(moving)))
    return count


class Pursuit(Moves):
    """One search for whole systems."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._gains = [0.0] * self.d
        self._is_itself = [True] * self.d
        self._ended: set[tuple[int, object]] = set()
        self._first: dict[int, tuple[list[Pool], list[System]]] = {}
        self._subsets: list[Subsets] = []
        self._starts: list[dict[tuple[Skeleton, tuple[float, ...]], None]] = [{} for _ in range(self.d)]

    def run(self) -> list[Judged]:
        """Return the systems that were fitted, the best first; none where no system follows the samples.

        On whole runs where some system follows them; else on stretches, which are lengthened as far as one does.
        Where a limit of time has passed, those that were fitted by then, on the longest stretches.
        """
        with suppress(clock.OutOfTime):
            self._run()
        found, level = self.ranked(), 0
        while not found and level < len(self.likes):
            self._use(level)
            found, level = self.ranked(), level + 1
        return found

    def _run(self) -> None:
        """Search the libraries, and what is outside of them where the best system is no law that needs no more.

        What is found there is another reference for every equation: the libraries are searched along it once more.
        """
        self._run_libraries()
        better = False
        for _ in range(OUTSIDE):
            if self.best is None or self._is_law() or not self._outside():
                break
            better = True
            self._prune()
            self._vary()
            self._simplify()
        if better:
            self._search(len(self.libraries[0].stages) - 1)
            self._simplify()

    def _is_law(self) -> bool:
        """Whether the best system need not be searched past for terms that no mechanism writes down."""
        assert self.best is not None
        return self._explains() and not any(map(self._is_odd, range(self.d)))

    def _is_odd(self, j: int) -> bool:
        """Whether an equation is long, or has what nothing speaks for: a curve with numbers inside, or two shapes."""
        assert self.best is not None
        terms = self.best.system[j]
        plain = self.libraries[j].stages[: SPOKEN + 1][-1]
        odd = [term for term in terms if term.skeleton not in plain]
        return len(terms) > FEW or len(odd) > 1 or any(term.inner for term in odd)

    def _outside(self) -> bool:
        """Try structures with terms outside the libraries, one equation after the other; whether one is better.

        A new term is tried in other equations as well, in the place of one that stood in both.
        """
        better, explains = False, self._explains()
        for j, library in enumerate(self.libraries):
            near = self._near(j) if library.composed.terms and (not explains or self._is_odd(j)) else None
            if near is None or self.best is None:
                continue
            start = self.best
            outside = Outside(near, j, library, start.system[j], self.prior, self.like.samples)
            for terms in outside.structures(self.most):
                better |= self._try(self._with(j, terms))
                for system in replaced(start.system, j, terms):
                    if all(map(self._may_hold, range(self.d), system)):
                        better |= self._try(system, start)
        return better

    def _run_libraries(self) -> None:
        level, far = 0, -1
        for level in range(len(self.likes)):
            self._use(level)
            if self._from_all_sides():
                break
            far = level if far < 0 and self.ranked() else far
        if self.best is None and far >= 0:
            self._use(far)
            self._from_best()
            return
        if level and far >= 0 and not self._says_anything():
            self._use(far)
            return
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
            self._simplify()

    def _is_near(self, judged: Judged) -> bool:
        """Whether a system follows the samples so closely that its terms can be made better one by one."""
        return float(max(judged.misfit)) <= NEARBY

    def _has_best(self) -> bool:
        return self.best is not None

    def _from_all_sides(self) -> bool:
        """Search each library anew, then the widest one from the best system found; whether one comes near.

        No wider one anew where the best system leaves only noise, and along it nothing of the widest comes near: which
        says something only where each equation is among what is found along it, or where chance cannot follow what it
        follows. What is far behind another one is not searched from.
        """
        last, known = len(self.libraries[0].stages) - 1, inf
        for stage in range(last + 1):
            self.best, self.least = None, inf
            self._search(stage, *self._fresh(stage))
            plain, known = self.best, min(known, self.least)
            if plain is not None and self.least <= known + HOPELESS and self._explains():
                self._search(last)
                itself = all(self._is_itself) or self._follows_chaos()
                if self.best is plain and itself and not self._has_rival():
                    break
        found = self.ranked()
        if not found or not (self._is_near(found[0]) or self.like is self.likes[-1]):
            return False
        self._from_best()
        return True

    def _from_best(self) -> None:
        """Search the widest library from the best system."""
        self.best = self.ranked()[0]
        self.least = self._length(self.best)
        self._search(len(self.libraries[0].stages) - 1)
        self._simplify()
        if not self._is_law() and self._sway():
            self._search(len(self.libraries[0].stages) - 1)
            self._simplify()

    def _explains(self) -> bool:
        """Whether the best system leaves nothing but noise of whole runs."""
        if self.best is None or self.like is not self.likes[0]:
            return False
        return float(max(self.best.misfit)) <= AT_FLOOR and min(self.like.whiteness(self.best)) > WHITE

    def _says_anything(self) -> bool:
        """Whether the best system explains some state better than what says nothing of it (`Likelihood.above_rest`)."""
        return self.best is not None and max(self.like.above_rest(self.best)) > CLOSE

    def _follows_chaos(self) -> bool:
        """Whether the best system throws nearby paths apart, and follows more turns of its states than it has numbers.

        Along such a path terms that it lacks seem to help, and its own equations are not among the first ones.
        """
        assert self.best is not None
        runs = self.like.runs(self.best)
        carried = [operator for search in self._subsets if (operator := search.near.target.operator)]
        is_wild = any(len(operator.pieces) > len(runs) for operator in carried)
        return is_wild and sum(turns(x) for _, x in runs) > len(numbers_of(self.best.system))

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
                if self.d > 1 and self._may_be_driven(stage):
                    reference = polynomials(self.bench, LOWEST, driven=True)
                    driven = [self._pool(reference, j, stage) for j in range(self.d)]
                    pools = [joined(first, second) for first, second in zip(driven, pools, strict=True)]
                    sparse += sparser(self._subsets[-self.d :]) if all(driven) else []
            self._first[stage] = pools, sparse
        return self._first[stage]

    def _may_be_driven(self, stage: int) -> bool:
        """Whether a rhythm may be tried in this library, and is spoken of where there is a description."""
        stages = (min(stage, SPOKEN) if self.prior.is_told else stage, stage)
        return any(all(WAVE in library.stages[k] for k in stages) for library in self.libraries)

    # --- structures of one equation --------------------------------------------------------------------

    def _pool(self, reference: Sequence[EquationFit], j: int, stage: int, *, decoupled: bool = False) -> Pool:
        """Structures of one equation with their numbers, the best first."""
        near = self.bench.output_error(reference, j, decoupled=decoupled, along=self._along())
        if near is None:
            return []
        library = self.libraries[j]
        carried = {t.skeleton: t.inner for t in reference[j].terms if t.inner}
        alike = over_the_same([equation.terms for equation in reference], library.stages[stage])
        search = Subsets(
            near, j, library.stages[stage], library.forced, self._shared(j), carried, (*self._starts[j], *alike),
            self.prior, self.like.samples,
        )  # fmt: skip
        self._subsets.append(search)
        found = search.run(self.most, KEPT)
        self._starts[j].update({(t.skeleton, t.inner): None for _, ts in found[:REMEMBERED] for t in ts if t.inner})
        own = None if self.best is None else frozenset(t.skeleton for t in self.best.system[j])
        value = next((v for v, ts in found if frozenset(t.skeleton for t in ts) == own), None)
        self._gains[j] = 0.0 if value is None else value - found[0][0]
        self._is_itself[j] = value is not None
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
