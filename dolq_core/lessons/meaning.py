"""Whether the parts of a lesson fit together: names that are meant, terms that can be read, questions with answers."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from dolq_core.errors import DolqError, TermError
from dolq_core.fitting import names_of
from dolq_core.lessons.format import Act, Ask, FigureOf, Lesson, RunOf, Say, Step, View, view_of
from dolq_core.lessons.problems import problem_of, skeleton, skeletons, state_of, true_law, true_texts
from dolq_core.records import Dataset
from dolq_core.terms import KINDS

Found: TypeAlias = tuple[int | None, str, str, str]
"""Number of the step from 0 (None outside), the place, the reason, the way out."""

BLANK = re.compile(r"\{([^{}]*)\}")
_NEED_STATE = {"coefficient", "status", "ties", "machine", "scientist", "numbers"}
_NEED_TERM = {"coefficient", "machine", "scientist", "numbers"}
_TELLS = {"machine": {"terms", "decisions"}, "scientist": {"terms"}, "numbers": {"terms"}}


def problems_of(lesson: Lesson) -> Iterator[Found]:
    """Yield everything that does not fit together."""
    broken = [*_runs(lesson)]
    yield from broken
    if broken:
        return
    for name, figure in lesson.figures.items():
        yield from _figure(lesson, name, figure)
    yield from _truth(lesson)
    for number, step in enumerate(lesson.steps):
        for place, reason, way in _step(lesson, step):
            yield number, f"step {number + 1}, {place}", reason, way


def _runs(lesson: Lesson) -> Iterator[Found]:
    names = list(lesson.runs)
    for place, (name, run) in enumerate(lesson.runs.items()):
        at = f"runs, {name}"
        for reason, way in _run(run, names[:place]):
            yield None, at, reason, way
        if (run.data is None) == (run.without_word_of is None):
            continue
        try:
            problem_of(lesson, name)
        except DolqError as error:
            yield None, at, f"{error.thing}: {error.reason}", error.way_out
        except KeyError:
            pass  # a fork of what does not exist: said above


def _run(run: RunOf, before: Sequence[str]) -> Iterator[tuple[str, str]]:
    if run.without_word_of is not None and (run.data or run.drawn or run.description is not None):
        yield "a fork has the data and the words of the run it comes from", "Leave data, drawn and description out."
    elif run.without_word_of is not None and run.without_word_of not in before:
        yield f"there is no run {run.without_word_of!r} before it", "Name one that stands above it."
    elif run.data is None and run.without_word_of is None:
        yield "it has neither data nor without_word_of", 'Name a data set: data = "yeast".'


def _figure(lesson: Lesson, name: str, figure: FigureOf) -> Iterator[Found]:
    place = f"figures, {name}"
    if figure.run is not None and figure.run not in lesson.runs:
        yield None, place, f"there is no run {figure.run!r}", f"Take one of {', '.join(lesson.runs)}."
        return
    dataset = problem_of(lesson, figure.run or next(iter(lesson.runs))).dataset
    yield from ((None, place, reason, way) for reason, way in _named(dataset, figure.figure, figure.state, figure.term))
    if figure.figure == "rest" and len(dataset.states) != 1:
        yield None, place, "a place of rest is read off a law of one state only", "Choose another figure."
    if figure.figure in ("precision", "recall") and not true_texts(lesson, figure.run or next(iter(lesson.runs))):
        yield None, place, "the true law is not known", "Give it: [truth] with a law for each state."


def _named(dataset: Dataset, kind: str, state: str | None, term: str | None) -> Iterator[tuple[str, str]]:
    if kind in _NEED_STATE or state is not None:
        try:
            state_of(dataset, state)
        except DolqError as error:
            yield error.reason, error.way_out
            return
    if kind in _NEED_TERM and term is None:
        yield "it needs a term", 'Name one, such as term = "x**2".'
    if term is not None:
        yield from _term(dataset, term)


def _term(dataset: Dataset, text: str) -> Iterator[tuple[str, str]]:
    try:
        skeleton(dataset, text)
    except TermError as error:
        yield f"{error.thing}: {error.reason}", error.way_out


def _truth(lesson: Lesson) -> Iterator[Found]:
    if not lesson.truth:
        return
    dataset = problem_of(lesson, next(iter(lesson.runs))).dataset
    names = [state.name for state in dataset.states]
    for name in [name for name in names if name not in lesson.truth]:
        yield None, "truth", f"it has no law for {name!r}", f'Write one: {name} = "..."; "0" for none.'
    for name, text in lesson.truth.items():
        if name not in names:
            yield None, "truth", f"there is no state {name!r}", f"The states are {', '.join(names)}."
            continue
        try:
            true_law([text], names_of(dataset))
        except TermError as error:
            yield None, f"truth, {name}", f"{error.thing}: {error.reason}", error.way_out


def _step(lesson: Lesson, step: Step) -> Iterator[tuple[str, str, str]]:
    name = lesson.run_name(step)
    if name not in lesson.runs:
        yield "run", f"there is no run {name!r}", f"Take one of {', '.join(lesson.runs)}."
        return
    dataset = problem_of(lesson, name).dataset
    if step.act is not None:
        yield from _act(step.act, dataset)
    then = step.ask.then if step.ask else ()
    for key, views in (("show", step.show), ("ask, then", then)):
        for view in map(view_of, views):
            yield from ((key, reason, way) for reason, way in _view(lesson, view, name))
    twice = [view for view in then if view in step.show]
    if twice:
        yield "ask, then", f"{twice[0]!r} is shown already", "Take it out of show or out of then."
    yield from _asked(lesson, step, dataset)
    yield from _blanks(lesson, step)


def _act(act: Act, dataset: Dataset) -> Iterator[tuple[str, str, str]]:
    if act.say is None and act.iterations == 0:
        yield "act", "it does nothing", "Give it a word (say) or iterations."
    if act.say is not None:
        yield from (("act, say", reason, way) for reason, way in _say(act.say, dataset))


def _say(say: Say, dataset: Dataset) -> Iterator[tuple[str, str]]:
    terms = (*say.ban, *say.propose, *say.pin)
    if not terms and say.equation is None and say.ban_kind is None and say.description is None:
        yield "it says nothing", "Name a term: ban, propose or pin; or an equation, a ban_kind, a description."
        return
    if terms or say.equation is not None or say.state is not None:
        try:
            equation = state_of(dataset, say.state)
        except DolqError as error:
            yield error.reason, error.way_out
            return
        for text in terms:
            yield from _term(dataset, text)
        if say.equation is not None:
            yield from _equation(dataset, say.equation, equation)
    if say.ban_kind is not None and say.ban_kind not in KINDS.values():
        yield f"there is no kind {say.ban_kind!r}", f"Take one of: {'; '.join(KINDS.values())}."


def _equation(dataset: Dataset, text: str, equation: int) -> Iterator[tuple[str, str]]:
    try:
        skeletons(dataset, text, equation)
    except TermError as error:
        yield f"{error.thing}: {error.reason}", error.way_out


def _view(lesson: Lesson, view: View, name: str) -> Iterator[tuple[str, str]]:
    unknown = [run for run in view.runs if run not in lesson.runs]
    if unknown:
        yield f"there is no run {unknown[0]!r}", f"Take one of {', '.join(lesson.runs)}."
    elif view.kind == "helped" and len(view.runs) != 2:
        yield "two runs are compared", 'Write "helped of first, second".'
    elif view.kind != "helped" and len(view.runs) > 1:
        yield f"{view.kind!r} shows one run", f'Write "{view.kind} of {view.runs[0]}".'
    elif view.kind == "truth" and not true_texts(lesson, view.runs[0] if view.runs else name):
        yield "the true law is not known", "Give it: [truth] with a law for each state."


def _asked(lesson: Lesson, step: Step, dataset: Dataset) -> Iterator[tuple[str, str, str]]:
    if step.ask is None:
        return
    yield from (("ask", reason, way) for reason, way in _ask(lesson, step.ask, dataset))
    hidden = _hidden(step.ask)
    told = [view for view in step.show if view_of(view).kind in hidden]
    if told:
        yield "show", f"{told[0]!r} tells the answer before it is asked for", "Move it to then."


def _hidden(ask: Ask) -> set[str]:
    """The views that would tell the answer."""
    if ask.kind == "verdict":
        return _TELLS[ask.judge]
    return {"equations"} if ask.kind == "status" else set[str]()


def _ask(lesson: Lesson, ask: Ask, dataset: Dataset) -> Iterator[tuple[str, str]]:
    if ask.kind == "choice":
        count = len(ask.options)
        if count < 2:
            yield f"a choice needs two options or more, and there {'is one' if count else 'are none'}", "Add some."
        elif ask.right is None:
            yield "it does not say which option is right", f"Add right = 1 (or up to {count})."
        elif not 1 <= ask.right <= count:
            yield f"right is {ask.right}, and there are {count} options", f"Give a number from 1 to {count}."
    elif ask.kind == "number":
        if ask.answer is None:
            yield "it does not say which figure is the answer", 'Add answer = "name" and [figures.name].'
        elif ask.answer not in lesson.figures:
            yield f"there is no figure {ask.answer!r}", f"Add [figures.{ask.answer}]."
    else:
        kind = "machine" if ask.kind == "verdict" else "status"
        yield from _named(dataset, kind, ask.state, ask.term)


def _blanks(lesson: Lesson, step: Step) -> Iterator[tuple[str, str, str]]:
    replies = [option.reply or "" for option in step.ask.options] if step.ask else []
    texts = {
        "text": step.text,
        "reveal": (step.ask.reveal or "") if step.ask else "",
        "ask": step.ask.question if step.ask else "",
    }
    for place, text in [*texts.items(), *(("ask, options", reply) for reply in replies)]:
        for name in BLANK.findall(text):
            if name not in lesson.figures:
                known = ", ".join(lesson.figures) or "there are none"
                yield place, f"{{{name}}} is no figure of the lesson", f"Add [figures.{name}], or take one: {known}."
