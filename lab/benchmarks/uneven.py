"""Noise that grows with the value: `python -m lab uneven`.

Told: is noise taken for even, or for one that grows with the value? Every system of the suites, one run of its data;
"even" has white noise in units of each state's own standard deviation, "in proportion" a share of each value, of the
states that never change their sign and vary by more than a factor of two. Then whole runs on the systems of which all
states have such noise, with their descriptions: the kind of noise is read off (auto), or taken for even. Right: every
equation is the true one, in its own or in other words. Intervals: of the coefficients of right laws in their own words;
their width is told as a share of the coefficient. The reading was built on seven tables that are not in the suites,
and its thresholds were set with the even noise of the suites in view.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from statistics import median

import numpy as np

from dolq_core import loop, runs
from dolq_core.arrays import Bools, frozen
from dolq_core.fitting.weighing import noisy_as
from dolq_core.laws import law_of_fits
from dolq_core.records import NoiseKind, Problem, Settings
from dolq_core.store.memory import MemoryStore
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.settled import NORMAL, covered, draw
from lab.campaign.laws import fits_of, true_law
from lab.campaign.same import same_equations
from lab.campaign.tasks import problem_of

VARIED = 2.0
"""Times that large values (95 %) of a state are small ones (5 %), for its noise to matter."""
TOLD = (0.01, 0.02, 0.05)
IN_RUNS = 0.02
SETTINGS: tuple[NoiseKind, ...] = ("auto", "even")
INTERVALS = ("95 % intervals that hold the truth", "half width, median")
KINDS = ("even", "in proportion")
"""The noise that the samples have."""


def measure(suites: str, seeds: int) -> Iterator[Row]:
    """Read off the noise of every system, then run where all states have noise that grows."""
    own = [(suite, case) for suite in campaign.bundled_suites() for case in campaign.read_suite(suite)]
    own = [(suite, case) for suite, case in own if case.measured is None]
    yield from pooled(told, *zip(*product(own, KINDS, TOLD), strict=True))
    meant = [one for one in own if one[0] in suites.split() and varied(problem(*one, "even", 0.0, 0)).all()]
    yield from pooled(found, *zip(*product(meant, range(seeds), SETTINGS), strict=True))


def problem(suite: str, case: campaign.Case, kind: str, noise: float, seed: int) -> Problem:
    """Return the samples of a system with noise of this kind, and its description."""
    task = campaign.Task(suite, case, noise=noise if kind == "even" else 0.0, words="given", seed=draw(case.id, seed))
    given = problem_of(task)
    if kind == "even":
        return given
    (run,) = given.dataset.trajectories
    size = noise * np.random.default_rng(task.seed).normal(size=run.x.shape)
    noisy = replace(run, x=frozen(run.x * (1.0 + size)))
    return replace(given, dataset=replace(given.dataset, trajectories=(noisy,)))


def varied(given: Problem) -> Bools:
    """Return which states (d,) never change their sign, and vary by more than what matters."""
    size = np.abs(np.concatenate([run.x for run in given.dataset.trajectories]))
    signs = np.sign(np.concatenate([run.x for run in given.dataset.trajectories]))
    low, high = np.quantile(size, (0.05, 0.95), axis=0)
    return np.asarray((np.abs(np.sum(signs, axis=0)) == len(signs)) & (high > VARIED * low), dtype=np.bool_)


def told(one: tuple[str, campaign.Case], kind: str, noise: float) -> Row:
    """Read off how the noise of one system grows."""
    may_grow = varied(problem(*one, "even", 0.0, 0))
    growth = noisy_as(problem(*one, kind, noise, 0).dataset).noise
    shares = [own.share for own, meant in zip(growth, may_grow, strict=True) if kind == "even" or meant]
    grown = [share for share in shares if share > 0.0]
    near = [share for share in grown if noise / 2.0 <= share <= 2.0 * noise]
    counts = {"states": len(shares), "grown": len(grown), "near": len(near)}
    return {"suite": one[0], "system": one[1].id, "kind": kind, "noise": noise, **counts}


def found(one: tuple[str, campaign.Case], seed: int, said: NoiseKind) -> Row:
    """Run on noise in proportion to the value, which is read off or taken for even."""
    suite, case = one
    store, given = MemoryStore(), problem(suite, case, "in proportion", IN_RUNS, seed)
    state = runs.auto(store, runs.start(store, given, Settings(noise=said), seed=0)).state
    fits = fits_of(state)
    right = all(same_equations(case, law_of_fits(fits)))
    held, all_told = covered(fits, true_law(case)) if right else (0, 0)
    terms = [term for fit in fits for term in fit.terms if right and term.std_error is not None and term.coefficient]
    return {
        "suite": suite,
        "system": case.id,
        "seed": seed,
        "said": said,
        "right": right,
        "settled": {loop.status(state, j)[0] for j in range(len(state.best))} == {"settled"},
        "held": held,
        "told": all_told,
        "widths": [abs(NORMAL * float(term.std_error or 0.0) / term.coefficient) for term in terms],
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return what was read off, and what the runs came to."""
    lines: list[Sequence[object]] = []
    for kind, noise in product(KINDS, TOLD):
        here = [row for row in rows if (row.get("kind"), row.get("noise")) == (kind, noise)]
        states, grown, near = (sum(row[what] for row in here) for what in ("states", "grown", "near"))
        lines.append((kind, f"{noise:.0%}", states, grown, near if kind != "even" else ""))
    ends: list[Sequence[object]] = []
    for said in SETTINGS:
        here = [row for row in rows if row.get("said") == said]
        right, settled, held, every = (sum(row[what] for row in here) for what in ("right", "settled", "held", "told"))
        wrong = sum(row["settled"] and not row["right"] for row in here)
        width = median([width for row in here for width in row["widths"]] or [0.0])
        taken = "read off" if said == "auto" else "taken for even"
        ends.append((taken, len(here), right, settled, wrong, f"{held} of {every}", f"{width:.2%}"))
    return [
        report.table(("noise", "of", "states", "told to grow", "its share within a factor of two"), lines),
        f"## Runs with {IN_RUNS:.0%} of the value",
        report.table(("noise", "runs", "right", "settled", "settled and wrong", *INTERVALS), ends),
    ]


BENCHMARK = Benchmark(
    "uneven", "Noise that grows with the value", __doc__, measure, page, {"suites": "textbook open", "seeds": 2}
)
