"""What a person sees of a state: rows, curves and lists, made from records. Nothing here changes a run."""

from dolq_core.panels.account import Account, Judged, Refused, Sampled, Tried, account
from dolq_core.panels.anywhere import complete, path_from, rates_at
from dolq_core.panels.bans import BanRow, bans
from dolq_core.panels.comparison import Comparison, Difference, Pair, Side, compare, in_common
from dolq_core.panels.correlation import Correlation
from dolq_core.panels.curves import Curve, as_fitted, attempted, curves
from dolq_core.panels.described import Note, description_notes
from dolq_core.panels.equations import BestTerm, Panel, Row, panels
from dolq_core.panels.fitness import Aim, Check, Fitness, FitnessVerdict, fitness, unfit
from dolq_core.panels.flow import Field, Line, Rest, field, line
from dolq_core.panels.forecast import Forecast, forecast, own_start
from dolq_core.panels.helped import Answer
from dolq_core.panels.instead import Instead, instead
from dolq_core.panels.knobs import Knob, Moved, knobs, moved
from dolq_core.panels.law import law
from dolq_core.panels.rates import Rates, rates
from dolq_core.panels.residuals import Residuals, residuals
from dolq_core.panels.summary import Summary, summary
from dolq_core.panels.taking import Copies, copies, table
from dolq_core.panels.timeline import Mark, Point, Track, Usage, convergence, marks, tracks, usage
from dolq_core.panels.trial import Trial, equation_trial, trial
from dolq_core.panels.units import UnitBadge, unit_badge
from dolq_core.panels.versions import Piece, Subject, Version, differences, versions

__all__ = [
    "Account",
    "Aim",
    "Answer",
    "BanRow",
    "BestTerm",
    "Check",
    "Comparison",
    "Copies",
    "Correlation",
    "Curve",
    "Difference",
    "Field",
    "Fitness",
    "FitnessVerdict",
    "Forecast",
    "Instead",
    "Judged",
    "Knob",
    "Line",
    "Mark",
    "Moved",
    "Note",
    "Pair",
    "Panel",
    "Piece",
    "Point",
    "Rates",
    "Refused",
    "Residuals",
    "Rest",
    "Row",
    "Sampled",
    "Side",
    "Subject",
    "Summary",
    "Track",
    "Trial",
    "Tried",
    "UnitBadge",
    "Version",
    "account",
    "as_fitted",
    "attempted",
    "Subject",
    "Usage",
    "Version",
    "bans",
    "compare",
    "complete",
    "convergence",
    "copies",
    "curves",
    "description_notes",
    "differences",
    "equation_trial",
    "field",
    "fitness",
    "forecast",
    "in_common",
    "instead",
    "knobs",
    "law",
    "line",
    "marks",
    "moved",
    "own_start",
    "path_from",
    "panels",
    "rates",
    "rates_at",
    "residuals",
    "summary",
    "table",
    "tracks",
    "trial",
    "unfit",
    "unit_badge",
    "usage",
    "versions",
]
