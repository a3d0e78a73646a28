"""One law under many conditions: the structure is the same for all runs, some constants differ from run to run."""

from dolq_core.conditions.comparison import Comparison, Constant, Ratio, compare
from dolq_core.conditions.following import Followed
from dolq_core.conditions.words import against, lines, ratios, rows, verdict

__all__ = ["Comparison", "Constant", "Followed", "Ratio", "against", "compare", "lines", "ratios", "rows", "verdict"]
