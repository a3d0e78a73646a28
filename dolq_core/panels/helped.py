"""Did your word help? Answered from the numbers of two runs that part at it, and only as far as they tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, TypeAlias

from dolq_core.panels.summary import Summary
from dolq_core.records import Entry, Intervention, Iteration

Verdict: TypeAlias = Literal["early", "nothing", "helped", "hurt", "same", "simpler", "larger", "open"]

NEGLIGIBLE = 1e-6
"""NMSE below which two errors are not told apart: both miss by less than a thousandth of the spread."""
TOLD = 1.05
"""Ratio of two errors from which one is called smaller."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the numbers say of a word.

    Attributes:
        verdict: "early": one of the runs has not gone on yet; "nothing": no system can be simulated in either; "same":
            the same terms and no other error; "simpler", "larger": fewer or more terms for the same error; "open":
            other terms, as many, for the same error.
        held_out: whether the held-out errors decided, else those of the trajectories.
        turned: the other of the two errors says the opposite.
        since: iterations since they part, with the word and without it.
        others: words that were said since beside this one, in both.
        is_here: whether the run in hand is the one with the word.
    """

    verdict: Verdict
    held_out: bool
    turned: bool
    since: tuple[int, int]
    others: int
    is_here: bool


Rest: TypeAlias = tuple[Sequence[Entry], Summary]


def answer(here: Rest, there: Rest, *, is_here: bool, alike: bool) -> Answer:
    """Compare the run with the word to the one without.

    here, there: what follows the entries in common, and where the run stands.
    is_here: whether `here` has the word; alike: whether the best equations have the same terms.
    """
    (spoken, by_word), (silent, alone) = (here, there) if is_here else (there, here)
    since = _count(spoken, Iteration), _count(silent, Iteration)
    held = by_word.held_out is not None and alone.held_out is not None
    first, second = _sign(by_word.error, alone.error), _sign(by_word.held_out, alone.held_out)
    sign, rest = (second, first) if held else (first, 0)
    return Answer(
        verdict=_verdict(sign, by_word, alone, alike=alike) if all(since) else "early",
        held_out=held,
        turned=sign * rest < 0,
        since=since,
        others=_count(spoken, Intervention) - 1 + _count(silent, Intervention),
        is_here=is_here,
    )


def _verdict(sign: int, by_word: Summary, alone: Summary, *, alike: bool) -> Verdict:
    if not any(error is not None and isfinite(error) for error in (by_word.error, alone.error)):
        return "nothing"
    if sign:
        return "helped" if sign < 0 else "hurt"
    if alike:
        return "same"
    if by_word.terms == alone.terms:
        return "open"
    return "simpler" if by_word.terms < alone.terms else "larger"


def _sign(one: float | None, other: float | None) -> int:
    """Return -1 where `one` is the smaller error, 1 where it is the larger, 0 where they are not told apart."""
    a, b = (inf if error is None else error for error in (one, other))
    if max(a, b) < NEGLIGIBLE or a == b or max(a, b) < TOLD * min(a, b):
        return 0
    return -1 if a < b else 1


def _count(entries: Sequence[Entry], kind: type[Entry]) -> int:
    return sum(isinstance(entry, kind) for entry in entries)
