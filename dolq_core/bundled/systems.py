"""The eight benchmark systems of the paper (appendix "Dataset details"): laws as facts, trajectories computed here."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, exp, sin
from typing import Final, Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.bundled.descriptions import describe
from dolq_core.errors import DataError
from dolq_core.records import Problem, Trajectory

Field: TypeAlias = Callable[[float, Sequence[float]], list[float]]
Regime: TypeAlias = Literal["id", "ext"]


@dataclass(frozen=True, slots=True)
class System:
    """One benchmark.

    Attributes:
        terms: the true right-hand side, terms[equation], in the language of terms with all numbers.
        field: the same as a function of (t, x), written by hand and tested against `terms`.
        initial: the initial state for training, then the shifted one.
        end: of the time span for fitting, which begins at 0; the longer one for testing is twice that.
    """

    id: int
    name: str
    terms: tuple[tuple[str, ...], ...]
    field: Field
    initial: tuple[tuple[float, ...], ...]
    end: float

    @property
    def key(self) -> str:
        """The id of the set that is bundled with the program."""
        return f"system-{self.id}"


def _sir(t: float, x: Sequence[float]) -> list[float]:
    return [-0.4 * x[0] * x[1], 0.4 * x[0] * x[1] - 0.314 * x[1]]


def _glider(t: float, x: Sequence[float]) -> list[float]:
    return [-(x[0] ** 2) / 5.0 - sin(x[1]), x[0] - cos(x[1]) / x[0]]


def _cdima(t: float, x: Sequence[float]) -> list[float]:
    rate = x[0] * x[1] / (x[0] ** 2 + 1.0)
    return [8.9 - 4.0 * rate - x[0], 1.4 * (x[0] - rate)]


def _gray_scott(t: float, x: Sequence[float]) -> list[float]:
    rate = x[0] * x[1] ** 2
    return [0.5 * (1.0 - x[0]) - rate, -0.02 * x[1] + rate]


def _magnets(t: float, x: Sequence[float]) -> list[float]:
    coupling = 0.33 * sin(x[0] - x[1])
    return [coupling - sin(x[0]), -coupling - sin(x[1])]


def _rivalry(t: float, x: Sequence[float]) -> list[float]:
    return [-x[0] + 1.0 / (exp(4.89 * x[1] - 1.4) + 1.0), -x[1] + 1.0 / (exp(4.89 * x[0] - 1.4) + 1.0)]


def _oscillator_death(t: float, x: Sequence[float]) -> list[float]:
    coupling = sin(x[1]) * cos(x[0])
    return [1.432 + coupling, 0.972 + coupling]


def _glider_si(t: float, x: Sequence[float]) -> list[float]:
    v, angle = x[0], x[1]
    return [
        -9.81 * sin(angle) - 0.030625 * v**2,
        -9.81 * cos(angle) / v + 0.6125 * v,
        v * cos(angle),
        v * sin(angle),
    ]


PAPER_SYSTEMS: Final = (
    System(
        1, "SIR infection, healthy and sick only",
        (("-0.4*x0*x1",), ("0.4*x0*x1", "-0.314*x1")),
        _sir, ((7.2, 0.98), (20.0, 12.4)), 2.0,
    ),
    System(
        2, "Glider (dimensionless)",
        (("-0.2*x0**2", "-sin(x1)"), ("x0", "-cos(x1)/x0")),
        _glider, ((5.0, 0.7), (9.81, -0.8)), 5.0,
    ),
    System(
        3, "Reduced chlorine dioxide-iodine-malonic acid reaction (CDIMA, dimensionless)",
        (("8.9", "-4.0*x0*x1/(x0**2 + 1.0)", "-x0"), ("1.4*x0", "-1.4*x0*x1/(x0**2 + 1.0)")),
        _cdima, ((0.2, 3.0), (0.35, 7.8)), 5.0,
    ),
    System(
        4, "Isothermal autocatalytic reaction, Gray and Scott (dimensionless)",
        (("0.5", "-0.5*x0", "-x0*x1**2"), ("-0.02*x1", "x0*x1**2")),
        _gray_scott, ((1.4, 0.2), (0.32, 0.64)), 2.0,
    ),
    System(
        5, "Interacting bar magnets",
        (("0.33*sin(x0 - x1)", "-sin(x0)"), ("-0.33*sin(x0 - x1)", "-sin(x1)")),
        _magnets, ((0.54, -0.1), (0.43, 1.21)), 2.0,
    ),
    System(
        6, "Binocular rivalry (no oscillations)",
        (("-x0", "1.0/(exp(4.89*x1 - 1.4) + 1.0)"), ("-x1", "1.0/(exp(4.89*x0 - 1.4) + 1.0)")),
        _rivalry, ((0.65, 0.59), (3.2, 10.3)), 2.0,
    ),
    System(
        7, "Oscillator death, Ermentrout and Kopell",
        (("1.432", "sin(x1)*cos(x0)"), ("0.972", "sin(x1)*cos(x0)")),
        _oscillator_death, ((2.2, 0.67), (0.03, -0.12)), 4.0,
    ),
    System(
        8, "Glider (physical units)",
        (("-9.81*sin(x1)", "-0.030625*x0**2"), ("-9.81*cos(x1)/x0", "0.6125*x0"), ("x0*cos(x1)",), ("x0*sin(x1)",)),
        _glider_si, ((10.0, -0.1, 0.0, 100.0), (5.0, 0.0, 0.0, 50.0)), 5.0,
    ),
)  # fmt: skip


def system(system_id: int) -> System:
    """Return the system with that number; raise DataError when there is none."""
    found = next((one for one in PAPER_SYSTEMS if one.id == system_id), None)
    if found is None:
        raise DataError(f"The benchmark system {system_id!r}", "there is none of that number", "They go from 1 to 8.")
    return found


def generate(
    system_id: int,
    initial: int = 0,
    regime: Regime = "id",
    points: int = 1000,
    noise: float = 0.0,
    relative: bool = False,
    seed: int = 0,
) -> Problem:
    """Return a benchmark as a problem with one trajectory of evenly spaced samples.

    Args:
        system_id: the system's number in the paper, 1 to 8.
        initial: 0 for the initial state of the paper's training, 1 for the shifted one.
        regime: "id" for the time span of training; "ext" for the longer one, which starts at the same
            state and goes on from the state at the end of "id" (paper, appendix, dataset partitioning).
        points: the number of samples.
        noise: standard deviation of white Gaussian noise on every sample.
        relative: whether `noise` is in units of each state's standard deviation along the trajectory.
        seed: of the noise.
    """
    truth = system(system_id)
    _check(truth, initial, regime, points, noise)
    t, x = _trajectory(system_id, initial, regime, points)
    if noise:
        scale = noise * (x.std(axis=0) if relative else np.ones(x.shape[1]))
        x = frozen(x + np.random.default_rng(seed).normal(size=x.shape) * scale)
    words = describe(truth.key)
    return Problem(words.dataset((Trajectory(t, x),)), words.description)


def _check(truth: System, initial: int, regime: str, points: int, noise: float) -> None:
    thing = f"The benchmark system {truth.id}"
    if initial not in range(len(truth.initial)):
        raise DataError(thing, f"it has no initial state {initial}", "Choose 0 for training or 1 for the shifted one.")
    if regime not in ("id", "ext"):
        raise DataError(thing, f"'{regime}' is no regime", "Choose 'id' or 'ext'.")
    if points < 2:
        raise DataError(thing, f"{points} points make no trajectory", "Choose at least 2.")
    if not (noise >= 0.0 and math.isfinite(noise)):
        raise DataError(thing, f"noise of {noise} makes no sense", "Choose a standard deviation of 0 or more.")


@lru_cache(maxsize=64)
def _trajectory(system_id: int, initial: int, regime: Regime, points: int) -> tuple[Floats, Floats]:
    """Return (points,) times and (points, d) states, to about twelve digits."""
    truth = system(system_id)
    middle, end = truth.end, truth.end if regime == "id" else 2.0 * truth.end
    t = np.linspace(0.0, end, points)
    inside = t <= middle
    head, state = _integrate(truth.field, np.array(truth.initial[initial]), 0.0, middle, t[inside])
    if regime == "id":
        return frozen(t), frozen(head)
    tail, _ = _integrate(truth.field, state, middle, end, t[~inside])
    return frozen(t), frozen(np.concatenate([head, tail]))


def _integrate(field: Field, state: Floats, start: float, end: float, t: Floats) -> tuple[Floats, Floats]:
    """Return (len(t), d) states at `t` and the state at `end`."""
    from scipy.integrate import solve_ivp  # noqa: PLC0415  a third of a second to import, not needed for measured data

    def rhs(t: float, x: Floats) -> list[float]:
        return field(t, x.tolist())  # plain floats: twice as fast in `math`

    step = (end - start) / 200  # between its own steps the solver interpolates, with errors of 1e-11 when they are long
    wanted = np.unique(np.append(t, end))
    solution = solve_ivp(
        rhs, (start, end), state, method="DOP853", t_eval=wanted, rtol=1e-13, atol=1e-13, max_step=step
    )
    states = np.ascontiguousarray(solution.y.T)
    return states[: len(t)], states[-1]
