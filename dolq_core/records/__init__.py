"""Every frozen record that flows through the loop. Records hold; they do not compute.

Numbers are plain floats: `inf` for a fit that failed (with its reason beside it), None for a figure that
was not computed, never NaN. Terms are named by skeletons, the canonical text of `dolq_core.terms`, in safe
symbols; the names that a person sees are in `Variable`.
"""

from dolq_core.records.calls import Budget, ModelCall, ModelChoice, Models, Spent
from dolq_core.records.data import Dataset, Problem, Trajectory, Variable
from dolq_core.records.evidence import (
    Ablation,
    Action,
    Evaluation,
    Grade,
    Review,
    TermReview,
    TrajectoryScore,
    Verdict,
)
from dolq_core.records.log import Choice, Entry, Intervention, Iteration, Override, Pause, Start, TargetInfo, TermNote
from dolq_core.records.settings import Optimizer, Settings, TargetKind
from dolq_core.records.state import Author, Ban, Pin, RunState, Status, Structure, Visited, Wish
from dolq_core.records.terms import (
    Candidate,
    EquationFit,
    FittedTerm,
    Proposal,
    ProposedTerm,
    Refusal,
    Sampling,
    SystemFit,
    Term,
    TermKey,
)

__all__ = [
    "Ablation",
    "Action",
    "Author",
    "Ban",
    "Budget",
    "Candidate",
    "Choice",
    "Dataset",
    "Entry",
    "EquationFit",
    "Evaluation",
    "FittedTerm",
    "Grade",
    "Intervention",
    "Iteration",
    "ModelCall",
    "ModelChoice",
    "Models",
    "Optimizer",
    "Override",
    "Pause",
    "Pin",
    "Problem",
    "Proposal",
    "ProposedTerm",
    "Refusal",
    "Review",
    "RunState",
    "Sampling",
    "Settings",
    "Spent",
    "Start",
    "Status",
    "Structure",
    "SystemFit",
    "TargetInfo",
    "TargetKind",
    "Term",
    "TermKey",
    "TermNote",
    "TermReview",
    "Trajectory",
    "TrajectoryScore",
    "Variable",
    "Verdict",
    "Visited",
    "Wish",
]
