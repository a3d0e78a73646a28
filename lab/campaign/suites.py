"""Suites: files of systems with known laws, or of measured data, that anybody can write; `EXAMPLE` is one."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dolq_core.bundled import bundled, load_bundled
from dolq_core.data import read_table, understand
from dolq_core.errors import DataError, TermError
from dolq_core.records import Problem, Variable
from dolq_core.units import unit_of
from lab.campaign.laws import names_of, trajectory, true_law
from lab.campaign.records import Case

BUNDLED = Path(__file__).resolve().parent / "suites"
PUT_ASIDE = frozenset(
    {
        "aside",
        "audit-aside",
        "benchtop-aside",
        "bookshelf-aside",
        "clinic-aside",
        "college-aside",
        "disciplines-aside",
        "examiners-aside",
        "judges-aside",
        "notebooks-aside",
        "panel-aside",
        "practice-aside",
        "referees-aside",
        "sealed",
        "seminar-aside",
        "trades-aside",
        "typed-aside",
        "viva-aside",
    }
)
"""Nothing lists or offers their systems: who works on the engine is not to know them."""
FEWEST_POINTS = 10
EXAMPLE = """
title = "My systems"
points = 1000                            # samples on each span; a system may say its own number

[[systems]]
id = "two-tanks"
description = "Water runs from the upper tank into the lower one, the faster the higher it stands."  # no formulas
states = ["upper", { name = "lower", unit = "m", meaning = "level in the lower tank" }]
equations = ["0.5 - 0.4*sqrt(upper)", "0.4*sqrt(upper) - 0.3*sqrt(lower)"]  # the rates, in the order of the states
initial = [[4.0, 0.2], [0.3, 5.0]]       # the data start at the first; the others are for testing
t = [0.0, 20.0]                          # the span of the data
t_ext = [0.0, 40.0]                      # the longer one for testing
wrong = { partly = "", fully = "A disease spreads by contact." }  # optional: descriptions that mislead

[[systems]]
id = "yeast"
data = "yeast"                           # a bundled set, or a table beside this file, in the place of a law
"""
"""A suite that says what can be said."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class _State(_Closed):
    name: str = Field(min_length=1)
    unit: str = ""
    meaning: str = ""


class _Wrong(_Closed):
    partly: str = ""
    fully: str = ""


_Pair = Annotated[tuple[float, float], Field(description="begin and end")]


class _System(_Closed):
    id: str = Field(min_length=1)
    title: str = ""
    description: str = ""
    states: list[str | _State] = []
    equations: list[str] = []
    initial: list[list[float]] = []
    t: _Pair | None = None
    t_ext: _Pair | None = None
    points: int | None = Field(default=None, ge=FEWEST_POINTS, le=1_000_000)
    wrong: _Wrong = _Wrong()
    data: str = ""


class _Suite(_Closed):
    title: str = ""
    points: int = Field(default=1000, ge=FEWEST_POINTS, le=1_000_000)
    systems: list[_System] = Field(min_length=1)


def bundled_suites() -> tuple[str, ...]:
    """Return the names of the suites that come with the program."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.toml")))


def read_suite(named: str) -> tuple[Case, ...]:
    """Return the systems of a bundled suite or of a file; raise DataError with the place and the reason.

    Every law is read; whether it can be simulated is known when it is (`check`).
    """
    path = _path(named)
    try:
        said: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"The suite {named!r}", f"it cannot be read ({error})", "Name another file.") from None
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"The suite {path.name}", f"it is not TOML: {error}", "Correct the line.") from None
    try:
        suite = _Suite.model_validate(said)
    except ValidationError as error:
        raise _in_words(path, said, error) from None
    cases = [_case(path, system, suite.points) for system in suite.systems]
    _check_ids(path, cases)
    following = (*cases[1:], cases[0])
    return tuple(
        replace(case, next_words=after.description if len(cases) > 1 else "")
        for case, after in zip(cases, following, strict=True)
    )


def check(case: Case) -> None:
    """Simulate a case as a campaign will, from every start over both spans; raise DataError where that fails."""
    for start in range(len(case.initial)):
        trajectory(case, start, "id")
        trajectory(case, start, "ext")


def _path(named: str) -> Path:
    if named in bundled_suites():
        return BUNDLED / f"{named}.toml"
    path = Path(named).expanduser()
    if not path.is_file():
        known = ", ".join(bundled_suites())
        raise DataError(f"The suite {named!r}", "there is no such file", f"Name a file, or one of {known}.")
    return path


def _in_words(path: Path, said: dict[str, Any], error: ValidationError) -> DataError:
    """Return the first fault that pydantic found, with the system's id in the place of its number."""
    first = error.errors()[0]
    place = [str(part) for part in first["loc"]]
    if place[:1] == ["systems"] and len(place) > 1:
        number = int(place[1])
        own = said["systems"][number]
        name = str(own.get("id", "")) if isinstance(own, dict) else ""  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        place[:2] = [f"system {name!r}" if name else f"system number {number + 1}"]
    reason = "this key is not known" if first["type"] == "extra_forbidden" else _lower(first["msg"])
    missing = "Add it." if first["type"] == "missing" else "See the example: python -m dolq_core bench example"
    return DataError(f"The suite {path.name}, {', '.join(place)}", reason, missing)


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:].rstrip(".")


def _check_ids(path: Path, cases: Sequence[Case]) -> None:
    ids = [case.id for case in cases]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise DataError(f"The suite {path.name}", f"two systems are called {twice!r}", "Give each an id of its own.")


def _case(path: Path, said: _System, points: int) -> Case:
    if said.data:
        return _measured(path, said)
    thing = f"The suite {path.name}, system {said.id!r}"
    states = tuple(_variable(state) for state in said.states)
    if not states:
        raise DataError(thing, "it names no states", "Write states = [...] and an equation for each, or data = ...")
    d = len(states)
    if len(said.equations) != d:
        raise DataError(thing, f"it has {d} states and {len(said.equations)} equations", "Write one for each state.")
    if not said.initial or any(len(start) != d for start in said.initial):
        raise DataError(
            thing, f"an initial state needs {d} numbers", "Write initial = [[...]] with one for each state."
        )
    if said.t is None:
        raise DataError(thing, "it has no span of time", "Write t = [begin, end].")
    t, t_ext = said.t, said.t_ext or said.t
    if not t[0] < t[1] <= t_ext[1] or t_ext[0] != t[0]:
        raise DataError(thing, f"t = {list(t)} and t_ext = {list(t_ext)}", "Both begin together, and t_ext ends later.")
    case = Case(
        id=said.id,
        title=said.title or said.id,
        description=said.description.strip(),
        states=states,
        equations=tuple(said.equations),
        initial=tuple(tuple(start) for start in said.initial),
        t=t,
        t_ext=t_ext,
        points=said.points or points,
        partly_wrong=said.wrong.partly,
        fully_wrong=said.wrong.fully,
    )
    return _with_law(thing, case)


def _variable(said: str | _State) -> Variable:
    """A state, with the unit that its name tells, as in a table; its symbol is set with those of the others."""
    return (
        Variable(said, said, unit_of(said))
        if isinstance(said, str)
        else Variable(said.name, said.name, said.unit, said.meaning)
    )


def _with_law(thing: str, case: Case) -> Case:
    names = names_of(case)
    states = tuple(replace(state, symbol=symbol) for state, symbol in zip(case.states, names.symbols, strict=True))
    try:
        true_law(case)
    except TermError as error:
        raise DataError(thing, str(error), "The language of terms: sums of products, powers and functions.") from None
    return replace(case, states=states)


def _measured(path: Path, said: _System) -> Case:
    problem = _problem(path, said)
    return Case(
        id=said.id,
        title=said.title or problem.dataset.name,
        description=said.description.strip() or problem.description,
        states=problem.dataset.states,
        partly_wrong=said.wrong.partly,
        fully_wrong=said.wrong.fully,
        measured=problem.dataset,
    )


def _problem(path: Path, said: _System) -> Problem:
    if said.data in {one.id for one in bundled()}:
        return load_bundled(said.data)
    table = path.parent / said.data
    if not table.is_file():
        thing = f"The suite {path.name}, system {said.id!r}"
        raise DataError(thing, f"there is no data set and no file {said.data!r}", "Name a table beside the suite.")
    return Problem(understand(read_table(table), name=table.stem).dataset, said.description)
