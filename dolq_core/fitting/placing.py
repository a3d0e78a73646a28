"""Where within a step an input switches, as whole runs tell: no row says it, and half a step off may cost a term.

What `numerics.holding` reads off the samples beside a switch is little under noise. Along whole runs a polynomial for
each equation tells more, if it leaves nothing but noise; it need not be the law. The shares of a step after which
inputs switch are fitted with its coefficients: one for each input, or one for each switch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb, inf, log
from typing import Literal

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.fitting.held_out import held_as
from dolq_core.fitting.likelihood import Judged, Likelihood
from dolq_core.fitting.whole_runs import Laws, System, numbers_of, system_of
from dolq_core.fitting.workbench import Workbench
from dolq_core.numerics.holding import PLACES, TOLD, Hold
from dolq_core.numerics.lifted import Path, fit, with_steps
from dolq_core.numerics.stretches import Stretches
from dolq_core.records import AT_FLOOR, Dataset
from dolq_core.terms import parse_term

DEGREES = (1, 2, 3, 4)
"""Degrees of the polynomials; of those that leave nothing but noise the one with the shortest description counts."""
MOST_TERMS = 20
"""Terms of one polynomial at most."""
EACH = 2.0
"""Nats that a share costs: half the log of the fifty samples, about, that say something of it."""
MOST_SWITCHES = 40
"""Switches up to which each may have a share of its own."""
AT_NEXT = 0.99
"""Share of a step from which an input that switches after it switches at the next sample: it is held until then."""
NUDGE = 1e-6

Switch = tuple[int, int]
"""An input, and the sample after which it switches."""


def driven_as(dataset: Dataset, said: Hold | Literal["auto"] = "auto") -> Dataset:
    """Return the data with what its inputs do between samples: as is said, else as samples and whole runs say."""
    return placed(held_as(dataset)) if said == "auto" else held_as(dataset, said)


def placed(dataset: Dataset) -> Dataset:
    """Return the data with inputs that switch where whole runs say, if that is elsewhere than `holds` have it.

    Such an input is held from row to row, with its mean over the step where it switches: "placed"; "previous" where
    all that whole runs say is that it switches at the next row.
    """
    own = [k for k, hold in enumerate(dataset.holds) if hold in PLACES]
    inputs = [run.inputs for run in dataset.trajectories if run.inputs is not None]
    if not own or len(inputs) < len(dataset.trajectories):
        return dataset
    shares = _shares(dataset, np.concatenate(inputs), own)
    if not shares:
        return dataset
    on = {k for k in own if all(share >= AT_NEXT for (j, _), share in shares.items() if j == k)}
    shares = {switch: share for switch, share in shares.items() if switch[0] not in on}
    first = 0
    means: list[Floats] = []
    for u in inputs:
        mean = u.copy()
        for (k, i), share in shares.items():
            if first <= i < first + len(u) - 1:
                mean[i - first, k] = share * u[i - first, k] + (1.0 - share) * u[i - first + 1, k]
        means.append(mean)
        first += len(u)
    found: dict[int, Hold] = {k: "previous" if k in on else "placed" for k in own}
    holds: tuple[Hold, ...] = tuple(found.get(k, hold) for k, hold in enumerate(dataset.holds))
    runs = tuple(replace(run, inputs=frozen(u)) for run, u in zip(dataset.trajectories, means, strict=True))
    return replace(dataset, trajectories=runs, holds=holds)


def _shares(dataset: Dataset, inputs: Floats, own: Sequence[int]) -> dict[Switch, float]:
    """The share of its step after which each input switches; empty where samples do not say that it is another one."""
    bench = Workbench.of(dataset)
    if not bench.likelihoods or bench.target.measured is None:  # clean samples say it themselves
        return {}
    like = Likelihood(bench.target.measured, bench.symbols, only_samples=True)
    if len(like.data.t) != len(inputs):  # means of many do not
        return {}
    inside = like.data.inside
    each = [(k, int(i)) for k in own for i in inside[inputs[inside, k] != inputs[inside + 1, k]]]
    groups = [[some for k in own if (some := tuple(one for one in each if one[0] == k))]]
    groups += [[(one,) for one in each]] if len(each) <= MOST_SWITCHES else []
    found: list[tuple[float, float, dict[Switch, float]]] = []
    for degree in DEGREES if each else ():
        system = _polynomials(bench, degree)
        start = None if system is None else like.judged(system)
        if start is not None and start.fit < inf:
            laws = [_Switching.of(bench, start, inputs, some, dataset.holds) for some in groups]
            found += [told for law in laws if (told := law.told(like, start)) is not None]
    _, gain, shares = min(found, key=lambda told: told[0], default=(inf, -inf, dict[Switch, float]()))
    return shares if gain >= TOLD else {}


def _polynomials(bench: Workbench, degree: int) -> System | None:
    """A polynomial for each equation; None where it has too many terms, or cannot be fitted."""
    symbols = bench.symbols
    if comb(len(symbols) + degree, degree) > MOST_TERMS:
        return None
    products = [c for n in range(degree + 1) for c in combinations_with_replacement(symbols, n)]
    skeletons = [parse_term("*".join(c) or "1", symbols).skeleton for c in products]
    fits = [bench.rough(j, skeletons) for j in range(bench.d)]
    return None if any(one.failure for one in fits) else system_of(fits)


@dataclass(frozen=True, slots=True, eq=False)
class _Switching:
    """A law with shares of a step behind its numbers, one for each of `groups` of switches; `usual` ones if not `free`.

    inputs: (n, u) as they are after each switch; falls: (n, groups) what they fall by there; both are held over a step.
    """

    law: Laws
    groups: Sequence[Sequence[Switch]]
    inputs: Floats
    falls: Floats
    usual: Floats
    free: bool = True
    jumps: int = 0

    @classmethod
    def of(
        cls,
        bench: Workbench,
        start: Judged,
        inputs: Floats,
        groups: Sequence[Sequence[Switch]],
        holds: Sequence[Hold],
    ) -> "_Switching":
        after, falls = inputs.copy(), np.zeros((len(inputs), len(groups)))
        for g, group in enumerate(groups):
            for k, i in group:
                after[i, k], falls[i, g] = inputs[i + 1, k], inputs[i, k] - inputs[i + 1, k]
        usual = np.array([PLACES[holds[group[0][0]]] for group in groups])
        return cls(Laws(start.system, bench.symbols), groups, after, falls, usual)

    def told(self, like: Likelihood, start: Judged) -> tuple[float, float, dict[Switch, float]] | None:
        """Return the description length, the nats that the shares gain over the usual ones, and the shares.

        None where the law with them leaves more than noise.
        """
        usual, free = replace(self, free=False)._fitted(like, start), self._fitted(like, start)
        if free is None or float(max(free.misfit)) > AT_FLOOR:
            return None
        price = EACH * len(self.groups)
        gain = inf if usual is None else 0.5 * (usual.chi2 - free.chi2) - price
        length = 0.5 * (free.chi2 + self.law.p * log(len(self.inputs))) + price
        found = np.clip(free.theta[self.law.p :], 0.0, 1.0).tolist()
        return length, gain, {one: share for group, share in zip(self.groups, found, strict=True) for one in group}

    def _fitted(self, like: Likelihood, start: Judged) -> Path | None:
        theta = numbers_of(start.system)
        theta = np.append(theta, self.usual) if self.free else theta
        data = with_steps(self._beside(like.data), self, theta, start.x)
        path = fit(data, self, theta, start.x)
        return path if path is not None and path.is_simulation else None

    def _beside(self, data: Stretches) -> Stretches:
        switched = sorted({k for group in self.groups for k, _ in group})
        sides: list[Floats] = []
        for side in data.sides:
            held = side.copy()
            held[:, switched] = self.inputs[:, switched]
            sides.append(np.hstack((held, self.falls)))
        return replace(data, inputs=sides[0], held=(sides[0], sides[1]))

    def sides(self, values: Floats, t: Floats) -> Floats:
        """A polynomial does not jump."""
        return np.zeros((0, len(t)))

    def rates(self, values: Floats, t: Floats, theta: Floats, sides: Floats | None = None) -> Floats:
        """Return rates (d, n) at values (d + u + groups, n)."""
        return self.law.rates(self._driven(values, theta), t, theta[: self.law.p])

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Return rates, their slopes by state (d, d, n) and by the numbers and shares (d, p, n)."""
        own, driven = theta[: self.law.p], self._driven(values, theta)
        rates, by_state, by_numbers = self.law.slopes(driven, t, own, moves)
        if not self.free:
            return rates, by_state, by_numbers
        by_share = np.empty((len(rates), len(self.groups), len(t)))
        for g in range(len(self.groups)):
            moved = theta.copy()
            moved[self.law.p + g] += NUDGE
            by_share[:, g] = (self.law.rates(self._driven(values, moved), t, own) - rates) / NUDGE
        return rates, by_state, np.concatenate((by_numbers, by_share), axis=1)

    def _driven(self, values: Floats, theta: Floats) -> Floats:
        """States and inputs, the switching ones with their means."""
        known = values[: -len(self.groups)].copy()
        for g, group in enumerate(self.groups):
            share = theta[self.law.p + g] if self.free else self.usual[g]
            known[self.law.d + group[0][0]] += share * values[g - len(self.groups)]
        return known
