"""What the built-in agents find on clean data of the paper's eight systems: `python -m benchmarks.builtin`.

Each system is run as a person would in auto mode: 1,000 points of the first initial state, the bundled
description, default settings. The terms count as right when the set of skeletons is exactly the true one in
every equation. NMSE: the discovered system simulated from the data's start against the true trajectory, over
the variance, the worst state; on the fitted interval, on the extended one, and from the second initial state.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks import report
from benchmarks.truth import as_law, true_skeletons
from dolq_core import runs
from dolq_core.data import System, generate, paper_systems
from dolq_core.fitting import Workbench
from dolq_core.numerics.metrics import nmse
from dolq_core.records import EquationFit, Problem
from dolq_core.store.memory import MemoryStore


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: what was found, how far it carries, and what it cost."""

    system: int
    right: tuple[bool, ...]
    iterations: int
    cpu_s: float
    nmse: float
    extended: float
    shifted: float
    found: tuple[str, ...]


def main() -> None:
    """Run the systems that are asked for and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", type=int, default=[system.id for system in paper_systems()])
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--noise", type=float, default=0.0, help="in units of each state's standard deviation")
    parser.add_argument("--silent", action="store_true", help="without the description")
    asked = parser.parse_args()
    outcomes = [
        discover(system, asked.points, asked.noise, silent=asked.silent)
        for system in paper_systems()
        if system.id in asked.systems
    ]
    write(outcomes, asked.points, asked.noise, silent=asked.silent)


def discover(system: System, points: int, noise: float, *, silent: bool) -> Outcome:
    """Run one system in auto mode and score what it found."""
    problem = generate(system.id, points=points, noise=noise, relative=True)
    if silent:
        problem = replace(problem, description="")
    store = MemoryStore()
    run = runs.start(store, problem)
    before = time.process_time()
    done = runs.auto(store, run)
    cpu_s = time.process_time() - before
    best = [visited.refined or visited.fit for visited in done.state.best if visited is not None]
    found = tuple(equation["expression"] for equation in runs.result(done)["equations"].values())
    print(f"system {system.id}: {cpu_s:.1f} s CPU, {done.state.iteration} iterations", *found, sep="\n    ", flush=True)
    return Outcome(
        system.id,
        tuple({as_law(t, len(best)) for t in fit.terms} == true_skeletons(system, fit.equation) for fit in best),
        done.state.iteration,
        cpu_s,
        _worst(best, generate(system.id, points=points)),
        _worst(best, generate(system.id, regime="ext")),
        _worst(best, generate(system.id, initial=1)),
        found,
    )


def _worst(best: Sequence[EquationFit], truth: Problem) -> float:
    bench = Workbench.of(truth.dataset, "gradient")
    run = truth.dataset.trajectories[0]
    x = bench.simulate(best, 0, t=run.t).x
    return max(nmse(x[:, j], run.x[:, j]) for j in range(x.shape[1])) if x.shape[1] == len(best) else np.inf


def write(outcomes: Sequence[Outcome], points: int, noise: float, *, silent: bool) -> None:
    """Write the table; its name says what was varied."""
    rows = [
        (
            o.system,
            "yes" if all(o.right) else "no",
            o.iterations,
            f"{o.cpu_s:.1f}",
            *map(_power, (o.nmse, o.extended, o.shifted)),
        )
        for o in outcomes
    ]
    head = ["system", "terms right", "iterations", "CPU s", "NMSE", "NMSE extended", "NMSE second start"]
    right = sum(all(o.right) for o in outcomes)
    kept = sum(o.extended < 1e-3 for o in outcomes)
    name = "builtin" + (f"-{points}-points" if points != 1000 else "") + (f"-noise-{noise:g}" if noise else "")
    summary = f"Terms right: {right} of {len(outcomes)}. Extended-interval NMSE below 1e-3: {kept} of {len(outcomes)}."
    found = "\n".join(f"- system {o.system}: " + "; ".join(f"`{text}`" for text in o.found) for o in outcomes)
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write(
        name + ("-silent" if silent else ""),
        "The built-in agents on the paper's systems",
        how,
        summary,
        report.table(head, rows),
        found,
    )


def _power(value: float) -> str:
    return f"{value:.0e}" if np.isfinite(value) else "failed"


if __name__ == "__main__":
    main()
