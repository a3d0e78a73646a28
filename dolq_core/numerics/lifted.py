"""Coefficients fitted on trajectories with a state at every sample: multiple shooting, lifted and condensed.

The unknowns are the states at all samples of a stretch and the numbers theta of the law. Between two samples the law is
integrated (Runge and Kutta, fixed steps); that each integration ends where the next one begins is a condition, which
each Gauss-Newton step meets to first order. So a start that is wrong, or a law that throws paths apart, is never
simulated over more than one sample, and yet the result is a simulation over the whole stretch. Condensing leaves the
start of each stretch and theta: one least-squares problem of a few columns.

All is vectorised over the samples and smooth in its arguments: no adaptive step decides anything.

Source: J. Albersmeier, M. Diehl, The lifted Newton method and its application in optimization, SIAM J. Optim. 20, 2010;
H. G. Bock, Recent advances in parameter identification techniques for ODE, 1983.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dolq_core.arrays import Floats, Ints

Field = Callable[[Floats, Floats, Floats], Floats]
"""(values (v, B), t (B,), theta (p, B)) -> rates (d, B); the values are states, then inputs."""

STEP = 1e-6
"""Relative step of the differences by states and numbers: integration here is smooth to rounding."""
MOST_STEPS = 8
"""Steps of Runge and Kutta between two samples at most."""
COARSE = 1e-2
"""Error of one step, in standard deviations of the noise, from which it is halved."""
LOOKS = 20
"""Gauss-Newton steps at most."""
ENDED = 1e-6
"""Change of chi2, in nats, at which a search ends."""
CLOSED = 1e-3
"""Gap between two samples, in standard deviations of the noise, at which the path is one simulation."""
WORSE = 4.0
"""Times chi2 may grow while gaps close."""
SINGULAR, LOOSE = 1e-10, 1e-6
"""Singular value over the largest below which a direction is not told, and the share of a number in such a direction
from which its error is unknown."""
LEAST_SHARE = 1.0 / 32.0
"""Of a Gauss-Newton step that is still tried."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """All samples, run after run, cut into stretches with a free start each.

    Attributes:
        t: (n,) times; y: (n, d) samples, NaN where none; inputs: (n, u), linear between samples.
        sigma: (d,) standard deviation of the noise.
        ends: (s + 1,) where the stretches begin, and n.
        counts: (n, d) square roots of the weights of the samples, or 1.
        steps: of Runge and Kutta between two samples.
    """

    t: Floats
    y: Floats
    inputs: Floats
    sigma: Floats
    ends: Ints
    counts: Floats | float = 1.0
    steps: int = 1

    @property
    def inside(self) -> Ints:
        """The samples that are followed by another one of their stretch."""
        return np.setdiff1d(np.arange(len(self.t)), self.ends[1:] - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A fit.

    Attributes:
        theta: (p,); covariance: (p, p) of it, with the starts of the stretches free.
        x: (n, d) states; residual: (n, d) samples less states in standard deviations, NaN where there is no sample.
        chi2: sum of squares of the residuals; gap: largest break of the path, in standard deviations.
    """

    theta: Floats
    covariance: Floats
    x: Floats
    residual: Floats
    chi2: float
    gap: float

    @property
    def is_simulation(self) -> bool:
        """Whether the states are those of a simulation of the law."""
        return self.gap <= CLOSED


def fit(data: Stretches, field: Field, theta: Floats, x: Floats, looks: int = LOOKS) -> Path | None:
    """Fit theta (p,) and the states from x (n, d); None where the law is not finite there."""
    with np.errstate(all="ignore"):  # a law that throws paths apart overflows; what is not finite is no fit
        return _fitted(data, field, theta, x, looks)


def _fitted(data: Stretches, field: Field, theta: Floats, x: Floats, looks: int) -> Path | None:
    now = _look(data, field, theta, x)
    if now is None:
        return None
    share = 1.0
    for _ in range(looks):
        step = _step(data, now)
        if step is None:
            return None
        share, after = _moved(data, field, now, step, share)
        if after is None:
            break
        ended = abs(now.chi2 - after.chi2) <= ENDED and after.gaps <= CLOSED
        now = after
        if ended:
            break
    return _path(data, now)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A point, what is left there, and the slopes of the integration over each sample.

    to: (m, d) where each integration ends less where the next begins; a: (m, d, d), b: (m, d, p) its slopes.
    """

    theta: Floats
    x: Floats
    to: Floats
    a: Floats
    b: Floats
    chi2: float
    gaps: float


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A Gauss-Newton step of theta (p,) and x (n, d); covariance (p, p) of theta, the starts free."""

    theta: Floats
    x: Floats
    covariance: Floats


def _look(data: Stretches, field: Field, theta: Floats, x: Floats) -> _Look | None:
    found = _integrated(data, field, theta, x)
    if found is None:
        return None
    end, a, b = found
    to = end - x[data.inside + 1]
    left = _residual(data, x)
    return _Look(theta, x, to, a, b, float(np.nansum(left * left)), float(np.sum(np.abs(to / data.sigma))))


def _residual(data: Stretches, x: Floats) -> Floats:
    return (data.y - x) / data.sigma * data.counts


def _integrated(data: Stretches, field: Field, theta: Floats, x: Floats) -> tuple[Floats, Floats, Floats] | None:
    """Return where each sample is carried (m, d), and the slopes of that by state (m, d, d) and theta (m, d, p)."""
    inside, p, d = data.inside, len(theta), x.shape[1]
    size = np.maximum(np.abs(x).max(axis=0), 1e-12)
    moves = STEP * size
    turns = STEP * np.maximum(np.abs(theta), 1e-6)
    m, many = len(inside), 1 + d + p
    states = np.broadcast_to(x[inside].T[:, None, :], (d, many, m)).copy()
    numbers = np.broadcast_to(theta[:, None, None], (p, many, m)).copy()
    for j in range(d):
        states[j, 1 + j] += moves[j]
    for k in range(p):
        numbers[k, 1 + d + k] += turns[k]
    ends = _carried(data, field, numbers.reshape(p, -1), states.reshape(d, -1), many).reshape(d, many, m)
    if not np.isfinite(ends).all():
        return None
    slopes = ends[:, 1:] - ends[:, :1]
    a = slopes[:, :d] / moves[None, :, None]
    b = slopes[:, d:] / turns[None, :, None]
    return ends[:, 0].T.copy(), np.ascontiguousarray(a.transpose(2, 0, 1)), np.ascontiguousarray(b.transpose(2, 0, 1))


def _carried(data: Stretches, field: Field, theta: Floats, x: Floats, many: int) -> Floats:
    """Integrate states x (d, many m) from each sample to the next."""
    inside = data.inside
    t, u = data.t, data.inputs
    first, last = t[inside], t[inside + 1]
    h = np.tile((last - first) / data.steps, many)
    with np.errstate(all="ignore"):
        for i in range(data.steps):
            at = [_at(first, last, u, inside, (i + part) / data.steps, many) for part in (0.0, 0.5, 1.0)]
            k1 = field(_beside(x, at[0][1]), at[0][0], theta)
            k2 = field(_beside(x + 0.5 * h * k1, at[1][1]), at[1][0], theta)
            k3 = field(_beside(x + 0.5 * h * k2, at[1][1]), at[1][0], theta)
            k4 = field(_beside(x + h * k3, at[2][1]), at[2][0], theta)
            x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
    return x


def _at(first: Floats, last: Floats, u: Floats, inside: Ints, share: float, many: int) -> tuple[Floats, Floats]:
    """Times (many m,) and inputs (u, many m) part of the way from each sample to the next."""
    inputs = (1.0 - share) * u[inside] + share * u[inside + 1]
    return np.tile(first + share * (last - first), many), np.tile(inputs.T, many)


def _beside(x: Floats, inputs: Floats) -> Floats:
    return np.vstack((x, inputs)) if len(inputs) else x


def _step(data: Stretches, now: _Look) -> _Step | None:
    """Condense, and solve for theta and the starts together; what the samples do not tell apart is not moved."""
    n, d = now.x.shape
    p = len(now.theta)
    moved = _condensed(data, now)
    weight = np.where(np.isfinite(data.y), data.counts / data.sigma, 0.0)
    rows = moved * weight[:, :, None]
    if not np.isfinite(rows).all():
        return None
    spans = list(zip(data.ends[:-1].tolist(), data.ends[1:].tolist(), strict=True))
    design = np.zeros((n * d, p + d * len(spans)))
    design[:, :p] = rows[:, :, d:-1].reshape(n * d, p)
    for k, (i, j) in enumerate(spans):
        design[i * d : j * d, p + k * d : p + (k + 1) * d] = rows[i:j, :, :d].reshape(-1, d)
    found, covariance = _solved(design, np.nan_to_num(_residual(data, now.x) - rows[:, :, -1]).ravel())
    x = moved[:, :, -1] + moved[:, :, d:-1] @ found[:p]
    for k, (i, j) in enumerate(spans):
        x[i:j] += moved[i:j, :, :d] @ found[p + k * d : p + (k + 1) * d]
    return _Step(found[:p], x, covariance[:p, :p]) if np.isfinite(x).all() else None


def _solved(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return least squares (k,) and (A' A)^-1 (k, k); infinite where the rows do not depend on a number."""
    size = np.linalg.norm(a, axis=0)
    scale = np.where(size > 0.0, size, 1.0)
    u, stretch, across = np.linalg.svd(a / scale, full_matrices=False)
    told = stretch > SINGULAR * stretch[0]
    inverse = np.divide(told, stretch, out=np.zeros_like(stretch), where=stretch > 0.0)
    root = across.T * inverse
    covariance = root @ root.T
    loose = (across[~told] ** 2).sum(axis=0) > LOOSE
    covariance[loose, loose] = np.inf
    return root @ (u.T @ b) / scale, covariance / np.outer(scale, scale)


def _condensed(data: Stretches, now: _Look) -> Floats:
    """Change (n, d, d + p + 1) of the states by the start of their stretch, by theta, and to close the gaps before."""
    n, d = now.x.shape
    p = now.b.shape[2]
    moved = np.zeros((n, d, d + p + 1))
    added = np.concatenate((np.zeros((len(now.a), d, d)), now.b, now.to[:, :, None]), axis=2)
    at = 0
    one = np.eye(d)
    for i, j in zip(data.ends[:-1], data.ends[1:], strict=True):
        moved[i, :, :d] = one
        current = moved[i]
        for k in range(i + 1, j):
            current = now.a[at] @ current + added[at]
            moved[k] = current
            at += 1
    return moved


def _moved(data: Stretches, field: Field, now: _Look, step: _Step, share: float) -> tuple[float, _Look | None]:
    """Take the step, or as much of it as closes the gaps or lessens chi2, and makes the other not much worse."""
    share = min(1.0, 4.0 * share)
    while share >= LEAST_SHARE:
        after = _look(data, field, now.theta + share * step.theta, now.x + share * step.x)
        if after is not None and _is_better(now, after, share):
            return share, after
        share *= 0.5
    return share, None


def _is_better(now: _Look, after: _Look, share: float) -> bool:
    """A filter (Fletcher and Leyffer): the gaps close as they should, or are closed and chi2 falls."""
    if after.gaps <= (1.0 - 0.5 * share) * now.gaps + 0.1 * CLOSED:
        return after.chi2 <= WORSE * now.chi2 + len(now.x)
    return after.chi2 < now.chi2 and after.gaps <= 2.0 * now.gaps + CLOSED


def _path(data: Stretches, now: _Look) -> Path | None:
    step = _step(data, now)
    if step is None:
        return None
    left = _residual(data, now.x)
    gap = float(np.max(np.abs(now.to / data.sigma))) if len(now.to) else 0.0
    return Path(now.theta, step.covariance, now.x, left, now.chi2, gap)


def with_steps(data: Stretches, field: Field, theta: Floats, x: Floats) -> Stretches:
    """Return the data with as many steps of Runge and Kutta between two samples as their error asks for."""
    ends: Floats | None = None
    p = len(theta)
    numbers = np.broadcast_to(theta[:, None], (p, len(data.inside)))
    steps = 1
    while steps <= MOST_STEPS:
        tried = replace(data, steps=steps)
        now = _carried(tried, field, numbers, x[data.inside].T, 1)
        if ends is not None and np.isfinite(now).all():
            apart = np.abs(now - ends) / data.sigma[:, None]
            if float(np.max(apart)) <= COARSE:
                return replace(data, steps=max(steps // 2, 1))
        ends = now if np.isfinite(now).all() else None
        steps *= 2
    return replace(data, steps=MOST_STEPS)


def one_stretch_a_run(lengths: Sequence[int]) -> Ints:
    """Return the ends of stretches that are whole runs."""
    return np.concatenate(([0], np.cumsum(np.array(lengths)))).astype(np.int64)
