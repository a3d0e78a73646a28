"""What is claimed where words speak for a law and there is none: `python -m lab persuaded`.

Noise of every colour, as on the page [nothing](nothing.md), `--seeds` of each, one or two states, 40, 150 or 400
samples, with a description that names the mechanisms of a law and states that are called after it, built-in agents in
auto mode. What counts are moved up so that none is negative. An equation counts as claimed when its status is not
"none".
"""

import time
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.nothing import KINDS, claimed
from lab.benchmarks.report import Benchmark, Row

SEEDS = 12
SAMPLES = (40, 150, 400)
MARGIN = 0.1
"""Of their spread that counts keep from zero."""
COUNTS = (
    (
        ("hares",),
        "The number of hares in a valley, counted every week. The hares multiply and, as food gets short, the growth "
        "levels off (logistic growth); a hunter takes a constant number.",
    ),
    (
        ("prey", "predator"),
        "Prey and predators in a lake: the prey grows logistically, the predator eats it with saturation (Holling "
        "type II) and dies at a constant rate.",
    ),
)
MOTION = (
    (
        ("temperature",),
        "The temperature of a cup of coffee that cools to the room (Newton's law of cooling), with a heater that "
        "cycles.",
    ),
    (
        ("angle", "omega"),
        "A damped driven pendulum: its angle and its angular velocity; air drag is quadratic.",
    ),
)
"""Names and words for one state and for two; COUNTS likewise."""


def measure(seeds: int) -> Iterator[Row]:
    """Run so many seeds of each kind."""
    yield from pooled(outcome, *zip(*product(range(seeds), KINDS), strict=True))


def outcome(seed: int, kind: str) -> Row:
    """Run one series, and say what is claimed."""
    began = time.process_time()
    n, d = SAMPLES[seed % len(SAMPLES)], 1 + seed % 2
    told = (COUNTS, MOTION)[seed // 2 % 2]
    x = KINDS[kind](np.random.default_rng(seed).normal(size=(n, d)))
    if told is COUNTS:
        x = x - np.min(x, axis=0) + MARGIN * np.ptp(x, axis=0)
    names, words = told[d - 1]
    found = claimed(x, names, words)
    cpu = round(time.process_time() - began, 1)
    return {"data": kind, "seed": seed, "samples": n, "states": list(names), "claimed": found, "cpu_s": cpu}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    lines: list[tuple[object, ...]] = []
    for kind in (*KINDS, "all"):
        of_kind = [row for row in rows if kind in (row["data"], "all")]
        each = [[row for row in of_kind if row["samples"] == n] for n in SAMPLES]
        said = "; ".join(f"`{text}`" for row in of_kind for text in row["claimed"])
        counts = (f"{sum(bool(row['claimed']) for row in some)} of {len(some)}" for some in each)
        lines.append((kind, *counts, said if kind != "all" else ""))
    return [report.table(("data", *(f"claimed, {n} samples" for n in SAMPLES), "what"), lines)]


BENCHMARK = Benchmark("persuaded", "Noise that words speak for", __doc__, measure, page, {"seeds": SEEDS})
