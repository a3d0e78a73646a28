"""The lessons that come with the program, in the order to offer them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from dolq_core.bundled import SamplePlan
from dolq_core.lessons.format import Lesson
from dolq_core.lessons.problems import plan_of
from dolq_core.lessons.reading import read_file
from dolq_core.lessons.recorded import folder

_FIRST: Final = ("yeast", "coffee", "lynx-hare", "glider", "magnets", "nothing")


@dataclass(frozen=True, slots=True)
class BundledLesson:
    """A lesson and its file."""

    id: str
    path: Path
    lesson: Lesson


def plans(data: str) -> dict[str, SamplePlan]:
    """Return how the bundled lessons draw a computed data set, each way once, by lesson and run: for a live demo."""
    found: dict[SamplePlan, str] = {}
    for one in bundled():
        for run in one.lesson.runs.values():
            if run.data == data and run.drawn is not None:
                found.setdefault(
                    plan_of(run.drawn), f"{one.lesson.title}: {run.called}" if run.called else one.lesson.title
                )
    return {name: plan for plan, name in found.items()}


@cache
def bundled() -> tuple[BundledLesson, ...]:
    """Return all bundled lessons, the easiest first."""
    found = [BundledLesson(path.stem, path, read_file(path)) for path in folder().glob("*.toml")]
    order = {name: place for place, name in enumerate(_FIRST)}
    return tuple(sorted(found, key=lambda one: (order.get(one.id, len(order)), one.id)))
