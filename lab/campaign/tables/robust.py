"""The paper's tables of robustness: noise, descriptions that mislead, and names that tell nothing."""

from collections.abc import Sequence
from statistics import fmean

from lab.campaign.published import published
from lab.campaign.records import Result, Span, Task
from lab.campaign.tables.common import (
    Run,
    Section,
    by,
    clean,
    counted,
    error,
    figure,
    grouped,
    plain,
    seconds,
    suite,
    table,
    typical,
    usual,
    who,
)

GLIDER = "2"
TESTS = ("terms exact", "term test", "NMSE test")


def sigma_noise(runs: Sequence[Run]) -> list[Section]:
    """Return the paper's noise table: system 2, noise in the states' own unit."""
    noisy = [run for run in runs if run.task.suite == "paper" and run.task.case.id == GLIDER and run.task.sigma]
    if not noisy:
        return []
    facts = published()
    levels = sorted({run.task.sigma for run in noisy})
    spans: tuple[Span, ...] = ("id", "ext")
    rows: list[tuple[object, ...]] = []
    for method, those in by(noisy, who).items():
        cells: list[str] = []
        for level in levels:
            at = [run for run in those if run.task.sigma == level]
            cells += [figure(typical(at, lambda r, s=span: _of_both(r, s))) if at else "" for span in spans]
            cells.append(counted(at, lambda r: r.exact) if at else "")
        rows.append((method, *cells))
    for name in facts.methods:
        printed = {one.sigma: one for one in facts.noise if one.method == name}
        pairs = [printed.get(level) for level in levels]
        cited = [[figure(one.residual_id), figure(one.residual_ext)] if one else ["", ""] for one in pairs]
        rows.append((f"{name} (paper)", *(cell for pair in cited for cell in (*pair, ""))))
    how = (
        "System 2, white noise of standard deviation sigma on every sample of one run, structure unknown. Residual "
        "NMSE along the clean trajectories of both initial states, averaged over them and the states; the median over "
        f"seeds, and in how many all terms are exact. (paper): its {facts.tables.noise}."
    )
    head = ["method"]
    for level in levels:
        head += [f"sigma {level:g}, ID", "ID-Ext", "exact"]
    return [Section("Noise on system 2", how, table(head, rows))]


def _of_both(result: Result, span: Span) -> float:
    return fmean(error(result, "residual", start, span) for start in (0, 1))


def relative_noise(runs: Sequence[Run]) -> list[Section]:
    """Return what is found on each suite at each level of noise and number of runs."""
    noisy = [run for run in runs if run.task.noise]
    rows = [
        (*names, f"{kind[0]:.1%}", kind[1], *_passed([run for run in those if (run.task.noise, run.task.runs) == kind]))
        for names, those in grouped(noisy, suite, who)
        for kind in sorted({(run.task.noise, run.task.runs) for run in those})
    ]
    how = (
        "White noise in units of each state's standard deviation, structure unknown; how many of the runs over systems "
        "and seeds pass. Initial states: how many of them are measured."
    )
    head = ("suite", "method", "noise", "initial states", *TESTS, "median CPU s")
    return [Section("Noise on all systems", how, table(head, rows))] if rows else []


def few_samples(runs: Sequence[Run]) -> list[Section]:
    """Return what is found of the same systems in fewer samples; nothing where all have the same number."""
    usual_ones = [run for run in runs if run.task.case.equations and plain(run.task) and usual(run.task)]
    rows = [
        (*names, points, *_passed([run for run in those if run.task.case.points == points]))
        for names, those in grouped(usual_ones, suite, who)
        if len(numbers := sorted({run.task.case.points for run in those}, reverse=True)) > 1
        for points in numbers
    ]
    how = "Clean data of one run with so many samples over the same time; how many of the runs pass."
    return (
        [Section("Fewer samples", how, table(("suite", "method", "samples", *TESTS, "median CPU s"), rows))]
        if rows
        else []
    )


def _passed(runs: Sequence[Run]) -> tuple[str, ...]:
    n = len(runs)
    results = [run.result for run in runs]
    return (
        f"{sum(r.exact for r in results)} of {n}",
        f"{sum(r.term_test for r in results)} of {n}",
        f"{sum(r.nmse_test for r in results)} of {n}",
        seconds(typical(runs, lambda r: r.cost.cpu_s)),
    )


def descriptions(runs: Sequence[Run]) -> list[Section]:
    """Return what wrong descriptions do: counts over all systems, and the paper's one system in figures."""
    told = [run for run in _told(runs) if run.task.naming == "own"]
    misled = {run.task.suite for run in told if run.task.words not in ("given", "none")}
    told = [run for run in told if run.task.suite in misled]
    if not told:
        return []
    rows = [
        (*names, *_passed(those)[:3], sum(bool(run.result.conflict) for run in those))
        for names, those in grouped(told, suite, who, lambda task: task.words)
    ]
    how = (
        "How many of the systems pass with which description; and how often the run says at its end that words and "
        "data disagree. 'of the next': each system gets the description of the next one."
    )
    head = ("suite", "method", "description", *TESTS, "conflict told")
    return [Section("Wrong descriptions", how, table(head, rows)), *_misled(told)]


def _misled(told: Sequence[Run]) -> list[Section]:
    facts = published()
    glider = [run for run in told if run.task.suite == "paper" and run.task.case.id == GLIDER]
    rows: list[tuple[object, ...]] = [
        (who(run.task), run.task.words, *(figure(error(run.result, "residual", 0, span)) for span in ("id", "ext")))
        for run in glider
    ]
    rows += [
        ("DoLQ (paper)", one.words, figure(one.residual_id), figure(one.residual_ext)) for one in facts.descriptions
    ]
    how = (
        "Residual NMSE, averaged over the states. (paper): its "
        f"{facts.tables.descriptions}; its wrong descriptions are not printed, so ours are others."
    )
    head = ("method", "description", "residual, ID", "residual, ID-Ext")
    return [Section("Wrong descriptions on system 2", how, table(head, rows))]


def names(runs: Sequence[Run]) -> list[Section]:
    """Return what the names of the columns and the description are worth."""
    told = [run for run in _told(runs) if run.task.words in ("given", "none")]
    if not any(run.task.naming == "anonymous" for run in told):
        return []
    rows = [
        (*names, *_passed(those)[:3], f"{fmean(run.result.iterations for run in those):.2g}")
        for names, those in grouped(told, suite, who, _known)
    ]
    how = (
        "Named: the columns have their own names and meanings. Anonymised: they are x0, x1 ... and nothing is said of "
        "them. Clean data of one run."
    )
    return [
        Section("What the agents are told", how, table(("suite", "method", "told", *TESTS, "mean iterations"), rows))
    ]


def _known(task: Task) -> str:
    columns = "named" if task.naming == "own" else "anonymised"
    return f"{columns}, {'description' if task.words == 'given' else 'no description'}"


def _told(runs: Sequence[Run]) -> list[Run]:
    """Return the runs on clean data of who reads words; PySINDy does not."""
    known = [run for run in runs if run.task.case.equations and not run.task.agents.startswith("pysindy")]
    return [run for run in known if clean(run.task) and usual(run.task)]
