"""What a wrong description does: `python -m lab words`.

System 2 of the paper, a glider (clean data, 1,000 points, first initial state, default settings), with its own
description, with partly and fully wrong ones, with one that denies what is there, with one in another language and
with none. The columns' meanings are left out, so that all words come from the description. Terms count as right when
they are exactly the true ones in every equation. NMSE extended: the discovered system simulated against the true
trajectory on the longer interval, over the variance, the worst state. Conflict: what the run says at its end where
words and data disagree, and the terms on which they do. Similar words can fit by chance: then there is nothing to
report. All eight systems with wrong descriptions, and the paper's figures beside them: [paper](paper.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite

from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

SYSTEM = "2"
DRAG_AND_WEIGHT = (
    "A glider flies in a vertical plane without an engine. Its speed along the path falls through air resistance, "
    "which grows faster than the speed itself, and changes through the part of its weight that points along the path."
)
WORDS = {
    "partly wrong: the second state is another thing": (
        f"{DRAG_AND_WEIGHT} The second figure is the amount of ice on the wings: a cloud supplies it at a constant "
        "rate, and it melts in proportion to what is there."
    ),
    "partly wrong: other causes": (
        "An aircraft flies through warm rising air. Its speed falls because fuel is burned and its mass shrinks; its "
        "direction turns because of a spring in the rudder, in proportion to the angle."
    ),
    "fully wrong: a chemical reactor": (
        "Two substances react in a stirred vessel. Both are fed at a constant rate and washed out in proportion to "
        "their concentration; the first one catalyses the formation of the second."
    ),
    "fully wrong: an epidemic": (
        "A disease spreads in a population: susceptible people are infected by contact with the sick, who recover at a "
        "constant rate per person."
    ),
    "denied: no drag, no angle": (
        "A body flies in a vertical plane. There is no drag, it moves without gravity, and its speed does not depend "
        "on any angle."
    ),
    "another language": (
        "Ein Segelflugzeug ohne Motor fliegt in einer senkrechten Ebene. Der Luftwiderstand bremst es, und die "
        "Schwerkraft krümmt seine Bahn."
    ),
    "none": "",
}


def measure() -> Iterator[Row]:
    """Run the glider with every description."""
    glider = next(case for case in campaign.read_suite("paper") if case.id == SYSTEM)
    silent = replace(glider, states=tuple(replace(state, meaning="") for state in glider.states))
    for words, text in {"right": glider.description, **WORDS}.items():
        result = campaign.do(campaign.Task("paper", replace(silent, description=text)))
        extended = max(next(score for score in result.scores if (score.start, score.span) == (0, "ext")).integral)
        yield {
            "words": words,
            "description": text,
            "exact": result.exact,
            "nmse_extended": extended if isfinite(extended) else None,
            "iterations": result.iterations,
            "cpu_s": result.cost.cpu_s,
            "conflict": result.conflict,
        }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and the descriptions."""
    n = len(rows)
    summary = (
        f"All terms right: {sum(row['exact'] for row in rows)} of {n}. "
        f"Conflict reported: {sum(bool(row['conflict']) for row in rows)} of {n}."
    )
    head = ("description", "all terms right", "NMSE extended", "iterations", "CPU s", "conflict")
    lines = [
        (
            row["words"],
            "yes" if row["exact"] else "no",
            "failed" if row["nmse_extended"] is None else f"{row['nmse_extended']:.0e}",
            row["iterations"],
            f"{row['cpu_s']:.1f}",
            row["conflict"] or "none",
        )
        for row in rows
    ]
    texts = "\n".join(f"- {row['words']}: {row['description'] or '(empty)'}" for row in rows)
    return [summary, report.table(head, lines), "## The descriptions", texts]


BENCHMARK = Benchmark("words", "Wrong descriptions", __doc__, measure, page)
