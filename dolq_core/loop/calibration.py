"""What a verdict is worth: of laws with the same evidence in the tests, how many were the true law.

`python -m lab settled` and `python -m lab digits` measure it on systems whose law is known, with noise and with few
digits, on which the program was tuned; the suites that were run once (`lab.benchmarks.once`) on systems that nobody who
worked on it had seen. A test holds the table against the rows that are stored of all.
"""

from dataclasses import dataclass
from math import inf
from typing import Literal, TypeAlias

from dolq_core.bans import by_person
from dolq_core.blocks import FREE
from dolq_core.fitting.limits import UNCOMPARED, is_explained
from dolq_core.loop.followed import STRAYS
from dolq_core.loop.status import status
from dolq_core.records import RunState

Evidence: TypeAlias = Literal["settled, clean", "settled", "explained"]
"""Every equation settled, on data so clean that noise hides nothing; the same under noise; or every equation explained
to the noise, and something against one of them."""


@dataclass(frozen=True, slots=True)
class Record:
    """How often laws with some evidence were the true one: its terms alone, or the same function in other words.

    Attributes:
        least, below: nats from the law to the nearest rival, over all equations.
        right, tests: of so many runs on systems that the program was tuned on, how many.
        right_unseen, unseen: of so many on systems that were run once, unseen.
    """

    evidence: Evidence
    least: float
    below: float
    right: int
    tests: int
    right_unseen: int
    unseen: int


RECORDS = (
    Record("settled, clean", -inf, inf, 197, 197, 411, 425),
    Record("settled", -inf, inf, 455, 456, 175, 187),
    Record("explained", -inf, 2.0, 56, 132, 50, 244),
    Record("explained", 2.0, 6.0, 96, 108, 74, 123),
)


def evidence(state: RunState) -> tuple[Evidence, float | None] | None:
    """Return what a system stands on, and its gap to the nearest rival; None where an equation is not explained."""
    last = state.last
    known = [best for best in state.best if best is not None]
    if last is None or len(known) < len(state.best) or not all(map(is_explained, known)):
        return None
    said = [status(state, j)[0] for j in range(len(known))]
    if "none" in said or UNCOMPARED in last.rivals or (last.strays or 0) > STRAYS:
        return None
    is_settled = all(word == "settled" for word in said)
    if not last.gaps:
        return ("settled, clean", None) if is_settled and not last.rivals else None
    gap = min((gap for gap in last.gaps if gap is not None), default=None)
    return ("settled" if is_settled else "explained"), gap


def record(state: RunState) -> Record | None:
    """Return how often laws with the evidence of this run's were right in the tests; None where none is alike.

    Nobody said a word in the tests: where a rule, a veto or a pin may keep the true law out they tell nothing.
    """
    found = evidence(state)
    spoken = state.problem.blocks != FREE or state.pins or any(by_person(state, key) for key in state.bans)
    if found is None or spoken:
        return None
    said, gap = found
    far = inf if gap is None else gap
    alike = (one for one in RECORDS if one.evidence == said and (one.least <= far < one.below or one.below == inf))
    return next(alike, None)


def record_in_words(state: RunState) -> str:
    """Return the sentence for a person; empty where nothing is known."""
    one = record(state)
    if one is None:
        return ""
    laws, true = ("laws", "the true law") if len(state.best) == 1 else ("whole systems", "true in every equation")
    return (
        f"Of {laws} with this much evidence {one.right_unseen} of {one.unseen} were {true} in tests on systems "
        f"that were new to the program, {one.right} of {one.tests} on those that it was tuned on."
    )
