"""What happens inside a run and what it costs: the Scientist, the optimizers, tokens, CPU, wall time, memory."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lab.campaign.published import published
from lab.campaign.records import Result
from lab.campaign.tables.common import NO, Run, Section, by, counted, plain, seconds, table, typical, usual, who
from lab.campaign.tables.quality import of_paper

WITHOUT = "without Scientist"
SEARCHED = "best of three"
MIB_PER_GIB = 1024.0
TOKENS = ("found_in_k", "found_out_k", "total_in_k", "total_out_k")


def scientist(runs: Sequence[Run]) -> list[Section]:
    """Return the ablation of the Scientist, system by system."""
    known = [run for run in runs if run.task.case.equations and plain(run.task)]
    lonely = [run for run in known if run.task.variant.name == WITHOUT]
    if not lonely:
        return []
    rows: list[tuple[object, ...]] = []
    for run in lonely:
        task = run.task
        pair = [one for one in known if one.task == replace(task, variant=one.task.variant)]
        pair = [one for one in pair if usual(one.task)]
        rows += [(task.suite, task.case.id, task.seed, *_pair(one), *_pair(run)) for one in pair]
    fact = published().scientist
    how = (
        "Found at: the first iteration whose system passes the NMSE test; exact: all terms are the true ones at the "
        f"end. The paper's DoLQ finds system {fact.system} at iteration {fact.found_with} with its Scientist and at "
        f"{fact.found_without} without ({published().tables.scientist})."
    )
    found = ("found at, with", "iterations", "exact", "found at, without", "iterations", "exact")
    head = ("suite", "system", "seed", *found)
    return [Section("With and without the Scientist", how, table(head, rows))]


def _pair(run: Run) -> tuple[object, ...]:
    result = run.result
    return (result.found_at or NO, result.iterations, counted([run], lambda r: r.exact))


def optimizers(runs: Sequence[Run]) -> list[Section]:
    """Return how often each optimizer gave the least error where all three were asked."""
    searched = [run for run in runs if run.task.variant.name == SEARCHED]
    if not searched:
        return []
    strategies = sorted({name for run in searched for name in run.result.adopted})
    rows: list[tuple[object, ...]] = []
    for system, those in by(searched, lambda task: f"{task.suite}, {task.case.id}").items():
        won = Counter[str]()
        for run in those:
            won.update(run.result.adopted)
        cells = [f"{won[name]} ({won[name] / won.total():.0%})" if won[name] else NO for name in strategies]
        rows.append((system, won.total(), *cells, f"{typical(those, lambda r: r.cost.cpu_s):.0f}"))
    how = (
        "Every fit is done by BFGS, by differential evolution and by the hybrid of both, and the least error is kept, "
        "as in the paper: how many fits each has won. The paper shows these shares as a figure, without numbers. CPU: "
        "of a whole run; the table of run times has that of the default here, least squares and variable projection."
    )
    head = ("system", "fits", *(name.removeprefix(f"{SEARCHED}: ") for name in strategies), "CPU s")
    return [Section("Which optimizer is adopted", how, table(head, rows))]


def tokens(runs: Sequence[Run]) -> list[Section]:
    """Return the table of tokens, in thousands as the paper has it."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    rows = _beside(ours, _tokens, facts.tokens, lambda one: [float(getattr(one, name)) for name in TOKENS])
    how = (
        "Thousands of tokens read and written until the first iteration that passes the NMSE test, and in all. The "
        f"built-in agents use no language model. (paper): its {facts.tables.tokens}, with {facts.model}."
    )
    head = ("system", "method", "found, in", "found, out", "total, in", "total, out")
    return [Section("Tokens", how, table(head, rows))]


def _beside(
    ours: Sequence[Run],
    own: Callable[[Sequence[Run]], Sequence[object]],
    printed: Sequence[Any],
    cited: Callable[[Any], Sequence[object]],
) -> list[tuple[object, ...]]:
    """Return a row for each system and method, and behind each system what the paper prints of it."""
    rows: list[tuple[object, ...]] = []
    for system, of_system in by(ours, lambda task: task.case.id).items():
        rows += [(system, method, *own(those)) for method, those in by(of_system, who).items()]
        rows += [(system, f"{one.method} (paper)", *cited(one)) for one in printed if one.system == system]
    return rows


def _tokens(those: Sequence[Run]) -> tuple[str, ...]:
    known = [pair for run in those if (pair := _until_found(run.result)) is not None]
    total = max((run.result.cost.tokens_in, run.result.cost.tokens_out) for run in those)
    return (*(_thousands(min(known)) if known else (NO, NO)), *_thousands(total))


def _until_found(result: Result) -> tuple[int, int] | None:
    step = next((step for step in result.steps if step.number == result.found_at), None)
    return None if step is None else (step.tokens_in, step.tokens_out)


def _thousands(pair: tuple[int, int]) -> tuple[str, str]:
    read, written = (f"{count / 1000:.3g}" for count in pair)
    return read, written


def runtime(runs: Sequence[Run]) -> list[Section]:
    """Return the table of run times and memory."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    rows = _beside(
        ours, _cost, facts.runtime, lambda one: (seconds(one.cpu_s), seconds(one.wall_s), f"{one.peak_gib:.3f}")
    )
    how = (
        "One run from data to scores; the peak is of the whole process, its libraries included. Wall time counts what "
        f"else the machine did. (paper): its {facts.tables.runtime}, on an Intel Core i7-12700K, with calls of a "
        "language model in the wall time."
    )
    return [Section("Run times", how, table(("system", "method", "CPU s", "wall s", "peak GiB"), rows))]


def _cost(those: Sequence[Run]) -> tuple[str, ...]:
    cpu, wall = (seconds(typical(those, lambda r, n=name: getattr(r.cost, n))) for name in ("cpu_s", "wall_s"))
    peak = typical(those, lambda r: r.cost.peak_mib) / MIB_PER_GIB
    return cpu, wall, f"{peak:.3f}" if peak else NO
