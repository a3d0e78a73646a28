"""The paper's systems: laws, trajectories and noise."""

import math

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from dolq_core.bundled import PAPER_SYSTEMS, generate, system
from dolq_core.errors import DataError
from dolq_core.terms import parse_term
from tests.every import every

NUMBERS = [one.id for one in PAPER_SYSTEMS]
# right-hand sides as the paper prints them; `terms` and `field` are two other ways to write the same
PRINTED = {
    1: ["-0.4*x0*x1", "0.4*x0*x1 - 0.314*x1"],
    2: ["-x0**2/5.0 - sin(x1)", "x0 - cos(x1)/x0"],
    3: ["8.9 - 4.0*x0*x1/(x0**2 + 1.0) - x0", "1.4*x0*(1.0 - x1/(x0**2 + 1.0))"],
    4: ["0.5*(1.0 - x0) - x0*x1**2", "-0.02*x1 + x0*x1**2"],
    5: ["0.33*sin(x0 - x1) - sin(x0)", "-0.33*sin(x0 - x1) - sin(x1)"],
    6: ["-x0 + 1.0/(exp(4.89*x1 - 1.4) + 1.0)", "-x1 + 1.0/(exp(4.89*x0 - 1.4) + 1.0)"],
    7: ["1.432 + sin(x1)*cos(x0)", "0.972 + sin(x1)*cos(x0)"],
    8: ["-9.81*sin(x1) - 0.030625*x0**2", "-9.81*cos(x1)/x0 + 0.6125*x0", "x0*cos(x1)", "x0*sin(x1)"],
}


def values(texts: list[str], state: tuple[float, ...]) -> list[float]:
    symbols = {f"x{j}": value for j, value in enumerate(state)}
    return [float(sympy.sympify(text).subs(symbols)) for text in texts]


@pytest.mark.parametrize("number", NUMBERS)
def test_terms_and_field_are_the_printed_law(number):
    one = system(number)
    for state in one.initial:
        printed = values(PRINTED[number], state)
        assert values([" + ".join(f"({term})" for term in terms) for terms in one.terms], state) == pytest.approx(
            printed, rel=1e-13
        )
        assert one.field(0.0, state) == pytest.approx(printed, rel=1e-13)


@pytest.mark.parametrize("regime", ["id", "ext"])
@pytest.mark.parametrize("initial", [0, 1])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_trajectory_obeys_its_law_and_a_second_integrator(number, initial, regime):
    one = system(number)
    (run,) = generate(number, initial, regime).dataset.trajectories
    assert run.t.shape == (1000,)
    assert run.x.shape == (1000, len(one.terms))
    assert (run.t[0], run.t[-1]) == (0.0, one.end if regime == "id" else 2.0 * one.end)
    np.testing.assert_array_equal(run.x[0], one.initial[initial])
    other = solve_ivp(one.field, (run.t[0], run.t[-1]), run.x[0], "LSODA", run.t, rtol=1e-13, atol=1e-13, max_step=0.01)
    np.testing.assert_allclose(run.x, other.y.T, rtol=2e-10, atol=2e-10)  # LSODA is the worse one

    step = run.t[1]
    slopes = (run.x[:-4] - 8 * run.x[1:-3] + 8 * run.x[3:-1] - run.x[4:]) / (12 * step)  # of fourth order
    field = np.array([one.field(t, x) for t, x in zip(run.t[2:-2], run.x[2:-2].tolist(), strict=True)])
    np.testing.assert_allclose(slopes, field, atol=1e-3 * np.abs(field).max())


def test_the_longer_regime_is_the_same_path_and_goes_on():
    short, long = (generate(2, regime=regime, points=101).dataset.trajectories[0] for regime in ("id", "ext"))
    np.testing.assert_allclose(long.x[:51], short.x[::2], rtol=0, atol=1e-11)
    assert long.t[-1] == 10.0


def test_noise_has_the_asked_size_and_repeats_with_its_seed():
    clean = generate(2).dataset.trajectories[0].x
    noisy = generate(2, noise=0.1, seed=3).dataset.trajectories[0].x
    np.testing.assert_allclose((noisy - clean).std(axis=0), 0.1, rtol=0.1)
    assert generate(2, noise=0.1, seed=3) == generate(2, noise=0.1, seed=3)
    assert generate(2, noise=0.1, seed=3) != generate(2, noise=0.1, seed=4)


def test_relative_noise_is_in_units_of_each_state():
    clean = generate(8).dataset.trajectories[0].x
    noisy = generate(8, noise=0.05, relative=True).dataset.trajectories[0].x
    np.testing.assert_allclose((noisy - clean).std(axis=0), 0.05 * clean.std(axis=0), rtol=0.1)


def test_nobody_can_write_into_a_trajectory():
    assert not generate(1).dataset.trajectories[0].x.flags.writeable
    assert not generate(1, noise=0.1).dataset.trajectories[0].x.flags.writeable


@pytest.mark.parametrize("number", NUMBERS)
def test_states_are_called_by_position_and_have_a_meaning(number):
    states = generate(number).dataset.states
    assert [state.name for state in states] == [f"x{j}" for j in range(len(system(number).terms))]
    assert every(state.symbol == state.name and state.meaning for state in states)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"system_id": 9}, "They go from 1 to 8"),
        ({"system_id": 1, "initial": 2}, "no initial state 2"),
        ({"system_id": 1, "regime": "ood"}, "'ood' is no regime"),
        ({"system_id": 1, "points": 1}, "1 points make no trajectory"),
        ({"system_id": 1, "noise": -1.0}, "noise of -1.0"),
        ({"system_id": 1, "noise": math.nan}, "noise of nan"),
    ],
)
def test_what_cannot_be_generated_is_refused(arguments, part):
    with pytest.raises(DataError, match=part):
        generate(**arguments)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_true_term_is_of_the_language_and_stands_once(number):
    one = system(number)
    names = [f"x{j}" for j in range(len(one.terms))]
    for terms in one.terms:
        assert len({parse_term(term, names).skeleton for term in terms}) == len(terms)
