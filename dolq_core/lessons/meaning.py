"""Whether the parts of a lesson fit together: names that are meant, terms that can be read, questions with answers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from dolq_core.errors import DolqError, TermError
from dolq_core.fitting import names_of
from dolq_core.lessons.format import FigureOf, Lesson, LessonStep, Quiz, Say, View, view_of
from dolq_core.lessons.problems import problem_of, skeleton, skeletons, state_of, true_law, true_texts
from dolq_core.records import Dataset
from dolq_core.terms import KINDS

Found: TypeAlias = tuple[int | None, str, str, str]
"""Number of the step from 0 (None outside), the place, the reason, the way out."""

BLANK = re.compile(r"\{([^{}]*)\}")
MOST_LAID: Final = 4
_NEED_STATE = {"coefficient", "status", "ties", "machine", "scientist", "numbers"}
_NEED_TERM = {"coefficient", "machine", "scientist", "numbers"}
_TELLS = {"machine": {"terms", "decisions"}, "scientist": {"terms"}, "numbers": {"terms"}}


def problems_of(lesson: Lesson) -> Sequence[Found]:
    """Return everything that does not fit together."""
    look = _Look(lesson)
    for number, name in enumerate(lesson.runs):
        look.run(name, list(lesson.runs)[:number])
    if look.found:
        return look.found
    for name, figure in lesson.figures.items():
        look.figure(f"figures, {name}", figure)
    if lesson.truth:
        look.truth()
    for number, step in enumerate(lesson.steps):
        look.number = number
        look.step(step)
    return look.found


@dataclass(slots=True)
class _Look:
    """What was found so far; number: of the step that is looked at."""

    lesson: Lesson
    found: list[Found] = field(default_factory=list[Found])
    number: int | None = None

    def say(self, place: str, reason: str, way: str) -> None:
        where = place if self.number is None else f"step {self.number + 1}, {place}"
        self.found.append((self.number, where, reason, way))

    def reads(self, place: str, reader: Callable[..., object], *given: object) -> bool:
        """Whether something can be read; a term or a data set is named in the reason why not."""
        try:
            reader(*given)
        except DolqError as error:
            named = isinstance(error, TermError) or reader is problem_of
            self.say(place, f"{error.thing}: {error.reason}" if named else error.reason, error.way_out)
            return False
        return True

    def known_run(self, place: str, name: str) -> bool:
        if name not in self.lesson.runs:
            self.say(place, f"there is no run {name!r}", f"Take one of {', '.join(self.lesson.runs)}.")
        return name in self.lesson.runs

    def known_truth(self, place: str, name: str) -> None:
        if not true_texts(self.lesson, name):
            self.say(place, "the true law is not known", "Give it: [truth] with a law for each state.")

    def run(self, name: str, before: Sequence[str]) -> None:
        place, run = f"runs, {name}", self.lesson.runs[name]
        fork_of = run.without_word_of
        if fork_of is not None and (run.data or run.drawn or run.derive or run.allow or run.description is not None):
            way = "Leave data, drawn, derive, allow and description out."
            self.say(place, "a fork has the data and the words of the run it comes from", way)
        elif fork_of is not None and fork_of not in before:
            self.say(place, f"there is no run {fork_of!r} before it", "Name one that stands above it.")
        elif run.data is None and fork_of is None:
            self.say(place, "it has neither data nor without_word_of", 'Name a data set: data = "yeast".')
        if (run.data is None) != (fork_of is None) and (fork_of is None or not self.found):
            self.reads(place, problem_of, self.lesson, name)

    def figure(self, place: str, figure: FigureOf) -> None:
        name = figure.run or next(iter(self.lesson.runs))
        if not self.known_run(place, name):
            return
        dataset = problem_of(self.lesson, name).dataset
        self.meant(place, dataset, figure.figure, figure.state, figure.term)
        if figure.figure == "rest" and len(dataset.states) != 1:
            self.say(place, "an equilibrium is read off a law of one state only", "Choose another figure.")
        if figure.figure in ("precision", "recall"):
            self.known_truth(place, name)

    def meant(self, place: str, dataset: Dataset, kind: str, state: str | None, term: str | None) -> None:
        """Look whether a state and a term are named where they are needed, and can be read."""
        if (kind in _NEED_STATE or state is not None) and not self.reads(place, state_of, dataset, state):
            return
        if kind in _NEED_TERM and term is None:
            self.say(place, "it needs a term", 'Name one, such as term = "x**2".')
        if term is not None:
            self.reads(place, skeleton, dataset, term)

    def truth(self) -> None:
        dataset = problem_of(self.lesson, next(iter(self.lesson.runs))).dataset
        names = [state.name for state in dataset.states]
        for name in [name for name in names if name not in self.lesson.truth]:
            self.say("truth", f"it has no law for {name!r}", f'Write one: {name} = "..."; "0" for none.')
        for name, text in self.lesson.truth.items():
            if name not in names:
                self.say("truth", f"there is no state {name!r}", f"The states are {', '.join(names)}.")
            else:
                self.reads(f"truth, {name}", true_law, [text], names_of(dataset))

    def step(self, step: LessonStep) -> None:
        name = self.lesson.run_name(step)
        if not self.known_run("run", name):
            return
        dataset = problem_of(self.lesson, name).dataset
        if step.act is not None and step.act.say is not None:
            self.word("act, say", step.act.say, dataset)
        elif step.act is not None and step.act.iterations == 0:
            self.say("act", "it does nothing", "Give it a word (say) or iterations.")
        then = step.ask.then if step.ask else ()
        for key, views in (("show", step.show), ("ask, then", then)):
            for view in map(view_of, views):
                self.view(key, view, name)
        if twice := [view for view in then if view in step.show]:
            self.say("ask, then", f"{twice[0]!r} is shown already", "Take it out of show or out of then.")
        if step.ask is not None:
            self.question(step.ask, dataset)
            if told := [view for view in step.show if view_of(view).kind in _hidden(step.ask)]:
                self.say("show", f"{told[0]!r} tells the answer before it is asked for", "Move it to then.")
        self.blanks(step)

    def word(self, place: str, say: Say, dataset: Dataset) -> None:
        terms = (*say.ban, *say.propose, *say.pin)
        if not terms and say.equation is None and say.ban_kind is None and say.description is None:
            way = "Name a term: ban, propose or pin; or an equation, a ban_kind, a description."
            self.say(place, "it says nothing", way)
            return
        if terms or say.equation is not None or say.state is not None:
            if not self.reads(place, state_of, dataset, say.state):
                return
            for text in terms:
                self.reads(place, skeleton, dataset, text)
            if say.equation is not None:
                self.reads(place, skeletons, dataset, say.equation, state_of(dataset, say.state))
        if say.ban_kind is not None and say.ban_kind not in KINDS.values():
            self.say(place, f"there is no kind {say.ban_kind!r}", f"Take one of: {'; '.join(KINDS.values())}.")

    def view(self, place: str, view: View, name: str) -> None:
        if unknown := [run for run in view.runs if run not in self.lesson.runs]:
            self.known_run(place, unknown[0])
        elif view.kind == "helped" and len(view.runs) != 2:
            self.say(place, "two runs are compared", 'Write "helped of first, second".')
        elif view.kind == "ahead" and len(view.runs) > MOST_LAID:
            self.say(place, f"{len(view.runs)} laws in one picture are too many", f"Name {MOST_LAID} runs at most.")
        elif view.kind not in ("helped", "ahead") and len(view.runs) > 1:
            self.say(place, f"{view.kind!r} shows one run", f'Write "{view.kind} of {view.runs[0]}".')
        elif view.kind == "truth":
            self.known_truth(place, view.runs[0] if view.runs else name)

    def question(self, ask: Quiz, dataset: Dataset) -> None:
        count = len(ask.options)
        if ask.kind in ("verdict", "status"):
            self.meant("ask", dataset, "machine" if ask.kind == "verdict" else "status", ask.state, ask.term)
        elif ask.kind == "number" and ask.answer is None:
            way = 'Add answer = "name" and [figures.name].'
            self.say("ask", "it does not say which figure is the answer", way)
        elif ask.kind == "number" and ask.answer not in self.lesson.figures:
            self.say("ask", f"there is no figure {ask.answer!r}", f"Add [figures.{ask.answer}].")
        elif ask.kind == "choice" and count < 2:
            there = "is one" if count else "are none"
            self.say("ask", f"a choice needs two options or more, and there {there}", "Add some.")
        elif ask.kind == "choice" and ask.right is None:
            self.say("ask", "it does not say which option is right", f"Add right = 1 (or up to {count}).")
        elif ask.kind == "choice" and not 1 <= (ask.right or 0) <= count:
            way = f"Give a number from 1 to {count}."
            self.say("ask", f"right is {ask.right}, and there are {count} options", way)

    def blanks(self, step: LessonStep) -> None:
        ask = step.ask
        replies = [("ask, options", option.reply or "") for option in ask.options] if ask else []
        asked = [("reveal", ask.reveal or ""), ("ask", ask.question)] if ask else []
        for place, text in [("text", step.text), *asked, *replies]:
            self.sides(place, step, text)
            for name in BLANK.findall(text):
                if name not in self.lesson.figures:
                    known = ", ".join(self.lesson.figures) or "there are none"
                    way = f"Add [figures.{name}], or take one: {known}."
                    self.say(place, f"{{{name}}} is no figure of the lesson", way)

    def sides(self, place: str, step: LessonStep, text: str) -> None:
        """Refuse a text that shows one figure under two names, as if they were two."""
        seen: dict[tuple[str | None, ...], str] = {}
        for name in BLANK.findall(text):
            figure = self.lesson.figures.get(name)
            if figure is None:
                continue
            run = figure.run or self.lesson.run_name(step)
            other = seen.setdefault((figure.figure, run, figure.state, figure.term), name)
            if other != name:
                reason = f"{{{other}}} and {{{name}}} are one figure: {figure.figure} of the run {run}"
                self.say(place, reason, 'Say of which run each is: run = "..." in its [figures].')


def _hidden(ask: Quiz) -> set[str]:
    """The views that would tell the answer."""
    if ask.kind == "verdict":
        return _TELLS[ask.judge]
    return {"equations"} if ask.kind == "status" else set[str]()
