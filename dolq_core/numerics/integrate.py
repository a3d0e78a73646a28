"""Simulation under a guard: it always ends, and says in words why it ended early."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from dolq_core.arrays import Floats

Rhs = Callable[[float, Sequence[float]], Sequence[float]]

EVALUATIONS = 20_000
"""Right-hand sides per method; a smooth system needs a few hundred."""
METHODS = ("DOP853", "LSODA")
"""Explicit first; the implicit one where steps become tiny (stiffness)."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """States x (n, d) at times t (n,); NaN after a failure, which `failure` names."""

    t: Floats
    x: Floats
    failure: str = ""


class _Stop(Exception):  # a signal out of the solver's callback, never seen outside
    def __init__(self, reason: str, *, final: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


def simulate(
    rhs: Rhs, start: Floats, t: Floats, bound: float, *, rtol: float = 1e-8, evaluations: int = EVALUATIONS
) -> Path:
    """Integrate from `start` (d,) at t[0] through the times t (n,).

    Args:
        rhs: (t, x) -> dx/dt; may return inf or nan.
        start: the state at t[0].
        t: increasing times.
        bound: largest size of any state before it counts as blown up.
        rtol: relative tolerance; the absolute one is rtol * 1e-3 * bound.
        evaluations: budget of right-hand sides per method.
    """
    if not np.isfinite(start).all():
        return Path(t, np.full((len(t), len(start)), np.nan), "The start is not known: a state was not measured there.")
    failure = ""
    for method in METHODS:
        guard = _Guard(rhs, bound, evaluations)
        try:
            solution = solve_ivp(
                guard, (float(t[0]), float(t[-1])), start, method=method, t_eval=t, rtol=rtol, atol=rtol * 1e-6 * bound
            )
        except _Stop as stop:
            failure = stop.reason
            if stop.final:
                break
            continue
        if solution.success and np.isfinite(solution.y).all():
            return Path(t, np.ascontiguousarray(solution.y.T))
        failure = f"The solver stopped: {str(solution.message).rstrip('.')}."
    return Path(t, np.full((len(t), len(start)), np.nan), failure)


class _Guard:
    """The right-hand side, counted and watched."""

    def __init__(self, rhs: Rhs, bound: float, evaluations: int) -> None:
        self.rhs = rhs
        self.bound = bound
        self.left = evaluations

    def __call__(self, t: float, x: Floats) -> Sequence[float]:
        self.left -= 1
        if self.left < 0:
            raise _Stop(f"The simulation was given up near t = {t:.6g}: too many steps (stiff or wild).", final=False)
        state: list[float] = x.tolist()
        for value in state:
            if not -self.bound < value < self.bound:
                raise _Stop(f"The simulation blew up near t = {t:.6g}.", final=True)
        slope = self.rhs(t, state)
        for value in slope:
            if not -1e300 < value < 1e300:
                raise _Stop(f"The right-hand side is not finite near t = {t:.6g}.", final=True)
        return slope
