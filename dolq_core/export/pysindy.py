"""The law as a fitted model of PySINDy, with the library of its own terms."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.export.expressions import program_parts
from dolq_core.export.law import Law
from dolq_core.export.python import RESERVED, SYNTAX, quoted, special
from dolq_core.export.templates import render
from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton, to_code

_POINTS = 20
"""Samples that the model is shown, so that PySINDy counts it as fitted."""


def library(fits: Sequence[EquationFit]) -> tuple[list[tuple[Skeleton, tuple[float, ...]]], Floats]:
    """Return the terms of a law, each once with its inner numbers, and their coefficients (equations, terms)."""
    own = list(dict.fromkeys((term.skeleton, term.inner) for fit in fits for term in fit.terms))
    own = own or [(Skeleton("1"), ())]
    matrix = np.zeros((len(fits), len(own)))
    for row, fit in zip(matrix, fits, strict=True):
        for term in fit.terms:
            row[own.index((term.skeleton, term.inner))] = term.coefficient
    return own, matrix


def pysindy(law: Law) -> str:
    """Return a script with `model`, a `pysindy.SINDy`; the time is one of its inputs where it stands in a term."""
    parts = program_parts(law, RESERVED | {"ps", "model", "library"}, "#", quoted)
    parts["inputs"] += ["t"] if parts["uses_time"] else []
    names = parts["states"] + parts["inputs"]
    symbols = dict(zip(law.names.symbols, names, strict=False))
    own, matrix = library(law.fits)
    texts = [to_code(skeleton, inner, symbols, SYNTAX) for skeleton, inner in own]
    rows = np.concatenate([np.column_stack((run.x, run.inputs, run.t))[:, : len(names)] for run in law.runs])
    rows = rows[np.isfinite(rows).all(axis=1)]
    rows = rows[:: max(1, len(rows) // _POINTS)]
    more: dict[str, Any] = {"terms": texts, "matrix": matrix.tolist(), "points": rows.tolist()}
    return render("pysindy.py.j2", **parts, **more, special=special(parts["used"]), arguments=", ".join(names))
