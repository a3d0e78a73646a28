"""Coefficients fitted on trajectories with a state at every sample: multiple shooting, lifted and condensed.

The unknowns are the states at all samples of a stretch and the numbers theta of the law. Between two samples the law is
integrated (Runge and Kutta, fixed steps); that each integration ends where the next one begins is a condition, which
each Gauss-Newton step meets to first order. So a start that is wrong, or a law that throws paths apart, is never
simulated over more than one sample, and yet the result is a simulation over the whole stretch. Condensing leaves the
start of each stretch and theta: one least-squares problem of a few columns.

Source: J. Albersmeier, M. Diehl, The lifted Newton method and its application in optimization, SIAM J. Optim. 20, 2010;
H. G. Bock, Recent advances in parameter identification techniques for ODE, 1983.
"""

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from dolq_core import clock
from dolq_core.arrays import Floats
from dolq_core.numerics.bordered import SINGULAR, solved
from dolq_core.numerics.sensitivities import Look, Place, look_at, place_of, residual
from dolq_core.numerics.steps import Law, carried
from dolq_core.numerics.stretches import Stretches

MOST_STEPS = 8
"""Steps of Runge and Kutta between two samples at most."""
COARSE = 1e-2
"""Error of one step, in standard deviations of the noise, from which it is halved."""
LOOKS = 20
"""Gauss-Newton steps at most."""
PATIENCE = 3
"""Gauss-Newton steps before a fit is given up that promises too little, however wide its gaps are."""
CLOSE = 1e-2
"""Mean gap, in standard deviations of the noise, at which a step nearly keeps what it promises."""
NEAR, FAR = 2.0, 100.0
"""Times what is hopeless that no later step makes up for, where gaps are CLOSE, and where they are wide. On one times
as much, fits with fewer terms that were 17 nats behind were given up."""
SLOW_LOOKS, SLOW = 6, 1e-2
"""Gauss-Newton steps after which gaps must have closed to this share of the first ones."""
ENDED = 1e-6
"""Change of chi2, in nats, at which a search ends."""
CLOSED = 1e-3
"""Gap between two samples, in standard deviations of the noise, at which the path is one simulation."""
LOST = 1e-3
"""What rounding of the start becomes on its way, in standard deviations of the noise, from which a path is no
simulation: over so long a stretch of chaos a fit ends anywhere (Lorenz's system, 2 % noise: at 2e-5, after twenty units
of time, its law leaves 1.0 standard deviations; at 0.15, after thirty, 1.3 to 1.7; after forty, 20)."""
WORSE = 4.0
"""Times chi2 may grow while gaps close."""
OPENED, NARROWED = 0.1, 4.0
"""Mean gap, in standard deviations of the noise, that a whole first step may open, and what divides that at each later
one. From where gaps are narrow but numbers are wrong, a step of any length opens some. Of 36 fits of a steep law to 400
samples, 12 steps at most, 20 came to the best numbers without that, 29 with it; up to 1 and from 1.4 on as many do."""
LEAST_SHARE = 1.0 / 32.0
"""Of a Gauss-Newton step that is still tried."""
DAMPED, LEAST_DAMPED = 0.1, 1e-2
"""Times itself that a number may move for one standard deviation of the noise, once a Gauss-Newton step cannot be taken
or opens gaps (Levenberg and Marquardt); as much less after each such step. Two numbers that nearly say the same go far
apart in a Gauss-Newton step. Of 240 fits of `python -m lab fits` 186 came to the best numbers so, 156 without.
Damped from the start 187 do, but polynomials over a narrow range creep."""
TINY = 1e-9
"""Least size of a number that is damped."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A fit.

    Attributes:
        theta: (p,); covariance: (p, p) of it, with the starts of the stretches free.
        x: (n, d) states; residual: (n, d) samples less states in standard deviations, NaN where there is no sample.
        chi2: sum of squares of the residuals; gap: largest break of the path, in standard deviations.
        lost: what rounding of a start becomes at most along its stretch, in standard deviations.
        has_ended: whether the last step changed next to nothing; else it ran out of steps, or none was better.
    """

    theta: Floats
    covariance: Floats
    x: Floats
    residual: Floats
    chi2: float
    gap: float
    lost: float
    has_ended: bool

    @property
    def is_simulation(self) -> bool:
        """Whether the states are those of a simulation of the law from the starts of the stretches."""
        return self.gap <= CLOSED and self.lost <= LOST

    @property
    def misfit(self) -> Floats:
        """Root mean square (d,) of the residuals."""
        return np.sqrt(np.nansum(self.residual**2, axis=0) / np.maximum(np.isfinite(self.residual).sum(axis=0), 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A Gauss-Newton step of theta (p,) and x (n, d); covariance (p, p) of theta, the starts free.

    promises: chi2 after it, to first order; lost: as of a Path.
    """

    theta: Floats
    x: Floats
    covariance: Floats
    promises: float
    lost: float


def fit(
    data: Stretches,
    law: Law,
    theta: Floats,
    x: Floats,
    looks: int = LOOKS,
    hopeless: float = inf,
    ended: float = ENDED,
) -> Path | None:
    """Fit theta (p,) and the states from x (n, d); None where the law is not finite there.

    ended: change of chi2 at which it ends. hopeless: chi2 from which None is returned, unless the next step promises
    less: after PATIENCE looks; before that from NEAR or FAR times as much.
    """
    with np.errstate(all="ignore"):  # a law that throws paths apart overflows; what is not finite is no fit
        return _fitted(data, law, theta, x, (looks, hopeless, ended))


def _fitted(data: Stretches, law: Law, theta: Floats, x: Floats, limits: tuple[int, float, float]) -> Path | None:
    looks, hopeless, enough = limits
    now = look_at(data, law, place_of(data, law, theta, x))
    if now is None:
        return None
    wide = OPENED * now.place.to.size
    share, gaps, damping, has_ended = 1.0, max(now.place.gaps, wide), inf, False
    for look in range(looks):
        clock.check()
        step = _step(data, now, damping)
        if step is None or (hopeless < inf and _is_given_up(now.place, step, hopeless, gaps, look)):
            return None
        share, after = _moved(data, law, now, step, share, wide / NARROWED**look)
        stiffer = max(min(damping, 1.0) * DAMPED, LEAST_DAMPED)
        if after is None:
            if damping <= LEAST_DAMPED:
                break
            now, share, damping = _along(data, law, now), 1.0, stiffer
            continue
        before, now = now.place, after
        if after.place.gaps > max(before.gaps, CLOSED):
            damping = stiffer
        has_ended = abs(before.chi2 - after.place.chi2) <= enough and after.place.gaps <= CLOSED
        if has_ended:
            break
    return _path(data, now, has_ended=has_ended)


def _along(data: Stretches, law: Law, now: Look) -> Look:
    """Return the numbers that leave the narrowest gaps along the states as they are, if any leaves narrower ones."""
    place, p = now.place, len(now.place.theta)
    if not p:
        return now
    rows = (now.by_theta / data.sigma[:, None]).reshape(-1, p)
    theta = place.theta - np.linalg.lstsq(rows, (place.to / data.sigma).ravel(), rcond=SINGULAR)[0]
    after = place_of(data, law, theta, place.x) if np.isfinite(theta).all() else None
    return (after is not None and after.gaps < place.gaps and look_at(data, law, after)) or now


def _is_given_up(now: Place, step: _Step, hopeless: float, first: float, looks: int) -> bool:
    """Whether a step promises too little, loses the start on its way, or gaps (`first` at first) close too slowly."""
    is_stuck = now.gaps > CLOSED and looks >= SLOW_LOOKS and now.gaps > SLOW * first
    is_stuck |= looks >= PATIENCE and step.lost > LOST
    beyond = 1.0 if looks >= PATIENCE else NEAR if looks and now.gaps <= CLOSE * now.to.size else FAR
    return is_stuck or step.promises > beyond * hopeless


def _step(data: Stretches, now: Look, damping: float = inf) -> _Step | None:
    """Condense, and solve for theta and the starts together; what the samples do not tell apart is not moved.

    damping: times itself that a number may move for one standard deviation of the noise.
    """
    place = now.place
    d, p = place.x.shape[1], len(place.theta)
    moved = _condensed(data, now)
    weight = np.where(np.isfinite(data.y), data.counts / data.sigma, 0.0)
    rows = data.seen(moved) * weight[:, :, None]
    if not np.isfinite(rows).all():
        return None
    rows[:, :, -1] = np.nan_to_num(residual(data, place.x) - rows[:, :, -1])
    spans = data.spans
    tables = [rows[i:j].reshape(-1, d + p + 1) for i, j in spans]
    if damping < inf:
        stiff = np.diag(1.0 / np.maximum(damping * np.abs(place.theta), TINY))
        tables[0] = np.vstack((tables[0], np.pad(stiff, ((0, 0), (d, 1)))))
    found, covariance, left = solved(tables, d)
    theta = found[len(spans) * d :]
    x = moved[:, :, -1] + moved[:, :, d:-1] @ theta
    for k, (i, j) in enumerate(spans):
        x[i:j] += moved[i:j, :, :d] @ found[k * d : (k + 1) * d]
    return _Step(theta, x, covariance, left, _lost(data, place.x, moved)) if np.isfinite(x).all() else None


def _lost(data: Stretches, x: Floats, moved: Floats) -> float:
    """What rounding of the start of each stretch becomes on its way, in standard deviations of the noise at most."""
    d = x.shape[1]
    return max(
        float(np.max(np.abs(moved[i:j, :, :d]) @ np.abs(x[i]) / data.sigma, initial=0.0)) for i, j in data.spans
    ) * float(np.finfo(np.float64).eps)


def _condensed(data: Stretches, now: Look) -> Floats:
    """Change (n, d, d + p + 1) of the states by the start of their stretch, by theta, and to close the gaps before."""
    d, spans = now.place.x.shape[1], data.spans
    added = np.concatenate((np.zeros_like(now.by_state), now.by_theta, now.place.to[:, :, None]), axis=2)
    most = max(j - i - 1 for i, j in spans)
    length = max(1, int(np.ceil(np.sqrt(most))))
    count = max(1, -(-most // length))
    maps = np.broadcast_to(np.eye(d), (len(spans), count * length, d, d)).copy()
    sums = np.zeros((len(spans), count * length, d, added.shape[2]))
    for k, (i, j) in enumerate(spans):
        m = j - i - 1
        maps[k, :m], sums[k, :m] = now.by_state[i - k : i - k + m], added[i - k : i - k + m]
    shape = (len(spans), count, length, d)
    found = _accumulated(maps.reshape(*shape, d), sums.reshape(*shape, added.shape[2]))
    return np.concatenate([own[: j - i] for own, (i, j) in zip(found, spans, strict=True)])


def _accumulated(maps: Floats, sums: Floats) -> Floats:
    """Return x_k = map_k x_(k-1) + sum_k (s, blocks * length + 1, d, q) from x_0 = (1, 0), for s stretches at once.

    maps (s, blocks, length, d, d), sums (s, blocks, length, d, q): all blocks begin at once.
    """
    s, blocks, length, d, q = sums.shape
    start = np.eye(d, q)
    within, found = np.empty_like(sums), np.empty_like(sums)
    current: Floats = np.broadcast_to(start, (s, blocks, d, q))
    for k in range(length):
        current = maps[:, :, k] @ current + sums[:, :, k]
        within[:, :, k] = current
    begin: Floats = np.broadcast_to(start, (s, d, q))
    for block in range(blocks):
        through = within[:, block, :, :, :d].reshape(s, length * d, d) @ begin
        found[:, block] = through.reshape(s, length, d, q)
        found[:, block, :, :, d:] += within[:, block, :, :, d:]
        begin = found[:, block, -1]
    return np.concatenate((np.broadcast_to(start, (s, 1, d, q)), found.reshape(s, blocks * length, d, q)), axis=1)


def _moved(data: Stretches, law: Law, now: Look, step: _Step, share: float, narrow: float) -> tuple[float, Look | None]:
    """Take the step, or as much of it as closes the gaps or lessens chi2, and makes the other not much worse.

    narrow: gaps that a whole step may leave, however narrow they were before; a part of it may leave as much of them.
    """
    share, before = min(1.0, 4.0 * share), now.place
    while share >= LEAST_SHARE:
        place = place_of(data, law, before.theta + share * step.theta, before.x + share * step.x)
        after = look_at(data, law, place) if place is not None and _is_better(before, place, share, narrow) else None
        if after is not None:
            return share, after
        share *= 0.5
    return share, None


def _is_better(now: Place, after: Place, share: float, narrow: float) -> bool:
    """A filter (Fletcher and Leyffer): the gaps close as they should, or are closed and chi2 falls."""
    if after.gaps <= max((1.0 - 0.5 * share) * now.gaps + 0.1 * CLOSED, share * narrow):
        return after.chi2 <= WORSE * now.chi2 + len(now.x)
    return after.chi2 < now.chi2 and after.gaps <= 2.0 * now.gaps + CLOSED


def _path(data: Stretches, now: Look, *, has_ended: bool) -> Path | None:
    step, place = _step(data, now), now.place
    if step is None:
        return None
    gap = float(np.max(np.abs(place.to / data.sigma))) if len(place.to) else 0.0
    left = residual(data, place.x)
    return Path(place.theta, step.covariance, place.x, left, place.chi2, gap, step.lost, has_ended)


def by_residuals(data: Stretches, law: Law, path: Path) -> Floats | None:
    """Return the covariance (p, p) of theta where noise is not even: each residual stands for its own variance.

    None where the law cannot be looked at. Source: White, Econometrica 48, 817 (1980), with n / (n - numbers) as HC1;
    the starts of the stretches are put aside first (Frisch and Waugh).
    """
    now = look_at(data, law, place_of(data, law, path.theta, path.x))
    if now is None:
        return None
    d, p = path.x.shape[1], len(path.theta)
    weight = np.where(np.isfinite(data.y), data.counts / data.sigma, 0.0)
    rows, left = data.seen(_condensed(data, now))[:, :, :-1] * weight[:, :, None], np.nan_to_num(path.residual)
    bread, meat = np.zeros((p, p)), np.zeros((p, p))
    for i, j in data.spans:
        own = rows[i:j].reshape(-1, d + p)
        q = np.linalg.qr(own[:, :d])[0]
        free = own[:, d:] - q @ (q.T @ own[:, d:])
        bread += free.T @ free
        weighed = free * left[i:j].reshape(-1, 1)
        meat += weighed.T @ weighed
    size = np.sqrt(np.diag(bread))
    if not np.isfinite(meat).all() or not np.all(size > 0.0):
        return None
    inverse = np.linalg.pinv(bread / np.outer(size, size), hermitian=True) / np.outer(size, size)
    n = int(np.isfinite(path.residual).sum())
    return inverse @ meat @ inverse * (n / max(n - p - d * len(data.spans), 1))


def with_steps(data: Stretches, law: Law, theta: Floats, x: Floats) -> Stretches:
    """Return the data with as many steps of Runge and Kutta between two samples as their error asks for."""
    ends: Floats | None = None
    steps = 1
    while steps <= MOST_STEPS:
        with np.errstate(all="ignore"):
            now = carried(replace(data, steps=steps), law, theta, x[data.inside].T)
        if ends is not None and np.isfinite(now).all():
            apart = np.abs(now - ends) / data.sigma[:, None]
            if float(np.max(apart)) <= COARSE:
                return replace(data, steps=max(steps // 2, 1))
        ends = now if np.isfinite(now).all() else None
        steps *= 2
    return replace(data, steps=MOST_STEPS)


def is_followed(data: Stretches, law: Law, path: Path) -> bool:
    """Whether twice as many steps carry every sample of a path to the same state, to a standard deviation of the noise.

    Steps of a fixed length jump over a singularity; the path is no simulation then, though its gaps are closed.
    """
    with np.errstate(all="ignore"):
        ends = [
            carried(replace(data, steps=steps), law, path.theta, path.x[data.inside].T)
            for steps in (data.steps, 2 * data.steps)
        ]
        apart = np.abs(ends[1] - ends[0]) / data.sigma[:, None]
    return bool(np.all(apart <= 1.0))
