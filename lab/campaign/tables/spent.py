"""What runs cost: tokens until found and in all, CPU, wall time, memory."""

from collections.abc import Sequence

from lab.campaign.published import published
from lab.campaign.records import Result
from lab.campaign.tables.common import NO, Run, Section, by, seconds, table, typical, who
from lab.campaign.tables.quality import of_paper

MIB_PER_GIB = 1024.0


def tokens(runs: Sequence[Run]) -> list[Section]:
    """Return the table of tokens, in thousands as the paper has it."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    rows: list[tuple[object, ...]] = []
    for system, of_system in by(ours, lambda task: task.case.id).items():
        for method, those in by(of_system, who).items():
            found = [_until_found(run.result) for run in those]
            known = [pair for pair in found if pair is not None]
            until = _thousands(min(known)) if known else (NO, NO)
            total = max((run.result.cost.tokens_in, run.result.cost.tokens_out) for run in those)
            rows.append((system, method, *until, *_thousands(total)))
        rows += [
            (system, f"{one.method} (paper)", one.found_in_k, one.found_out_k, one.total_in_k, one.total_out_k)
            for one in facts.tokens
            if one.system == system
        ]
    how = (
        "Thousands of tokens read and written until the first iteration that passes the NMSE test, and in all. The "
        f"built-in agents use no language model. (paper): its {facts.tables['tokens']}, with {facts.model}."
    )
    head = ("system", "method", "found, in", "found, out", "total, in", "total, out")
    return [Section("Tokens", how, table(head, rows))]


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
    rows: list[tuple[object, ...]] = []
    for system, of_system in by(ours, lambda task: task.case.id).items():
        for method, those in by(of_system, who).items():
            cpu, wall = (typical(those, lambda r, n=name: getattr(r.cost, n)) for name in ("cpu_s", "wall_s"))
            peak = typical(those, lambda r: r.cost.peak_mib) / MIB_PER_GIB
            rows.append((system, method, seconds(cpu), seconds(wall), f"{peak:.3f}" if peak else NO))
        rows += [
            (system, f"{one.method} (paper)", seconds(one.cpu_s), seconds(one.wall_s), f"{one.peak_gib:.3f}")
            for one in facts.runtime
            if one.system == system
        ]
    how = (
        "One run from data to scores; the peak is of the whole process, its libraries included. Wall time counts what "
        f"else the machine did. (paper): its {facts.tables['runtime']}, on an Intel Core i7-12700K, with calls of a "
        "language model in the wall time."
    )
    return [Section("Run times", how, table(("system", "method", "CPU s", "wall s", "peak GiB"), rows))]
