"""What the built-in agents find on systems with known laws: `python -m benchmarks.builtin [--suite textbook]`.

Each system is run as a person would in auto mode: data of the first initial state, the description, default
settings. The terms count as right when the set of skeletons is exactly the true one in every equation. NMSE: the
discovered system simulated against the true trajectory, over the variance, the worst state; on the fitted interval,
on the extended one, and on the fitted interval from the second initial state.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import report, suite
from benchmarks.suite import Case, Sampled
from dolq_core import runs
from dolq_core.campaign.exact import is_exact
from dolq_core.fitting import Workbench
from dolq_core.numerics.metrics import nmse
from dolq_core.records import Dataset, EquationFit, Trajectory, Variable
from dolq_core.store.memory import MemoryStore


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run: what was found, how far it carries, and what it cost."""

    system: str
    right: tuple[bool, ...]
    claimed: tuple[str, ...]
    iterations: int
    cpu_s: float
    nmse: float
    extended: float
    shifted: float
    found: tuple[str, ...]
    best: tuple[EquationFit, ...]
    conflict: str


def main() -> None:
    """Run the systems that are asked for and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="paper", help="a suite of `python -m dolq_core bench list`, or a file")
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--noise", type=float, default=0.0, help="in units of each state's standard deviation")
    parser.add_argument("--runs", type=int, default=1, help="how many of each system's starts are measured")
    parser.add_argument("--silent", action="store_true", help="without the descriptions")
    asked = parser.parse_args()
    systems = suite.paper() if asked.suite == "paper" else suite.cases(asked.suite)
    how = Sampled(asked.points, asked.runs, asked.noise, silent=asked.silent)
    write([discover(case, how) for case in systems], asked)


def discover(case: Case, how: Sampled) -> Outcome:
    """Run one system in auto mode and score what it found."""
    store = MemoryStore()
    run = runs.start(store, suite.problem(case, how))
    before = time.process_time()
    done = runs.auto(store, run)
    cpu_s = time.process_time() - before
    best = [visited.refined or visited.fit for visited in done.state.best if visited is not None]
    document = runs.result(done)
    equations = document["equations"].values()
    found = tuple(equation["expression"] for equation in equations)
    print(f"{case.id}: {cpu_s:.1f} s CPU, {done.state.iteration} iterations", *found, sep="\n    ", flush=True)
    return Outcome(
        system=case.id,
        right=tuple(
            is_exact(fit, [t.skeleton for t in true], case.names) for fit, true in zip(best, case.terms, strict=True)
        ),
        claimed=tuple(equation["status"] for equation in equations),
        iterations=done.state.iteration,
        cpu_s=cpu_s,
        nmse=_worst(case, best, 0, case.t),
        extended=_worst(case, best, 0, case.t_ext),
        shifted=_worst(case, best, 1, case.t),
        found=found,
        best=tuple(best),
        conflict=document["conflict"],
    )


def _worst(case: Case, best: Sequence[EquationFit], start: int, span: tuple[float, float]) -> float:
    t, x = suite.trajectory(case, start, span, 1000)
    states = tuple(Variable(own, symbol) for own, symbol in zip(case.names.own, case.names.symbols, strict=True))
    bench = Workbench.of(Dataset("", Variable("t", "t"), states, (Trajectory(t, x),)), "gradient")
    model = bench.simulate(best, 0, t=t, start=x[0]).x
    return max(nmse(model[:, j], x[:, j]) for j in range(x.shape[1]))


def write(outcomes: Sequence[Outcome], asked: argparse.Namespace) -> None:
    """Write the table; its name says what was varied."""
    rows = [
        (
            o.system,
            f"{sum(o.right)} of {len(o.right)}",
            o.iterations,
            f"{o.cpu_s:.1f}",
            *map(_power, (o.nmse, o.extended, o.shifted)),
        )
        for o in outcomes
    ]
    head = ["system", "equations right", "iterations", "CPU s", "NMSE", "NMSE extended", "NMSE second start"]
    name = "builtin" + (f"-{asked.suite}" if asked.suite != "paper" else "")
    name += f"-{asked.runs}-runs" if asked.runs != 1 else ""
    name += (f"-{asked.points}-points" if asked.points != 1000 else "") + (
        f"-noise-{asked.noise:g}" if asked.noise else ""
    )
    n = len(outcomes)
    summary = (
        f"All terms right: {sum(all(o.right) for o in outcomes)} of {n} systems. NMSE below 1e-3: on the extended "
        f"interval {sum(o.extended < 1e-3 for o in outcomes)} of {n}, from the second start "
        f"{sum(o.shifted < 1e-3 for o in outcomes)} of {n}."
    )
    found = "\n".join(f"- {o.system}: " + "; ".join(f"`{text}`" for text in o.found) for o in outcomes)
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    title = f"The built-in agents on the suite '{asked.suite}'"
    report.write(name + ("-silent" if asked.silent else ""), title, how, summary, report.table(head, rows), found)


def _power(value: float) -> str:
    return f"{value:.0e}" if np.isfinite(value) else "failed"


if __name__ == "__main__":
    main()
