"""Several terms of one variable in clean samples, as one curve of it: what plain terms imitate.

The gas in a bubble presses as 1/R**5.2. Six roots and powers of R come close, beside the terms in which the wall's
speed is right already; these stay, and each curve of R is tried with few plain terms of it in place of the six.
"""

from collections.abc import Sequence
from itertools import chain, combinations

from dolq_core.agents.builtin.choice import Choice, Fitted
from dolq_core.agents.builtin.scan import Base, Scan, split
from dolq_core.agents.builtin.search import Search, rank
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton, count_params, variables

MANY = 4
"""Terms of one variable alone, the constant among them, from which a curve of it is looked for."""
PLAIN = 2
"""Plain terms of it, at most, beside the curve."""
REFINED, FITTED = 3, 4
"""Curves beside each set whose number is found closely, and structures that are fitted exactly."""


def gathered(
    bench: Workbench, fit: EquationFit, choice: Choice, forced: Sequence[Skeleton], most: int
) -> list[EquationFit]:
    """Return fits with one curve of a variable, and few plain terms of it, in place of its terms in a law."""
    search = _Gathering(bench, fit.equation, choice, forced)
    for own in sorted({name for term in fit.terms for name in variables(term.skeleton)}):
        alone = [t for t in fit.terms if variables(t.skeleton) <= {own}]
        if len(alone) >= MANY and not any(t.skeleton in forced for t in alone):
            search.with_a_curve([(t.skeleton, t.inner) for t in fit.terms if t not in alone], own)
    return [one for one in sorted(search.found.values(), key=rank) if len(one.terms) <= most]


class _Gathering(Search):
    """A search for curves of one variable on a grid."""

    def with_a_curve(self, kept: Base, own: str) -> None:
        """Fit the most promising structures of the terms that are kept, of a curve and of plain terms beside it."""
        of_it = [s for s in self.choice.skeletons if variables(s) <= {own}]
        plain: Fitted = tuple((s, ()) for s in of_it if not count_params(s))
        scan = Scan(self.bench, self.equation, [s for s in of_it if count_params(s)])
        trials: list[tuple[float, Base]] = []
        for some in chain.from_iterable(combinations(plain, size) for size in range(PLAIN + 1)):
            base = [*kept, *some]
            for curve in scan.beside(base, 1, REFINED):
                fit = self.bench.rough(self.equation, *split([*base, curve]))
                trials += [] if fit.failure else [(fit.score, [(t.skeleton, t.inner) for t in fit.terms])]
        for _, terms in sorted(trials)[:FITTED]:
            self._note(self.exact.pruned(self.exact.fitted(terms)))
