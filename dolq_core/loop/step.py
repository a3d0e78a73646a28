"""One iteration of the loop (paper, section 3): pardon, sample, fit, evaluate, decide.

    state --> sample --> fit --> evaluate --> decide --> Iteration --> advance --> state

`step` changes nothing: it returns what happened, the caller stores it, and `advance` folds it into the state.
"""

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np

from dolq_core.bans import by_person
from dolq_core.blocks import is_joint, is_watched
from dolq_core.errors import AgentError
from dolq_core.fitting import LEADERS, Workbench
from dolq_core.fitting.merit import rank
from dolq_core.fitting.prior import Prior
from dolq_core.loop.advance import advance, under_review
from dolq_core.loop.compare import changed, compared, strayed
from dolq_core.loop.decide import decide
from dolq_core.loop.evaluate import evaluate
from dolq_core.loop.fit import attempt_of, fit, structure
from dolq_core.loop.prune import joined, second_look
from dolq_core.loop.ranking import ranked
from dolq_core.loop.sample import sample
from dolq_core.loop.stated import keeping
from dolq_core.numerics.machine import machine
from dolq_core.ports import Sampler, Scientist
from dolq_core.records import EquationFit, Iteration, RunState, Structure, TermKey, TrajectoryScore

PHASES = ("sample", "fit", "evaluate", "decide", "simulate")
OnPhase = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run works with: its agents, and the data prepared for fitting."""

    sampler: Sampler
    scientist: Scientist
    bench: Workbench


def step(state: RunState, setup: Setup, on_phase: OnPhase | None = None) -> Iteration:
    """Return the next iteration; raise AgentError when an agent has no answer: `state` is still good to go on from."""
    number = state.iteration + 1
    clock = _Clock(on_phase)
    setup.bench.compare_from()

    pardoned = pardon(state, generator(state.seed, number, "pardon"))
    now = replace(state, bans={key: ban for key, ban in state.bans.items() if key not in pardoned})
    clock.enter("sample")
    proposal = sample(now, setup.sampler, setup.bench, generator(state.seed, number, "sample"))
    clock.enter("fit", of=len(proposal.candidates))
    fits = fit(now, proposal, setup.bench, clock.tell)
    if state.models is not None and state.models.method == "dolq" and state.settings.strikes == "evidence":
        more = second_look(now, proposal, fits, setup.bench)
        proposal, fits = joined(proposal, more), (*fits, *fit(now, more, setup.bench))
    attempt = attempt_of(now, proposal, fits, bench=setup.bench)
    clock.enter("evaluate")
    rng = generator(state.seed, number, "evaluate")
    try:
        reviewed = under_review(now, proposal, fits, attempt)
        evaluation = evaluate(reviewed, attempt, setup.scientist, setup.bench, rng)
    except AgentError as error:
        error.calls = (*proposal.calls, *error.calls)  # the Sampler was asked before, and that is on record too
        raise
    clock.enter("decide")
    verdicts = decide(now, attempt, evaluation)
    done = Iteration(number, proposal, setup.bench.info, fits, attempt, evaluation, verdicts, pardoned)
    clock.enter("simulate")
    done = compared(state, _simulated(state, done, setup.bench), setup.bench)
    done = strayed(state, changed(state, done, setup.bench), setup.bench)
    return replace(done, seconds=clock.seconds(), machine=machine())


def generator(seed: int, iteration: int, purpose: str) -> np.random.Generator:
    """Return a generator for each seed, iteration and purpose, so that no draw depends on another."""
    return np.random.default_rng([seed, iteration, zlib.crc32(purpose.encode())])


def pardon(state: RunState, rng: np.random.Generator) -> tuple[TermKey, ...]:
    """Return the bans that end now: a human ban never does.

    A soft ban ends with `forget_probability` (paper, Table 5), one draw per ban. A term that was removed for its
    words although the numbers need it comes back once, so that the second look can let the evidence decide.
    """
    draws = {key: rng.random() for key in sorted(state.bans)}
    forgotten = state.settings.forget_probability
    evidence = state.settings.strikes == "evidence"
    return tuple(
        key
        for key, draw in draws.items()
        if state.bans[key].by != "human" and (draw < forgotten or (evidence and state.disputes.get(key) == 1))
    )


def _simulated(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system so far, fitted again where that helps, and its score against the data.

    The score is that of coefficients which have not seen the held-out part; only then are all rows used. What the
    last iteration found of the same system is not computed again.
    """
    if is_joint(state.problem.blocks) or is_watched(state.problem.blocks):
        return _best_whole(state, done, bench)
    after = advance(state, done)
    leaders = [_leaders(after, j) for j in range(len(after.best))]
    if not all(leaders):
        return done
    best = bench.settle(leaders, [system.equations for system in done.fits], Prior(state.problem))
    bench = keeping(after, best, bench)
    moved = any(fit is not fits[0] for fit, fits in zip(best, leaders, strict=True))
    last = state.last
    if last is not None and last.refined and _shapes(last.refined) == _shapes(best):
        again = tuple(replace(old, score=new.score) for old, new in zip(last.refined, best, strict=True))
        kept = again if moved else last.refined
        return replace(done, refined=kept, blind=last.blind, trajectory=last.trajectory)
    found, held = bench.refine(best), bench.held is not None
    if not found and (tied := bench.together(best)) != tuple(best):
        found = tied
    final, score = _last(bench, found or best)
    if found and not all(map(isfinite, (*score.nmse, *score.held_out))):
        found = ()  # fitted to its samples it leaves them at once: chance, or chaos
        final, score = _last(bench, best)
    found = found or (best if moved else ())
    return replace(done, refined=final or found, blind=found if held else (), trajectory=score)


def _best_whole(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system that keeps every rule, with its coefficients fitted again where that keeps them too."""
    tried = [system.equations for system in done.fits if not any(fit.failure for fit in system.equations)]
    if state.last is not None and state.last.refined and _is_allowed(state, state.last.refined):
        tried.append(state.last.refined)
    for fits in _sound(state, tried, bench):
        found = bench.refine(fits)
        if found and (bench.why_not_together(found) or not _is_finite(bench, found)):
            found = ()
        chosen = found or bench.together(fits)
        final = bench.final(chosen)
        if final and bench.why_not_together(final):
            final = ()
        held = bench.held is not None
        score = bench.trajectory_score(chosen if held else final or chosen)
        return replace(done, refined=final or chosen, blind=chosen if held else (), trajectory=score)
    return done


def _sound(
    state: RunState, systems: Sequence[tuple[EquationFit, ...]], bench: Workbench
) -> list[tuple[EquationFit, ...]]:
    """Systems that keep every rule, the shortest description first; by the scores of equations where none is known."""
    sound = [system for system in systems if not bench.why_not_together(system)]
    compared = bench.lengths(sound, Prior(state.problem)) if state.settings.best_by != "mse" else None
    costs = [sum(fit.score for fit in system) for system in sound] if compared is None else compared[1]
    return [sound[k] for k in sorted(range(len(sound)), key=lambda k: costs[k])]


def _is_allowed(state: RunState, fits: Sequence[EquationFit]) -> bool:
    return not any(by_person(state, TermKey(fit.equation, term.skeleton)) for fit in fits for term in fit.terms)


def _is_finite(bench: Workbench, fits: Sequence[EquationFit]) -> bool:
    score = bench.trajectory_score(fits)
    return all(map(isfinite, (*score.nmse, *score.held_out)))


def _last(bench: Workbench, fits: Sequence[EquationFit]) -> tuple[tuple[EquationFit, ...], TrajectoryScore]:
    """Return the system fitted on all rows, empty where that changes nothing, and how it simulates."""
    final = bench.final(fits)
    return final, bench.trajectory_score(fits if bench.held is not None else final or fits)


def _leaders(state: RunState, equation: int) -> list[EquationFit]:
    """The structures that simulations choose from, as first fitted, each with the score it has by now."""
    if state.settings.best_by == "mse":
        return [visited.fit for visited in ranked(state, equation)[:1]]
    return [replace(v.fit, score=rank(state, v)) for v in ranked(state, equation)[:LEADERS]]


def _shapes(fits: Sequence[EquationFit]) -> list[Structure]:
    return [structure(fit.equation, fit.terms) for fit in fits]


@dataclass
class _Clock:
    """Tells a listener the phase, and keeps the seconds of each for the record."""

    on_phase: OnPhase | None
    phase: str = ""
    marks: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    def enter(self, phase: str, of: int = 1) -> None:
        self.phase = phase
        self.marks.append((phase, time.perf_counter()))
        self.tell(0, of)

    def tell(self, done: int, of: int) -> None:
        if self.on_phase is not None:
            self.on_phase(self.phase, done, of)

    def seconds(self) -> dict[str, float]:
        ends = [start for _, start in self.marks[1:]] + [time.perf_counter()]
        return {phase: round(end - start, 6) for (phase, start), end in zip(self.marks, ends, strict=True)}
