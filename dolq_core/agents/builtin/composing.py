"""The last resort of a search in clean samples: terms that no mechanism writes down (`mechanisms.composed`).

Plain ones grow sizes as in any search. Curves are looked at one by one and in pairs beside whole sets of plain terms,
and what is too many of these goes when the fit is pruned.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from typing import TypeAlias
from weakref import WeakKeyDictionary

from dolq_core import clock
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.scan import Base, Scan, Seen, plain_sets, split
from dolq_core.agents.builtin.search import Search, rank
from dolq_core.agents.builtin.worth import worthy
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import FEW
from dolq_core.mechanisms import Composed
from dolq_core.records import AT_FLOOR, EquationFit
from dolq_core.terms import Skeleton, count_params

BESIDE, SECOND, CLOSEST = 4, 3, 8
"""Curves beside each base that are candidates, second ones beside each of these, and pairs beside each small base."""
PAIRS = 200
"""Pairs of curves whose numbers are roughly fitted."""
FITTED = 4
"""Candidates of each size that are fitted exactly: larger ones leave less before they are pruned."""


Rough: TypeAlias = tuple[float, Base]
"""Mean square that is left, and terms."""
_known: WeakKeyDictionary[Workbench, dict[object, tuple[EquationFit, ...]]] = WeakKeyDictionary()


def compose(
    bench: Workbench,
    equation: int,
    choice: Choice,
    known: Composed,
    forced: Sequence[Skeleton],
    max_terms: int,
) -> list[EquationFit]:
    """Return fits of distinct structures, the best score first.

    Args:
        bench: the data, clean.
        equation: whose left-hand side.
        choice: the terms without numbers inside, and what a person says of the law.
        known: these, the terms with a number inside, and the sets that curves are tried beside.
        forced: terms that every structure holds.
        max_terms: the largest size.
    """
    key = (equation, choice.skeletons, choice.removed, choice.blocks, known, tuple(forced), max_terms)
    earlier = _known.setdefault(bench, {})
    if key not in earlier:
        composing = _Composing(bench, equation, choice, forced)
        fits = composing.run(max_terms)
        is_law = bool(fits) and fits[0].floor_ratio <= AT_FLOOR and len(fits[0].terms) <= FEW
        if not is_law and not any(map(count_params, forced)):
            with suppress(clock.OutOfTime):
                composing.scan(known, max_terms)
            fits = worthy(sorted(composing.found.values(), key=rank), composing.bench)
        if clock.is_late():
            return fits
        earlier[key] = tuple(fits)
    return list(earlier[key])


class _Composing(Search):
    """A search that looks at curves on a grid as well."""

    def scan(self, known: Composed, most: int) -> None:
        """Fit the most promising structures with one curve or two, and keep what is left of them when pruned."""
        scan = Scan(self.bench, self.equation, known.curved)
        small, wide = self._bases()
        trials: list[Rough] = []
        for base in (*small, *wide, *map(self._base, known.bases)):
            one = [self._with(base, seen) for seen in scan.beside(base, BESIDE)]
            trials += one
            for _, terms in one if base in wide else ():
                trials += [self._with(terms, seen) for seen in scan.beside(terms, SECOND)]
        for base in (*small, *wide):
            pairs = [self._with(base, *pair) for pair in scan.pairs(base, PAIRS)]
            trials += sorted(pairs, key=lambda pair: pair[0])[:CLOSEST]
        shapes: dict[frozenset[Skeleton], Base] = {}
        scored = [(self.length((s for s, _ in terms), mse), terms) for mse, terms in trials]
        for _, terms in sorted(scored, key=lambda trial: trial[0]):
            shapes.setdefault(frozenset(skeleton for skeleton, _ in terms), terms)
        sizes: Counter[int] = Counter()
        for terms in shapes.values():
            sizes[len(terms)] += 1
            if sizes[len(terms)] <= FITTED:
                fit = self.exact.pruned(self.exact.fitted(terms))
                self._note(*([fit] if len(fit.terms) <= most else []))

    def _bases(self) -> tuple[list[Base], list[Base]]:
        small, wide = plain_sets(self.bench.symbols, self.equation)
        return [self._base(terms) for terms in small], [self._base(terms) for terms in wide]

    def _base(self, terms: Sequence[str]) -> Base:
        """Return the terms that may be in a law, and those that must."""
        free = [Skeleton(term) for term in terms if Skeleton(term) in self.allowed]
        return [(s, ()) for s in dict.fromkeys((*self.forced, *free))]

    def _with(self, base: Base, *curves: Seen) -> Rough:
        """Fit a set with curves roughly: (mean square, terms as fitted); inf where that fails."""
        terms = sorted([*base, *curves])
        fit = self.bench.rough(self.equation, *split(terms))
        return (inf, terms) if fit.failure else (fit.mse, [(term.skeleton, term.inner) for term in fit.terms])
