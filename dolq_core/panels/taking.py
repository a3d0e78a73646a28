"""What a person takes along: the system to paste elsewhere, the simulated curves as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dolq_core.export import latex
from dolq_core.export.law import Law
from dolq_core.export.python import function
from dolq_core.export.tables import Cell, written
from dolq_core.export.text import text
from dolq_core.panels.curves import Curve
from dolq_core.records import Dataset


@dataclass(frozen=True, slots=True)
class Copies:
    """The system to paste; `latex` and `python` are empty while an equation is missing."""

    latex: str
    text: str
    python: str


def copies(law: Law | None, document: dict[str, Any]) -> Copies:
    """Return the reported system as LaTeX and Python, and the result document as text; without a law the text alone."""
    if law is None:
        return Copies("", text(document), "")
    return Copies(latex.system(law.fits, law.names), text(document), function(law))


def table(curves: Sequence[Curve], dataset: Dataset) -> str:
    """Return CSV: run (where there are several), time, every state as measured and as simulated; empty where unknown.

    The model is the one that is drawn: where a part of a run is held out, it has not seen that part.
    """
    several = len(curves) > 1
    titles = [title for state in dataset.states for title in (state.name, f"{state.name} (model)")]
    rows: list[Sequence[Cell]] = [[*(["run"] if several else []), dataset.time.name, *titles]]
    for number, curve in enumerate(curves, 1):
        model = np.full_like(curve.data, np.nan)
        if curve.model is not None:
            model = curve.model[np.searchsorted(curve.model_t, curve.t)]
        both = np.stack((curve.data, model), axis=2).reshape(len(curve.t), -1)
        named = [curve.label or number] if several else []
        rows += [[*named, t, *values] for t, values in zip(curve.t.tolist(), both.tolist(), strict=True)]
    return written(rows)
