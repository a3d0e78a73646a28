"""A lesson on paper: a worksheet for learners and the key for the teacher, as pages that a browser prints."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dolq_core.export.templates import printable, render
from dolq_core.lessons.checking import RunBy, walk
from dolq_core.lessons.figures import filled, right_answer
from dolq_core.lessons.format import Lesson, Quiz, options_of, views_of
from dolq_core.lessons.glossary import new_words
from dolq_core.lessons.meaning import BLANK

WORDS_A_MINUTE: Final = 130.0
"""Of a text that is read to be understood, and read aloud in a class."""
THINKING_MIN: Final = 0.5
"""For a question."""
VIEW_MIN: Final = 0.25
"""For a picture."""
TALK_MIN: Final = 1.0
"""For a question that a class talks over."""
_SPAN: Final = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*")


def minutes(lesson: Lesson) -> tuple[int, int]:
    """Return about how long a lesson takes: alone, and in a class that talks over each question."""
    texts = [text for step in lesson.steps for text in (step.title, step.text, *_asked(step.ask))]
    questions = sum(step.ask is not None for step in lesson.steps)
    views = sum(len(views_of(step)) for step in lesson.steps)
    alone = len(" ".join(texts).split()) / WORDS_A_MINUTE + questions * THINKING_MIN + views * VIEW_MIN
    return round(alone), round(alone + questions * TALK_MIN)


def _asked(ask: Quiz | None) -> Sequence[str]:
    return () if ask is None else (ask.question, ask.reveal or "", *(option.text for option in ask.options))


def worksheet(lesson: Lesson) -> str:
    """Return the lesson to be filled in by hand: no figure is known, and every answer is a gap."""
    return _page(lesson, "Worksheet", [_step(lesson, k, str, "") for k in range(len(lesson.steps))])


def answer_key(lesson: Lesson, file: str, show: Callable[[float], str]) -> str:
    """Return the lesson with its figures, as the engine finds them, with right answers and what learners get wrong."""
    steps: list[Mapping[str, Any]] = []

    def read(number: int, run_by: RunBy) -> None:
        ask, home = lesson.steps[number].ask, lesson.run_name(lesson.steps[number])
        right = right_answer(lesson, ask, home, run_by) if ask else ""
        told = right if isinstance(right, str) else show(right)
        steps.append(_step(lesson, number, lambda text: filled(lesson, text, home, run_by, show), told))

    walk(lesson, file, look_at=read)
    return _page(lesson, "Answer key", steps, {"What learners get wrong": lesson.wrong})


def _page(
    lesson: Lesson, kind: str, steps: Sequence[Mapping[str, Any]], lists: Mapping[str, Sequence[str]] | None = None
) -> str:
    alone, together = minutes(lesson)
    facts = [lesson.difficulty.capitalize()] if lesson.difficulty else []
    facts += [f"about {alone} minutes alone, {together} in a class"]
    return render(
        "lesson.html", kind=kind, is_key=lists is not None, title=_text(lesson.title), question=_text(lesson.question),
        facts=" · ".join(facts), steps=steps,
        lists={name: [*map(_text, texts)] for name, texts in {**(lists or {}), "Sources": lesson.sources}.items()},
    )  # fmt: skip


def _step(lesson: Lesson, number: int, fill: Callable[[str], str], right: str) -> Mapping[str, Any]:
    """Return the parts of a step; fill: puts the figures into a text."""
    step = lesson.steps[number]
    ask = step.ask
    options = options_of(ask) if ask else {}
    return {
        "title": _text(step.title),
        "paragraphs": [_text(fill(one)) for one in re.split(r"\n\s*\n", step.text.strip())],
        "words": new_words(lesson, number),
        "button": step.act and _text(step.act.button),
        "asked": ask and _text(fill(ask.question)),
        "options": [(_text(fill(text)), value == right) for value, text in options.items()],
        "right": "" if options else right,
        "reveal": _text(fill(ask.reveal or "")) if ask else "",
    }


def _text(said: str) -> str:
    """Return a text of a lesson as HTML, which the template takes as it is: bold, terms, an unknown figure as a gap."""
    plain = html.escape(printable(BLANK.sub("____", " ".join(said.split()))))
    return _SPAN.sub(lambda found: f"<code>{found[1]}</code>" if found[1] else f"<b>{found[2]}</b>", plain)
