"""What the data show without any law: states that reach zero, totals that stay constant, samples of both signs."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.totals import Total, stretches_of, totals
from dolq_core.mechanisms import begins, words_in
from dolq_core.records import Variable

REACHED = 0.02
"""Value over the largest up to which a state is as good as zero."""
DWELLS = 0.1
"""Share of the samples that a state has to be as good as zero, and never below, to be taken for an amount: one that
only starts at zero, as a distance does, is none."""
SIGMAS = 3.0
BOTH_SIDES = 0.3
AMOUNTS = (
    "amount", "concentrat", "densit", "populat", "number", "count.", "mass.", "biomass", "people", "cell.",
    "individual", "animal", "fraction", "abundance", "pelts", "pupils", "molecule", "volume", "prey.", "predator",
    "percent",
)  # fmt: skip
"""Words of a name, meaning or unit that declare a state as an amount: never negative."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the samples show.

    Attributes:
        stretches: first sample of each stretch in which time only grows, and the number of samples.
        dwells_at_zero: per state, whether it is never negative and stays close to zero for a while.
        low: (d + inputs,) least values, but zero where noise alone explains that they are negative.
        totals: sums of states that stay constant, none of them a part of another.
        two_sided: every state takes both signs, about as far to either side.
    """

    stretches: tuple[int, ...]
    dwells_at_zero: tuple[bool, ...]
    low: tuple[float, ...]
    totals: tuple[Total, ...]
    two_sided: bool


_known: WeakKeyDictionary[Workbench, Facts] = WeakKeyDictionary()


def facts_of(bench: Workbench) -> Facts:
    """Return the facts of the data, found once."""
    if bench not in _known:
        _known[bench] = _found(bench)
    return _known[bench]


def is_amount(variable: Variable) -> bool:
    """Whether a person declares by name, meaning or unit that a state is an amount."""
    said = words_in(f"{variable.name} {variable.meaning} {variable.unit}")
    return any(begins(word, stem) for word in said for stem in AMOUNTS)


def _found(bench: Workbench) -> Facts:
    x = bench.values[: bench.d]
    least, most = np.min(bench.values, axis=1), np.max(bench.values, axis=1)
    noise = np.concatenate((bench.target.noise, np.zeros(len(bench.values) - bench.d)))
    low = np.where((least < 0.0) & (least >= -SIGMAS * noise), 0.0, least)
    sides = np.minimum(-least, most)[: bench.d] / np.maximum(np.maximum(-least, most)[: bench.d], 1e-300)
    stretches = stretches_of(bench.t)
    return Facts(
        stretches=stretches,
        dwells_at_zero=tuple(low[i] >= 0.0 and _dwells(x[i]) for i in range(bench.d)),
        low=tuple(low.tolist()),
        totals=tuple(totals(x, bench.target.noise, stretches)),
        two_sided=bool(np.all(sides >= BOTH_SIDES)),
    )


def _dwells(row: Floats) -> bool:
    near: Floats = row[row <= REACHED * float(np.max(row))]
    return len(near) >= DWELLS * len(row)
