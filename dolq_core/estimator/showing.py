"""What a notebook shows of a model: tables of terms, and the equations as HTML that needs no MathJax."""

import html
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from dolq_core import runs
from dolq_core.records import EquationFit
from dolq_core.views import terms as terms_view
from dolq_core.views.equations import panels
from dolq_core.views.summary import equations, result

_PLAIN = 'class="tex2jax_ignore mathjax_ignore"'
"""A dollar in the name of a column begins no formula."""


def terms(run: runs.Run, *, in_law: bool = True) -> pd.DataFrame:
    """Return the terms of the law with every grade, as the page Discover has them; or those of the attempt alone."""
    rows = [
        {"equation": panel.name, **asdict(row)}
        for panel in panels(run)
        for row in (panel.terms if in_law else panel.others)
    ]
    names = {"text": "term", "std_error": "standard_error", "refitted": "error_without", "nats": "nats_lost"}
    shown = (
        "equation", "term", "coefficient", "standard_error", "semantic", "evidence", "error_without",
        "nats_lost", "action",
        "strikes", "conflict", "choice", "pinned", "banned", "reason", "proposed_because",
    )  # fmt: skip
    return pd.DataFrame([{names.get(key, key): value for key, value in row.items()} for row in rows], columns=shown)


def coefficients(run: runs.Run) -> pd.DataFrame:
    """Return the terms of the best equations: coefficient, standard error, and the fitted numbers inside the term."""
    rows = [
        (panel.name, term.text, term.coefficient, term.std_error, inner, panel.status)
        for panel in panels(run)
        for term, inner in zip(panel.terms, _inner(panel.best), strict=True)
    ]
    head = ["equation", "term", "coefficient", "standard_error", "parameters", "status"]
    return pd.DataFrame(rows, columns=head)


def _inner(best: EquationFit | None) -> Sequence[tuple[float, ...]]:
    return [term.inner for term in best.terms] if best else []


def bans(run: runs.Run) -> pd.DataFrame:
    """Return the ban list."""
    rows = [(one.equation_name, one.text, one.by, one.since, one.reason) for one in terms_view.bans(run)]
    return pd.DataFrame(rows, columns=["equation", "term", "by", "since", "reason"])


def as_html(run: runs.Run) -> str:
    """Return the equations, where each stands, and its terms with their errors; all words of a person are escaped."""
    document = result(run)
    lines = equations(run)
    parts = [_equation(line, found) for line, found in zip(lines, document["equations"].values(), strict=True)]
    done = f"{document['dataset']}: {document['iterations']} iterations. {document['stopped']}".strip()
    return f"<div {_PLAIN}><p>{html.escape(done)}</p>{''.join(parts)}</div>"


def _equation(line: str, found: dict[str, Any]) -> str:
    rows = "".join(
        f"<tr><td><code>{html.escape(term['text'])}</code></td><td>{term['coefficient']:.6g}</td>"
        f"<td>{_error(term['standard_error'])}</td></tr>"
        for term in found["terms"]
    )
    head = "<thead><tr><th>term</th><th>coefficient</th><th>standard error</th></tr></thead>"
    table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else ""
    status = f"<b>{found['status']}</b>: {html.escape(found['reason'])}"
    return f"<p><code>{html.escape(line)}</code><br>{status}</p>{table}"


def _error(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2g}"
