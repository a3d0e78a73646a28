"""Where a learner stands in a lesson, and what the buttons of its page do."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.lessons.acts import begin, go_on, needed, run_at, shared, unbegun
from dolq_core.lessons.attempting import Answer, Attempt, Done, Moved, Pressed, Ran, entries_at, keep
from dolq_core.lessons.figures import RunBy, Value, filled, is_right, right_answer
from dolq_core.lessons.format import Act, Lesson, Quiz, View, options_of
from dolq_core.ports import Store


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a step, its figures filled in, and what became of it.

    Attributes:
        options: (value, text) of each that can be chosen; empty where a number is asked for.
        said: the learner's answer, None before there is one, empty for "I do not know".
        right: the right answer and is_right: whether the learner's is; both None before there is one.
        reply: what is said to the one who gave this answer; reveal: what is said to everybody then.
    """

    kind: str
    question: str
    options: tuple[tuple[str, str], ...]
    said: str | None
    right: Value | None = None
    is_right: bool | None = None
    reply: str = ""
    reveal: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A step as it is to be drawn.

    Attributes:
        number: from 0, of `count`.
        name: the run of the step, as the lesson calls it.
        act: what its button does; None without one. acted: it is done, or there is nothing to do.
        waits: the id of the run that is to be computed further, `left` iterations; empty when nothing waits.
        show, then: views that can be drawn now; those behind the question only once it is answered.
        is_free: whether the learner may go on.
    """

    attempt: Attempt
    lesson: Lesson
    number: int
    count: int
    title: str
    text: str
    name: str
    act: Act | None
    acted: bool
    waits: str
    left: int
    show: tuple[View, ...]
    then: tuple[View, ...]
    asked: Asked | None
    is_free: bool


def stand(store: Store, now: Attempt, show: Callable[[float], str]) -> Standing:
    """Return the open step of a way; show: how a number is written in a text."""
    lesson = now.lesson
    step = lesson.steps[now.step]
    now, waits, left = settled(store, now)
    acted = step.act is None or now.step in now.done
    run_by = partial(seen_for, store, now)

    def fill(text: str) -> str:
        return filled(lesson, text, lesson.run_name(step), run_by, show)

    asked = _asked(now, step.ask, fill, run_by) if acted and step.ask else None
    answered = asked is None or asked.said is not None
    return Standing(
        attempt=now,
        lesson=lesson,
        number=now.step,
        count=len(lesson.steps),
        title=step.title,
        text=fill(step.text),
        name=lesson.run_name(step),
        act=step.act,
        acted=acted,
        waits=waits,
        left=left,
        show=step.show if acted else (),
        then=step.ask.then if acted and answered and step.ask else (),
        asked=asked,
        is_free=acted and answered,
    )


def settled(store: Store, now: Attempt) -> tuple[Attempt, str, int]:
    """Note that an act is done as soon as its run is far enough; else return the run and how many iterations wait."""
    goal = now.goals.get(now.step)
    if now.step in now.done or goal is None:
        return now, "", 0
    run = runs.load(store, now.runs[now.lesson.run_name(now.lesson.steps[now.step])])
    if run.state.iteration < goal:
        return now, run.id, goal - run.state.iteration
    return keep(now, Done(now.step, len(run.entries))), "", 0


def press(store: Store, now: Attempt) -> Attempt:
    """Do what the step's button does, as far as nothing must be computed; pressing twice is pressing once."""
    lesson = now.lesson
    step = lesson.steps[now.step]
    name = lesson.run_name(step)
    if step.act is None or now.step in now.goals:
        return now
    for one in needed(lesson, name):
        if one not in now.runs:
            now = keep(now, Ran(one, begin(store, lesson, one, now.runs)))
    run = runs.load(store, now.runs[name])
    now = keep(now, Pressed(now.step, run.state.iteration + step.act.iterations))
    go_on(store, lesson, now.file, name, run.id, step.act)
    return now


def answer(now: Attempt, value: str) -> Attempt:
    """Keep the answer to the question of the open step; the first one counts."""
    return keep(now, Answer(now.step, value))


def move(now: Attempt, step: int) -> Attempt:
    """Go to a step that was open before, or to the next one."""
    last = min(now.furthest + 1, len(now.lesson.steps) - 1)
    return keep(now, Moved(max(0, min(step, last))))


def run_for(store: Store, now: Attempt, name: str) -> runs.Run:
    """Return a run of the lesson as it was at the open step; one that has not begun has its data and words alone."""
    lesson = now.lesson
    made = now.runs.get(name)
    if made is None:
        return unbegun(lesson, name, now.id)
    return run_at(runs.load(store, made), entries_at(now, name))


def seen_for(store: Store, now: Attempt, name: str) -> runs.Run:
    """Return the same run to be looked at alone: what is made of it is made once for all who have its log."""
    return shared(run_for(store, now, name), name)


def score(store: Store, now: Attempt) -> tuple[int, int]:
    """Return how many questions of the lesson were answered rightly, of how many."""
    lesson = now.lesson
    asked = [k for k, step in enumerate(lesson.steps) if step.ask is not None]
    return sum(_was_right(store, now, lesson, k) for k in asked), len(asked)


def _was_right(store: Store, now: Attempt, lesson: Lesson, number: int) -> bool:
    ask, said = lesson.steps[number].ask, now.answers.get(number)
    if ask is None or not said:
        return False
    there = replace(now, step=number)
    home = lesson.run_name(lesson.steps[number])
    try:
        return is_right(ask, said, right_answer(lesson, ask, home, partial(seen_for, store, there)))
    except DolqError:
        return False


def _asked(now: Attempt, ask: Quiz, fill: Callable[[str], str], run_by: RunBy) -> Asked:
    options = tuple((value, fill(text)) for value, text in options_of(ask).items())
    asked = Asked(ask.kind, fill(ask.question), options, now.answers.get(now.step))
    if asked.said is None:
        return asked
    right = right_answer(now.lesson, ask, now.lesson.run_name(now.lesson.steps[now.step]), run_by)
    replies = {str(k): option.reply or "" for k, option in enumerate(ask.options, 1)}
    return replace(
        asked,
        right=right,
        is_right=is_right(ask, asked.said, right),
        reply=fill(replies.get(asked.said, "")),
        reveal=fill(ask.reveal or ""),
    )
