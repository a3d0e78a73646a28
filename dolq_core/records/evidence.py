"""What numbers and words say of each term, and what was decided."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from dolq_core.records.calls import ModelCall
from dolq_core.records.terms import TermKey

Grade: TypeAlias = Literal["good", "neutral", "bad"]
Action: TypeAlias = Literal["keep", "hold", "remove"]
UNGRADED: Final = "The Scientist gave no grade."
"""The reason of a term that was asked about and not answered: it counts as neutral."""
MISSES: Final = 0.02
"""NMSE from which a simulation misses the samples."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """What happens to the error without a term: both figures, and the grade by the rule in force.

    Attributes:
        zeroed: relative change of the residual MSE with the coefficient set to zero (paper, Algorithm 1).
        refitted: error on left-out blocks without the term over that with it, the rest fitted again and pruned.
        grade: good when the fit needs the term, bad when it is better without, neutral between.
        nats: by which samples and law take longer to describe without the term, the rest fitted again, where whole runs
            say so (noisy data); None elsewhere.
    """

    key: TermKey
    zeroed: float
    refitted: float
    grade: Grade
    nats: float | None = None

    @property
    def strength(self) -> float:
        """What orders the terms of an equation by how much the fit needs them."""
        return self.refitted if self.nats is None else self.nats


@dataclass(frozen=True, slots=True)
class TermReview:
    """A Scientist's grade for one term and the reason a person can argue with."""

    key: TermKey
    grade: Grade
    reason: str


@dataclass(frozen=True, slots=True)
class Lift:
    """A ban of the machine that the Scientist asks to lift, and why."""

    key: TermKey
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """A Scientist's answer, matched to terms by skeleton.

    Attributes:
        notes: what did not match.
        conflict: where the description and the data disagree, as a sentence; empty where they do not.
        lifts: bans that no longer hold in its eyes; those of the machine end with it.
    """

    terms: tuple[TermReview, ...]
    insight: str = ""
    notes: tuple[str, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    conflict: str = ""
    lifts: tuple[Lift, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The two gradings of the current attempt, side by side."""

    ablations: tuple[Ablation, ...]
    review: Review


@dataclass(frozen=True, slots=True)
class Verdict:
    """The machine's decision for one term of the current attempt."""

    key: TermKey
    semantic: Grade
    evidence: Grade
    action: Action
    strikes: int
    reason: str
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class TrajectoryScore:
    """Integral NMSE per state (paper, eq. 1, over the variance) of the best system, simulated for every run.

    On clean data a simulation starts where the run starts; on noisy data at the state that explains the run best.
    nmse[j] is inf where the simulation failed; `failure` then says why. held_out: the same on the held-out part of
    the runs, for coefficients that were fitted without it; empty without one. past_horizon: whether samples are missed
    that no law could meet, since a small difference at the start of a run outgrows the signal; None in older logs.
    """

    nmse: tuple[float, ...]
    failure: str = ""
    held_out: tuple[float, ...] = ()
    past_horizon: bool | None = None
