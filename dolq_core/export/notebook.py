"""The law as a Jupyter notebook: data, equations, simulation, errors, the coefficients fitted again, and figures.

The notebook format 4.5 is JSON; it is written here without the libraries of Jupyter, which only a reader needs.
"""

import json
import re
from typing import Any

from dolq_core.export.expressions import about, identifiers, one_line, program_parts
from dolq_core.export.latex import system
from dolq_core.export.law import Law, measured_runs
from dolq_core.export.python import RESERVED, SYNTAX, quoted, special
from dolq_core.export.templates import render
from dolq_core.records import derivative
from dolq_core.terms import to_code, to_text

_CELL = re.compile(r"^# %%( \[markdown\])?\n", re.MULTILINE)
"""Begins a cell of the template; nothing of a run can: markdown is escaped, and in code texts are quoted."""


def notebook(law: Law) -> str:
    """Return the notebook as JSON; it runs from top to bottom with NumPy, SciPy and Matplotlib."""
    weighed = any(run.counts is not None for run in law.runs)
    parts = program_parts(law, RESERVED | {"p"}, "#", quoted)
    text = render(
        "notebook.py.j2",
        **{**parts, **_parameters(law)},
        special=special(parts["used"]),
        title=escaped(one_line(law.title)),
        said=_said(law),
        system=system(law.fits, law.names, 3, law.digits, law.refused),
        runs=measured_runs(law),
        weighed=weighed,
        measured="counted" if weighed else "x",
    )
    _, *parts = _CELL.split(text)
    cells = [_cell(k, kind, source) for k, (kind, source) in enumerate(zip(parts[::2], parts[1::2], strict=True), 1)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


def _cell(number: int, kind: str | None, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"id": f"cell-{number}", "cell_type": "markdown" if kind else "code"}
    rest: dict[str, Any] = {"metadata": {}} if kind else {"execution_count": None, "metadata": {}, "outputs": []}
    return {**cell, **rest, "source": source.strip("\n").splitlines(keepends=True)}


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it stands: no markup, no formula, no HTML."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def _said(law: Law) -> str:
    said = about(law, identifiers(law.names, RESERVED))
    paragraphs = "\n".join(said).split("\n\n")
    return "\n\n".join("  \n".join(escaped(line) for line in part.splitlines()) for part in paragraphs)


def _parameters(law: Law) -> dict[str, Any]:
    """Return every fitted number with its name, and the equations in which `p` holds them."""
    symbols = identifiers(law.names, RESERVED | {"p"})
    names: list[str] = []
    values: list[float] = []
    sums: list[tuple[str, list[str]]] = []
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        parts: list[str] = []
        for term in fit.terms:
            place = len(values)
            text = to_code(term.skeleton, (), symbols, SYNTAX, lambda k, place=place: f"p[{place + 1 + k}]")
            parts.append(f"p[{place}]" if term.skeleton == "1" else f"p[{place}] * {text}")
            words = f"{to_text(term.skeleton, law.names)} in {derivative(column.name)}"
            names += map(one_line, [words, *(f"number {k} inside {words}" for k in range(1, len(term.inner) + 1))])
            values += [term.coefficient, *term.inner]
        sums.append((one_line(law.rate(fit.equation)), parts))
    return {"equations": sums, "reported": values, "parameters": names}
