"""Tables that every campaign has: each system of each suite in a line."""

import re
from collections.abc import Sequence

from lab.campaign.tables.common import (
    Run,
    Section,
    by,
    counted,
    figure,
    grouped,
    plain,
    readable,
    seconds,
    suite,
    table,
    typical,
    who,
    worst,
)

MOST_TERMS = 10  # of an equation that is printed: the most that the loop allows
INNERMOST = re.compile(r"\([^()]*\)")
SIGN = re.compile(r" [+-] ")
HOW = (
    "Terms exact: the set of terms is the true one, constants inside them within 5 %. Term test and NMSE test: as in "
    "the paper. NMSE: integral, over the variance, the worst state; on the data's own span, on the extended one, and "
    "on the extended one from the second initial state. Found at: the first iteration whose system passes the NMSE "
    "test. Median over seeds."
)


def systems(runs: Sequence[Run]) -> list[Section]:
    """Return a section for each suite with known laws and each method."""
    known = [run for run in runs if run.task.case.equations and plain(run.task)]
    return [_section(of, method, those) for (of, method), those in grouped(known, suite, who)]


def _section(of: str, method: str, runs: Sequence[Run]) -> Section:
    groups = by(runs, lambda task: task.case.id)
    rows = [_row(system, those) for system, those in groups.items()]
    n, results = len(runs), [run.result for run in runs]
    passed = (
        f"Terms exact in {sum(r.exact for r in results)} of {n} runs, term test {sum(r.term_test for r in results)} of "
        f"{n}, NMSE test {sum(r.nmse_test for r in results)} of {n}."
    )
    head = ("system", "terms exact", "term test", "NMSE test", "found at", "iterations", "CPU s", "NMSE", "extended")
    found = "\n".join(f"- {system}: {_law(those[0])}" for system, those in groups.items())
    body = f"{passed}\n\n{table((*head, 'second start'), rows)}\n\n{found}"
    return Section(f"Suite {of}: {method}", HOW, body)


def _law(run: Run) -> str:
    return "; ".join(map(_equation, run.result.law)) or run.result.failure


def _equation(text: str) -> str:
    """Return an equation; of one that nobody reads, such as PySINDy's of 22 terms, only how many it has."""
    flat = text
    while "(" in flat:
        flat, before = INNERMOST.sub("", flat), flat
        if flat == before:
            break
    terms = len(SIGN.findall(flat)) + 1
    return f"`{readable(text)}`" if terms <= MOST_TERMS else f"{terms} terms"


def _row(system: str, runs: Sequence[Run]) -> tuple[object, ...]:
    found = [run.result.found_at for run in runs if run.result.found_at is not None]
    shifted = len(runs[0].task.case.initial) > 1
    return (
        system,
        counted(runs, lambda r: r.exact),
        counted(runs, lambda r: r.term_test),
        counted(runs, lambda r: r.nmse_test),
        min(found) if found else "-",
        f"{typical(runs, lambda r: r.iterations):.0f}",
        seconds(typical(runs, lambda r: r.cost.cpu_s)),
        figure(typical(runs, lambda r: worst(r, "integral", 0, "id"))),
        figure(typical(runs, lambda r: worst(r, "integral", 0, "ext"))),
        figure(typical(runs, lambda r: worst(r, "integral", 1, "ext"))) if shifted else "-",
    )


def measured(runs: Sequence[Run]) -> list[Section]:
    """Return a section for measured data: nothing is scored against a truth."""
    real = [run for run in runs if run.task.case.measured is not None]
    if not real:
        return []
    rows = [
        (run.task.case.id, who(run.task), run.task.words, state.name, status, f"`{readable(law)}`", figure(error))
        for run in real
        for state, status, law, error in zip(
            run.task.case.states, run.result.statuses, run.result.law, run.result.simulated, strict=False
        )
    ]
    how = (
        "NMSE: the whole system simulated against the samples, over the variance. Status `none`: nothing is claimed; "
        "the law is then the best there was."
    )
    head = ("set", "method", "description", "state", "status", "law", "NMSE")
    return [Section("Measured data", how, table(head, rows))]
