"""What a known input does between its samples."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.numerics.holding import at_samples, between, holds_of, knots, on_grid, sides
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.lifted import fit
from dolq_core.numerics.pieces import Driven
from dolq_core.numerics.stretches import Measured, bridged, stretches
from dolq_core.numerics.targets import choose_target
from tests.every import every

BOUND = np.array([1e3])
HELD = ("previous", "next", "nearest")
TIMES = np.arange(13.0)
SWITCHED = np.where((TIMES >= 3) & (TIMES < 8), 60.0, 0.0)[:, None]


def heated(t, on=2.5, off=7.5):
    """The solution of x' = u - x from 0 with u switched from 0 to 60 and off."""
    rising = 60.0 * (1.0 - np.exp(-(np.minimum(t, off) - on)))
    return np.where(t < on, 0.0, np.where(t < off, rising, rising * np.exp(off - t)))


def followed(hold, t=TIMES, u=SWITCHED, at=TIMES):
    driven = Driven(lambda t, v: [v[1] - v[0]], *knots(t, u, (hold,)))
    return simulate(driven, np.array([0.0]), at, BOUND, rtol=1e-9)


@pytest.mark.parametrize(("hold", "on", "off"), [("nearest", 2.5, 7.5), ("previous", 3.0, 8.0), ("next", 2.0, 7.0)])
def test_a_switch_happens_where_the_input_is_held_from(hold, on, off):
    assert np.max(np.abs(followed(hold).x[:, 0] - heated(TIMES, on, off))) < 1e-3
    assert np.max(np.abs(followed("linear").x[:, 0] - heated(TIMES, on, off))) > 1.0


def test_a_rare_switch_among_many_samples_takes_fewer_evaluations_than_samples():
    times = np.linspace(0.0, 12.0, 4_001)
    u = np.where((times >= 2.5) & (times < 7.5), 60.0, 0.0)[:, None]
    path = followed("nearest", times, u, times)
    assert path.failure == ""
    assert path.evaluations < len(times)  # six times as many where each step ends at a sample
    assert np.max(np.abs(path.x[:, 0] - heated(times))) < 0.1  # of 60: half a step


def test_inputs_are_what_they_are_held_at():
    at = np.array([1.5, 2.25, 2.75, 7.25, 7.75, 12.0])
    found = {hold: between(TIMES, SWITCHED, (hold,), at)[:, 0].tolist() for hold in HELD}
    assert found["previous"] == [0.0, 0.0, 0.0, 60.0, 60.0, 0.0]
    assert found["next"] == [0.0, 60.0, 60.0, 0.0, 0.0, 0.0]
    assert found["nearest"] == [0.0, 0.0, 60.0, 60.0, 0.0, 0.0]


def test_each_input_has_its_own_hold():
    u = np.hstack((SWITCHED, TIMES[:, None], SWITCHED))
    times, values = knots(TIMES, u, ("previous", "linear", "next"))
    assert np.all(np.diff(times) > 0.0)
    assert np.interp(2.5, times, values[:, 0]) == 0.0
    assert np.interp(2.5, times, values[:, 1]) == 2.5
    assert np.interp(2.5, times, values[:, 2]) == 60.0


def test_lines_may_be_thinned_and_switches_may_not():
    t = np.arange(9_000.0)
    u = np.column_stack((np.sin(t / 2000.0), t // 2 % 2))
    some = np.arange(0, 9_000, 9)
    times, values = knots(t, u, ("linear", "previous"), some)
    at = t[:-1] + 0.5
    assert np.interp(at, times, values[:, 1]).tolist() == u[:-1, 1].tolist()
    assert np.interp(at, times, values[:, 0]) == pytest.approx(np.sin(at / 2000.0), abs=0.01)
    assert knots(t, u, ("linear", "linear"), some)[0].tolist() == t[some].tolist()


@pytest.mark.parametrize("hold", HELD)
def test_switches_at_the_ends_leave_the_times_in_order(hold):
    u = np.array([0.0, 1.0, 1.0, 1.0, 0.0])[:, None]
    times, values = knots(np.arange(5.0), u, (hold,))
    assert np.all(np.diff(times) > 0.0)
    assert (values[0, 0], values[-1, 0]) == (0.0, 0.0)


@pytest.mark.parametrize("hold", ["previous", "placed", "next"])
def test_means_over_a_step_add_up_to_the_integral(hold):
    times, values = knots(TIMES, SWITCHED, (hold,))
    exact = np.trapezoid(values[:, 0], times)
    assert np.sum(at_samples(SWITCHED, (hold,))) == pytest.approx(exact, rel=1e-6)
    grid = np.linspace(0.0, 12.0, 41)
    assert np.sum(on_grid(TIMES, SWITCHED, (hold,), grid)) * 0.3 == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("hold", ["previous", "next"])
def test_whole_runs_are_fitted_with_the_input_as_it_is_held(hold):
    t = 0.25 * np.arange(60)
    u = np.where((t >= 3.0) & (t < 8.0), 60.0, 0.0)[:, None]
    x = followed(hold, t, u, t).x
    data = replace(stretches([(t, x)], [u], None, np.array([1e-3]), (hold,)), steps=8)
    path = fit(data, Relaxing(), np.array([0.9]), x)
    assert path is not None
    assert path.theta[0] == pytest.approx(1.0, abs=1e-6)
    assert path.chi2 < 1.0
    wrong = fit(stretches([(t, x)], [u], None, np.array([1e-3])), Relaxing(), np.array([0.9]), x)
    assert wrong is None or not wrong.is_simulation


class Relaxing:
    """x' = p (u - x)."""

    jumps = 0

    def rates(self, values, t, theta, sides=None):
        return theta[0] * (values[1:] - values[:1])

    def slopes(self, values, t, theta, moves):
        rates, n = self.rates(values, t, theta), len(t)
        return rates, np.full((1, 1, n), -theta[0]), (values[1] - values[0])[None, None]


def test_a_gap_is_bridged_with_the_input_as_it_is_held():
    t = np.concatenate((np.arange(20.0), 24.0 + np.arange(20.0)))
    u = np.column_stack((t > 19.5, t)).astype(float)
    x = u[:, :1]
    known = Measured(stretches([(t, x)], [u], None, np.ones(1), ("previous", "linear")), x, x)
    data = bridged(known).data
    begin, end = data.sides
    inside = (data.t >= 19.0) & (data.t < 24.0)
    assert np.count_nonzero(inside) > 1
    assert not begin[inside, 0].any()
    assert not end[inside, 0].any()
    assert begin[data.t == 24.0, 0] == 1.0
    assert begin[:, 1] == pytest.approx(data.t)
    assert end[:-1, 1] == pytest.approx(data.t[1:])


def test_the_sides_of_a_sample_are_its_own_and_its_neighbours():
    u = np.array([[0.0], [1.0], [1.0]])
    assert [side[:2, 0].tolist() for side in sides(u, ("previous",))] == [[0.0, 1.0], [0.0, 1.0]]
    assert [side[:2, 0].tolist() for side in sides(u, ("next",))] == [[1.0, 1.0], [1.0, 1.0]]
    assert [side[:2, 0].tolist() for side in sides(u, ("linear",))] == [[0.0, 1.0], [1.0, 1.0]]


# --- read off the samples --------------------------------------------------------------------------


def logged(hold, noise=0.0, seed=0, levels=(0.0, 60.0)):
    """A table of x' = u - x, its input switched at random."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(15, 40, 15)
    u = np.repeat(np.resize(levels, 15), lengths)[:, None]
    t = 0.1 * np.arange(len(u))
    x = followed(hold, t, u, t).x
    return t, x + noise * x.std() * rng.standard_normal(x.shape), u


@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize("hold", HELD)
def test_the_bends_of_a_state_say_where_an_input_switches(hold, noise):
    t, x, u = logged(hold, noise)
    assert holds_of([(t, x)], [u]) == (hold,)


def test_runs_and_missing_cells_count_together():
    first, second = logged("previous", 0.02, 1), logged("previous", 0.02, 2)
    first[1][5:9] = np.nan
    assert holds_of([run[:2] for run in (first, second)], [first[2], second[2]]) == ("previous",)


def test_an_input_of_many_levels_is_held_only_where_the_samples_say_so():
    many = tuple(np.linspace(0.0, 60.0, 15)[[3, 9, 1, 14, 6, 2, 12, 0, 8, 5, 13, 4, 10, 7, 11]])
    t, x, u = logged("previous", 0.01, levels=many)
    assert holds_of([(t, x)], [u]) == ("previous",)
    assert holds_of([(t, np.random.default_rng(0).standard_normal(x.shape))], [u]) == ("linear",)


@pytest.mark.parametrize("values", [np.sin(np.arange(50.0)), np.ones(50), np.arange(50.0) % 2], ids=str)
def test_a_curve_a_constant_and_what_changes_at_every_sample_are_straight_lines(values):
    t = np.arange(50.0)
    assert holds_of([(t, np.cos(t)[:, None])], [values[:, None]]) == ("linear",)


def test_few_levels_that_no_state_answers_to_switch_halfway():
    t = np.arange(60.0)
    u = (t // 12 % 2)[:, None]
    assert holds_of([(t, np.exp(-t / 20.0)[:, None])], [u]) == ("nearest",)


def test_a_state_that_jumps_with_the_input_says_nothing():
    t = np.arange(200.0)
    u = (t % 40.0 < 20.0)[:, None].astype(float)
    x = 20.0 * u + np.random.default_rng(2).standard_normal(u.shape)
    assert holds_of([(t, x)], [u]) == ("nearest",)


def test_noise_alone_says_nothing():
    rng, t = np.random.default_rng(3), np.arange(300.0)
    u = (t // 20 % 2)[:, None]
    assert every(holds_of([(t, rng.standard_normal((300, 3)).cumsum(axis=0))], [u]) == ("nearest",) for _ in range(20))


@pytest.mark.parametrize("kind", ["weak", "integral", "savgol"])
def test_a_target_leaves_less_of_the_true_law_with_the_input_as_it_is_held(kind):
    t, x, u = logged("previous")
    some = slice(None) if kind != "integral" else slice(0, 45)
    left = []
    for holds in ((), ("previous",)):
        target = choose_target([(t[some], x[some])], kind, [u[some]], holds=holds)
        rates = target.inputs[0] - target.x[0]
        left.append(float(np.sqrt(np.mean((target.b[0] - target.apply(rates[None, :])[0]) ** 2))))
    assert left[1] < left[0] / 2.0


@pytest.mark.parametrize("noise", [0.005, 0.02])
def test_bends_are_no_noise(noise):
    t, x, u = logged("previous", noise)
    found = choose_target([(t, x)], "weak", [u], holds=("previous",))
    assert found.noise[0] == pytest.approx(noise * followed("previous", t, u, t).x.std(), rel=0.15)


def test_samples_with_bends_are_never_clean_and_an_input_that_bends_nothing_leaves_them_so():
    t, x, u = logged("previous")
    assert choose_target([(t, x)], "weak", [u], holds=("previous",)).noise[0] == pytest.approx(2e-4 * x.std())
    smooth = np.exp(-t / 20.0)[:, None]
    assert choose_target([(t, smooth)], "weak", [u], holds=("nearest",)).noise[0] < 1e-9


def test_the_floor_holds_what_sums_miss_at_a_bend():
    t, x, u = logged("previous")
    target = choose_target([(t, x)], "weak", [u], holds=("previous",))
    left = target.b[0] - target.apply((target.inputs[0] - target.x[0])[None, :])[0]
    assert 0.3 < float(np.sqrt(np.mean(left**2))) / float(target.floor[0]) < 1.9  # 2.1 without either part
