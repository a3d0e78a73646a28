"""What a law leaves over: noise when it is right, a drift when a term is missing."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import generate
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.views.diagnostics import _share, rates, residuals
from dolq_core.views.fitness import fitness
from dolq_core.views.system import law, statuses
from tests.every import every
from tests.loop.states import logistic_problem
from tests.stored import fitted


def noisy(points: int = 200, noise: float = 0.02, seed: int = 1, times=None, several: int = 1) -> Problem:
    """Logistic growth with noise, in one run or several from different starts."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 8.0, points) if times is None else times
    made = []
    for number in range(several):
        x = 1.0 / (1.0 + 9.0 / (number + 1) * np.exp(-t)) + noise * rng.normal(size=len(t))
        made.append(Trajectory(frozen(t), frozen(x[:, None]), label=f"run {number + 1}" if several > 1 else ""))
    return Problem(Dataset("logistic", Variable("t", "t", "h"), (Variable("x", "x", "g"),), tuple(made)))


RIGHT, POOR = [["x", "x**2"]], [["x"]]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_right_law_leaves_noise(seed):
    (found,) = residuals(fitted(noisy(seed=seed), RIGHT))
    assert found.verdict == "noise"
    assert found.words.startswith("They look like noise, ")
    assert found.size == pytest.approx(0.02, rel=0.2)
    assert found.noise == pytest.approx(0.02, rel=0.4)


@pytest.mark.parametrize("in_proportion", [True, False])
@pytest.mark.parametrize("said", ["auto", "even"])
def test_noise_that_grows_with_the_state_is_told_so(in_proportion, said):
    given = noisy(noise=0.0)
    (run,) = given.dataset.trajectories
    noise = np.random.default_rng(2).normal(size=run.x.shape)
    x = run.x * (1.0 + 0.05 * noise) if in_proportion else run.x + 0.03 * noise
    given = replace(given, dataset=replace(given.dataset, trajectories=(replace(run, x=frozen(x)),)))
    run = fitted(given, RIGHT, settings=Settings(held_out=0.0, noise=said))
    (found,) = residuals(run)
    is_told = "They are larger where x is: its noise may grow with it" in found.words
    assert is_told == (in_proportion and said == "even")
    assert found.size == pytest.approx(found.noise, rel=0.2), "each sample counts by its own noise"
    assert (law(run).runs[0].counts is not None) == (in_proportion and said == "auto")
    (own,) = found.runs
    assert (np.ptp(own.noise) > 0.0) == (in_proportion and said == "auto")
    assert np.sqrt(np.mean(own.noise**2)) == pytest.approx(found.noise, rel=0.05)


def test_a_missing_term_leaves_a_drift_that_names_the_state_and_the_figures():
    (found,) = residuals(fitted(noisy(), POOR))
    assert found.verdict == "drift"
    assert found.words.startswith(f"They drift: autocorrelation {found.white.r[0]:.2g} at lag 1, band ±0.15.")
    assert found.words.endswith("Something is missing in the law of x, or in one that moves it.")
    assert found.white.r[0] > 0.8


@pytest.mark.parametrize(("chance", "verdict"), [(0.2, "hint"), (1e-4, "drift"), (None, "drift")])
def test_what_the_status_takes_for_white_noise_is_no_missing_term_here(chance, verdict):
    run = fitted(noisy(), POOR)
    (best,) = run.state.best
    stands = replace(best, fit=replace(best.fit, whiteness=chance), refined=None)
    (found,) = residuals(replace(run, state=replace(run.state, best=(stands,))))
    assert found.verdict == verdict
    assert ("Something is missing" in found.words) == (verdict == "drift")
    assert found.words.endswith("the law leaves white noise (chance 0.2).") == (verdict == "hint")


def test_white_noise_at_the_level_of_the_status_alone_is_hardly_white():
    run = fitted(noisy(), POOR)
    (best,) = run.state.best
    stands = replace(best, fit=replace(best.fit, whiteness=0.0159), refined=None)
    (found,) = residuals(replace(run, state=replace(run.state, best=(stands,))))
    assert found.verdict == "hint"
    assert "hardly white noise (chance 0.0159)" in found.words
    assert "refuted below 0.001, not at the usual 0.05" in found.words


def test_clean_data_and_the_right_law_leave_hardly_anything():
    (found,) = residuals(fitted(logistic_problem(200), RIGHT))
    assert found.verdict == "small"
    assert "of the spread" in found.words


def test_a_residual_is_taken_at_its_own_time_in_a_long_run_too():
    (found,) = residuals(fitted(logistic_problem(20_001), RIGHT))
    assert np.max(np.abs(found.runs[0].left)) < 1e-6, "one step late the law seems to miss by 4e-4"


def test_few_samples_are_too_few_to_tell():
    (found,) = residuals(fitted(noisy(points=15), RIGHT))
    assert found.verdict == "few"
    assert found.words == "Too few samples to tell noise from a drift: 15 of 20."


def test_missing_cells_are_left_out_and_the_rest_is_told():
    problem = noisy()
    (run,) = problem.dataset.trajectories
    x = run.x.copy()
    x[20:180:7] = np.nan
    holed = replace(problem, dataset=replace(problem.dataset, trajectories=(replace(run, x=frozen(x)),)))
    (found,) = residuals(fitted(holed, RIGHT, Settings(held_out=0.0)))
    assert found.white.n == int(np.isfinite(x).sum())
    assert found.verdict == "noise"
    assert np.isnan(found.runs[0].left).sum() == int(np.isnan(x).sum())


def test_a_lag_is_a_time_only_where_the_times_are_even():
    uneven = np.sort(np.random.default_rng(0).uniform(0.0, 8.0, 150))
    (even,) = residuals(fitted(noisy(points=161), RIGHT))
    (odd,) = residuals(fitted(noisy(times=uneven), RIGHT))
    assert even.lag_time == pytest.approx(0.05)
    assert odd.lag_time is None


def test_a_lag_is_a_time_where_the_data_page_calls_the_times_even_but_for_rounding():
    given = noisy(times=np.round(np.linspace(0.0, 8.0, 151), 2))
    spacing = next(one for one in fitness(given, Settings(held_out=0.0)).checks if one.code == "spacing")
    (found,) = residuals(fitted(given, RIGHT))
    assert spacing.finding == "Times are even but for rounding"
    assert found.lag_time == pytest.approx(8.0 / 150)


def test_what_is_held_out_is_drawn_and_not_counted():
    (found,) = residuals(fitted(noisy(), RIGHT, Settings(held_out=0.25)))
    assert found.runs[0].held_out.sum() == 50
    assert found.white.n == 150


def test_several_runs_are_told_together():
    (found,) = residuals(fitted(noisy(several=3), RIGHT, Settings(held_out=0.0)))
    assert [run.label for run in found.runs] == ["run 1", "run 2", "run 3"]
    assert found.white.n == 600
    assert found.verdict == "noise"


def test_the_histogram_is_in_units_of_the_noise_and_its_curve_has_the_same_spread():
    (found,) = residuals(fitted(noisy(), RIGHT))
    assert np.sum(found.density * np.diff(found.edges)) == pytest.approx(1.0)
    step = found.normal_at[1] - found.normal_at[0]
    spread = np.sqrt(np.sum(found.normal * found.normal_at**2) * step)
    assert spread == pytest.approx(found.size / found.noise, rel=0.05)


@pytest.mark.parametrize("held_out", [0.0, 0.2])
def test_a_verdict_and_the_residuals_tell_one_number(held_out):
    law = [["sin(x1)", "x0"], ["cos(x1)/x0", "x0"]]
    run = fitted(generate(2, noise=0.01, points=100, seed=2), law, Settings(held_out=held_out))
    told = [reason for _, reason in statuses(run.state)]
    times = [one.size / one.noise for one in residuals(run)]
    said = [f"Its simulation misses the samples by {ratio:.3g} times the noise." for ratio in times]
    assert every(reason.startswith(one) for reason, one in zip(told, said, strict=True))


def test_a_verdict_that_only_the_held_out_part_speaks_against_says_so():
    run = fitted(noisy(), RIGHT)
    (best,) = run.state.best
    far = replace(best, refined=replace(best.refined, floor_ratio=1.54))
    ((_, told),) = statuses(replace(run.state, best=(far,)))
    assert told == "With the held-out part its simulation misses the samples by 1.54 times the noise."


def test_without_an_equation_for_every_state_nothing_is_claimed():
    store = runs.open_store()
    found = residuals(runs.load(store, runs.start(store, generate(2, points=60))))
    assert [one.verdict for one in found] == ["none", "none"]
    assert found[0].words == "There is no equation for every state yet."


class TestRates:
    def test_the_law_is_beside_the_rate_that_the_data_show(self):
        (found,) = rates(fitted(logistic_problem(200), RIGHT))
        (run,) = found.runs
        x = 1.0 / (1.0 + 9.0 * np.exp(-run.t))
        assert np.allclose(run.law, x - x**2, atol=1e-5)
        assert np.allclose(run.estimated, x - x**2, atol=1e-3)
        said = (
            "The law misses the estimated rate of x by under 1 % of its spread, and the means of it that are fitted by "
        )
        assert found.words == f"{said}under 1 %."

    def test_a_weak_form_says_that_the_drawn_rate_is_not_its_target(self):
        (found,) = rates(fitted(noisy(), RIGHT))
        assert found.how.startswith("Fitted: weighted means of the rate (weak form), each over ")
        assert "slopes of the smoothed samples" in found.how

    def test_of_noisy_slopes_it_is_said_how_close_the_law_is_to_what_is_fitted(self):
        """The page Data trusts means over the slopes; the slopes that are drawn have more noise."""
        run = fitted(noisy(), RIGHT)
        (found,) = rates(run)
        drawn, means = map(float, re.findall(r"by ([\d.]+) %", found.words))
        assert drawn > means
        assert means == pytest.approx(100.0 * run.state.best[0].scored.nmse ** 0.5, rel=0.05)

    def test_a_law_that_is_far_off_has_a_plain_number(self):
        assert _share(121.0) == "1100 %"
        assert _share(1e-6) == "under 1 %"
        assert _share(0.0123) == "11 %"

    def test_few_samples_are_fitted_without_a_rate(self):
        (found,) = rates(fitted(noisy(points=15, noise=0.002), RIGHT))
        assert "integrals of the terms" in found.how
        assert len(found.runs[0].t) == len(found.runs[0].law)

    def test_the_papers_target_is_the_rate_itself(self):
        (found,) = rates(fitted(noisy(), RIGHT, Settings(target="gradient")))
        assert found.how.startswith("Fitted: these rates, differences between neighbours")

    @pytest.mark.parametrize("target", ["weak", "integral", "spline", "savgol", "gradient"])
    def test_runs_keep_their_own_times_and_names(self, target):
        settings = Settings(target=target, held_out=0.0, held_out_runs=("run 2",))
        (found,) = rates(fitted(noisy(points=60, several=3), RIGHT, settings))
        assert [run.label for run in found.runs] == ["run 1", "run 3"]
        assert every(np.all(np.diff(run.t) > 0) for run in found.runs)
        assert found.runs[0].law[0] != pytest.approx(found.runs[1].law[0], abs=0.01)

    def test_the_law_that_misses_a_term_misses_the_rate(self):
        (found,) = rates(fitted(noisy(), POOR))
        assert found.nmse > 0.3
