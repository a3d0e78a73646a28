"""Where a run stands: what the log folds to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from dolq_core.records.calls import Models, Spent
from dolq_core.records.data import Problem
from dolq_core.records.evidence import TrajectoryScore
from dolq_core.records.log import TAKEN, Choice, EquationNote, Iteration, TermNote
from dolq_core.records.settings import Settings
from dolq_core.records.terms import EquationFit, FamilyKey, Stated, TermKey
from dolq_core.terms import Skeleton

Author: TypeAlias = Literal["human", "scientist", "numbers"]
Status: TypeAlias = Literal["settled", "provisional", "none"]
STANDS: Final[dict[Status, str]] = {"settled": "settled", "provisional": "provisional", "none": "no law"}
"""The verdict on an equation as it is read, the same words on every page, in the command line and in exports."""
AWAITED: Final = "not fitted yet"
"""In the place of "no law" where a person's word asks for another one and no iteration has ended since."""
CHOSEN: Final = "The next iteration fits what you chose."
TAKEN_UP: Final = f"{TAKEN}; the next iteration fits it again, with the whole system."
RULED_OUT: Final = "You ruled out every law fitted so far; the next iteration looks for another."
UNANSWERED: Final = "Nothing is fitted: the answer of the language model could not be used."
_AWAITING: Final = frozenset({CHOSEN, TAKEN_UP, RULED_OUT, UNANSWERED})


def in_a_word(status: Status, reason: str) -> str:
    """Return where an equation stands as it is read; of one that only waits for an iteration no verdict, but that."""
    return AWAITED if is_waiting(reason) else STANDS[status]


def is_waiting(reason: str) -> bool:
    """Whether this is the reason of an equation that only waits for an iteration."""
    return reason in _AWAITING


@dataclass(frozen=True, slots=True)
class Ban:
    """A term that may not be proposed. Soft bans (by the machine) may be pardoned, human ones never.

    beside: the other terms of the equation in which the machine banned it: beside others the ban lapses
        (`dolq_core.bans.is_in_force`). None where that is not known, and for a person's ban, which never lapses.
    """

    key: TermKey
    by: Author
    since: int
    reason: str
    beside: tuple[Skeleton, ...] | None = None


@dataclass(frozen=True, slots=True)
class FamilyBan:
    """A kind of terms that a person banned.

    Attributes:
        spared: terms of the kind that the person let in by name afterwards.
    """

    key: FamilyKey
    since: int
    reason: str
    spared: tuple[Skeleton, ...] = ()


@dataclass(frozen=True, slots=True)
class Pin:
    """A term that a person wants in every hypothesis."""

    key: TermKey
    since: int
    reason: str


@dataclass(frozen=True, slots=True)
class Visited:
    """A structure that was fitted, and when first.

    Attributes:
        refined: its reported coefficients, where they are others than those of `fit` (`Iteration.refined`).
        blind: its coefficients from trajectories without the held-out part (`Iteration.blind`).
    """

    fit: EquationFit
    iteration: int
    refined: EquationFit | None = None
    blind: EquationFit | None = None

    @property
    def reported(self) -> EquationFit:
        """The structure with its reported coefficients."""
        return self.refined or self.fit

    @property
    def scored(self) -> EquationFit:
        """With the coefficients that scores speak of: where a part is held out, those that have not seen it."""
        return self.blind or self.fit if self.fit.held_out is not None else self.reported


@dataclass(frozen=True, slots=True)
class Wish:
    """A person's last word on a term. Keep and pin protect it from removal until they say otherwise."""

    choice: Choice
    since: int
    reason: str


Structure: TypeAlias = tuple[int, tuple[Skeleton, ...]]


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run stands: `replay` of its log.

    Attributes:
        iteration: number of finished iterations.
        best: per equation the best structure that no human ban forbids; None before there is one.
        archive: every structure that was fitted, by equation and sorted skeletons.
        strikes: consecutive holds per term.
        disputes: consecutive iterations in which words and numbers disagreed, per term.
        families: kinds of terms that a person banned.
        proposals: terms a person typed for the next iteration; equations: whole right-hand sides for it.
        reasons: the last reason given for each term that was ever proposed.
        wishes: the person's last choice per term.
        insight: what the Scientist has understood so far; `remark` is the person's own addition to it.
        since_better: iterations since any equation's best improved.
        models: the language models that take part; spent: what their calls have used.
        stated: what a system that was tried states of its numbers, and the data do not speak against.
        asleep: whether the language models wait until they are chosen again, since the run came as a file.
        paused: why the last attempt at an iteration ended without one; empty after an iteration or a person's word.
        last: the last iteration, None before the first; ended: `best` at its end; words: the version of the problem
            that it read.
    """

    problem: Problem
    settings: Settings
    seed: int
    agents: str
    iteration: int = 0
    best: tuple[Visited | None, ...] = ()
    archive: Mapping[Structure, Visited] = field(default_factory=dict[Structure, Visited])
    strikes: Mapping[TermKey, int] = field(default_factory=dict[TermKey, int])
    disputes: Mapping[TermKey, int] = field(default_factory=dict[TermKey, int])
    bans: Mapping[TermKey, Ban] = field(default_factory=dict[TermKey, Ban])
    pins: Mapping[TermKey, Pin] = field(default_factory=dict[TermKey, Pin])
    families: Mapping[FamilyKey, FamilyBan] = field(default_factory=dict[FamilyKey, FamilyBan])
    proposals: tuple[TermNote, ...] = ()
    equations: tuple[EquationNote, ...] = ()
    reasons: Mapping[TermKey, str] = field(default_factory=dict[TermKey, str])
    wishes: Mapping[TermKey, Wish] = field(default_factory=dict[TermKey, Wish])
    insight: str = ""
    remark: str = ""
    since_better: int = 0
    models: Models | None = None
    spent: Spent = Spent()
    stated: Mapping[tuple[Structure, ...], tuple[Stated, ...]] = field(
        default_factory=dict[tuple[Structure, ...], tuple[Stated, ...]]
    )
    asleep: bool = False
    paused: str = ""
    last: Iteration | None = None
    ended: tuple[Visited | None, ...] = ()
    words: int = 0

    @property
    def trajectory(self) -> TrajectoryScore | None:
        """How the best system simulates; None where a person's word has put another in its place since then."""
        if self.last is None or [v and v.fit for v in self.best] != [v and v.fit for v in self.ended]:
            return None
        return self.last.trajectory
