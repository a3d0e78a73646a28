"""What whole runs say against a law: its simulation, what it leaves of the samples, and what follows them."""

from math import inf, isfinite, sqrt

import numpy as np

from dolq_core.fitting.chance import leaves_white_noise
from dolq_core.fitting.held_out import split
from dolq_core.loop.compare import STARTS
from dolq_core.numerics.integrate import BLEW_UP
from dolq_core.records import MISSES, EquationFit, Iteration, RunState, TargetInfo, Visited
from dolq_core.terms import variables

RUNS_AWAY = "its simulation from the start runs away."
UNFINISHED = "its simulation from the start does not come to the end. {}"
STRAYS = 3
"""Starts of `loop.compare.STARTS` from which a law may run away and be settled all the same."""
ASTRAY = "It explains the samples, but simulated from {} of {} other starts within their range it runs away."
LEAVES = "It follows the rates, but its simulation misses the samples (NMSE {:.2g})."
LOST = 0.5
"""NMSE, of the rate and of the simulation, from which what follows the fitted data is not foretold at all."""
FAR = 3.0
"""Times the error floor of the rate from which a law at the noise misses what follows, as its simulation does."""
MISSED = "It explains the data it was fitted to, and misses those that follow them."
LOOSE, CLOSE_BY = 5.0, 1e-4
"""Times the noise, and NMSE of the simulation, between which data may be a solver's: the defaults of SciPy's
`solve_ivp` leave a smooth error of some 0.1 % of the spread and no noise beside it (tests/fitting/test_clean.py)."""
LEFT_OVER = "It explains the data to the size of their noise, but its residuals are not white noise."


def times_noise(state: RunState, equation: int) -> float | None:
    """Return how many times the noise of a sample the simulation lies away from them (root mean square).

    The simulation is the one that is drawn, and the samples are those that its coefficients have seen. None where it
    is not known: without noise or a simulation, and of a law that a person's word has put first since.
    """
    score, last = state.trajectory, state.last
    if score is None or last is None or not isfinite(score.nmse[equation]) or not last.target.noise[equation] > 0.0:
        return None
    seen = split(state.problem.dataset, state.settings.held_out, state.settings.held_out_runs).fit
    spread = float(np.nanstd(np.concatenate([run.x[:, equation] for run in seen.trajectories])))
    return sqrt(score.nmse[equation]) * spread / last.target.noise[equation]


def of_solver(state: RunState, equation: int, over: float) -> str:
    """Say how near a simulation comes to samples that look clean, after another sentence: they may be a simulation."""
    nmse = state.trajectory.nmse[equation] if state.trajectory is not None else inf
    if over < LOOSE or not nmse <= CLOSE_BY:
        return ""
    return (
        f" The simulation stays within {100.0 * sqrt(nmse):.1g} % of the spread: a solver's own error may be as large."
    )


def runs_away(state: RunState) -> str:
    """Return that the simulation of the best system does not come to the end, and why; empty where it does."""
    score = state.trajectory
    if score is None or all(map(isfinite, score.nmse)):
        return ""
    return RUNS_AWAY if not score.failure or score.failure.startswith(BLEW_UP) else UNFINISHED.format(score.failure)


def leaves_samples(state: RunState, last: Iteration, equation: int) -> str:
    """Return that a law follows the rates and not the samples, where no whole systems were compared; not in chaos."""
    score = state.trajectory
    if score is None or score.past_horizon is not False or last.rivals or last.target.kind != "weak":
        return ""
    nmse = score.nmse[equation]
    return LEAVES.format(nmse) if nmse > MISSES else ""


def goes_astray(state: RunState, equation: int) -> str:
    """Return that a law runs away from other starts than those that were measured; empty where it seldom does.

    Not of a state that a linear law moves, which is not what runs away then.
    """
    strays = state.last.strays if state.last is not None and state.trajectory is not None else None
    if strays is None or strays <= STRAYS or _is_moved_linearly(state, equation):
        return ""
    return ASTRAY.format(strays, STARTS)


def _is_moved_linearly(state: RunState, equation: int) -> bool:
    """Whether the rate of a state, and those of all states that it hangs on, are sums of states and of given things."""
    place = {v.symbol: j for j, v in enumerate(state.problem.dataset.states)}
    known: set[int] = set()
    todo = {equation}
    while todo:
        known |= todo
        laws = [best for j in todo if (best := state.best[j]) is not None]
        terms = {term.skeleton for best in laws for term in best.reported.terms}
        if any(variables(skeleton) & place.keys() and skeleton not in place for skeleton in terms):
            return False
        todo = {place[skeleton] for skeleton in terms if skeleton in place} - known
    return True


def hangs_together(best: Visited) -> str:
    """Return that what a law leaves of whole runs is not white noise; empty where it is, or none were compared."""
    return "" if leaves_white_noise(best.reported) else LEFT_OVER


def when(last: Iteration, equation: int) -> str:
    """Say when a state jumps or its law changes, or that one is missing, where that is seen, after another sentence."""
    jumps = last.target.jumps[equation] if last.target.jumps else ""
    changes = last.changes[equation] if last.changes else ""
    said = f"{jumps} No law without an event can do that." if jumps else changes or last.target.crossing
    return f" {said}" if said else ""


def of_steps(target: TargetInfo, equation: int) -> str:
    """Return what is seen in steps so coarse that no law is borne out by them."""
    said = target.coarse[equation] if target.coarse else ""
    return f"It explains the values in the table. {said}" if said else ""


def lost_ahead(state: RunState, equation: int, best: Visited) -> str:
    """Return that a law above the noise says nothing of what follows the data it was fitted to; empty where it does.

    Where whole systems are compared they are compared on what follows too, and only its rates are a test.
    """
    ahead, held_out = _ahead(state, equation), best.fit.held_out
    is_compared = best.reported.above_rest is not None
    if held_out is None or ahead is None or held_out <= LOST or (ahead <= LOST and not is_compared):
        return ""
    return "It misses the data it was fitted to, and what follows them by as much as chance does."


def missed(state: RunState, equation: int, fit: EquationFit) -> str:
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
