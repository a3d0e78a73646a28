"""Rules on states that the table contradicts are told, with the numbers."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from dolq_core.views.stated import contradicted
from dolq_core.views.veto import costs
from tests.every import every
from tests.stored import fitted

T = np.linspace(0.0, 10.0, 120)
STATES = tuple(Variable(name, name, "mM") for name in ("A", "B"))


def told(rules: str, *tables: np.ndarray) -> tuple[str, ...]:
    """Return what is told of these rules for A and B, one table of samples (n, 2) a run."""
    parts = tuple(Trajectory(frozen(T[: len(x)]), frozen(x), label=f"r{i}") for i, x in enumerate(tables, 1))
    return contradicted(runs.with_blocks(Problem(Dataset("closed", Variable("t", "t"), STATES, parts)), rules))


def exchanged(noise: float = 0.0, points: int = 120) -> np.ndarray:
    """A turns into B: A + B stays at 3."""
    a = 3.0 * np.exp(-0.5 * T[:points])
    return np.column_stack((a, 3.0 - a)) + noise * np.random.default_rng(5).standard_normal((points, 2))


@pytest.mark.parametrize(("noise", "points"), [(0.0, 120), (0.1, 120), (0.2, 12)])
def test_a_sum_that_stays_within_the_noise_is_not_doubted(noise, points):
    assert told('conserved = ["A + B"]', exchanged(noise, points)) == ()


def test_a_sum_that_the_table_contradicts_is_told_with_where_and_how_far():
    (said,) = told('conserved = ["A - B"]', exchanged(0.02)[:3], exchanged(0.02))
    assert said.startswith("A - B is not constant in these data: in run r2 it goes from −3 to 3.01 mM, ")
    assert said.endswith("times the noise.")
    (clean,) = told('conserved = ["A - B"]', exchanged())
    assert clean == "A - B is not constant in these data: it goes from −2.96 to 3 mM."


def test_each_run_may_have_a_sum_of_its_own():
    assert told('conserved = ["A + B"]', exchanged(0.02), 2.0 * exchanged(0.01)) == ()


def test_a_positive_state_that_lies_far_below_zero_is_told_and_one_in_its_noise_is_not():
    below = exchanged(0.02) - np.array([1.0, 0.0])
    assert told('positive = ["A", "B"]', exchanged(0.02)) == ()
    (said,) = told('positive = ["A", "B"]', exchanged(0.02), below)
    assert said.startswith("A is stated positive, and is −1")
    assert every(part in said for part in ("mM in run r2", "times the noise"))


def test_a_state_that_does_not_go_one_way_is_told():
    assert told('monotone = {A = "-", B = "+"}', exchanged(0.1), exchanged(0.02)) == ()
    (said,) = told('monotone = {A = "+", B = "+"}', exchanged(0.02))
    assert said.startswith("A is stated to be only rising, and it goes from 2.98 to −0.0175 mM, ")
    assert said.endswith(" times the noise.")
    (said,) = told('monotone = {B = "-"}', exchanged(), exchanged(0.0, 60))
    assert said == "B is stated to be only falling, and in run r1 it goes from 0 to 2.98 mM."


def test_beside_the_law_it_is_said_as_well():
    problem = Problem(Dataset("closed", Variable("t", "t"), STATES, (Trajectory(frozen(T), frozen(exchanged(0.02))),)))
    run = fitted(runs.with_blocks(problem, 'conserved = ["A - B"]'), [["A"], ["A"]])
    (said,) = costs(run)
    assert said.startswith("The samples contradict your rule: A - B is not constant in these data: it goes from ")
    assert costs(fitted(problem, [["A"], ["A"]])) == ()


def test_a_state_that_was_not_measured_contradicts_nothing():
    lost = exchanged()
    lost[:, 1] = np.nan
    assert told('conserved = ["A - B"]\npositive = ["B"]\nmonotone = {B = "+"}', lost) == ()
