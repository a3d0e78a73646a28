"""What is claimed where there is nothing to find: `python -m lab nothing`.

White noise and random walks, 20 seeds each, one or two states, 100, 200 or 1,000 samples, without a description,
built-in agents in auto mode. An equation counts as claimed when its status is not "none".
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dolq_core import runs
from dolq_core.arrays import Floats, frozen
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.views.summary import result
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

SEEDS = 20
SAMPLES = (100, 200, 1000)
KINDS: dict[str, Callable[[Floats], Floats]] = {
    "white noise": lambda x: x,
    "random walk": lambda x: np.cumsum(x, axis=0),
}


def measure() -> Iterator[Row]:
    """Run all seeds of both kinds."""
    for kind, made in KINDS.items():
        yield from ({"data": kind, "seed": seed, "claimed": claims(made, seed)} for seed in range(SEEDS))


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    lines: list[tuple[object, ...]] = []
    for kind in KINDS:
        of_kind = [row["claimed"] for row in rows if row["data"] == kind]
        said = "; ".join(f"`{text}`" for claimed in of_kind for text in claimed)
        lines.append((kind, len(of_kind), sum(map(bool, of_kind)), said))
    return [report.table(("data", "seeds", "claimed", "what"), lines)]


def claims(made: Callable[[Floats], Floats], seed: int) -> list[str]:
    """Return the equations that a run claims on one set."""
    n, d = SAMPLES[seed % len(SAMPLES)], 1 + seed % 2
    x = made(np.random.default_rng(seed).normal(size=(n, d)))
    states = tuple(Variable(f"x{j}", f"x{j}") for j in range(d))
    run = Trajectory(frozen(np.linspace(0.0, 10.0, n)), frozen(x))
    store = MemoryStore()
    started = runs.start(store, Problem(Dataset("nothing", Variable("t", "t"), states, (run,))))
    equations = result(runs.auto(store, started))["equations"].values()
    return [equation["expression"] for equation in equations if equation["status"] != "none"]


BENCHMARK = Benchmark("nothing", "Where there is nothing", __doc__, measure, page)
