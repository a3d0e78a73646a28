"""Calls from a solver, at any depth, take no memory from the system each time."""

import threading

import pytest

from dolq_core.stack import with_stack

resource = pytest.importorskip("resource", reason="Windows does not count pages")

CALLS, DEPTHS = 3000, 250


def nothing() -> None:
    return None


def most_taken(depth: int = DEPTHS) -> int:
    """Pages that the system gave while a function was called again and again, at the worst of all depths."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(CALLS):
        nothing()
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return max(taken, most_taken(depth - 1)) if depth else taken


def in_a_thread(work) -> int:
    """What it returns where no frames lie below it but those of a thread."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def test_within_a_large_frame_no_call_takes_a_page():
    assert in_a_thread(most_taken) >= CALLS, "without one, at some depth, each call does"
    assert in_a_thread(lambda: with_stack(most_taken)) < CALLS // 10
