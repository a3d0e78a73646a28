"""Where a run stands, as both roles are told: what was tried, with figures, and where the best of it misses.

Its length is bounded: the best of each equation, what the newest iteration brought, and the next few in rank.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from dolq_core.agents.llm.telling import error_text
from dolq_core.arrays import Floats
from dolq_core.errors import TermError
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import explains
from dolq_core.fitting.merit import rank
from dolq_core.numerics.patterns import correlation
from dolq_core.records import EquationFit, FittedTerm, Iteration, RunState, TermKey, Visited
from dolq_core.terms import Names, Skeleton, parse_term, to_python

MOST_NEW, MOST_OLD = 4, 6
"""Structures of an equation that are told: of the newest iteration with all figures, of the others by terms alone."""
PARTS = 8
"""Stretches of the samples among which the one is named where the best law misses most."""
LARGE = 1_000_000
KEY = (
    "[x3.4] after a term: without it, and with the best of the other terms fitted again, the squared error on left-out "
    "data is 3.4 times as large; [-]: not told from chance."
)


def account_part(state: RunState, bench: Workbench, number: int) -> str:
    """Return the account; number: of the iteration whose structures are new. Empty before anything was fitted."""
    if not state.archive:
        return ""
    rule = "mean squared error" if state.settings.best_by == "mse" else "nats (misfit and length together)"
    figures = state.models is None or state.models.portrait
    lines = [line for j in range(len(state.best)) for line in _equation(state, bench, j, number, figures=figures)]
    head = (
        f"# Where the run stands\nEquations are ranked one by one, by {rule}, the best first; together the first ones "
        f"are the best system. {KEY}"
    )
    if bench.likelihoods and state.settings.best_by != "mse":
        head += " The data are noisy: between close laws the fit of the whole system to whole runs decides."
    return "\n".join([head, *lines])


def _equation(state: RunState, bench: Workbench, equation: int, number: int, *, figures: bool) -> list[str]:
    mine = [visited for (j, _), visited in state.archive.items() if j == equation]
    failed = [f"- failed: {_names(v.fit)}: {v.fit.failure}" for v in mine if v.fit.failure and v.iteration == number]
    best = state.best[equation]
    others = sorted((v for v in mine if not v.fit.failure and not _same(v, best)), key=lambda v: rank(state, v))
    new = [v for v in others if v.iteration == number][:MOST_NEW]
    old = [v for v in others if not any(v is one for one in new)]
    lines = [f"d {bench.names.symbols[equation]}/dt"]
    if best is not None:
        lines.append(f"- best: {whole(state, bench, best.reported)}{_since(best, number)}")
        lines += [f"  {line}" for line in (missing(bench, best.reported) if figures else ())]
    lines += [f"- {behind(state, v, best)}: {whole(state, bench, v.reported)}" for v in new]
    lines += [f"- {behind(state, v, best)}: {_names(v.fit)}" for v in old[:MOST_OLD]]
    lines += [f"- and {len(old) - MOST_OLD} worse ones, tried before"] if len(old) > MOST_OLD else []
    return lines + failed[:MOST_NEW]


def _same(visited: Visited, other: Visited | None) -> bool:
    return other is not None and visited.fit.terms == other.fit.terms


def _since(visited: Visited, number: int) -> str:
    return "" if visited.iteration == number else f", of iteration {visited.iteration}"


def behind(state: RunState, visited: Visited, best: Visited | None) -> str:
    """Say how far a structure is behind the best one, in what ranks them."""
    if best is None:
        return "tried"
    mine, first = rank(state, visited), rank(state, best)
    if state.settings.best_by == "mse":
        return f"error x{mine / first:.3g}" if first > 0.0 else "behind"
    return f"{mine - first:+.3g} nats"


def _names(fit: EquationFit) -> str:
    return ", ".join(term.skeleton for term in fit.terms) or "no term"


def whole(state: RunState, bench: Workbench, fit: EquationFit) -> str:
    """Return a fitted law: each term with what it is worth, and the errors."""
    lost = {skeleton: refitted for skeleton, _, refitted in bench.ablate(fit)}
    terms = " ".join(f"{summand(term)}{dropped(lost.get(term.skeleton))}{_let(state, fit, term)}" for term in fit.terms)
    return f"{terms or '0'}; {error_text(fit)}"


def _let(state: RunState, fit: EquationFit, term: FittedTerm) -> str:
    return " (banned since)" if TermKey(fit.equation, term.skeleton) in state.bans else ""


def summand(term: FittedTerm) -> str:
    """Return a fitted term: coefficient with standard error, inner parameters put in."""
    error = "" if term.std_error is None else f"(+-{term.std_error:.1g})"
    return f"{term.coefficient:+.4g}{error}*{_bracketed(shown_term(term))}"


def shown_term(term: FittedTerm) -> str:
    """Return a term with its inner parameters put in, as far as they are told."""
    return to_python(term.skeleton, tuple(float(f"{value:.4g}") for value in term.inner))


def _bracketed(text: str) -> str:
    return f"({text})" if any(sign in text for sign in "+-*/ ") else text


def as_shown(fits: Iterable[EquationFit | None], names: Names) -> dict[Skeleton, Skeleton]:
    """Return the terms of fits by the skeletons that they have as they are shown, numbers in the place of parameters.

    So a model that repeats 1/(1 + exp(4.89*x - 1.4)) as it reads it means the term whose numbers are fitted.
    """
    found: dict[Skeleton, Skeleton] = {}
    for term in (term for fit in fits if fit is not None for term in fit.terms if term.inner):
        try:
            found[parse_term(shown_term(term), names).skeleton] = term.skeleton
        except TermError:
            continue  # with these numbers it is no term of the language, such as one of a thousandth power
    return found


def dropped(ratio: float | None) -> str:
    """Return what the error grows by without a term, as KEY says."""
    if ratio is None:
        return ""
    return "[-]" if ratio <= 1.0 else f"[x{ratio:.2g}]" if ratio < LARGE else "[x>1e6]"


def turned(last: Iteration) -> list[str]:
    """Return the terms, as they were written, whose sign the fit of the newest iteration has turned."""
    fitted = {(s.hypothesis, f.equation): {t.skeleton: t for t in f.terms} for s in last.fits for f in s.equations}
    return [
        f"{term.stated:+g}*{term.skeleton} in the equation of hypothesis {candidate.hypothesis + 1}"
        for candidate in last.proposal.candidates
        for j, terms in enumerate(candidate.terms)
        for term in terms
        if term.stated is not None
        and (found := fitted.get((candidate.hypothesis, j), {}).get(term.skeleton)) is not None
        and found.coefficient * term.stated < 0.0
    ]


def missing(bench: Workbench, fit: EquationFit) -> Sequence[str]:
    """Say where a law misses the rates: when, at which values, with which sign; nothing where it explains the data."""
    if fit.failure or explains(fit):
        return ()
    left = bench.residual(fit)
    spread = float(np.std(bench.dx[fit.equation]))
    parts = np.array_split(np.arange(len(left)), min(PARTS, len(left)))
    means = [float(np.mean(left[part])) for part in parts]
    worst = max(range(len(parts)), key=lambda k: abs(means[k]))
    here = parts[worst]
    values = ", ".join(f"{s} {_span(bench.values[i, here])}" for i, s in enumerate(bench.symbols))
    side = "above" if means[worst] > 0.0 else "below"
    share = f" ({abs(means[worst]) / spread:.2g} of its spread)" if spread > 0.0 else ""
    go = ", ".join(f"{s} {correlation(left, bench.values[i]):+.2f}" for i, s in enumerate(bench.symbols))
    return (
        f"it misses most at t {_span(bench.t[here])} ({values}): there the data's rate is {abs(means[worst]):.2g} "
        f"{side} the law's{share}; the correlation of what it misses: {go}",
    )


def _span(values: Floats) -> str:
    return f"{float(np.min(values)):.3g}..{float(np.max(values)):.3g}"
