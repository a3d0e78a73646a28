"""What if a term, or an equation, stood in the law: fitted at once and in company, judged by the whole system."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np

from dolq_core.data.findings import counted
from dolq_core.errors import TermError
from dolq_core.export import latex
from dolq_core.fitting import Workbench, names_of
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.rewritten import difference
from dolq_core.records import AT_FLOOR, EquationFit, EquationNote, FittedTerm, RunState, TermKey
from dolq_core.runs import Run, workbench
from dolq_core.terms import Names, Skeleton, read_law, to_text
from dolq_core.views.amounts import of_spread
from dolq_core.views.system import reported
from dolq_core.views.trajectories import curves, of_measured, simulated, worst

ALIKE = 1.0
"""Nats, and per cent of the spread, below which two systems are said to do as well."""

REWRITTEN = 1e-4
"""Relative difference on the samples up to which two equations with as many numbers are one, fitted twice."""


_MINUS = str.maketrans("\N{MINUS SIGN}\N{EN DASH}", "--")
_OPEN = re.compile(r"(?<![\w`])C(?![\w`])")
"""A number to be fitted, in an equation."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The best equation with one more term, or an equation in its place.

    Attributes:
        fit: the equation that was tried; failure in it when it cannot be fitted.
        latex: the same as LaTeX; empty when it cannot be fitted.
        share: its squared error over that of the best equation so far; None where there is none.
        worth: whether it gains more than its terms cost: of whole runs where systems are compared on them.
        words: the same as sentences.
        typed: what became of numbers that were typed in an equation (`as_typed`); empty where there were none.
    """

    fit: EquationFit
    latex: str
    share: float | None
    worth: bool
    words: str
    typed: str = ""


def term_text(skeleton: Skeleton, names: Names) -> str:
    """Return a term in words."""
    return "a constant" if skeleton == "1" else to_text(skeleton, names)


def what_if(run: Run, key: TermKey, company: Sequence[TermKey] = ()) -> WhatIf:
    """Return what the law would be with one more term; nothing is stored.

    company: the other terms that wait to be tried, in any equation: all are tried together. A term of the law that is
    not needed beside them leaves: it may have stood in for them.
    """
    state, bench = run.state, workbench(run)
    base = [[] if best is None else [term.skeleton for term in best.fit.terms] for best in state.best]
    best = state.best[key.equation]
    if best is not None and key.skeleton in base[key.equation]:
        shown = latex.equation(best.reported, bench.names)
        return WhatIf(best.fit, shown, 1.0, True, "Already in the best equation.")
    asked: dict[int, list[Skeleton]] = {one.equation: [] for one in (*company, key)}
    for one in (*company, key):
        if one.skeleton not in (*base[one.equation], *asked[one.equation]):
            asked[one.equation].append(one.skeleton)
    tried = {j: _fewer_and_fewer(bench, j, base[j], terms) for j, terms in asked.items()}
    others = [min(fits, key=_merit) for j, fits in tried.items() if j != key.equation]
    fit, whole = _judged(run, bench, tried[key.equation], [one for one in others if not one.failure])
    if fit.failure:
        return WhatIf(fit, "", None, False, f"It cannot be fitted: {fit.failure}.")
    share, by_itself = _compared(state, bench, fit)
    beside = [term_text(s, bench.names) for terms in asked.values() for s in terms if s != key.skeleton]
    there = {term.skeleton for term in fit.terms}
    left = [term_text(s, bench.names) for s in base[key.equation] if s not in there]
    said = [f"Tried with {', '.join(beside)}."] if beside else []
    said += [f"{', '.join(left)} {'is' if len(left) == 1 else 'are'} no longer needed beside it."] if left else []
    said += ["" if whole.worth is not None else _significance(fit, key.skeleton), _error(share), whole.words]
    worth = by_itself if whole.worth is None else whole.worth
    said.append("Worth a term." if worth else "Not worth a term.")
    return WhatIf(fit, latex.equation(whole.shown or fit, bench.names), share, worth, " ".join(filter(None, said)))


def _fewer_and_fewer(
    bench: Workbench, equation: int, base: Sequence[Skeleton], proposed: Sequence[Skeleton]
) -> list[EquationFit]:
    """Return fits of the proposed terms beside all of `base`, then without the one that is missed least, and so on."""
    kept, found = list(base), [bench.fit(equation, [*base, *proposed])]
    while kept:
        fits = [(bench.fit(equation, [s for s in kept if s != out] + [*proposed]), out) for out in kept]
        fit, out = min(fits, key=lambda pair: _merit(pair[0]))
        kept.remove(out)
        found.append(fit)
    return found


def _merit(fit: EquationFit) -> tuple[bool, float]:
    return bool(fit.failure), fit.score


@dataclass(frozen=True, slots=True)
class _Whole:
    """What the whole system says of a trial.

    Attributes:
        worth: whether it gains; None where systems are not compared on whole runs.
        shown: the equation with its numbers from whole runs; None where there are none.
    """

    worth: bool | None = None
    words: str = ""
    shown: EquationFit | None = None


def _judged(
    run: Run, bench: Workbench, trials: Sequence[EquationFit], others: Sequence[EquationFit] = ()
) -> tuple[EquationFit, _Whole]:
    """Return the best of some fits of an equation, and what the whole system gains with it.

    A system that is far from the noise fits a little better with any term: there it has to gain what an ablation asks.
    """
    before, chosen = reported(run.state), min(trials, key=_merit)
    sound = [fit for fit in trials if not fit.failure]
    if not before or not sound:
        return chosen, _Whole()
    systems = [_with(before, [fit, *others]) for fit in sound]
    compared = bench.lengths([before, *systems], Prior(run.state.problem))
    if compared is None:
        system = _with([visited.scored for visited in run.state.best if visited is not None], [chosen, *others])
        return chosen, _Whole(None, _simulated(run, bench.refine(system) or system))
    least, *lengths = compared[1]
    k = min(range(len(sound)), key=lambda k: (lengths[k], *_merit(sound[k])))
    words, worth = _in_nats(least, lengths[k]), lengths[k] < least
    was, now = bench.judged(before), bench.judged(systems[k])
    if was is None or now is None or was[0] is not now[0]:
        return sound[k], _Whole(worth, words)
    far, share = float(np.max(now[1].misfit)), float(np.exp(np.mean(np.log(now[1].misfit / was[1].misfit))))
    if worth and far > AT_FLOOR and share > 1.0 - run.state.settings.ablation_threshold:
        words, worth = "The system stays far above the noise, about as before.", False
    own = {term.skeleton: term for term in now[1].system[sound[k].equation]}
    return sound[k], _Whole(worth, words, replace(sound[k], terms=tuple(own[t.skeleton] for t in sound[k].terms)))


def _with(system: Sequence[EquationFit], fits: Sequence[EquationFit]) -> list[EquationFit]:
    instead = {fit.equation: fit for fit in fits}
    return [instead.get(own.equation, own) for own in system]


def _in_nats(before: float, after: float) -> str:
    if after == inf:
        return "With it the system does not follow the samples."
    if before == inf:
        return "Only with it does the system follow the samples."
    gain = abs(before - after)
    if gain <= ALIKE:
        return "The system does as well as before, net of the cost of terms."
    size, way = f"{gain:.0f}" if gain >= 10.0 else f"{gain:.2g}", "better" if after < before else "worse"
    return f"The system explains the samples {size} nats {way}, net of the cost of terms."


def _simulated(run: Run, after: Sequence[EquationFit]) -> str:
    """Say how a system simulates beside the best one, by the errors that answer "Does it fit?"."""
    both, hidden = (curves(run), simulated(run, after, bands=False)), run.state.problem.dataset.hidden
    was, now = (of_measured(worst(one, len(after)), hidden) for one in both)
    known, found = [error for error in was if error is not None], [error for error in now if error is not None]
    if len(found) < len(now):
        return "Simulated, the system with it diverges."
    off = of_spread(max(found))
    if len(known) < len(was):
        return f"Simulated, the system no longer diverges: off by {off} of the spread."
    before = of_spread(max(known))
    if abs(100.0 * (sqrt(max(found)) - sqrt(max(known)))) < ALIKE:
        return f"Simulated, the system is off by {before} of the spread, as before."
    return f"Simulated, the system is off by {off} of the spread, before {before}."


def what_if_equation(run: Run, note: EquationNote) -> WhatIf:
    """Return what an equation of the person's own would be in place of the best one; nothing is stored."""
    tried = _in_place(run, note)
    return replace(tried, typed=as_typed(run, note, tried.fit))


def _in_place(run: Run, note: EquationNote) -> WhatIf:
    state, bench = run.state, workbench(run)
    best = state.best[note.equation]
    if best is not None and {term.skeleton for term in best.fit.terms} == set(note.skeletons):
        shown = latex.equation(best.reported, bench.names)
        return WhatIf(best.reported, shown, 1.0, True, "It is the best equation so far.")
    fit, whole = _judged(run, bench, [bench.fit(note.equation, list(note.skeletons))])
    if fit.failure:
        return WhatIf(fit, "", None, False, f"It cannot be fitted: {fit.failure}.")
    share, by_itself = _compared(state, bench, fit)
    worth = by_itself if whole.worth is None else whole.worth
    fitted = whole.shown or fit
    shown = latex.equation(fitted, bench.names)
    if best is not None and difference(fit, best.fit, bench) <= REWRITTEN:
        return WhatIf(fitted, shown, share, True, "It is the best equation so far, written in another way.")
    if best is None:
        return WhatIf(fitted, shown, share, worth, "Nothing to compare it with yet.")
    more = len(fit.terms) - len(best.fit.terms)
    size = f"{counted(abs(more), 'term')} {'more' if more > 0 else 'fewer'}" if more else "as many terms"
    times = "" if share is None else f"{share:.3g} times" if share >= 0.005 else "under 0.005 times"
    own = f"Its squared error is {times} that of the best, measured on the rate, with {size}."
    own = own if times else f"The best equation leaves no error; this one is with {size}."
    end = "It would be the new best." if worth else "The best so far stays ahead."
    return WhatIf(fitted, shown, share, worth, " ".join(filter(None, (whole.words, own, end))))


def _compared(state: RunState, bench: Workbench, fit: EquationFit) -> tuple[float | None, bool]:
    """Return the share of the best equation's squared error that is left, and whether the fit is the better one."""
    best = state.best[fit.equation]
    before = bench.null(fit.equation) if best is None else best.fit
    return (fit.mse / before.mse if before.mse > 0.0 else None), fit.score < before.score


def _significance(fit: EquationFit, skeleton: Skeleton) -> str:
    term = next(term for term in fit.terms if term.skeleton == skeleton)
    return "Its coefficient is not significant." if term.may_be_zero else ""


def _error(share: float | None) -> str:
    if share is None:
        return ""
    left = f"{100.0 * share:.0f} %" if share >= 0.005 else "under 1 %"
    if share >= 1.005:
        return f"The squared error of the rate is {left} of what it was."
    return f"It leaves {left} of the squared error of the rate."


KEPT = "To keep them, fix them in a new run: “fixed”, among the building blocks."


def as_typed(run: Run, note: EquationNote, refitted: EquationFit) -> str:
    """Say that numbers typed in an equation are fitted again, and how it does with them as they are.

    Empty where none was typed, or where a letter or a number inside a term is to be fitted.
    """
    terms = _with_own_numbers(run, note)
    if not terms:
        return ""
    said, law = "The numbers that you typed are fitted again.", reported(run.state)
    if not law or refitted.failure:
        return f"{said} {KEPT}"
    off = [
        _off(run, _with(law, [fit]))
        for fit in (EquationFit(note.equation, terms, inf, inf, inf, inf, inf, "typed"), refitted)
    ]
    return f"{said} Simulated, the system with them as typed {off[0]}, refitted {off[1]}. {KEPT}"


def _with_own_numbers(run: Run, note: EquationNote) -> tuple[FittedTerm, ...]:
    """Return the terms with the numbers that a person typed, where the equation has no other ones."""
    right, names = note.text.translate(_MINUS).rpartition("=")[2].rstrip(" ;,"), names_of(run.state.problem.dataset)
    if _OPEN.search(right):
        return ()
    try:
        law = read_law(right, names)
    except TermError:
        return ()
    is_typed = any(abs(coefficient) != 1.0 for _, coefficient in law)
    return tuple(FittedTerm(skeleton, coefficient) for skeleton, coefficient in law) if is_typed else ()


def _off(run: Run, system: Sequence[EquationFit]) -> str:
    found = of_measured(worst(simulated(run, system, bands=False), len(system)), run.state.problem.dataset.hidden)
    known = [error for error in found if error is not None]
    return f"is off by {of_spread(max(known))} of the spread" if len(known) == len(found) else "diverges"
