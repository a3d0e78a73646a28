"""A fast state that follows a slow drive, as the current of a motor follows its voltage.

Its rate is a small difference of large terms. No frequency but the true one explains any of it: the valley is a
thirtieth of a turn wide. But the drive is all but a sum of the states and that rate, over a whole turn; so its
frequency is sought where such a sum explains the drive, not where the drive explains the rate.
"""

from math import atan2, inf, isfinite

import numpy as np
from scipy.optimize import minimize_scalar

from dolq_core.agents.builtin.atoms import Atoms, Chosen
from dolq_core.agents.builtin.waves import FINER, waves
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.mechanisms import WAVE
from dolq_core.terms import Skeleton, count_params

FOLLOWED = 0.1
"""Share of a drive's squares that states and rate may leave of it where they follow it."""
PHASES = (0.0, np.pi / 2.0)


def drive_beside(bench: Workbench, atoms: Atoms, base: Chosen, skeleton: Skeleton) -> tuple[float, tuple[float, ...]]:
    """Return what `base` and the rate leave of a term in a rhythm, and its numbers there; inf of another term."""
    is_free = WAVE in skeleton and count_params(skeleton) == 2
    if not is_free and not (count_params(skeleton) == 1 and "(params[0]*t)" in skeleton):
        return inf, ()
    q = np.linalg.qr(np.vstack((atoms.a[list(base)], atoms.b)).T)[0]
    turns = np.unique(waves(float(np.ptp(bench.columns.t)))[:, 1])
    step, turns = float(turns[0]), turns[FINER - 1 :]  # slower ones are next to a parabola

    def products(some: Floats) -> tuple[Floats, Floats]:
        """Products (n, k, k) of the k phases of frequencies (n,), and of what is left of them."""
        starts = [(phase, turn) for turn in some.tolist() for phase in PHASES] if is_free else some[:, None]
        rows = bench.columns.stack(skeleton, np.array(starts))
        parts = rows.reshape(len(some), -1, rows.shape[1])
        beyond = parts - (parts @ q) @ q.T
        return parts @ parts.transpose(0, 2, 1), beyond @ beyond.transpose(0, 2, 1)

    def told(turn: float) -> tuple[float, tuple[float, ...]]:
        with np.errstate(all="ignore"):
            whole, left = products(np.array([turn]))
            share = float(_least_shares(whole, left)[0])
        if not isfinite(share):
            return inf, ()
        phases = np.linalg.eigh(left[0] - share * whole[0]).eigenvectors[:, 0].tolist()
        return share, (atan2(phases[1], phases[0]), turn) if is_free else (turn,)

    with np.errstate(all="ignore"):
        shares = _least_shares(*products(turns))
    if not np.isfinite(shares).any() or np.nanmin(shares) > FOLLOWED:
        return inf, ()
    near = float(turns[int(np.nanargmin(shares))])
    ends = (near - step / 2.0, near + step / 2.0)
    found = minimize_scalar(lambda turn: told(turn)[0], bounds=ends, method="bounded", options={"xatol": 1e-9 * near})
    return told(float(found.x))


def _least_shares(whole: Floats, left: Floats) -> Floats:
    """The least share (n,) that is left of a sum of both phases, or of the one there is; NaN where there is none.

    The smaller eigenvalue of `left` where `whole` is the measure.
    """
    if whole.shape[1] == 1:
        return left[:, 0, 0] / whole[:, 0, 0]
    (ss, sc), (_, cc) = whole.transpose(1, 2, 0)
    (own, both), (_, other) = left.transpose(1, 2, 0)
    area = ss * cc - sc**2
    half = (cc * own + ss * other - 2.0 * sc * both) / area / 2.0
    return half - np.sqrt(np.maximum(half**2 - (own * other - both**2) / area, 0.0))
