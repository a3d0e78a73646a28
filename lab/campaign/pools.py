"""Where tasks are done: in this process, in processes of this machine, or on a Dask cluster. One interface for all."""

import multiprocessing
import os
import platform
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, TypeVar

from dolq_core.version import VERSION
from lab.campaign.records import CampaignError

T = TypeVar("T")

NUMBERS = ("numpy", "scipy")
"""Packages whose versions change the last digits of results."""
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
YIELDS = 10
"""Niceness of the processes: whoever works at this machine comes first."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A place where tasks are done.

    Attributes:
        words: what it is, for the person who waits.
        make: opens it; called again when it broke.
        room: how many tasks it should have at a time.
        lost: errors that say a worker died, and nothing about the task.
        stop: ends what is running at once.
    """

    words: str
    make: Callable[[], Executor]
    room: Callable[[], int]
    lost: tuple[type[BaseException], ...]
    stop: Callable[[Executor], None]


class _Here(Executor):
    """Does a task when it is submitted, in this very process."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future = Future[T]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  as every executor: the future tells it to who asks
            future.set_exception(error)
        return future


def here() -> Pool:
    """One task after the other, in this process."""
    return Pool("this process", _Here, lambda: 1, (), lambda executor: executor.shutdown())


def processes(workers: int = 0) -> Pool:
    """Processes of this machine, each with one thread; as many as there are processors where `workers` is 0."""
    count = workers or os.cpu_count() or 1
    before = {child.pid for child in multiprocessing.active_children()}

    def make() -> Executor:
        for variable in ONE_THREAD:
            os.environ.setdefault(variable, "1")  # before the children import NumPy
        return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin)

    def stop(executor: Executor) -> None:
        for child in multiprocessing.active_children():
            if child.pid not in before:
                child.terminate()
        executor.shutdown(wait=True, cancel_futures=True)

    return Pool(f"{count} processes", make, lambda: count, (BrokenExecutor,), stop)


def _begin() -> None:
    """Make a worker process: Ctrl-C is for the one that started it, and others come first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(YIELDS)


def cluster(address: str, patience_s: float = 10.0) -> Pool:
    """A Dask cluster, by the address of its scheduler; raise CampaignError when there is none.

    An address that begins with tls:// takes its certificates from Dask's own configuration. The workers that are there
    have to run this version of the program; other versions of its libraries are told in `words`.
    """
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415  an optional extra
        from distributed.comm.core import CommClosedError  # noqa: PLC0415
    except ImportError:
        way_out = "Install it: pip install 'dolq[cluster]', on every machine of the cluster."
        raise CampaignError("A campaign on a cluster", "Dask's 'distributed' is not installed", way_out) from None
    try:
        client: Any = Client(address, timeout=patience_s)  # its methods are async or not, which types cannot say
    except (OSError, ValueError) as error:
        way_out = "Start one with: dask scheduler. Then on every machine: dask worker ADDRESS --nthreads 1"
        raise CampaignError(f"The scheduler {address}", f"it does not answer ({error})", way_out) from None

    try:
        theirs: dict[str, dict[str, str]] = client.run(versions)
    except ImportError as error:
        way_out = "Install it there: pip install 'dolq[cluster]'."
        raise CampaignError(f"The workers at {address}", f"they cannot load the program ({error})", way_out) from None
    unlike = differing(theirs, versions())
    if any(" dolq " in one for one in unlike):
        client.close()
        way_out = "Install the same version on every machine."
        raise CampaignError(f"The cluster at {address}", "; ".join(unlike), way_out)

    def room() -> int:
        threads: dict[str, int] = client.nthreads()
        return max(2, 2 * sum(threads.values()))

    def make() -> Executor:
        return client.get_executor(pure=False)

    def stop(executor: Executor) -> None:
        executor.shutdown(wait=False)
        client.close()

    words = "; ".join([f"the cluster at {address}", *unlike])
    return Pool(words, make, room, (KilledWorker, CancelledError, CommClosedError), stop)


def versions() -> dict[str, str]:
    """Return the versions here of the program and of what its numbers hang on."""
    return {"dolq": VERSION, "Python": platform.python_version(), **{name: version(name) for name in NUMBERS}}


def differing(theirs: Mapping[str, Mapping[str, str]], ours: Mapping[str, str]) -> list[str]:
    """Return of each machine that has other versions which, in words; theirs: by worker."""
    found: dict[str, list[str]] = {}
    for worker, own in theirs.items():
        other = [f"{name} {own.get(name, 'not at all')}" for name in ours if own.get(name) != ours[name]]
        here = ", ".join(f"{name} {value}" for name, value in ours.items() if own.get(name) != value)
        if other:
            found.setdefault(f" has {', '.join(other)} (here {here})", []).append(worker)
    return [f"{workers[0]}{_others(len(workers) - 1)}{what}" for what, workers in found.items()]


def _others(count: int) -> str:
    return f" and {count} more," if count else ""
