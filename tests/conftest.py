"""What all tests share: one thread per process, no network but this machine, stores that vanish."""

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")  # before NumPy is imported anywhere

import ipaddress
import shutil
import sys
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from dolq_core.stack import with_stack
from tests import stored

pytest.register_assert_rewrite("tests.contracts")

CI = bool(os.environ.get("CI"))
SLOW = [HealthCheck.too_slow]  # a busy machine is no fault
settings.register_profile("dolq", deadline=None, max_examples=100, derandomize=CI, suppress_health_check=SLOW)
settings.load_profile("dolq")


class NetworkUsed(RuntimeError):
    """A test tried to reach another machine. Not an OSError, so that no code under test can swallow it."""


def _is_here(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    name = host.decode() if isinstance(host, bytes) else str(host)
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_other_machines(event: str, args: tuple[Any, ...]) -> None:
    """Audit hook: names and addresses of other machines are refused before anything is sent."""
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = args[0]
    elif event in ("socket.connect", "socket.sendto") and isinstance(args[1], tuple):  # unix sockets have no tuple
        host = args[1][0]
    else:
        return
    if not _is_here(host):
        raise NetworkUsed(f"{event} to {host!r}: tests talk to this machine only")


sys.addaudithook(_refuse_other_machines)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the browser's tests come first: where two processes share the tests, one of them starts server and browser.

    In the middle of all they would be cut in two, and at the end they would be taken over one by one.
    """
    items.sort(key=lambda item: "e2e" not in item.path.parts)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Call a test with memory for the frames of all that it calls: without, some take twice as long."""
    test = pyfuncitem.obj
    pyfuncitem.obj = wraps(test)(lambda **given: with_stack(lambda: test(**given)))
    return (yield)


@pytest.fixture(scope="session", autouse=True)
def _shared_discoveries(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One folder for all processes of a session: that of a worker lies in the session's own."""
    own = tmp_path_factory.getbasetemp()
    stored.FOUND[:] = [own.parent if "PYTEST_XDIST_WORKER" in os.environ else own]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the machine's Chromium. Without one the test is skipped, but never in CI."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = os.environ.get("DOLQ_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None and CI:
        pytest.fail("CI has no Chromium: .ci/run installs Debian's package `chromium`")
    if found is None:
        pytest.skip("no Chromium on this machine; install one, or name it in DOLQ_CHROMIUM")
    return found


@pytest.fixture(scope="session")
def octave() -> str:
    """Path of GNU Octave. Without it the test is skipped, but never in CI."""
    found = shutil.which("octave-cli")
    if found is None and CI:
        pytest.fail("CI has no GNU Octave: .ci/run installs Debian's package `octave`")
    if found is None:
        pytest.skip("no GNU Octave on this machine")
    return found


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A place for a database, kept away from the user's own by DOLQ_DB."""
    return tmp_path / "runs.db"


@pytest.fixture(autouse=True)
def _own_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "default.db"))
