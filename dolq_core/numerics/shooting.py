"""Coefficients fitted on trajectories: simulate, compare with the samples, adjust.

Multiple shooting: the runs are cut into stretches, each with a free start of its own (Bock, "Recent advances in
parameter identification techniques for ODE", 1983; without his continuity constraints, which chaos breaks). The
stretches grow up to whole runs for as long as the fit stays as good: a wrong start cannot throw it far, and a chaotic
system is never asked for more than its horizon. A result replaces the first coefficients only where the misfit on the
same stretches is smaller and the caller accepts it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.optimize import least_squares as nonlinear

from dolq_core.arrays import Bools, Floats, Ints
from dolq_core.numerics.integrate import Rhs, simulate
from dolq_core.numerics.noise import Run
from dolq_core.numerics.whiteness import grows

SHORTEST = 5
"""Samples in the shortest stretch."""
STEPS = 100
"""Gauss-Newton steps per stage, fewer when there are many coefficients: at most SIMULATIONS in all. A few do for a law
that is right; on pure noise a fit creeps, and with 25 steps it ended a fortieth of a standard error away."""
EARLY_STEPS = 8
"""Steps while stretches still grow."""
AT_NOISE = 2.0
"""Mean squared misfit over that of the noise up to which a model counts as right."""
SIMULATIONS = 600
LOST = 1e2
"""Residual, in standard deviations, that stands for a failed simulation."""
RTOL = 1e-9
"""Of simulations: their error must stay far below what a finite difference moves. Else the solver's choice of steps,
which hangs on the last digit, decides where a fit ends."""
ENDED = 1e-9
"""Relative change of the squared misfit at which a fit ends: with 1,000 samples a thousandth of a standard error."""
MOST_EVALUATIONS = 6000
"""Right-hand sides of one simulation of a stretch."""
STEP = 1e-4
"""Relative step of finite differences."""
GROWN_WORSE = 1.5
"""Ratio of mean squared misfits from which longer stretches are past the horizon of the fit."""
BETTER = 1e-6
"""Relative change of the squared misfit from which one fit is better than another; below it they are the same."""
EXPLAINED = 0.1
"""Mean squared misfit, in variances, up to which longer stretches are taken all the same: a model that is not exact."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """Coefficients fitted on trajectories.

    Attributes:
        theta: (p,) coefficients, with their standard errors `std_errors` (p,) and their covariance (p, p).
        starts: (stretches, d) states at the first sample of each stretch.
        errors: (d,) mean squared residual of each state in its variances; inf when a simulation failed.
        samples: (d,) samples behind them.
        length: samples in the longest stretch.
    """

    theta: Floats
    covariance: Floats
    starts: Floats
    errors: Floats
    samples: Floats
    length: int

    @property
    def nmse(self) -> float:
        """Mean squared residual of all samples; a state that was not measured has none."""
        seen = self.samples > 0.0
        return float(np.sum(self.errors[seen] * self.samples[seen]) / max(float(np.sum(self.samples)), 1.0))

    @property
    def std_errors(self) -> Floats:
        """Standard errors (p,)."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Samples x (n, d) at t (n,) of one run that are simulated from one start (d,); NaN cells do not count.

    counts: (n, d) factors of the residuals, 1 where all samples count alike.
    """

    run: int
    t: Floats
    x: Floats
    start: Floats
    seen: Bools
    counts: Floats | float = 1.0


@dataclass
class Budget:
    """Right-hand sides that one problem may still use; then every simulation counts as lost."""

    left: int = 1_200_000


def anything(_: Floats) -> bool:
    """Accept every theta."""
    return True


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
        accepts: whether a theta may be the result at all.
        least: mean square of the measurement noise, in variances of the states; 0 when it is not known.
        counts: per run (n, d) square roots of the weights of the samples; None when all count alike.
    """

    rhs_of: Callable[[Floats, int], Rhs]
    runs: Sequence[Run]
    smooth: Sequence[Floats]
    scale: Floats
    bound: Floats
    budget: "Budget" = field(default_factory=Budget)
    accepts: Callable[[Floats], bool] = anything
    least: float = 0.0
    counts: Sequence[Floats] | None = None

    @property
    def longest(self) -> int:
        """Samples in the longest run."""
        return max(len(t) for t, _ in self.runs)


def shoot(problem: Shooting, theta: Floats, *, steps: int = STEPS) -> Shot:
    """Refine theta (p,); theta itself, with its own best starts, when nothing better and acceptable comes.

    Whole runs at once where that ends at the noise, else on growing stretches.
    """
    best = on_stretches(problem, theta, problem.longest, steps=steps)
    if not (best.nmse <= AT_NOISE * problem.least and problem.accepts(best.theta)):
        best = _grown(problem, theta, best, steps)
    if best is None:
        return fit_starts(problem, theta, steps=steps)
    before = fit_starts(problem, theta, best.length, steps=steps)
    if best.nmse < before.nmse * (1.0 - BETTER):
        return best
    return replace(before, covariance=best.covariance) if best.nmse <= before.nmse * (1.0 + BETTER) else before


def _grown(problem: Shooting, theta: Floats, direct: Shot, steps: int) -> Shot | None:
    """The last acceptable fit of growing stretches, or `direct` where they do not get better; None without any."""
    best: Shot | None = None
    for length in _lengths(problem.longest):
        found = on_stretches(problem, theta if best is None else best.theta, length, steps=min(steps, EARLY_STEPS))
        if best is not None and not found.nmse <= _most(problem, best.nmse):
            break
        if np.isfinite(found.nmse) and problem.accepts(found.theta):
            best = found
    if best is not None:
        polished = on_stretches(problem, best.theta, best.length, steps=steps)
        best = polished if polished.nmse < best.nmse and problem.accepts(polished.theta) else best
    usable = np.isfinite(direct.nmse) and problem.accepts(direct.theta)
    if usable and (best is None or direct.nmse <= _most(problem, best.nmse) and direct.length > best.length):
        return direct
    return direct if usable and best is not None and direct.length == best.length and direct.nmse < best.nmse else best


def _most(problem: Shooting, nmse: float) -> float:
    """Misfit up to which longer stretches are still a fit: a model that is right may not get worse with length."""
    if nmse <= AT_NOISE * problem.least:
        return GROWN_WORSE * nmse
    return max(GROWN_WORSE * nmse, EXPLAINED)


def _lengths(longest: int) -> list[int]:
    """Samples per stretch: an 81st of the longest run, then three times as many, up to the whole."""
    first = max(SHORTEST, longest // 81)
    found: list[int] = []
    while first < longest:
        found.append(first)
        first *= 3
    return [*found, longest]


def fit_starts(problem: Shooting, theta: Floats, length: int | None = None, *, steps: int = STEPS) -> Shot:
    """Fit only the start states, with theta fixed."""
    rhs_of, p = problem.rhs_of, len(theta)

    def with_theta(_: Floats, run: int) -> Rhs:
        return rhs_of(theta, run)

    fixed = replace(problem, rhs_of=with_theta, accepts=anything, least=0.0)
    found = on_stretches(fixed, np.empty(0), length or problem.longest, steps=steps)
    return Shot(theta, np.full((p, p), np.inf), found.starts, found.errors, found.samples, found.length)


def is_lost(problem: Shooting, theta: Floats, length: int) -> bool:
    """Whether theta fails on some stretch of `length` samples from its smoothed start."""
    fit = _Fit(problem, theta, _stretches(problem, length))
    return bool(np.any(np.abs(fit.residual(fit.first)) >= LOST))


def joint_covariance(problem: Shooting, theta: Floats) -> tuple[Floats, Floats]:
    """Return the starts (runs, d) of whole runs and the covariance (p + runs * d, p + runs * d) of theta and starts.

    s^2 (J' J)^-1 with J the slopes of all samples and s^2 the mean squared residual: right for white residuals. Where
    they grow with a state, each stands for its own variance.
    """
    starts = fit_starts(problem, theta).starts
    fit = _Fit(problem, theta, _stretches(problem, problem.longest))
    u = np.concatenate((theta, starts.ravel())) / fit.size
    left = fit.residual(u)
    return starts, _covariance(fit.jacobian(u), left, uneven=fit.is_uneven(left)) * np.outer(fit.size, fit.size)


def on_stretches(problem: Shooting, theta: Floats, length: int, *, steps: int = STEPS) -> Shot:
    """Refine theta and the starts of all stretches of `length` samples together, from theta as it is."""
    fit = _Fit(problem, theta, _stretches(problem, length))
    most = max(3, min(steps, SIMULATIONS // (len(theta) + len(problem.scale) + 1)))
    found = nonlinear(fit.residual, fit.first, jac=fit.jacobian, ftol=ENDED, xtol=ENDED, gtol=1e-10, max_nfev=most)
    return fit.shot(np.asarray(found.x), np.asarray(found.fun), np.asarray(found.jac), length)


def _stretches(problem: Shooting, length: int) -> list[Stretch]:
    parts: list[Stretch] = []
    for run, ((t, x), smooth) in enumerate(zip(problem.runs, problem.smooth, strict=True)):
        count = max(1, round((len(t) - 1) / length))
        edges = np.round(np.linspace(0, len(t) - 1, count + 1)).astype(np.int64)
        for i, j in zip(edges[:-1], edges[1:], strict=True):
            own: Floats = x[i : j + 1]
            counts = 1.0 if problem.counts is None else problem.counts[run][i : j + 1]
            parts.append(Stretch(run, t[i : j + 1], own, smooth[i], np.isfinite(own), counts))
    return parts


class _Fit:
    """One least-squares problem: unknowns are theta and the starts, in units of their sizes."""

    def __init__(self, problem: Shooting, theta: Floats, parts: Sequence[Stretch]) -> None:
        self.problem = problem
        self.parts = parts
        self.p, self.d = len(theta), len(problem.scale)
        starts = np.stack([part.start for part in parts])
        self.size = np.concatenate((np.maximum(np.abs(theta), 1e-12), np.tile(problem.scale, len(parts))))
        self.first: Floats = np.concatenate((theta, starts.ravel())) / self.size
        counts = [int(part.seen.sum()) for part in parts]
        self.edges: Ints = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        self.state: Ints = np.concatenate([np.nonzero(part.seen)[1] for part in parts])
        self.seen: Floats = np.concatenate([part.x[part.seen] for part in parts])
        self._last: tuple[Floats, Floats] | None = None

    def residual(self, u: Floats) -> Floats:
        """Misfit (m,) of every sample, in standard deviations of its state."""
        found = np.concatenate(self._by_part(u))
        self._last = (u.copy(), found)
        return found

    def jacobian(self, u: Floats) -> Floats:
        """Forward differences (m, unknowns); a start moves nothing but its own stretch, so d simulations serve all."""
        at = self._last[1] if self._last is not None and np.array_equal(self._last[0], u) else self.residual(u)
        jacobian = np.zeros((len(at), len(u)))
        for k in range(self.p):
            jacobian[:, k] = self._slope(u, at, np.array([k]))
        for j in range(self.d):
            columns = np.arange(self.p + j, len(u), self.d)
            slope = self._slope(u, at, columns)
            for column, i, end in zip(columns, self.edges[:-1], self.edges[1:], strict=True):
                jacobian[i:end, column] = slope[i:end]
        return jacobian

    def _slope(self, u: Floats, at: Floats, columns: Ints) -> Floats:
        moved = u.copy()
        moved[columns] += STEP
        return (np.concatenate(self._by_part(moved)) - at) / STEP

    def _by_part(self, u: Floats) -> list[Floats]:
        values = u * self.size
        theta, starts = values[: self.p], values[self.p :].reshape(-1, self.d)
        rhs = {run: self.problem.rhs_of(theta, run) for run in {part.run for part in self.parts}}
        return [
            _misfit(rhs[part.run], part, start, self.problem) for part, start in zip(self.parts, starts, strict=True)
        ]

    def is_uneven(self, left: Floats) -> bool:
        """Whether residuals (m,) of some state are the larger the larger it is, and no weights say so."""
        return self.problem.counts is None and any(
            grows(left[self.state == j], self.seen[self.state == j]) for j in range(self.d)
        )

    def shot(self, u: Floats, left: Floats, jacobian: Floats, length: int) -> Shot:
        """Return what was found; a lost simulation makes the errors infinite."""
        values = u * self.size
        samples = np.bincount(self.state, minlength=self.d).astype(np.float64)
        errors = np.bincount(self.state, weights=left**2, minlength=self.d) / np.maximum(samples, 1.0)
        if np.any(np.abs(left) >= LOST):
            errors = np.full(self.d, np.inf)
        found, size = _covariance(jacobian, left, uneven=self.is_uneven(left)), self.size[: self.p]
        covariance = found[: self.p, : self.p] * np.outer(size, size)
        if self.problem.budget.left <= 0:  # slopes to simulations that were not made
            covariance = np.full((self.p, self.p), np.inf)
        return Shot(values[: self.p], covariance, values[self.p :].reshape(-1, self.d), errors, samples, length)


def _covariance(jacobian: Floats, residual: Floats, *, uneven: bool) -> Floats:
    """Covariance (u, u) at a least-squares optimum; inf on the diagonal where the residual does not depend on one.

    uneven: as in `numerics.lifted.by_residuals`.
    """
    spread = float(np.sum(residual**2)) / max(len(residual) - jacobian.shape[1], 1)
    size = np.linalg.norm(jacobian, axis=0)
    live = size > 0.0
    covariance = np.diag(np.full(len(size), np.inf))
    if live.any():
        inverse: Floats = np.asarray(np.linalg.pinv(jacobian[:, live] / size[live]), dtype=np.float64)
        own = inverse * residual / np.sqrt(np.mean(residual**2)) if uneven else inverse
        scaled: Floats = spread * (own @ own.T) / np.outer(size[live], size[live])
        covariance[np.ix_(live, live)] = scaled
    return covariance


def _misfit(rhs: Rhs, part: Stretch, start: Floats, problem: Shooting) -> Floats:
    lost = np.full(int(part.seen.sum()), LOST)
    if problem.budget.left <= 0:
        return lost
    path = simulate(rhs, start, part.t, problem.bound, rtol=RTOL, evaluations=MOST_EVALUATIONS, patient=False)
    problem.budget.left -= path.evaluations
    if path.failure:
        return lost
    return np.clip(((path.x - part.x) * part.counts / problem.scale)[part.seen], -LOST, LOST)
