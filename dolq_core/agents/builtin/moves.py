"""Changes of a whole system, each fitted to whole runs: what makes its description shorter is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from math import inf

from dolq_core.agents.builtin.changing import complement, entering, plainest_first
from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.subsets import BETTER
from dolq_core.agents.builtin.swayed import may_be_swayed, swayed
from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, with_kin
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import Judged, Likelihood, System, shape
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.symmetry import exchange, image, kin
from dolq_core.records import Blocks, EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params

NEAR = 5.0
"""Nats behind its own structure up to which others are fitted to whole runs, along the best system."""
LEADERS = 3
"""Systems of which terms are tried with special values."""


@dataclass(eq=False)
class Moves:
    """The best system so far, and what may be changed in it.

    Attributes:
        likes: on whole runs, then on shorter and shorter stretches; like: the one that systems are compared with now.
        most: terms in an equation; blocks: what is declared.
        best: the best system; None where none follows the samples. least: nats of its description.
    """

    bench: Workbench
    likes: Sequence[Likelihood]
    prior: Prior
    libraries: Sequence[Library]
    most: int
    blocks: Blocks = FREE
    best: Judged | None = field(default=None, init=False)
    least: float = field(default=inf, init=False)

    def __post_init__(self) -> None:
        self.like = self.likes[0]
        self.d = self.bench.d

    def ranked(self) -> list[Judged]:
        """Return every system that follows the samples, the shortest description first."""
        sound = [judged for judged in self.like.known if self._length(judged) < inf]
        found = sorted(sound, key=lambda judged: (self._length(judged), shape(judged.system)))
        return plainest_first(found, self._length)

    def _length(self, judged: Judged) -> float:
        """Nats of a system; inf for one that does not follow the samples, or has a term that adds next to nothing."""
        return inf if judged.fit == inf or self._ghosts(judged) else self.like.length(judged, self.prior)

    def _ghosts(self, judged: Judged) -> set[tuple[int, Skeleton]]:
        """Terms that add next to nothing; what a person asked for is none."""
        return {(j, s) for j, s in self.like.ghosts(judged) if s not in self.libraries[j].forced}

    def _try(self, system: System, near: Judged | None = None, *, afresh: bool = False) -> bool:
        """Fit a system, along `near` or the best one; whether it is the best so far. afresh: from these numbers too."""
        system = with_kin(self.blocks, system)
        best_fit = inf if self.best is None else self.best.fit
        judged = self.like.judged(system, near or self.best, best_fit, afresh=afresh)
        while judged.fit < inf and (ghosts := self._ghosts(judged)):
            rest = tuple(
                tuple(t for t in terms if (j, t.skeleton) not in ghosts) for j, terms in enumerate(judged.system)
            )
            judged = self.like.judged(rest, judged, best_fit)
        length = self._length(judged)
        if length < self.least - BETTER:
            self.best, self.least = judged, length
            return True
        return False

    def _as_fits(self, judged: Judged) -> list[EquationFit]:
        return [replace(self.bench.null(j), terms=terms) for j, terms in enumerate(judged.system)]

    def _near(self, j: int) -> Workbench | None:
        """The data of one equation along the best system."""
        assert self.best is not None
        return self.bench.output_error(self._as_fits(self.best), j, along=self._along())

    def _along(self) -> Floats | None:
        """The simulation of the best system, where it is of whole runs."""
        return self.best.x if self.best is not None and self.like is self.likes[0] else None

    def _images(self, system: System, i: int, j: int) -> tuple[FittedTerm, ...]:
        """Terms of equation i with its state and that of equation j exchanged."""
        pairs = exchange([[t.skeleton for t in terms] for terms in system], self.bench.symbols, i, j)
        return tuple(replace(term, skeleton=image(term.skeleton, pairs)) for term in system[i])

    def _with(self, j: int, terms: tuple[FittedTerm, ...]) -> System:
        assert self.best is not None
        return tuple(terms if i == j else own for i, own in enumerate(self.best.system))

    def _may_hold(self, j: int, terms: Sequence[FittedTerm]) -> bool:
        library, own = self.libraries[j], {term.skeleton for term in terms}
        return len(own) == len(terms) > 0 and all(map(library.holds, own)) and set(library.forced) <= own

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

    def _simplify(self) -> None:
        """Try what a term becomes where an inner parameter has a special value: sin(w*t) for sin(a + w*t)."""
        while any(self._simplified(judged) for judged in self._leaders()):
            pass

    def _vary(self) -> None:
        """Try terms outside of the libraries with a state as a factor more or less: nothing there stands for them."""
        assert self.best is not None
        while any(self._varied(j, k) for j, terms in enumerate(self.best.system) for k in range(len(terms))):
            pass

    def _varied(self, j: int, k: int) -> bool:
        start = self.best
        assert start is not None
        term, library = start.system[j][k], self.libraries[j]
        others = [t for m, t in enumerate(start.system[j]) if m != k]
        if term.skeleton in {*library.stages[-1], *library.forced}:
            return False
        better = False
        for skeleton in kin(term.skeleton, self.bench.symbols[: self.d]):
            if library.holds(skeleton) and all(t.skeleton != skeleton for t in others):
                new = self._refitted(start, j, others, skeleton, [term.inner])
                system = tuple(new if i == j else own for i, own in enumerate(start.system))
                better |= bool(new) and self._try(system, start)
        return better

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
                    carried = [(value,) for value in term.inner] if count_params(skeleton) == 1 else []
                    new = self._refitted(judged, j, others, skeleton, carried)
                    system = tuple(new if i == j else own for i, own in enumerate(judged.system))
                    if new and self._try(system, judged):
                        return True
        return False

    def _refitted(
        self,
        judged: Judged,
        j: int,
        others: Sequence[FittedTerm],
        skeleton: Skeleton,
        carried: Sequence[tuple[float, ...]],
    ) -> tuple[FittedTerm, ...]:
        """Fit an equation with one new term along a system, from all starts of that term and from numbers `carried`."""
        near = self.bench.output_error(self._as_fits(judged), j)
        if near is None:
            return ()
        known = {t.skeleton: t.inner for t in others}
        order = sorted((*known, skeleton))
        fits = [near.again(j, order, [known.get(s, own) for s in order]) for own in dict.fromkeys(((), *carried))]
        best = min(fits, key=lambda fit: fit.mse)
        return () if best.failure else best.terms

    def _sway(self) -> bool:
        """Try in each equation a term with numbers inside that a rhythm modulates; whether one is better."""
        better = False
        for j, library in enumerate(self.libraries):
            near = self._near(j) if may_be_swayed(library) else None
            if near is None or self.best is None:
                continue
            for terms in swayed(near, j, library, self.most, self.best.system[j]):
                better |= self._try(self._with(j, terms))
        return better
