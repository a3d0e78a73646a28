"""A file to a lesson. Every problem is found before a word is shown: where it is, what it is, and the way out."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from dolq_core.errors import DolqError, grouped
from dolq_core.lessons.format import Lesson, LessonStep
from dolq_core.lessons.meaning import Misfit, misfits
from dolq_core.lessons.recorded import unpacked

MOST_BYTES = 1_000_000
"""Of a lesson's file. The words of the longest bundled one are five thousand; its recordings would be 65 thousand."""
MOST_DOTS = 150
"""In a line: tomllib takes the square of a key's parts in time, four minutes for a line of 200 kB."""
_STEP = re.compile(r"^\s*\[\[\s*steps\s*\]\]", re.MULTILINE)
_AT_LINE = re.compile(r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|(?P<end>end of document))\)")
_KINDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such key in a lesson",
    "string_type": "it is not a text in quotation marks",
    "tuple_type": "it is not a list in square brackets",
    "dict_type": "it is not a table",
    "model_type": "it is not a table",
    "int_type": "it is not a whole number",
    "float_type": "it is not a number",
    "bool_type": "it is not true or false",
    "string_too_short": "it is empty",
    "string_too_long": "it is too long: {max_length} letters at most",
    "string_pattern_mismatch": "a name has small letters, digits and _ only, and begins with a letter",
    "literal_error": "it is none of {expected}",
    "greater_than_equal": "it must be {ge} or more",
    "less_than_equal": "it must be {le} or less",
    "greater_than": "it must be more than {gt}",
    "too_short": "it needs at least {min_length}",
    "too_long": "it has more than {max_length}",
}
_WAYS = {
    "missing": "Add it.",
    "extra_forbidden": "Correct its name, or leave it out: docs/lessons.md lists them all.",
    "string_type": "Put it in quotation marks.",
}


@dataclass(frozen=True, slots=True)
class LessonFault:
    """What is wrong with a lesson's file.

    Attributes:
        line: where, counted from 1; 0 where it is not known.
        place: the step and the key, such as "step 2, ask, right".
    """

    file: str
    line: int
    place: str
    reason: str
    way_out: str = ""

    def __str__(self) -> str:
        """Return one line, as a compiler would say it."""
        where = f"{self.file}, line {self.line}" if self.line else self.file
        said = f"{where}: {self.place}: {self.reason}" if self.place else f"{where}: {self.reason}"
        return f"{said}{'' if said.endswith('.') else '.'} {self.way_out}".rstrip()


class LessonError(DolqError):
    """A file that is no lesson; `problems` has all that was found."""

    def __init__(self, file: str, problems: Sequence[LessonFault]) -> None:
        more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
        super().__init__(f"The lesson {file}", f"{problems[0]}{more}")
        self.problems = tuple(problems)

    def __str__(self) -> str:
        """Return the first problem, and how many more there are."""
        return self.reason


def read_file(path: Path) -> Lesson:
    """Read a lesson from a file; raise LessonError."""
    try:
        return read(path.read_bytes(), path.name)
    except OSError as error:
        problem = LessonFault(path.name, 0, "", f"it cannot be read ({error.strerror})", "Check the path.")
        raise LessonError(path.name, [problem]) from None


def read(content: bytes, file: str) -> Lesson:
    """Read a lesson from the bytes of a file; raise LessonError with every problem that was found."""
    text = _text(content, file)
    lesson = _shaped(text, file)
    if found := [*misfits(lesson), *_recordings(lesson)]:
        raise _faulty(text, file, found)
    return lesson


@lru_cache(maxsize=64)
def read_again(source: str, file: str) -> Lesson:
    """Return the lesson of a text that was read before, perhaps by an earlier version that asked for less."""
    return _shaped(source, file)


def _shaped(text: str, file: str) -> Lesson:
    try:
        return Lesson.model_validate(_lists_as_tuples(tomllib.loads(text)))
    except ValidationError as error:  # a ValueError too
        found = [(tuple(part for part in one["loc"] if part != "[key]"), *_malformed(one)) for one in error.errors()]
        raise _faulty(text, file, found) from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, brackets without end
        raise LessonError(file, [_not_toml(file, text, str(error))]) from None


def _faulty(text: str, file: str, found: Sequence[Misfit]) -> LessonError:
    return LessonError(file, [LessonFault(file, _line(text, at), _place(at), reason, way) for at, reason, way in found])


def _text(content: bytes, file: str) -> str:
    reason, way, line, text = "", "Choose a lesson's .toml file.", 0, ""
    if len(content) > MOST_BYTES:
        reason = f"it has {grouped(len(content))} bytes, and {grouped(MOST_BYTES)} is the limit of a lesson"
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            reason, way = "it is not UTF-8 text", "Save it as UTF-8, or choose a lesson's .toml file."
    long = next((at for at, said in enumerate(text.split("\n"), 1) if said.count(".") > MOST_DOTS), 0)
    if long:
        line, reason, way = long, f"it has more than {MOST_DOTS} dots", "Break the line."
    if reason:
        raise LessonError(file, [LessonFault(file, line, "", reason, way)])
    return text


def _not_toml(file: str, text: str, said: str) -> LessonFault:
    at = _AT_LINE.search(said)
    line = int(at["line"]) if at and at["line"] else text.count("\n") + 1 if at else 0
    place = f"column {at['column']}" if at and at["column"] else ""
    reason = _AT_LINE.sub("", said).strip().rstrip(".")
    way = 'A key stands as: name = "text"; a long text between three quotation marks; a step under [[steps]].'
    return LessonFault(file, line, place, f"this is not TOML: {reason[:1].lower()}{reason[1:]}", way)


def _lists_as_tuples(value: Any) -> Any:
    """TOML has lists, records have tuples."""
    if isinstance(value, dict):
        return {key: _lists_as_tuples(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return tuple(map(_lists_as_tuples, value))  # pyright: ignore[reportUnknownArgumentType]
    return value  # pyright: ignore[reportUnknownVariableType]


def _malformed(error: ErrorDetails) -> tuple[str, str]:
    """Return what pydantic found, as a reason and a way out."""
    kind, loc, known = error["type"], error["loc"], error.get("ctx", {})
    reason = _KINDS[kind].format(**known) if kind in _KINDS else error["msg"]
    if kind == "extra_forbidden" and loc[0] == "steps" and loc[-1] in LessonStep.model_fields:
        inside = loc[-2]
        return reason, f"It is a key of the step: write it above [steps.{inside}], or outside the braces of {inside}."
    return reason, known.get("way", _WAYS.get(kind, ""))


def _place(loc: Sequence[str | int]) -> str:
    parts: list[str] = []
    for before, part in zip(["", *loc], loc, strict=False):
        if isinstance(part, str):
            parts.append(part)
        elif before not in ("show", "then"):  # a view is named in the reason
            parts[-1:] = [f"{str(before).removesuffix('s')} {part + 1}"]
    return ", ".join(parts)


def _recordings(lesson: Lesson) -> Iterator[Misfit]:
    for name, packed in lesson.recordings.items():
        place = ("recordings", name)
        if name not in lesson.runs or not lesson.runs[name].recorded:
            yield place, f"no run {name!r} says recorded = true", "Leave the recording out, or say so of its run."
            continue
        try:
            unpacked(packed, name)
        except DolqError as error:
            yield place, error.reason, error.way_out


def _line(text: str, loc: Sequence[str | int]) -> int:
    """Return the line on which the step of a place begins; 0 for what is in no step."""
    if len(loc) < 2 or loc[0] != "steps" or not isinstance(loc[1], int):
        return 0
    ends = [found.end() for found in _STEP.finditer(text)]
    return text.count("\n", 0, ends[loc[1]]) + 1 if loc[1] < len(ends) else 0
