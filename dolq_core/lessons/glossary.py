"""The program's own words, each in a sentence, for a step that uses it."""

import re
from collections.abc import Mapping
from typing import Final

from dolq_core.lessons.format import Lesson, LessonStep, texts_of, views_of

WORDS: Final[Mapping[str, str]] = {
    "state": "a quantity that is measured over time and whose change the law gives",
    "term": "one of the parts that a law adds up, such as 0.5 x",
    "iteration": "one round: propose terms, fit them, grade them, decide",
    "keep": "the machine's decision that a term stays in the law",
    "hold": "undecided: the term stays for now and is looked at again",
    "remove": "the term is out, and is not proposed again",
    "the Scientist": "the agent that grades whether a term makes sense for what was described",
    "the numbers": "the grade by data alone: how much worse the fit gets without the term",
    "settled": "the law explains the data to within their noise, and has no rival among the laws compared",
    "provisional": "the best law so far, with a stated doubt",
    "none": "no law is worth claiming",
    "error": "mean squared distance of law and data over the variance of the data: 0 is perfect, 1 is a flat line",
    "held out": "the part of the data that the tested coefficients have not seen",
    "residual": "what a law leaves unexplained: data minus law",
    "veto": "a person's word that removes a term for good",
    "rate": "how fast a state changes, such as degrees per minute",
}
_OF_VIEWS: Final[Mapping[str, tuple[str, ...]]] = {
    "terms": ("term", "keep", "hold", "remove", "the Scientist", "the numbers"),
    "equations": ("settled", "provisional", "none"),
    "decisions": ("keep", "hold", "remove"),
    "errors": ("error",),
    "truth": ("term",),
}
_OF_QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "machine": ("keep", "hold", "remove"),
    "scientist": ("the Scientist",),
    "numbers": ("the numbers",),
    "status": ("settled", "provisional", "none"),
}
_FORMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("keep", "hold", "remove", "none"), r"(?!)"),  # common words: said where a table has them
    "veto": "veto|vetoes|vetoed",
    "the numbers": "the numbers (?:ask|say|and)|words and numbers",
    "held out": "held out|held-out",
}


def new_words(lesson: Lesson, number: int) -> dict[str, str]:
    """Return the words that a step is the first to use, with what they mean; number: from 0."""
    before = {word for step in lesson.steps[:number] for word in _used(step)}
    found = _used(lesson.steps[number]) - before
    return {word: meant for word, meant in WORDS.items() if word in found}


def _used(step: LessonStep) -> set[str]:
    ask = step.ask
    said = " ".join(text for place, text in texts_of(step) if "options" not in place)
    found = {word for word in WORDS if re.search(rf"\b(?:{_FORMS.get(word, word + 's?')})\b", said, re.IGNORECASE)}
    for view in views_of(step):
        found |= set(_OF_VIEWS.get(view.kind, ()))
    if ask is not None:
        found |= set(_OF_QUESTIONS.get(ask.judge if ask.kind == "verdict" else ask.kind, ()))
    return found
