"""A process that works on a run in auto mode is killed at random moments: `python -m lab crash`.

The process is the one that the app starts, the signal SIGKILL, and the run goes on. One kill in three falls at a moment
drawn evenly from twice the time of an iteration, one within a phase that is drawn, and one within the write: as soon as
the log of the database has changed, up to 2 ms later. After each the database is opened anew and must be sound (`PRAGMA
integrity_check`), have every entry that was said to be done, and each entry must be that of a run that nobody
interrupted, to the last bit but for seconds; then the run goes on from there. Four runs at once of eight iterations:
noise in which the search finds nothing, coffee that cools, and one whose agents are a language model, played by a local
server.
"""

import hashlib
import os
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.jobs import Board, Limits, Snapshot
from dolq_core.records import Budget, Entry, Iteration, ModelChoice, Models, Problem, Settings
from dolq_core.store import codec
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import is_sampler, serving
from tests.agents.problems import noise

ITERATIONS = 8
SETTINGS = Settings(iterations=ITERATIONS, patience=ITERATIONS)
LONGEST_S = 1800.0
WRITES_MS = 2.0
POWERS = [f"x0**{a}*x1**{b}" for a in range(1, 6) for b in range(1, 6)]


@dataclass
class Kills:
    """What became of the kills on one run."""

    moments: Counter[str] = field(default_factory=Counter[str])
    survived: int = 0
    lost: int = 0
    troubles: list[str] = field(default_factory=list[str])
    finished: int = 0
    unlike: int = 0


def measure(kills: int, seed: int) -> Iterator[Row]:
    """Kill so often, spread over the runs; yield a row for each run, and one for all."""
    with tempfile.TemporaryDirectory() as folder, serving(*[_model] * 100_000) as server:
        cases = _cases(f"{server.url}/v1")
        n = len(cases)
        shares = [kills // n + (number < kills % n) for number in range(n)]
        places = [Path(folder) / f"{number}.db" for number in range(n)]
        with ThreadPoolExecutor(n) as pool:
            seeds = np.random.SeedSequence(seed).spawn(n)
            found = list(pool.map(interrupted, places, cases.values(), shares, seeds))
        for name, one in zip((*cases, "all"), (*found, _sum(found)), strict=True):
            yield {"run": name, **_row(one)}


def _cases(address: str) -> dict[str, Callable[[Path], str]]:
    choice = ModelChoice("openai", "local", address)
    models = Models(choice, choice, budget=Budget(calls=None, tokens=None))

    def given(problem: Problem, **more: str | Models) -> Callable[[Path], str]:
        return lambda database: runs.start(runs.open_store(database), problem, SETTINGS, **more)  # type: ignore[arg-type]

    return {
        "noise, one state": given(noise(120, 1, 3)),
        "noise, two states": given(noise(30, 2, 1)),
        "coffee": given(load_bundled("coffee")),
        "two states, language model": given(noise(40, 2, 1), agents="models", models=models),
    }


def _model(body: dict) -> str:
    """Answer as the prompt decides, so that a question that is asked again has the same answer."""
    time.sleep(0.1)
    prompt = body["messages"][-1]["content"]
    at = int.from_bytes(hashlib.sha256(prompt.encode()).digest()[:4])
    terms = ["x0", "x1", *(POWERS[(at + k) % len(POWERS)] for k in range(2))]
    if is_sampler(body):
        return proposal({"x0": terms, "x1": terms}, {"x0": terms[:3], "x1": terms[1:]})
    good = dict.fromkeys(terms, "good")
    return grades(x0=good, x1=good)


def interrupted(database: Path, start: Callable[[Path], str], kills: int, seed: np.random.SeedSequence) -> Kills:
    """Let a run go through once in peace, then again and again with kills, until there were so many."""
    board, rng = Board(), np.random.default_rng(seed)
    peace = start(database)
    _finish(board, database, peace)
    model = _entries(database, peace)
    found, run, told = Kills(), "", 0
    while sum(found.moments.values()) < kills:
        if not run:
            run, told = start(database), 1
        moment = _killed(board, database, run, told, _draw(rng, _seconds(model)))
        if moment is not None:
            found.moments[moment] += 1
            told = _checked(found, database, run, model, told)
        if moment is None or told == len(model):  # it has come to its end
            run = _ended(found, database, run, model)
    if run:
        _finish(board, database, run)
        _ended(found, database, run, model)
    board.close()
    return found


def _seconds(model: tuple[Entry, ...]) -> dict[str, float]:
    """Return the mean seconds of each phase, and of an iteration as "time"."""
    done = [entry for entry in model if isinstance(entry, Iteration)]
    means = {phase: float(np.mean([entry.seconds[phase] for entry in done])) for phase in done[0].seconds}
    return {**means, "time": sum(means.values())}


def _draw(rng: np.random.Generator, seconds: dict[str, float]) -> tuple[str, float]:
    """Return where to kill, and how many seconds from there on."""
    kind = rng.choice(["time", "phase", "write"])
    if kind == "write":
        return "write", rng.uniform(0.0, WRITES_MS) / 1000.0
    if kind == "phase":
        kind = str(rng.choice([phase for phase in seconds if phase != "time"]))
    return str(kind), rng.uniform(0.0, 2.0 * seconds[kind])


def _killed(board: Board, database: Path, run: str, at: int, when: tuple[str, float]) -> str | None:
    """Start the job, kill its process when it is time, and return in what it was; None when the run ended first."""
    board.warm()  # the next one loads while this one works
    board.start(database, run, at, "auto", limits=Limits(iterations=ITERATIONS + 1 - at))
    while not (now := _looked(board, run)).phase:
        if now.ended:
            return None
        time.sleep(0.001)
    kind, seconds = when
    if kind == "write":
        _wait_for_write(board, database, run)
    elif kind != "time":
        _wait(board, run, lambda: _looked(board, run).phase == kind)
    time.sleep(seconds)
    now = _looked(board, run)
    if now.ended:
        return None
    os.kill(now.pid, signal.SIGKILL)
    phase = _until_ended(board, run, now.phase)
    return "write" if kind == "write" else phase


def _wait_for_write(board: Board, database: Path, run: str) -> None:
    log = database.with_name(database.name + "-wal")
    before = _changed(log)
    _wait(board, run, lambda: _changed(log) != before)


def _wait(board: Board, run: str, happened: Callable[[], bool]) -> None:
    """Wait until it has happened, or the job has ended."""
    while not happened() and not _looked(board, run).ended:
        time.sleep(0.0001)


def _changed(log: Path) -> tuple[int, int]:
    try:
        found = log.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_size, found.st_mtime_ns


def _looked(board: Board, run: str) -> Snapshot:
    now = board.snapshot(run)
    assert now is not None
    return now


def _until_ended(board: Board, run: str, phase: str) -> str:
    end = time.monotonic() + LONGEST_S
    while not _looked(board, run).ended:
        if time.monotonic() > end:
            raise RuntimeError(f"The job did not end: {_looked(board, run)}")
        time.sleep(0.005)
    return phase


def _finish(board: Board, database: Path, run: str) -> None:
    at = len(_entries(database, run))
    if at <= ITERATIONS:
        board.start(database, run, at, "auto", limits=Limits(iterations=ITERATIONS + 1 - at))
        _until_ended(board, run, "")


def _checked(found: Kills, database: Path, run: str, model: tuple[Entry, ...], told: int) -> int:
    """Open the database anew, compare; return how many entries there are."""
    trouble = "".join(_unsound(database))
    entries = _entries(database, run)
    found.lost += max(0, told - len(entries))
    differs = _first_difference(entries, model)
    if differs is not None:
        trouble += f"Entry {differs} differs from that of the run that nobody interrupted. "
    if trouble:
        found.troubles.append(trouble)
    found.survived += not trouble and len(entries) >= told
    return len(entries)


def _unsound(database: Path) -> Iterator[str]:
    with closing(sqlite3.connect(database)) as connection:
        said = connection.execute("PRAGMA integrity_check").fetchall()
    if said != [("ok",)]:
        yield f"The database is damaged: {said}. "


def _entries(database: Path, run: str) -> tuple[Entry, ...]:
    return runs.open_store(database).entries(run)


def _ended(found: Kills, database: Path, run: str, model: tuple[Entry, ...]) -> str:
    entries = _entries(database, run)
    found.finished += 1
    found.unlike += len(entries) != len(model) or _first_difference(entries, model) is not None
    return ""


def _row(found: Kills) -> Row:
    return {
        "kills": sum(found.moments.values()),
        "phases": ", ".join(f"{count} {phase}" for phase, count in found.moments.most_common() if phase != "write"),
        "write": found.moments["write"],
        "survived": found.survived,
        "lost": found.lost,
        "alike": f"{found.finished - found.unlike} of {found.finished}",
        **({"troubles": " ".join(found.troubles)} if found.troubles else {}),
    }


def _sum(found: Sequence[Kills]) -> Kills:
    whole = Kills()
    for one in found:
        whole.moments += one.moments
        whole.troubles += one.troubles
        for name in ("survived", "lost", "finished", "unlike"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
    return whole


def _said(entry: Entry) -> codec.Json:
    """An entry without what a clock said."""

    def timeless(plain: codec.Json) -> codec.Json:
        if isinstance(plain, dict):
            return {key: timeless(value) for key, value in plain.items() if key != "seconds"}
        return [timeless(one) for one in plain] if isinstance(plain, list) else plain

    return timeless(codec.to_plain(entry))


def _first_difference(one: Sequence[Entry], other: Sequence[Entry]) -> int | None:
    """Return the number of the first entry in which the shorter log differs from the longer; None when none does."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if _said(a) != _said(b)), None)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what went wrong."""
    head = ("run", "kills", "in which phase", "within the write", "survived", "lost", "ended alike")
    names = ("run", "kills", "phases", "write", "survived", "lost", "alike")
    return [
        report.table(head, [[row[name] for name in names] for row in rows]),
        *dict.fromkeys(row["troubles"] for row in rows if "troubles" in row),
    ]


OPTIONS = {"kills": 200, "seed": 0}
BENCHMARK = Benchmark("crash", "Killed at a random moment", __doc__, measure, page, OPTIONS)
