"""One task by the loop: iterate until there is a reason to stop, and note what the tables need of every iteration."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from dolq_core import loop
from dolq_core.agents import build_agents, connected
from dolq_core.agents.llm import NoScientist
from dolq_core.agents.providers import key_for
from dolq_core.errors import AgentError
from dolq_core.export.result import expression
from dolq_core.laws import Law, law_of_fits
from dolq_core.ports import ChatModel
from dolq_core.records import Entry, EquationFit, Iteration, ModelChoice, Models, RunState, Start
from dolq_core.runs import bench_of
from dolq_core.terms import Skeleton
from lab.campaign.laws import exact
from lab.campaign.records import Case, Cost, Result, Step, Task, TermActions
from lab.campaign.scores import nmse_test, scores
from lab.campaign.tasks import problem_of, seen, task_id
from lab.campaign.term_test import is_true_term, term_test

OWN_KEY = "DOLQ_CAMPAIGN_KEY"
"""Environment variable of a key for the models of all campaigns, whatever their address."""


def run_loop(task: Task, log: list[Entry]) -> Result:
    """Run the loop on a task and score what it found; a run that an agent ended is scored as far as it came.

    The entries of its log are added to `log` as they come, so that what it did is not lost where it fails.
    """
    case = seen(task)
    start = Start(problem_of(task), task.variant.settings, task.seed, task.agents, _models(task))
    state = loop.begin(start)
    setup = _setup(task, start)
    steps: list[Step] = []
    log.append(start)
    failure = ""
    known: dict[Law, bool] = {}
    while not loop.reason_to_stop(state):
        try:
            done = loop.step(state, setup)
        except AgentError as error:
            failure = str(error)
            break
        state = loop.advance(state, done)
        log.append(done)
        steps.append(_step(case, state, done, known))
    iterations = [entry for entry in log if isinstance(entry, Iteration)]
    return replace(_result(task, case, state, steps, iterations), failure=failure)


def _models(task: Task) -> Models | None:
    """Return the language models of a task; without a Scientist where the variant has none."""
    if task.models is None or task.variant.scientist:
        return task.models
    return replace(task.models, scientist=None)


def _setup(task: Task, start: Start) -> loop.Setup:
    sampler, scientist = build_agents(task.agents, start.models, start.settings, reached)
    bench = bench_of(start.problem.dataset, start.settings, start.problem.blocks)
    return loop.Setup(sampler, scientist if task.variant.scientist else NoScientist(), bench)


def reached(_: str, choice: ModelChoice) -> ChatModel:
    """Reach a model with a key of the worker's own environment: keys are in no task and in no result.

    A provider's key goes to its own address only. For another address the worker's owner sets OWN_KEY.
    """
    return connected(choice, key_for(choice, os.environ.get(OWN_KEY, ""), os.environ))


def _best(state: RunState) -> list[EquationFit]:
    """Return the best equations; an empty one where no structure could be fitted."""
    return [
        EquationFit(j, (), 0.0, 0.0, 0.0, 0.0, 0.0) if visited is None else visited.reported
        for j, visited in enumerate(state.best)
    ]


def _step(case: Case, state: RunState, done: Iteration, known: dict[Law, bool]) -> Step:
    """Note an iteration. known: systems that were tested before, with the outcome."""
    law = law_of_fits(_best(state))
    if case.equations and law not in known:
        known[law] = nmse_test(case, law)
    verdicts = Counter(verdict.action for verdict in done.verdicts)
    errors = [None if visited is None else visited.fit.nmse for visited in state.best]
    return Step(
        number=done.number,
        nmse=tuple(error if error is not None and isfinite(error) else None for error in errors),
        passed=known.get(law),
        keep=verdicts["keep"],
        hold=verdicts["hold"],
        remove=verdicts["remove"],
        tokens_in=state.spent.tokens_in,
        tokens_out=state.spent.tokens_out,
    )


def _result(task: Task, case: Case, state: RunState, steps: Sequence[Step], log: Sequence[Iteration]) -> Result:
    fits = _best(state)
    law = law_of_fits(fits)
    path = state.trajectory
    return Result(
        task=task_id(task),
        law=tuple(expression(fit) for fit in fits),
        statuses=tuple(loop.status(state, j)[0] for j in range(len(fits))),
        scores=scores(case, law) if case.equations else (),
        nmse_test=bool(case.equations) and nmse_test(case, law),
        term_test=bool(case.equations) and term_test(case, law),
        exact=bool(case.equations) and all(exact(case, fits)),
        iterations=state.iteration,
        found_at=next((step.number for step in steps if step.passed), None),
        simulated=path.nmse if path else (),
        steps=tuple(steps),
        actions=_actions(case, log),
        adopted=_adopted(log),
        stopped=loop.reason_to_stop(state),
        conflict=state.last.evaluation.review.conflict if state.last else "",
        cost=Cost(calls=state.spent.calls, tokens_in=state.spent.tokens_in, tokens_out=state.spent.tokens_out),
    )


def _actions(case: Case, log: Sequence[Iteration]) -> tuple[TermActions, ...]:
    """Count the verdicts of every term, the most often judged first."""
    counted: dict[tuple[int, str], Counter[str]] = {}
    inner: dict[tuple[int, str], tuple[float, ...]] = {}
    for done in log:
        tried = (fit for system in done.fits for fit in system.equations)
        fitted = [*tried, *(fit for fit in done.attempt if fit is not None)]  # what is graded may be of an earlier best
        inner |= {(fit.equation, term.skeleton): term.inner for fit in fitted for term in fit.terms}
        for verdict in done.verdicts:
            key = (verdict.key.equation, verdict.key.skeleton)
            counted.setdefault(key, Counter())[verdict.action] += 1
    return tuple(
        TermActions(j, term, n["keep"], n["hold"], n["remove"], _is_true(case, j, term, inner.get((j, term), ())))
        for (j, term), n in sorted(counted.items(), key=lambda item: (item[0][0], -item[1].total(), item[0][1]))
    )


def _is_true(case: Case, equation: int, term: str, inner: tuple[float, ...]) -> bool:
    return bool(case.equations) and is_true_term(case, equation, (Skeleton(term), 1.0, inner))


def _adopted(log: Sequence[Iteration]) -> dict[str, int]:
    """Count which optimizer each fit that succeeded came from."""
    fits = (fit for done in log for system in done.fits for fit in system.equations)
    return dict(Counter(fit.strategy for fit in fits if not fit.failure and not fit.duplicate))
