"""DoLQ discovers ordinary differential equations from trajectories, term by term, with a person in the loop.

    data + words
        |
        v
    sample  ->  fit  ->  evaluate  ->  decide  ->  a person reads, vetoes, edits
        ^                                                        |
        +--------------- keep / hold / remove, bans, pins <------+

`terms` is the language, `numerics` the arithmetic, `records` what flows, `loop` the method (one file per phase),
`agents` propose and grade, `store` keeps the log, `runs` is what the pages and the command line call, and `DoLQ` is the
same for a notebook: `DoLQ().fit(X, t).equations()`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dolq_core.errors import AgentError, DataError, DolqError, FitError, StoreError, TermError
from dolq_core.version import VERSION

if TYPE_CHECKING:
    from dolq_core.estimator import DoLQ
    from dolq_core.records import Dataset, Intervention, Override, Problem, Settings, TermKey, Trajectory, Variable
    from dolq_core.terms import ParsedTerm, Skeleton, parse_term

__version__ = VERSION
__all__ = [
    "AgentError", "DataError", "Dataset", "DoLQ", "DolqError", "FitError", "Intervention", "Override", "ParsedTerm",
    "Problem", "Settings", "Skeleton", "StoreError", "TermError", "TermKey", "Trajectory", "Variable", "parse_term",
]  # fmt: skip
_LATER = {
    "estimator": "DoLQ",
    "records": "Dataset Intervention Override Problem Settings TermKey Trajectory Variable",
    "terms": "ParsedTerm Skeleton parse_term",
}


def __getattr__(name: str) -> Any:
    """Load what needs NumPy only when it is asked for, so that `import dolq_core` and `--help` answer at once."""
    for room, names in _LATER.items():
        if name in names.split():
            return getattr(import_module(f"{__name__}.{room}"), name)
    raise AttributeError(f"module 'dolq_core' has no attribute {name!r}")
