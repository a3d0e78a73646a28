"""Protocols of others, run again: their data, how laws are scored, and what the page says of a part of them."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pysindy
import pytest

from dolq_core.records import Settings
from lab import campaign
from lab.benchmarks import published
from lab.benchmarks.published import BENCHMARK
from lab.benchmarks.published.protocols import AUTOSINDY, DYSTS, LOTKA, MIOSR, PROTOCOLS, miosr_start
from lab.benchmarks.published.scoring import marks
from lab.campaign import pools, sindy_best
from lab.campaign.records import Variant
from lab.campaign.tasks import problem_of

LAW = ("0.1*x - 0.02*x*y", "0.02*x*y - 0.4*y")


@pytest.mark.parametrize("one", PROTOCOLS, ids=lambda one: one.name)
def test_the_true_law_has_all_marks(one):
    for case in one.cases():
        found = marks(case, case.equations)
        assert (found.exact, found.close, found.whole) == (True, True, True), case.id


def test_as_many_data_sets_as_were_published():
    assert [one.count() for one in (LOTKA, MIOSR, DYSTS, AUTOSINDY)] == [160, 450, 70, 60]
    assert len(MIOSR.tasks(systems=2, seeds=5)) == 2 * 3 * 5 * 2


@pytest.mark.parametrize(
    ("law", "exact", "close", "whole"),
    [
        (("x*(0.103 - 0.0205*y)", LAW[1]), True, True, True),  # 3 % off, and a product of a sum
        ((LAW[0], "0.02*x*y - 0.43*y"), True, False, False),
        (("0.1*x - 0.022*x*y", LAW[1]), True, False, True),  # a small coefficient hides in the norm
        (("0.1*x - 0.02*x*y + 0.001", LAW[1]), False, False, True),
        (("0.1*x", LAW[1]), False, False, True),
        (("0.02*x*y - 0.4*y", "0.1*x - 0.02*x*y"), False, False, False),
        ((), False, False, False),
    ],
)
def test_terms_coefficients_and_the_whole_are_marked_apart(law, exact, close, whole):
    found = marks(LOTKA.cases()[0], law)
    assert (found.exact, found.close, found.whole) == (exact, close, whole)


def test_a_trial_starts_where_the_study_started_it():
    (start,) = miosr_start(MIOSR.cases()[1], 1).initial  # of the first trial, in the study's stored results
    assert start == pytest.approx((8.89338736597506, -7.307866004953485, 0.1738518401949005), rel=1e-6)


def test_noise_is_a_share_of_the_root_mean_square_and_both_get_the_same_data():
    ours, theirs = MIOSR.tasks(systems=1, seeds=1)[:2]
    assert (ours.agents, theirs.agents) == ("builtin", "pysindy-best")
    clean, noisy = (problem_of(task).dataset.trajectories[0].x for task in (replace(ours, sigma=0.0), ours))
    size = np.mean(np.sqrt(np.mean(clean**2, axis=0)))
    assert np.std(noisy - clean) == pytest.approx(0.0204 * size, rel=0.02)
    assert np.array_equal(noisy, problem_of(theirs).dataset.trajectories[0].x)


def test_no_word_and_no_truth_reaches_the_agents():
    for task in [one.tasks(1, 1)[0] for one in PROTOCOLS]:
        problem = problem_of(task)
        assert problem.description == ""
        assert {state.name for state in problem.dataset.states} <= set("xyzw")


def _measured(folder, asked, command):
    BENCHMARK.again(folder, asked, pool=pools.here(), command=command)
    return campaign.Ledger(folder / "published").results()


def test_a_measurement_that_was_stopped_goes_on_and_the_page_says_what_was_run(tmp_path, monkeypatch):
    small, once = replace(LOTKA, levels=(0.5,), seeds=1), Variant("once", Settings(iterations=1))
    quick = [replace(task, case=replace(task.case, points=100), variant=once) for task in small.tasks()]
    monkeypatch.setattr(published, "PROTOCOLS", [small])
    assert not BENCHMARK.is_begun(tmp_path)
    command, asked = "python -m lab published --seeds 1", [SimpleNamespace(tasks=lambda *_: quick)]
    first, again = (_measured(tmp_path, asked, command) for _ in range(2))
    ours = next(name for name, result in first.items() if not result.failure)
    assert again[ours].finished == first[ours].finished
    assert BENCHMARK.is_stored(tmp_path) == all(not one.failure for one in again.values())
    monkeypatch.setattr(published, "PROTOCOLS", PROTOCOLS)
    assert BENCHMARK.is_begun(tmp_path)
    assert not BENCHMARK.is_stored(tmp_path)  # 159 data sets are left
    text = BENCHMARK.text(tmp_path)
    assert "| Lotka-Volterra | 0.5 | 1 |" in text
    assert "(spectral norm): ours 1 of 1 (21% to 100%)" in text or "(spectral norm): ours 0 of 1 (0% to 79%)" in text
    assert "Run: 1 of 160 data sets, seeds 0 alone." in text
    assert "Not run yet: none of 450 data sets." in text
    assert text.count("`python -m lab published --seeds 1` on ") == 1
    assert "engine of commit" in text


class Threshold:
    """Least squares, terms below a threshold left out once."""

    def __init__(self, threshold, alpha):
        self.threshold = threshold

    def fit(self, features, rate):
        whole = np.linalg.lstsq(features, rate[:, 0], rcond=None)[0]
        self.coef_ = np.where(np.abs(whole) < self.threshold, 0.0, whole)


class Bags(Threshold):
    def __init__(self, inner, bagging, n_models, n_subset):
        super().__init__(inner.threshold, 0.0)


class Nothing(Threshold):
    def __init__(self, **_):
        super().__init__(np.inf, 0.0)


class FakePySINDy:
    STLSQ, EnsembleOptimizer, SSR, MIOSR = Threshold, Bags, Nothing, Nothing


def test_of_all_settings_the_one_that_predicts_unseen_rows_is_fitted_to_all():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(300, 6))
    rate = 2.0 * features[:, 1] - 0.5 * features[:, 4] + 0.05 * rng.normal(size=300)
    first, last, all_rows = (
        sindy_best.Rows(features[part], rate[part, None]) for part in (slice(200), slice(200, 300), slice(300))
    )
    found = sindy_best.chosen(FakePySINDy, [(first, all_rows)], last, 0)
    assert np.flatnonzero(found).tolist() == [1, 4]
    assert found[[1, 4]] == pytest.approx(np.linalg.lstsq(features[:, [1, 4]], rate, rcond=None)[0])


@pytest.mark.filterwarnings("ignore:.*axes labeled for array")  # PySINDy's own
def test_the_weak_form_of_a_library_with_waves_has_a_column_for_each_product():
    t = np.linspace(0.0, 10.0, 200)
    x = np.column_stack((np.cos(t), -np.sin(t)))
    library = sindy_best._library(pysindy, 3, waves=True)
    rows = sindy_best._weak(pysindy, library, [(t, x)], 20)
    names = library.fit(x).get_feature_names(["x0", "x1"])
    waves = {f"{by}{f}(1 {of})" for f in ("sin", "cos") for of in ("x0", "x1") for by in ("", "x0 ", "x1 ")}
    assert waves <= set(names)
    assert rows.features.shape == (20, len(names)) == (20, 10 + len(waves))
