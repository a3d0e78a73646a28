"""What a run of a lesson begins with, and the law behind it where it is known."""

from dataclasses import replace
from typing import Final

from dolq_core.blocks import read_blocks
from dolq_core.bundled import PAPER_SYSTEMS, SamplePlan, load_bundled
from dolq_core.data import read_preparation
from dolq_core.errors import DataError
from dolq_core.fitting import names_of
from dolq_core.lessons.format import Drawn, Lesson
from dolq_core.records import Dataset, Problem
from dolq_core.terms import Skeleton, parse_equation, parse_term

_JOIN: Final = " + "


def problem_of(lesson: Lesson, run: str) -> Problem:
    """Return the data and the words that a run of the lesson begins with; raise DataError."""
    said = lesson.runs[origin(lesson, run)]
    how = plan_of(said.drawn) if said.drawn else None
    found = load_bundled(said.data or "", how, read_preparation(said.derive), said.states)
    if said.allow:
        names = names_of(found.dataset)
        found = replace(found, blocks=read_blocks(said.allow, names, len(found.dataset.states)))
    return found if said.description is None else replace(found, description=said.description)


def plan_of(drawn: Drawn) -> SamplePlan:
    """Return how a run's data are drawn."""
    return SamplePlan(drawn.points, drawn.noise, drawn.starts, drawn.seed)


def origin(lesson: Lesson, run: str) -> str:
    """Return the run that a run was forked from in the end; itself where it is no fork."""
    before = lesson.runs[run].without_word_of
    return run if before is None else origin(lesson, before)


def state_of(dataset: Dataset, named: str | None) -> int:
    """Return which state is meant; raise DataError where that is open."""
    names = [state.name for state in dataset.states]
    if named is None and len(names) == 1:
        return 0
    if named not in names:
        reason = "it does not say which state" if named is None else f"there is no state {named!r}"
        raise DataError("state", reason, f'Add state = "...", one of {", ".join(names)}.')
    return names.index(named)


def skeleton(dataset: Dataset, text: str) -> Skeleton:
    """Read a term in the columns' own names; raise TermError."""
    return parse_term(text, names_of(dataset)).skeleton


def skeletons(dataset: Dataset, text: str, equation: int) -> tuple[Skeleton, ...]:
    """Read a right-hand side; raise TermError."""
    return tuple(term.skeleton for term in parse_equation(text, names_of(dataset), equation))


def true_texts(lesson: Lesson, run: str) -> tuple[str, ...]:
    """Return the known law of each state: the lesson's own, else that which the data come from; empty if none."""
    if lesson.truth:
        dataset = problem_of(lesson, run).dataset
        return tuple(lesson.truth[state.name] for state in dataset.states)
    key = lesson.runs[origin(lesson, run)].data
    found = next((system for system in PAPER_SYSTEMS if system.key == key), None)
    return tuple(_JOIN.join(terms) for terms in found.terms) if found else ()
