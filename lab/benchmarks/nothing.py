"""What is claimed where there is nothing to find: `python -m lab nothing`.

Noise of every colour, `--seeds` of each, one or two states, 100, 200 or 400 samples, without a description, built-in
agents in auto mode. The random walk is brown noise, the smoothed one a walk through a Gaussian of a fiftieth of the
run, the rounded one a walk in steps of a third of its standard deviation, AR(1) keeps 0.9 of the value before. An
equation counts as claimed when its status is not "none".
"""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.signal import lfilter

from dolq_core import runs
from dolq_core.arrays import Floats, frozen
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.views.summary import result
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row

SEEDS = 20
SAMPLES = (100, 200, 400)


def _walk(x: Floats) -> Floats:
    return np.asarray(np.cumsum(x, axis=0), dtype=np.float64)


def _pink(x: Floats) -> Floats:
    """Power that falls with the frequency."""
    frequency = np.fft.rfftfreq(len(x))
    frequency[0] = frequency[1]
    return np.fft.irfft(np.fft.rfft(x, axis=0) / np.sqrt(frequency)[:, None], len(x), axis=0)


def _rounded(x: Floats) -> Floats:
    step = np.std(x) / 3.0
    return np.asarray(np.round(x / step) * step, dtype=np.float64)


KINDS: dict[str, Callable[[Floats], Floats]] = {
    "white noise": lambda x: x,
    "pink noise": _pink,
    "random walk": _walk,
    "integrated walk": lambda x: _walk(_walk(x)),
    "AR(1)": lambda x: lfilter([1.0], [1.0, -0.9], x, axis=0),
    "smoothed walk": lambda x: gaussian_filter1d(_walk(x), len(x) / 50, axis=0),
    "rounded walk": lambda x: _rounded(_walk(x)),
}


def measure(seeds: int) -> Iterator[Row]:
    """Run so many seeds of each kind."""
    yield from pooled(outcome, *zip(*product(range(seeds), KINDS), strict=True))


def outcome(seed: int, kind: str) -> Row:
    """Run one series, and say what is claimed."""
    began = time.process_time()
    claimed = claims(KINDS[kind], seed)
    return {"data": kind, "seed": seed, "claimed": claimed, "cpu_s": round(time.process_time() - began, 1)}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    lines: list[tuple[object, ...]] = []
    for kind in KINDS:
        of_kind = [row["claimed"] for row in rows if row["data"] == kind]
        said = "; ".join(f"`{text}`" for claimed in of_kind for text in claimed)
        lines.append((kind, len(of_kind), sum(map(bool, of_kind)), said))
    lines.append(("all", len(rows), sum(bool(row["claimed"]) for row in rows), ""))
    return [report.table(("data", "series", "claimed", "what"), lines)]


def claims(made: Callable[[Floats], Floats], seed: int) -> list[str]:
    """Return the equations that a run claims on one set."""
    n, d = SAMPLES[seed % len(SAMPLES)], 1 + seed % 2
    return claimed(made(np.random.default_rng(seed).normal(size=(n, d))), [f"x{j}" for j in range(d)])


def claimed(x: Floats, names: Sequence[str], description: str = "") -> list[str]:
    """Return the equations that a run claims on samples (n, d) of states with these names."""
    states = tuple(Variable(name, f"x{j}") for j, name in enumerate(names))
    run = Trajectory(frozen(np.linspace(0.0, 10.0, len(x))), frozen(x))
    store = MemoryStore()
    problem = Problem(Dataset("nothing", Variable("t", "t"), states, (run,)), description)
    equations = result(runs.auto(store, runs.start(store, problem)))["equations"].values()
    return [equation["expression"] for equation in equations if equation["status"] != "none"]


BENCHMARK = Benchmark("nothing", "Where there is nothing", __doc__, measure, page, {"seeds": SEEDS})
