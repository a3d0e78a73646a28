"""Whether the next experiment settles what ties: `python -m lab identify`.

Systems 4 and 5 of the paper with 1 % noise, 1,000 samples, built-in agents, default settings. First with the run of
the paper alone: are the terms right, and how many other structures fit as well? Then the start that
`runs.next_experiment` names in the box around the data (as wide again on every side) is simulated with the true law
and the same noise, the discovery is made again with that run added, and so on until nothing ties, at most 4 runs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import PAPER_SYSTEMS, System, generate
from dolq_core.numerics.integrate import simulate
from dolq_core.records import Problem, Trajectory
from dolq_core.store.memory import MemoryStore
from dolq_core.views.rivals import identifiability, next_experiment
from dolq_core.views.summary import result
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.truth import true_skeletons

NOISE = 0.01
SYSTEMS = (4, 5)
MOST = 4


def measure() -> Iterator[Row]:
    """Ask for the next start, system by system."""
    for system in PAPER_SYSTEMS:
        if system.id in SYSTEMS:
            yield from asked_again(system)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    head = ("system", "runs", "terms right", "others that tie, by equation", "next start", "apart, standard errors")
    lines = [
        (
            row["system"],
            row["runs"],
            "yes" if row["right"] else "no",
            ", ".join(map(str, row["tied"])),
            ", ".join(f"{value:.3g}" for value in row["next_start"]) or "none",
            f"{row['apart']:.3g}" if row["apart"] else "",
        )
        for row in rows
    ]
    return [report.table(head, lines)]


def asked_again(system: System) -> Iterator[Row]:
    """Discover, ask for the next start, add that run, and again until nothing ties or MOST runs are there."""
    problem = generate(system.id, noise=NOISE, relative=True)
    (run,) = problem.dataset.trajectories
    reach = np.ptp(run.x, axis=0)
    low, high = np.min(run.x, axis=0) - reach, np.max(run.x, axis=0) + reach
    low = np.maximum(low, 0.0) if np.min(run.x) > 0.0 else low  # concentrations stay positive
    for count in range(1, MOST + 1):
        done = discovered(problem)
        asked = next_experiment(done, low.tolist(), high.tolist()) if count < MOST else None
        yield {
            "system": system.id,
            "runs": count,
            "right": right(system, done),
            "tied": [tie.count for tie in identifiability(done)],
            "next_start": list(asked.start) if asked else [],
            "apart": asked.apart if asked else None,
            "found": [equation["expression"] for equation in result(done)["equations"].values()],
        }
        if asked is None:
            break
        problem = with_run(system, problem, np.array(asked.start))


def discovered(problem: Problem) -> runs.Run:
    """Run the loop until it stops by itself."""
    store = MemoryStore()
    return runs.auto(store, runs.start(store, problem))


def right(system: System, run: runs.Run) -> bool:
    """Return whether every equation has exactly the true terms."""
    found = [{str(term.skeleton) for term in visited.fit.terms} for visited in run.state.best if visited]
    return found == [set(true_skeletons(system, j)) for j in range(len(system.terms))]


def with_run(system: System, problem: Problem, start: np.ndarray) -> Problem:
    """Add a run of the true law from `start` with the same noise."""
    before = problem.dataset.trajectories
    t = before[0].t
    x = simulate(system.field, start, t, 1e6 * np.ones(len(start)), rtol=1e-10).x
    rng = np.random.default_rng(len(before))
    noisy = x + NOISE * x.std(axis=0) * rng.normal(size=x.shape)
    added = Trajectory(t, frozen(noisy), None, f"run {len(before) + 1}")
    named = (replace(before[0], label="run 1"), *before[1:], added)
    return replace(problem, dataset=replace(problem.dataset, trajectories=named))


BENCHMARK = Benchmark("identify", "Identifiability and the next experiment", __doc__, measure, page)
