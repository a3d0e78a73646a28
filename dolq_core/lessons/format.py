"""What a lesson is made of. The names of the fields are the keys of the file; docs/lessons.md explains them.

A step is one screen. From top to bottom: text, act, show, ask; and once the question is answered its reveal and then.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from dolq_core.records.settings import TargetKind

Words: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
Line: TypeAlias = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Name: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]

FigureKind: TypeAlias = Literal[
    "rest", "coefficient", "error", "held out", "terms", "iterations", "status", "ties", "precision", "recall",
    "machine", "scientist", "numbers", "rate error", "rate error as fitted", "error as fitted",
]  # fmt: skip
ViewKind: TypeAlias = Literal[
    "data", "proposal", "law", "equations", "terms", "fit", "plane", "rates", "errors", "decisions", "ties", "truth",
    "helped", "as fitted", "ahead",
]  # fmt: skip
Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
AskKind: TypeAlias = Literal["choice", "number", "verdict", "status"]
Judge: TypeAlias = Literal["machine", "scientist", "numbers"]

VERDICTS: Mapping[Judge, tuple[str, ...]] = {
    "machine": ("keep", "hold", "remove"),
    "scientist": ("good", "neutral", "bad"),
    "numbers": ("good", "neutral", "bad"),
}
STATUSES = ("settled", "provisional", "none")


class LessonPart(BaseModel):
    """A part of a lesson: it never changes, and a key that it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class View(LessonPart):
    """What is drawn: a view, of the step's run or of those that are named: "fit", "helped of first, second"."""

    kind: ViewKind
    runs: tuple[Name, ...] = ()

    def __str__(self) -> str:
        """Return the view as a file has it."""
        return f"{self.kind} of {', '.join(self.runs)}" if self.runs else self.kind


def _read_view(said: object) -> object:
    if not isinstance(said, str):
        return said
    kind, _, names = said.partition(" of ")
    if kind.strip() not in get_args(ViewKind):
        told = {"said": repr(said), "way": f"Take one of {', '.join(map(repr, get_args(ViewKind)))}."}
        raise PydanticCustomError("view", "{said} is no view", told)
    return {"kind": kind.strip(), "runs": tuple(name.strip() for name in names.split(",") if name.strip())}


Views: TypeAlias = tuple[Annotated[View, BeforeValidator(_read_view)], ...]


class Drawn(LessonPart):
    """How a computed data set is drawn, as on the Data page. noise: in units of each state's standard deviation."""

    points: int = Field(default=1000, ge=20, le=5000)
    noise: float = Field(default=0.0, ge=0.0, le=1.0)
    starts: Literal[1, 2] = 1
    seed: int = Field(default=0, ge=0)


class RunOf(LessonPart):
    """A run of the lesson; it begins where a step first needs it. description: empty for nothing at all."""

    data: Line | None = None
    called: Line | None = None
    drawn: Drawn | None = None
    derive: tuple[Line, ...] = ()
    states: tuple[Line, ...] = ()
    allow: Words | None = None
    description: str | None = Field(default=None, max_length=4000)
    seed: int = Field(default=0, ge=0)
    without_word_of: Name | None = None
    recorded: bool = False
    target: TargetKind = "auto"


class Say(LessonPart):
    """A person's word on the terms of one equation; without a state a kind of terms is banned in all of them."""

    state: Line | None = None
    ban: tuple[Line, ...] = ()
    ban_kind: Line | None = None
    propose: tuple[Line, ...] = ()
    pin: tuple[Line, ...] = ()
    equation: Line | None = None
    description: str | None = Field(default=None, max_length=4000)
    reason: str = Field(default="", max_length=400)


class Act(LessonPart):
    """What a press of the button does: a word first, then iterations; 0 for the word alone."""

    button: Line
    say: Say | None = None
    iterations: int = Field(default=1, ge=0, le=10)


class FigureOf(LessonPart):
    """A number or a word that is read off a run: the step's where none is named. low, high, be: what is relied on."""

    figure: FigureKind
    run: Name | None = None
    state: Line | None = None
    term: Line | None = None
    low: float | None = None
    high: float | None = None
    be: Line | None = None


class Option(LessonPart):
    """A choice, and what is said to the one who takes it."""

    text: Line
    reply: Words | None = None


class Quiz(LessonPart):
    """A question to be answered before the reveal. right: counts from 1; within: a share of the figure `answer`."""

    kind: AskKind = "choice"
    question: Words
    options: tuple[Option, ...] = Field(default=(), max_length=6)
    right: int | None = None
    answer: Name | None = None
    within: float = Field(default=0.1, gt=0.0, le=1.0)
    judge: Judge = "machine"
    state: Line | None = None
    term: Line | None = None
    reveal: Words | None = None
    then: Views = ()


def options_of(ask: Quiz) -> dict[str, str]:
    """Return what can be answered, by what is stored of it; empty where a number is asked for."""
    if ask.kind == "choice":
        return {str(k): option.text for k, option in enumerate(ask.options, 1)}
    known = {"number": (), "status": STATUSES, "verdict": VERDICTS[ask.judge]}[ask.kind]
    return {word: word for word in known}


class LessonStep(LessonPart):
    """One screen. show: views before the question."""

    title: Line
    text: Words
    run: Name | None = None
    act: Act | None = None
    show: Views = ()
    ask: Quiz | None = None


class Lesson(LessonPart):
    """A lesson. truth: the known law of each state; recordings: packed as recorded.py does it."""

    title: Line
    question: Line
    learn: Words
    by: Line | None = None
    difficulty: Difficulty | None = None
    wrong: tuple[Words, ...] = ()
    sources: tuple[Words, ...] = ()
    runs: dict[Name, RunOf] = Field(min_length=1, max_length=6)
    figures: dict[Name, FigureOf] = {}
    truth: dict[Line, Line] = {}
    recordings: dict[Name, str] = {}
    steps: tuple[LessonStep, ...] = Field(min_length=1, max_length=40)

    def run_name(self, step: LessonStep) -> str:
        """Return the run of a step: the one it names, else the first of the lesson."""
        return step.run or next(iter(self.runs))


def views_of(step: LessonStep) -> tuple[View, ...]:
    """Return all views of a step, those behind its question last."""
    return (*step.show, *(step.ask.then if step.ask else ()))


def texts_of(step: LessonStep) -> list[tuple[tuple[str, ...], str]]:
    """Return what a step says, its title and the options aside, each with its place."""
    ask, said = step.ask, list[tuple[tuple[str, ...], str]]([(("text",), step.text)])
    if ask is not None:
        said += [(("reveal",), ask.reveal or ""), (("ask",), ask.question)]
        said += [(("ask", "options"), option.reply or "") for option in ask.options]
    return said
