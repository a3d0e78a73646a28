"""Rhythms in time whose phase is free: of each frequency both phases count together.

Beside what follows a drive a sine of the right frequency and the wrong phase explains less than one of another
frequency, and so does one of the right phase between two frequencies that are far apart: the fit then stays in the
wrong valley.
"""

from math import atan2, pi

import numpy as np

from dolq_core.agents.builtin.atoms import Atoms, Chosen
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.starts import TURNS
from dolq_core.mechanisms import WAVE
from dolq_core.terms import Skeleton, count_params

FINER = 8
"""Frequencies for each turn of the run: the true one is at most a sixteenth of a turn away."""
SAME = 1e-12
"""Share of the area of both phases outside the other columns from which they tell nothing beyond rounding: a state that
follows a drive imitates it to a thousandth."""


def wave_beside(bench: Workbench, atoms: Atoms, base: Chosen, skeleton: Skeleton) -> tuple[float, ...]:
    """Return the phase and frequency at which such a term explains most beside `base`; empty of another term."""
    if WAVE not in skeleton or count_params(skeleton) > 2:
        return ()
    starts = waves(float(np.ptp(bench.columns.t)))
    q = np.linalg.qr(atoms.a[list(base)].T)[0]
    return best_wave(bench.columns.stack(skeleton, starts), starts, q, atoms.b)


def waves(span: float) -> Floats:
    """Return (phase, frequency) (2 n, 2) to try: both phases of n frequencies, up to the highest of other starts."""
    turns = 2.0 * pi / span * np.arange(1.0, FINER * max(TURNS) + 0.5) / FINER
    return np.column_stack((np.repeat((0.0, pi / 2.0), len(turns)), np.tile(turns, 2)))


def best_wave(columns: Floats, starts: Floats, q: Floats, b: Floats) -> tuple[float, ...]:
    """Return the phase and frequency of the wave that explains most of b (M,) beside others; empty where none does.

    columns: (2 n, M) of `starts` as `waves` has them; q: (M, k) orthonormal, what is there besides.
    """
    half = len(starts) // 2
    with np.errstate(all="ignore"):
        size = np.sum(columns**2, axis=1)
        beyond = columns - (columns @ q) @ q.T
        s, c = beyond[:half], beyond[half:]
        ss, cc, sc, sb, cb = np.sum(s * s, 1), np.sum(c * c, 1), np.sum(s * c, 1), s @ b, c @ b
        own = ss * cc - sc**2
        along, across = (cc * sb - sc * cb) / own, (ss * cb - sc * sb) / own
        gain = np.where(own > SAME * size[:half] * size[half:], along * sb + across * cb, 0.0)
    k = int(np.nanargmax([0.0, *gain])) - 1
    return (atan2(across[k], along[k]), float(starts[k, 1])) if k >= 0 else ()
