"""Simulated trajectories of a whole system against the data, and coefficients fitted on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf, isfinite
from typing import TypeAlias

import numpy as np
from scipy.interpolate import CubicSpline

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE
from dolq_core.fitting.coefficients import rows_of
from dolq_core.fitting.ranking import description_of
from dolq_core.fitting.restriction import Restriction, law_of, places_of, restriction_of, shot_within, unchanged
from dolq_core.fitting.unmeasured import sources_of
from dolq_core.fitting.weighing import has_weights, relative_weights
from dolq_core.fitting.whole_runs import fitted, numbers_of, system_of, uneven, with_numbers
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.holding import Hold, at_samples, knots
from dolq_core.numerics.integrate import BLOWN_UP, Rhs, simulate
from dolq_core.numerics.least_squares import correlation
from dolq_core.numerics.metrics import nmse
from dolq_core.numerics.noise import Run
from dolq_core.numerics.pieces import Driven
from dolq_core.numerics.samples import CLEAN, is_dense
from dolq_core.numerics.shooting import (
    AT_NOISE,
    SHORTEST,
    Shooting,
    Shot,
    fit_starts,
    is_lost,
    on_stretches,
    shoot,
)
from dolq_core.numerics.stretches import Stretches, stretches
from dolq_core.numerics.whiteness import grows
from dolq_core.records import MISSES, Blocks, Dataset, EquationFit, Trajectory, TrajectoryScore
from dolq_core.terms import Skeleton, compile_rhs

MOST_SAMPLES = 2000
"""Samples per run that a refinement compares with; longer runs are thinned evenly, and so are inputs that are lines."""
SMOOTHED = 400
"""Samples per run up to which starts of stretches are read off a smoothing curve, else off running means."""
COMPARED = 4
"""Stretches per run on which structures are compared where whole runs are past the horizon, as with chaos."""
SAYS_NOTHING = 0.9
"""NMSE from which a path follows chance: one that grows into the last samples of a run explains pure noise best."""
RANKING_STEPS = 8
NEARBY = 1e-6
"""Small difference at the start, in standard deviations of the states, that shows how far ahead a law can see."""

Terms: TypeAlias = tuple[tuple[Skeleton, float, tuple[float, ...]], ...]
Accepts: TypeAlias = Callable[[Sequence[EquationFit]], bool]


def whatever(_: Sequence[EquationFit]) -> bool:
    """Accept every system."""
    return True


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """States x (n, d) at times t (n,); NaN after a failure, which `failure` names."""

    t: Floats
    x: Floats
    failure: str = ""


class Trajectories:
    """The runs of a data set as simulations see them. `precise`: clean and dense, nothing to refine.

    `sparse`: too few samples to average over. driving: the runs with the inputs that drive simulations, where these
    are known for longer than the data set goes; else its own.
    """

    def __init__(
        self,
        dataset: Dataset,
        noise: Floats,
        symbols: tuple[str, ...],
        driving: Sequence[Trajectory] = (),
        blocks: Blocks = FREE,
    ) -> None:
        self.blocks = blocks
        self.symbols = symbols
        self.runs: list[Run] = [(run.t, run.x) for run in dataset.trajectories]
        rates = list(sources_of(dataset))
        self._seen: list[Run] = [(t, _without(x, rates)) for t, x in self.runs]
        self.inputs = [run.inputs for run in dataset.trajectories]
        self.holds = dataset.holds
        self._driving = driving or dataset.trajectories
        weights = relative_weights(dataset)
        self.counts = None if weights is None else [np.sqrt(own) for own in weights]
        self._may_be_few = weights is not None and has_weights(dataset)
        samples = np.concatenate([x for _, x in self.runs])
        spread = np.nanstd(samples, axis=0)
        size = np.nanmax(np.abs(samples), axis=0)
        self.scale = np.where(spread > 0.0, spread, np.where(size > 0.0, size, 1.0))
        self.bound = BLOWN_UP * np.where(size > 0.0, size, 1.0)
        self.sparse = not is_dense(self.runs, noise, is_weighted=self._may_be_few)
        self.least: Floats = (noise / self.scale) ** 2
        self.precise = not self.sparse and bool(np.all(noise <= CLEAN * self.scale))
        self.smooth = [
            np.column_stack([fit_curve(t, y, s)(t, 0) for y, s in zip(x.T, noise, strict=True)])
            if len(t) <= SMOOTHED
            else _means(x)
            for t, x in self.runs
        ]
        self._starts: dict[tuple[Terms, ...], Floats] = {}
        self._whole: Stretches | None = None
        self._noise = noise

    def simulate(self, fits: Sequence[EquationFit], run: int, t: Floats | None, start: Floats | None) -> Simulation:
        """Simulate one run; see `Workbench.simulate`."""
        own_t = self.runs[run][0]
        times = own_t if t is None else t
        first = self.start(fits, run) if start is None else start
        late = start is None and times[0] > own_t[0]
        whole = np.concatenate((own_t[:1], times)) if late else times
        path = simulate(self._rhs(fits, run), first, whole, self.bound)
        return Simulation(times, path.x[1:] if late else path.x, path.failure)

    def score(self, fits: Sequence[EquationFit]) -> TrajectoryScore:
        """Return the NMSE per state over all runs whose start is known."""
        paths = [self.simulate(fits, run, None, None) for run in range(len(self.runs)) if self.is_known(run)]
        failure = next((path.failure for path in paths if path.failure), "")
        if failure or not paths:
            return TrajectoryScore(
                tuple(inf for _ in self.scale), failure or "No run has a known start.", past_horizon=False
            )
        model = np.concatenate([path.x for path in paths])
        data = np.concatenate([self.runs[run][1] for run in range(len(self.runs)) if self.is_known(run)])
        errors = tuple(nmse(model[:, j], data[:, j]) for j in range(data.shape[1]))
        return TrajectoryScore(errors, past_horizon=max(errors) > MISSES and self._is_past_horizon(fits))

    def refine(
        self, fits: Sequence[EquationFit], accepts: Accepts = whatever, near: Sequence[Run] = ()
    ) -> tuple[tuple[EquationFit, ...], tuple[float, ...]]:
        """Return the system with coefficients from trajectories; empty when none are better and acceptable.

        Beside it, per state, how many times the noise the samples lie away from its simulation of whole runs; empty
        where the fit does not say. near: a simulation of each run by about this system, to start from.
        """
        theta = coefficients(fits)
        if not len(theta):
            return (), ()
        whole, ratios = self.whole(fits, accepts, near), ()
        if whole is not None and whole.nmse <= AT_NOISE**2 * float(np.mean(self.least)):
            found, ratios = whole, tuple(self._over_noise(whole).tolist())
        else:
            rule = restriction_of(self.blocks, law_of(fits))
            found = shot_within(rule, self.problem(fits, accepts), theta, shoot)
        there = bool(near) and np.isfinite(found.covariance).all()
        if not isfinite(found.nmse) or (np.array_equal(found.theta, theta) and not there):
            return (), ()
        better = with_covariance(with_coefficients(fits, found.theta, found.std_errors), found.covariance)
        if ratios:
            self._starts[_numbers(better)] = found.starts
        return better, ratios

    def beyond_noise(self, fits: Sequence[EquationFit]) -> tuple[float, ...]:
        """Return per state how many times the noise the samples lie away from a simulation (root mean square).

        Of whole runs, or of stretches where small differences outgrow the noise within a run. 0 where the noise is not
        known; inf where a simulation fails.
        """
        problem = self.problem(fits)
        length = max(SHORTEST, problem.longest // (COMPARED if self._is_past_horizon(fits) else 1))
        return tuple(self._over_noise(fit_starts(problem, coefficients(fits), length, steps=RANKING_STEPS)).tolist())

    def _is_past_horizon(self, fits: Sequence[EquationFit]) -> bool:
        """Whether a small difference at the start of some run grows beyond the signal over the noise."""
        most = NEARBY / max(float(np.sqrt(np.mean(self.least))), NEARBY)
        for run in range(len(self.runs)):
            if not self.is_known(run):
                continue
            start = self.start(fits, run)
            paths = [self.simulate(fits, run, None, s).x for s in (start, start + NEARBY * self.scale)]
            if not float(np.max(np.abs((paths[1] - paths[0]) / self.scale))) <= most:
                return True
        return False

    def length(self, fits: Sequence[EquationFit], accepts: Accepts = whatever, parts: int = 1) -> tuple[float, float]:
        """Return the description length of a system on the runs in `parts` stretches, and its misfit over the noise.

        Coefficients are fitted to them. The misfit is that of the state that is worst.
        """
        whole = self.whole(fits, accepts) if parts == 1 else None
        if whole is not None:
            return description_of(whole, self.least.tolist(), fits), float(np.max(self._over_noise(whole)))
        problem, theta = self.problem(fits, accepts), coefficients(fits)
        stretch = max(SHORTEST, problem.longest // parts)
        if parts == 1 and not self.sparse and is_lost(problem, theta, stretch):
            return inf, inf
        rule = restriction_of(self.blocks, law_of(fits))
        found = shot_within(rule, problem, theta, lambda one, z: on_stretches(one, z, stretch, steps=RANKING_STEPS))
        if not problem.accepts(found.theta):
            found = fit_starts(problem, theta, stretch, steps=RANKING_STEPS)
        return description_of(found, self.least.tolist(), fits), float(np.max(self._over_noise(found)))

    def held(self, fits: Sequence[EquationFit], place: int, value: float) -> Shot:
        """Return the system fitted to whole runs with one number, by its place in `coefficients`, held at a value."""
        theta = coefficients(fits)
        theta[place] = value
        there = with_coefficients(fits, theta, None)
        rule = restriction_of(self.blocks, law_of(fits), {place: value})
        return self.whole(there, rule=rule) or shot_within(rule, self.problem(there), theta, shoot)

    def whole(
        self,
        fits: Sequence[EquationFit],
        accepts: Accepts = whatever,
        near: Sequence[Run] = (),
        rule: Restriction | None = None,
    ) -> Shot | None:
        """Return the system fitted to whole runs; None where it cannot follow them, or samples are few or clean.

        near: a simulation of each run to start from, in place of the smoothed samples; chaos is followed only so.
        rule: what holds of its numbers; by default what is declared.
        """
        if self.sparse or not np.all(self._noise > 0.0) or not all(map(self.is_known, range(len(self.runs)))):
            return None
        picks = [_even_pick(len(t)) for t, _ in self.runs]
        if self._whole is None:
            runs = [(t[pick], x[pick]) for (t, x), pick in zip(self._seen, picks, strict=True)]
            holds = self.holds if all(len(t) == len(pick) for (t, _), pick in zip(runs, picks, strict=True)) else ()
            known = self.inputs if holds else self.mean_inputs
            inputs = [None if u is None else u[pick] for u, pick in zip(known, picks, strict=True)]
            counts = self.counts and [own[pick] for own, pick in zip(self.counts, picks, strict=True)]
            self._whole = stretches(runs, inputs, counts, self._noise, holds)
        data = self._whole
        smooth = np.concatenate([x[pick] for x, pick in zip(self.smooth, picks, strict=True)])
        rule = rule or restriction_of(self.blocks, law_of(fits))
        path = fitted(data, fits, self.symbols, _along(data, near), rule) if len(near) == len(data.ends) - 1 else None
        path = path or fitted(data, fits, self.symbols, smooth, rule)
        if path is None or not accepts(with_coefficients(fits, path.theta)):
            return None
        squares = (path.residual * data.sigma / self.scale) ** 2
        samples = np.isfinite(squares).sum(axis=0).astype(np.float64)
        errors = np.nansum(squares, axis=0) / np.maximum(samples, 1.0)
        spread = path.chi2 / max(float(samples.sum()) - len(path.theta), 1.0)
        starts = path.x[data.ends[:-1]]
        if float(np.max(errors)) > SAYS_NOTHING:
            return None
        covariance = path.covariance * spread
        if (
            rule is None
            and not self._may_be_few
            and any(grows(left, x) for left, x in zip(path.residual.T, path.x.T, strict=True))
        ):
            covariance = uneven(data, fits, self.symbols, path, covariance)
        return Shot(path.theta, covariance, starts, errors, samples, int(np.max(np.diff(data.ends))))

    def _over_noise(self, found: Shot) -> Floats:
        known = self.least > 0.0
        return np.sqrt(np.divide(found.errors, self.least, out=np.zeros_like(self.least), where=known))

    def start(self, fits: Sequence[EquationFit], run: int) -> Floats:
        """The state at the run's first sample: as measured when precise, else the one that explains the run best."""
        first: Floats = self.runs[run][1][0]
        if not self.is_known(run) or (self.precise and np.isfinite(first).all()):
            return first
        key = _numbers(fits)
        if key not in self._starts:
            theta = coefficients(fits)
            found = self.whole(fits, rule=unchanged(theta)) or fit_starts(self.problem(fits), theta)
            self._starts[key] = found.starts
        known = [i for i in range(len(self.runs)) if self.is_known(i)]
        return self._starts[key][known.index(run)]

    def is_known(self, run: int) -> bool:
        """Whether every state of a run was measured at some time, so that its start can be found."""
        return bool(np.isfinite(self.runs[run][1]).any(axis=0).all())

    def problem(self, fits: Sequence[EquationFit], accepts: Accepts = whatever) -> Shooting:
        """Return the runs whose starts can be found as what a fit on trajectories works on."""
        known = [i for i in range(len(self.runs)) if self.is_known(i)]
        picks = [_even_pick(len(self.runs[i][0])) for i in known]
        return Shooting(
            rhs_of=lambda theta, run: self._rhs(with_coefficients(fits, theta), known[run]),
            runs=[(self._seen[i][0][pick], self._seen[i][1][pick]) for i, pick in zip(known, picks, strict=True)],
            smooth=[self.smooth[i][pick] for i, pick in zip(known, picks, strict=True)],
            scale=self.scale,
            bound=self.bound,
            least=float(np.mean(self.least)),
            accepts=lambda theta: accepts(with_coefficients(fits, theta)),
            counts=self.counts and [self.counts[i][pick] for i, pick in zip(known, picks, strict=True)],
        )

    @property
    def mean_inputs(self) -> list[Floats | None]:
        """The inputs (n, u) of each run, those that are held as their mean over a step."""
        return [None if u is None else at_samples(u, self.holds) for u in self.inputs]

    def _rhs(self, fits: Sequence[EquationFit], run: int) -> Rhs:
        return right_side(fits, self.symbols, self._driving[run].t, self._driving[run].inputs, self.holds)


def right_side(
    fits: Sequence[EquationFit],
    symbols: tuple[str, ...],
    t: Floats,
    inputs: Floats | None,
    holds: Sequence[Hold] = (),
) -> Rhs:
    """Return the right-hand sides of a system, driven by its inputs (n, u) at the times t (n,) where it has any.

    holds: per input what it does between these times; straight lines without it.
    """
    equations = [[(term.skeleton, term.coefficient, term.inner) for term in fit.terms] for fit in fits]
    rhs = compile_rhs(equations, symbols)
    if inputs is None or not inputs.shape[1]:
        return rhs
    return Driven(rhs, *knots(t, inputs, holds, _even_pick(len(t))))


def coefficients(fits: Sequence[EquationFit]) -> Floats:
    """Return all fitted numbers of a system: per term the outer coefficient, then the inner parameters."""
    return numbers_of(system_of(fits))


def with_coefficients(
    fits: Sequence[EquationFit], theta: Floats, errors: Floats | None = None
) -> tuple[EquationFit, ...]:
    """Return the system with other numbers, in the order of `coefficients`; errors (p,) are standard errors."""
    system = with_numbers(system_of(fits), theta, errors)
    return tuple(replace(fit, terms=terms) for fit, terms in zip(fits, system, strict=True))


def with_covariance(fits: Sequence[EquationFit], covariance: Floats) -> tuple[EquationFit, ...]:
    """Return the system with the correlations of its outer coefficients; covariance (p, p) as for `coefficients`."""
    places = iter(places_of([term.skeleton for fit in fits for term in fit.terms]))
    outer = [list(islice(places, len(fit.terms))) for fit in fits]
    rows = [rows_of(correlation(covariance[np.ix_(own, own)])) for own in outer]
    return tuple(replace(fit, correlation=own) for fit, own in zip(fits, rows, strict=True))


def _without(x: Floats, states: Sequence[int]) -> Floats:
    """The states (n, d) with nothing measured of some."""
    if not states:
        return x
    seen = x.copy()
    seen[:, list(states)] = np.nan
    return seen


def _even_pick(n: int) -> np.ndarray:
    return np.unique(np.round(np.linspace(0, n - 1, min(n, MOST_SAMPLES))).astype(np.int64))


def _numbers(fits: Sequence[EquationFit]) -> tuple[Terms, ...]:
    """The right-hand sides alone, whatever else is known of them."""
    return tuple(tuple((term.skeleton, term.coefficient, term.inner) for term in fit.terms) for fit in fits)


def _along(data: Stretches, near: Sequence[Run]) -> Floats:
    """A simulation at the samples (n, d): between its own times by cubics."""
    parts = zip(data.spans, near, strict=True)
    return np.concatenate([CubicSpline(t, x)(data.t[i:j]) for (i, j), (t, x) in parts])


def _means(x: Floats, half: int = 5) -> Floats:
    """Running means over the observed cells (n, d)."""
    seen = np.isfinite(x)
    kernel = np.ones(2 * half + 1)
    total = np.column_stack(
        [np.convolve(np.where(s, y, 0.0), kernel, "same") for y, s in zip(x.T, seen.T, strict=True)]
    )
    count = np.column_stack([np.convolve(s.astype(np.float64), kernel, "same") for s in seen.T])
    return np.where(count > 0.0, total / np.maximum(count, 1.0), np.nanmean(x, axis=0))
