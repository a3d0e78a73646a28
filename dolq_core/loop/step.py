"""One iteration of the loop (paper, section 3): pardon, sample, fit, evaluate, decide.

    state --> sample --> fit --> evaluate --> decide --> Iteration --> advance --> state

`step` changes nothing: it returns what happened, the caller stores it, and `advance` folds it into the state.
"""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from dolq_core.errors import AgentError
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import under_review
from dolq_core.loop.compare import changed, compared, strayed
from dolq_core.loop.decide import decide
from dolq_core.loop.evaluate import evaluate
from dolq_core.loop.fit import attempt_of, fit
from dolq_core.loop.prune import joined, second_look
from dolq_core.loop.sample import sample
from dolq_core.loop.simulate import simulated
from dolq_core.numerics.machine import machine
from dolq_core.ports import Sampler, Scientist
from dolq_core.records import Iteration, RunState, TermKey
from dolq_core.stack import with_stack

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
    return with_stack(lambda: _step(state, setup, on_phase))


def _step(state: RunState, setup: Setup, on_phase: OnPhase | None) -> Iteration:
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
    done = compared(state, simulated(state, done, setup.bench), setup.bench)
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
