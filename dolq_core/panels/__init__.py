"""What a person sees of a state: rows, curves and lists, made from records. Nothing here changes a run."""

from dolq_core.panels.bans import BanRow, bans
from dolq_core.panels.correlation import Correlation
from dolq_core.panels.curves import Curve, Field, curves, field
from dolq_core.panels.equations import BestTerm, Panel, Row, panels
from dolq_core.panels.timeline import Mark, Point, Track, convergence, marks, tracks
from dolq_core.panels.trial import Trial, trial

__all__ = [
    "BanRow",
    "BestTerm",
    "Correlation",
    "Curve",
    "Field",
    "Mark",
    "Panel",
    "Point",
    "Row",
    "Track",
    "Trial",
    "bans",
    "convergence",
    "curves",
    "field",
    "marks",
    "panels",
    "tracks",
    "trial",
]
