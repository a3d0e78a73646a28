"""A worker process as the board sees it: lines in, lines out, and an end."""

import json
import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from dolq_core.ports import Waiting
from dolq_core.store import codec

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
NO_MORE: dict[str, Any] = {"kind": "gone"}


class Worker:
    """One process; it loads the core once and can do many iterations."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dolq_core.jobs.worker"],
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # of its own, so that it can yield to all others (`worker.GROUP`)
        )
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._is_silent = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs; one whose output has ended is about to end, if it has not."""
        return not self._is_silent and self._process.poll() is None

    def ask(self, message: dict[str, Any]) -> None:
        """Send a request; a process that has ended shows by its answer."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """Return the next answer, NO_MORE when the process has ended, None when there is none in time."""
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            return NO_MORE if self._is_silent else None

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):  # else the process was killed while it wrote
                self._answers.put(json.loads(line))
        self._is_silent = True
        self._answers.put(NO_MORE)


def packed(waiting: Waiting | None) -> dict[str, Any] | None:
    """Return what waits as plain JSON."""
    if waiting is None:
        return None
    entries = [codec.to_plain(entry) for entry in waiting.entries]
    return {"name": waiting.name, "first": waiting.first, "entries": entries}


def unpacked(plain: dict[str, Any] | None) -> Waiting | None:
    """Return what `packed` made plain."""
    if plain is None:
        return None
    return Waiting(plain["name"], plain["first"], tuple(codec.from_plain(codec.ENTRY, one) for one in plain["entries"]))
