"""Every frozen record that flows through the loop. Records hold; they do not compute.

Numbers are plain floats: `inf` for a fit that failed (with its reason beside it), None for a figure that
was not computed, never NaN. Terms are named by skeletons, the canonical text of `dolq_core.terms`, in safe
symbols; the names that a person sees are in `Variable`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from dolq_core.arrays import Floats, same
from dolq_core.terms import Skeleton

Grade: TypeAlias = Literal["good", "neutral", "bad"]
Action: TypeAlias = Literal["keep", "hold", "remove"]
Choice: TypeAlias = Literal["keep", "hold", "remove", "pin"]
Author: TypeAlias = Literal["human", "scientist", "numbers"]
Status: TypeAlias = Literal["settled", "provisional", "none"]
TargetKind: TypeAlias = Literal["auto", "weak", "spline", "savgol", "gradient"]
Optimizer: TypeAlias = Literal["linear", "bfgs", "de", "hybrid", "best of three"]


# --- what is measured -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """A column: its own name, the safe symbol that stands for it in terms, its unit and its meaning."""

    name: str
    symbol: str
    unit: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """One run: n samples of d states.

    Attributes:
        t: (n,) strictly increasing times, in the unit of `Dataset.time`.
        x: (n, d) states; NaN where a cell was missing.
        inputs: (n, u) known inputs, or None.
        label: the run's own name.
    """

    t: Floats
    x: Floats
    inputs: Floats | None = None
    label: str = ""

    def __eq__(self, other: object) -> bool:
        """Equal labels and equal arrays (NaN equals NaN)."""
        if not isinstance(other, Trajectory):
            return NotImplemented
        arrays = same(self.t, other.t) and same(self.x, other.x) and same(self.inputs, other.inputs)
        return arrays and self.label == other.label


@dataclass(frozen=True, slots=True)
class Dataset:
    """Trajectories of one system and what their columns are."""

    name: str
    time: Variable
    states: tuple[Variable, ...]
    trajectories: tuple[Trajectory, ...]
    inputs: tuple[Variable, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A data set and what the person says of it. `version` counts the person's edits of the words."""

    dataset: Dataset
    description: str = ""
    version: int = 1


# --- the knobs --------------------------------------------------------------------------------------


def _knob(default: Any, source: str) -> Any:
    return field(default=default, metadata={"source": source})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every knob of the loop; `Settings.source(name)` says where the default comes from."""

    iterations: int = _knob(10, "enough for all systems measured with the built-in agents")
    hypotheses: int = _knob(3, "paper, appendix: hypotheses per iteration")
    max_terms: int = _knob(10, "paper, appendix: terms per equation")
    max_params: int = _knob(8, "paper, Table 6: parameters per term")
    max_good: int = _knob(3, "paper, Scientist prompt: at most 3 good per equation")
    max_holds: int = _knob(2, "paper, decision table of the appendix")
    strikes: Literal["evidence", "paper"] = _knob("evidence", "docs/decisions/001")
    ablation: Literal["refit", "paper"] = _knob("refit", "docs/decisions/002")
    ablation_threshold: float = _knob(0.05, "paper, Algorithm 1: delta")
    best_by: Literal["score", "mse"] = _knob("score", "docs/decisions/003")
    forget_probability: float = _knob(0.01, "paper, Table 6")
    target: TargetKind = _knob("auto", "docs/decisions/004")
    optimizer: Optimizer = _knob("linear", "docs/decisions/005")
    held_out: float = _knob(0.2, "docs/decisions/006; share of each run at its end that no fit sees")
    time_limit_s: float = _knob(240.0, "paper, Table 6: per iteration; only stops, never decides")
    patience: int = _knob(3, "iterations without a better equation before auto mode stops")

    @classmethod
    def paper(cls) -> "Settings":
        """Return the configuration of the paper where it differs from ours."""
        return cls(
            iterations=100,
            strikes="paper",
            ablation="paper",
            best_by="mse",
            target="gradient",
            optimizer="best of three",
            held_out=0.0,  # "on the given training trajectory rather than on a separate validation set"
            patience=100,
        )

    @classmethod
    def source(cls, name: str) -> str:
        """Return where the default of the knob `name` comes from."""
        return next(f.metadata["source"] for f in fields(cls) if f.name == name)


# --- terms, proposals, fits -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class TermKey:
    """The identity of a term across iterations: never a position, never a text as it was typed."""

    equation: int
    skeleton: Skeleton


@dataclass(frozen=True, slots=True)
class ProposedTerm:
    """A term as a Sampler wrote it: text in own names or symbols, with its reason."""

    text: str
    reason: str = ""
    family: str = ""
    source: str = "builtin"


@dataclass(frozen=True, slots=True)
class Sampling:
    """A Sampler's answer: hypotheses[h][equation] is a list of proposed terms."""

    hypotheses: tuple[tuple[tuple[ProposedTerm, ...], ...], ...]
    calls: tuple["ModelCall", ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A proposed term that was read: its skeleton, why it is there and where it came from."""

    skeleton: Skeleton
    reason: str = ""
    family: str = ""
    source: str = "builtin"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A term or a hypothesis that was not taken, and why. equation is None for a whole hypothesis."""

    hypothesis: int
    equation: int | None
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hypothesis for the whole system: terms[equation]."""

    hypothesis: int
    terms: tuple[tuple[Term, ...], ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the phase `sample` lets through, and what it refused."""

    candidates: tuple[Candidate, ...]
    refused: tuple[Refusal, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class FittedTerm:
    """A skeleton with numbers: outer coefficient, its standard error, inner parameters in order."""

    skeleton: Skeleton
    coefficient: float
    std_error: float | None = None
    inner: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class EquationFit:
    """Coefficients for one structure of one equation.

    Attributes:
        mse: residual mean squared error against the target (paper, eq. 2); inf when the fit failed.
        nmse: `mse` over the variance of the target.
        cv_nmse: the same on blocks of the data that were left out of the fit, all blocks together.
        held_out: the same on the held-out part of the data, which no fit and no search has seen; None without one.
        floor_ratio: root of `mse` over the error that the target itself has; about 1 at the noise floor.
        score: what `best_by="score"` minimises: description length in nats, see `dolq_core.fitting`.
        failure: why there are no coefficients; empty when the fit succeeded.
        duplicate: answered from the archive, not fitted again.
        note: what to know of the numbers: a term that the data cannot tell from the others has the coefficient 0.
    """

    equation: int
    terms: tuple[FittedTerm, ...]
    mse: float
    nmse: float
    cv_nmse: float
    floor_ratio: float
    score: float
    strategy: str = "least squares"
    failure: str = ""
    duplicate: bool = False
    held_out: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SystemFit:
    """The fits of one candidate, one per equation."""

    hypothesis: int
    equations: tuple[EquationFit, ...]


# --- evidence, words, verdicts ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ablation:
    """What happens to the error without a term: both figures, and the grade by the rule in force.

    Attributes:
        zeroed: relative change of the residual MSE with the coefficient set to zero (paper, Algorithm 1).
        refitted: error on left-out blocks without the term over that with it, the rest fitted again and pruned.
        grade: good when the fit needs the term, bad when it is better without, neutral between.
    """

    key: TermKey
    zeroed: float
    refitted: float
    grade: Grade


@dataclass(frozen=True, slots=True)
class TermReview:
    """A Scientist's grade for one term and the reason a person can argue with."""

    key: TermKey
    grade: Grade
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """A Scientist's answer, matched to terms by skeleton; what did not match is in `notes`."""

    terms: tuple[TermReview, ...]
    insight: str = ""
    notes: tuple[str, ...] = ()
    calls: tuple["ModelCall", ...] = ()


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
    the runs, for coefficients that were fitted without it; empty without one.
    """

    nmse: tuple[float, ...]
    failure: str = ""
    held_out: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One attempt to reach a language model. The built-in agents make none."""

    role: str
    provider: str
    model: str
    prompt: str
    reply: str
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    error: str = ""


# --- the log ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """The first entry of every log."""

    problem: Problem
    settings: Settings
    seed: int = 0
    agents: str = "builtin"


@dataclass(frozen=True, slots=True)
class TargetInfo:
    """What the fits of an iteration aimed at, one figure per state.

    Attributes:
        kind: which estimate of the left-hand side, and `reason`: why that one, in plain words.
        floor: root-mean-square error that the estimate itself has, in the estimate's own unit.
        noise: standard deviation of the measurement noise, in the state's unit.
        null_score: the score of the structure without any term; a law worth claiming beats it.
    """

    kind: str
    reason: str
    floor: tuple[float, ...]
    noise: tuple[float, ...]
    null_score: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Iteration:
    """What the machine did in one iteration.

    Attributes:
        fits: one per candidate, in the order of the proposal.
        attempt: the current attempt: per equation the best fit among the candidates, None where all failed.
        refined: the best system so far with its coefficients fitted again: on trajectories where that improves
            it, and on all rows where some were held out or thinned (`strategy` says what was done); else empty.
        blind: what the held-out scores are measured on: the same system fitted again on trajectories without the
            held-out part; empty when nothing is held out or that did not improve it.
        trajectory: the best system so far, simulated with the coefficients that have not seen the held-out part;
            None when an equation has none.
        pardoned: soft bans that were forgotten at the start of this iteration (drawn at random, so recorded).
        seconds: wall time by phase, for people only; no decision depends on it.
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
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])


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
class Intervention:
    """What a person did between two iterations; one entry, whole or not at all. remark: their own insight."""

    by: str = "human"
    reason: str = ""
    overrides: tuple[Override, ...] = ()
    ban: tuple[TermNote, ...] = ()
    unban: tuple[TermKey, ...] = ()
    pin: tuple[TermNote, ...] = ()
    unpin: tuple[TermKey, ...] = ()
    propose: tuple[TermNote, ...] = ()
    description: str | None = None
    remark: str | None = None


Entry: TypeAlias = Start | Iteration | Intervention


# --- the state: a fold over the log -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ban:
    """A term that may not be proposed. Soft bans (by the machine) may be pardoned, human ones never."""

    key: TermKey
    by: Author
    since: int
    reason: str


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
        proposals: terms a person typed for the next iteration.
        reasons: the last reason given for each term that was ever proposed.
        wishes: the person's last choice per term.
        insight: what the Scientist has understood so far; `remark` is the person's own addition to it.
        since_better: iterations since any equation's best improved.
        last: the last iteration, None before the first.
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
    proposals: tuple[TermNote, ...] = ()
    reasons: Mapping[TermKey, str] = field(default_factory=dict[TermKey, str])
    wishes: Mapping[TermKey, Wish] = field(default_factory=dict[TermKey, Wish])
    insight: str = ""
    remark: str = ""
    since_better: int = 0
    last: Iteration | None = None
