"""Sets of columns for one equation, roughly fitted: what is known of terms with numbers inside beside plain ones.

They are where a search looks once growing sizes has not reached the floor: a weak rhythm does not show before much else
is in, and several terms of which each needs the others do not come in one by one.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf

import numpy as np

from dolq_core.agents.builtin.atoms import (
    Atoms,
    Chosen,
    atoms_of,
    grown,
    left,
    left_with,
    unlike,
    with_kin,
)
from dolq_core.agents.builtin.bases import partners, polynomial
from dolq_core.agents.builtin.choice import Choice, Fitted
from dolq_core.agents.builtin.exact import Exact
from dolq_core.agents.builtin.following import FOLLOWED, drive_beside
from dolq_core.agents.builtin.modulated import (
    Inside,
    in_a_rhythm,
    is_modulated,
    is_rate,
    one_value,
    plain_of,
    rates,
)
from dolq_core.agents.builtin.waves import wave_beside
from dolq_core.fitting import Workbench, description_length
from dolq_core.mechanisms import RATE, WAVE
from dolq_core.numerics.least_squares import gain_of_two
from dolq_core.records import AT_FLOOR, EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params, filled, variables

PLAIN_BEAM = 8
MOST_REGROWN = 5
"""Terms with inner parameters of which pairs are kept while plain ones grow anew beside them."""
PROMISING = 6
"""Terms with inner parameters that are tried beside a whole quadratic law, and beside a cubic one."""
CURVED_PAIRS, CURVED_EXACT = 100, 30
"""Pairs of favoured terms with numbers inside that are fitted roughly, and exactly: of five switches between enzymes
all are found, four with 12 exactly fitted ones, one with 3, none without."""
STARTS = 2
"""Starts of a term in a rhythm that are fitted."""
DEPENDENT = 1e-11
"""Size of what columns of unit length leave of one more that is their sum: 1e-15 of constant totals of clean samples,
1e-5 and more of others."""
EXACT_PARAMETRIC = 3
"""Sets with inner parameters that are fitted exactly."""


class Sets:
    """The library of one equation as columns, and sets of them.

    Attributes:
        atoms: the columns; must: those that every set holds.
        moving: the terms with inner parameters; columns_of: their columns.
        partners: the constant and the variables, as columns.
        allowed: the terms that may be in a set.
        power: mean square of the left-hand side.
        exact: fits with all numbers free.
    """

    def __init__(self, bench: Workbench, equation: int, choice: Choice, forced: Sequence[Skeleton]) -> None:
        self.bench = bench = bench.for_equation(equation)
        self.equation = equation
        self.power = bench.power(equation)
        self.forced = forced
        self.choice = choice
        every = dict.fromkeys((*forced, *choice.skeletons))
        tried = [s for s in every if s in forced or not is_modulated(s)]
        columns = [(s, inner, row) for s in tried for inner, row in bench.trial_columns(s)]
        self.allowed = {*every, *(s for some in choice.simpler.values() for s in some)}
        self.allowed |= {s for flows in choice.flows for s, _ in flows}
        known = [(*term, bench.column(*term)) for term in with_kin(choice.shared, every) if term[0] in self.allowed]
        columns += [(s, inner, row) for s, inner, row in known if row is not None]
        self.atoms: Atoms = atoms_of(columns, bench.target.b[equation])
        self.exact = Exact(bench, equation, self.atoms, forced, choice.simpler)
        self.must: Chosen = tuple(self.atoms.skeletons.index(s) for s in forced if s in self.atoms.skeletons)
        self.moving = tuple(s for s in every if count_params(s))
        self.columns_of = {s: [i for i, other in enumerate(self.atoms.skeletons) if other == s] for s in self.moving}
        self.partners: Chosen = partners(self.atoms, bench.symbols)

    def regrown(self, fit: EquationFit, most: int) -> list[Chosen]:
        """Return sets of one or two terms of a fit with inner parameters, as fitted, and of plain ones.

        The others may only imitate plain terms, as exp(p*v) and v*exp(p*v) together imitate v and v**2.
        """
        moving = sorted((t for t in fit.terms if t.inner), key=lambda t: t.skeleton in self.forced)[-MOST_REGROWN:]
        rows = [(term, self.bench.column(term.skeleton, term.inner)) for term in moving]
        known = [self.atoms.add(term.skeleton, term.inner, row) for term, row in rows if row is not None]
        alone = [(i,) for i in known if i is not None]
        return self.best_with_plain([*((*i, *k) for i, k in combinations(alone, 2)), *alone], most)

    def beside(self, flows: Fitted) -> Chosen:
        """Return the terms of another equation beside a whole linear law."""
        return tuple(sorted({*self.must, *self.partners, *self.columns(flows)}))

    def beside_quadratic(self) -> list[Chosen]:
        """Return the most promising terms with inner parameters beside a whole quadratic law, each with its kin.

        The current through a gate that opens by itself is two terms with the same numbers inside, beside four others.
        Without the kin where the data are not worth as many numbers, as for a rhythm that may modulate any term.
        """
        own = {s: index for s, index in self.columns_of.items() if index}
        found: list[Chosen] = []
        for base in [tuple(sorted({*self.must, *plain})) for plain in self._quadratics()]:
            for trial in self.promising(base):
                skeleton = next(self.atoms.skeletons[i] for i in trial if i not in base)
                chosen, mse = self.roughly_fitted(trial)
                inner = next((self.atoms.inner[i] for i in chosen if self.atoms.skeletons[i] == skeleton), ())
                kin = with_kin([(skeleton, inner)], own) if mse < inf else []
                whole = tuple(sorted({*base, *self.columns(kin)}))
                numbers = sum(1 + count_params(self.atoms.skeletons[i]) for i in whole)
                found.append(whole if kin and numbers <= self.bench.target.effective else chosen)
        return found

    def _quadratics(self) -> list[Chosen]:
        """Return the terms of a quadratic law; where a total is constant, without one of its states, each in turn.

        With all of them one law has many forms there, and pruning ends at any of these.
        """
        whole = polynomial(self.atoms, self.bench.symbols, 2)
        rank = self._rank_of(whole)
        if rank == len(whole):
            return [whole]
        names = {i: variables(self.atoms.skeletons[i]) for i in whole}
        some = [tuple(i for i in whole if symbol not in names[i]) for symbol in self.bench.symbols]
        return [own for own in some if self._rank_of(own) == len(own) == rank] or [whole]

    def _rank_of(self, chosen: Chosen) -> int:
        return int(np.linalg.matrix_rank(self.atoms.a[list(chosen)], tol=DEPENDENT)) if chosen else 0

    def beside_cubic(self, most: int) -> list[Chosen]:
        """Return sets of plain terms and of those with inner parameters, as fitted to what a whole cubic law leaves.

        A weak rhythm that drives a swing with its own damping does not show before all of that is in. A curve under a
        rhythm shows beside that rhythm and a linear law; one that stands beside a cube, only once the cube is in.
        """
        base = tuple(sorted({*self.must, *polynomial(self.atoms, self.bench.symbols, 3)}))
        alone = self._fitted_beside(base, PROMISING)
        rhythm = next((own for own in alone if any(WAVE in self.atoms.skeletons[i] for i in own)), ())
        both: list[Chosen] = []
        if rhythm:
            linear = {*self.must, *polynomial(self.atoms, self.bench.symbols, 1)}
            both = self._fitted_beside(tuple(sorted({*linear, *rhythm})), PROMISING)
            both += self._fitted_beside(tuple(sorted({*base, *rhythm})), len(self.moving))[:EXACT_PARAMETRIC]
        return self.best_with_plain(dict.fromkeys((*alone, *both)), most)

    def beside_known(self, most: int) -> list[Chosen]:
        """Return sets of a term that another equation is known to hold, and of any other with inner parameters.

        What competes for one enzyme has one denominator. The known numbers stay while those of the other are fitted,
        several of them from every start: free, they follow whatever is still missing.
        """
        found: list[Chosen] = []
        enough = (AT_FLOOR * float(self.bench.target.floor[self.equation])) ** 2
        for skeleton, inner in with_kin(self.choice.known, self.columns_of):
            own, row = self.columns([(skeleton, inner)]), self.bench.column(skeleton, inner)
            still = None if row is None else self.atoms.add(filled(skeleton, inner), (), row)
            if still is None or not own:
                continue
            base = (*self.must, still)
            many = [(*base, i) for s in self.moving if count_params(s) > 1 for i in self.columns_of[s]]
            tried = dict.fromkeys((*self.promising(base, len(self.moving)), *many))
            ranked = sorted((mse, chosen) for chosen, mse in map(self.roughly_fitted, tried))
            best = unlike(self.atoms, (chosen for _, chosen in ranked), EXACT_PARAMETRIC)
            found += [tuple(sorted({*own, *chosen} - {still})) for chosen in best]
            if ranked and ranked[0][0] <= enough:
                return found
        return [*found, *self.best_with_plain(found, most)]

    def curved_pairs(self) -> list[Chosen]:
        """Return pairs of favoured terms with inner parameters, as fitted roughly, beside what every set holds.

        Neither of two curves comes in alone where each needs the other, and their starts leave much.
        """
        atoms, held = self.atoms, {self.atoms.skeletons[i] for i in self.must}
        own = [index for s in self.choice.favoured if s not in held and (index := self.columns_of.get(s))]
        trials: list[tuple[float, Chosen]] = []
        for one, other in combinations(own, 2):
            gains = gain_of_two(atoms.g[one], atoms.g[other], atoms.a[one] @ atoms.a[other].T)
            i, k = divmod(int(np.argmax(gains)), len(other))
            trials.append((-float(gains[i, k]), (one[i], other[k])))
        fitted = [
            self.roughly_fitted(tuple(sorted({*self.must, *chosen}))) for _, chosen in sorted(trials)[:CURVED_PAIRS]
        ]
        ranked = sorted((self.score(chosen, mse), chosen) for chosen, mse in fitted if mse < inf)
        return unlike(atoms, (chosen for _, chosen in ranked), CURVED_EXACT)

    def following(self) -> list[Chosen]:
        """Return sets of a whole law up to the second order and a drive that its state follows at once."""
        found: list[tuple[float, Skeleton, tuple[float, ...], Chosen]] = []
        for order in (1, 2):
            base = tuple(sorted({*self.must, *polynomial(self.atoms, self.bench.symbols, order)}))
            told = [(*drive_beside(self.bench, self.atoms, base, s), s) for s in self.moving]
            found += [(share, s, inner, base) for share, inner, s in told if share <= FOLLOWED]
        ranked = sorted(found)[:PROMISING]
        return [tuple(sorted({*base, *self.columns([(s, inner)])})) for _, s, inner, base in ranked]

    def in_a_rhythm(self, most: int) -> list[Chosen]:
        """Return sets of plain terms, of a term with numbers inside and of that term in a rhythm, as they fit best."""
        held = {self.atoms.skeletons[i] for i in self.must}
        driven = [s for s in self.moving if is_modulated(s) and not is_rate(s) and held.isdisjoint((s, plain_of(s)))]
        starts = {s: some for s in driven if (some := self.columns_of.get(plain_of(s)))}
        own: list[Chosen] = []
        for order in (1, 2) if starts else ():
            base = tuple(sorted({*self.must, *polynomial(self.atoms, self.bench.symbols, order)}))
            tried = [(s, self._in_rhythm(base, s, some[len(some) // 2 :][:1])) for s, some in starts.items()]
            ranked = [s for _, s in sorted((found[0], s) for s, found in tried if found)]
            spoken = [s for s in ranked if plain_of(s) in self.choice.favoured]
            leading = dict.fromkeys((*spoken[:PROMISING], *ranked[:PROMISING]))
            fitted = sorted(found[0] for s in leading if (found := self._in_rhythm(base, s, starts[s])))
            own += [tuple(i for i in chosen if i not in base) for _, chosen in fitted]
        own += [tuple(self.columns(one_value(self.atoms, chosen))) for chosen in own]
        return self.best_with_plain(dict.fromkeys(own), most)

    def in_proportion(self) -> list[Chosen]:
        """Return each variable whose rate may follow a rhythm exponentially, and it in the rhythm that says most."""
        found: list[Chosen] = []
        for skeleton in filter(is_rate, self.moving):
            plain = self.columns([(Skeleton(skeleton.removesuffix(f"*{RATE}")), ())])
            base = tuple(sorted({*self.must, *plain}))
            wavy = Skeleton(skeleton.replace(RATE, WAVE))
            inner = wave_beside(self.bench, self.atoms, base, wavy) if plain else ()
            found += [tuple(sorted({*base, *self.columns([(wavy, inner)])}))] if inner else []
        return found

    def at_a_rate(self, structures: Iterable[Iterable[FittedTerm]]) -> list[Inside]:
        """Return structures with a rate that follows a rhythm exponentially in place of what is seen of it first."""
        found = dict.fromkeys(some for terms in structures for some in rates(terms, self.allowed))
        return [some for some in found if set(self.forced) <= {skeleton for skeleton, _ in some}]

    def _in_rhythm(self, base: Chosen, skeleton: Skeleton, starts: Sequence[int]) -> list[tuple[float, Chosen]]:
        """Return (mean square, set) of starts of a term and of it in a rhythm, fitted, the best first."""
        sets = in_a_rhythm(self.bench, self.atoms, base, skeleton, starts)[:STARTS]
        return sorted((mse, chosen) for chosen, mse in map(self.roughly_fitted, sets))

    def _fitted_beside(self, base: Chosen, most: int) -> list[Chosen]:
        """Return the columns with inner parameters, as fitted, of `base` and one such term more; the best first."""
        plain = {i for i in base if i < self.atoms.fixed}
        ranked = sorted((mse, chosen) for chosen, mse in map(self.roughly_fitted, self.promising(base, most)))
        return [tuple(i for i in chosen if i not in plain) for _, chosen in ranked]

    def best_with_plain(self, sets: Iterable[Chosen], most: int) -> list[Chosen]:
        """Return the best sets of some columns and plain ones that grow beside them."""
        found = sorted(self.with_plain(own, most) for own in sets)
        return unlike(self.atoms, (chosen for _, chosen in found), EXACT_PARAMETRIC)

    def with_plain(self, own: Chosen, most: int) -> tuple[float, Chosen]:
        """Return the best set of some columns and plain ones: (score, set)."""
        skeletons = {self.atoms.skeletons[i] for i in own}
        beam = [tuple(sorted({*(i for i in self.must if self.atoms.skeletons[i] not in skeletons), *own}))]
        best: list[tuple[float, Chosen]] = []
        while beam and len(beam[0]) < most:
            beam = grown(self.atoms, beam, PLAIN_BEAM, self.atoms.fixed)
            best += [(self.score(chosen, left(self.atoms, chosen) / len(self.atoms.b)), chosen) for chosen in beam]
        return min(best, default=(inf, own))

    def promising(self, base: Chosen, most: int = PROMISING) -> list[Chosen]:
        """Return sets of `base` and the best start of each of the most promising terms with inner parameters."""
        self._add_waves(base)
        after = left_with(self.atoms, base)
        held = {self.atoms.skeletons[i] for i in base}
        starts = {
            s: min(index, key=lambda i: after[i]) for s, index in self.columns_of.items() if index and s not in held
        }
        ranked = sorted(starts, key=lambda s: (after[starts[s]], s))
        return [tuple(sorted((*base, starts[s]))) for s in ranked[:most]]

    def _add_waves(self, base: Chosen) -> None:
        """Add a start of each wave whose phase is free: the frequency and phase that explain most beside `base`."""
        for skeleton, index in self.columns_of.items():
            inner = wave_beside(self.bench, self.atoms, base, skeleton) if index else ()
            row = self.bench.column(skeleton, inner) if inner else None
            known = None if row is None else self.atoms.add(skeleton, inner, row)
            self.columns_of[skeleton] = index if known is None else [*index, known]

    def columns(self, terms: Iterable[tuple[Skeleton, tuple[float, ...]]]) -> list[int]:
        """Return the columns of terms; those with inner parameters join the others, unless every set holds them."""
        known, held = list(terms), {self.atoms.skeletons[i] for i in self.must}
        plain = [self.atoms.skeletons.index(s) for s, inner in known if not inner and s in self.atoms.skeletons]
        rows = [(t, self.bench.column(*t)) for t in known if t[1] and t[0] in self.allowed and t[0] not in held]
        fitted = (self.atoms.add(*term, row) for term, row in rows if row is not None)
        return [*plain, *(i for i in fitted if i is not None)]

    def roughly_fitted(self, chosen: Chosen) -> tuple[Chosen, float]:
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

    def score(self, chosen: Chosen, mse: float) -> float:
        """Return the description length (nats) of a set that leaves a mean square of `mse`."""
        return self.length((self.atoms.skeletons[i] for i in chosen), mse)

    def length(self, skeletons: Iterable[Skeleton], mse: float) -> float:
        """Return the description length (nats) of terms that leave a mean square of `mse`."""
        target = self.bench.target
        sizes = [(s, count_params(s)) for s in skeletons]
        return description_length(mse, float(target.floor[self.equation]), self.power, target.effective, sizes)
