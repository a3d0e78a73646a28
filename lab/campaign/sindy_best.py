"""PySINDy with the best of its documented settings, chosen without the truth: `pip install 'dolq[sindy]'`.

    library       polynomials up to the degree of the published protocol, with a constant
    rows          the weak form; or rates by smoothed finite differences
    optimizer     STLSQ, its ensemble of 20 (bagging), SSR; and MIOSR where gurobipy is installed
    choice        each equation for itself: the least AICc in the weak form of the last third of each run, which no fit
                  has seen

Thresholds are shares of the rate's root mean square. The chosen terms are fitted again to the whole runs.
"""

import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.records import Dataset

THRESHOLDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
ENSEMBLE = 20
MOST_TERMS = 8
"""Terms of an equation that MIOSR and SSR go up to."""
WINDOWS = 400
"""Test functions of all runs together, for the fit; half as many for the choice."""
MOST_ROWS = 4000
"""Samples of the strong form that are kept, evenly spaced; their rates come from all."""
LIBRARIES = {"dysts": (4, False), "autosindy": (3, True)}
"""By the protocol that a suite's name begins with: degree, and whether sines and cosines come along; else DEFAULT."""
DEFAULT = (3, False)
HELD_OUT = 1 / 3
SEED = 0
_Named: TypeAlias = (
    tuple[Callable[[Any], Any], Callable[[str], str]] | tuple[Callable[[Any, Any], Any], Callable[[str, str], str]]
)
"""A function of one state or two, and its name from theirs."""


@dataclass(frozen=True, slots=True)
class Rows:
    """What is regressed: (n, p) features and (n, d) rates or their integrals."""

    features: Floats
    rates: Floats


def best_law(dataset: Dataset, suite: str) -> tuple[Floats, list[str]]:
    """Return (d, p) coefficients and the names of the p features, the states called x0, x1 ..."""
    pysindy: Any = import_module("pysindy")
    runs = [(run.t, run.x) for run in dataset.trajectories]
    cuts = [round(len(t) * (1 - HELD_OUT)) for t, _ in runs]
    first = [(t[:cut], x[:cut]) for (t, x), cut in zip(runs, cuts, strict=True)]
    last = [(t[cut:], x[cut:]) for (t, x), cut in zip(runs, cuts, strict=True)]
    library = _library(pysindy, *LIBRARIES.get(suite.partition(" ")[0], DEFAULT))
    with warnings.catch_warnings(), _seeded():
        warnings.simplefilter("ignore")  # of thresholds that leave nothing over, and of rows that are nearly dependent
        unseen = _weak(pysindy, library, last, WINDOWS // 2)
        kinds = [
            (_weak(pysindy, library, first, WINDOWS), _weak(pysindy, library, runs, WINDOWS)),
            (_strong(pysindy, library, first), _strong(pysindy, library, runs)),
        ]
        found = [chosen(pysindy, kinds, unseen, j) for j in range(unseen.rates.shape[1])]
    names = library.fit(runs[0][1]).get_feature_names([f"x{j}" for j in range(len(found))])
    return np.array(found), list(names)


@contextmanager
def _seeded() -> Generator[None]:
    """PySINDy draws test functions and bags from NumPy's own state: the same ones each time."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(SEED)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def _library(pysindy: Any, degree: int, waves: bool) -> Any:
    powers = pysindy.PolynomialLibrary(degree=degree, include_bias=True)
    if not waves:
        return powers
    turns = [*_turns(np.sin, "sin"), *_turns(np.cos, "cos")]
    return powers + pysindy.CustomLibrary([f for f, _ in turns], [name for _, name in turns])


def _turns(f: Callable[[Any], Any], name: str) -> Iterator[_Named]:
    """A function of each state, and its products with each, with names; PySINDy 2.1 has no weak form of such products.

    Of two states CustomLibrary takes each pair once.
    """
    yield lambda x: f(x), lambda x: f"{name}(1 {x})"
    yield lambda x: x * f(x), lambda x: f"{x} {name}(1 {x})"
    yield lambda x, y: x * f(y), lambda x, y: f"{x} {name}(1 {y})"
    yield lambda x, y: y * f(x), lambda x, y: f"{y} {name}(1 {x})"


def _weak(pysindy: Any, library: Any, runs: Sequence[tuple[Floats, Floats]], windows: int) -> Rows:
    features: list[Floats] = []
    rates: list[Floats] = []
    for t, x in runs:
        weak = pysindy.WeakPDELibrary(library, spatiotemporal_grid=t, K=windows // len(runs))
        features.append(np.asarray(weak.fit(x).transform(x)))
        rates.append(np.asarray(weak.convert_u_dot_integral(x)))
    return Rows(np.concatenate(features), np.concatenate(rates))


def _strong(pysindy: Any, library: Any, runs: Sequence[tuple[Floats, Floats]]) -> Rows:
    smooth = pysindy.SmoothedFiniteDifference()
    features = np.concatenate([np.asarray(library.fit(x).transform(x)) for _, x in runs])
    rates = np.concatenate([np.asarray(smooth(x, t)) for t, x in runs])
    every = -(-len(rates) // MOST_ROWS)
    return Rows(features[::every], rates[::every])


def chosen(pysindy: Any, kinds: Sequence[tuple[Rows, Rows]], unseen: Rows, equation: int) -> Floats:
    """Return the (p,) coefficients whose terms have the least AICc on rows that no fit has seen."""
    target = unseen.rates[:, equation]
    least, best, whole = np.inf, np.zeros(unseen.features.shape[1]), kinds[0][1]
    for first, all_rows in kinds:
        for one in _candidates(pysindy, first.features, first.rates[:, equation]):
            score = _aicc(target - unseen.features @ one, int(np.count_nonzero(one)))
            if score < least:
                least, best, whole = score, one, all_rows
    terms = np.flatnonzero(best)
    again = np.zeros_like(best)
    again[terms] = np.linalg.lstsq(whole.features[:, terms], whole.rates[:, equation], rcond=None)[0]
    return again


def _aicc(rest: Floats, terms: int) -> float:
    n = len(rest)
    if terms + 2 >= n:
        return float("inf")
    error = max(float(rest @ rest), 1e-300)
    return float(n * np.log(error / n) + 2 * terms + 2 * (terms + 1) * (terms + 2) / (n - terms - 2))


def _candidates(pysindy: Any, features: Floats, rate: Floats) -> Iterator[Floats]:
    """Yield what each optimizer makes of one equation, columns scaled to the size of the rate."""
    size = np.sqrt(np.mean(features**2, axis=0))
    whole = float(np.sqrt(np.mean(rate**2))) or 1.0
    scaled, target = features / size, (rate / whole)[:, None]
    for optimizer in _optimizers(pysindy, len(rate), features.shape[1]):
        optimizer.fit(scaled, target)
        for coefficients in getattr(optimizer, "history_", [])[:-1] if _is_path(optimizer) else [optimizer.coef_]:
            yield np.ravel(coefficients) * whole / size


def _is_path(optimizer: Any) -> bool:
    """Whether every step of an optimizer counts, as of one that drops a term at a time."""
    return type(optimizer).__name__ == "SSR"


def _optimizers(pysindy: Any, rows: int, terms: int) -> Iterator[Any]:
    for threshold in THRESHOLDS:
        yield pysindy.STLSQ(threshold=threshold, alpha=1e-5)
        yield pysindy.EnsembleOptimizer(
            pysindy.STLSQ(threshold=threshold, alpha=1e-5), bagging=True, n_models=ENSEMBLE, n_subset=max(rows // 2, 1)
        )
    yield pysindy.SSR(alpha=1e-5, max_iter=terms)
    if find_spec("gurobipy") is not None:
        for count in range(1, min(MOST_TERMS, terms) + 1):
            yield pysindy.MIOSR(target_sparsity=count, alpha=1e-5)
