"""What happens inside a run: with the Scientist and without, and which optimizer wins."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from lab.campaign.published import published
from lab.campaign.tables.common import NO, Run, Section, by, counted, plain, table, typical, usual

WITHOUT = "without Scientist"
SEARCHED = "best of three"


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
        f"{fact.found_without} without ({published().tables['scientist']})."
    )
    head = (
        "suite",
        "system",
        "seed",
        "found at, with",
        "iterations",
        "exact",
        "found at, without",
        "iterations",
        "exact",
    )
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
