"""The field's own tables: `python -m lab published [--only lotka] [--systems N] [--seeds N]`.

Protocols that others published, run again: the built-in agents in auto mode as in any campaign, blind to the truth, no
description, states named as published, all of their library allowed; and beside them, on the same data, PySINDy of
today with the best of its documented settings (lab/campaign/sindy_best.py: weak and strong rows, STLSQ, its ensemble,
SSR and MIOSR; each equation by the least AICc on the last third of each run). Exact: all terms of all equations and no
others, sums multiplied out, constants inside terms within 5 %. Within 5 %: exact, and each coefficient too. Settled:
the app calls every equation so. Shares with their 95 % interval (Wilson). The engine was not tuned on these data, but
on some of these systems with other constants, starts and noise (Lorenz, Rossler, Van der Pol, Lotka-Volterra, the
pendulum).
"""

import argparse
import json
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import product
from pathlib import Path
from statistics import median

from lab import campaign
from lab.benchmarks import paper, report
from lab.benchmarks.published.protocols import AGENTS, PROTOCOLS, Protocol
from lab.benchmarks.published.scoring import NONE, Marks, marks
from lab.campaign import Result, Task, pools
from lab.campaign.tables.common import readable
from lab.campaign.tasks import anonymous

HEAD = (
    "system", "noise", "data sets", "exact", "within 5 %", "settled", "settled, not exact", "CPU s, median",
    "PySINDy: exact", "within 5 %",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """A data set, what was found in it, and what that is worth."""

    task: Task
    result: Result
    marks: Marks


@dataclass(frozen=True, slots=True)
class Published:
    """The page; it is used as a `report.Benchmark` is. Its runs are stored one by one, so that it goes on."""

    name: str = "published"

    def again(
        self,
        folder: Path,
        protocols: Sequence[Protocol] = PROTOCOLS,
        systems: int | None = None,
        seeds: int | None = None,
        pool: pools.Pool | None = None,
        command: str = "python -m lab published",
    ) -> None:
        """Do the runs that the folder has not: hours, where nothing is left out."""
        tasks = campaign.unique([task for one in protocols for task in one.tasks(systems, seeds)])
        place = folder / self.name
        made = _measured(command)
        try:
            campaign.run_campaign(campaign.Ledger(place), tasks, pool or pools.processes(), _told)
        finally:
            paper.tidy(place, steps=(), actions=(), scores=(), adopted={})
            _note(place, made)

    def is_stored(self, folder: Path) -> bool:
        """Whether every run has a result."""
        ledger = campaign.Ledger(folder / self.name)
        results = ledger.results()
        done = {_known(task) for name, task in ledger.tasks().items() if name in results and not results[name].failure}
        return all(_asked(one) <= done for one in PROTOCOLS)

    def is_begun(self, folder: Path) -> bool:
        """Whether any run has a result: the page says what was left out."""
        return bool(campaign.Ledger(folder / self.name).results())

    def seconds(self, folder: Path) -> float | None:
        """Return the seconds of all runs of the folder, one after the other."""
        return sum(result.cost.wall_s for result in campaign.Ledger(folder / self.name).results().values()) or None

    def runs(self, folder: Path) -> list[Run]:
        """Return what was run, from the folder."""
        ledger = campaign.Ledger(folder / self.name)
        results = ledger.results()
        return [_run(task, results[name]) for name, task in ledger.tasks().items() if name in results]

    def claims(self, folder: Path) -> Iterator[tuple[str, list[bool], str, str]]:
        """Yield of each protocol that was run: the claim, whether it holds in each run, the command, the day."""
        notes = [json.loads(line) for line in _notes(folder / self.name).read_text(encoding="utf-8").splitlines()]
        runs = [run for run in self.runs(folder) if run.task.agents == "builtin"]
        for one in PROTOCOLS:
            exact = [run.marks.exact for run in runs if _is_of(run, one)]
            made = [note for note in notes if f"--only {one.name}" in note["command"]]
            if exact and made:
                yield f"{one.title}: exact", exact, made[-1]["command"], made[-1]["date"]

    def text(self, folder: Path) -> str:
        """Return the page, from the runs in the folder."""
        runs = self.runs(folder)
        how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
        parts = [part for one in PROTOCOLS for part in _part(one, [run for run in runs if _is_of(run, one)])]
        made = ["## How it was measured", *_made(folder, runs)]
        return "\n\n".join(["# The field's own tables", how, *parts, *made]) + "\n"


def _known(task: Task) -> tuple[object, ...]:
    return task.suite, task.case.id, task.seed, task.agents


def _asked(protocol: Protocol) -> set[tuple[object, ...]]:
    """What `_known` says of each of its tasks; no data are made for that."""
    suites, systems = [f"{protocol.name} {level:g}" for level in protocol.levels], [one.id for one in protocol.cases()]
    return set(product(suites, systems, range(protocol.seeds), AGENTS))


def _run(task: Task, result: Result) -> Run:
    case = anonymous(task.case) if task.agents == "pysindy-best" else task.case
    return Run(task, result, NONE if result.failure else marks(case, result.law))


def _is_of(run: Run, protocol: Protocol) -> bool:
    return run.task.suite.partition(" ")[0] == protocol.name


def _level(run: Run) -> float:
    return float(run.task.suite.partition(" ")[2])


def _part(protocol: Protocol, runs: Sequence[Run]) -> Iterator[str]:
    yield f"## {protocol.title}"
    yield f"{protocol.source}. {protocol.differs}"
    if not runs:
        yield f"Not run yet: none of {protocol.count()} data sets."
        return
    yield report.table((*HEAD, f"published: {protocol.method}"), _lines(protocol, runs))
    ours, theirs = ([run for run in runs if run.task.agents == agents] for agents in AGENTS)
    whole = [_share([run.marks.whole for run in some]) or "none run" for some in (ours, theirs)]
    cost = f"; its CPU: {median(run.result.cost.cpu_s for run in theirs):.1f} s, median" if theirs else ""
    yield f"Coefficients within 5 % as a whole (spectral norm): ours {whole[0]}; PySINDy's {whole[1]}{cost}."
    done = len({(run.task.case.id, _level(run), run.task.seed) for run in runs if run.task.agents == "builtin"})
    named = list(dict.fromkeys(run.task.case.id for run in runs))
    which = f", of {len(named)} of {len(protocol.cases())} systems" if len(protocol.cases()) > 1 else ""
    yield f"Run: {done} of {protocol.count()} data sets{which}, seeds {_seeds(runs)}."
    yield from _wrong(runs)


def _seeds(runs: Sequence[Run]) -> str:
    found = sorted({run.task.seed for run in runs})
    return f"{found[0]} to {found[-1]}" if len(found) > 1 else f"{found[0]} alone"


def _lines(protocol: Protocol, runs: Sequence[Run]) -> Iterator[tuple[object, ...]]:
    for system in [case.id for case in protocol.cases()] if protocol.apart else [""]:
        for level in protocol.levels:
            here = [run for run in runs if _level(run) == level and system in ("", run.task.case.id)]
            ours, theirs = ([run for run in here if run.task.agents == agents] for agents in AGENTS)
            if ours:
                yield (
                    system or ("all" if len(protocol.cases()) > 1 else protocol.cases()[0].id),
                    f"{level:g}" if not protocol.unit else f"{level:.1%} of the {protocol.unit}",
                    len(ours),
                    *_columns(ours),
                    *(_share([getattr(run.marks, mark) for run in theirs]) for mark in ("exact", "close")),
                    protocol.printed.get((system, level), "in a figure"),
                )


def _columns(ours: Sequence[Run]) -> tuple[object, ...]:
    settled = [run for run in ours if _is_settled(run)]
    return (
        _share([run.marks.exact for run in ours]),
        _share([run.marks.close for run in ours]),
        len(settled),
        sum(not run.marks.exact for run in settled),
        f"{median(run.result.cost.cpu_s for run in ours):.1f}",
    )


def _is_settled(run: Run) -> bool:
    return bool(run.result.statuses) and all(status == "settled" for status in run.result.statuses)


def _share(hits: Sequence[bool]) -> str:
    if not hits:
        return ""
    low, high = report.wilson(sum(hits), len(hits))
    return f"{sum(hits)} of {len(hits)} ({low:.0%} to {high:.0%})"


def _wrong(runs: Sequence[Run]) -> Iterator[str]:
    """Show where we are worse: what we did not find exactly, and whether PySINDy did."""
    found = {_data(run): run.marks.exact for run in runs if run.task.agents == "pysindy-best"}
    rows = [
        (run.task.case.id, f"{_level(run):g}", run.task.seed, ", ".join(dict.fromkeys(run.result.statuses)),
         "; ".join(f"`{readable(law)}`" for law in run.result.law) or run.result.failure,
         "yes" if found.get(_data(run)) else "no" if _data(run) in found else "")
        for run in runs
        if run.task.agents == "builtin" and not run.marks.exact
    ]  # fmt: skip
    if rows:
        yield "Not exact:"
        yield report.table(("system", "noise", "seed", "status", "law", "PySINDy exact"), rows)


def _data(run: Run) -> tuple[str, str, int]:
    return run.task.suite, run.task.case.id, run.task.seed


def _made(folder: Path, runs: Sequence[Run]) -> Iterator[str]:
    """Say when, by which commands, with which versions, and how much of it had to be given up."""
    yield "A command that was stopped counts as far as it came; the same command goes on with the rest."
    failed = [run for run in runs if run.result.failure]
    for line in _notes(folder / "published").read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        used = ", ".join(f"{name} {number}" for name, number in said["versions"].items())
        where = f"with {used}, on {said['cores']} cores"
        yield f"`{said['command']}` on {said['date']}, engine of commit {said['commit']}, {where}."
    if failed:
        yield report.table(
            ("run", "without a result"), [(campaign.name_of(run.task), run.result.failure) for run in failed]
        )


def _notes(place: Path) -> Path:
    return place / "measured.jsonl"


def _measured(command: str) -> str:
    """Return a line on what measures: the command, the day, the versions, and the last commit of the engine."""
    asked = ["git", "-C", str(report.ROOT), "log", "-1", "--format=%h", "--", "dolq_core"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    said = report.now()
    used = {name: said["versions"][name] for name in ("Python", "numpy", "scipy")}
    return json.dumps({"command": command, "commit": commit, **said, "versions": {**used, **_baseline()}})


def _note(place: Path, line: str) -> None:
    known = _notes(place).read_text(encoding="utf-8").splitlines() if _notes(place).exists() else []
    lines = dict.fromkeys([*known, line])
    _notes(place).write_text("".join(f"{one}\n" for one in lines), encoding="utf-8", newline="\n")


def _baseline() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in ("pysindy", "gurobipy"):
        try:
            found[name] = version(name)
        except ModuleNotFoundError:
            found[name] = "not installed"
    return found


def _told(now: campaign.Progress) -> None:
    print(f"{now.done} of {now.total} runs, {report.span(now.seconds)}", flush=True)


BENCHMARK = Published()


def main() -> None:
    """Do what is left of the runs that are asked for and write the page."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m lab published", description=__doc__, formatter_class=shown)
    parser.add_argument("--only", choices=[one.name for one in PROTOCOLS], help="one protocol")
    parser.add_argument("--systems", type=int, help="its first systems")
    parser.add_argument("--seeds", type=int, help="its first draws of noise")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0: one for each processor, 1: this one")
    parser.add_argument("--scheduler", help="address of a Dask cluster to run on")
    parser.add_argument("--folder", type=Path, default=report.RUNS, help="where the rows are")
    asked = parser.parse_args()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts behind it ignores Ctrl-C
    here = pools.here() if asked.workers == 1 else pools.processes(asked.workers)
    pool = pools.cluster(asked.scheduler) if asked.scheduler else here
    options = {name: getattr(asked, name) for name in ("only", "systems", "seeds") if getattr(asked, name) is not None}
    command = " ".join(["python -m lab published", *(f"--{name} {value}" for name, value in options.items())])
    protocols = [one for one in PROTOCOLS if asked.only in (None, one.name)]
    try:
        BENCHMARK.again(asked.folder, protocols, asked.systems, asked.seeds, pool, command)
    except KeyboardInterrupt:
        print("\nStopped. What is measured is stored; the same command goes on with the rest.")
    report.put(BENCHMARK.name, BENCHMARK.text(asked.folder))
