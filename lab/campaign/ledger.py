"""A campaign on disk: a folder with files to which lines are added, and nothing is ever changed.

    tasks.jsonl      {"id": ..., "task": {...}}    every run that was asked for
    results.jsonl    {...}                         every run that ended; of two of one task the last counts
    logs/ID.zip      a bundle                      the log of each run, where it was asked for; the app imports it

One process writes at a time. A line that a crash cut off is no line: its run is done again.
"""

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from dolq_core.errors import StoreError
from dolq_core.export.bundle import LOG, pack
from dolq_core.store import codec
from lab.campaign.records import Result, Task

try:
    import fcntl
except ImportError:  # Windows: nobody is kept out
    fcntl = None


LOGS = "logs"


class Ledger:
    """The runs of one campaign that are to be done, and those that are done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tasks, self._results, self._lock = (
            folder / name for name in ("tasks.jsonl", "results.jsonl", "writing.lock")
        )

    def tasks(self) -> dict[str, Task]:
        """Return every task by its id, in the order in which they were entered."""
        plain = [cast(dict[str, Any], codec.loads(line)) for line in _lines(self._tasks)]
        return {one["id"]: codec.from_plain(Task, one["task"]) for one in plain}

    def results(self) -> dict[str, Result]:
        """Return the last result of every task that has one."""
        found = (codec.from_json(Result, line) for line in _lines(self._results))
        return {result.task: result for result in found}

    def logs(self) -> dict[str, Path]:
        """Return the bundles of the runs whose log was kept, by the ids of their tasks."""
        return {path.stem: path for path in sorted((self.folder / LOGS).glob("*.zip"))}

    @contextmanager
    def writing(self) -> Generator["Writer"]:
        """Open the folder for writing, made anew when there is none; raise StoreError while another process has it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = self._lock.open("a", encoding="ascii")
        except OSError as error:
            raise StoreError(f"The folder {self.folder}", f"it cannot be written ({error})", "Name another.") from None
        with lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    reason = "another process is running this campaign"
                    raise StoreError(f"The folder {self.folder}", reason, "Wait for it, or name another.") from None
            for path in (self._tasks, self._results):
                _mend(path)
            yield Writer(self._tasks, self._results, self.folder / LOGS, set(self.tasks()))


class Writer:
    """Adds lines; each is on the disk when the call returns."""

    def __init__(self, tasks: Path, results: Path, logs: Path, entered: set[str]) -> None:
        self._tasks = tasks
        self._results = results
        self._logs = logs
        self._entered = entered

    def enter(self, tasks: Mapping[str, Task]) -> None:
        """Enter the tasks that are not there yet."""
        new = {name: task for name, task in tasks.items() if name not in self._entered}
        _append(self._tasks, (codec.dumps({"id": name, "task": codec.to_plain(task)}) for name, task in new.items()))
        self._entered |= set(new)

    def keep(self, task: str, log: str, versions: Mapping[str, str]) -> None:
        """Store the log of a run; before its result, so that a run with a result has its log."""
        self._logs.mkdir(exist_ok=True)
        packed = pack(task, {LOG: log.encode()}, versions)
        (self._logs / f"{task}.zip").write_bytes(packed)

    def add(self, result: str) -> None:
        """Add a result as the worker wrote it."""
        _append(self._results, [result])


def _lines(path: Path) -> list[str]:
    """Return the whole lines of a file; none when there is no file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"The file {path}", f"it cannot be read ({error})", "Name another folder.") from None
    return [line for line in text.split("\n")[:-1] if line]  # what is behind the last line end was cut off


def _append(path: Path, lines: Iterable[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if text:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())


def _mend(path: Path) -> None:
    """Cut off a last line that has no end, so that the next one begins where a line begins."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        os.truncate(path, whole)
