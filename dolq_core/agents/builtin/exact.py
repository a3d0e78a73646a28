"""Exact fits of one equation: what matters least goes, and what imitates a plainer term is written as that."""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dolq_core.agents.builtin.atoms import TINY, Atoms
from dolq_core.fitting import Workbench
from dolq_core.numerics.rounding import DIGITS
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params

CERTAIN = 4.0
"""Size of a coefficient over its block-jackknife error below which its term may go."""
ALIAS = 1.0 - 1e-7
"""Cosine from which a term with inner parameters is the simpler term it imitates."""
EXPONENT = re.compile(r"\*\*params\[(\d+)\]")
EXPONENTS = (0.1, 8.0)
"""Sizes of open exponents that are taken: beyond them a power is a constant or a step."""
GHOST = 1e-4
"""Size of a term's contribution over that of the left-hand side below which it is no term but a trace of the target's
own error (1e-8 of the mean square)."""


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
        return self.bench.again(self.equation, skeletons, near)

    def pruned(self, fit: EquationFit) -> EquationFit:
        """Drop the term that matters least, again and again, while it is not certain or the score gets better."""
        current = fit
        while len(current.terms) > 1 and not current.failure:
            loose = [pair for pair in self._weakest(current) if pair[1] not in self.forced]
            if not loose:
                break
            ghosts = [pair for pair in loose if pair[1] in self.ghosts(current)]
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
        current, moved = fit, True
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

    def _with(self, fit: EquationFit, old: Skeleton, new: Skeleton) -> EquationFit:
        """Fit with one term in place of another, from the other terms' inner parameters."""
        return self.fitted((new, ()) if t.skeleton == old else (t.skeleton, t.inner) for t in fit.terms)

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
