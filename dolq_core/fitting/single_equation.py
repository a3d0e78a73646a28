"""One equation on its own trajectories: few samples, where slopes say little and whole curves say much.

The equation is simulated by itself, the other states as they were measured (on the curve through their samples), and
its coefficients and starts are fitted to the samples of its own state. So structures of one equation compare before
anything is known of the others. What they have to beat is a walk: a series in which each sample is merely like the one
before it. A curve that drifts along with a drift explains nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE
from dolq_core.fitting.restriction import law_of, restriction_of, shot_within
from dolq_core.fitting.score import description_length
from dolq_core.fitting.trajectories import coefficients, with_coefficients, with_covariance
from dolq_core.fitting.weighing import relative_weights
from dolq_core.numerics.derivative import fit_curve, gradient
from dolq_core.numerics.holding import Hold, on_grid
from dolq_core.numerics.integrate import BLOWN_UP, Rhs, simulate
from dolq_core.numerics.noise import Run
from dolq_core.numerics.rounding import known_ratio
from dolq_core.numerics.samples import usable
from dolq_core.numerics.shooting import Shooting, on_stretches
from dolq_core.numerics.target import Target
from dolq_core.records import Blocks, Dataset, EquationFit
from dolq_core.terms import compile_rhs

STEPS = 12
PER_GAP = 8
"""Points of the other states' curves between two samples; cubic between them."""
SIMULATED = 3e-7
"""Error of a fitted simulation, in standard deviations of its state (`numerics.shooting.RTOL`)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Driven:
    """One run: samples x (n, d) at t (n,), curves of the states (n, d) and at even points between.

    counts: (n, d) square roots of the weights of the samples.
    """

    t: Floats
    x: Floats
    smooth: Floats
    at: Callable[[float], list[float]]
    counts: Floats


class SingleEquationShooting:
    """Fits and scores single equations on the runs of a data set with few samples.

    noise: (d,) measurement noise; unresolved: (d,) error through the curves (`numerics.integral`).
    """

    def __init__(
        self,
        runs: Sequence[Run],
        inputs: Sequence[Floats | None],
        noise: Floats,
        unresolved: Floats,
        symbols: tuple[str, ...],
        weights: Sequence[Floats] | None = None,
        blocks: Blocks = FREE,
        holds: Sequence[Hold] = (),
    ) -> None:
        self.blocks = blocks
        counts = [np.ones_like(x) for _, x in runs] if weights is None else [np.sqrt(own) for own in weights]
        given = [
            np.hstack((np.empty((len(t), 0)) if u is None else u, own))
            for (t, _), u, own in zip(runs, inputs, counts, strict=True)
        ]
        kept, known, _ = usable(runs, given)
        self.symbols = symbols
        d = len(noise)
        self.runs = [_driven(t, x, u[:, :-d], u[:, -d:], noise, holds) for (t, x), u in zip(kept, known, strict=True)]
        samples = np.concatenate([run.x for run in self.runs])
        spread = np.nanstd(samples, axis=0)
        self.size: Floats = np.maximum(np.nanmax(np.abs(samples), axis=0), 1e-300)
        self.scale: Floats = np.where(spread > 0.0, spread, self.size)
        self.noise = noise
        self.least: Floats = np.sqrt(unresolved**2 + (SIMULATED * self.scale) ** 2)
        self.floor: Floats = np.sqrt(noise**2 + self.least**2)

    def still(self, fit: EquationFit) -> EquationFit:
        """Return the record of an equation without terms, by what a constant leaves of each run."""
        mse = _mean_square(self._still(fit.equation))
        score = self._score(fit.equation, mse, ())
        return replace(fit, score=score, floor_ratio=self._over_floor(fit.equation, mse))

    def random_walk_score(self, equation: int) -> float:
        """Return the score of a walk: each sample is like the one before it, with a step by chance."""
        return self._score(equation, _innovations(self._still(equation)), ())

    def fitted(self, fit: EquationFit) -> EquationFit:
        """Return the equation with coefficients, score and distance from the floor by its own trajectories.

        Where it cannot be simulated, its coefficients stay and its score is inf.
        """
        problem = self._problem(fit)
        rule = restriction_of(self.blocks, law_of([fit]))
        shot = shot_within(
            rule, problem, coefficients([fit]), lambda one, z: on_stretches(one, z, one.longest, steps=STEPS)
        )
        left = self._left(fit, problem, shot.theta, shot.starts)
        if left is None:
            return replace(fit, score=inf, floor_ratio=inf, note="its simulation fails")
        count = sum(map(len, self._still(fit.equation)))
        mse = _mean_square(left) * sum(map(len, left)) / max(count, 1)
        sizes = tuple((term.skeleton, len(term.inner)) for term in fit.terms)
        (found,) = with_covariance(with_coefficients([fit], shot.theta, shot.std_errors), shot.covariance)
        return replace(
            found,
            score=self._score(fit.equation, mse, sizes),
            floor_ratio=self._over_floor(fit.equation, mse),
        )

    def _over_floor(self, equation: int, mse: float) -> float:
        return known_ratio(float(np.sqrt(mse)) / max(float(self.floor[equation]), 1e-300))

    def _score(self, equation: int, mse: float, sizes: Sequence[tuple[str, int]]) -> float:
        """Description length; the noise is what is left over, so only the error of the curves stands as a floor."""
        still = self._still(equation)
        power = max(_mean_square(still), float(self.least[equation]) ** 2)
        count = sum(map(len, still)) - len(still)
        return description_length(mse, float(self.least[equation]), power, count, sizes)

    def _still(self, equation: int) -> list[Floats]:
        """What a constant leaves of each run in which the state varies: its observed samples less their mean.

        A species that was never put into a tube stays at zero under any law and under none.
        """
        seen = [(np.isfinite(run.x[:, equation]), run) for run in self.runs]
        own: list[tuple[Floats, Floats]] = [(run.x[s, equation], run.counts[s, equation]) for s, run in seen]
        left = [(y - float(np.average(y, weights=c**2))) * c for y, c in own if float(np.ptp(y)) > 0.0]
        return left or [np.zeros(2)]

    def _left(self, fit: EquationFit, problem: Shooting, theta: Floats, starts: Floats) -> list[Floats] | None:
        found: list[Floats] = []
        for i, ((t, y), start) in enumerate(zip(problem.runs, starts, strict=True)):
            path = simulate(problem.rhs_of(theta, i), start, t, problem.bound, rtol=1e-7, patient=False)
            if path.failure:
                return None
            counts = self.runs[i].counts[:, [fit.equation]]
            found.append(((y - path.x) * counts)[np.isfinite(y)])
        return found

    def _problem(self, fit: EquationFit) -> Shooting:
        j = fit.equation
        return Shooting(
            rhs_of=lambda theta, run: self._rhs(fit, theta, self.runs[run]),
            runs=[(run.t, run.x[:, [j]]) for run in self.runs],
            smooth=[run.smooth[:, [j]] for run in self.runs],
            scale=self.scale[[j]],
            bound=BLOWN_UP * self.size[[j]],
            least=float((self.noise[j] / self.scale[j]) ** 2),
            counts=[run.counts[:, [j]] for run in self.runs],
        )

    def _rhs(self, fit: EquationFit, theta: Floats, run: _Driven) -> Rhs:
        j = fit.equation
        terms = [(term.skeleton, term.coefficient, term.inner) for term in with_coefficients([fit], theta)[0].terms]
        whole = compile_rhs([terms], self.symbols)
        at = run.at

        def rhs(t: float, x: Sequence[float]) -> Sequence[float]:
            values = at(t)
            values[j] = x[0]
            return whole(t, values)

        return rhs


def _mean_square(parts: Sequence[Floats]) -> float:
    squares: Floats = np.concatenate(parts) ** 2
    return float(np.mean(squares))


def _innovations(parts: Sequence[Floats]) -> float:
    """Mean square of what each value of the parts adds to the one before it, in proportion to which it follows it."""
    before, after = (np.concatenate([e[s] for e in parts]) for s in (slice(None, -1), slice(1, None)))
    size = float(np.dot(before, before))
    follows = float(np.clip(np.dot(before, after) / size, 0.0, 1.0)) if size > 0.0 else 0.0
    squares: Floats = (after - follows * before) ** 2
    return float(np.mean(squares))


def _driven(t: Floats, x: Floats, inputs: Floats, counts: Floats, noise: Floats, holds: Sequence[Hold]) -> _Driven:
    curves = [fit_curve(t, x[:, j], float(noise[j])) for j in range(x.shape[1])]
    count = (len(t) - 1) * PER_GAP + 1
    grid: Floats = np.linspace(float(t[0]), float(t[-1]), count)
    values = [c(grid, 0) for c in curves]
    slopes = [c(grid, 1) for c in curves]
    driving = on_grid(t, inputs, holds, grid)
    values += list(driving.T)
    slopes += list(gradient(grid, driving).T)
    return _Driven(
        t,
        x,
        np.column_stack([c(t, 0) for c in curves]),
        _hermite(grid, np.column_stack(values), np.column_stack(slopes)),
        counts,
    )


def _hermite(grid: Floats, values: Floats, slopes: Floats) -> Callable[[float], list[float]]:
    """Cubic between the points of an even grid, fast for one time."""
    first, step, last = float(grid[0]), float(grid[1] - grid[0]), len(grid) - 2
    levels, rises = values.tolist(), (slopes * step).tolist()

    def at(t: float) -> list[float]:
        place = (t - first) / step
        i = min(max(int(place), 0), last)
        u = place - i
        a, b = u * u * (3.0 - 2.0 * u), u * (1.0 - u)
        c, d = b * (1.0 - u), -b * u
        return [
            p + a * (q - p) + c * r + d * s
            for p, q, r, s in zip(levels[i], levels[i + 1], rises[i], rises[i + 1], strict=True)
        ]

    return at


def shooting_of(
    dataset: Dataset, target: Target, symbols: tuple[str, ...], blocks: Blocks
) -> SingleEquationShooting | None:
    """Own trajectories, where samples are few."""
    if target.kind != "integral":
        return None
    runs = [(run.t, run.x) for run in dataset.trajectories]
    unresolved = np.sqrt(np.maximum(target.floor**2 - target.noise**2, 0.0))
    inputs = [run.inputs for run in dataset.trajectories]
    return SingleEquationShooting(
        runs, inputs, target.noise, unresolved, symbols, relative_weights(dataset), blocks, dataset.holds
    )
