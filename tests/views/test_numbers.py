"""Every number of the law has a row; those that are one have one; a profile says how well each is told."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.blocks import read_blocks
from dolq_core.cli.showing import report
from dolq_core.errors import THIN
from dolq_core.fitting import names_of
from dolq_core.fitting.likelihood import shape
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.views.amounts import moment, with_unit
from dolq_core.views.constants import shared
from dolq_core.views.files import export
from dolq_core.views.numbers import numbers, profiled
from dolq_core.views.summary import result, stands
from dolq_core.views.system import reported
from dolq_core.views.trajectories import curves
from tests.loop.states import logistic_problem
from tests.stored import fitted
from tests.test_residuals import RIGHT, noisy

CHAIN = [["x"], ["x", "y"]]
"""Terms of x' = -k x, y' = k x - m y: what leaves x enters y."""


def chain(noise: float = 0.01, points: int = 120) -> Problem:
    t = np.linspace(0.0, 8.0, points)
    x = 2.0 * np.exp(-0.5 * t)
    y = (np.exp(-0.2 * t) - np.exp(-0.5 * t)) / 0.3  # k = 0.5, m = 0.2
    both = np.column_stack((x, y)) + noise * np.random.default_rng(5).normal(size=(points, 2))
    run = Trajectory(frozen(t), frozen(both))
    states = (Variable("x", "x", "mM"), Variable("y", "y", "mM"))
    return Problem(Dataset("chain", Variable("t", "t", "h"), states, (run,)))


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_what_leaves_one_state_and_enters_the_other_is_one_row(noise):
    run = fitted(chain(noise), CHAIN, Settings(held_out=0.0))
    (one,) = shared(run)
    assert not one.declared
    assert [spot.latex.endswith(r"\dot{x}") or spot.latex.endswith(r"\dot{y}") for spot in one.where] == [True, True]
    assert abs(one.value) == pytest.approx(0.5, rel=0.02)
    apart = [number.std_error for number in numbers(run) if number.text == "x"]
    assert one.std_error <= min(apart)


def test_equal_constants_stand_in_the_result_in_show_and_in_the_report(capsys):
    run = fitted(chain(), CHAIN, Settings(held_out=0.0))
    (one,) = result(run)["constants"]
    assert [place["text"] for place in one["places"]] == [
        "coefficient of x in dx/dt",
        "minus coefficient of x in dy/dt",
    ]
    assert [place["factor"] for place in one["places"]] == [1.0, -1.0]
    assert (one["unit"], one["declared"]) == ("1/h", False)
    assert one["value"] == pytest.approx(-0.5, rel=0.02)
    assert 0.0 < one["standard_error"] < 0.01
    assert 0.0 <= one["apart"] < 3.0

    assert report(run, None)
    printed = capsys.readouterr().out.partition("Equal constants\n")[2]
    assert re.fullmatch(
        r"  -0\.\d+ \+- 0\.00\d+ 1/h  coefficient of x in dx/dt, minus coefficient of x in dy/dt: "
        r"equal, [\d.]+ standard errors apart\n",
        printed,
    )

    page = export(run, "report").content.decode()
    row = page.partition("<h2>Equal constants</h2>")[2].partition("</table>")[0]
    assert "coefficient of x in dx/dt, minus coefficient of x in dy/dt" in row
    assert one["why"] in row


def test_what_a_search_has_fitted_before_changes_no_equal_constant():
    run = fitted(chain(), CHAIN, Settings(held_out=0.0))
    before, (like, judged) = shared(run), runs.workbench(run).judged(reported(run.state))
    loose = replace(
        judged, covariance=judged.covariance * np.array([[9.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    )
    like._known[shape(judged.system)] = loose
    assert shared(run) == before


def test_a_declared_multiple_is_told_as_it_gives_the_number():
    t = np.linspace(0.0, 6.0, 80)
    x = 2.0 * np.exp(-0.5 * t)
    both = np.column_stack((x, 2.0 * (2.0 - x))) + 0.01 * np.random.default_rng(5).normal(size=(80, 2))
    states = (Variable("x", "x"), Variable("y", "y"))
    dataset = Dataset("chain", Variable("t", "t"), states, (Trajectory(frozen(t), frozen(both)),))
    blocks = read_blocks('conserved = ["2*x + y"]', names_of(dataset), 2)
    (one,) = shared(fitted(Problem(dataset, blocks=blocks), [["x"], ["x"]], Settings(held_out=0.0)))
    assert one.declared
    assert one.value == pytest.approx(-0.5, rel=0.02)
    assert [spot.factor for spot in one.where] == [1.0, -2.0]
    assert [spot.text for spot in one.where] == ["coefficient of x in dx/dt", "-0.5 times coefficient of x in dy/dt"]
    assert one.where[1].latex.startswith(r"-0.5 \times x")


def test_a_result_of_a_law_that_is_missing_has_no_equal_constants():
    run = fitted(chain(), CHAIN, Settings(held_out=0.0))
    assert shared(run)
    nowhere = replace(run, state=replace(run.state, iteration=0))
    assert result(nowhere)["constants"] == []


def test_constants_are_told_equal_by_the_numbers_that_are_shown():
    """A law whose numbers are not those of whole runs: what whole runs say of others is not said of them."""
    run = fitted(chain(), CHAIN, Settings(held_out=0.0))
    first, second = run.state.best
    grown = tuple(replace(term, coefficient=1.5 * term.coefficient) for term in second.fit.terms)
    alone = replace(second, fit=replace(second.fit, terms=grown), refined=None)
    assert shared(replace(run, state=replace(run.state, best=(replace(first, refined=None), alone)))) == ()


def test_constants_that_differ_stay_two_rows():
    wrong = chain()
    (run,) = wrong.dataset.trajectories
    halved = replace(run, x=frozen(run.x * (1.0, 0.5)))  # half of y: what enters it is half of what leaves x
    wrong = replace(wrong, dataset=replace(wrong.dataset, trajectories=(halved,)))
    assert shared(fitted(wrong, CHAIN, Settings(held_out=0.0))) == ()


def two_tanks(out: float, back: float) -> Problem:
    """x' = -out x + back y, y' = out x - back y, exactly solved, with noise."""
    t, both = np.linspace(0.0, 6.0, 150), out + back
    x = 3.0 * (back + out * np.exp(-both * t)) / both
    cells = np.column_stack((x, 3.0 - x)) + 0.005 * np.random.default_rng(7).normal(size=(150, 2))
    states = (Variable("x", "x", "mM"), Variable("y", "y", "mM"))
    run = Trajectory(frozen(t), frozen(cells))
    return Problem(Dataset("two tanks", Variable("t", "t", "h"), states, (run,)))


def test_equal_constants_of_one_equation_are_one_row_with_those_of_the_other():
    (one,) = shared(fitted(two_tanks(0.4, 0.4), [["x", "y"], ["x", "y"]], Settings(held_out=0.0)))
    assert len(one.where) == 4
    assert [spot.latex.startswith("-") for spot in one.where] == [False, True, True, False]
    assert one.value == pytest.approx(-0.4, rel=0.02)


def test_constants_of_one_equation_that_differ_stay_apart():
    found = shared(fitted(two_tanks(0.4, 0.3), [["x", "y"], ["x", "y"]], Settings(held_out=0.0)))
    assert [len({spot.latex.rpartition(" in ")[2] for spot in one.where}) for one in found] == [2, 2]
    assert sorted(abs(one.value) for one in found) == pytest.approx([0.3, 0.4], rel=0.02)


def test_units_stand_beside_the_numbers():
    assert [one.unit for one in numbers(fitted(chain(), CHAIN, Settings(held_out=0.0)))] == ["1/h"] * 3


def test_where_the_likelihood_is_a_parabola_the_profile_is_the_interval_of_the_standard_error():
    run = fitted(noisy(points=200), RIGHT, Settings(held_out=0.0))
    for place, one in enumerate(numbers(run)):
        found = profiled(run, place)
        assert found.nats.min() == 0.0
        assert found.low == pytest.approx(one.value - 1.96 * one.std_error, abs=0.3 * one.std_error)
        assert found.high == pytest.approx(one.value + 1.96 * one.std_error, abs=0.3 * one.std_error)


def test_a_number_that_the_data_bound_on_one_side_alone_has_no_other_end():
    """x' = -2 x / (p + x) while x stays far below p: only the ratio is told, so that p has no upper end."""
    t = np.linspace(0.0, 3.0, 60)
    x = 0.05 * np.exp(-t) + 2e-4 * np.random.default_rng(1).normal(size=60)
    problem = Problem(
        Dataset("far", Variable("t", "t"), (Variable("x", "x"),), (Trajectory(frozen(t), frozen(x[:, None])),))
    )
    run = fitted(problem, [["x/(params[0] + x)"]], Settings(held_out=0.0))
    (inside,) = [k for k, one in enumerate(numbers(run)) if one.inner == 0]
    found = profiled(run, inside)
    assert found is None or None in (found.low, found.high)


def test_no_profile_without_a_law():
    run = runs.load(runs.open_store(), runs.start(runs.open_store(), logistic_problem(60)))
    assert profiled(run, 0) is None


def test_what_noise_alone_makes_a_simulation_miss_is_known():
    ((_, at_noise, may_miss),) = stands(fitted(noisy(noise=0.05), RIGHT, Settings(held_out=0.0)).state)
    assert at_noise
    assert may_miss == pytest.approx((1.5 * 0.05) ** 2 / np.var(noisy().dataset.trajectories[0].x), rel=0.5)


def test_runs_that_lie_far_apart_may_miss_no_less_for_it():
    state = fitted(noisy(noise=0.05), RIGHT, Settings(held_out=0.0)).state
    (one,) = state.problem.dataset.trajectories
    both = replace(state.problem.dataset, trajectories=(one, replace(one, x=frozen(one.x + 100.0))))
    ((_, _, alone),), ((_, _, beside),) = stands(state), stands(replace(state, problem=Problem(both)))
    assert beside == pytest.approx(alone)


def test_errors_of_single_runs_add_up_to_that_of_all():
    """One run that hardly varies is no worse on the page than in the record."""
    t = np.linspace(0.0, 4.0, 60)
    noise = 0.02 * np.random.default_rng(0).standard_normal((2, 60))
    runs_ = [
        Trajectory(frozen(t), frozen((start * np.exp(-t) + own)[:, None]), label=label)
        for start, own, label in ((2.0, noise[0], "high"), (0.1, noise[1], "low"))
    ]
    problem = Problem(Dataset("decay", Variable("t", "t"), (Variable("x", "x"),), tuple(runs_)))
    run = fitted(problem, [["x"]], Settings(held_out=0.0))
    found = curves(run)
    assert np.mean([curve.nmse[0] for curve in found]) == pytest.approx(run.state.trajectory.nmse[0], rel=1e-6)
    assert found[1].nmse[0] < 0.01


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (24.84, "month", "24.8 months"),
        (1.0, "year", "1 year"),
        (1.0001, "day", "1 day"),
        (0.5, "h", "0.5 h"),
        (2e4, "", f"20{THIN}000"),
        (-3.0, "week", "\N{MINUS SIGN}3 weeks"),
    ],
)
def test_an_amount_of_a_unit_that_is_a_word_is_in_the_plural(value, unit, said):
    assert with_unit(value, unit) == said


@pytest.mark.parametrize(
    ("name", "unit", "said"),
    [("t", "week", "t = 37.5 weeks"), ("week", "week", "week 37.5"), ("h", "h", "h = 37.5"), ("t", "", "t = 37.5")],
)
def test_a_time_called_as_its_unit_is_named_once(name, unit, said):
    assert moment(name, "37.5", 37.5, unit) == said
