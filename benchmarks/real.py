"""What the built-in agents make of the measured sets that come with the program: `python -m benchmarks.real`.

Each set is run in auto mode with its description and without, default settings. NMSE: the whole system simulated
against the samples, over the variance of each state; an equation that is not claimed takes part with the best terms
there were. No set has 50 samples in a run, so nothing is held out. The literature's law is quoted from the set's own
page, with its source; whether the terms agree with it is for the reader.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks import report
from dolq_core import runs
from dolq_core.store.memory import MemoryStore


@dataclass(frozen=True, slots=True)
class Told:
    """One equation of one run: what was claimed, why or why not, and the best terms there were."""

    name: str
    status: str
    reason: str
    claimed: str
    best: str
    nmse: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run of a set."""

    iterations: int
    cpu_s: float
    equations: tuple[Told, ...]
    insight: str
    target: str


def main() -> None:
    """Run every measured set with its words and without, and write the page."""
    rows: list[tuple[object, ...]] = []
    parts: list[str] = []
    for one in (s for s in runs.bundled() if s.kind == "real"):
        both = {"with words": discover(one.id, silent=False), "without": discover(one.id, silent=True)}
        rows += [row for how, outcome in both.items() for row in _rows(one.id, how, outcome)]
        parts.append(_about(one, both))
    head = ["set", "description", "state", "status", "law", "NMSE", "iterations", "CPU s"]
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("real", "Measured data", how, report.table(head, rows), *parts)


def discover(set_id: str, *, silent: bool) -> Outcome:
    """Run one set in auto mode."""
    problem = runs.load_bundled(set_id)
    store = MemoryStore()
    run = runs.start(store, replace(problem, description="") if silent else problem)
    before = time.process_time()
    done = runs.auto(store, run)
    cpu_s = time.process_time() - before
    last = done.state.last
    nmse = last.trajectory.nmse if last is not None and last.trajectory is not None else ()
    best = [_law(done, j) for j in range(len(done.state.best))]
    told = [
        Told(name, said["status"], said["reason"], said["expression"], law, error)
        for (name, said), law, error in zip(runs.result(done)["equations"].items(), best, nmse, strict=True)
    ]
    print(set_id, "silent" if silent else "", f"{cpu_s:.1f} s", *told, sep="\n    ", flush=True)
    target = last.target.reason if last is not None else ""
    return Outcome(done.state.iteration, cpu_s, tuple(told), done.state.insight, target)


def _law(done: runs.Run, equation: int) -> str:
    visited = done.state.best[equation]
    fit = None if visited is None else visited.refined or visited.fit
    return "" if fit is None else " ".join(f"{t.coefficient:+.4g} {t.skeleton}" for t in fit.terms)


def _rows(set_id: str, how: str, outcome: Outcome) -> Sequence[tuple[object, ...]]:
    return [
        (
            set_id,
            how,
            told.name,
            told.status,
            f"`{told.best}`" if told.status != "none" else "",
            f"{told.nmse:.2g}",
            outcome.iterations,
            f"{outcome.cpu_s:.1f}",
        )
        for told in outcome.equations
    ]


def _about(one: runs.Bundled, both: dict[str, Outcome]) -> str:
    lines = [f"## {one.title}", f"Literature: {one.law.strip()} Source: {one.source.strip()}", ""]
    lines.append(f"Caveat of the set: {one.caveat.strip()}")
    for how, outcome in both.items():
        lines += ["", f"{how.capitalize()}: {outcome.insight}", ""]
        for told in outcome.equations:
            tried = f" Best terms: `{told.best}`." if told.status == "none" and told.best else ""
            lines.append(f"- {told.name}: {told.status}. {told.reason}{tried}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
