"""Coefficients fitted on trajectories: simulate, compare with the samples, adjust.

Single shooting from far away gets lost, so the horizon grows: first short stretches that each start on the
(smoothed) data, then longer ones, at last whole runs with their starts free. Every stage must end in a fit
that is no worse on whole runs, or the one before it is kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import least_squares as nonlinear

from dolq_core.arrays import Floats
from dolq_core.numerics.integrate import Rhs, simulate
from dolq_core.numerics.noise import Run

SHORTEST = 5
"""Samples in the shortest stretch."""
STEPS = 25
"""Gauss-Newton steps per stage, fewer when there are many coefficients: at most SIMULATIONS in all."""
SIMULATIONS = 1500
LOST = 1e2
"""Residual, in standard deviations, that stands for a failed simulation."""
RTOL = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """Coefficients fitted on trajectories.

    Attributes:
        theta: (p,) coefficients, with their standard errors `std_errors` (p,).
        starts: (runs, d) states at the first sample of each run.
        nmse: mean squared residual in variances of the states; inf when a simulation failed.
    """

    theta: Floats
    std_errors: Floats
    starts: Floats
    nmse: float


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Samples x (n, d) at t (n,) of one run that are simulated from one start (d,); NaN cells do not count."""

    run: int
    t: Floats
    x: Floats
    start: Floats


@dataclass
class Budget:
    """Right-hand sides that one problem may still use; then every simulation counts as lost."""

    left: int = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Shooting:
    """The problem: how coefficients make a right-hand side, the runs, smoothed states at their samples, scales.

    Attributes:
        rhs_of: (theta (p,), run) -> right-hand side; inputs make it differ between runs.
        runs: the measured runs.
        smooth: per run (n, d) states without gaps to start stretches on.
        scale: (d,) standard deviations of the states.
        bound: (d,) sizes at which a simulation counts as blown up.
        budget: what is left of the work that may be done.
    """

    rhs_of: Callable[[Floats, int], Rhs]
    runs: Sequence[Run]
    smooth: Sequence[Floats]
    scale: Floats
    bound: Floats
    budget: "Budget" = field(default_factory=Budget)


def shoot(problem: Shooting, theta: Floats, *, steps: int = STEPS) -> Shot:
    """Refine theta (p,) and the starts; never worse on whole runs than theta with its own best starts."""
    best = fit_starts(problem, theta, steps=steps)
    longest = _longest(problem)
    current = theta
    length = max(SHORTEST, longest // 8)
    while length < longest:
        current = _fit(problem, current, _stretches(problem, length), free_starts=False, steps=steps).theta
        length *= 2
    for first in (current, best.theta):
        trial = whole(problem, first, steps=steps)
        if trial.nmse < best.nmse:
            best = trial
    return best


def whole(problem: Shooting, theta: Floats, *, steps: int = STEPS) -> Shot:
    """Refine theta and the starts together on whole runs, from theta as it is."""
    return _fit(problem, theta, _stretches(problem, _longest(problem)), free_starts=True, steps=steps)


def fit_starts(problem: Shooting, theta: Floats, *, steps: int = STEPS) -> Shot:
    """Fit only the start states, with theta fixed."""
    fixed = Shooting(
        lambda _, run: problem.rhs_of(theta, run),
        problem.runs,
        problem.smooth,
        problem.scale,
        problem.bound,
        problem.budget,
    )
    found = _fit(fixed, np.empty(0), _stretches(fixed, _longest(fixed)), free_starts=True, steps=steps)
    return Shot(theta, np.full(len(theta), np.inf), found.starts, found.nmse)


def _longest(problem: Shooting) -> int:
    return max(len(t) for t, _ in problem.runs)


def _stretches(problem: Shooting, length: int) -> list[Stretch]:
    parts: list[Stretch] = []
    for run, ((t, x), smooth) in enumerate(zip(problem.runs, problem.smooth, strict=True)):
        count = max(1, round((len(t) - 1) / length))
        edges = np.round(np.linspace(0, len(t) - 1, count + 1)).astype(np.int64)
        parts.extend(
            Stretch(run, t[i : j + 1], x[i : j + 1], smooth[i]) for i, j in zip(edges[:-1], edges[1:], strict=True)
        )
    return parts


def _fit(problem: Shooting, theta: Floats, parts: Sequence[Stretch], *, free_starts: bool, steps: int) -> Shot:
    p, d = len(theta), len(problem.scale)
    own = np.stack([part.start for part in parts])
    seen = [np.isfinite(part.x) for part in parts]
    size = np.concatenate(
        (np.maximum(np.abs(theta), 1e-12), np.tile(problem.scale, len(parts)) if free_starts else np.empty(0))
    )

    def residual(u: Floats) -> Floats:
        values = u * size
        starts = values[p:].reshape(-1, d) if free_starts else own
        return np.concatenate(
            [
                _misfit(problem.rhs_of(values[:p], part.run), part, start, mask, problem)
                for part, start, mask in zip(parts, starts, seen, strict=True)
            ]
        )

    u0 = np.concatenate((theta, own.ravel() if free_starts else np.empty(0))) / size
    before = residual(u0)
    if not len(u0):
        return Shot(theta, np.empty(0), own, float(np.mean(before**2)))
    step = np.full(len(u0), 1e-4)
    most = max(3, min(steps, SIMULATIONS // (len(u0) + 1)))
    found = nonlinear(
        residual,
        u0,
        diff_step=step,
        ftol=1e-6,
        xtol=1e-6,
        gtol=1e-10,
        max_nfev=most,
    )
    after = np.asarray(found.fun, dtype=np.float64)
    better = float(np.sum(after**2)) < float(np.sum(before**2))
    u, left = (np.asarray(found.x, dtype=np.float64), after) if better else (u0, before)
    values = u * size
    nmse = float("inf") if np.any(np.abs(left) >= LOST) else float(np.mean(left**2))
    errors = _errors(np.asarray(found.jac, dtype=np.float64), left) * size
    return Shot(values[:p], errors[:p], values[p:].reshape(-1, d) if free_starts else own, nmse)


def _errors(jacobian: Floats, residual: Floats) -> Floats:
    """Standard errors (p,) at a least-squares optimum; inf where the residual does not depend on a coefficient."""
    spread = float(np.sum(residual**2)) / max(len(residual) - jacobian.shape[1], 1)
    size = np.linalg.norm(jacobian, axis=0)
    live = size > 0.0
    errors = np.full(len(size), np.inf)
    if live.any():
        scaled: Floats = jacobian[:, live] / size[live]
        squares: Floats = np.square(np.linalg.pinv(scaled))
        errors[live] = np.sqrt(spread * np.sum(squares, axis=1)) / size[live]
    return errors


def _misfit(rhs: Rhs, part: Stretch, start: Floats, mask: np.ndarray, problem: Shooting) -> Floats:
    if problem.budget.left <= 0:
        return np.full(int(mask.sum()), LOST)
    path = simulate(rhs, start, part.t, problem.bound, rtol=RTOL, evaluations=3000, patient=False)
    problem.budget.left -= path.evaluations
    if path.failure:
        return np.full(int(mask.sum()), LOST)
    return np.clip(((path.x - part.x) / problem.scale)[mask], -LOST, LOST)
