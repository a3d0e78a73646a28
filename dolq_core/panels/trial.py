"""What if a term, or an equation, of the person's own were the law: fitted at once, compared, nothing is stored."""

from dataclasses import dataclass

from dolq_core.export import latex
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, EquationNote, RunState, TermKey, Visited

TOLD = 2.0
"""Standard errors from which a coefficient is told from zero in words."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The best equation with one more term, or an equation in its place.

    Attributes:
        fit: the equation that was tried; failure in it when it cannot be fitted.
        latex: the same as LaTeX; empty when it cannot be fitted.
        share: its squared error over that of the best equation so far; None where there is none.
        worth: whether it gains more than its terms cost (`fitting.score`).
        words: the same as sentences.
    """

    fit: EquationFit
    latex: str
    share: float | None
    worth: bool
    words: str


def trial(state: RunState, bench: Workbench, key: TermKey) -> Trial:
    """Fit the best equation so far (or none) with the term `key` in it, and say what that changes."""
    best = state.best[key.equation] if state.best else None
    base = [] if best is None else [term.skeleton for term in best.fit.terms]
    if key.skeleton in base and best is not None:
        shown = latex.equation(best.fit, bench.names)
        return Trial(best.fit, shown, 1.0, True, "It stands in the best equation already.")
    fit = bench.fit(key.equation, [*base, key.skeleton])
    if fit.failure:
        return Trial(fit, "", None, False, f"It cannot be fitted: {fit.failure}.")
    share, worth = _compared(state, bench, fit)
    return Trial(fit, latex.equation(fit, bench.names), share, worth, _words(fit, key, share, worth=worth))


def equation_trial(state: RunState, bench: Workbench, note: EquationNote) -> Trial:
    """Fit a whole right-hand side, and compare it with the best one so far."""
    best = state.best[note.equation]
    if best is not None and {term.skeleton for term in best.fit.terms} == set(note.skeletons):
        return Trial(best.fit, latex.equation(best.fit, bench.names), 1.0, True, "It is the best equation so far.")
    fit = bench.fit(note.equation, list(note.skeletons))
    if fit.failure:
        return Trial(fit, "", None, False, f"It cannot be fitted: {fit.failure}.")
    share, worth = _compared(state, bench, fit)
    return Trial(fit, latex.equation(fit, bench.names), share, worth, _verdict(fit, best, share))


def _compared(state: RunState, bench: Workbench, fit: EquationFit) -> tuple[float | None, bool]:
    """Return the share of the best equation's squared error that is left, and whether the fit is the better one."""
    best = state.best[fit.equation]
    before = bench.null(fit.equation) if best is None else best.fit
    return (fit.mse / before.mse if before.mse > 0.0 else None), fit.score < before.score


def _verdict(fit: EquationFit, best: Visited | None, share: float | None) -> str:
    if best is None:
        return "There is no equation to compare it with yet."
    more = len(fit.terms) - len(best.fit.terms)
    size = f"{abs(more)} {'term' if abs(more) == 1 else 'terms'} {'more' if more > 0 else 'fewer'}"
    size = f"with {size}" if more else "with as many terms"
    if share is None:
        return f"The best equation leaves no error; this one is {size}."
    times = f"{share:.3g} times" if share >= 0.005 else "under 0.005 times"
    worth = "It would be the new best" if fit.score < best.fit.score else "The best so far stays ahead"
    return f"Its squared error is {times} that of the best equation so far, {size}. {worth}."


def _words(fit: EquationFit, key: TermKey, share: float | None, *, worth: bool) -> str:
    term = next(term for term in fit.terms if term.skeleton == key.skeleton)
    vague = term.std_error is not None and abs(term.coefficient) < TOLD * term.std_error
    said = ["Its coefficient is not told from zero."] if vague else []
    if share is not None:
        left = f"{100.0 * share:.0f} %" if share >= 0.005 else "under 1 %"
        said.append(f"With it the squared error of this equation is {left} of what it was.")
    said.append("That is worth a term." if worth else "That is less than a term costs.")
    return " ".join(said)
