"""Every frozen record that flows through the loop. Records hold; they do not compute.

Numbers are plain floats: `inf` for a fit that failed (with its reason beside it), None for a figure that
was not computed, never NaN. Terms are named by skeletons, the canonical text of `dolq_core.terms`, in safe
symbols; the names that a person sees are in `Variable`.
"""

from dolq_core.records.blocks import Blocks, Bound, Course, EquationBlocks, Mirror, Sign, Tie
from dolq_core.records.calls import DECLINED, UNREAD, Budget, Look, Method, ModelCall, ModelChoice, Models, Spent
from dolq_core.records.data import (
    Dataset,
    Derived,
    Given,
    Preparation,
    Problem,
    Scaled,
    Trajectory,
    Variable,
    derivative,
)
from dolq_core.records.evidence import (
    MISSES,
    UNGRADED,
    Ablation,
    Action,
    Evaluation,
    Grade,
    Lift,
    Review,
    TermReview,
    TrajectoryScore,
    Verdict,
)
from dolq_core.records.log import (
    IMPORTED,
    TAKEN,
    AgentsNote,
    Choice,
    Entry,
    EquationNote,
    FamilyNote,
    Intervention,
    Iteration,
    Override,
    Pause,
    Standing,
    Start,
    TargetInfo,
    TermNote,
    Undo,
    VariableNote,
)
from dolq_core.records.settings import NoiseKind, Optimizer, Settings, TargetKind
from dolq_core.records.state import STANDS, Author, Ban, FamilyBan, Pin, RunState, Status, Structure, Visited, Wish
from dolq_core.records.terms import (
    AT_FLOOR,
    Candidate,
    EquationFit,
    FamilyKey,
    FittedTerm,
    Proposal,
    ProposedTerm,
    Refusal,
    Sampling,
    Stated,
    SystemFit,
    Term,
    TermKey,
    may_be_zero,
)

__all__ = [
    "AT_FLOOR", "DECLINED", "IMPORTED", "MISSES", "STANDS", "TAKEN", "UNGRADED", "UNREAD",
    "Ablation", "Action", "AgentsNote", "Author", "Ban", "Blocks",
    "Bound", "Budget", "Candidate", "Choice", "Course", "Dataset", "Derived", "Entry", "EquationBlocks", "EquationFit",
    "EquationNote", "Evaluation", "FamilyBan", "FamilyKey", "FamilyNote", "FittedTerm", "Given", "Grade",
    "Intervention", "Iteration", "Lift", "Look", "Method", "Mirror", "ModelCall", "ModelChoice", "Models", "NoiseKind",
    "Optimizer", "Override", "Pause", "Pin", "Preparation", "Problem", "Proposal", "ProposedTerm", "Refusal", "Review",
    "RunState", "Sampling", "Scaled", "Settings", "Sign", "Spent", "Standing", "Start", "Stated", "Status", "Structure",
    "SystemFit", "TargetInfo", "TargetKind", "Term", "TermKey", "TermNote", "TermReview", "Tie", "Trajectory",
    "TrajectoryScore", "Undo", "Variable", "VariableNote", "Verdict", "Visited", "Wish", "derivative",
    "may_be_zero",
]  # fmt: skip
