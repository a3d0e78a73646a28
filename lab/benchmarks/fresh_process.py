"""Calls a function in a process of its own, so that its memory is that of the call and of nothing before it."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

Returned = TypeVar("Returned")


def in_fresh_process(function: Callable[..., Returned], *given: object) -> Returned:
    """Return what the function returns in a fresh process; it is imported there before it is called."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *given).result()


def peak_mib() -> float:
    """Return the largest resident memory of this process; not by `resource`, which counts its parent's as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024
