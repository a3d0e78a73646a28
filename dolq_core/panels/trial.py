"""What if a term of the person's own stood in the best equation: fitted at once, compared, nothing is stored."""

from dataclasses import dataclass

from dolq_core.export import latex
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, RunState, TermKey

TOLD = 2.0
"""Standard errors from which a coefficient is told from zero in words."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The best equation with one more term.

    Attributes:
        fit: the equation with the term; failure in it when it cannot be fitted.
        latex: the same as LaTeX; empty when it cannot be fitted.
        share: its squared error over that of the best equation without the term; None where there is none.
        worth: whether the term gains more than a term costs (`fitting.score`).
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
    before = bench.null(key.equation) if best is None else best.fit
    share = fit.mse / before.mse if before.mse > 0.0 else None
    worth = fit.score < before.score
    return Trial(fit, latex.equation(fit, bench.names), share, worth, _words(fit, key, share, worth=worth))


def _words(fit: EquationFit, key: TermKey, share: float | None, *, worth: bool) -> str:
    term = next(term for term in fit.terms if term.skeleton == key.skeleton)
    vague = term.std_error is not None and abs(term.coefficient) < TOLD * term.std_error
    said = ["Its coefficient is not told from zero."] if vague else []
    if share is not None:
        left = f"{100.0 * share:.0f} %" if share >= 0.005 else "under 1 %"
        said.append(f"With it the squared error of this equation is {left} of what it was.")
    said.append("That is worth a term." if worth else "That is less than a term costs.")
    return " ".join(said)
