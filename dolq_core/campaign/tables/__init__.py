"""The tables of a campaign, as pages of Markdown: what the paper prints stands beside what was measured here."""

from collections.abc import Callable, Mapping, Sequence

from dolq_core.campaign.records import Result, Task
from dolq_core.campaign.tables.common import Run, Section
from dolq_core.campaign.tables.inside import optimizers, scientist
from dolq_core.campaign.tables.quality import errors, scores, shifted
from dolq_core.campaign.tables.robust import descriptions, names, relative_noise, sigma_noise
from dolq_core.campaign.tables.spent import runtime, tokens
from dolq_core.campaign.tables.systems import measured, systems

PARTS: tuple[Callable[[Sequence[Run]], list[Section]], ...] = (
    scores,
    errors,
    shifted,
    sigma_noise,
    relative_noise,
    descriptions,
    names,
    scientist,
    optimizers,
    tokens,
    runtime,
    systems,
    measured,
)


def page(title: str, tasks: Mapping[str, Task], results: Mapping[str, Result]) -> str:
    """Return all tables that the results have something for; runs that failed are named at the end."""
    runs = [Run(task, results[name]) for name, task in tasks.items() if name in results]
    good = [run for run in runs if not run.result.failure]
    parts = [section.text() for part in PARTS for section in part(good)]
    failed = [f"- {run.task.case.id}, {run.task.agents}: {run.result.failure}" for run in runs if run.result.failure]
    if failed:
        parts.append("\n".join(["## Runs without a result", "", *failed]))
    return "\n\n".join([f"# {title}", f"{len(good)} of {len(tasks)} runs have a result.", *parts, _made(runs)]) + "\n"


def _made(runs: Sequence[Run]) -> str:
    """Say when the runs were done, and with what."""
    days = sorted({run.result.finished[:10] for run in runs if run.result.finished})
    used = sorted({f"{name} {number}" for run in runs for name, number in run.result.versions.items()})
    when = f" of {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}" if days else ""
    return (
        f"Written by `python -m dolq_core bench tables` from stored runs{when}, done with {', '.join(used) or 'none'}."
    )
