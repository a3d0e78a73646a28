"""What sign, range and balance say against a term: sentences that a person can argue with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dolq_core.agents.builtin.facts import Facts, Total, facts_of, is_amount
from dolq_core.arrays import Floats
from dolq_core.blocks import adds_unlike, curve_of_amount
from dolq_core.fitting import Workbench
from dolq_core.grades import VAGUE, acts
from dolq_core.mechanisms import Entry, Words, counts_from_zero, speaks_of_another
from dolq_core.records import AT_FLOOR, EquationFit, FittedTerm, Problem
from dolq_core.terms import Skeleton, compile_columns, in_sentence, variables

ONE_WAY = 0.95
"""Share of what a term does, from which it is said to act one way: a smooth curve through noise dips below zero."""
SURE = 2.0
"""Coefficient over its standard error from which its sign is believed."""
SMALL = 0.02
"""Share of the typical change below which a negative change at zero is let pass."""
UNBALANCED = 0.1


@dataclass(frozen=True, slots=True)
class ReviewCase:
    """One attempt on trial: data, words, the fits of all equations (None where there is none), which iteration.

    fitted: by equation, those that can be used as `on_whole_runs` has them.
    """

    problem: Problem
    bench: Workbench
    words: Words
    attempt: Sequence[EquationFit | None]
    iteration: int = 1
    fitted: Mapping[int, EquationFit] = field(default_factory=dict[int, EquationFit])

    @property
    def facts(self) -> Facts:
        """What the data show without any law."""
        return facts_of(self.bench)


def objections(
    case: ReviewCase, fit: EquationFit, term: FittedTerm, entry: Entry | None, needed: set[Skeleton]
) -> list[str]:
    """Return what speaks against a term besides the words on its family; `needed`: terms that the numbers need."""
    found = [
        *([_sign(case, fit, term, entry), _range(case, term, entry)] if entry is not None else []),
        _counts_from_zero(case, term),
        _of_amount(case, term),
        _below_zero(case, fit, term),
        _out_of_balance(case, fit, term) if fit.floor_ratio > AT_FLOOR or term.skeleton not in needed else "",
        _breaks_symmetry(case, fit, term, needed),
    ]
    return [text for text in found if text]


def _sign(case: ReviewCase, fit: EquationFit, term: FittedTerm, entry: Entry) -> str:
    family, own = entry.family, case.bench.names.own[fit.equation]
    if (family.sign == "-" and term.coefficient > 0) or (family.sign == "+" and term.coefficient < 0):
        sign, other = ("positive", "negative") if term.coefficient > 0 else ("negative", "positive")
        return f"One would expect a {other} coefficient; the fit gives a {sign} one."
    up, down = (case.words.suggesting(stems) for stems in (family.rises, family.falls))
    if speaks_of_another(case.words, up or down, case.problem.dataset.states, (fit.equation,)):
        return ""
    if down and not up and term.coefficient > 0:
        return f"The word '{down}' speaks of a loss, but here it makes {own} grow."
    if up and not down and term.coefficient < 0:
        return f"The word '{up}' speaks of a gain, but here it makes {own} shrink."
    return ""


def _range(case: ReviewCase, term: FittedTerm, entry: Entry) -> str:
    if entry.family.range != "not negative":
        return ""
    names = case.bench.names
    inside = variables(term.skeleton)
    wrong = [i for i, symbol in enumerate(names.symbols) if symbol in inside and case.facts.low[i] < 0.0]
    if not wrong:
        return ""
    own, low, least = names.own[wrong[0]], case.facts.low[wrong[0]], _least_sample(case, wrong[0])
    what, down = (own, least) if least < 0.0 else ("the curve through its samples", low)
    return f"That works only where {own} is not negative, and {what} goes down to {down:.3g}."


def _least_sample(case: ReviewCase, variable: int) -> float:
    """Return the least value of a state or an input in the table, which the curve through the samples may go below."""
    d = len(case.problem.dataset.states)
    runs = case.problem.dataset.trajectories
    beside = [run.x if variable < d or run.inputs is None else run.inputs for run in runs]
    own = np.concatenate([values[:, variable if variable < d else variable - d] for values in beside])
    return float(np.min(own, initial=np.inf, where=np.isfinite(own)))


def _counts_from_zero(case: ReviewCase, term: FittedTerm) -> str:
    names = case.bench.names
    celsius = [s for s, own in zip(names.symbols, names.own, strict=True) if own in case.words.celsius]
    symbol = counts_from_zero(term.skeleton, celsius)
    if not symbol:
        return ""
    own = names.own[names.symbols.index(symbol)]
    return f"{own} is in degrees Celsius, whose zero is no absence of heat: this would need {own} + 273.15."


def _of_amount(case: ReviewCase, term: FittedTerm) -> str:
    curve = curve_of_amount(case.problem.dataset, term.skeleton)
    if adds_unlike(case.problem.dataset, term.skeleton):
        return "It adds what has unlike units: in other units the law would be another one."
    return f"It takes {curve} of what has a unit: in another unit the law would be another one." if curve else ""


def _below_zero(case: ReviewCase, fit: EquationFit, term: FittedTerm) -> str:
    """A state that is an amount cannot go on falling where it is zero."""
    j, variable = fit.equation, case.problem.dataset.states[fit.equation]
    amount = is_amount(variable) and case.facts.low[j] >= 0.0
    if not (amount or case.facts.dwells_at_zero[j]) or not _is_sure(term):
        return ""
    at_zero = case.bench.values.copy()
    at_zero[j] = 0.0
    parts = [_values(case.bench, t, at_zero) for t in fit.terms]
    mine = parts[[t.skeleton for t in fit.terms].index(term.skeleton)]
    with np.errstate(invalid="ignore"):  # terms that run away there in both directions: no number
        whole: Floats = np.sum(np.array(parts), axis=0)
    change: Floats = case.bench.dx[j]
    allowed = SMALL * float(np.sqrt(np.mean(np.square(change))))
    worst: Floats = np.maximum(whole, mine)
    if not bool(np.all(np.isfinite(worst))) or float(np.min(worst)) >= -allowed:
        return ""
    return f"It would push {variable.name} below zero where {variable.name} = 0."


def _out_of_balance(case: ReviewCase, fit: EquationFit, term: FittedTerm) -> str:
    """What a constant total loses in one equation comes back in another (one at its floor may say it otherwise)."""
    for total in case.facts.totals:
        sum_, error, mine = _flow(case, total, fit.equation, term)
        if mine and abs(sum_) > UNBALANCED * mine + 3.0 * error:
            said = total.text(case.bench.names.own)
            shown = in_sentence(term.skeleton, case.bench.names, term.inner)
            return f"{said} is constant in these data, but the other equations do not balance {shown}."
    return ""


def _flow(case: ReviewCase, total: Total, equation: int, term: FittedTerm) -> tuple[float, float, float]:
    """Return (what the term adds to the total in all equations, its error, what it adds in this one)."""
    weights = dict(total.parts)
    fits = [case.attempt[i] for i in weights]
    if equation not in weights or any(fit is None or fit.failure or not fit.terms for fit in fits):
        return 0.0, 0.0, 0.0
    same = [(weights[f.equation], t) for f in fits if f is not None for t in f.terms if t.skeleton == term.skeleton]
    error = float(np.sqrt(sum((w * (t.std_error or 0.0)) ** 2 for w, t in same)))
    return sum(w * t.coefficient for w, t in same), error, weights[equation] * abs(term.coefficient)


def _breaks_symmetry(case: ReviewCase, fit: EquationFit, term: FittedTerm, needed: set[Skeleton]) -> str:
    """Where all that the numbers need is odd, on samples of both signs, the law is odd."""
    if not case.facts.two_sided or term.skeleton in needed or not needed:
        return ""
    parity = {t.skeleton: _parity(case.bench, t) for t in fit.terms}
    if parity[term.skeleton] != "even" or any(parity[s] != "odd" for s in needed):
        return ""
    return "All that the data need here is odd in the states; this term is even."


def _parity(bench: Workbench, term: FittedTerm) -> str:
    mirrored = bench.values.copy()
    mirrored[: bench.d] *= -1.0
    here, there = _values(bench, term, bench.values), _values(bench, term, mirrored)
    if not np.all(np.isfinite(there)):
        return ""
    tiny = 1e-9 * float(np.max(np.abs(here)))
    if float(np.max(np.abs(here - there))) <= tiny:
        return "even"
    return "odd" if float(np.max(np.abs(here + there))) <= tiny else ""


def _is_sure(term: FittedTerm) -> bool:
    return term.std_error is None or abs(term.coefficient) >= SURE * term.std_error


def _values(bench: Workbench, term: FittedTerm, values: Floats) -> Floats:
    """What a term adds to the change at each sample (N,), with the states as given."""
    return term.coefficient * compile_columns(term.skeleton, bench.symbols)(values, bench.t, term.inner)


def on_whole_runs(bench: Workbench, attempt: Sequence[EquationFit | None]) -> dict[int, EquationFit]:
    """Return each equation with numbers and misfit of whole runs, as pages and verdicts have them, where it follows."""
    fits = [fit for fit in attempt if fit is not None and not fit.failure]
    found = bench.judged(fits) if len(fits) == len(attempt) else None
    if found is not None:
        like, judged = found
        told = zip(fits, judged.with_errors, judged.misfit.tolist(), strict=True)
        fits = [replace(fit, terms=terms, floor_ratio=misfit) for fit, terms, misfit in told]
        if like is bench.likelihoods[0]:
            whole = zip(fits, like.above_rest(judged), like.whiteness(judged), strict=True)
            fits = [replace(fit, above_rest=above, whiteness=white) for fit, above, white in whole]
    return {fit.equation: fit for fit in fits}


def share(bench: Workbench, fit: EquationFit, term: FittedTerm) -> str:
    """Return what a term does to its state, as a sentence: which way, and how much of all that acts on it."""
    own = bench.names.own[fit.equation]
    if not _is_sure(term) and term.std_error is not None:
        return VAGUE
    above = np.maximum(bench.values, np.array(facts_of(bench).low)[:, None])
    parts = {t.skeleton: _values(bench, t, above) for t in fit.terms}
    if not all(np.isfinite(part).all() for part in parts.values()):
        parts = {t.skeleton: _values(bench, t, bench.values) for t in fit.terms}
    sizes = {s: float(np.mean(np.abs(part))) for s, part in parts.items()}
    mine, whole = sizes[term.skeleton], sum(sizes.values())
    if not 0.0 < whole < np.inf:
        return ""
    up = float(np.mean(np.maximum(parts[term.skeleton], 0.0))) / mine if mine else 0.5
    way = "raises" if up > ONE_WAY else "lowers" if up < 1.0 - ONE_WAY else "sometimes raises, sometimes lowers"
    if len(fit.terms) == 1:
        return acts(way, own)
    percent = 100.0 * mine / whole
    much = f"{percent:.0f} %" if percent >= 1.0 else "under 1 %"
    return acts(way, own, much)
