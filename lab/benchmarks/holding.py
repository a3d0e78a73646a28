"""Where known inputs switch between two samples: `python -m lab holding`.

Twelve systems with one input that is switched at random, 400 samples. The input is held until the next sample, held
since the sample before, switched halfway or anywhere within a step, or a straight line. Told is where it switches to a
tenth of a step, in the mean over its switches; not told is what is taken for halfway, and all else is told wrong. Then
whole runs without a description: right is a law that is the true one in its own or in other words, its input between
samples as read off (auto) or switched halfway. The last four systems were looked at once, when the reading of single
switches was done; the reading along whole runs was built on a circuit and a thermostat that are not among the twelve.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np

from dolq_core import loop, runs
from dolq_core.arrays import Floats, frozen
from dolq_core.fitting import names_of
from dolq_core.fitting.placing import driven_as
from dolq_core.laws import Law, law_of_fits
from dolq_core.numerics.holding import INSTANT, PLACES, Hold, knots
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.pieces import Driven
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import safe_names
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import fits_of
from lab.campaign.same import is_equation

SAMPLES, POINTS = 400, 400
Kind: TypeAlias = Hold | Literal["within"]
KINDS: tuple[Kind, ...] = ("previous", "next", "nearest", "within", "linear")
RUN: tuple[Kind, ...] = ("previous", "within")
NEAR = 0.1
"""Of a step, in the mean: as near as a place counts as told."""
NOISE = (0.0, 0.005, 0.02, 0.05)
IN_RUNS = (0.01,)
SHORTEST = 15
"""Samples between two switches at least; at most three times as many."""


@dataclass(frozen=True, slots=True)
class System:
    """States by name with their start, the levels of the input, the step of the samples, and the rates."""

    states: dict[str, float]
    levels: tuple[float, float]
    step: float
    rates: Callable[..., list[Floats]]


SYSTEMS = {
    "heater": System({"temp": 20.0}, (0.0, 60.0), 0.5, lambda x, u: [-0.12 * (x - 20.0) + 0.03 * u]),
    "radiator": System(
        {"temp": 293.0}, (0.0, 60.0), 0.5, lambda x, u: [-1e-9 * (x**4 - 293.0**4) - 0.02 * (x - 293.0) + 0.05 * u]
    ),
    "vent": System({"temp": 30.0}, (0.0, 5.0), 0.3, lambda x, u: [0.02 * u * (10.0 - x) + 0.05 * (60.0 - x)]),
    "chemostat": System(
        {"cells": 1.0, "sugar": 1.0}, (0.1, 0.5), 0.2,
        lambda x, s, u: [0.8 * x * s / (0.5 + s) - u * x, u * (4.0 - s) - 1.2 * x * s / (0.5 + s)],
    ),
    "cart": System({"x": 0.0, "v": 0.0}, (0.0, 2.0), 0.1, lambda x, v, u: [v, -2.0 * x - 0.3 * v + 0.5 * u]),
    "tank": System({"level": 1.0}, (0.5, 2.0), 0.2, lambda x, u: [0.3 * u - 0.4 * np.sqrt(x)]),
    "harvest": System(
        {"prey": 2.0, "hunters": 0.5}, (0.0, 0.3), 0.2,
        lambda x, y, u: [
            x * (1.0 - x / 3.0) - x * y / (1.0 + x) - u * x, 0.8 * x * y / (1.0 + x) - 0.4 * y
        ],
    ),
    "pendulum": System(
        {"angle": 1.5, "speed": 0.0}, (-0.5, 0.5), 0.1, lambda x, v, u: [v, -2.0 * np.sin(x) - 0.2 * v + u]
    ),
    "circuit": System({"charge": 0.0}, (-1.0, 2.0), 0.05, lambda q, u: [1.4 * u - 0.9 * q]),
    "lake": System(
        {"phosphorus": 0.4}, (0.05, 0.4), 0.3, lambda p, u: [u - 0.9 * p + 1.1 * p**2 / (1.0 + p**2)]
    ),
    "infusion": System(
        {"blood": 0.0, "tissue": 0.0}, (0.0, 3.0), 0.25,
        lambda b, c, u: [u - 0.9 * b + 0.2 * c, 0.4 * b - 0.2 * c],
    ),
    "forced": System(
        {"x": 1.0, "y": 0.0}, (-0.6, 0.6), 0.1, lambda x, y, u: [y, 1.5 * (1.0 - x**2) * y - x + u]
    ),
}  # fmt: skip


def measure(seeds: int, discoveries: int) -> Iterator[Row]:
    """Read off where inputs switch, then run where `discoveries` says so."""
    yield from pooled(told, *zip(*product(SYSTEMS, KINDS, NOISE, range(seeds)), strict=True))
    if discoveries:
        yield from pooled(found, *zip(*product(SYSTEMS, RUN, IN_RUNS, ("auto", "nearest")), strict=True))


def told(name: str, kind: Kind, noise: float, seed: int) -> Row:
    """Read off where the input of one table switches."""
    dataset, places = _table(name, kind, noise, seed)
    found = driven_as(dataset)
    (hold,), (before,), (after,) = found.holds, dataset.trajectories, found.trajectories
    assert before.inputs is not None
    assert after.inputs is not None
    u, mean = before.inputs[:, 0], after.inputs[:, 0]
    at = np.flatnonzero(np.diff(u))
    shares = (
        (mean[at] - u[at + 1]) / (u[at] - u[at + 1]) if hold == "placed" else np.full(len(at), PLACES.get(hold, 0.5))
    )
    off = float(np.mean(np.abs(shares - places)))
    return {"system": name, "kind": kind, "noise": noise, "seed": seed, "told": hold, "off": round(off, 4)}


def found(name: str, kind: Kind, noise: float, between: str) -> Row:
    """Run on one table."""
    system, (dataset, _) = SYSTEMS[name], _table(name, kind, noise, 0)
    store, settings = MemoryStore(), Settings(inputs="auto" if between == "auto" else "nearest")
    state = runs.auto(store, runs.start(store, Problem(dataset), settings, seed=0)).state
    (run,), own = dataset.trajectories, names_of(dataset)
    assert run.inputs is not None
    return {
        "system": name,
        "kind": kind,
        "noise": noise,
        "between": between,
        "right": _is_right(system, own.symbols, np.hstack((run.x, run.inputs)), law_of_fits(fits_of(state))),
        "settled": {loop.status(state, j)[0] for j in range(len(state.best))} == {"settled"},
    }


def _table(name: str, kind: Kind, noise: float, seed: int) -> tuple[Dataset, Floats]:
    """Return one table, and after which share of its step its input switches, for each switch."""
    system, rng = SYSTEMS[name], np.random.default_rng([list(SYSTEMS).index(name), seed])
    lengths = rng.integers(SHORTEST, 3 * SHORTEST, SAMPLES // SHORTEST)
    u = np.repeat(np.resize(system.levels, len(lengths)), lengths)[:SAMPLES, None].astype(np.float64)
    t: Floats = system.step * np.arange(SAMPLES, dtype=np.float64)
    at = np.flatnonzero(np.diff(u[:, 0]))
    places = np.full(len(at), 0.5 if kind == "within" else PLACES.get(kind, 0.5))
    if kind != "within":
        between = knots(t, u, (kind,))
    else:
        places = np.random.default_rng([seed, len(at)]).uniform(0.0, 1.0, len(at))
        switch = t[at] + places * system.step
        times = np.concatenate((t[:1], np.column_stack((switch, switch + INSTANT * system.step)).ravel(), t[-1:]))
        between = times, np.concatenate((u[:1], np.column_stack((u[at], u[at + 1])).reshape(-1, 1), u[-1:]))
    driven = Driven(lambda _, values: [float(rate) for rate in system.rates(*values)], *between)
    path = simulate(driven, np.array(list(system.states.values())), t, np.full(len(system.states), 1e6), rtol=1e-10)
    assert not path.failure
    x: Floats = path.x + noise * np.std(path.x, axis=0) * rng.standard_normal(path.x.shape)
    own = safe_names([*system.states, "u"])
    columns = [Variable(name, symbol) for name, symbol in zip(own.own, own.symbols, strict=True)]
    run = Trajectory(frozen(t), frozen(x), frozen(u))
    return Dataset(name, Variable("t", "t"), tuple(columns[:-1]), (run,), (columns[-1],)), places


def _is_right(system: System, symbols: tuple[str, ...], values: Floats, law: Law) -> bool:
    """Whether each equation is the true one in its own or in other words, over the box that the samples fill."""
    rng = np.random.default_rng(0)
    at = rng.uniform(np.min(values, axis=0), np.max(values, axis=0), (POINTS, values.shape[1]))
    wanted = system.rates(*at.T)
    t = rng.uniform(0.0, SAMPLES * system.step, POINTS)
    return len(law) == len(wanted) and all(
        is_equation(parts, symbols, t, at, rate) for parts, rate in zip(law, wanted, strict=True)
    )


def page(rows: Sequence[Row]) -> list[str]:
    """Return what was read off, and what the runs came to."""
    read, ran = [row for row in rows if "told" in row], [row for row in rows if "between" in row]
    lines: list[Sequence[object]] = []
    for kind, noise in product(KINDS, NOISE):
        here = [row for row in read if (row["kind"], row["noise"]) == (kind, noise)]
        near = [row for row in here if row["off"] <= NEAR]
        far = [row for row in here if row["off"] > NEAR and row["told"] in ("nearest", "linear")]
        off = float(np.mean([row["off"] for row in here])) if here else 0.0
        counts = (len(here), len(near), len(far), len(here) - len(near) - len(far))
        lines.append((WORDS[kind], f"{noise:.1%}", *counts, f"{off:.2f}"))
    ends: list[Sequence[object]] = []
    for kind, noise, between in product(RUN, IN_RUNS, ("nearest", "auto")):
        here = [row for row in ran if (row["kind"], row["noise"], row["between"]) == (kind, noise, between)]
        right, settled = (sum(row[what] for row in here) for what in ("right", "settled"))
        wrong = sum(row["settled"] and not row["right"] for row in here)
        taken = "as read off" if between == "auto" else "switched halfway"
        ends.append((WORDS[kind], f"{noise:.0%}", taken, len(here), right, settled, wrong))
    return [
        report.table(("input", "noise", "tables", "told", "not told", "told wrong", "off, of a step"), lines),
        "## Runs",
        report.table(("input", "noise", "taken for", "runs", "right", "settled", "settled and wrong"), ends)
        if ran
        else "Not run.",
    ]


WORDS: dict[Kind, str] = {
    "previous": "held until the next sample",
    "next": "held since the sample before",
    "nearest": "switched halfway",
    "within": "switched anywhere within a step",
    "linear": "a straight line",
}
BENCHMARK = Benchmark("holding", "Where known inputs switch", __doc__, measure, page, {"seeds": 3, "discoveries": 1})
