"""The yardstick for noisy data: how well a whole system, simulated, explains the samples of all runs.

A system is fitted to whole runs, all its numbers and starts at once (`numerics.lifted`). Noise is Gaussian and white,
of a size per state that is estimated with the rest, so that half the log of the mean square counts per sample.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, is_joint, why_broken, why_left, wrong_sign
from dolq_core.fitting.equal import equal
from dolq_core.fitting.limits import GHOST
from dolq_core.fitting.prior import Prior, named
from dolq_core.fitting.restriction import restriction_of
from dolq_core.fitting.watching import count_system
from dolq_core.fitting.whole_runs import Laws, System, fit_in_steps, numbers_of, with_numbers
from dolq_core.numerics.integrate import BLOWN_UP, Rhs, simulate
from dolq_core.numerics.lifted import COARSE, is_followed, with_steps
from dolq_core.numerics.noise import steps_at
from dolq_core.numerics.pieces import Driven
from dolq_core.numerics.rounding import nats
from dolq_core.numerics.stretches import Measured, Stretches, averaged, bridged, cut
from dolq_core.numerics.target import Target
from dolq_core.numerics.walk import misfits_of_walks
from dolq_core.numerics.whiteness import whiteness
from dolq_core.records import Blocks
from dolq_core.terms import Skeleton, compile_columns, compile_rhs
from dolq_core.terms.poles import divisors, is_infinite_between

NODES = 500
"""Samples, of all runs together, with which structures are compared: neighbours are averaged to about as many."""
MOST_LOOKS, ALL_LOOKS = 12, 25
"""Gauss-Newton steps of a fit in a search: one that starts near enough takes four; and where its figure is shown."""
ENDED = 1e-2
"""Change of chi2 at which a fit ends."""
HOPELESS = 40.0
"""Nats behind the best from which a fit is given up, by what its next step promises."""
EXACT = 1e-6
"""Distance from the samples, of a state's standard deviation, from which a simulation follows them exactly, as it does
from COARSE of what is taken for noise: what clean samples leave is the error of integrators, theirs and ours, and more
terms can always be bent to it (a Brusselator of 300 samples: 1.5e-8 of it, which five terms of 1e-7 nearly halve)."""
ROUNDED, INSIDE, OUTSIDE = 1.3, 0.75, 3.0
"""Where the noise is at most ROUNDED times what the last digit makes, it is the last digit. A simulation further than
INSIDE steps from a sample (half a step, and what fitted numbers are off) misses it, for OUTSIDE nats (one sample in
twenty is an outlier): of true laws of tables with three and four digits no sample was beyond 0.69 steps (sixteen
systems, 300 samples, clean but for the digits)."""
MOST_ALIKE = 4.0
"""Neighbours that one mean stands for up to which it is so: means of more tell more than the step."""
MOST_ASKED = 200
"""Fits that are kept so: those of an iteration are one for each term of a system."""
MISSED = 12.0
"""Nats lost without a term from which that fit was caught elsewhere, where the error of the term promises fewer: in
chaos (Dadras's system, 1 % noise) 24,000 were lost without a term of half its standard error."""
TO_THE_END = 1e-6
"""Relative tolerance of the simulation that only has to reach the end."""
CHECKED = 12.0
"""Nats behind the best up to which a path is checked with finer steps: what counts has no worse fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A system with its numbers fitted to whole runs.

    Attributes:
        system: the terms with fitted numbers.
        misfit: (d,) root mean square of samples less simulation, in standard deviations of the noise.
        fit: nats of the samples, given the system: the less, the better; inf where it cannot follow them.
        x: (n, d) the simulation at the samples that were compared.
        covariance: (p, p) of all numbers, in the order of the terms; None where it cannot follow the samples.
    """

    system: System
    misfit: Floats
    fit: float
    x: Floats
    covariance: Floats | None = None

    @property
    def with_errors(self) -> System:
        """The system with standard errors, its noise as large as what is left of the samples."""
        if self.covariance is None:
            return self.system
        variance = np.diag(self.covariance) * float(np.mean(self.misfit**2))
        return with_numbers(self.system, numbers_of(self.system), np.sqrt(np.maximum(variance, 0.0)))


class Likelihood:
    """Fits systems to the samples and remembers them by structure."""

    def __init__(
        self,
        known: Measured,
        symbols: tuple[str, ...],
        parts: int = 1,
        blocks: Blocks = FREE,
        *,
        only_samples: bool = False,
    ) -> None:
        """known: all runs, and the curve from which fits start; parts: stretches that each run is cut into.

        only_samples: no times between them, as long gaps have them else.
        """
        raw, known = known, averaged(known, NODES)
        self.samples = int(np.isfinite(known.data.y).any(axis=1).sum())
        known = known if only_samples else bridged(known)
        self.smooth = known.x
        self.data = cut(known.data, parts)
        self.parts = parts
        self.longest = int(np.diff(self.data.ends).max())
        self.symbols = symbols
        self.blocks = blocks
        self._steps, independent = _rounded(raw, self.data)
        self._is_rounded = np.isfinite(independent)
        self._counts = np.isfinite(self.data.y).sum(axis=0).astype(np.float64)
        self._per_state: Floats = np.minimum(self._counts, independent)
        seen = [own[np.isfinite(own)] for own in self.data.y.T]  # of a hidden state there is none
        spread = np.array([np.std(own) if len(own) else 0.0 for own in seen])
        self._exact: Floats = np.maximum(EXACT * spread / self.data.sigma, COARSE)
        self._known: dict[tuple[tuple[Skeleton, ...], ...], Judged] = {}
        self._given_up: set[tuple[tuple[Skeleton, ...], ...]] = set()
        self._saved: dict[int, tuple[Judged, float]] = {}
        self._ghosts: dict[int, tuple[Judged, frozenset[tuple[int, Skeleton]]]] = {}
        self._whole: dict[tuple[tuple[Skeleton, ...], ...], bool] = {}
        self._asked: dict[tuple[System, int], tuple[Floats, Judged]] = {}

    def copy(self) -> "Likelihood":
        """Return another one that knows the same systems, and keeps to itself which ones it fits from now on."""
        other = copy(self)
        other._known, other._given_up, other._saved = dict(self._known), set(self._given_up), dict(self._saved)
        return other

    @property
    def known(self) -> list[Judged]:
        """Every system that was fitted."""
        return list(self._known.values())

    def judged(self, system: System, near: Judged | None = None, least: float = inf, *, afresh: bool = False) -> Judged:
        """Return the system fitted from its own numbers, along `near` or the smoothed samples.

        least: nats of the best fit so far; one that will not come near it may be left as it is. afresh: try these
        numbers though the structure was fitted before, and keep the better fit.
        """
        key = shape(system)
        given_up = key in self._given_up and least == inf
        if key not in self._known or given_up or afresh:
            found, known = (
                self._fitted_once(system, self.smooth if near is None else near.x, least),
                self._known.get(key),
            )
            self._known[key] = known if known is not None and known.fit <= found.fit else found
            if given_up:
                self._given_up.discard(key)
            elif least < inf and self._known[key].fit == inf:
                self._given_up.add(key)
        return self._known[key]

    def anew(self, system: System) -> Judged:
        """Return the system fitted from its own numbers, whatever was fitted before it."""
        return self._fitted_once(system, self.smooth, inf)

    def without(self, judged: Judged, equation: int, skeleton: Skeleton) -> Judged:
        """Return the system without one term, the rest fitted again."""
        rest = _without(judged.system, equation, skeleton)
        return self.judged(rest, judged, afresh=self.has_missed(judged, equation, skeleton))

    def has_missed(self, judged: Judged, equation: int, skeleton: Skeleton) -> bool:
        """Whether the system without a term was fitted, and came less near the samples than it can: it may from here.

        It did not come near at all, or the error of the term promises that hardly anything is lost.
        """
        known = self._known.get(shape(_without(judged.system, equation, skeleton)))
        if known is None or known.fit == inf:
            return known is not None and known.fit == inf
        term = next(t for t in judged.with_errors[equation] if t.skeleton == skeleton)
        promised = 0.5 * (term.coefficient / term.std_error) ** 2 if term.std_error else 0.0
        return promised < MISSED < known.fit - judged.fit

    def _fitted_once(self, system: System, x: Floats, least: float) -> Judged:
        """Fit, or recall the fit of the same numbers along the same states: each iteration asks for the same ones."""
        if least < inf:
            return self._fitted(system, x, least)
        key = system, id(x)
        if key not in self._asked:
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            self._asked[key] = x, self._fitted(system, x, least)
        return self._asked[key][1]

    def _fitted(self, system: System, x: Floats, least: float) -> Judged:
        nothing = Judged(system, np.full(int(x.shape[1]), inf), inf, x)
        theta = numbers_of(system)
        if not np.isfinite(theta).all():
            return nothing
        count_system()
        law = Laws(system, self.symbols)
        data = with_steps(self.data, law, theta, x)
        looks = MOST_LOOKS if least < inf else ALL_LOOKS
        rule = restriction_of(self.blocks, [(j, t.skeleton) for j, terms in enumerate(system) for t in terms])
        hopeless = self._chi2_of(least + HOPELESS)
        path = fit_in_steps(data, law, theta, x, rule, looks=looks, hopeless=hopeless, ended=ENDED)
        if path is None or not path.is_simulation or not np.isfinite(path.chi2):
            return nothing
        misfit = path.misfit
        floor = np.where(self._is_rounded, 1.0, self._exact)
        outside = OUTSIDE * float(np.sum(np.abs(self.data.y - path.x) > INSIDE * self._steps))
        value = float(np.sum(self._per_state * np.log(np.maximum(misfit, floor)))) + outside
        fitted = with_numbers(system, path.theta)
        if value < least + CHECKED and (not is_followed(data, law, path) or self._has_pole(fitted, path.x)):
            return nothing
        return Judged(fitted, misfit, nats(value), path.x, path.covariance)

    def _has_pole(self, system: System, x: Floats) -> bool:
        """Whether a term is infinite between two samples of a simulation x (n, d), which its steps have passed over."""
        moving = [t for terms in system for t in terms if divisors(t.skeleton)]
        for i, j in self.data.spans if moving else ():
            at = np.vstack((x[i:j].T, self.data.inputs[i:j].T)), self.data.t[i:j]
            if any(is_infinite_between(t.skeleton, self.symbols, *at, t.inner) for t in moving):
                return True
        return False

    def is_whole(self, judged: Judged) -> bool:
        """Whether the system, simulated from the starts of its fit, comes to the end of every stretch.

        A law that throws paths apart can follow samples step by step, and yet run away from the start; chaos stays.
        """
        if judged.fit == inf:
            return False
        key = shape(judged.system)
        if key not in self._whole:
            parts = [[(t.skeleton, t.coefficient, t.inner) for t in terms] for terms in judged.system]
            rhs = compile_rhs(parts, self.symbols)
            size = np.maximum(np.nan_to_num(np.abs(self.data.y)), np.abs(self.smooth)).max(axis=0)
            bound = BLOWN_UP * np.maximum(size, self.data.sigma)
            self._whole[key] = all(self._reaches_the_end(rhs, judged.x[i], i, j, bound) for i, j in self.data.spans)
        return self._whole[key]

    def _reaches_the_end(self, rhs: Rhs, start: Floats, i: int, j: int, bound: Floats) -> bool:
        """Whether the simulation of samples i to j stays within bound (d,)."""
        t, inputs = self.data.t[i:j], self.data.inputs[i:j]
        driven = Driven(rhs, t, inputs) if inputs.shape[1] else rhs
        return not simulate(driven, start, t, bound, rtol=TO_THE_END).failure

    def runs(self, judged: Judged) -> list[tuple[Floats, Floats]]:
        """Return the times (n,) and the simulation (n, d) of each stretch."""
        return [(self.data.t[i:j], judged.x[i:j]) for i, j in self.data.spans]

    @cached_property
    def _walks(self) -> Floats:
        """What walks leave of the samples (d,), as `misfit` is."""
        return np.minimum(*misfits_of_walks(self.data))

    def above_rest(self, judged: Judged) -> tuple[float, ...]:
        """Return per equation the nats by which a system explains its state better than what says nothing of it.

        A constant in each stretch, a random walk, and one whose speed walks (`numerics.walk`). Less what its terms
        cost; -inf where it cannot follow the samples. What was not measured is explained as well as the state that is
        explained least.
        """
        squares = np.zeros(self.data.y.shape[1])
        for i, j in self.data.spans:
            own = self.data.y[i:j]
            mean = np.nansum(own, axis=0) / np.maximum(np.isfinite(own).sum(axis=0), 1)
            squares += np.nansum((own - mean) ** 2, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = np.minimum(np.sqrt(squares / self._counts) / self.data.sigma, self._walks)
            gained: Floats = self._per_state * np.log(rest / judged.misfit)
        seen = self._per_state > 0.0
        gained = np.where(seen, gained, float(np.min(gained[seen])))
        costs = [sum(named(term.skeleton, self.samples) for term in terms) for terms in judged.system]
        return tuple(nats(v - c) if np.isfinite(v) else -inf for v, c in zip(gained.tolist(), costs, strict=True))

    def whiteness(self, judged: Judged) -> tuple[float, ...]:
        """Return per state the chance that white noise leaves neighbouring residuals as much alike; 1 where EXACT.

        1, too, where the last digit of the samples is all that is left: rounding is not white where a state is slow.
        """
        left = self.data.y - judged.x
        rounded = self._is_rounded & ~np.any(np.abs(left) > INSIDE * self._steps, axis=0)
        exact = ((judged.misfit <= self._exact) | rounded).tolist()
        alike = (self.data.y - self.data.seen(judged.x)) * self.data.counts  # in units in which all have one noise
        return tuple(
            1.0 if exact[k] else whiteness([alike[i:j, k] for i, j in self.data.spans]).chance
            for k in range(left.shape[1])
        )

    def _chi2_of(self, value: float) -> float:
        """Sum of squares of averaged samples at which no system has fewer nats than `value`."""
        if not value < inf:
            return inf
        few = self._per_state[self._is_rounded]
        count = float(few.min() if len(few) else self._per_state.sum())
        return float(self._counts.sum()) * float(np.exp(min(2.0 * value / count, 50.0)))

    def length(self, judged: Judged, prior: Prior) -> float:
        """Return the description length of system and samples, in nats; inf where it breaks what is declared."""
        if self.blocks != FREE and self.why_not(judged):
            return inf
        cost = prior.system([[term.skeleton for term in terms] for terms in judged.system], self.samples)
        return nats(judged.fit + cost - self._saved_by_equals(judged))

    def ghosts(self, judged: Judged) -> frozenset[tuple[int, Skeleton]]:
        """Return the terms of each equation that add next to nothing to its rate along the samples (GHOST)."""
        known = self._ghosts.get(id(judged))
        if known is None or known[0] is not judged:
            known = self._ghosts[id(judged)] = judged, frozenset(self._next_to_nothing(judged.system))
        return known[1]

    def _next_to_nothing(self, system: System) -> Iterator[tuple[int, Skeleton]]:
        at = np.ascontiguousarray(np.hstack((self.smooth, self.data.inputs)).T), self.data.t
        for j, terms in enumerate(system):
            rows = np.array([t.coefficient * compile_columns(t.skeleton, self.symbols)(*at, t.inner) for t in terms])
            sound = rows[:, np.isfinite(rows).all(axis=0)] if terms else np.empty((0, 0))
            if sound.size:
                with np.errstate(over="ignore"):
                    sizes, whole = np.linalg.norm(sound, axis=1), float(np.linalg.norm(sound.sum(axis=0)))
                yield from ((j, t.skeleton) for t, size in zip(terms, sizes, strict=True) if size < GHOST * whole)

    def why_not(self, judged: Judged) -> str:
        """Return which rule on signs or on whole systems does not hold for this one; empty where all do."""
        signs = (wrong_sign(self.blocks, j, terms) for j, terms in enumerate(judged.system))
        broken = why_broken(self.blocks, shape(judged.system)) or next(filter(None, signs), "")
        return broken or why_left(self.blocks, self.symbols, judged.x, self.data.ends.tolist(), self.data.sigma)

    def _saved_by_equals(self, judged: Judged) -> float:
        """Nats that numbers save which are equal to others; remembered by the object, which the memory keeps alive."""
        if judged.covariance is None or is_joint(self.blocks):
            return 0.0
        known = self._saved.get(id(judged))
        if known is None or known[0] is not judged:
            alike = equal(judged.system, judged.covariance, self.symbols, self.samples)
            known = self._saved[id(judged)] = (judged, sum(one.gain for one in alike))
        return known[1]


def _rounded(raw: Measured, data: Stretches) -> tuple[Floats, Floats]:
    """Return (n, d) the steps of samples whose noise is their last digit and (d,) how many say more; inf for others.

    A state that changes by less than a step from one sample to the next is rounded alike in both.
    """
    steps_of, count = np.full(data.y.shape, inf), np.full(len(data.sigma), inf)
    if len(raw.data.t) > MOST_ALIKE * len(data.t):
        return steps_of, count
    for j, sigma in enumerate(data.sigma.tolist()):
        steps = steps_at(raw.data.y[:, j], data.y[:, j])
        size = float(np.sqrt(np.nanmean(steps**2))) if np.isfinite(steps).any() else 0.0
        if size > 0.0 and sigma <= ROUNDED * size / np.sqrt(12.0):
            steps_of[:, j] = np.fmax(steps, size)
            count[j] = 1.0 + float(np.minimum(np.abs(np.diff(raw.x[:, j])) / size, 1.0).sum())
    return steps_of, count


LEVELS = (1, 4, 16)
"""Stretches into which each run is cut: whole runs first, shorter ones where no system follows them."""
SHORT = 100
"""Samples of a stretch to which longer runs are cut in the end, four times as fine each time: chaos of a few percent of
noise is followed over some sixty (Lorenz's system, 1,000 samples, ten units of time)."""
MOST_STATES = 6
"""States up to which whole systems are searched."""


def likelihoods_of(target: Target, symbols: tuple[str, ...], blocks: Blocks = FREE) -> tuple[Likelihood, ...]:
    """Return the likelihoods of whole runs and of shorter and shorter stretches; none where samples are not noisy."""
    known = target.measured
    if known is None or not np.all(known.data.sigma > 0.0) or len(target.x) > MOST_STATES:
        return ()
    found = [Likelihood(known, symbols, parts, blocks) for parts in LEVELS]
    while found[-1].longest > SHORT:
        found.append(Likelihood(known, symbols, 4 * found[-1].parts, blocks))
    return tuple(found)


def _without(system: System, equation: int, skeleton: Skeleton) -> System:
    rest = tuple(t for t in system[equation] if t.skeleton != skeleton)
    return tuple(rest if j == equation else own for j, own in enumerate(system))


def shape(system: System) -> tuple[tuple[Skeleton, ...], ...]:
    """Return the structure of a system."""
    return tuple(tuple(sorted(term.skeleton for term in terms)) for terms in system)
