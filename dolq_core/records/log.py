"""The entries of a log: what is stored of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from dolq_core.records.calls import Budget, ModelCall, Models
from dolq_core.records.data import Problem
from dolq_core.records.evidence import Ablation, Action, Evaluation, Grade, TrajectoryScore, Verdict
from dolq_core.records.settings import Settings
from dolq_core.records.terms import EquationFit, FamilyKey, Proposal, SystemFit, TermKey
from dolq_core.terms import Skeleton

Choice: TypeAlias = Literal["keep", "hold", "remove", "pin"]


@dataclass(frozen=True, slots=True)
class Start:
    """The first entry of every log. models: None where no language model takes part."""

    problem: Problem
    settings: Settings
    seed: int = 0
    agents: str = "builtin"
    models: Models | None = None


@dataclass(frozen=True, slots=True)
class TargetInfo:
    """What the fits of an iteration aimed at, one figure per state.

    Attributes:
        kind: which estimate of the left-hand side, and `reason`: why that one, in plain words.
        floor: root-mean-square error that the estimate itself has, in the estimate's own unit.
        noise: standard deviation of the measurement noise, in the state's unit.
        null_score: the score of the structure without any term; a law worth claiming beats it.
        walk_score: few samples: the score of a random walk from sample to sample; empty otherwise.
        coarse: what keeps every law of a state from being borne out, as a sentence: values so few that what happens
            between them is not known; empty where there are enough, and in older logs.
        jumps: where a state jumps, as a sentence; empty where it does not, and in older logs.
        hidden: what proves that the measured states alone have no law without time, as a sentence; empty otherwise.
        crossing: the same of two states of which one may have a law, but not both; empty otherwise.
        total: which sum of states is constant in all the data, so that a law is known up to it, as a sentence; empty
            where none is, and in older logs.
    """

    kind: str
    reason: str
    floor: tuple[float, ...]
    noise: tuple[float, ...]
    null_score: tuple[float, ...] = ()
    walk_score: tuple[float, ...] = ()
    hidden: str = ""
    coarse: tuple[str, ...] = ()
    jumps: tuple[str, ...] = ()
    crossing: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True)
class Iteration:
    """What the machine did in one iteration.

    Attributes:
        fits: one per candidate, in the order of the proposal.
        attempt: the current attempt: per equation the best fit among the candidates, None where all failed.
        refined: the best system so far with its coefficients fitted again: on trajectories where that improves
            it, and on all rows where ends were held out or thinned (`strategy` says what was done); else empty.
        blind: what the held-out scores are measured on: the same system fitted again on trajectories without the
            held-out part; empty when nothing is held out or that did not improve it.
        trajectory: the best system so far, simulated with the coefficients that have not seen the held-out part;
            None when an equation has none.
        pardoned: soft bans that were forgotten at the start of this iteration (drawn at random, so recorded).
        rivals: per equation how many other functions explain the data about as well as the best law: of the systems
            that were fitted to whole runs, or where that cannot be done of the structures visited and those a term or
            two away; empty where that was not looked at (older logs), and where clean data leave none.
        beside: per equation the first of them, as fitted alone; empty where only their number is known.
        gaps: per equation nats from the best system to the nearest one with another function there, however far; None
            where there is none. Empty where whole systems were not compared.
        changes: per equation when its law seems to change, as a sentence; empty where that is not seen.
        clean: whether the samples are clean: rivals are then what leaves as little of them, by no chance.
        shorter: per equation a law of fewer numbers that explains the samples as well and holds a term that a person
            removed, None without one; empty where no equation has one.
        strays: from how many of `loop.compare.STARTS` starts within the range of the data the simulation of the best
            system runs away; None where no law is at the noise, and in older logs.
        seconds: wall time by phase, for people only; no decision depends on it.
        machine: what computed it: versions, kernels of the linear algebra, SIMD extensions; empty in older logs.
    """

    number: int
    proposal: Proposal
    target: TargetInfo
    fits: tuple[SystemFit, ...]
    attempt: tuple[EquationFit | None, ...]
    evaluation: Evaluation
    verdicts: tuple[Verdict, ...]
    pardoned: tuple[TermKey, ...] = ()
    refined: tuple[EquationFit, ...] = ()
    trajectory: TrajectoryScore | None = None
    blind: tuple[EquationFit, ...] = ()
    rivals: tuple[int, ...] = ()
    beside: tuple[tuple[EquationFit, ...], ...] = ()
    gaps: tuple[float | None, ...] = ()
    clean: bool = False
    shorter: tuple[EquationFit | None, ...] = ()
    changes: tuple[str, ...] = ()
    strays: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    machine: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Override:
    """A person's word on one term, with what the machine and the numbers said at that moment."""

    key: TermKey
    choice: Choice
    reason: str = ""
    machine: Action | None = None
    semantic: Grade | None = None
    ablation: Ablation | None = None


@dataclass(frozen=True, slots=True)
class TermNote:
    """A term a person names, with the reason: a ban, a pin, or a proposal for the next iteration."""

    key: TermKey
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FamilyNote:
    """A kind of terms that a person bans, with the reason."""

    key: FamilyKey
    reason: str = ""


TAKEN: Final = "Taken from the rivals"
"""The reason of an equation, and of its terms, that a person took from those that explain the data about as well."""


@dataclass(frozen=True, slots=True)
class EquationNote:
    """A whole right-hand side that a person wants tried in the next iteration; text: as it was typed, if it was."""

    equation: int
    skeletons: tuple[Skeleton, ...]
    reason: str = ""
    text: str = field(default="", compare=False)

    @property
    def is_taken(self) -> bool:
        """Whether it is a rival that was taken, and not typed."""
        return self.reason == TAKEN


@dataclass(frozen=True, slots=True)
class VariableNote:
    """What a person says of a column: its unit and its meaning, by its own name."""

    name: str
    unit: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class AgentsNote:
    """Who proposes and grades from now on, as in `Start`; "models" without any: those of before wait to be chosen."""

    agents: str
    models: Models | None = None


IMPORTED: Final = "import"
"""Who said a word that came about by an import: nobody, and nobody takes it back."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a person did between two iterations; one entry, whole or not at all.

    Attributes:
        propose: terms for the next iteration; equations: whole right-hand sides for it.
        variables: what is said of single columns from now on; the others stay as they are.
        insight: the Scientist's understanding as the person corrected it; remark: the person's own, which no agent
            rewrites.
        budget: what the language models may use from now on.
        agents: who proposes and grades from now on.
    """

    by: str = "human"
    reason: str = ""
    overrides: tuple[Override, ...] = ()
    ban: tuple[TermNote, ...] = ()
    unban: tuple[TermKey, ...] = ()
    pin: tuple[TermNote, ...] = ()
    unpin: tuple[TermKey, ...] = ()
    propose: tuple[TermNote, ...] = ()
    equations: tuple[EquationNote, ...] = ()
    ban_families: tuple[FamilyNote, ...] = ()
    unban_families: tuple[FamilyKey, ...] = ()
    description: str | None = None
    variables: tuple[VariableNote, ...] = ()
    insight: str | None = None
    remark: str | None = None
    budget: Budget | None = None
    agents: AgentsNote | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """An iteration that could not be finished because an agent had no answer, and what was tried. Nothing changes."""

    reason: str
    calls: tuple[ModelCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Undo:
    """The last entry that still stands is taken back; it stays in the log, and so does what its calls have used."""

    by: str = "human"
    reason: str = ""


Standing: TypeAlias = Start | Iteration | Intervention | Pause
Entry: TypeAlias = Standing | Undo
