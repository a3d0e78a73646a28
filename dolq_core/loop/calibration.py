"""What a verdict is worth: of laws with the same evidence in the tests, how many were right.

`python -m benchmarks.settled` measures the table on systems whose law is known and writes it to docs/results/settled.md;
a test holds this one against the rows stored there.
"""

from dataclasses import dataclass
from math import inf

from dolq_core.fitting.limits import UNCOMPARED
from dolq_core.loop.decide import AT_FLOOR
from dolq_core.loop.status import over_floor, status
from dolq_core.records import RunState


@dataclass(frozen=True, slots=True)
class Record:
    """How often laws with some evidence were right, all terms of all equations.

    Attributes:
        least, below: nats from the law to the nearest rival, over all equations.
        right, tests: of so many test runs, how many.
    """

    least: float
    below: float
    right: int
    tests: int


SETTLED = Record(6.0, inf, 0, 0)
"""Every equation settled, noise."""
SETTLED_CLEAN = Record(-inf, inf, 0, 0)
"""Every equation settled, data so clean that noise hides nothing."""
EXPLAINED = (Record(-inf, 2.0, 0, 0), Record(2.0, 4.0, 0, 0), Record(4.0, 6.0, 0, 0))
"""Every equation explained to the noise, and some with rivals."""


def record(state: RunState) -> Record | None:
    """Return how often laws with the evidence of this run's were right in the tests; None where none is alike."""
    last = state.last
    known = [best for best in state.best if best is not None]
    if last is None or len(known) < len(state.best) or any(over_floor(best) > AT_FLOOR for best in known):
        return None
    said = [status(state, j)[0] for j in range(len(known))]
    if "none" in said or UNCOMPARED in last.rivals:
        return None
    is_settled = all(word == "settled" for word in said)
    if not last.gaps:
        return SETTLED_CLEAN if is_settled and not last.rivals else None
    if is_settled:
        return SETTLED
    gap = min((gap for gap in last.gaps if gap is not None), default=inf)
    return next((one for one in EXPLAINED if one.least <= gap < one.below), None)


def in_words(one: Record | None) -> str:
    """Return the sentence for a person; empty where nothing is known."""
    if one is None or not one.tests:
        return ""
    return f"In tests on known systems {one.right} of {one.tests} laws with this much evidence were right."
