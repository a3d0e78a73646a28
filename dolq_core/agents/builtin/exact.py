"""Exact fits of one equation: what matters least goes, and what imitates a plainer term is written as that."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import inf

import numpy as np

from dolq_core.agents.builtin.atoms import TINY, Atoms
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import GHOST
from dolq_core.numerics.rounding import DIGITS
from dolq_core.records import AT_FLOOR, EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params

CERTAIN = 4.0
"""Size of a coefficient over its block-jackknife error below which its term may go."""
ALIAS = 1.0 - 1e-7
"""Cosine from which a term with inner parameters is the simpler term it imitates."""
EXPONENT = re.compile(r"\*\*params\[(\d+)\]")
SHARED = re.compile(r"/\(params\[0\] \+ ([^()]+)\)$")
"""The form of a term that others may have with the same number: one limit of uptake in two terms of a yield."""
SIGMOID = "1/(1 + exp("
NEAR, TRIALS = 1.5, 41
"""Up to what ratio such numbers are tried as one, and how many values of it."""
NARROW = 1e-8
"""NMSE below which a valley may be narrow: what is left is near what differences can tell."""
EXPONENTS = (0.1, 12.0)
"""Sizes of open exponents that are taken: beyond them a power is a constant or a step. A loop of three genes swings by
itself only with an exponent above 8 (Griffith 1968)."""


class Exact:
    """Fits with all numbers free, and what is made of them."""

    def __init__(
        self,
        bench: Workbench,
        equation: int,
        atoms: Atoms,
        forced: Sequence[Skeleton],
        simpler: Mapping[Skeleton, tuple[Skeleton, ...]],
    ) -> None:
        """atoms: with the plain terms that others may imitate; forced: terms that stay; simpler: see `Choice`."""
        self.bench = bench
        self.equation = equation
        self.atoms = atoms
        self.forced = forced
        self.simpler = simpler
        self.power = bench.power(equation)

    def fitted(self, terms: Iterable[tuple[Skeleton, tuple[float, ...]]]) -> EquationFit:
        """Fit (term, inner parameters to start from); without the latter a term's own starts are tried."""
        known = sorted(terms)
        skeletons, near = [s for s, _ in known], [inner for _, inner in known]
        if not any(count_params(s) for s in skeletons):
            return self.bench.rough(self.equation, skeletons)
        fit = self.bench.again(self.equation, skeletons, near)
        return fit if fit.failure or fit.nmse > NARROW or fit.floor_ratio <= AT_FLOOR else self._from_one_value(fit)

    def _from_one_value(self, fit: EquationFit) -> EquationFit:
        """Fit again where terms share a form such as /(p + x), from the best value that all of them can have.

        Their columns are all but the same, and a search for two numbers ends in the narrow valley of their difference.
        """
        forms = {term.skeleton: form[0] for term in fit.terms if (form := SHARED.findall(term.skeleton))}
        alike = [term for term in fit.terms if list(forms.values()).count(forms.get(term.skeleton, "")) > 1]
        inner = [value for term in alike for value in term.inner]
        if len(inner) < 2 or len(inner) != len(alike) or not 0.0 < max(inner) <= NEAR * min(inner):
            return fit
        names = {term.skeleton for term in alike}
        trials = np.geomspace(min(inner) / NEAR, max(inner) * NEAR, TRIALS).tolist()
        left = [self._left([(t.skeleton, (v,) if t.skeleton in names else t.inner) for t in fit.terms]) for v in trials]
        best = trials[int(np.argmin(left))]
        start = [(best,) if term.skeleton in names else term.inner for term in fit.terms]
        found = self.bench.again(self.equation, [term.skeleton for term in fit.terms], start)
        return found if not found.failure and found.mse < fit.mse else fit

    def _left(self, terms: Sequence[tuple[Skeleton, tuple[float, ...]]]) -> float:
        """Squared residual of the left-hand side on the columns of terms with these numbers inside."""
        rows = [row for skeleton, inner in terms if (row := self.bench.column(skeleton, inner)) is not None]
        if len(rows) < len(terms):
            return inf
        a = np.array([row / max(float(np.linalg.norm(row)), TINY) for row in rows]).T
        b = self.atoms.b
        return float(np.sum((b - a @ np.linalg.lstsq(a, b, rcond=None)[0]) ** 2))

    def pruned(self, fit: EquationFit) -> EquationFit:
        """Drop the term that matters least, again and again, while it is not certain or the score gets better."""
        current = fit
        while len(current.terms) > 1 and not current.failure:
            loose = [pair for pair in self._weakest(current) if pair[1] not in self.forced]
            if not loose:
                break
            unseen = self.ghosts(current)
            ghosts = [pair for pair in loose if pair[1] in unseen]
            certainty, weakest = (ghosts or loose)[0]
            less = self.fitted((t.skeleton, t.inner) for t in current.terms if t.skeleton != weakest)
            if not ghosts and certainty >= CERTAIN and less.score > current.score:
                break
            current = less
        return current

    def ghosts(self, fit: EquationFit) -> set[Skeleton]:
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

    def simplified(self, fit: EquationFit) -> EquationFit:
        """Put simpler terms in place of those with inner parameters while the score gets better by it."""
        mirrored = min(self._mirrored(fit), key=lambda trial: trial.score, default=fit)
        current, moved = (mirrored if mirrored.score < fit.score else fit), True
        while moved:
            moved = False
            have = [term.skeleton for term in current.terms]
            for skeleton in have:
                others = () if skeleton in self.forced else self.simpler.get(skeleton, ())
                trials = [self._with(current, skeleton, s) for s in others if s not in have]
                least = min(trials, key=lambda trial: trial.score, default=current)
                if least.score < current.score:
                    current, moved = least, True
                    break
        return current

    def _mirrored(self, fit: EquationFit) -> list[EquationFit]:
        """Return fits without the constant and with an S-shaped curve turned round: 1 - 1/(1 + exp(z)) is one of -z."""
        terms = [t for t in fit.terms if t.skeleton != "1"]
        turned = [t for t in terms if t.skeleton.startswith(SIGMOID) and t.skeleton not in self.forced]
        if len(terms) == len(fit.terms) or "1" in self.forced:
            return []
        return [
            self.fitted((t.skeleton, tuple(-p for p in t.inner) if t is one else t.inner) for t in terms)
            for one in turned
        ]

    def _with(self, fit: EquationFit, old: Skeleton, new: Skeleton) -> EquationFit:
        """Fit with one term in place of another, from the other terms' inner parameters and from some of its own."""
        own = next(t.inner for t in fit.terms if t.skeleton == old)
        count = count_params(new)
        starts = [(), *(combinations(own, count) if 0 < count < len(own) else ())]
        fits = [
            self.fitted((new, start) if t.skeleton == old else (t.skeleton, t.inner) for t in fit.terms)
            for start in starts
        ]
        return min(fits, key=lambda one: one.score)

    def without_aliases(self, fit: EquationFit) -> EquationFit:
        """Replace terms whose inner parameters make them imitate a simpler term: x*y/(p + y) with p = 0 is x."""
        if fit.failure:
            return fit
        plain = [i for i, s in enumerate(self.atoms.skeletons) if not count_params(s)]
        terms: dict[Skeleton, tuple[float, ...]] = {}
        for term in fit.terms:
            row = (
                self.bench.column(term.skeleton, term.inner)
                if term.inner and term.skeleton not in self.forced
                else None
            )
            simpler = term.skeleton
            if row is not None and plain:
                cosines = np.abs(self.atoms.a[plain] @ row) / max(float(np.linalg.norm(row)), TINY)
                k = int(np.argmax(np.round(cosines, DIGITS)))
                simpler = self.atoms.skeletons[plain[k]] if cosines[k] > ALIAS else simpler
            terms[simpler] = term.inner if simpler == term.skeleton else ()
        return fit if set(terms) == {t.skeleton for t in fit.terms} else self.fitted(terms.items())


def is_sensible(term: FittedTerm) -> bool:
    """Whether the open exponents of a term are of a size that a mechanism has."""
    exponents = [term.inner[int(k)] for k in EXPONENT.findall(term.skeleton)]
    return all(EXPONENTS[0] <= abs(p) <= EXPONENTS[1] for p in exponents)
