"""What a wrong description does: `python -m benchmarks.words`.

System 2 of the paper, a glider (clean data, 1,000 points, first initial state, default settings), with its own
description, with partly and fully wrong ones, with one that denies what is there, with one in another language and
with none; then each of the eight systems with the description of the next one. The columns' meanings are left out, so
that all words come from the description. Terms count as right when the set of skeletons is exactly the true one in
every equation. NMSE extended: the discovered system simulated against the true trajectory on the longer interval, over
the variance, the worst state. Conflict: what the run says at its end where words and data disagree, and the terms on
which they do. Similar words can fit by chance: then there is nothing to report.
"""

from dataclasses import dataclass, replace

from benchmarks import report, suite
from benchmarks.builtin import Outcome, discover
from benchmarks.suite import Case, Sampled

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
PAPER = (
    "The paper's DoLQ on system 2, for comparison (its appendix, 'Robustness to noisy descriptions'): with a partly "
    "mismatched description the true equations were not completely recovered, average residual NMSE 1.19e-2 (7.37e-2 "
    "on the extended interval); with a fully mismatched one the dynamics of x1 were lost, 3.15e-2 (1.83e-1)."
)


@dataclass(frozen=True, slots=True)
class Told:
    """A run, and where its words came from."""

    words: str
    outcome: Outcome


def main() -> None:
    """Run system 2 with every description and all systems with each other's, and write the tables."""
    systems = suite.paper()
    glider = systems[1]
    told = [Told("right", _run(glider)), *(Told(of, _run(glider, text)) for of, text in WORDS.items())]
    shifted = [
        Told(f"of {other.id}", _run(case, other.description))
        for case, other in zip(systems, (*systems[1:], systems[0]), strict=True)
    ]
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write(
        "words",
        "Wrong descriptions",
        how,
        f"## System 2\n\n{_summary(told)}",
        _table(told),
        PAPER,
        f"## Each system with the description of the next\n\n{_summary(shifted)}",
        _table(shifted),
        "## The descriptions of system 2",
        "\n".join(f"- {of}: {text or '(empty)'}" for of, text in WORDS.items()),
    )


def _run(case: Case, description: str | None = None) -> Outcome:
    return discover(case if description is None else replace(case, description=description), Sampled())


def _summary(told: list[Told]) -> str:
    right = sum(all(one.outcome.right) for one in told)
    said = sum(bool(one.outcome.conflict) for one in told)
    return f"All terms right: {right} of {len(told)}. Conflict reported: {said} of {len(told)}."


def _table(told: list[Told]) -> str:
    head = ["system", "description", "equations right", "NMSE extended", "iterations", "CPU s", "conflict"]
    rows = [
        (
            one.outcome.system,
            one.words,
            f"{sum(one.outcome.right)} of {len(one.outcome.right)}",
            f"{one.outcome.extended:.0e}",
            one.outcome.iterations,
            f"{one.outcome.cpu_s:.1f}",
            one.outcome.conflict or "none",
        )
        for one in told
    ]
    return report.table(head, rows)


if __name__ == "__main__":
    main()
