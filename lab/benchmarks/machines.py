"""Do two processors find the same law? `python -m lab machines`, about half an hour on two cores.

Every system of the suites paper, textbook and open is generated once, clean, with 1 % and with 2 % of white noise (of
each state's deviation; its description given, seed 0), and discovered by the built-in agents under each of five sets of
kernels, which stand for five processors: OPENBLAS_CORETYPE chooses the kernels of the linear algebra,
NPY_DISABLE_CPU_FEATURES the vector instructions of NumPy, GLIBC_TUNABLES those of the elementary functions. Whole logs
are compared entry by entry with those of the first (`dolq_core.runs.likeness`): the same decisions means all of them,
every candidate, verdict and reason in the same order, not the final law alone. The recorded runs of the lessons are
played again under each. The engine has been tuned on all three suites; the first run of the textbook one, before that,
gave all terms of 15 of 20.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from pathlib import Path
from statistics import median
from typing import Final

from dolq_core import loop
from dolq_core.records import Entry, RunState, Start
from dolq_core.runs.likeness import TOLERANCE, Likeness, compared
from dolq_core.store.files import read_run, write_run
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import exact, fits_of
from lab.campaign.tasks import problem_of, seen

SUITES = ("paper", "textbook", "open")
NOISE = (0.0, 0.01, 0.02)
_NO_512 = "X86_V4 AVX512_ICL AVX512_SPR"
_NO_AVX2 = f"X86_V3 {_NO_512}"
MACHINES: Final[Mapping[str, Mapping[str, str]]] = {
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "Zen": {"OPENBLAS_CORETYPE": "Zen"},
    "Haswell, no AVX-512": {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": _NO_512},
    "Nehalem, no AVX2": {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": _NO_AVX2},
    "Prescott, no AVX2, no FMA": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": _NO_AVX2,
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4",
    },
}
"""Name -> environment; the first is what the others are compared with."""


def measure() -> Iterator[Row]:
    """Discover and replay under every set of kernels, then compare."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        tasks = _tasks(folder / "starts")
        for number, environment in enumerate(MACHINES.values()):
            _discover(folder, f"{number}", environment)
        for number, name in enumerate(MACHINES):
            told, *played = json.loads((folder / f"{number}.json").read_text(encoding="utf-8"))
            yield {"machine": name, **told["machine"]}
            yield from ({"on": name, **row} for row in played)
        for file, task in tasks.items():
            yield _row(task, [read_run(folder / f"{number}" / file)[1] for number in range(len(MACHINES))])


def _tasks(folder: Path) -> dict[str, campaign.Task]:
    folder.mkdir()
    found: dict[str, campaign.Task] = {}
    for suite in SUITES:
        for case in campaign.read_suite(suite):
            for noise in NOISE:
                task = campaign.Task(suite, case, noise=noise)
                file = f"{suite} {case.id} {noise:g}.json"
                write_run(folder / file, case.id, [Start(problem_of(task), task.variant.settings)])
                found[file] = task
    return found


def _discover(folder: Path, name: str, environment: Mapping[str, str]) -> None:
    """Do all tasks, then the recordings, on all processors."""
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    parts = os.cpu_count() or 1
    asked = [[str(folder / "starts"), str(folder / name), str(part), str(parts)] for part in range(parts)]
    running = [_started(arguments, {**one_thread, **environment}) for arguments in asked]
    running.append(_started(["--replay", str(folder / f"{name}.json")], {**one_thread, **environment}))
    if any(process.wait() for process in running):
        raise SystemExit("A discovery ended with an error.")


def _started(arguments: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "lab.benchmarks.discovering", *arguments], env=os.environ | environment
    )


def _row(task: campaign.Task, logs: Sequence[Sequence[Entry]]) -> Row:
    states = [loop.replay(log) for log in logs]
    worst = max((_apart(logs[0], log) for log in logs[1:]), key=lambda one: one.largest)
    return {
        "suite": task.suite,
        "system": task.case.id,
        "noise": task.noise,
        "largest": worst.largest if worst.largest < inf else None,
        "place": worst.place,
        "structures": len({_structure(state) for state in states}),
        "statuses": sorted({" ".join(_statuses(state)) for state in states}),
        "exact": [all(exact(seen(task), fits_of(state))) for state in states],
    }


def _apart(one: Sequence[Entry], other: Sequence[Entry]) -> Likeness:
    """The first decision that differs, else the largest difference of a number."""
    found = Likeness("identical")
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        now = compared(a, b)
        if now.largest > found.largest:
            found = Likeness(now.same, now.largest, f"{number}: {now.place}")
        if now.largest == inf:
            return found
    return found if len(one) == len(other) else Likeness("different", inf, "number of iterations")


def _structure(state: RunState) -> str:
    return "; ".join(" ".join(sorted(term.skeleton for term in fit.terms)) for fit in fits_of(state))


def _statuses(state: RunState) -> list[str]:
    return [loop.status(state, j)[0] for j in range(len(state.best))]


# --- the page ---------------------------------------------------------------------------------------


def page(rows: Sequence[Row]) -> list[str]:
    """Return the kernels, the summary, what differs, and the recordings."""
    machines = [row for row in rows if "machine" in row]
    found = [row for row in rows if "system" in row]
    return [
        report.table(
            ("called here", "kernels of NumPy and SciPy", "SIMD"),
            [(row["machine"], row["blas"], row["simd"]) for row in machines],
        ),
        f"Tolerance of numbers: {TOLERANCE:g}, on the scale to which each is known.",
        report.table(
            ("suite", "noise", "runs", "same structure", "same status", "all decisions the same",
             "of these within the tolerance", "median difference", "exact terms, first to last set"),
            chain(*([_summary(found, suite, noise) for noise in NOISE] for suite in SUITES)),
        ),
        "## Runs in which a decision differs somewhere",
        _unlike(found),
        "## The recorded runs of the lessons",
        _replays([row for row in rows if "recording" in row], [row["machine"] for row in machines]),
    ]  # fmt: skip


def _summary(rows: Sequence[Row], suite: str, noise: float) -> tuple[object, ...]:
    own = [row for row in rows if (row["suite"], row["noise"]) == (suite, noise)]
    same = [row for row in own if row["largest"] is not None]
    exact = [sum(row["exact"][k] for row in own) for k in range(len(own[0]["exact"]))]
    return (
        suite,
        f"{noise:.0%}" if noise else "none",
        len(own),
        sum(row["structures"] == 1 for row in own),
        sum(len(row["statuses"]) == 1 for row in own),
        len(same),
        sum(row["largest"] <= TOLERANCE for row in same),
        f"{median(row['largest'] for row in same):.0e}" if same else "",
        ", ".join(map(str, exact)),
    )


def _unlike(rows: Sequence[Row]) -> str:
    lines = [
        (f"{row['suite']} {row['system']}", f"{row['noise']:.0%}", row["structures"], "; ".join(row["statuses"]),
         row["place"])
        for row in rows
        if row["largest"] is None or row["largest"] > TOLERANCE
    ]  # fmt: skip
    if not lines:
        return "None."
    return report.table(("run", "noise", "structures in the end", "statuses", "where it first differs most"), lines)


def _replays(rows: Sequence[Row], machines: Sequence[str]) -> str:
    names = list(dict.fromkeys(row["recording"] for row in rows))
    largest = {(row["recording"], row["on"]): row["largest"] for row in rows}
    lines = [(name, *(_difference(largest[name, on]) for on in machines)) for name in names]
    return report.table(("recording", *machines), lines)


def _difference(value: float | None) -> str:
    if value is None:
        return "a decision differs"
    return (
        "identical" if value == 0.0 else f"alike, {value:.0e}" if value <= TOLERANCE else f"numbers differ, {value:.0e}"
    )


BENCHMARK = Benchmark("machines", "The same on every machine", __doc__, measure, page)
