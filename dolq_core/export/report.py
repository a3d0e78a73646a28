"""A run as one HTML page that needs nothing else: words, equations, figures that answer the pointer, reasons."""

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from typing import Any, Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.bans import WHO
from dolq_core.export import mathml
from dolq_core.export.latex import RAISED, as_printed, borne
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.fitting.provenance import given_words, prepared_words
from dolq_core.records import STANDS, TermKey

MOST_POINTS: Final = 1500
"""Samples of a run that a picture shows; of more, every second or third ... is drawn."""
COLOURS: Final = 5
WIDTH, HEIGHT = 760, 250
LEFT, RIGHT, TOP, BOTTOM = 62, WIDTH - 12, 12, HEIGHT - 40

Scale: TypeAlias = Callable[[float], float]
"""From a value to its place on the page."""


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One run as it is drawn.

    Attributes:
        t, data: (n,), (n, d) as measured, NaN where a cell was missing.
        model_t, model: (m,), (m, d) the law; None where it could not be followed, and `failure` says why.
        held_from: the time from which the run is held out; None when it is not.
    """

    label: str
    t: Floats
    data: Floats
    model_t: Floats
    model: Floats | None
    held_from: float | None = None
    failure: str = ""


def thinned(figure: Figure) -> slice:
    """Return which samples are drawn."""
    return slice(None, None, max(1, -(-len(figure.t) // MOST_POINTS)))


def picture(figures: Sequence[Figure], state: int, name: str, time: str) -> str:
    """Return one state of all runs over time: circles are data, lines the law, grey what no fit has seen."""
    across = _limits([figure.t for figure in figures], 0.0)
    values = [one[:, state] for f in figures for one in (f.data, f.model) if one is not None]
    up = _limits(values, 0.06)
    x, y = _scale(across, LEFT, RIGHT), _scale(up, BOTTOM, TOP)
    return render(
        "figure.svg",
        width=WIDTH, height=HEIGHT, left=LEFT, right=RIGHT, top=TOP, bottom=BOTTOM, colours=COLOURS,
        name=name, time=time, state=state, extent=" ".join(f"{value:.6g}" for value in (*across, *up)),
        x_ticks=labelled(ticks(*across, 8), x), y_ticks=labelled(ticks(*up, 5), y),
        runs=[_drawn(figure, state, x, y) for figure in figures],
    )  # fmt: skip


def _limits(arrays: Sequence[Floats], margin: float) -> tuple[float, float]:
    values = np.concatenate([array[np.isfinite(array)] for array in arrays])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = margin * (high - low) or (0.0 if high > low else 0.5 * abs(high) or 0.5)
    return low - room, high + room


def _scale(limits: tuple[float, float], begin: float, end: float) -> Scale:
    low, high = limits
    return lambda value: round(begin + (value - low) / (high - low) * (end - begin), 1)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round values between low and high: 1, 2 or 5 times a power of ten apart."""
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= most)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def labelled(marks: Sequence[float], scale: Scale) -> list[tuple[float, str]]:
    """Return places and labels, with the significant digits that tell neighbouring marks apart."""
    apart = min((b - a for a, b in zip(marks, marks[1:], strict=False)), default=0.0)
    largest = max(map(abs, marks), default=0.0)
    digits = min(15, math.ceil(math.log10(largest / apart)) + 1) if 0.0 < apart < largest else 3
    rounded = [(value, float(f"{value:.{digits}g}")) for value in marks]  # "200", where 1 digit alone is "2e+02"
    return [(scale(value), f"{shown:.{max(6, digits)}g}".replace("-", "\N{MINUS SIGN}")) for value, shown in rounded]


def _drawn(figure: Figure, state: int, x: Scale, y: Scale) -> dict[str, Any]:
    some, held = thinned(figure), None
    if figure.held_from is not None:
        begin = x(figure.held_from)
        held = begin, round(x(float(figure.t[-1])) - begin, 1)
    pairs = zip(figure.t[some].tolist(), figure.data[some, state].tolist(), strict=True)
    return {"held": held, "path": _path(figure, state, x, y), "dots": [(x(t), y(v)) for t, v in pairs if v == v]}


def _path(figure: Figure, state: int, x: Scale, y: Scale) -> str:
    """Return the line of the law, lifted where it has no value."""
    if figure.model is None:
        return ""
    steps: list[str] = []
    pen = "M"
    for t, value in zip(figure.model_t.tolist(), figure.model[:, state].tolist(), strict=True):
        if math.isfinite(value):
            steps.append(f"{pen}{x(t)} {y(value)}")
        pen = "L" if math.isfinite(value) else "M"
    return "".join(steps)


# --- the page --------------------------------------------------------------------------------------


Verdicts: TypeAlias = Mapping[TermKey, tuple[str, str]]
"""Of a term what was decided, and why."""


def report(law: Law, document: dict[str, Any], figures: Sequence[Figure], verdicts: Verdicts, answer: str = "") -> str:
    """Return the page; document: the result document, for what was said; verdicts: on terms, as the pages have them.

    answer: whether it fits, in words.

    Its policy lets a browser run the page's own script alone and load nothing, whatever the words of a run hold.
    """
    script = render("report.js")
    data = json.dumps([_run(figure) for figure in figures], allow_nan=False).replace("<", "\\u003c")
    return render(
        "report.html",
        law=law, document=document, figures=figures, answer=answer, colours=COLOURS,
        script=script, script_hash=b64encode(sha256(script.encode()).digest()).decode(), data=data,
        equations=mathml.system(as_printed(law.fits, law.digits), law.names, law.refused),
        statuses=[
            (column.name, STANDS[status], reason)
            for column, (status, reason) in zip(law.dataset.states, law.statuses, strict=True)
        ],
        held_out=any(figure.held_from is not None for figure in figures),
        pictures=[
            (column.title, picture(figures, state, column.name, law.dataset.time.title))
            for state, column in enumerate(law.dataset.states)
        ],
        terms=list(_terms(law, verdicts)),
        constants=list(_constants(document)),
        columns=list(_columns(law)),
        said=" ".join((*prepared_words(law.dataset), given_words(law.dataset).strip())).strip(),
        pins=[(one["equation"], one["term"], one["reason"]) for one in document["pins"]],
        bans=[
            (one["equation"], one.get("term") or one.get("family", ""), WHO[one["by"]], one["reason"])
            for one in document["bans"]
        ],
        made=_made(document),
    )  # fmt: skip


def _terms(law: Law, verdicts: Verdicts) -> Iterator[tuple[str, ...]]:
    for fit, printed, column in zip(law.fits, as_printed(law.fits, law.digits), law.dataset.states, strict=True):
        for one, shown in zip(fit.terms, printed.terms, strict=True):
            body = mathml.term(one.skeleton, law.names, shown.inner)
            decided = verdicts.get(TermKey(fit.equation, one.skeleton), ("not graded", ""))
            yield column.name, body, *_numbers(one.coefficient, one.std_error), *decided
            for k, inside in enumerate(one.inside, start=1):
                yield "", f"<i>p</i><sub>{k}</sub> in it", *_numbers(*inside), "", ""


def _constants(document: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for one in document["constants"]:
        places = ", ".join(place["text"] for place in one["places"])
        yield places, *_numbers(one["value"], one["standard_error"]), one["unit"], one["why"]


def _numbers(value: float, error: float | None) -> tuple[str, str]:
    if error is None:
        return _number(value), "not known"
    digits = borne(value, error)
    low, high = (_number(value + side * 1.96 * error, digits) for side in (-1.0, 1.0))
    doubt = _number(error, 2)
    doubt = f"({doubt})" if "×" in doubt and error > abs(value) else doubt  # its power is its own
    return f"{_number(value, digits)} ± {doubt}", f"{low} to {high}"


def _number(value: float, digits: int = 4) -> str:
    mantissa, by, power = f"{value:.{digits}g}".partition("e")
    raised = "×10" + str(int(power)).translate(RAISED) if by else ""
    return mantissa.replace("-", "\N{MINUS SIGN}") + raised


def _columns(law: Law) -> Iterator[tuple[str, ...]]:
    kinds = ["time", *("state" for _ in law.dataset.states), *("input" for _ in law.dataset.inputs)]
    for kind, column in zip(kinds, (law.dataset.time, *law.variables), strict=True):
        yield column.name, kind, column.unit, column.meaning


def _made(document: dict[str, Any]) -> list[tuple[str, Any]]:
    who = "language models" if document["models"] else "the built-in agents, which are rules and no language model"
    typed = [
        f"{term['text']} in the equation of {name}"
        for name, equation in document["equations"].items()
        for term in equation["terms"]
        if term["typed"]
    ]
    return [
        ("Proposed and graded by", who),
        *([("Typed by you", "; ".join(typed))] if typed else []),
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
