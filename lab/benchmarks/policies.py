"""What each of our departures from the paper changes: `python -m lab policies`.

The built-in agents run on six of the paper's systems, those without numbers inside terms, 14 equations: on clean data
(1,000 points, first initial state) and on data with 1 % noise, for six iterations without stopping early, once with
our settings and once with each rule of the paper put back. Counted over all equations: those whose best structure is
exactly the true one, true terms that stand on the ban list at the end, and terms that the best structures have beyond
the true ones.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dolq_core import runs
from dolq_core.bundled import PAPER_SYSTEMS, System, generate
from dolq_core.laws import as_law, compared
from dolq_core.records import Settings, TermKey
from dolq_core.store.memory import MemoryStore
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.truth import names_of, true_skeletons

ITERATIONS = 6
NOISES = (0.0, 0.01)
SYSTEMS = (1, 2, 4, 5, 7, 8)  # those without inner parameters: the rules are compared, not the search

OURS = Settings(iterations=ITERATIONS, patience=ITERATIONS)
POLICIES: Mapping[str, Settings] = {
    "ours": OURS,
    "strikes as in the paper's table": replace(OURS, strikes="paper"),
    "ablation without refit (Algorithm 1)": replace(OURS, ablation="paper"),
    "best by MSE alone": replace(OURS, best_by="mse"),
    "target numpy.gradient": replace(OURS, target="gradient"),
    "all rules of the paper": replace(Settings.paper(), iterations=ITERATIONS, patience=ITERATIONS),
}


def measure() -> Iterator[Row]:
    """Run every policy on every system."""
    for noise in NOISES:
        for name, settings in POLICIES.items():
            counts = Counter[str]()
            for system in PAPER_SYSTEMS:
                if system.id in SYSTEMS:
                    counts.update(_counted(system, settings, noise))
            yield {"noise": noise, "rule": name, **counts}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    head = ("noise", "rule", "equations exact", "true terms banned", "terms beyond the true ones")
    lines = [
        (f"{row['noise']:.0%}", row["rule"], f"{row['exact']} of {row['equations']}", row["banned"], row["beyond"])
        for row in rows
    ]
    return [report.table(head, lines)]


def _counted(system: System, settings: Settings, noise: float) -> dict[str, int]:
    store = MemoryStore()
    run = runs.start(store, generate(system.id, noise=noise, relative=True), settings)
    for _ in range(ITERATIONS):
        runs.step_once(store, run)
    state = runs.load(store, run).state
    total: dict[str, int] = dict.fromkeys(("equations", "exact", "banned", "beyond"), 0)
    for j, best in enumerate(state.best):
        true = true_skeletons(system, j)
        found = [as_law(term, names_of(system)) for term in best.fit.terms] if best else []
        missed, beyond = compared(found, true)
        total["equations"] += 1
        total["exact"] += not missed and not beyond
        total["banned"] += sum(TermKey(j, skeleton) in state.bans for skeleton in true)
        total["beyond"] += len(beyond)
    return total


BENCHMARK = Benchmark("policies", "Our rules against the paper's", __doc__, measure, page)
