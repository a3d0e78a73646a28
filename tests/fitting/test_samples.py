"""What is said of the samples themselves: rounding, jumps, weights, ends that are held out, states that hide."""

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from dolq_core.errors import DataError
from dolq_core.fitting.held_out import chosen, errors_ahead, names_of_runs, split
from dolq_core.fitting.hidden import is_crossing, map_words, turning_run
from dolq_core.fitting.limits import cancelling, cosines, imitated
from dolq_core.fitting.reasons import loose, too_many, why_not
from dolq_core.fitting.stepped import coarse_words, jump_words, rounded_words
from dolq_core.fitting.weighing import counted, factors, given_states, relative_weights
from dolq_core.numerics.least_squares import least_squares
from dolq_core.records import Dataset, EquationFit, FittedTerm, Given, Trajectory, Variable


def data(*columns, t=None, **more):
    """One run of these states."""
    x = np.column_stack(columns)
    times = np.arange(float(len(x))) if t is None else t
    states = tuple(Variable(name, name) for name in "xyz"[: x.shape[1]])
    return Dataset("d", Variable("t", "t"), states, (Trajectory(times, x, **more),))


# --- rounding and jumps -----------------------------------------------------------------------------

RAMP = np.linspace(0.0, 4.0, 200)


def steps(count, n=200):
    """Values on `count` levels 0.5 apart, rising."""
    return 0.5 * (np.arange(n) * count // n)


def test_the_step_in_which_a_state_was_read_is_said_with_what_it_does_to_the_noise():
    said = rounded_words(data(steps(60)))
    assert said == " x was read in steps of 0.5 (60 values): its noise is taken to be at least 0.144."
    assert rounded_words(data(RAMP)) == ""


def test_the_digits_in_which_a_state_was_written_are_said_with_what_they_do_to_the_noise():
    table = [float(f"{value:.3g}") for value in 120.0 - 100.0 * np.exp(-RAMP)]
    said = rounded_words(data(np.array(table)))
    assert said.startswith(" x was written with 3 digits: its noise is taken to be at least 0.")
    assert rounded_words(data(np.round(RAMP, 2)[::50])) == ""


@pytest.mark.parametrize(
    ("count", "n", "few"),
    [(40, 200, True), (41, 200, False), (20, 60, True), (21, 60, False), (1, 200, False), (4, 49, False)],
)
def test_a_state_of_few_values_is_coarse(count, n, few):
    said = coarse_words(data(steps(count, n)), 0)
    assert bool(said) == few
    if few:
        assert said.startswith(
            f"x takes {count} values only, 0.5 apart, and stays at each (it first changes at t = {n // count}"
        )


@pytest.mark.parametrize(("noise", "coarse"), [(0.0, True), (0.2, True), (1.0, False)])
def test_noise_that_carries_a_state_from_step_to_step_makes_few_values_enough(noise, coarse):
    x = np.round(2.0 * np.sin(RAMP) + noise * np.random.default_rng(0).normal(size=200), 0)
    assert bool(coarse_words(data(x), 0)) == coarse


def jumping(*places):
    return 0.01 * np.sin(RAMP) + sum(np.where(np.arange(200) > at, 3.0, 0.0) for at in places)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ((), ""),
        ((50,), "x jumps once, at t = 51."),
        ((50, 90), "x jumps 2 times, at t = 51, 91."),
        ((30, 60, 90), "x jumps 3 times, at t = 31, 61, 91."),
        ((30, 60, 90, 120), "x jumps 4 times, at t = 31, 61, 91 ..."),
    ],
)
def test_jumps_are_named_up_to_three(places, said):
    assert jump_words(data(jumping(*places)), 0).rstrip(".") == said.rstrip(".")


# --- weights ----------------------------------------------------------------------------------------


def weighed(*runs):
    trajectories = tuple(
        Trajectory(np.arange(float(len(w))), np.ones((len(w), 1)), weights=np.array(w, dtype=float)[:, None])
        for w in runs
    )
    return Dataset("d", Variable("t", "t"), (Variable("x", "x"),), trajectories)


def test_weights_are_relative_to_their_mean_over_all_runs_and_zero_counts_not_at_all():
    found = relative_weights(weighed([1.0, 3.0], [0.0, 8.0]))
    assert [part[:, 0].tolist() for part in found] == [[0.25, 0.75], [1.0, 2.0]]
    roots = factors(weighed([1.0, 3.0], [0.0, 8.0]))
    assert [part[:, 0].tolist() for part in roots] == [
        pytest.approx([0.5, 0.75**0.5]),
        pytest.approx([nan, 2.0**0.5], nan_ok=True),
    ]
    assert relative_weights(weighed([2.0, 2.0], [2.0])) is None
    assert factors(weighed([2.0, 0.0]))[0][:, 0].tolist() == pytest.approx([1.0, nan], nan_ok=True)
    assert relative_weights(weighed([0.0, 0.0])) is None


def test_a_run_without_weights_weighs_none():
    whole = weighed([1.0, 3.0])
    plain = replace(whole.trajectories[0], weights=None)
    mixed = replace(whole, trajectories=(whole.trajectories[0], plain))
    assert (relative_weights(mixed), factors(mixed)) == (None, None)
    assert counted(replace(whole, trajectories=(plain,))).trajectories == (plain,)


def test_samples_of_weight_zero_are_missing():
    (run,) = counted(weighed([1.0, 0.0, 2.0])).trajectories
    assert run.x[:, 0].tolist() == pytest.approx([1.0, nan, 1.0], nan_ok=True)
    whole = weighed([1.0, 0.5])
    assert counted(whole).trajectories[0] is whole.trajectories[0]


def test_states_with_a_given_derivative_are_known_by_number():
    assert given_states(replace(data(RAMP, RAMP), derivatives=(Given("dy", "y"),))) == {1}


# --- what is held out -------------------------------------------------------------------------------


def runs(*lengths, labels=()):
    names = [*labels, *[""] * len(lengths)]
    made = tuple(
        Trajectory(np.arange(float(n)), np.ones((n, 1)), label=name) for n, name in zip(lengths, names, strict=False)
    )
    return Dataset("d", Variable("t", "t"), (Variable("x", "x"),), made)


@pytest.mark.parametrize(("n", "share", "kept"), [(63, 0.2, 50), (61, 0.2, 61), (50, 0.0, 50), (80, 0.25, 60)])
def test_the_end_of_a_run_that_keeps_fifty_samples_is_held_out(n, share, kept):
    parts = split(runs(n), share)
    assert len(parts.fit.trajectories[0].t) == kept
    assert parts.since == ((float(kept),) if kept < n else (None,))
    assert (parts.held is None) == (kept == n)
    assert len(parts.rest.trajectories[0].t) == n


def test_a_run_is_held_out_whole_by_its_label_or_else_its_number():
    parts = split(runs(60, 100, 20, labels=("2", "b", "")), 0.5, ["2"])
    assert parts.place == (None, 0, 1)
    assert parts.since == (0.0, 50.0, None)
    assert [len(run.t) for run in parts.held.trajectories] == [60, 50]
    assert (
        parts.reason
        == " Held out whole: run 2. The last 50% of each run that keeps at least 50 samples of the others are held out."
    )
    assert chosen(runs(60, 60, 20), ["1", "3"]) == {0, 2}
    assert names_of_runs(runs(9, 9, labels=("", "b"))) == ("1", "b")
    assert split(runs(20, 20), 0.2).reason == " Nothing is held out: no run has 50 samples."
    assert split(runs(60, 60), 0.2).reason == " Nothing is held out: no run would keep 50 samples."
    assert split(runs(70, 70), 0.2).reason == " The last 20% of each run are held out."
    assert split(runs(60), 0.0).reason == ""


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["4"], "Its runs are '1', '2', '3'"),
        (["1", "2", "3"], "The runs '1', '2', '3'.*left to fit without them"),
        (["0"], "no such run"),
    ],
)
def test_a_run_that_is_not_there_or_the_last_one_is_not_held_out(names, said):
    with pytest.raises(DataError, match=said):
        chosen(runs(60, 60, 60), names)
    with pytest.raises(DataError, match="The run '1'.*left to fit without it"):
        chosen(runs(60), ["1"])


def test_an_error_ahead_is_measured_by_the_spread_of_all_data():
    model, seen = np.zeros((4, 3)), np.array([[1.0, 2.0, 0.0], [-1.0, 2.0, 0.0], [1.0, 2.0, nan], [-1.0, 2.0, nan]])
    later = np.array([False, False, True, True])
    assert errors_ahead(model, seen, later) == (1.0, 1.0, 0.0)


# --- states that hide -------------------------------------------------------------------------------


def run_of(x, t=RAMP):
    return (t, x[:, None])


@pytest.mark.parametrize(("back", "turns"), [(0.08, True), (0.03, False)])
def test_a_run_turns_when_it_falls_back_by_six_times_its_noise(back, turns):
    x = np.interp(RAMP, [0.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0 - back, 1.0 - back])
    assert (turning_run([run_of(x)], np.array([0.008])) == 0) == turns


def test_a_drop_of_less_than_a_fiftieth_of_the_range_is_no_turn():
    for back, turns in ((0.01, False), (0.04, True)):
        x = np.interp(RAMP, [0.0, 2.0, 3.0, 4.0], [0.0, 1.0, 1.0 - back, 1.0 - back])
        assert (turning_run([run_of(x)], np.array([0.0])) == 0) == turns
        assert (turning_run([run_of(-x)], np.array([0.0])) == 0) == turns


def loop():
    """A path along an axis, over a corner and back across itself at a right angle."""
    points = np.array([[0.0, 0.0], [4.0, 0.0], [2.0, 2.5], [2.0, -2.5]])
    at = np.linspace(0.0, 3.0, 301)
    return at, np.column_stack([np.interp(at, np.arange(4.0), column) for column in points.T])


def test_a_path_that_crosses_itself_steeply_is_told_and_one_that_touches_is_not():
    t, x = loop()
    assert is_crossing(t, x, np.array([0.0, 0.0]))
    assert not is_crossing(t, x, np.array([2.0, 2.0]))  # within the noise
    assert not is_crossing(t[:11], x[:11], np.array([0.0, 0.0]))
    spiral = np.exp(-0.2 * RAMP)[:, None] * np.column_stack((np.cos(5.0 * RAMP), np.sin(5.0 * RAMP)))
    assert not is_crossing(RAMP, spiral, np.array([0.0, 0.0]))


def logistic_map(n):
    x = [0.3]
    for _ in range(n - 1):
        x.append(3.9 * x[-1] * (1.0 - x[-1]))
    return np.array(x)


def test_steps_of_a_map_are_told_from_a_flow_and_from_noise():
    assert map_words(data(logistic_map(200))).startswith("x jumps from row to row")
    assert map_words(data(np.sin(RAMP))) == ""
    assert map_words(data(np.random.default_rng(0).normal(size=200))) == ""
    assert map_words(data(logistic_map(29))) == ""
    assert map_words(data(logistic_map(200), t=np.arange(200.0) ** 1.1)) == ""
    driven = replace(data(logistic_map(200)), inputs=(Variable("u", "u"),))
    assert map_words(driven) == ""


# --- terms on the samples ---------------------------------------------------------------------------


def test_terms_that_look_alike_on_the_samples_are_known_by_their_cosine():
    assert cosines(np.array([1.0, 0.0]), np.array([[0.0, 2.0], [-3.0, 0.0], [1.0, 1.0], [0.0, 0.0]])) == pytest.approx(
        [0.0, 1.0, 0.5**0.5, 0.0]
    )
    assert cosines(np.array([1e300, 0.0]), np.array([[1e200, 0.0], [0.0, 1e-200]])) == pytest.approx([1.0, 0.0])
    x = data(np.linspace(1.0, 2.0, 50))
    for inner, found in ((1e-3, "x"), (0.5, None)):
        assert imitated(x, FittedTerm("x*exp(params[0]*x)", 1.0, None, (inner,)), ["x**2", "x"]) == found
    assert imitated(x, FittedTerm("x", 1.0), ["x"]) is None
    assert imitated(x, FittedTerm("tanh(x)", 1.0), ["1"]) is None
    assert imitated(data(np.linspace(18.0, 117.0, 50)), FittedTerm("tanh(x)", 1.0), ["x", "1"]) == "1"


def test_terms_that_cancel_are_told_by_their_size_over_their_sum():
    x = data(np.array([1.0, 1.0, nan]))
    fit = EquationFit(0, (FittedTerm("x", 5.0), FittedTerm("x**2", -4.5)), 1.0, 1.0, 1.0, 1.0, 0.0)
    assert cancelling(x, fit) == pytest.approx(10.0)
    assert cancelling(x, replace(fit, terms=())) == 0.0
    assert cancelling(data(np.full(3, nan)), fit) == 0.0


@pytest.mark.parametrize(
    ("skeleton", "values", "said"),
    [
        ("x", [1.0, 2.0], ""),
        ("x", [2.0, 2.0], "constant on the data"),
        ("x", [0.0, 0.0], "zero on the data"),
        ("1", [2.0, 2.0], ""),
        ("1/x", [1.0, 0.0], "not finite where x = 0"),
        ("x", [1e119, 2e119], ""),
        ("x", [1e119, 2e120], "of size 2e+120 on the data"),
        ("x", [1e-121, 2e-121], "of size 2e-121 on the data"),
    ],
)
def test_a_term_that_gives_no_column_says_why(skeleton, values, said):
    assert why_not(skeleton, (), np.array([values]), np.arange(2.0), ("x",)) == said


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([[1.0], [3.1774]], "not finite where x = 3.177"),
        ([[1.0], [3.2]], "not finite where x = 3.177 on the curve through the samples"),
        ([[nan], [nan]], "not finite where x = 3.177"),  # a hidden state has no samples
    ],
)
def test_a_value_that_no_sample_has_is_said_to_be_on_the_curve_through_them(samples, said):
    values = np.array([[-1.0, 3.177]])
    assert why_not("log(-x)", (), values, np.arange(2.0), ("x",), [np.array(samples)]) == said


def test_a_structure_needs_half_a_row_more_than_numbers():
    assert too_many(3, 100, 3.5) == ""
    assert too_many(3, 100, 3.4) == "3 numbers to fit, and the data are worth 3.4 rows"
    assert too_many(3, 3, inf) == "3 numbers to fit, and the data are worth 3 rows"
    a = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
    names = ["x", "2*x", "y"]
    said = loose(names, least_squares(a, a[0] + a[2]))
    assert said.endswith("on these data a combination of the other terms, or zero")
    assert "y" not in said
    assert loose(["x", "y"], least_squares(a[[0, 2]], a[0] - 0.0 * a[2])) == ""
