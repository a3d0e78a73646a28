"""Found against true: which terms were found, missed and made up, and both laws simulated past the data."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dolq_core import runs
from dolq_core.bundled import PAPER_SYSTEMS, generate
from dolq_core.fitting import names_of
from dolq_core.laws import as_law, compared, law_of_fits, law_of_texts, simulated
from dolq_core.lessons.format import Lesson
from dolq_core.lessons.problems import origin, true_texts
from dolq_core.numerics.metrics import nmse
from dolq_core.records import EquationFit
from dolq_core.terms import Names, Skeleton, to_latex
from dolq_core.views.trajectories import Curve

POINTS = 200
STARTS = ("start of the data", "other start")


@dataclass(frozen=True, slots=True)
class TruthRow:
    """One equation, its terms as LaTeX: right: found and true; missed: true, not found; wrong: found, not true."""

    name: str
    right: tuple[str, ...]
    missed: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """A law beside the true one.

    Attributes:
        precision: share of the found terms that are true; recall: share of the true terms that were found.
        curves: the true law as data and the found one as model, over twice the time of the data, from two starts; empty
            where the truth is written by hand, and so without the paper's starts.
    """

    rows: tuple[TruthRow, ...]
    precision: float
    recall: float
    curves: tuple[Curve, ...]


def beside_truth(lesson: Lesson, name: str, run: runs.Run) -> Truth | None:
    """Compare the best law of a run with the true one; None before there is a law, or where the truth is not known."""
    texts = true_texts(lesson, name)
    fits = [visited.reported for visited in run.state.best if visited is not None]
    if not texts or len(fits) < len(texts):
        return None
    names = names_of(run.state.problem.dataset)
    true = [[term for term, *_ in equation] for equation in law_of_texts(texts, names)]
    found = [[as_law(term, names) for term in fit.terms] for fit in fits]
    states = run.state.problem.dataset.states
    rows = [_row(states[j].name, found[j], true[j], names) for j in range(len(states))]
    right = sum(len(row.right) for row in rows)
    return Truth(
        tuple(rows),
        right / max(1, sum(map(len, found))),
        right / max(1, sum(map(len, true))),
        _ahead(lesson, name, fits, names),
    )


def _row(name: str, found: Sequence[Skeleton], true: Sequence[Skeleton], names: Names) -> TruthRow:
    missed, wrong = compared(found, true)
    right = [term for term in found if term not in wrong]
    shown = [tuple(to_latex(term, names) for term in terms) for terms in (right, missed, wrong)]
    return TruthRow(name, shown[0], shown[1], shown[2])


def _ahead(lesson: Lesson, name: str, fits: Sequence[EquationFit], names: Names) -> tuple[Curve, ...]:
    system = next((one for one in PAPER_SYSTEMS if one.key == lesson.runs[origin(lesson, name)].data), None)
    if system is None or lesson.truth:
        return ()
    law = law_of_fits(fits)
    curves: list[Curve] = []
    for start, label in enumerate(STARTS):
        one = generate(system.id, start, "ext", POINTS).dataset.trajectories[0]
        model = simulated(law, names.symbols, one.t, one.x)
        curve = Curve(label, one.t, one.x, one.t, model if np.isfinite(model).all() else None)
        curves.append(replace(curve, nmse=_errors(one.x, curve.model)))
    return tuple(curves)


def _errors(true: np.ndarray, model: np.ndarray | None) -> tuple[float | None, ...]:
    if model is None:
        return tuple(None for _ in true.T)
    return tuple(float(nmse(a, b)) for a, b in zip(true.T, model.T, strict=True))
