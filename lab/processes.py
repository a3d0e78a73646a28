"""Campaigns in processes of their own: the command line does the work, its folder says how far it is."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from dolq_core.errors import StoreError
from dolq_core.jobs.process import ONE_THREAD, ROOT
from dolq_core.ports import Store
from dolq_core.runs.allowance import AllowanceError, allow

YIELDS = 10
"""Niceness of the processes: a page that is being drawn goes first."""
ENDS_S = 30.0
COUNTS_S = 1.0
"""Seconds after which the time that a campaign takes is added to what its owner has used."""
CAMPAIGN = "Another campaign"
ENDED = "ended.txt"
STOPPED = (130, -signal.SIGINT)
"""What the command ends with after Ctrl-C; by the signal itself where that came before it could say more."""
HEARS = """import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("dolq_core", run_name="__main__")"""
"""`python -m dolq_core` that hears Ctrl-C from the first moment: an app behind a shell hands on that it is ignored."""


class Campaigns:
    """The campaigns that this program has started. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: dict[Path, subprocess.Popen[bytes]] = {}

    def start(self, folder: Path, arguments: Sequence[str], store: Store | None = None) -> None:
        """Begin, or go on with, the campaign in `folder`; raise StoreError when it is at work or cannot be written.

        arguments: what `python -m dolq_core bench run FOLDER` is told besides.
        store: whose owner the time counts for; raises AllowanceError where they have used all that each may.
        """
        if store is not None:
            allow(store, CAMPAIGN)
        with self._lock:
            if self._is_running(folder):
                raise StoreError("This campaign", "it is at work already", "Wait for it, or stop it first.")
            try:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / ENDED).unlink(missing_ok=True)
                log = (folder / "log.txt").open("wb")
            except OSError as error:
                raise StoreError(f"The folder {folder}", f"it cannot be written ({error})", "Free it.") from None
            with log:
                process = subprocess.Popen(
                    [sys.executable, "-c", HEARS, "bench", "run", str(folder), *arguments],
                    cwd=ROOT, env={**os.environ, **ONE_THREAD}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                )  # fmt: skip
            if hasattr(os, "setpriority"):  # not on Windows
                with contextlib.suppress(OSError):  # it has ended already
                    os.setpriority(os.PRIO_PROCESS, process.pid, YIELDS)
            self._processes[folder] = process
        if store is not None:
            threading.Thread(target=self._count, args=(folder, process, store), daemon=True).start()

    def _count(self, folder: Path, process: subprocess.Popen[bytes], store: Store) -> None:
        """Count the seconds while it works, of every process, and end it where the owner has no more."""
        while process.poll() is None:
            began = time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(COUNTS_S)
            try:
                store.spend((time.monotonic() - began) * (os.cpu_count() or 1), 0)
                allow(store, CAMPAIGN)
            except AllowanceError as error:
                with contextlib.suppress(OSError):
                    (folder / ENDED).write_text(str(error), encoding="utf-8")
                self.stop(folder)
                return
            except StoreError:  # the database takes nothing now
                continue

    def is_running(self, folder: Path) -> bool:
        """Whether the campaign in `folder` is at work."""
        with self._lock:
            return self._is_running(folder)

    def running(self) -> Path | None:
        """Return the folder of a campaign that is at work; None when none is."""
        with self._lock:
            return next((folder for folder in self._processes if self._is_running(folder)), None)

    def stop(self, folder: Path) -> None:
        """End the campaign as Ctrl-C does: what is done is stored."""
        with self._lock:
            process = self._processes.get(folder)
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGINT)

    def failure(self, folder: Path) -> str:
        """Return why the campaign ended before its time; empty where it did not."""
        with self._lock:
            process = self._processes.get(folder)
            code = process.poll() if process is not None else None
        with contextlib.suppress(OSError):
            return (folder / ENDED).read_text(encoding="utf-8")
        if code in (None, 0, 1, *STOPPED):  # 1: a run of it has no result, which the tables name
            return ""
        lines = (folder / "log.txt").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else f"Its process ended with {code}."

    def close(self) -> None:
        """Stop all campaigns and wait for their ends."""
        with self._lock:
            processes = list(self._processes.items())
        for folder, process in processes:
            self.stop(folder)
            try:
                process.wait(ENDS_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _is_running(self, folder: Path) -> bool:
        process = self._processes.get(folder)
        return process is not None and process.poll() is None
