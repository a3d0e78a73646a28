"""Simulation under a guard: it always ends, and says in words why it ended early."""

import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import floor, log10, trunc
from typing import Any, cast

import numpy as np
from scipy.integrate import odeint, solve_ivp

from dolq_core import clock
from dolq_core.arrays import Floats
from dolq_core.numerics.pieces import Driven, by_pieces
from dolq_core.numerics.sliding import Side, Stuck, Switching, by_sides

Rhs = Callable[[float, Sequence[float]], Sequence[float]]

BLOWN_UP = 1e3
"""Times the largest value in the data: a simulated state beyond it counts as blown up."""
METHODS = ("LSODA", "Radau", "BDF", "RK45", "DOP853")
"""Solvers of SciPy that can be asked for."""

EVALUATIONS = 20_000
"""Right-hand sides per method; a smooth system needs a few hundred."""

EACH_SAMPLE, MOST_SAMPLES = 12, 50_000
"""Right-hand sides for every sample where that is more, up to so many samples: chaos is as long as its run. Lorenz's
system takes 3.3 for each of 5,000 over 50 units of time, and 7.3 with `1.5*y*sin(x + z)` in it, at a tolerance of 1e-8.
"""

FEW_KNOTS = 8
"""Samples to a knot from which LSODA begins anew at each one: it takes some 50 right-hand sides where a step of
`pieces` takes six (a switch, 8,000 samples, 28 knots: a thirteenth of them)."""
EACH_KNOT = 8
"""Right-hand sides more for every sample of the inputs: a step ends at each."""

BLEW_UP = "The simulation blew up"
NO_VALUE = "The right-hand side is not finite"
"""Where a path comes to the edge of where its law has values, as a tank that has run empty does under a root."""

_odeint = cast(Callable[..., tuple[Floats, dict[str, Any]]], odeint)  # the stubs know scalar tolerances only
_lsoda = threading.Lock()  # ODEPACK keeps its state in globals up to SciPy 1.16


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """States x (n, d) at times t (n,); NaN after a failure, which `failure` names. evaluations: right-hand sides."""

    t: Floats
    x: Floats
    failure: str = ""
    evaluations: int = 0


class _Stop(Exception):
    """A signal out of the solver's callback, never seen outside."""

    def __init__(self, reason: str, *, final: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


def simulate(
    rhs: Rhs,
    start: Floats,
    t: Floats,
    bound: Floats,
    *,
    rtol: float = 1e-8,
    evaluations: int = EVALUATIONS,
    patient: bool = True,
    method: str = "",
) -> Path:
    """Integrate from `start` (d,) at t[0] through increasing times t (n,): LSODA, and if `patient` then Radau.

    A system with inputs (`pieces.Driven`) is first followed from one sample of them to the next, a law that jumps
    (`sliding.Switching`) on one side at a time. rhs may return inf or
    nan. bound: (d,) sizes at which a state counts as blown up; the absolute tolerance is 1e-6 * rtol of it.
    evaluations: right-hand sides per method at most, or EACH_SAMPLE for each time. method: one of METHODS, the only one
    that is tried.
    """
    if not np.isfinite(start).all():
        return Path(t, np.full((len(t), len(start)), np.nan), "The start is not known: a state was not measured there.")
    clock.check()
    failure = ""
    used = 0
    methods: tuple[Callable[..., Floats], ...]
    methods = (_by_pieces,) if isinstance(rhs, Driven) else (_by_sides,) if isinstance(rhs, Switching) else ()
    evaluations = max(evaluations, EACH_SAMPLE * min(len(t), MOST_SAMPLES))
    if isinstance(rhs, Driven):
        evaluations += EACH_KNOT * len(rhs.knots)
    methods = (*methods, _by_lsoda, _by_radau) if patient else (*methods, _by_lsoda)
    for integrated in (partial(_by_scipy, method=method),) if method else methods:
        guard = _Guard(rhs, bound, evaluations)
        try:
            x = integrated(guard, start, t, rtol, 1e-6 * rtol * bound)
            return Path(t, x, evaluations=used + evaluations - guard.left)
        except _Stop as stop:
            failure = stop.reason
            used += evaluations - guard.left
            if stop.final:
                break
    return Path(t, np.full((len(t), len(start)), np.nan), failure, used)


def _by_pieces(guard: "_Guard", start: Floats, t: Floats, rtol: float, atol: Floats) -> Floats:
    knots = [knot for knot in guard.rhs.knots if t[0] < knot < t[-1]] if isinstance(guard.rhs, Driven) else []
    try:
        if FEW_KNOTS * len(knots) < len(t):
            return _between(guard, start, t, knots, rtol, atol)
        return by_pieces(guard, start, t, knots, rtol, atol)
    except _Stop as stop:  # a step that was tried and too long may leave the bounds where the system does not
        raise _Stop(stop.reason, final=False) from None


def _between(guard: "_Guard", start: Floats, t: Floats, knots: Sequence[float], rtol: float, atol: Floats) -> Floats:
    """LSODA from knot to knot, each time anew."""
    found = [start[None]]
    ends = (float(t[0]), *knots, float(t[-1]))
    for first, last in pairwise(ends):
        own = t[(t > first) & (t <= last)]
        x = _by_lsoda(guard, start, np.unique((first, *own, last)), rtol, atol)
        found.append(x[1 : len(own) + 1])
        start = x[-1]
    return np.concatenate(found)


def _by_sides(guard: "_Guard", start: Floats, t: Floats, rtol: float, atol: Floats) -> Floats:
    law = guard.rhs
    assert isinstance(law, Switching)
    guard.rhs = side = Side(law, float(t[-1] - t[0]))
    try:
        return by_sides(side, guard, start, t, rtol, atol)
    except Stuck:
        raise _Stop("The jumps of the law come ever closer.", final=False) from None


def _by_lsoda(guard: "_Guard", start: Floats, t: Floats, rtol: float, atol: Floats) -> Floats:
    with _lsoda, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a failed step is told by `_finished`
        x, info = _odeint(guard, start, t, tfirst=True, rtol=rtol, atol=atol, mxstep=guard.left, full_output=True)
    return _finished(x, str(info["message"]))


def _by_radau(guard: "_Guard", start: Floats, t: Floats, rtol: float, atol: Floats) -> Floats:
    return _by_scipy(guard, start, t, rtol, atol, "Radau")


def _by_scipy(guard: "_Guard", start: Floats, t: Floats, rtol: float, atol: Floats, method: str) -> Floats:
    span = float(t[0]), float(t[-1])
    with np.errstate(all="ignore"):  # Radau divides by an error of zero where a jump of the law holds a state
        found = solve_ivp(guard, span, start, method=cast(Any, method), t_eval=t, rtol=rtol, atol=atol)
    return _finished(np.ascontiguousarray(found.y.T), "" if found.success else str(found.message))


def _finished(x: Floats, message: str) -> Floats:
    if "spacing between numbers" in message:
        raise _Stop("The solver's steps became too small, as where sign(..) holds a state at rest.", final=False)
    if message not in ("", "Integration successful.") or not np.isfinite(x).all():
        raise _Stop(f"The solver stopped: {message or 'a state became infinite'}".rstrip(".") + ".", final=False)
    return x


def near(t: float) -> str:
    """Return a time for a sentence, cut off: to three digits, or before the point."""
    unit = 10.0 ** min(floor(log10(abs(t))) - 2, 0) if t else 1.0
    return f"{trunc(t / unit) * unit:.6g}"


class _Guard:
    """The right-hand side, counted and watched."""

    def __init__(self, rhs: Rhs, bound: Floats, evaluations: int) -> None:
        self.rhs = rhs
        self.bound: list[float] = bound.tolist()
        self.left = evaluations

    def __call__(self, t: float, x: Floats) -> Sequence[float]:
        self.left -= 1
        if self.left < 0:
            raise _Stop(f"The simulation was given up near t = {near(t)}: too many steps (stiff or wild).", final=False)
        state: list[float] = x.tolist()
        for value, bound in zip(state, self.bound, strict=True):
            if not -bound < value < bound:
                raise _Stop(f"{BLEW_UP} near t = {near(t)}.", final=True)
        slope = self.rhs(t, state)
        for value in slope:
            if not -1e300 < value < 1e300:
                raise _Stop(f"{NO_VALUE} near t = {near(t)}.", final=False)  # LSODA looks beyond the end
        return slope
