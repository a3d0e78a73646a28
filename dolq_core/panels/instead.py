"""Another visited structure in the place of the best one of its equation: what that gains and what it loses."""

from dataclasses import dataclass

from dolq_core.export import latex
from dolq_core.export.result import scored_fit
from dolq_core.fitting import Workbench
from dolq_core.fitting.workbench import TRAJECTORY
from dolq_core.loop.front import front_error
from dolq_core.panels.curves import Curve, simulated
from dolq_core.records import EquationFit, RunState, Structure
from dolq_core.terms import Names, Skeleton, to_text

ALIKE = 0.02
"""Relative difference of two errors below which they are said to be as large."""


@dataclass(frozen=True, slots=True)
class Instead:
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


def instead(state: RunState, bench: Workbench, chosen: Structure) -> Instead:
    """Return the visited structure `chosen` in the place of the best of its equation; it must have been fitted."""
    equation = chosen[0]
    fit, best = scored_fit(state.archive[chosen]), state.best[equation]
    other = scored_fit(best) if best is not None else None
    has = {term.skeleton for term in other.terms} if other else set[str]()
    system = [scored_fit(visited) for visited in state.best if visited is not None]
    whole = [fit if one.equation == equation else one for one in system] if len(system) == len(state.best) else []
    is_best = other is not None and has == {term.skeleton for term in fit.terms}
    return Instead(
        fit=fit,
        latex=latex.equation(fit, bench.names),
        is_best=is_best,
        words="This is the best equation itself." if is_best else _words(fit, other, bench) if other else "",
        curves=simulated(state, bench, whole) if whole and not is_best else (),
        rough=other is not None and TRAJECTORY in other.strategy and TRAJECTORY not in fit.strategy,
    )


def _words(fit: EquationFit, best: EquationFit, bench: Workbench) -> str:
    texts = [{_text(term.skeleton, bench.names) for term in one.terms} for one in (fit, best)]
    more, less = (", ".join(sorted(part)) for part in (texts[0] - texts[1], texts[1] - texts[0]))
    if more and less:
        terms = f"It has {more} in place of {less}."
    else:
        terms = f"It has {more} besides." if more else f"It lacks {less}."
    return f"{terms} {_error(fit, best)} {_cost(fit, best)}"


def _text(skeleton: Skeleton, names: Names) -> str:
    return "a constant" if skeleton == "1" else to_text(skeleton, names)


def _error(fit: EquationFit, best: EquationFit) -> str:
    mine, least = front_error(fit), front_error(best)
    said = f"Its error on {'left-out' if fit.held_out is None else 'held-out'} data is"
    if least <= 0.0 or mine > 1000.0 * least:
        return f"{said} over 1000 times that of the best."
    ratio = mine / least
    if abs(ratio - 1.0) <= ALIKE:
        return f"{said} as large as that of the best."
    if ratio > 1.0:
        return f"{said} {ratio:.3g} times that of the best."
    return (
        f"{said} {100.0 * ratio:.0f} % of that of the best."
        if ratio >= 0.01
        else f"{said} under 1 % of that of the best."
    )


def _cost(fit: EquationFit, best: EquationFit) -> str:
    """Say whether the difference in size is worth the difference in fit (`fitting.score`)."""
    if fit.score < best.score:
        return "By this equation alone it is worth it; the whole system or your word decided otherwise."
    if len(fit.terms) < len(best.terms):
        return "What it saves in terms does not make up for that."
    return (
        "What it gains is less than its terms cost."
        if len(fit.terms) > len(best.terms)
        else "At this size the best fits better."
    )
