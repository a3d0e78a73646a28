"""Small systems for the estimator: arrays as a notebook has them, and one model fitted to them."""

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from dolq_core import DoLQ

T = np.linspace(0.0, 20.0, 400)
NAMES = ["hare", "lynx"]
WORDS = "Hares grow, and the lynx that eat them die out without them."


def hunt(t, x):
    return [x[0] - 0.5 * x[0] * x[1], 0.3 * x[0] * x[1] - 0.8 * x[1]]


def path(start=(2.0, 1.0), rates=hunt, t=T):
    return solve_ivp(rates, (t[0], t[-1]), start, t_eval=t, rtol=1e-10, atol=1e-12).y.T


@cache
def hares():
    """A fitted model; who changes it takes a copy."""
    return DoLQ().fit(path(), T, feature_names=NAMES, description=WORDS, units=["thousand", "thousand"])
