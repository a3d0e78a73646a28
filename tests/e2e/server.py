"""The real app on a free port of this machine, with a database of its own, for as long as it is needed."""

import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.waiting import LONGEST_S, until

ROOT = Path(__file__).parents[2]
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]
FLAGS += ["--js-flags=--single-threaded --min-semi-space-size=32"]  # its helpers take more than they save on two cores
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start this machine's Chromium, and close it afterwards."""
    with sync_playwright() as playwright:
        path = os.environ.get("DOLQ_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def served(
    database: Path,
    root: Path = ROOT,
    python: Path | str = sys.executable,
    secrets: Path | None = None,
    profile: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Start the app and yield its address; end exactly that process afterwards.

    root, python: another copy of the project, and its Python; secrets: a secrets.toml; profile: more environment.
    """
    port = free_port()
    command = [str(python), "-m", "streamlit", "run", str(root / "app.py")]
    options = ["--server.headless=true", "--server.fileWatcherType=none", f"--server.port={port}"]
    options += [f"--secrets.files={secrets}"] if secrets else []
    own = {"DOLQ_DB": str(database), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment = os.environ | dict(profile or {}) | own
    log = database.with_suffix(".log")
    with log.open("wb") as out:
        server = subprocess.Popen([*command, *options], cwd=root, env=environment, stdout=out, stderr=out)
        try:
            health = f"http://127.0.0.1:{port}/_stcore/health"
            until(lambda: _is_up(health, server, log), every=0.1, say=lambda: _said(log))
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(LONGEST_S)


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _is_up(health: str, server: subprocess.Popen[bytes], log: Path) -> bool:
    assert server.poll() is None, _said(log)
    try:
        with urllib.request.urlopen(health, timeout=LONGEST_S):
            return True
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def _said(log: Path) -> str:
    return f"The app did not start:\n{log.read_text(errors='replace')}"
