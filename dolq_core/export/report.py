"""A run as one HTML page that needs nothing else: words, equations, figures that answer the pointer, reasons."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import isfinite, log10
from typing import Any

from dolq_core.arrays import Floats
from dolq_core.export import mathml
from dolq_core.export.figures import COLOURS, Figure, picture, thinned
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.records import STANDS, FittedTerm


def report(law: Law, document: dict[str, Any], figures: Sequence[Figure]) -> str:
    """Return the page; document: the result document, for what was decided and said.

    Its policy lets a browser run the page's own script alone and load nothing, whatever the words of a run hold.
    """
    script = render("report.js")
    data = json.dumps([_run(figure) for figure in figures], allow_nan=False).replace("<", "\\u003c")
    return render(
        "report.html",
        law=law, document=document, figures=figures, colours=COLOURS,
        script=script, script_hash=b64encode(sha256(script.encode()).digest()).decode(), data=data,
        equations=mathml.system(law.fits, law.names),
        statuses=[
            (column.name, STANDS[status], reason)
            for column, (status, reason) in zip(law.dataset.states, law.statuses, strict=True)
        ],
        held_out=any(figure.held_from is not None for figure in figures),
        pictures=[
            (column.title, picture(figures, state, column.name, law.dataset.time.title))
            for state, column in enumerate(law.dataset.states)
        ],
        terms=list(_terms(law, document)),
        columns=list(_columns(law)),
        bans=[(b["equation"], b.get("term") or b.get("family", ""), b["by"], b["reason"]) for b in document["bans"]],
        made=_made(document),
    )  # fmt: skip


def _terms(law: Law, document: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        said = {one["skeleton"]: one for one in document["equations"][column.name]["terms"]}
        for one in fit.terms:
            verdict = said.get(one.skeleton, {})
            body = mathml.term(one.skeleton, law.names, one.inner)
            decided = verdict.get("last_action") or "not graded", verdict.get("reason", "")
            yield column.name, body, *_numbers(one), *decided


def _numbers(one: FittedTerm) -> tuple[str, str]:
    value, error = one.coefficient, one.std_error
    if error is None:
        return _number(value), "not known"
    bears = int(log10(abs(value) / error)) + 2 if 0.0 < error < abs(value) else 2  # what the error leaves of it
    low, high = (_number(value + side * 1.96 * error, min(bears, 8)) for side in (-1.0, 1.0))
    return f"{_number(value, min(bears, 8))} ± {_number(error, 2)}", f"{low} to {high}"


def _number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}g}".replace("-", "\N{MINUS SIGN}")


def _columns(law: Law) -> Iterator[tuple[str, ...]]:
    kinds = ["time", *("state" for _ in law.dataset.states), *("input" for _ in law.dataset.inputs)]
    for kind, column in zip(kinds, (law.dataset.time, *law.variables), strict=True):
        yield column.name, kind, column.unit, column.meaning


def _made(document: dict[str, Any]) -> list[tuple[str, Any]]:
    who = "language models" if document["models"] else "the built-in agents, which are rules and no language model"
    return [
        ("Proposed and graded by", who),
        ("Iterations, seed", f"{document['iterations']}, {document['seed']}"),
        *document["versions"].items(),
        *((f"setting: {name}", value) for name, value in document["settings"].items()),
    ]


def _run(figure: Figure) -> dict[str, Any]:
    """Return what the script needs of a run: what is drawn, by state."""
    some = thinned(figure)
    return {
        "label": figure.label,
        "t": figure.t[some].tolist(),
        "data": [_plain(column) for column in figure.data[some].T],
        "model_t": figure.model_t.tolist(),
        "model": None if figure.model is None else [_plain(column) for column in figure.model.T],
    }


def _plain(values: Floats) -> list[float | None]:
    return [float(f"{value:.6g}") if isfinite(value) else None for value in values.tolist()]
