"""Numbers and words that a lesson reads off its runs: what it shows is what the engine found, here and now."""

import math
from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.lessons.format import FigureKind, FigureOf, Lesson, Quiz
from dolq_core.lessons.meaning import BLANK
from dolq_core.lessons.problems import skeleton, state_of
from dolq_core.lessons.truth import beside_truth
from dolq_core.records import TermKey, TrajectoryScore
from dolq_core.runs.recent import Recent
from dolq_core.views.diagnostics import rates
from dolq_core.views.equations import Panel, panels
from dolq_core.views.phase import phase_line
from dolq_core.views.rivals import Ties, identifiability
from dolq_core.views.trajectories import as_fitted

Value: TypeAlias = float | str
RunBy: TypeAlias = Callable[[str], runs.Run]
"""Gives a run of the lesson, by its name there, as it stands at the step."""
Reader: TypeAlias = Callable[[runs.Run, FigureOf], Value | None]
_COUNTS: Final[frozenset[FigureKind]] = frozenset({"terms", "iterations", "ties"})
_known: Recent[tuple[str | int | None, ...], tuple[Value | None]] = Recent(512)
_tied: Recent[tuple[str, int], tuple[Ties, ...]] = Recent(32)


class NoFigure(DolqError):
    """A figure that the run does not have."""


def value_of(lesson: Lesson, name: str, home: str, run_by: RunBy) -> Value:
    """Return a figure of the lesson; home: the run of the step that asks. Raise NoFigure when the run has none."""
    figure = lesson.figures[name]
    whose = figure.run or home
    found = _read(lesson, whose, run_by(whose), figure)
    if found is None:
        raise NoFigure(f"The figure '{name}'", f"the run {whose!r} has no {figure.figure} yet", "Let it step first.")
    return found


def filled(lesson: Lesson, text: str, home: str, run_by: RunBy, show: Callable[[float], str]) -> str:
    """Return a text with its figures in place; show: how a number is written. One that is not there is a dash."""
    found: Mapping[str, str] = {name: _shown(lesson, name, home, run_by, show) for name in set(BLANK.findall(text))}
    return BLANK.sub(lambda blank: found[blank[1]], text)


def _shown(lesson: Lesson, name: str, home: str, run_by: RunBy, show: Callable[[float], str]) -> str:
    try:
        found = value_of(lesson, name, home, run_by)
    except NoFigure:
        return "—"
    if isinstance(found, str):
        return found
    return f"{found:.0f}" if lesson.figures[name].figure in _COUNTS else show(found)


def right_answer(lesson: Lesson, ask: Quiz, home: str, run_by: RunBy) -> Value:
    """Return the right answer: the number of an option, a figure, or the word that the run says; raise NoFigure."""
    if ask.kind == "choice":
        return str(ask.right)
    if ask.kind == "number":
        return value_of(lesson, ask.answer or "", home, run_by)
    kind: FigureKind = ask.judge if ask.kind == "verdict" else "status"
    figure = FigureOf(figure=kind, state=ask.state, term=ask.term)
    found = _read(lesson, home, run_by(home), figure)
    if found is None:
        thing = f"The {kind} of {ask.term or ask.state or 'the equation'}"
        raise NoFigure(thing, f"the run {home!r} says nothing of it at this step", "Ask it where the term was graded.")
    return found


def is_right(ask: Quiz, said: str, right: Value) -> bool:
    """Whether an answer is right; a number may be off by the share that the lesson allows."""
    if isinstance(right, str):
        return said == right
    try:
        return abs(float(said) - right) <= ask.within * abs(right)
    except ValueError:
        return False


def _read(lesson: Lesson, name: str, run: runs.Run, figure: FigureOf) -> Value | None:
    """Read a figure off a run once for each state of its log: a page asks for it each time it is drawn."""
    key = (run.id, len(run.entries), figure.figure, figure.state, figure.term, *lesson.truth.values())
    return _known.once(key, lambda: (_fresh(lesson, name, run, figure),))[0]


def _fresh(lesson: Lesson, name: str, run: runs.Run, figure: FigureOf) -> Value | None:
    if figure.figure in _READERS:
        return _READERS[figure.figure](run, figure)
    found = beside_truth(lesson, name, run)
    return found and (found.precision if figure.figure == "precision" else found.recall)


def identified(run: runs.Run) -> tuple[Ties, ...]:
    """Return what fits as well as the law of a run, looked for once for each state of its log."""
    return _tied.once((run.id, len(run.entries)), lambda: identifiability(run))


def _panel(run: runs.Run, figure: FigureOf) -> Panel:
    return panels(run)[state_of(run.state.problem.dataset, figure.state)]


def _rest(run: runs.Run, figure: FigureOf) -> Value | None:
    """The stable equilibrium, the largest where there are several."""
    found = phase_line(run) if run.state.iteration else None
    places = [rest.x for rest in found.equilibria if rest.kind == "stable"] if found else []
    return max(places, default=None)


def _coefficient(run: runs.Run, figure: FigureOf) -> Value | None:
    best = _panel(run, figure).best
    wanted = skeleton(run.state.problem.dataset, figure.term or "")
    return next((term.coefficient for term in best.terms if term.skeleton == wanted), None) if best else None


def _worst(run: runs.Run, figure: FigureOf, errors: tuple[float, ...]) -> Value | None:
    if not errors or not all(map(math.isfinite, errors)):
        return None
    return max(errors) if figure.state is None else errors[state_of(run.state.problem.dataset, figure.state)]


def _terms(run: runs.Run, figure: FigureOf) -> Value | None:
    found = [panel for panel in panels(run) if figure.state in (None, panel.name)]
    return float(sum(len(panel.best.terms) for panel in found if panel.best))


def _ties(run: runs.Run, figure: FigureOf) -> Value | None:
    equation = state_of(run.state.problem.dataset, figure.state)
    return next((float(ties.count) for ties in identified(run) if ties.equation == equation), None)


def _verdict(field: Literal["action", "semantic", "evidence"]) -> Reader:
    """Return what reads off a field of the last verdict on a term."""

    def read(run: runs.Run, figure: FigureOf) -> Value | None:
        dataset = run.state.problem.dataset
        key = TermKey(state_of(dataset, figure.state), skeleton(dataset, figure.term or ""))
        verdicts = run.state.last.verdicts if run.state.last else ()
        return next((getattr(one, field) for one in verdicts if one.key == key), None)

    return read


def _rate_error(run: runs.Run, figure: FigureOf) -> Value | None:
    found = [rate.nmse for rate in rates(run) if figure.state in (None, rate.name)]
    known = [error for error in found if error is not None]
    return max(known) if known and len(known) == len(found) else None


def _rate_error_as_fitted(run: runs.Run, figure: FigureOf) -> Value | None:
    names = [state.name for state in run.state.problem.dataset.states]
    fits = [best.fit for best in run.state.best if best]
    return max((fit.nmse for fit in fits if figure.state in (None, names[fit.equation])), default=None)


def _error_as_fitted(run: runs.Run, figure: FigureOf) -> Value | None:
    errors = [curve.nmse for curve in as_fitted(run)]
    each = [max(e for e in column if e is not None) for column in zip(*errors, strict=True) if None not in column]
    return _worst(run, figure, tuple(each)) if len(each) == len(run.state.best) else None


def _scored(run: runs.Run) -> TrajectoryScore | None:
    return run.state.trajectory


_READERS: Mapping[FigureKind, Reader] = {
    "rest": _rest,
    "coefficient": _coefficient,
    "error": lambda run, figure: _worst(run, figure, found.nmse) if (found := _scored(run)) else None,
    "held out": lambda run, figure: _worst(run, figure, found.held_out) if (found := _scored(run)) else None,
    "terms": _terms,
    "iterations": lambda run, figure: float(run.state.iteration),
    "status": lambda run, figure: _panel(run, figure).status if run.state.iteration else None,
    "ties": _ties,
    "machine": _verdict("action"),
    "scientist": _verdict("semantic"),
    "numbers": _verdict("evidence"),
    "rate error": _rate_error,
    "rate error as fitted": _rate_error_as_fitted,
    "error as fitted": _error_as_fitted,
}
