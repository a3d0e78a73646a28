"""Whether the parts of a lesson fit together: names that are meant, terms that can be read, questions with answers."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from dolq_core.errors import DolqError, TermError
from dolq_core.fitting import names_of
from dolq_core.laws import law_of_texts
from dolq_core.lessons.format import FigureOf, Lesson, LessonStep, Quiz, Say, View, texts_of
from dolq_core.lessons.problems import problem_of, skeleton, skeletons, state_of, true_texts
from dolq_core.records import Dataset
from dolq_core.terms import KINDS

Misfit: TypeAlias = tuple[tuple[str | int, ...], str, str]
"""The place as keys and numbers, the reason, the way out."""

BLANK: Final = re.compile(r"\{([^{}]*)\}")
MOST_LAID: Final = 4
_NEED_STATE: Final = {"coefficient", "status", "ties", "machine", "scientist", "numbers"}
_NEED_TERM: Final = {"coefficient", "machine", "scientist", "numbers"}
_TELLS: Final[Mapping[str, set[str]]] = {
    "machine": {"terms", "decisions"}, "scientist": {"terms"}, "numbers": {"terms"}, "status": {"equations"},
}  # fmt: skip
"""The views that answer a question."""


def misfits(lesson: Lesson) -> Iterator[Misfit]:
    """Yield everything that does not fit together; of what a run is wrong in, nothing further can be said."""
    wrong = [found for name in lesson.runs for found in _run(lesson, name)]
    yield from wrong
    if wrong:
        return
    for name, figure in lesson.figures.items():
        yield from _figure(lesson, figure, ("figures", name))
    if lesson.truth:
        yield from _truth(lesson)
    for number, step in enumerate(lesson.steps):
        for place, reason, way in _step(lesson, number, step):
            yield ("steps", number, *place), reason, way


def _reads(place: tuple[str | int, ...], reader: Callable[..., object], *given: object) -> Iterator[Misfit]:
    """Yield why something cannot be read; a term or a data set is named in the reason."""
    try:
        reader(*given)
    except DolqError as error:
        named = isinstance(error, TermError) or reader is problem_of
        yield place, f"{error.thing}: {error.reason}" if named else error.reason, error.way_out


def _no_run(lesson: Lesson, name: str) -> tuple[str, str]:
    return f"there is no run {name!r}", f"Take one of {', '.join(lesson.runs)}."


def _run(lesson: Lesson, name: str) -> Iterator[Misfit]:
    place, run = ("runs", name), lesson.runs[name]
    fork_of = run.without_word_of
    if fork_of is None:
        if run.data is None:
            yield place, "it has neither data nor without_word_of", 'Name a data set: data = "yeast".'
        else:
            yield from _reads(place, problem_of, lesson, name)
    elif run.data or run.drawn or run.derive or run.allow or run.description is not None:
        way = "Leave data, drawn, derive, allow and description out."
        yield place, "a fork has the data and the words of the run it comes from", way
    elif fork_of not in list(lesson.runs)[: list(lesson.runs).index(name)]:
        yield place, f"there is no run {fork_of!r} before it", "Name one that stands above it."


def _figure(lesson: Lesson, figure: FigureOf, place: tuple[str, ...]) -> Iterator[Misfit]:
    name = figure.run or next(iter(lesson.runs))
    if name not in lesson.runs:
        yield place, *_no_run(lesson, name)
        return
    dataset = problem_of(lesson, name).dataset
    yield from _meant(place, dataset, figure.figure, figure.state, figure.term)
    if figure.figure == "rest" and len(dataset.states) != 1:
        yield place, "an equilibrium is read off a law of one state only", "Choose another figure."
    if figure.figure in ("precision", "recall"):
        yield from _known_truth(lesson, place, name)


def _meant(
    place: tuple[str | int, ...], dataset: Dataset, kind: str, state: str | None, term: str | None
) -> Iterator[Misfit]:
    """Yield whether a state and a term are not named where they are needed, or cannot be read."""
    if kind in _NEED_STATE or state is not None:
        yield from _reads(place, state_of, dataset, state)
    if kind in _NEED_TERM and term is None:
        yield place, "it needs a term", 'Name one, such as term = "x**2".'
    if term is not None:
        yield from _reads(place, skeleton, dataset, term)


def _known_truth(lesson: Lesson, place: tuple[str | int, ...], name: str) -> Iterator[Misfit]:
    if not true_texts(lesson, name):
        yield place, "the true law is not known", "Give it: [truth] with a law for each state."


def _truth(lesson: Lesson) -> Iterator[Misfit]:
    dataset = problem_of(lesson, next(iter(lesson.runs))).dataset
    names = [state.name for state in dataset.states]
    for name in names:
        if name not in lesson.truth:
            yield ("truth",), f"it has no law for {name!r}", f'Write one: {name} = "..."; "0" for none.'
    for name, text in lesson.truth.items():
        if name in names:
            yield from _reads(("truth", name), law_of_texts, [text], names_of(dataset))
        else:
            yield ("truth",), f"there is no state {name!r}", f"The states are {', '.join(names)}."


def _step(lesson: Lesson, number: int, step: LessonStep) -> Iterator[Misfit]:
    name = lesson.run_name(step)
    if name not in lesson.runs:
        yield ("run",), *_no_run(lesson, name)
        return
    dataset = problem_of(lesson, name).dataset
    if step.act is not None and step.act.say is not None:
        yield from _word(step.act.say, dataset)
    elif step.act is not None and step.act.iterations == 0:
        yield ("act",), "it does nothing", "Give it a word (say) or iterations."
    for view in step.show:
        yield from _view(lesson, ("show",), view, name)
    if step.ask is not None:
        for view in step.ask.then:
            yield from _view(lesson, ("ask", "then"), view, name)
            if view in step.show:
                yield ("ask", "then"), f"'{view}' is shown already", "Take it out of show or out of then."
        yield from _question(lesson, step.ask, dataset)
        yield from _told(lesson, number, step.ask)
    yield from _blanks(lesson, step)


def _word(say: Say, dataset: Dataset) -> Iterator[Misfit]:
    place, terms = ("act", "say"), (*say.ban, *say.propose, *say.pin)
    if not terms and say.equation is None and say.ban_kind is None and say.description is None:
        yield place, "it says nothing", "Name a term: ban, propose or pin; or an equation, a ban_kind, a description."
    if terms or say.equation is not None or say.state is not None:
        unknown = [*_reads(place, state_of, dataset, say.state)]
        yield from unknown
        for text in () if unknown else terms:
            yield from _reads(place, skeleton, dataset, text)
        if say.equation is not None and not unknown:
            yield from _reads(place, skeletons, dataset, say.equation, state_of(dataset, say.state))
    if say.ban_kind is not None and say.ban_kind not in KINDS.values():
        yield place, f"there is no kind {say.ban_kind!r}", f"Take one of: {'; '.join(KINDS.values())}."


def _view(lesson: Lesson, place: tuple[str, ...], view: View, name: str) -> Iterator[Misfit]:
    if unknown := [run for run in view.runs if run not in lesson.runs]:
        yield place, *_no_run(lesson, unknown[0])
    elif view.kind == "helped" and len(view.runs) != 2:
        yield place, "two runs are compared", 'Write "helped of first, second".'
    elif view.kind == "ahead" and len(view.runs) > MOST_LAID:
        reason = f"{len(view.runs)} laws in one picture are too many"
        yield place, reason, f"Name {MOST_LAID} runs at most."
    elif view.kind not in ("helped", "ahead") and len(view.runs) > 1:
        yield place, f"{view.kind!r} shows one run", f'Write "{view.kind} of {view.runs[0]}".'
    elif view.kind == "truth":
        yield from _known_truth(lesson, place, view.runs[0] if view.runs else name)


def _question(lesson: Lesson, ask: Quiz, dataset: Dataset) -> Iterator[Misfit]:
    place, count = ("ask",), len(ask.options)
    if ask.kind in ("verdict", "status"):
        yield from _meant(place, dataset, "machine" if ask.kind == "verdict" else "status", ask.state, ask.term)
    elif ask.kind == "number" and ask.answer is None:
        yield place, "it does not say which figure is the answer", 'Add answer = "name" and [figures.name].'
    elif ask.kind == "number" and ask.answer not in lesson.figures:
        yield place, f"there is no figure {ask.answer!r}", f"Add [figures.{ask.answer}]."
    elif ask.kind == "choice" and count < 2:
        there = "is one" if count else "are none"
        yield place, f"a choice needs two options or more, and there {there}", "Add some."
    elif ask.kind == "choice" and ask.right is None:
        yield place, "it does not say which option is right", f"Add right = 1 (or up to {count})."
    elif ask.kind == "choice" and not 1 <= (ask.right or 0) <= count:
        way = f"Give a number from 1 to {count}."
        yield place, f"right is {ask.right}, and there are {count} options", way


def _told(lesson: Lesson, number: int, ask: Quiz) -> Iterator[Misfit]:
    """Yield a view that answers the question before it is asked: on its step, or since the run was last worked on."""
    tells = _TELLS.get(ask.judge if ask.kind == "verdict" else ask.kind, set[str]())
    run = lesson.run_name(lesson.steps[number])
    for k in range(number, -1, -1):
        step = lesson.steps[k]
        home = lesson.run_name(step)
        then = step.ask.then if step.ask and k < number else ()
        for view in (*step.show, *then):
            if view.kind in tells and (view.runs or (home,)) == (run,):
                where = "" if k == number else f" on step {k + 1}"
                yield ("show",), f"'{view}' tells the answer before it is asked for{where}", "Move it to then."
                return
        if step.act is not None and home == run:
            return


def _blanks(lesson: Lesson, step: LessonStep) -> Iterator[Misfit]:
    for place, text in texts_of(step):
        seen: dict[tuple[str | None, ...], str] = {}
        for name in BLANK.findall(text):
            figure = lesson.figures.get(name)
            if figure is None:
                known = ", ".join(lesson.figures) or "there are none"
                way = f"Add [figures.{name}], or take one: {known}."
                yield place, f"{{{name}}} is no figure of the lesson", way
                continue
            run = figure.run or lesson.run_name(step)
            other = seen.setdefault((figure.figure, run, figure.state, figure.term), name)
            if other != name:  # two sides of a comparison that are one
                reason = f"{{{other}}} and {{{name}}} are one figure: {figure.figure} of the run {run}"
                yield place, reason, 'Say of which run each is: run = "..." in its [figures].'
