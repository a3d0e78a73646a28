"""Where a law of one state moves and comes to rest; and the current attempt beside the best."""

from dataclasses import replace

from dolq_core.records import EquationFit, FittedTerm, Visited
from dolq_core.runs import Run
from dolq_core.views.phase import phase_line
from dolq_core.views.trajectories import attempted, curves
from tests.app.scenes import two_attempts
from tests.loop.states import logistic_problem, state_of


def law(*terms: tuple[str, float]) -> EquationFit:
    return EquationFit(0, tuple(FittedTerm(skeleton, number) for skeleton, number in terms), 0.0, 0.0, 0.0, 0.0, 0.0)


def equilibria(*terms: tuple[str, float], shift: float = 0.0) -> list[tuple[float, str]]:
    problem = logistic_problem(20)
    (run,) = problem.dataset.trajectories
    moved = replace(problem, dataset=replace(problem.dataset, trajectories=(replace(run, x=run.x + shift),)))
    found = phase_line(Run("flow", "", (), state_of(problem=moved, best=(Visited(law(*terms), 1),))))
    assert found is not None
    return [(round(one.x, 9), one.kind) for one in found.equilibria]


def test_logistic_growth_leaves_zero_and_rests_at_its_capacity():
    assert equilibria(("x", 1.0), ("x**2", -1.0)) == [(0.0, "unstable"), (1.0, "stable")]


def test_a_rate_that_only_touches_zero_is_half_stable():
    assert equilibria(("x**2", 1.0), shift=-0.5) == [(0.0, "half-stable")]


def test_a_place_of_rest_beyond_the_data_is_found_when_it_is_near():
    assert equilibria(("1", 1.2), ("x", -1.0)) == [(1.2, "stable")]
    assert equilibria(("1", 3.0), ("x", -1.0)) == []


def test_a_pole_is_no_place_of_rest():
    assert equilibria(("1/(x - 0.5)", 1.0)) == []
    assert equilibria(("1/(x - 0.5)", 1.0), ("1", -4.0)) == [(0.75, "stable")]


def test_a_law_that_needs_the_time_or_two_states_has_no_line():
    assert phase_line(Run("flow", "", (), state_of(best=(Visited(law(("sin(t)", 1.0)), 1),)))) is None
    assert phase_line(Run("flow", "", (), state_of())) is None


def test_an_attempt_that_is_another_than_the_best_is_simulated_beside_it():
    run = two_attempts(["x", "x**2"], ["x"])
    (best,), (now,) = curves(run), attempted(run)
    assert best.nmse[0] < 1e-6
    assert now.nmse[0] > 0.01
    assert now.model is not None


def test_an_attempt_with_the_terms_of_the_best_is_not_told_again():
    assert attempted(two_attempts(["x", "x**2"], ["x**2", "x"])) == ()


def test_an_attempt_that_lacks_an_equation_says_so_and_has_no_model():
    run = two_attempts(["x", "x**2"], ["x"])
    assert run.state.last is not None
    state = replace(run.state, last=replace(run.state.last, attempt=(None,)))
    (curve,) = attempted(replace(run, state=state))
    assert curve.model is None
    assert curve.failure == "None of its equations for dx/dt could be fitted."


def test_an_attempt_that_blows_up_says_so_and_has_no_error():
    run = two_attempts(["x", "x**2"], ["x"])
    assert run.state.last is not None
    wild = EquationFit(0, (FittedTerm("x**3", 50.0),), 1.0, 1.0, 1.0, 1.0, 1.0)
    state = replace(run.state, last=replace(run.state.last, attempt=(wild,)))
    (curve,) = attempted(replace(run, state=state))
    assert curve.failure
    assert curve.nmse == (None,)
