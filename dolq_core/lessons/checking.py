"""A lesson walked from its first step to its last with the real engine: is what it says what comes out?"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import TypeAlias

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.lessons.attempting import Attempt
from dolq_core.lessons.figures import RunBy, Value, right_answer, value_of
from dolq_core.lessons.format import Lesson, LessonStep, texts_of
from dolq_core.lessons.meaning import BLANK
from dolq_core.lessons.recorded import recording
from dolq_core.lessons.walking import press, run_for, settled
from dolq_core.ports import Store
from dolq_core.records import Entry
from dolq_core.runs.likeness import alike
from dolq_core.store.memory import MemoryStore

LookAt: TypeAlias = Callable[[int, RunBy], None]
SLOW_S = 20.0
"""Seconds that a class waits for one press of a button without complaint."""


@dataclass(slots=True)
class Walked:
    """What came of a walk.

    Attributes:
        problems: what the lesson relies on and the engine does not bear out; warnings: what a teacher should know.
        figures: the last value of each; shown: each with the step from 1, its name and the run that it is of.
        seconds: of the slowest act, and `total` of all.
        logs: the runs as they ended, by their names in the lesson.
    """

    problems: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])
    figures: dict[str, float | str] = field(default_factory=dict[str, float | str])
    shown: list[tuple[int, str, str, float | str]] = field(default_factory=list[tuple[int, str, str, float | str]])
    seconds: float = 0.0
    total: float = 0.0
    logs: dict[str, tuple[Entry, ...]] = field(default_factory=dict[str, tuple[Entry, ...]])


def walk(lesson: Lesson, file: str, *, live: bool = False, look_at: LookAt | None = None) -> Walked:
    """Go a way through the lesson that is kept nowhere, and look at every figure and question.

    live: without its recordings; look_at: is given the number of each step, from 0, and its runs as they are then.
    """
    store, found, computed = MemoryStore(), Walked(), set[str]()
    now = Attempt("", file, "", _live(lesson) if live else lesson)
    for number in range(len(lesson.steps)):
        try:
            now = _acted(store, replace(now, step=number), found, computed)
        except DolqError as error:
            found.problems.append(f"step {number + 1}, act: {error}")
            break
        seen = partial(run_for, store, now)
        look(lesson, number, seen, found)
        if look_at is not None:
            look_at(number, seen)
    found.logs = {name: runs.load(store, run).entries for name, run in now.runs.items()}
    found.problems += [*_unlike(now.lesson, file, found.logs, computed)]
    return found


def _acted(store: Store, now: Attempt, found: Walked, computed: set[str]) -> Attempt:
    step, since = now.lesson.steps[now.step], time.monotonic()
    now, waits, _ = settled(store, press(store, now))
    while waits:
        computed.add(now.lesson.run_name(step))
        runs.step_once(store, waits)
        now, waits, _ = settled(store, now)
    took = time.monotonic() - since if step.act is not None else 0.0
    found.seconds, found.total = max(found.seconds, took), found.total + took
    if took > SLOW_S:
        said = f"“{step.title}” took {took:.0f} s here: record the run, or ask for fewer iterations."
        found.warnings.append(said)
    return now


def look(lesson: Lesson, number: int, run_by: RunBy, found: Walked) -> None:
    """Note what is wrong with the figures that a step shows, and with its question; number: from 0.

    Those that no step shows are what the lesson relies on without a word: they are looked at with the last step.
    """
    step = lesson.steps[number]
    home = lesson.run_name(step)
    silent = set(lesson.figures) - set(found.figures) if step is lesson.steps[-1] else set[str]()
    for name in sorted(_named(step) | silent):
        try:
            value = value_of(lesson, name, home, run_by)
            found.shown.append((number + 1, name, lesson.figures[name].run or home, value))
            said = [*_relied(lesson, name, value, found)]
        except DolqError as error:
            said = [str(error)]
        found.problems += [f"step {number + 1}, {one}" for one in said]
    if step.ask is not None:
        try:
            right_answer(lesson, step.ask, home, run_by)
        except DolqError as error:
            found.problems.append(f"step {number + 1}, ask: {error}")


def _unlike(
    lesson: Lesson, file: str, logs: Mapping[str, tuple[Entry, ...]], computed: Collection[str]
) -> Iterator[str]:
    """Yield which recordings the walk could not follow to its end: then each class would compute.

    computed: runs of which an iteration was.
    """
    for name, log in logs.items():
        known = recording(lesson, file, name)
        if known and not alike(known[: len(log)], log):
            yield f"the recording of {name!r} is of another run: the lesson was changed since. Record it again."
        elif known and name in computed:
            yield f"the recording of {name!r} ends before its last iteration. Record it again."
        elif lesson.runs[name].recorded and not known:
            yield f"the run {name!r} says recorded = true, and has no recording. Record it, or leave that out."


def _named(step: LessonStep) -> set[str]:
    """The figures that a step speaks of, and the one that it asks for."""
    names = {name for _, text in texts_of(step) for name in BLANK.findall(text)}
    return names | ({step.ask.answer} if step.ask and step.ask.answer else set[str]())


def _relied(lesson: Lesson, name: str, value: Value, found: Walked) -> Iterator[str]:
    """Yield where a figure is not what the lesson says that it relies on."""
    figure = lesson.figures[name]
    found.figures[name] = value
    if isinstance(value, str):
        if figure.be is not None and value != figure.be:
            yield f"the figure '{name}' is {value!r}, and the lesson relies on {figure.be!r}. Change its words."
    elif figure.low is None and figure.high is None:
        said = f"Nothing says what the figure '{name}' ({value:.4g}) may be: give it low and high."
        found.warnings += [said] if said not in found.warnings else []
    elif not (-inf if figure.low is None else figure.low) <= value <= (inf if figure.high is None else figure.high):
        yield f"the figure '{name}' is {value:.4g}, and the lesson relies on {_range(figure.low, figure.high)}."


def _range(low: float | None, high: float | None) -> str:
    if low is None:
        return f"{high:g} at most"
    return f"{low:g} or more" if high is None else f"{low:g} to {high:g}"


def _live(lesson: Lesson) -> Lesson:
    every = {name: run.model_copy(update={"recorded": False}) for name, run in lesson.runs.items()}
    return lesson.model_copy(update={"runs": every})
