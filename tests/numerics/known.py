"""Trajectories of systems with known coefficients."""

import numpy as np
from scipy.integrate import solve_ivp


def logistic(n=200, noise=0.0, seed=0, t=None):
    """x' = x - x**2 from 0.1: (t (n,), x (n, 1), dx (n, 1))."""
    times = np.linspace(0.0, 8.0, n) if t is None else t
    x = 1.0 / (1.0 + 9.0 * np.exp(-times))
    noisy = x + noise * np.std(x) * np.random.default_rng(seed).normal(size=len(times))
    return times, noisy[:, None], (x - x**2)[:, None]


def lotka(n=200, noise=0.0, seed=0):
    """x' = 0.5 x - 0.025 x y, y' = -0.9 y + 0.027 x y: (t (n,), x (n, 2), dx (n, 2))."""

    def rhs(_, x):
        return np.array([0.5 * x[0] - 0.025 * x[0] * x[1], -0.9 * x[1] + 0.027 * x[0] * x[1]])

    t = np.linspace(0.0, 20.0, n)
    x = solve_ivp(rhs, (0.0, 20.0), [30.0, 4.0], t_eval=t, method="DOP853", rtol=1e-11, atol=1e-11).y.T
    noisy = x + noise * x.std(axis=0) * np.random.default_rng(seed).normal(size=x.shape)
    return t, noisy, np.array([rhs(0.0, state) for state in x])
