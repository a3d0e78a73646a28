"""Whether the next experiment settles what ties: `python -m benchmarks.identify`.

Systems 4 and 5 of the paper with 1 % noise, 1,000 samples, built-in agents, default settings. First with the run of
the paper alone: are the terms right, and how many other structures fit as well? Then the start that
`runs.next_experiment` names in the box around the data (as wide again on every side) is simulated with the true law
and the same noise, the discovery is made again with that run added, and so on until nothing ties, at most 4 runs.
"""

import argparse
from dataclasses import replace

import numpy as np

from benchmarks import report
from benchmarks.truth import true_skeletons
from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.data import System, generate, paper_systems
from dolq_core.numerics.integrate import simulate
from dolq_core.records import Problem, Trajectory
from dolq_core.store.memory import MemoryStore

NOISE = 0.01
SYSTEMS = (4, 5)
MOST = 4


def main() -> None:
    """Run both systems and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.parse_args()
    rows: list[tuple[object, ...]] = []
    for system in paper_systems():
        if system.id in SYSTEMS:
            rows += asked_again(system)
    head = ("system", "runs", "terms right", "others that tie, by equation", "next start", "apart, standard errors")
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("identify", "Identifiability and the next experiment", how, report.table(head, rows))


def asked_again(system: System) -> list[tuple[object, ...]]:
    """Discover, ask for the next start, add that run, and again until nothing ties or MOST runs are there."""
    problem = generate(system.id, noise=NOISE, relative=True)
    (run,) = problem.dataset.trajectories
    reach = np.ptp(run.x, axis=0)
    low, high = np.min(run.x, axis=0) - reach, np.max(run.x, axis=0) + reach
    low = np.maximum(low, 0.0) if np.min(run.x) > 0.0 else low  # concentrations stay positive
    rows: list[tuple[object, ...]] = []
    for count in range(1, MOST + 1):
        done = discovered(problem)
        tied = [tie.count for tie in runs.identifiability(done)]
        asked = runs.next_experiment(done, low.tolist(), high.tolist()) if count < MOST else None
        start = ", ".join(f"{value:.3g}" for value in asked.start) if asked else "none"
        exact = right(system, done)
        rows.append((system.id, count, exact, ", ".join(map(str, tied)), start, f"{asked.apart:.3g}" if asked else ""))
        print(rows[-1], *(e["expression"] for e in runs.result(done)["equations"].values()), sep="\n    ", flush=True)
        if asked is None:
            break
        problem = with_run(system, problem, np.array(asked.start))
    return rows


def discovered(problem: Problem) -> runs.Run:
    """Run the loop until it stops by itself."""
    store = MemoryStore()
    return runs.auto(store, runs.start(store, problem))


def right(system: System, run: runs.Run) -> str:
    """Say whether every equation has exactly the true terms."""
    found = [{str(term.skeleton) for term in visited.fit.terms} for visited in run.state.best if visited]
    return "yes" if found == [set(true_skeletons(system, j)) for j in range(len(system.terms))] else "no"


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


if __name__ == "__main__":
    main()
