"""The law as a fitted model of PySINDy, with the library of its own terms."""

from typing import Any

import numpy as np

from dolq_core.export.expressions import program_parts
from dolq_core.export.law import Law
from dolq_core.export.python import RESERVED, SYNTAX, quoted, special
from dolq_core.export.templates import render
from dolq_core.terms import Skeleton, to_code

_POINTS = 20
"""Samples that the model is shown, so that PySINDy counts it as fitted."""


def pysindy(law: Law) -> str:
    """Return a script with `model`, a `pysindy.SINDy`; the time is one of its inputs where it stands in a term."""
    parts = program_parts(law, RESERVED | {"ps", "model", "library"}, "#", quoted)
    parts["inputs"] += ["t"] if parts["uses_time"] else []
    names = parts["states"] + parts["inputs"]
    symbols = dict(zip(law.names.symbols, names, strict=False))
    own = list(dict.fromkeys((term.skeleton, term.inner) for term in law.terms)) or [(Skeleton("1"), ())]
    texts = [to_code(skeleton, inner, symbols, SYNTAX) for skeleton, inner in own]
    at = {term: k for k, term in enumerate(own)}
    matrix = np.zeros((len(law.fits), len(own)))
    for j, fit in enumerate(law.fits):
        for term in fit.terms:
            matrix[j, at[term.skeleton, term.inner]] = term.coefficient
    rows = np.concatenate([np.column_stack((run.x, run.inputs, run.t))[:, : len(names)] for run in law.runs])
    rows = rows[np.isfinite(rows).all(axis=1)]
    rows = rows[:: max(1, len(rows) // _POINTS)]
    more: dict[str, Any] = {"terms": texts, "matrix": matrix.tolist(), "points": rows.tolist()}
    return render("pysindy.py.j2", **parts, **more, special=special(parts["used"]), arguments=", ".join(names))
