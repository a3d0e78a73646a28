"""Where a run stands in one word per equation, and whether there is a reason to stop."""

import re
from math import inf, isfinite, pi, sqrt

import numpy as np

from dolq_core import clock
from dolq_core.bans import is_in_force
from dolq_core.blocks import required, wrong_sign
from dolq_core.fitting import names_of, why_nothing
from dolq_core.fitting.chance import of_few_samples
from dolq_core.fitting.limits import UNCOMPARED, cancelling, faintest, is_explained, plainer, rivals_of
from dolq_core.fitting.rivals import CLOSE
from dolq_core.loop.compare import STARTS
from dolq_core.mechanisms import spoken_for
from dolq_core.numerics.whiteness import WHITE
from dolq_core.records import (
    AT_FLOOR,
    MISSES,
    STANDS,
    EquationFit,
    FittedTerm,
    Iteration,
    RunState,
    Status,
    TargetInfo,
    TermKey,
    Visited,
)
from dolq_core.terms import to_text

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
and of 69 systems of chaos none of the true ones has so many, and two of six and nine were wrong (Qi's system)."""
FAINT = 0.01
"""Share of all that acts below which a term with fitted numbers inside may stand for another: of 2,006 terms of settled
equations of our runs the faintest such one that is true has 1.4 %. `python -m lab typed` settled a motor whose dry
friction, a step seen in a few samples, was a constant and 0.05 % of an open power of its temperature."""
SIGNIFICANT = 2.0
"""Standard errors from zero from which a coefficient is told from it (95 %)."""
SETTLED = "It explains the data to within their own error."
ALONE = "It explains the samples to within their noise, and has no rival among the laws compared."
"""The same where noise hides differences and other laws were compared."""
ALLOWED = "It explains the samples to within their noise, and has no rival among the laws compared that you allow."
"""The same where a person has removed terms: what they ruled out was not compared."""
EXACTLY = "It leaves less than a millionth of what the rate varies by."
RUNS_AWAY = "It follows the samples from one to the next, but its simulation from the start runs away."
STRAYS = 3
"""Starts of `loop.compare.STARTS` from which a law may run away and be settled all the same."""
ASTRAY = "It explains the samples, but simulated from {} of {} other starts within their range it runs away."
LEAVES = "It follows the rates, but its simulation misses the samples (NMSE {:.2g})."
NEITHER = "It misses the rates it was fitted to, and its simulation from the start runs away."
LOST = 0.5
"""NMSE, of the rate and of the simulation, from which what follows the fitted data is not foretold at all."""
FAR = 3.0
"""Times the error floor of the rate from which a law at the noise misses what follows, as its simulation does."""
MISSED = "It explains the data it was fitted to, and misses those that follow them."
LOOSE, CLOSE_BY = 5.0, 1e-4
"""Times the noise, and NMSE of the simulation, between which data may be a solver's: the defaults of SciPy's
`solve_ivp` leave a smooth error of some 0.1 % of the spread and no noise beside it (tests/fitting/test_clean.py)."""
CUT_SHORT = "No law yet: the limit of time ended the search before all was tried."
NOT_ALL = "It explains the data, but the limit of time ended the search before all was tried."
CHOSEN = "The next iteration fits what you chose."
RULED_OUT = "You ruled out every law fitted so far; the next iteration looks for another."
LEFT_OVER = "It explains the data to the size of their noise, but its residuals are not white noise."
MISSING = "Unless a rhythm or a drift drives {}, and the description says so, a state or an input is missing."
_TIME = re.compile(r"\bt\b")
_SWING = re.compile(r"\b(?:sin|cos)\((?:[^()]* [+-] )?(?:(?P<rate>params\[\d+\]|[\d.]+)\*)?t\b")
ROUNDS = 2.0
"""Periods of a rhythm in time that a run has to show: a hump has a sine of time as well."""


def status(state: RunState, equation: int) -> tuple[Status, str]:
    """Return the status of one equation and the reason for it, as a sentence."""
    best = state.best[equation]
    if best is None or state.last is None:
        return "none", _why_none(state, equation)
    target = state.last.target
    if proof := _without_time(state, best.fit):
        return "none", proof
    null_score = target.null_score[equation] if target.null_score else None
    over, at_floor = over_floor(best), is_explained(best)
    nothing = "" if _is_borne_out(best) else why_nothing(best.fit, null_score)
    if not at_floor:
        nothing = nothing or _lost_ahead(state, equation, best) or (NEITHER if _runs_away(state) else "")
    if nothing:
        return "none", _cut_short(state.last) or f"{nothing}{_when(state.last, equation)}"
    if null_score is not None and target.walk_score:
        sensible = _makes_sense(state, state.last, best.fit)
        few = of_few_samples(best.fit, null_score, target.walk_score[equation], sensible=sensible)
        if few is not None:
            return few
    if at_floor:
        doubt = (
            _runs_away(state)
            or _of_steps(target, equation)
            or _goes_astray(state)
            or _doubt(state, best)
            or _hangs_together(best)
            or _leaves_samples(state, state.last, equation)
            or _missed(state, equation, best.fit)
            or (NOT_ALL if _cut_short(state.last) else "")
        )
        return ("provisional", doubt) if doubt else ("settled", _all_explained(state, state.last, over))
    said = f"Its simulation misses the samples by {_times(over)} the noise."
    if over <= best.fit.floor_ratio:
        said = f"Its error is {_times(over)} that of the data."
    return "provisional", f"{said}{_of_solver(state, equation, over)}{_when(state.last, equation)}"


def _all_explained(state: RunState, last: Iteration, over: float) -> str:
    said = EXACTLY if over > AT_FLOOR else ALONE if last.rivals else SETTLED
    if said == ALONE and (state.families or any(ban.by == "human" for ban in state.bans.values())):
        said = ALLOWED
    return f"{said} {last.target.total}".rstrip()


def _of_solver(state: RunState, equation: int, over: float) -> str:
    """Say how near a simulation comes to samples that look clean, after another sentence: they may be a simulation."""
    nmse = state.trajectory.nmse[equation] if state.trajectory is not None else inf
    if over < LOOSE or not nmse <= CLOSE_BY:
        return ""
    return (
        f" The simulation stays within {100.0 * sqrt(nmse):.1g} % of the spread: a solver's own error may be as large."
    )


def _cut_short(last: Iteration) -> str:
    """Return that the search was not done, where a limit of time ended it: it says nothing of what it did not try."""
    return CUT_SHORT if clock.ENDED in last.proposal.note else ""


def is_awaited(state: RunState, equation: int) -> bool:
    """Whether a person's word leaves none of the laws that were fitted: the next iteration fits what it allows."""
    known = (visited for (j, _), visited in state.archive.items() if j == equation)
    return state.best[equation] is None and any(not visited.fit.failure for visited in known)


def _why_none(state: RunState, equation: int) -> str:
    if is_awaited(state, equation):
        return CHOSEN if any(note.equation == equation for note in state.equations) else RULED_OUT
    tried = state.last.fits if state.last is not None else ()
    failures = [system.equations[equation].failure for system in tried]
    return f"No structure can stand: {failures[0]}." if failures and failures[0] else "No structure was fitted yet."


def _runs_away(state: RunState) -> str:
    """Return that the simulation of the best system does not come to the end; empty where it does."""
    failed = state.trajectory is not None and not all(map(isfinite, state.trajectory.nmse))
    return RUNS_AWAY if failed else ""


def _leaves_samples(state: RunState, last: Iteration, equation: int) -> str:
    """Return that a law follows the rates and not the samples, where no whole systems were compared; not in chaos."""
    score = state.trajectory
    if score is None or score.past_horizon is not False or last.rivals or last.target.kind != "weak":
        return ""
    nmse = score.nmse[equation]
    return LEAVES.format(nmse) if nmse > MISSES else ""


def _goes_astray(state: RunState) -> str:
    strays = state.last.strays if state.last is not None and state.trajectory is not None else None
    return ASTRAY.format(strays, STARTS) if strays is not None and strays > STRAYS else ""


def _is_borne_out(best: Visited) -> bool:
    """Whether whole runs are explained to their noise, and far better than by standing still: then rates are not asked.

    Under much noise the rates alone may say nothing, as in chaos.
    """
    above = best.reported.above_rest
    return above is not None and above > CLOSE and is_explained(best) and not _hangs_together(best)


def _hangs_together(best: Visited) -> str:
    """Return that what a law leaves of whole runs is not white noise; empty where it is, or none were compared."""
    chance = best.reported.whiteness
    return LEFT_OVER if chance is not None and chance < WHITE else ""


def _when(last: Iteration, equation: int) -> str:
    """Say when a state jumps or its law changes, or that one is missing, where that is seen, after another sentence."""
    jumps = last.target.jumps[equation] if last.target.jumps else ""
    changes = last.changes[equation] if last.changes else ""
    said = f"{jumps} No law without an event can do that." if jumps else changes or last.target.crossing
    return f" {said}" if said else ""


def _of_steps(target: TargetInfo, equation: int) -> str:
    """Return what is seen in steps so coarse that no law is borne out by them."""
    said = target.coarse[equation] if target.coarse else ""
    return f"It explains the data as they were read. {said}" if said else ""


def _lost_ahead(state: RunState, equation: int, best: Visited) -> str:
    """Return that a law above the noise says nothing of what follows the data it was fitted to; empty where it does.

    Where whole systems are compared they are compared on what follows too, and only its rates are a test.
    """
    ahead, held_out = _ahead(state, equation), best.fit.held_out
    is_compared = best.reported.above_rest is not None
    if held_out is None or ahead is None or held_out <= LOST or (ahead <= LOST and not is_compared):
        return ""
    return "It misses the data it was fitted to, and what follows them by as much as chance does."


def _missed(state: RunState, equation: int, fit: EquationFit) -> str:
    """Return that a law leaves the data right after those it was fitted to, by rate and by simulation (not chaos)."""
    ahead, target = _ahead(state, equation), state.last.target if state.last else None
    if fit.held_out is None or ahead is None or target is None or ahead <= MISSES or not fit.nmse:
        return ""
    rate = sqrt(fit.held_out * fit.mse / fit.nmse)
    return MISSED if rate > FAR * target.floor[equation] else ""


def _ahead(state: RunState, equation: int) -> float | None:
    """NMSE of the simulation on the held-out part, by coefficients that have not seen it; None without one."""
    score = state.trajectory
    return score.held_out[equation] if score is not None and score.held_out else None


def _doubt(state: RunState, best: Visited) -> str:
    """Return what speaks against a law that explains the samples, as a sentence; empty when nothing does."""
    fit = best.reported
    names = names_of(state.problem.dataset)
    together = {term.skeleton for term in fit.terms}
    bans = [state.bans.get(TermKey(fit.equation, term.skeleton)) for term in fit.terms]
    banned = [ban.key.skeleton for ban in bans if ban is not None and is_in_force(state, ban, together)]
    if banned:
        return f"It explains the data, but {to_text(banned[0], names)} in it is removed."
    sign = wrong_sign(state.problem.blocks, fit.equation, fit.terms)
    if sign:
        return f"It explains the data, but {sign}."
    loose = [t for t in fit.terms if _may_be_zero(t.coefficient, t.std_error)]
    if loose:
        return f"It explains the data, but the coefficient of {to_text(loose[0].skeleton, names)} may be zero."
    inside = [t for t in fit.terms if any(map(_may_be_zero, t.inner, t.inner_errors))]
    if inside:
        shown = to_text(inside[0].skeleton, names, inside[0].inner)
        return f"It explains the data, but a number inside {shown} may be zero."
    timed = _unexplained_time(state, fit)
    if timed:
        return timed
    flexible = _can_follow_others(state, fit)
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


def _can_follow_others(state: RunState, fit: EquationFit) -> str:
    """Return why a law is too flexible to be told from others, under noise sooner; empty where it is not."""
    under_noise = state.last is not None and bool(state.last.rivals)
    pinned = {key.skeleton for key in state.pins if key.equation == fit.equation}
    asked = {*required(state.problem.blocks, fit.equation), *pinned}
    own = sum(term.skeleton not in asked for term in fit.terms)
    if under_noise and own >= TERMS:
        which = " that nobody asked for" if own < len(fit.terms) else ""
        return f"It explains the data, but with {own} terms{which}: so many can follow other laws too."
    shapes = sum(bool(t.inner) and not _SWING.search(t.skeleton) for t in fit.terms)
    if shapes >= (SHAPES if under_noise else CLEAN_SHAPES):
        return (
            f"It explains the data, but {shapes} of its terms have fitted numbers inside: it can follow other laws too."
        )
    least = faintest(state.problem.dataset, fit)
    if least is not None and least[0].skeleton not in asked and least[1] < FAINT:
        shown = to_text(least[0].skeleton, names_of(state.problem.dataset), least[0].inner)
        return f"It explains the data, but {shown} is under 1 % of all that acts: its shape may be another."
    return ""


def _without_time(state: RunState, fit: EquationFit) -> str:
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


def _may_be_zero(value: float, error: float | None) -> bool:
    return error is not None and abs(value) < SIGNIFICANT * error


def reason_to_stop(state: RunState, *, standing: bool = True) -> str:
    """Return why auto mode should end now; empty while it should go on.

    standing: with where every equation stands, unless all are settled.
    """
    if state.iteration == 0:
        return ""
    if is_found(state):
        return "Found: every equation is settled."
    if state.since_better >= state.settings.patience:
        why = f"Stopped: nothing better came in {state.since_better} iterations."
    elif state.iteration >= state.settings.iterations:
        most = max(state.settings.iterations, state.iteration)  # a person may have asked for more
        why = f"Stopped: all {most} iterations are used." if most > 1 else "Stopped: its one iteration is used."
    else:
        return ""
    return f"{why} {_standing(state)}" if standing else why


def is_found(state: RunState) -> bool:
    """Whether every equation is settled, and none waits for a second look."""
    d = len(state.best)
    return all(_found(state, j) for j in range(d)) and not any(_is_second_look_due(state, j) for j in range(d))


def asks_person(state: RunState) -> bool:
    """Whether Scientist and numbers, or words and data, disagree on something that a person can still decide.

    Not where a run has ended without a law: what was held is no part of anything that is claimed.
    """
    last = state.last
    if last is None or not (last.evaluation.review.conflict or any(one.conflict for one in last.verdicts)):
        return False
    nothing = all(status(state, j)[0] == "none" for j in range(len(state.best)))
    return not (nothing and reason_to_stop(state, standing=False))


def _found(state: RunState, equation: int) -> bool:
    best = state.best[equation]
    return best is not None and is_explained(best) and status(state, equation)[0] == "settled"


def over_floor(best: Visited) -> float:
    """Residual over floor; where coefficients were fitted on trajectories, what they say (`Workbench.refine`)."""
    return best.reported.floor_ratio


def _is_second_look_due(state: RunState, equation: int) -> bool:
    """Whether a better start than this one is known: a term that only words removed comes back, or a plainer law."""
    best = state.best[equation]
    if best is None or state.settings.strikes != "evidence":
        return False
    if plainer(state, equation):
        return True
    keys = [TermKey(equation, term.skeleton) for term in best.fit.terms]
    return any(key in state.bans and state.disputes.get(key) == 1 for key in keys)


def _standing(state: RunState) -> str:
    """Say where every equation stands, in the words of its verdict; with it the error of one that misses the data."""
    names = [variable.name for variable in state.problem.dataset.states]
    said: dict[Status, list[str]] = {one: [] for one in STANDS}
    for j, (name, best) in enumerate(zip(names, state.best, strict=True)):
        one, over = status(state, j)[0], over_floor(best) if best is not None else 0.0
        misses = one == "provisional" and best is not None and not is_explained(best) and over < inf
        said[one].append(f"{name} (error {_times(over)} the noise)" if misses else name)
    return " ".join(f"{STANDS[one].capitalize()}: {', '.join(some)}." for one, some in said.items() if some)


def _times(ratio: float) -> str:
    return "over 1000 times" if ratio >= 1000.0 else f"{ratio:.3g} times"


def _makes_sense(state: RunState, last: Iteration, fit: EquationFit) -> bool:
    """Whether there is a description, and the Scientist found every term good."""
    good = {verdict.key for verdict in last.verdicts if verdict.semantic == "good"}
    return bool(state.problem.description) and all(TermKey(fit.equation, t.skeleton) in good for t in fit.terms)
