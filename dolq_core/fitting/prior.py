"""What a structure costs before any data are seen, in nats: its length, and what nothing in the problem speaks for.

name     NAMING + complexity, and ODD of each function that neither the words nor the names support
shared   SHARED instead of the name where another equation has the term, or its image with the two states
exchanged, or either with an inner parameter zero: what leaves one state enters another, and equal oscillators have
equal laws; where the whole equation is the image of another, half of it from the second name on: so much that a number
more, which makes an equation the image of another, still costs more than it saves
numbers  log(n) / 2 for each fitted number, INNER more for one inside a function
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, pi
from types import MappingProxyType

import numpy as np

from dolq_core.blocks import adds_unlike, curve_of_amount
from dolq_core.errors import TermError
from dolq_core.fitting.names import names_of
from dolq_core.fitting.score import INNER, NAMING, complexity
from dolq_core.fitting.symmetry import Pairs, exchange, image
from dolq_core.mechanisms import (
    ONLY_BY_WORDS,
    counts_from_zero,
    explanations,
    foreign,
    is_angle,
    is_in_degrees,
    turned,
    words_of,
)
from dolq_core.records import Dataset, Problem
from dolq_core.terms import Skeleton, count_params, parse_term

SHARED = 1.5
ODD: Mapping[str, float] = MappingProxyType({"sin": 6.0, "cos": 6.0, "tan": 6.0, "exp": 3.0, "log": 3.0, "tanh": 3.0})
"""Nats of a function that nothing speaks for (chosen on the open suite at 2 % noise; 4 to 8 and 2 to 4 do the same)."""
_TURNING = (
    "angle", "angular", "swing", "pendul", "phase", "magnet", "orient", "direction", "heading", "glid", "theta",
    "phi.", "synchron", "josephson", "lattice", "orbit", "longitude", "azimuth",
)  # fmt: skip
SUPPORT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sin": _TURNING,
        "cos": _TURNING,
        "tan": _TURNING,
        "exp": ("exponent", "arrhenius", "diode", "ricker", "fading", "fade", "activat", "heat", "ignit", "combust",
                "neur", "nerve", "sigmoid", "firing", "graded", "threshold", "morse", "bond", "dose", "absor",
                "transient", "decaying", "drift"),
        "log": ("gompertz", "tumo", "cancer", "logarithm", "ageing", "aging"),
        "tanh": ("neur", "nerve", "satur", "switch", "firing", "magnet"),
    }
)  # fmt: skip
"""Beginnings of the words that speak for a function."""
BENT_BACK = 4.0
"""Of an angle beside its own sine, where no word speaks of what restores it: together they are a cube in disguise. Of
1,331 equations of the suites two have both, without such a word; at 2 % noise both are found for all that."""
_RESTORES = ("spring", "torsion", "twist", "elastic", "induct", "restor", "field", "splay")
_CALL = re.compile(r"\b(sin|cos|tan|exp|log|tanh)\(([^()]*)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SCALED = re.compile(r"params\[\d+\]\*")
_LEVELLING = re.compile(r"\b(exp|log|tanh)\(")
"""Functions that look like a constant or a line on part of their range: no word makes one cheaper than these."""
_FRACTION = re.compile(r"(\w+)/(.+)")
_BENDING = re.compile(r"\*\*|[a-z]\(")


UNKNOWN = 3.0
"""Nats of a term that no mechanism explains."""
FOREIGN = 5.0
"""Of a mechanism of another subject than the description's, where 0 °C would be no heat at all, of a curve such as exp
taken of what has a unit, without a number that makes it a ratio, and of a sum of unlike things, such as a temperature
and a density; DENIED: of one that the description denies."""
DENIED = 4.0
SAID, SAID_PLAIN = -2.0, -1.0
"""Of a mechanism that a word suggests, and of one that needs no words; both where its shape is named as well."""
UNSAID: Mapping[int, float] = MappingProxyType({1: 1.0, 2: 1.5, 3: 1.5, 4: 2.5, 5: 4.0})
"""Of a mechanism that nothing speaks for, by its stage."""
TURNS = 4.0 * pi
"""Up to which the samples of an angle without a unit are taken for radians, whose sine has no scale of its own."""
INVERSE = 1.5
"""Of 1 or a variable over others of first order, 1/x or y/(p + x), that no word speaks for: laws have them as much more
seldom than other terms of their length (`python -m lab kinds`)."""


class Prior:
    """The costs of terms for one problem. is_told: whether it has a description."""

    def __init__(self, problem: Problem) -> None:
        dataset = problem.dataset
        variables = (*dataset.states, *dataset.inputs)
        names = names_of(dataset)
        self._dataset = dataset
        self._words = words_of(problem)
        self.is_told = bool(problem.description.strip())
        self._known = [explanations(problem, names, j) for j in range(len(dataset.states))]
        self._angles = {v.symbol for v in variables if is_angle(v)}
        self._radians = {v.symbol for v in variables if is_angle(v) and not is_in_degrees(v)} & _near_zero(dataset)
        self._celsius = frozenset(v.symbol for v in variables if v.name in self._words.celsius)
        self._straight = {s for own, s in zip(names.own, names.symbols, strict=True) if own in self._words.straight}
        self._symbols = names.symbols
        self._restored = bool(self._words.suggesting(_RESTORES))
        self._names: dict[tuple[int, Skeleton], float] = {}
        self._alike: dict[tuple[Skeleton, Pairs], tuple[Skeleton, ...]] = {}

    def name(self, equation: int, skeleton: Skeleton) -> float:
        """Return what it takes to name a term in an equation."""
        key = (equation, skeleton)
        if key not in self._names:
            self._names[key] = NAMING + complexity(skeleton) + self._odd(equation, skeleton)
        return self._names[key]

    def _odd(self, equation: int, skeleton: Skeleton) -> float:
        """What speaks against a term, or for it."""
        entry = self._known[equation].get(skeleton)
        said = entry is not None and bool(entry.word)
        if entry is not None and entry.is_named and not entry.family.plain:
            twice = bool(self._words.suggesting(entry.family.stems))
            return 0.0 if _LEVELLING.search(skeleton) else SAID + SAID_PLAIN * twice
        cost = self._of_functions(skeleton)
        if not said and is_inverse(skeleton):
            cost += INVERSE
        if self._is_senseless(skeleton):
            return cost + FOREIGN
        if entry is None:
            return cost + UNKNOWN
        if entry.denial:
            return cost + DENIED
        if foreign(entry.family, self._words):
            return cost + FOREIGN
        if entry.family.plain:
            return cost + (SAID_PLAIN if said else 0.0)
        if not said:
            return cost + UNSAID[entry.family.stage]
        return cost or (0.0 if _LEVELLING.search(skeleton) else SAID)

    def _is_senseless(self, skeleton: Skeleton) -> bool:
        """Whether a term would be another one in other units."""
        if counts_from_zero(skeleton, self._celsius):
            return True
        return bool(curve_of_amount(self._dataset, skeleton)) or adds_unlike(self._dataset, skeleton)

    def _of_functions(self, skeleton: Skeleton) -> float:
        """What speaks against the functions in a term; the sine of an angle has no scale of its own."""
        cost, straight = 0.0, turned(skeleton) & self._straight
        for function, argument in _CALL.findall(skeleton):
            inside, turns = set(_NAME.findall(argument)) - {"params"}, SUPPORT[function] is _TURNING
            drive = turns and inside <= {"t"}
            warm = function == "exp" and bool(inside) and inside <= self._celsius
            bent = turns and bool(inside & straight)
            scaled = turns and bool(inside) and inside <= self._radians and bool(_SCALED.match(argument))
            if scaled or bent or not (drive or warm or self._speaks_for(function, inside)):
                cost += ODD[function]
        return cost

    def _speaks_for(self, function: str, inside: set[str]) -> bool:
        """Whether names or words speak for a function of some variables; where angles are named, they alone turn."""
        if inside & self._angles:
            return True
        turns = SUPPORT[function] is _TURNING
        return not (turns and self._angles) and bool(self._words.suggesting(SUPPORT[function]))

    def expects(self, equation: int, skeletons: Iterable[Skeleton]) -> bool:
        """Whether every term is one of a mechanism that words suggest, or that is looked for without a word."""
        entries = [self._known[equation].get(skeleton) for skeleton in skeletons]
        return all(entry is not None and (entry.word or entry.family.stage < ONLY_BY_WORDS) for entry in entries)

    def is_natural(self, equation: int, skeletons: Iterable[Skeleton]) -> bool:
        """Whether that holds, and at most one term is of a mechanism that is neither plain nor spoken of."""
        known = set(skeletons)
        entries = [self._known[equation][skeleton] for skeleton in known & set(self._known[equation])]
        odd = [entry for entry in entries if not (entry.family.plain or entry.word)]
        return self.expects(equation, known) and len(odd) < 2

    def system(self, equations: Sequence[Sequence[Skeleton]], samples: int) -> float:
        """Return the cost of a system; a name that another equation has already used is SHARED."""
        cost = 0.0
        for j, skeletons in enumerate(equations):
            own, names, is_image = set(skeletons), [self.name(j, s) for s in skeletons], False
            for i, others in enumerate(equations[:j]):
                pairs = exchange(equations, self._symbols, i, j)
                near = {known for other in others for known in self._near(other, pairs)}
                names = [min(SHARED, name) if s in near else name for s, name in zip(skeletons, names, strict=True)]
                is_image |= len(own) == len(others) and own == {image(other, pairs) for other in others}
            cost += min(0.5 * SHARED * (1 + len(names)), sum(names)) if is_image else sum(names)
            cost += sum(numbers(s, samples) for s in skeletons)
            cost += BENT_BACK * sum(f"sin({s})" in own for s in own if s in self._symbols and not self._restored)
        return cost

    def _near(self, skeleton: Skeleton, pairs: Pairs) -> tuple[Skeleton, ...]:
        """Return what a term is called in another equation: itself, its image, or either with a number zero."""
        key = (skeleton, pairs)
        if key not in self._alike:
            both = (skeleton, image(skeleton, pairs))
            self._alike[key] = (*both, *(s for one in both for s in zeroed(one, self._symbols)))
        return self._alike[key]


def _near_zero(dataset: Dataset) -> set[str]:
    """Return the states that stay within two turns of zero, were they in radians."""
    most = np.nanmax(np.abs(np.concatenate([run.x for run in dataset.trajectories])), axis=0, initial=0.0)
    return {state.symbol for state, size in zip(dataset.states, most, strict=True) if size <= TURNS}


def numbers(skeleton: Skeleton, samples: int) -> float:
    """Return what the numbers of a term cost."""
    inner = count_params(skeleton)
    return 0.5 * (1 + inner) * log(max(samples, 2)) + INNER * inner


def named(skeleton: Skeleton, samples: int) -> float:
    """Return what a term costs of which nothing else is known."""
    return NAMING + complexity(skeleton) + numbers(skeleton, samples)


@lru_cache(maxsize=4096)
def zeroed(skeleton: Skeleton, symbols: tuple[str, ...]) -> tuple[Skeleton, ...]:
    """Return what a term with several inner parameters becomes where one of them is zero."""
    count = count_params(skeleton)
    found: list[Skeleton] = []
    for k in range(count) if count > 1 else ():
        try:
            found.append(parse_term(skeleton.replace(f"params[{k}]", "0"), symbols).skeleton)
        except TermError:  # such as a division by zero
            continue
    return tuple(s for s in dict.fromkeys(found) if count_params(s))


def is_inverse(skeleton: Skeleton) -> bool:
    """Whether a term is 1 or a variable divided by what others of first order make up."""
    parts = _FRACTION.fullmatch(skeleton)
    return parts is not None and not _BENDING.search(parts[2]) and parts[1] not in _NAME.findall(parts[2])
