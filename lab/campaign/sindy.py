"""PySINDy on the same data, as a baseline that anybody can install: `pip install 'dolq[sindy]'`.

    library       products of the states up to degree 3, sine and cosine of each, and these times each state
    derivative    finite differences; smoothed ones (Savitzky-Golay, its default) where the data have noise
    optimizer     STLSQ; of the laws of all thresholds, the sparsest whose simulation is at most ten times as far from
                  the data as that of the best

It gets neither words nor names. Its coefficients are used as they are.
"""

import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.laws import Law, law_of_texts, simulated
from dolq_core.numerics.metrics import nmse
from dolq_core.records import Dataset, Entry
from lab.campaign.laws import names_of
from lab.campaign.records import CampaignError, Case, Result, Task
from lab.campaign.scores import nmse_test, scores
from lab.campaign.sindy_best import best_law
from lab.campaign.tasks import anonymous, problem_of, task_id
from lab.campaign.term_test import term_test

THRESHOLDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
GOOD_ENOUGH = 10.0


def run_sindy(task: Task, _: list[Entry]) -> Result:
    """Fit a task's data with PySINDy and score what it found; raise CampaignError where it is not installed.

    It has no loop, and so no log.
    """
    pysindy = _installed()
    case = anonymous(task.case)
    texts = _found(pysindy, case, problem_of(task).dataset, smooth=bool(task.noise or task.sigma))
    return _result(task, case, texts)


def run_sindy_best(task: Task, _: list[Entry]) -> Result:
    """Do the same with the best of its documented settings (`lab/campaign/sindy_best.py`)."""
    _installed()
    return _result(task, anonymous(task.case), texts_of(*best_law(problem_of(task).dataset, task.suite)))


def _installed() -> Any:
    try:
        return import_module("pysindy")
    except ImportError:
        way_out = "Install it: pip install 'dolq[sindy]', wherever the runs are done."
        raise CampaignError("The baseline PySINDy", "it is not installed", way_out) from None


def _result(task: Task, case: Case, texts: list[str]) -> Result:
    law: Law = law_of_texts(texts, names_of(case))
    used = {name: version(name) for name in ("pysindy", "gurobipy") if find_spec(name)}
    if not case.equations:
        return Result(task_id(task), tuple(texts), versions=used)
    return Result(
        task=task_id(task),
        law=tuple(texts),
        scores=scores(case, law),
        nmse_test=nmse_test(case, law),
        term_test=term_test(case, law),
        exact=_is_exact(case, law),
        iterations=1,
        found_at=1 if nmse_test(case, law) else None,
        versions=used,
    )


def _is_exact(case: Case, law: Law) -> bool:
    true = law_of_texts(case.equations, names_of(case))
    return all({part[0] for part in one} == {part[0] for part in other} for one, other in zip(law, true, strict=True))


def _found(pysindy: Any, case: Case, dataset: Dataset, *, smooth: bool) -> list[str]:
    runs = [(run.t, run.x) for run in dataset.trajectories]
    laws: list[tuple[float, int, list[str]]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of thresholds that leave nothing over
        for threshold in THRESHOLDS:
            model = _fitted(pysindy, runs, threshold, smooth=smooth)
            texts = texts_of(model.coefficients(), model.get_feature_names())
            law = law_of_texts(texts, names_of(case))
            laws.append((_error(law, names_of(case).symbols, runs), sum(map(len, law)), texts))
    least = min(error for error, _, _ in laws)
    good = [(size, error, texts) for error, size, texts in laws if error <= GOOD_ENOUGH * least]
    return min(good)[2]


def _fitted(pysindy: Any, runs: Sequence[tuple[Floats, Floats]], threshold: float, *, smooth: bool) -> Any:
    waves = pysindy.FourierLibrary(n_frequencies=1)
    library = pysindy.PolynomialLibrary(degree=3) + waves + (pysindy.IdentityLibrary() * waves)
    rates = pysindy.SmoothedFiniteDifference() if smooth else pysindy.FiniteDifference(order=2)
    model = pysindy.SINDy(pysindy.STLSQ(threshold=threshold), library, rates)
    names = [f"x{j}" for j in range(len(runs[0][1][0]))]
    return model.fit([x for _, x in runs], t=[t for t, _ in runs], feature_names=names)


def _error(law: Law, symbols: tuple[str, ...], runs: Sequence[tuple[Floats, Floats]]) -> float:
    """Return the NMSE of the simulations from each run's first sample, the worst state; infinite where one fails."""
    pairs = [(simulated(law, symbols, t, x), x) for t, x in runs]
    return max(nmse(path[:, j], x[:, j]) for path, x in pairs for j in range(len(symbols)))


def texts_of(coefficients: Floats, features: Sequence[str]) -> list[str]:
    """Return each equation (rows of `coefficients`) in the language of terms, in full precision."""
    terms = [as_term(feature) for feature in features]
    rows: list[list[float]] = np.array(coefficients, dtype=np.float64).tolist()
    sums = [
        " + ".join(f"{value!r}*{term}" for value, term in zip(row, terms, strict=True) if value != 0.0) for row in rows
    ]
    return [text or "0" for text in sums]


def as_term(feature: str) -> str:
    """Return PySINDy's name of a feature as a term: 'x0^2 x1' is x0**2*x1, 'x0 sin(1 x1)' is x0*sin(1*x1)."""
    return feature.strip().replace("^", "**").replace(" ", "*")
