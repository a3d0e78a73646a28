"""A run as one HTML page that needs nothing else: words, equations, figures that answer the pointer, reasons."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite, log10
from typing import Any

from dolq_core.arrays import Floats
from dolq_core.export import mathml
from dolq_core.export.figures import COLOURS, Figure, picture, thinned
from dolq_core.export.law import Law
from dolq_core.export.report_page import POLICY, SCRIPT, STYLE
from dolq_core.records import FittedTerm, Variable

STANDS = {"settled": "settled", "provisional": "provisional", "none": "no law is claimed"}


def shown(text: str) -> str:
    """Return a stranger's text for a page: no markup, and nothing that turns the direction of what follows."""
    return escape("".join(char if char.isprintable() or char == "\n" else " " for char in text))


def report(law: Law, document: dict[str, Any], figures: Sequence[Figure]) -> str:
    """Return the page; document: the result document, for what was decided and said."""
    parts = [
        f"<h1>{shown(law.title)}</h1>",
        f'<p class="muted">The system that DoLQ found in {shown(law.dataset.name)}, '
        f"after iteration {law.iteration}. {shown(document['stopped'])}</p>",
        f'<p class="said">{shown(law.problem.description)}</p>' if law.problem.description else "",
        f'<div class="equations" tabindex="0">{mathml.system(law.fits, law.names)}</div>',
        *_statuses(law, document),
        "<h2>Does it fit?</h2>",
        *_figures(law, figures),
        "<h2>Every term</h2>",
        _terms(law, document),
        *_insight(document),
        "<h2>The columns</h2>",
        _columns(law),
        *_bans(document),
        "<h2>How it was made</h2>",
        _made(document),
    ]
    data = json.dumps([_run(figure) for figure in figures], allow_nan=False).replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{shown(law.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f'\n</main>\n<script type="application/json" id="runs">{data}</script>\n<script>{SCRIPT}</script>\n'
        "</body>\n</html>\n"
    )


def _statuses(law: Law, document: dict[str, Any]) -> Iterator[str]:
    for column, (status, reason) in zip(law.dataset.states, law.statuses, strict=True):
        yield f"<p>Change of <b>{shown(column.name)}</b>: {STANDS[status]}. {shown(reason)}</p>"
    if document["conflict"]:
        yield f"<p><b>{shown(document['conflict'])}</b></p>"


def _figures(law: Law, figures: Sequence[Figure]) -> Iterator[str]:
    held = " Grey: held out; the line there has not seen it." if any(f.held_from is not None for f in figures) else ""
    yield f'<p class="muted">Circles: data. Lines: the law, from its own start.{held}</p>'
    for figure in figures:
        if figure.failure:
            yield f"<p>{shown(figure.label)}: {shown(figure.failure)}</p>"
    if len(figures) > 1:
        boxes = (
            f'<label class="c{k % COLOURS}"><input type="checkbox" value="{k}" checked autocomplete="off">'
            f'<span class="swatch"></span>{shown(figure.label)}</label>'
            for k, figure in enumerate(figures)
        )
        yield f'<fieldset class="runs" aria-label="Runs in the figures">{"".join(boxes)}</fieldset>'
    time = _with_unit(law.dataset.time)
    for state, column in enumerate(law.dataset.states):
        caption = f"<figcaption>{shown(_with_unit(column))}</figcaption>"
        drawn = picture(figures, state, column.name, time)
        yield f'<figure>{caption}<div tabindex="0">{drawn}</div><output></output></figure>'


def _with_unit(column: Variable) -> str:
    return f"{column.name} ({column.unit})" if column.unit else column.name


def _terms(law: Law, document: dict[str, Any]) -> str:
    heads = ("Change of", "Term", "Coefficient", "95 % interval", "Decided", "Why")
    rows: list[list[str]] = []
    for fit, column in zip(law.fits, law.dataset.states, strict=True):
        said = {one["skeleton"]: one for one in document["equations"][column.name]["terms"]}
        for one in fit.terms:
            verdict = said.get(one.skeleton, {})
            action, why = verdict.get("last_action") or "not graded", verdict.get("reason", "")
            body = mathml.term(one.skeleton, law.names, one.inner)
            rows.append([shown(column.name), body, *_numbers(one), shown(action), shown(why)])
    return _table(heads, rows, "table wide", numbers=(2, 3))


def _numbers(one: FittedTerm) -> tuple[str, str]:
    value, error = one.coefficient, one.std_error
    if error is None:
        return _number(value), "not known"
    bears = int(log10(abs(value) / error)) + 2 if 0.0 < error < abs(value) else 2  # what the error leaves of it
    low, high = (_number(value + side * 1.96 * error, min(bears, 8)) for side in (-1.0, 1.0))
    return f"{_number(value, min(bears, 8))} ± {_number(error, 2)}", f"{low} to {high}"


def _number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}g}".replace("-", "\N{MINUS SIGN}")


def _insight(document: dict[str, Any]) -> Iterator[str]:
    if document["insight"]:
        yield "<h2>What is understood</h2>"
        yield f'<p class="said">{shown(document["insight"])}</p>'


def _columns(law: Law) -> str:
    kinds = ["time", *("state" for _ in law.dataset.states), *("input" for _ in law.dataset.inputs)]
    rows = [
        [shown(column.name), kind, shown(column.unit), f'<span class="said">{shown(column.meaning)}</span>']
        for kind, column in zip(kinds, (law.dataset.time, *law.variables), strict=True)
    ]
    return _table(("Column", "Role", "Unit", "Meaning"), rows)


def _bans(document: dict[str, Any]) -> Iterator[str]:
    rows = [
        [
            shown(ban["equation"]),
            shown(ban.get("term") or ban.get("family", "")),
            shown(ban["by"]),
            shown(ban["reason"]),
        ]
        for ban in document["bans"]
    ]
    if rows:
        yield "<h2>What may not come back</h2>"
        yield _table(("Change of", "Term", "Banned by", "Why"), rows)


def _made(document: dict[str, Any]) -> str:
    models = document["models"]
    who = "language models" if models else "the built-in agents, which are rules and no language model"
    rows = [
        ["Proposed and graded by", who],
        ["Iterations, seed", f"{document['iterations']}, {document['seed']}"],
        *([name, str(value)] for name, value in document["versions"].items()),
        *([f"setting: {name}", str(value)] for name, value in document["settings"].items()),
    ]
    table = _table(("What", "Value"), [[shown(cell) for cell in row] for row in rows])
    return f"<details><summary>Agents, versions and settings</summary>{table}</details>"


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "table", numbers: Sequence[int] = ()
) -> str:
    """Return a table; the cells are HTML already."""
    head = "".join(f'<th scope="col">{shown(one)}</th>' for one in heads)
    lines = [
        "".join(f"<td{' class=number' if k in numbers else ''}>{cell}</td>" for k, cell in enumerate(row))
        for row in rows
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="{kind}" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _run(figure: Figure) -> dict[str, Any]:
    """What the script needs of a run: what is drawn, by state."""
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
