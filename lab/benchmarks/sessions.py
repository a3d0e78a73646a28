"""Eight sessions on one server, each with its page open while runs go on in auto mode: `python -m lab sessions`.

Seven runs in one database: four with the built-in agents on noise, where the search finds nothing and goes on, three
with a language model played by a local server; the eighth session is a second tab on the first run. These two tabs are
a real browser's (Chromium, on the server's own two cores); the other six speak its wire format to the server and draw
nothing, as if they were on machines of their own: eight browsers that draw on the server's cores measure themselves.
Meanwhile a second program works on the same database: it starts a run from the command line every 15 s, and says a
word on every run in turn. Every second or so one of the sessions clicks, in turn, from page to page. A click of a
browser counts from the event that it sees to the first frame in which the answer is on the page, one of the others
from its message to the server's with the answer; lost, when none came in 5 s. Afterwards the logs are compared with
what was said and done: every word once, every iteration once, in order. Memory is that of the server and of the
processes that compute, in the second tenth of the time and in the last.
"""

import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.records import Intervention, Iteration, Settings
from lab.benchmarks import clicks, gestures, report
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.visitor import Visitor
from tests.agents.llm.server import serving
from tests.agents.problems import noise
from tests.e2e.server import browsing, served

SESSIONS, BUILTIN, BROWSERS = 8, 4, 2
LONG = Settings(iterations=5000, patience=5000)
WORD_S, PROGRAM_S, CLICK_S = 3.0, 15.0, 1.0
BOUND_MS = 500.0


@dataclass
class Seen:
    """What happened meanwhile."""

    drawn: dict[str, gestures.Found] = field(
        default_factory=lambda: {name: gestures.Found() for name in gestures.PAGES}
    )
    sent: dict[str, gestures.Found] = field(default_factory=lambda: {name: gestures.Found() for name in gestures.PAGES})
    memory: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    said: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    refused: list[str] = field(default_factory=list[str])
    shown: list[str] = field(default_factory=list[str])
    programs: int = 0


def measure(minutes: float) -> Iterator[Row]:
    """Let the sessions go on for so long; yield what became of it."""
    seen, load = Seen(), os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, browsing() as browser:
        database = Path(folder) / "runs.db"
        with serving(*[clicks.model()] * clicks.CALLS) as server:
            started = _started(database, f"{server.url}/v1")
            with served(database) as address:
                _go_on(browser, address, database, started, 60.0 * minutes, seen)
        log = database.with_suffix(".log").read_text(errors="replace")
        iterations, troubles = _checked(database, started, seen)
    troubles += re.findall(r"^.*(?:locked|Traceback).*$", log, re.MULTILINE)
    yield from ({"what": what, "found": found} for what, found in _told(seen, minutes, iterations, troubles, load))


def _started(database: Path, model: str) -> list[str]:
    store = runs.open_store(database)
    built = runs.start(store, noise(120, 2, 1), LONG, name="Noise")
    runs.auto(store, built, iterations=1)
    told = clicks.start(database, model)
    forks = {"Noise": (built, BUILTIN), "Glider": (told, SESSIONS - 1 - BUILTIN)}
    return [
        runs.fork(store, run, len(store.entries(run)), f"{name} {number}")
        for name, (run, count) in forks.items()
        for number in range(count)
    ]


def _go_on(browser: Browser, address: str, database: Path, started: list[str], seconds: float, seen: Seen) -> None:
    """Open the sessions, press Auto on each run, and let all of it go on; the two browsers are on the first run."""
    server = next(pid for pid, line in _below(os.getpid()).items() if "streamlit run" in line)
    pages = [_page(browser, f"{address}/discover?run={started[0]}") for _ in range(BROWSERS)]
    visitors = [Visitor(address, "discover", f"run={run}") for run in started[1:]]
    pages[0].get_by_role("button", name="Auto", exact=True).click()
    for visitor in visitors:
        visitor.press("Auto")
    over = threading.Event()
    beside = [
        threading.Thread(target=_programs, args=(database, seen, over)),
        threading.Thread(target=_words, args=(database, started, seen, over)),
        threading.Thread(target=_watch, args=(server, seen, over)),
    ]
    for thread in beside:
        thread.start()
    end, number = time.monotonic() + seconds, 0
    sessions: list[Page | Visitor] = [*pages, *visitors]
    try:
        while time.monotonic() < end:
            _click(sessions[number % SESSIONS], number // SESSIONS, seen)
            number += 1
            pages[0].wait_for_timeout(1000.0 * CLICK_S)
    finally:
        over.set()
        for thread in beside:
            thread.join()
        for visitor in visitors:
            visitor.close()
            seen.shown += visitor.troubles


def _page(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.locator(".st-key-apply").wait_for()
    return page


def _click(session: Page | Visitor, turn: int, seen: Seen) -> None:
    name = list(gestures.PAGES)[turn % len(gestures.PAGES)]
    if isinstance(session, Visitor):
        _note(seen.sent[name], session.go(name))
        return
    link = session.get_by_role("link", name=name)
    gestures.answer(session, seen.drawn[name], gestures.PAGES[name], lambda: link.click(timeout=5000))
    try:
        seen.shown += session.locator("[data-testid=stException]").all_inner_texts()
        seen.shown += session.get_by_text("keeps it locked").all_inner_texts()
    except Error:  # it is being drawn anew
        return


def _note(found: gestures.Found, ms: float | None) -> None:
    if ms is None:
        found.lost += 1
    else:
        found.ms.append(ms)


def _programs(database: Path, seen: Seen, over: threading.Event) -> None:
    """Find a law from the command line, again and again."""
    while not over.wait(PROGRAM_S):
        command = [sys.executable, "-m", "dolq_core", "discover", "coffee", "--iterations", "3", "--db", str(database)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seen.programs += 1
        if done.returncode:
            seen.refused.append(done.stderr.strip())


def _words(database: Path, started: Sequence[str], seen: Seen, over: threading.Event) -> None:
    """Say a word on every run in turn."""
    store, number = runs.open_store(database), 0
    while not over.wait(WORD_S):
        run, word = started[number % len(started)], f"word {number}"
        try:
            runs.intervene(store, run, Intervention(reason=word))
            seen.said.append((run, word))
        except DolqError as error:
            seen.refused.append(str(error))
        number += 1


def _watch(server: int, seen: Seen, over: threading.Event) -> None:
    began = time.monotonic()
    while not over.wait(1.0):
        workers = [pid for pid, line in _below(server).items() if "jobs.worker" in line]
        largest = max((_megabytes(pid) for pid in workers), default=0.0)
        seen.memory.append((time.monotonic() - began, _megabytes(server), largest))


def _checked(database: Path, started: Sequence[str], seen: Seen) -> tuple[int, list[str]]:
    """Return how many iterations there are, and what is wrong with the logs."""
    troubles: list[str] = [*seen.refused, *seen.shown]
    iterations = 0
    store = runs.open_store(database)
    for run in started:
        entries = store.entries(run)
        numbers = [entry.number for entry in entries if isinstance(entry, Iteration)]
        iterations += len(numbers)
        if numbers != list(range(1, len(numbers) + 1)):
            troubles.append(f"The iterations of {run} are not each there once.")
        words = [entry.reason for entry in entries if isinstance(entry, Intervention)]
        if words != [word for of, word in seen.said if of == run]:
            troubles.append(f"The words on {run} are not each there once.")
    with closing(sqlite3.connect(database)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            troubles.append("The database is damaged.")
    whole = [info for info in runs.list_runs(store) if info.dataset.startswith("Two cups")]
    if len(whole) != seen.programs or any(info.iterations != 3 for info in whole):
        troubles.append("A run of the command line is not whole.")
    return iterations + sum(info.iterations for info in whole), troubles


def _told(seen: Seen, minutes: float, iterations: int, troubles: list[str], load: float) -> Iterator[tuple[str, str]]:
    drawn, sent = _all(seen.drawn), _all(seen.sent)
    yield from ((f"to the page {name}, in the browser", _words_of(found)) for name, found in seen.drawn.items())
    yield from ((f"to the page {name}, sent by the server", _words_of(found)) for name, found in seen.sent.items())
    yield "all clicks of the two browsers", _words_of(drawn)
    yield "all clicks of the six others", _words_of(sent)
    yield "all clicks", f"95th percentile {_share([*drawn.ms, *sent.ms], 0.95):.0f} ms (bound {BOUND_MS:.0f})"
    yield "iterations stored", f"{iterations:,}"
    yield "words said, each stored once", f"{len(seen.said):,}"
    yield "runs from the command line meanwhile", f"{seen.programs}"
    for which, name in enumerate(("the server", "the largest process that computes"), 1):
        early, late = (_mean(seen.memory, *span, which) for span in ((0.1, 0.2), (0.9, 1.0)))
        yield f"memory of {name}", f"{early:.0f} MB, at the end {late:.0f} MB"
    yield "minutes; load of the machine before", f"{minutes:g}; {load:.1f}"
    yield "in the way", f"{len(troubles)}" + "".join(f"; {one}" for one in troubles[:5])


def _all(of: Mapping[str, gestures.Found]) -> gestures.Found:
    found = of.values()
    ms = [ms for one in found for ms in one.ms]
    return gestures.Found(ms, sum(one.lost for one in found), sum(one.gone for one in found))


def _words_of(found: gestures.Found) -> str:
    shares = f"median {_share(found.ms, 0.5):.0f} ms, 95th percentile {_share(found.ms, 0.95):.0f} ms"
    return f"{len(found.ms)} clicks, {found.lost} lost, {found.gone} gone; {shares}"


def _share(ms: Sequence[float], share: float) -> float:
    return statistics.quantiles(ms, n=100, method="inclusive")[round(100 * share) - 1] if len(ms) > 1 else 0.0


def _mean(memory: Sequence[tuple[float, float, float]], first: float, last: float, which: int) -> float:
    length = memory[-1][0]
    return statistics.mean([one[which] for one in memory if first * length <= one[0] <= last * length] or [0.0])


# --- processes of this machine ------------------------------------------------------------------------


def _below(parent: int) -> dict[int, str]:
    """Return the command lines of all processes that a process has started, and those that they have started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            parents[int(entry.name)] = _parent(entry)
    found: dict[int, str] = {}
    new = {parent}
    while new:
        new = {pid for pid, above in parents.items() if above in new and pid not in found}
        found |= {pid: _read(Path(f"/proc/{pid}/cmdline")).replace("\0", " ") for pid in new}
    return found


def _parent(process: Path) -> int:
    words = _read(process / "stat").rpartition(")")[2].split()
    return int(words[1]) if words else 0


def _megabytes(pid: int) -> float:
    """Return the resident memory of a process; 0 when it has ended."""
    pages = _read(Path(f"/proc/{pid}/statm")).split()
    return int(pages[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20 if pages else 0.0


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:  # the process has ended
        return ""


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    return [report.table(("", ""), [(row["what"], row["found"]) for row in rows])]


BENCHMARK = Benchmark("sessions", "Eight sessions at once", __doc__, measure, page, {"minutes": 10.0})
