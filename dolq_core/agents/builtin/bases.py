"""What a term with inner parameters may join: it looks poor beside the wrong partners."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf

from dolq_core.agents.builtin.atoms import Atoms, Chosen
from dolq_core.arrays import Floats
from dolq_core.terms import Skeleton, parse_term

PLAIN = 60
"""Sets of plain partners up to which all are tried: 56 are three of the eight of a state that is alone, and a linear
law of two states and a constant may have a drive."""
ALONE = ("{x}**2", "{x}**3", "{x}*log({x})", "log({x})", "sqrt({x})", "1/{x}")
"""Further partners of a state that is alone: growth is logistic or Gompertz's, beside what a curve takes away."""
LEADING = 4
"""Sets without inner parameters that every term with inner parameters may join."""
CUBIC = 24
"""Terms of a cubic law at most: one of two states with sizes (x*abs(x)), or one of three, has fewer."""
SWINGS = re.compile(r"\b(sin|cos)\([^()]*params\[")
OTHER_STARTS = 2
"""Further starts of a term that swings that are tried beside the same partners."""
UNLIKE = 0.6
"""Cosine below which two starts are different frequencies."""
RHYTHM = re.compile(r"\*(sin|cos)\([^()]*params\[[^()]*\bt\)")


@dataclass(frozen=True, slots=True)
class Bases:
    """Sets one smaller than a size.

    Attributes:
        atoms: the library.
        must: what every set holds.
        partners: the variables and the constant; the usual curves of a state that is alone too.
        shared: terms of another equation as they are there.
        size: of a set with the term that joins.
        beam: sets one smaller without inner parameters, the best first.
    """

    atoms: Atoms
    must: Chosen
    partners: Chosen
    shared: Sequence[int]
    size: int
    beam: Sequence[Chosen]

    def common(self) -> list[Chosen]:
        """Sets for every term: of the plainest partners, of these and a shared term, and the leaders of the beam."""
        known = [i for i in self.shared if i not in self.must]
        leaders = [chosen for chosen in self.beam if len(chosen) == self.size - 1][:LEADING]
        return list(dict.fromkeys((*self._beside(()), *self._with_one_of(known), *leaders)))

    def of_rhythm(self, skeleton: Skeleton) -> list[Chosen]:
        """Sets for what a rhythm in time modulates: the same without the rhythm is there too, and plain partners."""
        plain = Skeleton(RHYTHM.sub("", skeleton))
        if plain == skeleton or plain not in self.atoms.skeletons[: self.atoms.fixed]:
            return []
        i = self.atoms.skeletons.index(plain)
        return [] if i in self.partners or i in self.must else self._with_one_of([i])

    def _with_one_of(self, known: Sequence[int]) -> list[Chosen]:
        found = [self._beside((i,)) for i in known]
        return [base for some in found for base in some] if sum(map(len, found)) <= PLAIN else []

    def _beside(self, chosen: Chosen) -> list[Chosen]:
        """All sets of these and plain partners; none where they are too many."""
        count = self.size - len(self.must) - 1 - len(chosen)
        free = [i for i in self.partners if i not in self.must]
        if count < 0 or comb(len(free), count) > PLAIN:
            return []
        return [tuple(sorted({*self.must, *chosen, *some})) for some in combinations(free, count)]


def partners(atoms: Atoms, symbols: Sequence[str]) -> Chosen:
    """Return the variables and the constant; where there is one variable, its usual curves too."""
    more = [form.format(x=symbols[0]) for form in ALONE] if len(symbols) == 1 else []
    usual = {parse_term(text, symbols).skeleton for text in ("1", *symbols, *more)}
    return tuple(i for i, skeleton in enumerate(atoms.skeletons) if skeleton in usual)


def polynomial(atoms: Atoms, symbols: Sequence[str], order: int) -> Chosen:
    """Return the plain terms of a library up to the second order, or the plainest CUBIC up to the third with sizes."""
    orders = [_order(atoms.skeletons[i], symbols, with_sizes=order > 2) for i in range(atoms.fixed)]
    return tuple(i for i, own in enumerate(orders) if own <= order)[: CUBIC if order > 2 else None]


def _order(skeleton: Skeleton, symbols: Sequence[str], *, with_sizes: bool) -> float:
    """The order of a product of variables; inf of any other term."""
    if skeleton == "1":
        return 0.0
    found = 0.0
    for factor in skeleton.replace("**", "^").split("*"):
        name, _, power = factor.partition("^")
        inside = name[4:-1] if with_sizes and name.startswith("abs(") else name
        found += float(power or 1) if inside in symbols and (power or "1").isdigit() else inf
    return found


def other_starts(
    atoms: Atoms, joined: Sequence[Chosen], mine: Sequence[int], bases: Sequence[tuple[Chosen, Floats]]
) -> list[Chosen]:
    """Return the same sets from further starts of a term, unlike the first.

    The frequency that explains most before the fit may be that of a resonance, and the fit stays in its valley.
    mine: the columns of the term; bases: sets that it joins, and what each further column would leave.
    """
    found: list[Chosen] = []
    for base, after in bases:
        if not any(set(base) < set(chosen) for chosen in joined):
            continue
        picked: list[int] = []
        for i in sorted(mine, key=lambda i: float(after[i])):
            if after[i] < inf and all(abs(float(atoms.a[i] @ atoms.a[j])) < UNLIKE for j in picked):
                picked.append(i)
            if len(picked) > OTHER_STARTS:
                break
        found += [tuple(sorted((*base, i))) for i in picked[1:]]
    return found
