"""Structures that explain single conditions, and each of them fitted to all the others."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from dolq_core import loop
from dolq_core.agents import build_agents, recorded
from dolq_core.agents.builtin.pursuing import pursued
from dolq_core.arrays import Floats
from dolq_core.conditions.split import Condition
from dolq_core.fitting import Workbench
from dolq_core.fitting.by_condition import nats_of
from dolq_core.fitting.likelihood import Judged, Likelihood, shape
from dolq_core.fitting.placing import driven_as
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.weighing import noisy_as
from dolq_core.fitting.whole_runs import System, system_of
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.stretches import Measured, stretches
from dolq_core.records import RunState, Start
from dolq_core.terms import Skeleton

Heard = Callable[[str], None]
STARTS = 3
"""Numbers that a fit to one condition begins with, until one follows the samples."""
LEADERS = 12
"""Structures of each condition that are fitted to the others."""
CLEAN = 1e-3
"""Noise that is taken for clean samples, of a state's standard deviation: the unit of residuals, no weight."""
PARTS = 4
"""Stretches of each run where whole runs are past the horizon of some condition, as in chaos."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A structure with its numbers, by condition.

    Attributes:
        judged: one for each condition; length: nats of samples and structure, with all numbers free.
    """

    judged: tuple[Judged, ...]
    length: float

    @property
    def system(self) -> System:
        """The structure, with the numbers of the first condition."""
        return self.judged[0].system


class Conditions:
    """The samples of each condition, and structures fitted to each."""

    def __init__(self, state: RunState, parts: Sequence[Condition], heard: Heard) -> None:
        """heard: told what is done, as it is begun."""
        problem = state.problem
        self.parts, self.blocks = parts, problem.blocks
        self.prior = Prior(replace(problem, dataset=parts[0].dataset))
        self._heard = heard
        known: dict[tuple[tuple[Skeleton, ...], ...], list[tuple[int, System]]] = {}
        benches: list[Workbench] = []
        for n, part in enumerate(parts, 1):
            heard(f"Looking for laws of {part.label} ({n} of {len(parts)})")
            bench, found = _leaders(_begun(state, part))
            benches.append(bench)
            for system in map(_sorted, found):
                known.setdefault(shape(system), []).append((n - 1, system))
        self.symbols = benches[0].symbols
        measured = [samples_of(bench) for bench in benches]
        self.found: list[Candidate] = []
        for stretches_a_run in (1, PARTS):
            self.likes = [Likelihood(one, self.symbols, stretches_a_run, problem.blocks) for one in measured]
            self.found = self._ranked(known.values())
            if self.found:
                break

    @property
    def samples(self) -> int:
        """Samples of all conditions."""
        return sum(one.samples for one in self.likes)

    def _ranked(self, known: Iterable[Sequence[tuple[int, System]]]) -> list[Candidate]:
        """Return structures, each with some numbers to start from, that follow all conditions: the shortest first."""
        some = list(known)
        self._heard(f"Fitting {len(some)} structures to {len(self.likes)} conditions")
        found = [one for systems in some if (one := self._candidate(systems)) is not None]
        return sorted(found, key=lambda one: (one.length, shape(one.system)))

    def _candidate(self, systems: Sequence[tuple[int, System]]) -> Candidate | None:
        """Return one structure fitted to every condition; None where it cannot follow one.

        systems: with the condition that their numbers are of; a fit begins with its own, then takes what others have.
        """
        judged: list[Judged] = []
        for k, like in enumerate(self.likes):
            near = sorted(systems, key=lambda one: abs(one[0] - k))
            starts = [*(one.system for one in judged[-1:]), *(system for _, system in near)]
            starts = starts if near[0][0] != k else starts[1:] + starts[:1] if judged else starts
            fits = (like.copy().judged(start) for start in starts[:STARTS])
            found = next((one for one in fits if one.fit < inf and not like.why_not(one)), None)
            if found is None:
                return None
            judged.append(found)
        return Candidate(tuple(judged), self.length(judged))

    def length(self, judged: Sequence[Judged]) -> float:
        """Return the nats of the samples, their noise of one size, and of a structure whose numbers are all free."""
        order = [[term.skeleton for term in terms] for terms in judged[0].system]
        counts = np.array([np.isfinite(like.data.y).sum(axis=0) for like in self.likes], dtype=np.float64)
        sigma = np.array([like.data.sigma for like in self.likes])
        squares = np.array([one.misfit**2 for one in judged]) * sigma**2
        total = counts.sum(axis=0)
        misfit = np.sqrt((counts * squares).sum(axis=0) / total / np.mean(sigma**2, axis=0))
        numbers = sum(1 + len(term.inner) for terms in judged[0].system for term in terms)
        own = sum(0.5 * numbers * log(max(like.samples, 2)) for like in self.likes)
        shared = 0.5 * numbers * log(max(self.samples, 2))
        return nats_of(misfit, total) + self.prior.system(order, self.samples) - shared + own


def _sorted(system: System) -> System:
    return tuple(tuple(sorted(terms, key=lambda term: term.skeleton)) for terms in system)


def _begun(state: RunState, part: Condition) -> RunState:
    """Return a run on one condition alone; what a person removed or pinned holds in it."""
    begun = loop.begin(Start(replace(state.problem, dataset=part.dataset), state.settings))
    said = {key: ban for key, ban in state.bans.items() if ban.by == "human"}
    return replace(begun, bans=said, pins=state.pins, families=state.families)


def _leaders(state: RunState) -> tuple[Workbench, list[System]]:
    """Return the data of one condition prepared for fitting, and the systems that explain it best."""
    dataset = noisy_as(driven_as(state.problem.dataset, state.settings.inputs), state.settings.noise)
    bench = Workbench.of(dataset, state.settings.target, blocks=state.problem.blocks)
    if allowed := {tuple(tuple(sorted(own)) for own in structure) for structure in pursued(state, bench)[0]}:
        like = next(like for like in bench.likelihoods if any(one.fit < inf for one in like.known))
        prior = Prior(state.problem)
        known = [one for one in like.known if one.fit < inf and shape(one.system) in allowed]
        return bench, [one.system for one in sorted(known, key=lambda one: like.length(one, prior))[:LEADERS]]
    setup = loop.Setup(*build_agents("builtin", None, state.settings, recorded(())), bench)
    while not loop.reason_to_stop(state):
        state = loop.advance(state, loop.step(state, setup))
    return bench, _visited(state)


def _visited(state: RunState) -> list[System]:
    """The best system of a run, and others with one equation of it changed."""
    whole = [one.reported for one in state.best if one is not None]
    if len(whole) < len(state.best):
        return []
    found = [system_of(whole)]
    for j in range(len(whole)):
        own = [v.fit for (k, _), v in state.archive.items() if k == j and v.fit.terms and not v.fit.failure]
        for fit in sorted(own, key=lambda fit: fit.score)[:LEADERS]:
            found.append(system_of([fit if i == j else one for i, one in enumerate(whole)]))
    return found


def samples_of(bench: Workbench) -> Measured:
    """Return the samples as they were measured, with the curve through them; clean ones with noise of CLEAN."""
    known = bench.target.measured
    if known is None:
        runs = [(run.t, run.x) for run in bench.dataset.trajectories]
        noise = np.array(bench.info.noise)
        data = stretches(runs, [run.inputs for run in bench.dataset.trajectories], None, noise)
        x = np.concatenate([_smooth(t, x, noise) for t, x in runs])
        known = Measured(data, x, np.zeros_like(x))
    spread: Floats = np.nanstd(known.data.y, axis=0)
    least = CLEAN * np.where(spread > 0.0, spread, 1.0)
    return replace(known, data=replace(known.data, sigma=np.maximum(known.data.sigma, least)))


def _smooth(t: Floats, x: Floats, noise: Floats) -> Floats:
    return np.column_stack([fit_curve(t, y, float(s))(t, 0) for y, s in zip(x.T, noise, strict=True)])
