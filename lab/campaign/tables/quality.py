"""The paper's tables of quality: scores, NMSE, and NMSE from the shifted initial state, with ours beside them."""

from collections.abc import Sequence
from math import nan
from typing import Any

from lab.campaign.published import mean, published
from lab.campaign.records import Span
from lab.campaign.tables.common import Run, Section, by, counted, error, figure, plain, table, typical, usual, who

CITED = "paper"
KINDS: tuple[tuple[str, Span, str], ...] = (
    ("residual", "id", "residual, ID"),
    ("residual", "ext", "residual, ID-Ext"),
    ("integral", "id", "integral, ID"),
    ("integral", "ext", "integral, ID-Ext"),
)


def of_paper(runs: Sequence[Run]) -> list[Run]:
    """Return the runs of the paper's own systems in the main comparison."""
    return [run for run in runs if run.task.suite == "paper" and plain(run.task) and usual(run.task)]


def scores(runs: Sequence[Run]) -> list[Section]:
    """Return the table of successes."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    ids = [str(number) for number in range(1, 9)]
    rows: list[tuple[object, ...]] = []
    for test, words in (("nmse", "NMSE test"), ("term", "term test")):
        for method, those in by(ours, who).items():
            found = {
                system: counted(each, lambda r, test=test: r.nmse_test if test == "nmse" else r.term_test)
                for system, each in by(those, lambda task: task.case.id).items()
            }
            total = sum(run.result.nmse_test if test == "nmse" else run.result.term_test for run in those)
            rows.append((words, method, *(found.get(one, "") for one in ids), f"{total} of {len(those)}"))
        for fact in (one for one in facts.scores if one.test == test):
            hits = ["yes" if one in fact.systems else "-" for one in ids]
            rows.append((words, f"{fact.method} ({CITED})", *hits, f"{len(fact.systems)} of 8"))
    how = (
        "P1 to P8: the paper's systems. NMSE test: the simulation's squared error is below 1e-3 of the variance for "
        "every state on the extended span. Term test: the terms are the true ones but for negligible parts. `-`: not "
        f"passed. (paper): as printed in its {facts.tables.scores}, best of three runs with "
        f"{facts.model}."
    )
    return [Section("Scores", how, table(("test", "method", *(f"P{one}" for one in ids), "total"), rows))]


def errors(runs: Sequence[Run]) -> list[Section]:
    """Return the table of NMSE from the initial state of the data."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    how = (
        "Residual: of the right-hand side, along the true trajectory. Integral: of the simulation from the initial "
        "state. ID: over the time of the data; ID-Ext: over the longer one. Each is a squared error over the variance "
        "of the truth (docs/decisions/011), averaged over the states. `failed`: the simulation breaks off. (paper): "
        "as it prints them "
        f"for single states in its {facts.tables.nmse}, averaged here; `-` where it prints none. Its "
        f"{facts.tables.main}, heads the same figures otherwise: what stands there as 'Residual, ID-Ext' is the "
        "integral NMSE on ID, and the other way round."
    )
    return [Section("NMSE", how, _errors(ours, 0, facts.nmse, facts.methods))]


def shifted(runs: Sequence[Run]) -> list[Section]:
    """Return the table of NMSE from the second initial state."""
    ours = of_paper(runs)
    if not ours:
        return []
    facts = published()
    how = (
        "The same equations and errors from the second initial state, which no fit has seen. (paper): its "
        f"{facts.tables.shifted}, which has three of the systems."
    )
    return [Section("Shifted initial state", how, _errors(ours, 1, facts.shifted, facts.methods))]


def _errors(ours: Sequence[Run], start: int, printed: Sequence[Any], methods: Sequence[str]) -> str:
    mine, cited = by(ours, who), {(one.system, one.method): one for one in printed}
    rows: list[tuple[object, ...]] = []
    for system, of_system in by(ours, lambda task: task.case.id).items():
        each = by(of_system, who)
        known = [cited.get((system, name)) for name in methods]
        for kind, span, words in KINDS:
            own = [
                figure(typical(each[name], lambda r, k=kind, s=span: error(r, k, start, s)) if name in each else nan)
                for name in mine
            ]
            theirs = [figure(nan if one is None else mean(one, f"{kind}_{span}")) for one in known]
            rows.append((system, words, *own, *theirs))
    head = ("system", "NMSE", *mine, *(f"{name} ({CITED})" for name in methods))
    return table(head, rows)
