"""A lesson on paper: a worksheet for learners and the key for the teacher, as pages that a browser prints."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from dolq_core.lessons.checking import RunBy, walk
from dolq_core.lessons.figures import filled, right_answer
from dolq_core.lessons.format import Lesson, LessonStep, Quiz, views_of
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
_STYLE: Final = """
@page { margin: 18mm; } body { font: 11pt/1.45 serif; max-width: 46em; margin: 1em auto; padding: 0 1em; color: #000; }
h1 { font-size: 17pt; margin: 0; } h2 { font-size: 13pt; margin: 1.4em 0 .2em; break-after: avoid; }
section { break-inside: avoid; } .ask { border-left: 3px solid #000; padding-left: .8em; margin: .6em 0; }
.line { border-bottom: 1px solid #000; height: 1.6em; } small, .note { font-size: 9.5pt; color: #333; }
ul.options { list-style: none; padding-left: 0; } .key { background: #eee; padding: .3em .6em; }
code { font-family: monospace; }
"""


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
    """Return the learner's sheet as HTML: words and questions with room to answer, figures left open."""
    return _page(lesson, "Worksheet", [_step(lesson, number, {}, "") for number in range(len(lesson.steps))])


def answer_key(lesson: Lesson, file: str, show: Callable[[float], str]) -> str:
    """Return the teacher's sheet as HTML: with figures and right answers as the engine finds them here and now.

    show: how a number is written.
    """
    parts: list[str] = []

    def read(number: int, run_by: RunBy) -> None:
        step = lesson.steps[number]
        home = lesson.run_name(step)
        texts = [step.text, *_asked(step.ask)]
        known = {text: filled(lesson, text, home, run_by, show) for text in texts}
        right = right_answer(lesson, step.ask, home, run_by) if step.ask else ""
        parts.append(_step(lesson, number, known, show(right) if isinstance(right, float) else str(right)))

    walk(lesson, file, look_at=read)
    return _page(lesson, "Answer key", [*parts, *_for_the_teacher(lesson)])


def _page(lesson: Lesson, kind: str, parts: Sequence[str]) -> str:
    alone, together = minutes(lesson)
    said = [lesson.difficulty.capitalize()] if lesson.difficulty else []
    said += [f"about {alone} minutes alone, {together} in a class"]
    head = f"<h1>{_text(lesson.title)}</h1><p>{_text(lesson.question)}</p>"
    name = "" if kind != "Worksheet" else '<p>Name: <span style="letter-spacing: 0.5em">' + "_" * 30 + "</span></p>"
    sources = f"<h2>Sources</h2><ul>{_list(lesson.sources)}</ul>" if lesson.sources else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{_text(lesson.title)}: {kind.lower()}</title>"
        f"<style>{_STYLE}</style></head><body><small>{kind}. {' · '.join(said)}</small>{head}{name}"
        f"{''.join(parts)}{sources}</body></html>"
    )


def _for_the_teacher(lesson: Lesson) -> Sequence[str]:
    return [f"<h2>What learners get wrong</h2><ul>{_list(lesson.wrong)}</ul>"] if lesson.wrong else []


def _list(texts: Sequence[str]) -> str:
    return "".join(f"<li>{_text(text)}</li>" for text in texts)


def _step(lesson: Lesson, number: int, known: Mapping[str, str], right: str) -> str:
    """Return a step; known: its texts with their figures, empty on the worksheet."""
    step = lesson.steps[number]
    words = "; ".join(f"<b>{html.escape(word)}</b>: {html.escape(meant)}" for word, meant in
                      new_words(lesson, number).items())  # fmt: skip
    parts = [f"<h2>{number + 1}. {_text(step.title)}</h2>", *_paragraphs(known.get(step.text, step.text))]
    parts += [f'<p class="note">{words}</p>'] if words else []
    parts += [f"<p>▶ <i>{_text(step.act.button)}</i></p>"] if step.act else []
    parts += [_question(step, known, right)] if step.ask else []
    return f"<section>{''.join(parts)}</section>"


def _question(step: LessonStep, known: Mapping[str, str], right: str) -> str:
    ask = step.ask
    assert ask is not None
    said = [f"<b>{_text(known.get(ask.question, ask.question))}</b>"]
    options = [_option(k, option.text, str(k) == right, known) for k, option in enumerate(ask.options, 1)]
    said += [f'<ul class="options">{"".join(options)}</ul>'] if options else []
    if not known:
        said += [] if options else ['<div class="line"></div>']
    else:
        told = [f"Right: <b>{html.escape(right)}</b>."] if not options else []
        told += [_text(known.get(text, text)) for text in (ask.reveal,) if text]
        said += [f'<p class="key">{" ".join(told)}</p>'] if told else []
    return f'<div class="ask">{"".join(said)}</div>'


def _option(number: int, text: str, is_right: bool, known: Mapping[str, str]) -> str:
    shown = _text(known.get(text, text))
    return f"<li>{'☑' if is_right else '☐'} {f'<b>{shown}</b>' if is_right else shown}</li>"


def _paragraphs(said: str) -> Sequence[str]:
    return [f"<p>{_text(one)}</p>" for one in re.split(r"\n\s*\n", said.strip())]


def _text(said: str) -> str:
    """Return a text of a lesson as HTML: bold, terms, and a figure that is not known as a gap."""
    plain = html.escape(BLANK.sub("____", " ".join(said.split())))
    return _SPAN.sub(lambda found: f"<code>{found[1]}</code>" if found[1] else f"<b>{found[2]}</b>", plain)
