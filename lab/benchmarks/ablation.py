"""Which evidence drops spurious terms and keeps true ones: `python -m lab ablation`.

All 16 equations of the paper's systems without unknown constants inside terms (system 3 with its constants as they
are), each with its true terms and 6 spurious ones, 20 draws with fixed seeds: 320 hypotheses, on 1,000 clean samples
and with noise of 1e-4 and 1e-2 of each state's standard deviation. Backward elimination: fit, grade every term, drop
the one with the least support that is not good, until all are good. Ours: the evidence of the default settings on the
weak form. The paper's: a coefficient set to zero without fitting the rest again, delta 0.05, on numpy.gradient.
Exact: the terms that remain are the true ones. Lost and kept: true terms that are gone and spurious ones that are
left, per equation.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean

import numpy as np

from dolq_core.bundled import PAPER_SYSTEMS, System, generate
from dolq_core.fitting import Workbench
from dolq_core.loop.evaluate import grade_ablation
from dolq_core.records import Settings
from dolq_core.terms import Skeleton, parse_term
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

SYSTEMS = (1, 2, 3, 4, 5, 7, 8)
NOISES = (0.0, 1e-4, 1e-2)
DRAWS = 20
SPURIOUS = 6
ONE = ("{a}", "{a}**2", "{a}**3", "sin({a})", "cos({a})", "exp(-{a})", "tanh({a})", "1/{a}", "{a}/({a}**2 + 1)")
TWO = ("{a}*{b}", "{a}**2*{b}", "{a}*{b}**2", "sin({a} - {b})", "{a}*cos({b})", "{b}*sin({a})", "{a}/{b}")
RULES = {"ours": Settings(), "paper": Settings.paper()}


def measure() -> Iterator[Row]:
    """Eliminate under both rules at every noise."""
    for noise in NOISES:
        for rule, settings in RULES.items():
            ends = [end for system in PAPER_SYSTEMS if system.id in SYSTEMS for end in ended(system, noise, settings)]
            yield {
                "noise": noise,
                "rule": rule,
                "hypotheses": len(ends),
                "exact_share": fmean(lost == kept == 0 for lost, kept in ends),
                "mean_lost": fmean(lost for lost, _ in ends),
                "mean_kept": fmean(kept for _, kept in ends),
            }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    shown = {"exact_share": ".1%", "mean_lost": ".2f", "mean_kept": ".2f"}
    lines = [
        (f"{row['noise']:g}", row["rule"], *(format(row[what], how) for what, how in shown.items())) for row in rows
    ]
    return [report.table(("noise", "rule", "exact", "true terms lost", "spurious terms kept"), lines)]


def ended(system: System, noise: float, settings: Settings) -> Iterator[tuple[int, int]]:
    """Eliminate in all hypotheses of one system; yield how many true terms are lost and how many others are kept."""
    bench = Workbench.of(generate(system.id, noise=noise, relative=True).dataset, settings.target)
    for equation, texts in enumerate(system.terms):
        true = {parse_term(text, bench.names).skeleton for text in texts}
        for hypothesis in hypotheses(system, bench, equation, true):
            left = set(eliminate(bench, equation, hypothesis, settings))
            yield len(true - left), len(left - true)


def hypotheses(system: System, bench: Workbench, equation: int, true: set[Skeleton]) -> list[tuple[Skeleton, ...]]:
    """Return the true terms with SPURIOUS others, DRAWS times, in random order; the same for every noise."""
    clean = Workbench.of(generate(system.id).dataset)
    pool = [text.format(a=a) for a in bench.symbols for text in ONE] + ["1"]
    pool += [text.format(a=a, b=b) for a in bench.symbols for b in bench.symbols for text in TWO if a != b]
    others = sorted({parse_term(text, bench.names).skeleton for text in pool} - true)
    usable = [s for s in others if not clean.why_not(s)]
    rng = np.random.default_rng((system.id, equation))
    drawn = [[*sorted(true), *(usable[i] for i in rng.permutation(len(usable))[:SPURIOUS])] for _ in range(DRAWS)]
    return [tuple(terms[i] for i in rng.permutation(len(terms))) for terms in drawn]


def eliminate(
    bench: Workbench, equation: int, skeletons: Sequence[Skeleton], settings: Settings
) -> tuple[Skeleton, ...]:
    """Drop the weakest term that is not good, and again, until all are."""
    now = tuple(s for s in skeletons if bench.column(s) is not None)
    while now:
        graded = [
            (zeroed if settings.ablation == "paper" else refitted, skeleton)
            for skeleton, zeroed, refitted in bench.ablate(bench.fit(equation, now))
            if grade_ablation(zeroed, refitted, settings) != "good"
        ]
        if not graded:
            return now
        weakest = min(graded)[1]
        now = tuple(s for s in now if s != weakest)
    return now


BENCHMARK = Benchmark("ablation", "Evidence for and against terms", __doc__, measure, page)
