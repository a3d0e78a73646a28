"""The tables of a campaign, as pages of Markdown: what the paper prints stands beside what was measured here."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from lab.campaign.records import Result, Task
from lab.campaign.tables.common import Run, Section, sampled_in_full
from lab.campaign.tables.inside import optimizers, runtime, scientist, tokens
from lab.campaign.tables.quality import errors, scores, shifted
from lab.campaign.tables.robust import descriptions, few_samples, names, relative_noise, sigma_noise
from lab.campaign.tables.systems import measured, systems

Part: TypeAlias = Callable[[Sequence[Run]], list[Section]]
EXPERIMENTS: tuple[Part, ...] = (
    scores, errors, shifted, sigma_noise, relative_noise, few_samples, descriptions, names, scientist, optimizers,
    tokens, runtime,
)  # fmt: skip
SYSTEMS: tuple[Part, ...] = (systems, measured)


def page(
    title: str,
    tasks: Mapping[str, Task],
    results: Mapping[str, Result],
    parts: Sequence[Part] = EXPERIMENTS + SYSTEMS,
    more: str = "",
    about: str = "",
) -> str:
    """Return all tables that the results have something for; runs that failed are named at the end.

    Args:
        title: the heading.
        tasks: the runs that were asked for, by id.
        results: what came out, by the same.
        parts: which tables.
        more: a section in Markdown behind them.
        about: a paragraph on where the systems come from, before them.
    """
    runs = [Run(task, results[name]) for name, task in tasks.items() if name in results]
    good = [run for run in runs if not run.result.failure]
    full = sampled_in_full(good)
    sections = [section.text() for part in parts for section in part(good if part is few_samples else full)]
    failed = [f"- {run.task.case.id}, {run.task.agents}: {run.result.failure}" for run in runs if run.result.failure]
    if failed:
        sections.append("\n".join(["## Runs without a result", "", *failed]))
    counted = f"{len(good)} of {len(tasks)} runs have a result."
    blocks = [f"# {title}", counted, about, *sections, more, _made(runs)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _made(runs: Sequence[Run]) -> str:
    """Say when the runs were done, and with what."""
    days = sorted({run.result.finished[:10] for run in runs if run.result.finished})
    used = sorted({f"{name} {number}" for run in runs for name, number in run.result.versions.items()})
    when = f" of {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}" if days else ""
    return f"From stored runs{when}, done with {', '.join(used) or 'none'}."
