"""What a run does while it works, in the words of the page and of the command line."""

from collections.abc import Collection, Sequence
from typing import Final

from dolq_core.records import Variable, derivative

PHASES: Final = {
    "": "Starting",
    "wait": "Waiting for a free processor",
    "sample": "Proposing",
    "fit": "Fitting",
    "evaluate": "Grading",
    "decide": "Deciding",
    "simulate": "Simulating",
}
"""The word for each phase of the loop."""


def doing(phase: str, done: int, of: int) -> str:
    """Return what is done, and how much of it: "Fitting, 1 of 3"."""
    return PHASES.get(phase, phase.capitalize()) + (f", {done} of {of}" if of > 1 else "")


def worked_on(states: Sequence[Variable], equations: Collection[int], *, whole: bool) -> str:
    """Return which of several equations is worked on, where it is one or all of them together; else nothing.

    equations: those of which structures were fitted lately; whole: whether whole systems were.
    """
    if len(states) == 1 or len(equations) + whole != 1:
        return ""
    return "all equations together" if whole else derivative(states[next(iter(equations))].name)
