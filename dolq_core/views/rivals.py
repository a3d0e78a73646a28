"""Other laws than the best one: the front of size against error, another of its structures, and what fits as well."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite, log10

from dolq_core.agents.builtin import rivals
from dolq_core.export import latex
from dolq_core.fitting import names_of
from dolq_core.fitting.identify import Experiment, Ties, in_words, ties
from dolq_core.fitting.identify import next_experiment as tell_apart
from dolq_core.fitting.limits import UNCOMPARED
from dolq_core.fitting.workbench import TRAJECTORY
from dolq_core.loop import dodged, may_stand, status
from dolq_core.records import Dataset, EquationFit, RunState, Structure
from dolq_core.runs import Run, workbench
from dolq_core.terms import Names
from dolq_core.views.amounts import figure, with_unit
from dolq_core.views.system import reported
from dolq_core.views.trajectories import Curve, simulated
from dolq_core.views.trial import term_text

ALIKE = 0.02
"""Relative difference of two errors below which they are said to be as large."""


@dataclass(frozen=True, slots=True)
class Front:
    """Structures of one equation that nothing smaller beats.

    Attributes:
        points: by number of terms, `front_error` falling; every one is in the archive.
        dominated: the other structures that could be fitted.
        knee: index in `points` of the structure after which more terms bring little; None below three points.
    """

    points: tuple[EquationFit, ...]
    dominated: tuple[EquationFit, ...]
    knee: int | None


def front_error(fit: EquationFit) -> float:
    """Return the error that the front compares: held out, or on left-out blocks where nothing is held out."""
    return fit.cv_nmse if fit.held_out is None else fit.held_out


def front(state: RunState, equation: int) -> Front:
    """Return the front of an equation: number of terms against `front_error`."""
    fits = [v.fit for (j, _), v in state.archive.items() if j == equation and isfinite(front_error(v.fit))]
    ranked = sorted(fits, key=lambda fit: (len(fit.terms), front_error(fit)))
    points: list[EquationFit] = []
    for fit in ranked:
        if not points or front_error(fit) < front_error(points[-1]):
            points.append(fit)
    chosen = {id(fit) for fit in points}
    return Front(tuple(points), tuple(fit for fit in ranked if id(fit) not in chosen), knee(points))


def knee(points: Sequence[EquationFit]) -> int | None:
    """Return the point farthest below the straight line from the first to the last, error on a log axis.

    The rule of Satopaa et al., "Finding a kneedle in a haystack" (2011), without its smoothing. None below three
    points, or where no point lies below the line.
    """
    if len(points) < 3:
        return None
    height = [log10(max(front_error(fit), 1e-300)) for fit in points]
    width = [len(fit.terms) for fit in points]
    slope = (height[-1] - height[0]) / (width[-1] - width[0])
    depth = [height[0] + slope * (w - width[0]) - h for w, h in zip(width, height, strict=True)]
    deepest = max(range(len(points)), key=lambda i: depth[i])
    return deepest if depth[deepest] > 0 else None


@dataclass(frozen=True, slots=True)
class Alternative:
    """A visited structure beside the best one of its equation.

    Attributes:
        fit: the coefficients that its scores speak of; `latex` is the same as an equation.
        is_best: it is the best one itself; then there is nothing to compare.
        words: what it has, lacks, gains and costs against the best, as sentences.
        curves: the data, and the best system with this equation in it; empty where another equation is missing.
        rough: its coefficients were not fitted to the trajectories as those of the best were, so its curves may be
            worse than its structure.
    """

    fit: EquationFit
    latex: str
    is_best: bool
    words: str
    curves: tuple[Curve, ...]
    rough: bool


def alternative(run: Run, chosen: Structure) -> Alternative:
    """Return the visited structure `chosen` in the place of the best of its equation; it must have been fitted."""
    state, names, equation = run.state, names_of(run.state.problem.dataset), chosen[0]
    fit, best = state.archive[chosen].scored, state.best[equation]
    other = best.scored if best is not None else None
    has = {term.skeleton for term in other.terms} if other else set[str]()
    system = [visited.scored for visited in state.best if visited is not None]
    whole = [fit if one.equation == equation else one for one in system] if len(system) == len(state.best) else []
    is_best = other is not None and has == {term.skeleton for term in fit.terms}
    return Alternative(
        fit=fit,
        latex=latex.equation(fit, names),
        is_best=is_best,
        words="This is the best equation." if is_best else _differences(fit, other, names) if other else "",
        curves=simulated(run, whole) if whole and not is_best else (),
        rough=other is not None and TRAJECTORY in other.strategy and TRAJECTORY not in fit.strategy,
    )


def _differences(fit: EquationFit, best: EquationFit, names: Names) -> str:
    texts = [{term_text(term.skeleton, names) for term in one.terms} for one in (fit, best)]
    more, less = (", ".join(sorted(part)) for part in (texts[0] - texts[1], texts[1] - texts[0]))
    if more and less:
        terms = f"It has {more} in place of {less}."
    else:
        terms = f"It has {more} besides." if more else f"It lacks {less}."
    return f"{terms} {_error(fit, best)} {_cost(fit, best)}"


def _error(fit: EquationFit, best: EquationFit) -> str:
    mine, least = front_error(fit), front_error(best)
    said = f"Its {'cross-validated' if fit.held_out is None else 'held-out'} error is"
    if least <= 0.0 or mine > 1000.0 * least:
        return f"{said} over 1000 times that of the best."
    ratio = mine / least
    if abs(ratio - 1.0) <= ALIKE:
        return f"{said} as large as that of the best."
    if ratio > 1.0:
        return f"{said} {figure(ratio)} times that of the best."
    return (
        f"{said} {100.0 * ratio:.0f} % of that of the best."
        if ratio >= 0.01
        else f"{said} under 1 % of that of the best."
    )


def _cost(fit: EquationFit, best: EquationFit) -> str:
    """Say whether the difference in size is worth the difference in fit (`fitting.score`)."""
    if fit.score < best.score:
        return "Better by itself; the whole system or your word decided otherwise."
    if len(fit.terms) < len(best.terms):
        return "The terms saved do not make up for that."
    return (
        "The gain is less than its terms cost."
        if len(fit.terms) > len(best.terms)
        else "At this size the best fits better."
    )


def identifiability(run: Run) -> tuple[Ties, ...]:
    """Return, for each equation that has a law, how many others fit as well.

    Where the last iteration compared them, what it found; the status says the same.
    """
    last = run.state.last
    laws = [(j, v) for j, v in enumerate(run.state.best) if v and v.fit.terms and status(run.state, j)[0] != "none"]
    known = last if last is not None and UNCOMPARED not in last.rivals else None
    if known is not None and known.beside and not known.clean:
        return tuple(Ties(j, known.rivals[j], in_words(known.rivals[j]), known.beside[j]) for j, _ in laws)
    bench = workbench(run).whole
    whole = reported(run.state)
    found: list[Ties] = []
    for j, best in laws:
        seen = [skeletons for i, skeletons in run.state.archive if i == j]
        seen += rivals(run.state, bench, whole, j) if whole else []
        own = bench.fit(j, [term.skeleton for term in best.fit.terms])
        one = ties(bench, own, seen, whole, partial(may_stand, run.state, j), partial(dodged, run.state))
        if known is not None and known.clean:
            count = known.rivals[j] if known.rivals else 0
            one = replace(one, count=count, words=in_words(count), fits=known.beside[j] if known.beside else ())
        found.append(one)
    return tuple(found)


def next_experiment(run: Run, low: Sequence[float], high: Sequence[float]) -> Experiment | None:
    """Return the start in the box [low, high] from which tied systems differ most; None when there is nothing to tell.

    low, high: one number per state.
    """
    best = reported(run.state)
    if not best:
        return None
    return tell_apart(workbench(run).whole, best, identifiability(run), low, high)


def asked_for(found: Experiment, dataset: Dataset) -> str:
    """Return what a further run is to be, and how far it tells the laws apart, as a sentence."""
    begin = ", ".join(f"{v.bare} = {with_unit(x, v.unit)}" for v, x in zip(dataset.states, found.start, strict=True))
    lasts = with_unit(found.duration, dataset.time.unit)
    lasts = lasts if dataset.time.unit else f"a time of {lasts}"
    where = f"Start a run at {begin}: within {lasts} these laws"
    if found.fitted_again:
        return f"{where}, fitted again, stay {figure(found.apart)} standard errors apart."
    return f"{where} come {figure(found.apart)} times the noise apart."
