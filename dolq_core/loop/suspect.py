"""What the terms of a law say against it, though it explains the samples."""

import re
from collections.abc import Container
from math import pi

import numpy as np

from dolq_core.bans import is_in_force
from dolq_core.blocks import own_of, required, wrong_sign
from dolq_core.fitting import names_of
from dolq_core.fitting.limits import GHOST, UNCOMPARED, bent, cancelling, imitated, rivals_of, share_of, shares, spans
from dolq_core.mechanisms import spoken_for
from dolq_core.records import EquationFit, FittedTerm, RunState, TermKey, Visited, may_be_zero
from dolq_core.terms import count_params, in_sentence

CANCEL = 100.0  # times what its terms add up to, from which the largest term of an equation speaks against it
SHAPES = 2
"""Terms with fitted numbers inside, rhythms of time apart, with which an equation under noise can follow many a law: of
767 settled ones of our suites none had so many (`python -m lab settled`), and of Aizawa's system, whose terms of fourth
order are not searched, one of nine terms with three explained the samples. A supply that fades in time is one of them:
beside a saturation it left nothing of a loss in proportion (`python -m lab typed`)."""
CLEAN_SHAPES = 3
"""The same of clean data: of 1,400 settled equations of our runs none that is true has so many, and of the 34 laws that
`python -m lab trades` settled the wrong one had, three exponentials beside two terms of another mechanism."""
TERMS = 6
"""Terms, apart from those that a person asks for, with which it can as well: of the settled equations of our suites
and of 69 systems of chaos none of the true ones has so many, and two of six and nine were wrong (Qi's system). Of clean
data only with a shape among them: of 778 settled equations that are true none has so many, and one of seven was wrong
(`python -m lab benchtop`)."""
FAINT = 0.01
"""Share of all that acts below which a term with fitted numbers inside may stand for another: of 2,006 terms of settled
equations of our runs the faintest such one that is true has 1.4 %. `python -m lab typed` settled a motor whose dry
friction, a step seen in a few samples, was a constant and 0.05 % of an open power of its temperature."""
TRACE = "what it adds may be the error of an integrator"
"""Said of a term below GHOST: of clean samples a power of a share was settled beside two terms of 1e-7 of it
(`python -m lab audit`)."""
NARROW = 0.05
"""Share of its largest size by which a variable has to vary for the samples to tell curves of it apart: of 961
variables in curves of the true laws of all suites none varies by less than 6.7 %, and over 3.6 % an uptake that plenty
holds back was settled as an exponential beside two powers, of clean samples."""
MISSING = "Unless a rhythm or a drift drives {}, and the description says so, a state or an input is missing."
_TIME = re.compile(r"\bt\b")
_SWING = re.compile(r"\b(?:sin|cos)\((?:[^()]* [+-] )?(?:(?P<rate>params\[\d+\]|[\d.]+)\*)?t\b")
ROUNDS = 2.0
"""Periods of a rhythm in time that a run has to show: a hump has a sine of time as well."""


def doubt(state: RunState, best: Visited) -> str:
    """Return what speaks against a law that explains the samples, as a sentence; empty when nothing does."""
    fit = best.reported
    names = names_of(state.problem.dataset)
    together = {term.skeleton for term in fit.terms}
    bans = [state.bans.get(TermKey(fit.equation, term.skeleton)) for term in fit.terms]
    banned = [ban.key.skeleton for ban in bans if ban is not None and is_in_force(state, ban, together)]
    if banned:
        return f"It explains the data, but {in_sentence(banned[0], names)} in it is removed."
    if sign := _wrong_sign(state, fit):
        return sign
    loose = [t for t in fit.terms if t.may_be_zero]
    if loose:
        shown = in_sentence(loose[0].skeleton, names)
        return f"It explains the data, but by its own error the coefficient of {shown} may be zero."
    inside = [t for t in fit.terms if any(map(may_be_zero, t.inner, t.inner_errors))]
    if inside:
        shown = in_sentence(inside[0].skeleton, names, inside[0].inner)
        return f"It explains the data, but by its own error a number inside {shown} may be zero."
    timed = _unexplained_time(state, fit)
    if timed:
        return timed
    flexible = _can_follow_others(state, fit) or _is_narrow(state, fit)
    if flexible:
        return flexible
    times = cancelling(state.problem.dataset, fit)
    if times > CANCEL:
        return f"It explains the data, but its largest term is {times:.0f} times what its terms add up to."
    many = rivals_of(state, fit.equation)
    if many == UNCOMPARED:
        return "It explains the data; the next iteration compares it with other laws."
    if many:
        others = "1 other law does" if many == 1 else f"{many} other laws do"
        return f"It explains the data, and {others} so about as well."
    return ""


def _wrong_sign(state: RunState, fit: EquationFit) -> str:
    """Return that a coefficient has another sign than a person stated for it; empty where none has.

    A term counts for what it does: x*y**p is x*y, where p as fitted is near 1.
    """
    if sign := wrong_sign(state.problem.blocks, fit.equation, fit.terms):
        return f"It explains the data, but {sign}."
    dataset, names = state.problem.dataset, names_of(state.problem.dataset)
    here = {term.skeleton for term in fit.terms}
    for skeleton, sign in own_of(state.problem.blocks, fit.equation).signs:
        for term in fit.terms if skeleton not in here and not count_params(skeleton) else ():
            others = [other for other in fit.terms if other is not term]
            if imitated(dataset, term, [skeleton], others) is None:
                continue
            if (share_of(dataset, term, skeleton, others) > 0.0) != (sign == "positive"):
                shown, twin = in_sentence(term.skeleton, names, term.inner), in_sentence(skeleton, names)
                return f"It explains the data, but with {shown}, on them the same as {twin}, which may only be {sign}."
    return ""


def _can_follow_others(state: RunState, fit: EquationFit) -> str:
    """Return why a law is too flexible to be told from others, under noise sooner; empty where it is not."""
    under_noise = state.last is not None and bool(state.last.rivals) and not state.last.clean
    pinned = {key.skeleton for key in state.pins if key.equation == fit.equation}
    asked = {*required(state.problem.blocks, fit.equation), *pinned}
    own = sum(term.skeleton not in asked for term in fit.terms)
    shapes = sum(bool(t.inner) and not _SWING.search(t.skeleton) for t in fit.terms)
    if own >= TERMS and (under_noise or shapes):
        which = " that nobody asked for" if own < len(fit.terms) else ""
        return f"It explains the data, but with {own} terms{which}: so many can follow other laws too."
    if shapes >= (SHAPES if under_noise else CLEAN_SHAPES):
        return (
            f"It explains the data, but {shapes} of its terms have fitted numbers inside: it can follow other laws too."
        )
    return _is_faint(state, fit, asked)


def _is_faint(state: RunState, fit: EquationFit, asked: Container[str]) -> str:
    """Return that a term which nobody asked for hardly acts; empty where each one does."""
    names, acting = names_of(state.problem.dataset), shares(state.problem.dataset, fit)
    for share, term in sorted(zip(acting, fit.terms, strict=False), key=lambda one: one[0]):
        limit, why = (GHOST, TRACE) if share < GHOST or not term.inner else (FAINT, "its shape may be another")
        if share < limit and term.skeleton not in asked:
            shown = in_sentence(term.skeleton, names, term.inner)
            return f"It explains the data, but {shown} is under {100.0 * limit:g} % of all that acts: {why}."
    return ""


def _is_narrow(state: RunState, fit: EquationFit) -> str:
    """Return that a curve of a variable may be another one, where the samples show little of it and no word speaks."""
    dataset = state.problem.dataset
    varies = {symbol: share for symbol, share in spans(dataset).items() if share < NARROW}
    curves = [(term, symbol) for term in fit.terms for symbol in sorted(bent(term.skeleton) & varies.keys())]
    told = spoken_for(state.problem, names_of(dataset), fit.equation) if curves else set[str]()
    for term, symbol in curves:
        if term.skeleton not in told and TermKey(fit.equation, term.skeleton) not in state.pins:
            names = names_of(dataset)
            own = names.own[names.symbols.index(symbol)]
            return (
                f"It explains the data, but {own} varies by only {100.0 * varies[symbol]:.2g} % in them: "
                f"over so little, other curves look the same as {in_sentence(term.skeleton, names, term.inner)}."
            )
    return ""


def without_time(state: RunState, fit: EquationFit) -> str:
    """Return why there is no law without time where nothing but the data speaks for a law with it; empty elsewhere.

    Any curve has laws with time in them, so one that only a state which nobody measured asks for is no claim; a rhythm
    that the data show more than once is one, and stays provisional without a word for it.
    """
    target, dataset = state.last.target if state.last else None, state.problem.dataset
    times = [term for term in fit.terms if _TIME.search(term.skeleton)]
    span = max(float(np.ptp(run.t)) for run in dataset.trajectories)
    shown = bool(times) and all(span * _turns(term) >= ROUNDS for term in times)
    if target is None or shown or (times and not _unexplained_time(state, fit)):
        return ""
    if target.hidden or not times:
        return target.hidden
    only = f"Only time itself explains it. {MISSING.format(dataset.states[fit.equation].name)}"
    return target.crossing or (only if dataset.unmeasured else "")


def _turns(term: FittedTerm) -> float:
    """Return how often a term that swings in time does so in a unit of it; 0 for one that does not swing."""
    found = _SWING.search(term.skeleton)
    if found is None:
        return 0.0
    rate = found["rate"] or "1"
    value = term.inner[int(rate[len("params[") : -1])] if rate.startswith("params") else float(rate)
    return abs(value) / (2.0 * pi)


def _unexplained_time(state: RunState, fit: EquationFit) -> str:
    """Return that time itself stands in a law though nothing speaks for it: what was not measured looks the same.

    A rhythm that makes sense in one equation does so in all: what it drives out of one state arrives in another.
    """
    verdicts = state.last.verdicts if state.last else ()
    good = {verdict.key.skeleton for verdict in verdicts if verdict.semantic == "good"}
    bad = {verdict.key for verdict in verdicts if verdict.semantic == "bad"}
    keys = [TermKey(fit.equation, term.skeleton) for term in fit.terms if _TIME.search(term.skeleton)]
    told = spoken_for(state.problem, names_of(state.problem.dataset), fit.equation) if keys else set[str]()
    if all(key.skeleton in good or key in state.pins or (key.skeleton in told and key not in bad) for key in keys):
        return ""
    name = state.problem.dataset.states[fit.equation].name
    return f"It explains the data, but with time itself in it. {MISSING.format(name)}"
