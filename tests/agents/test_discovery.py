"""What the built-in agents find on laws that are known."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.bundled import PAPER_SYSTEMS, generate, load_bundled
from dolq_core.loop.status import status
from dolq_core.terms import parse_term
from tests.agents.problems import law, lynx_hare, noise, run, run_anew, simulated, yeast

SIR = "Susceptible people are infected by contact with the sick, who recover."


def sir(_, x):
    return [-0.4 * x[0] * x[1], 0.4 * x[0] * x[1] - 0.314 * x[1]]


def glider(_, x):
    return [-(x[0] ** 2) / 5.0 - math.sin(x[1]), x[0] - math.cos(x[1]) / x[0]]


def saturated(_, x):
    return [-2.0 * x[0] / (0.6 + x[0])]


@pytest.mark.parametrize(("description", "stands"), [("", "provisional"), ("A seasonal rhythm.", "settled")])
def test_time_itself_settles_nothing_unless_a_rhythm_is_spoken_of(description, stands):
    state = run(simulated(lambda t, x: [math.cos(2.0 * t) - 0.5 * x[0]], [0.3], 15.0, description, points=400))
    assert any("t)" in term for term in law(state))
    assert status(state, 0)[0] == stands


def test_yeast_grows_logistically():
    found = law(run(yeast()))
    assert set(found) == {"yeast", "yeast**2"}
    assert found["yeast"] == pytest.approx(0.541, rel=0.05)
    assert -found["yeast"] / found["yeast**2"] == pytest.approx(664.0, rel=0.03)


def test_lynx_and_hare_follow_lotka_and_volterra():
    state = run(lynx_hare())
    assert law(state, 0) == pytest.approx({"hare": 0.481, "hare*lynx": -0.0248}, rel=0.05)
    assert law(state, 1) == pytest.approx({"lynx": -0.926, "hare*lynx": 0.0275}, rel=0.05)
    assert max(state.last.trajectory.nmse) <= 0.05


def test_a_few_samples_that_several_laws_explain_settle_none_of_them():
    state = run(lynx_hare())
    assert min(state.last.rivals) > 0
    assert [len(fits) for fits in state.last.beside] == [min(count, 5) for count in state.last.rivals]
    for j, count in enumerate(state.last.rivals):
        assert status(state, j) == ("provisional", f"It explains the data, and {count} other laws do so about as well.")


@pytest.mark.parametrize("description", ["", SIR])
def test_an_epidemic_is_found_term_by_term(description):
    state = run(simulated(sir, [7.2, 0.98], 2.0, description))
    assert law(state, 0) == pytest.approx({"x0*x1": -0.4}, rel=1e-6)
    assert law(state, 1) == pytest.approx({"x0*x1": 0.4, "x1": -0.314}, rel=1e-6)
    assert state.iteration == 1


def test_a_glider_needs_the_second_iteration_without_words():
    state = run(simulated(glider, [5.0, 0.7], 5.0))
    assert law(state, 0) == pytest.approx({"x0**2": -0.2, "sin(x1)": -1.0}, rel=1e-6)
    assert law(state, 1) == pytest.approx({"x0": 1.0, "cos(x1)/x0": -1.0}, rel=1e-6)
    assert state.iteration == 2


def test_words_bring_the_glider_into_the_first_iteration():
    words = "A glider whose flight is governed by gravity and aerodynamic forces: speed and path angle."
    assert run(simulated(glider, [5.0, 0.7], 5.0, words)).iteration == 1


def test_a_saturation_is_found_with_its_constant():
    state = run(simulated(saturated, [3.0], 2.5, points=400))
    best = state.best[0].fit
    assert {term.skeleton for term in best.terms} == {"x0/(params[0] + x0)"}
    assert [value for term in best.terms for value in term.inner] == pytest.approx([0.6], rel=1e-4)


@pytest.mark.parametrize(("n", "d", "seed"), [(30, 1, 0), (30, 1, 1), (200, 2, 1)])  # more: python -m lab nothing
def test_pure_noise_has_no_law(n, d, seed):
    state = run(noise(n, d, seed))
    assert [status(state, j)[0] for j in range(d)] == ["none"] * d


def test_the_same_problem_gives_the_same_run():
    once, again = (run_anew(yeast(), iterations=2) for _ in range(2))
    assert once.archive == again.archive
    assert once.insight == again.insight


def test_units_do_not_change_the_structure():
    small = run(simulated(lambda t, x: [0.5 * x[0] - 2.5e5 * x[0] ** 2], [1e-8], 20.0), iterations=1)
    assert law(small) == pytest.approx({"x0": 0.5, "x0**2": -2.5e5}, rel=1e-5)
    assert np.isfinite(small.best[0].fit.score)


@pytest.mark.parametrize(("system", "words_of"), [(4, 5), (5, 6)])
def test_words_of_another_system_do_not_crowd_out_the_law(system, words_of):
    given = replace(generate(system), description=load_bundled(f"system-{words_of}").description)
    done = run(given)
    for j, texts in enumerate(PAPER_SYSTEMS[system - 1].terms):
        assert set(law(done, j)) == {parse_term(text, ["x0", "x1"]).skeleton for text in texts}
