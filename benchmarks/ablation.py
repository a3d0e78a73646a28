"""Which evidence drops spurious terms and keeps true ones: `python -m benchmarks.ablation`.

All 16 equations of the paper's systems without unknown constants inside terms (system 3 with its constants as they
are), each with its true terms and 6 spurious ones, 20 draws with fixed seeds: 320 hypotheses, on 1,000 clean samples
and with noise of 1e-4 and 1e-2 of each state's standard deviation. Backward elimination: fit, grade every term, drop
the one with the least support that is not good, until all are good. Ours: the evidence of the default settings on the
weak form. The paper's: a coefficient set to zero without fitting the rest again, delta 0.05, on numpy.gradient.
Exact: the terms that remain are the true ones. Lost and kept: true terms that are gone and spurious ones that are
left, per equation.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks import report
from dolq_core.data import System, generate, paper_systems
from dolq_core.fitting import Workbench
from dolq_core.loop.evaluate import grade_ablation
from dolq_core.records import Settings
from dolq_core.terms import Skeleton, parse_term

SYSTEMS = (1, 2, 3, 4, 5, 7, 8)
NOISES = (0.0, 1e-4, 1e-2)
DRAWS = 20
SPURIOUS = 6
ONE = ("{a}", "{a}**2", "{a}**3", "sin({a})", "cos({a})", "exp(-{a})", "tanh({a})", "1/{a}", "{a}/({a}**2 + 1)")
TWO = ("{a}*{b}", "{a}**2*{b}", "{a}*{b}**2", "sin({a} - {b})", "{a}*cos({b})", "{b}*sin({a})", "{a}/{b}")
RULES = {"ours": Settings(), "paper": Settings.paper()}


@dataclass(frozen=True, slots=True)
class Count:
    """Sums over hypotheses."""

    hypotheses: int = 0
    exact: int = 0
    lost: int = 0
    kept: int = 0

    def __add__(self, other: "Count") -> "Count":
        """Add field by field."""
        return Count(
            self.hypotheses + other.hypotheses, self.exact + other.exact, self.lost + other.lost, self.kept + other.kept
        )


def main() -> None:
    """Eliminate under both rules and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="print every hypothesis that ends wrong")
    verbose = parser.parse_args().verbose
    rows: list[tuple[object, ...]] = []
    for noise in NOISES:
        for rule, settings in RULES.items():
            total = Count()
            for system in paper_systems():
                if system.id in SYSTEMS:
                    total += count(system, noise, settings, verbose=verbose)
            n = total.hypotheses
            exact, lost, kept = f"{total.exact / n:.1%}", f"{total.lost / n:.2f}", f"{total.kept / n:.2f}"
            print(f"noise {noise:g}, {rule}: exact {exact}, lost {lost}, kept {kept} of {n}", flush=True)
            rows.append((f"{noise:g}", rule, exact, lost, kept))
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    head = ("noise", "rule", "exact", "true terms lost", "spurious terms kept")
    report.write("ablation", "Evidence for and against terms", how, report.table(head, rows))


def count(system: System, noise: float, settings: Settings, *, verbose: bool) -> Count:
    """Eliminate in all hypotheses of one system."""
    bench = Workbench.of(generate(system.id, noise=noise, relative=True).dataset, settings.target)
    total = Count()
    for equation, texts in enumerate(system.terms):
        true = {parse_term(text, bench.names).skeleton for text in texts}
        for hypothesis in hypotheses(system, bench, equation, true):
            left = set(eliminate(bench, equation, hypothesis, settings))
            total += Count(1, int(left == true), len(true - left), len(left - true))
            if verbose and left != true:
                print(f"  {system.id}.{equation}: lost {sorted(true - left)}, kept {sorted(left - true)}")
    return total


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


if __name__ == "__main__":
    main()
