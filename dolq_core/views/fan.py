"""Laws that explain the data about as well as the best one, followed from where they agree to where they part."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.bans import by_person
from dolq_core.export import latex
from dolq_core.fitting.identify import Experiment
from dolq_core.fitting.identify import next_experiment as tell_apart
from dolq_core.fitting.workbench import Workbench
from dolq_core.records import TAKEN, EquationFit, EquationNote, Intervention, TermKey, TermNote
from dolq_core.runs import Run, workbench
from dolq_core.terms import Skeleton
from dolq_core.views.rivals import Ties, next_experiment
from dolq_core.views.system import as_far, own_start, reported, seen_by

MOST: Final = 4
"""Rivals that are drawn; more lines than that nobody tells apart."""
POINTS: Final = 300
AHEAD: Final = 1.0
"""How far beyond the data the laws are followed, in spans of the data."""
STARTS: Final = 16
"""Starts that are tried in search of the one that tells them apart."""
WORSE: Final = 2.0
"""Times the best law's error on whole runs up to which a rival is one."""
WITHOUT: Final = "A rival without it was taken"
READINGS: Final = 20
"""Rows of the plan of a measurement."""
SIGMAS: Final = 5.0
"""Times its noise below zero that the least of some hundred samples of an amount lies at most."""
ONE_SIDED: Final = 0.3
"""Of its largest value: a state that reaches as far below zero takes both signs, whatever its noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A law from two starts.

    Attributes:
        equation: the one in which it differs from the best law; None for the best law itself.
        terms: the skeletons of that equation.
        latex: that equation; empty for the best law.
        measured: (m, d) from the start of the run, over the data and on; NaN from where it cannot be followed.
        apart: (m, d) from the start that tells the laws apart; None where none was found.
    """

    equation: int | None
    terms: tuple[Skeleton, ...]
    latex: str
    measured: Floats
    apart: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """The best law and its rivals.

    Attributes:
        t, data: (n,), (n, d) the longest run as measured, which ends at `since`.
        times: (m,) over the data and AHEAD of them.
        apart_times: (m,) from the start of `experiment`, for as long as it is to last.
        paths: the best law first.
        experiment: the start from which a further run would tell them apart.
        left: how many further rivals were not looked at.
        lost: how many fit the rates as well, and do not follow the runs.
    """

    t: Floats
    data: Floats
    since: float
    times: Floats
    apart_times: Floats
    paths: tuple[Path, ...]
    experiment: Experiment | None
    left: int
    lost: int


def fan(run: Run, tied: Sequence[Ties]) -> Fan | None:
    """Return the laws that tie with the best one as they go on; None where none follows the runs as well."""
    best, bench = reported(run.state), workbench(run)
    dataset = run.state.problem.dataset
    number = max(range(len(dataset.trajectories)), key=lambda i: len(dataset.trajectories[i].t))
    begin = own_start(run, number)
    rivals = _ranked(tied)
    if not best or not begin or not rivals:
        return None
    measured = dataset.trajectories[number]
    first, since = float(measured.t[0]), float(measured.t[-1])
    times = np.linspace(first, since + AHEAD * (since - first), POINTS)
    systems = _following(bench, best, rivals[:MOST])
    if not systems:
        return None
    found = _told_apart(bench, best, systems, *box(run))
    later = np.linspace(first, first + (found.duration if found else since - first), POINTS)
    known, place = seen_by(bench, number)

    def path(system: Sequence[EquationFit], equation: int | None) -> Path:
        follow = partial(known.simulate, system, place)
        apart = None if found is None else as_far(partial(follow, start=np.array(found.start)), later).x
        terms = () if equation is None else tuple(term.skeleton for term in system[equation].terms)
        told = "" if equation is None else latex.equation(system[equation], bench.names)
        return Path(equation, terms, told, as_far(partial(follow, start=np.array(begin)), times).x, apart)

    paths = (path(best, None), *(path(own, j) for j, own in systems))
    left, lost = (
        max(sum(one.count for one in tied), len(rivals)) - len(rivals[:MOST]),
        len(rivals[:MOST]) - len(systems),
    )
    return Fan(measured.t, measured.x, since, times, later, paths, found, left, lost)


def experiment(run: Run, tied: Sequence[Ties], low: Sequence[float], high: Sequence[float]) -> Experiment | None:
    """Return the start in the box [low, high] from which the laws that `fan` draws differ most; that of `fan` in `box`.

    Where none of them follows the runs, the laws are those that tie. low, high: one number per state.
    """
    best, bench = reported(run.state), workbench(run)
    systems = _following(bench, best, _ranked(tied)[:MOST]) if best else []
    return _told_apart(bench, best, systems, low, high) if systems else next_experiment(run, low, high)


def _ranked(tied: Sequence[Ties]) -> list[EquationFit]:
    return [fit for rank in zip_longest(*(one.fits for one in tied)) for fit in rank if fit is not None]


def _following(
    bench: Workbench, best: Sequence[EquationFit], rivals: Sequence[EquationFit]
) -> list[tuple[int, tuple[EquationFit, ...]]]:
    """Return the systems with one of the rivals in them that follow the runs, each with the equation it differs in."""
    error = WORSE * _error(bench, best)
    tried = [(fit.equation, _with(bench, best, fit, error)) for fit in rivals]
    return [(j, own) for j, own in tried if own is not None]


def _told_apart(
    bench: Workbench,
    best: Sequence[EquationFit],
    systems: Sequence[tuple[int, tuple[EquationFit, ...]]],
    low: Sequence[float],
    high: Sequence[float],
) -> Experiment | None:
    drawn = [Ties(j, 1, "", (own[j],)) for j, own in systems]
    return tell_apart(bench.whole, best, drawn, low, high, STARTS)


def _with(
    bench: Workbench, best: Sequence[EquationFit], rival: EquationFit, error: float
) -> tuple[EquationFit, ...] | None:
    """Return the best system with a rival in it, fitted again to the runs if need be; None beyond this error."""
    system = tuple(rival if fit.equation == rival.equation else fit for fit in best)
    if _error(bench, system) <= error:
        return system
    again = bench.whole.refine(system)
    return again if again and _error(bench, again) <= error else None


def _error(bench: Workbench, system: Sequence[EquationFit]) -> float:
    """Return the largest squared error of a state over its variance; infinite where a run cannot be followed."""
    return max(bench.trajectory_score(system).nmse)


def box(run: Run) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the range of each state in the data, half as wide again and to three digits.

    What was never negative stays so; what noise alone explains below zero is no negative value.
    """
    every = np.concatenate([one.x for one in run.state.problem.dataset.trajectories])
    least, most, noise = np.nanmin(every, axis=0), np.nanmax(every, axis=0), np.array(workbench(run).whole.info.noise)
    positive = -least <= np.minimum(SIGMAS * noise, ONE_SIDED * np.maximum(most, 0.0))
    ranges = zip(least.tolist(), most.tolist(), positive.tolist(), strict=True)
    wider = [(low - 0.25 * (high - low), high + 0.25 * (high - low), only) for low, high, only in ranges]
    lows = (max(low, 0.0) if only else low for low, _, only in wider)
    return tuple(float(f"{low:.3g}") for low in lows), tuple(float(f"{high:.3g}") for _, high, _ in wider)


def chosen(run: Run, path: Path) -> Intervention:
    """Return the person's word that makes a rival the law: its terms are pinned, those of the best it lacks removed."""
    if path.equation is None:
        return Intervention()
    j = path.equation
    best = run.state.best[j]
    gone = [] if best is None else [term.skeleton for term in best.fit.terms if term.skeleton not in path.terms]
    new = [skeleton for skeleton in path.terms if TermKey(j, skeleton) not in run.state.pins]
    return Intervention(
        ban=tuple(TermNote(TermKey(j, one), WITHOUT) for one in gone if not by_person(run.state, TermKey(j, one))),
        unban=tuple(TermKey(j, one) for one in path.terms if TermKey(j, one) in run.state.bans),
        pin=tuple(TermNote(TermKey(j, one), TAKEN) for one in new),
        equations=(EquationNote(j, path.terms, TAKEN),),
    )


def plan(run: Run, found: Experiment) -> str:
    """Return the table to fill in for the experiment, as CSV: its times, and the start in the first row."""
    dataset = run.state.problem.dataset
    times = np.linspace(0.0, found.duration, READINGS)
    rows = [",".join([f"{t:.4g}", *(f"{v:.4g}" if i == 0 else "" for v in found.start)]) for i, t in enumerate(times)]
    return "\n".join([",".join(_quoted(one.title) for one in (dataset.time, *dataset.states)), *rows, ""])


def _quoted(name: str) -> str:
    plain = name.replace('"', "'")
    return f'"{plain}"' if "," in plain else plain
