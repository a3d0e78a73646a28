"""What a structure costs before any data are seen."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting.prior import BENT_BACK, FOREIGN, INVERSE, ODD, SAID, SHARED, UNSAID, Prior, numbers
from dolq_core.fitting.ranking import DOUBTFUL
from dolq_core.fitting.score import NAMING, complexity
from dolq_core.fitting.symmetry import image
from tests.agents.problems import PREY, noisy, prey


def test_what_words_suggest_is_cheap_and_what_nothing_speaks_for_is_dear():
    given = prey(description=PREY)
    plain = Prior(given)
    assert plain.name(0, "x0") < plain.name(0, "x1")
    assert plain.name(0, "sin(x0)") > plain.name(0, "x0**3") + 5.0
    words = "A pendulum swings."
    swing = noisy(lambda _, x: [x[1], -x[0]], [1.0, 0.0], 6.0, description=words, names=("angle", "rate"))
    assert Prior(swing).name(1, "sin(angle)") < 5.0


@pytest.mark.parametrize(
    ("second", "unit", "meaning", "is_angle"),
    [
        ("b", "", "", True),
        ("b", "rad", "", True),
        ("b", "m", "", False),
        ("speed", "", "", False),
        ("b", "", "radial velocity", False),
        ("b", "", "angle to the distance from the star", True),
    ],
)
def test_words_of_angles_speak_for_no_sine_of_what_is_none(second, unit, meaning, is_angle):
    words = "A body with angular momentum swings about a magnet, at an angle to it."
    given = noisy(lambda _, x: [x[1], -x[0]], [1.0, 0.0], 6.0, description=words, names=("a", second))
    states = (given.dataset.states[0], replace(given.dataset.states[1], unit=unit, meaning=meaning))
    prior = Prior(replace(given, dataset=replace(given.dataset, states=states)))
    cost = prior.name(0, f"cos({second})") - NAMING - complexity("cos(a)")
    assert cost < 0.0 if is_angle else cost > ODD["cos"]
    assert prior.name(0, f"cos({second})") == prior.name(0, f"sin({second})")
    assert prior.name(0, f"sin(params[0]*{second})") < prior.name(0, "sin(params[0]*a)") + ODD["sin"]


@pytest.mark.parametrize(
    ("unit", "turns", "is_dear"), [("", 0.3, True), ("rad", 0.3, True), ("deg", 0.3, False), ("", 9.0, False)]
)
def test_the_sine_of_an_angle_has_no_scale_of_its_own(unit, turns, is_dear):
    start = [2.0 * np.pi * turns, 0.0]
    words = "Two pendulums coupled by a spring. Angles and angular velocities."
    given = noisy(lambda _, x: [x[1], -x[0]], start, 6.0, description=words, names=("theta", "rate"))
    states = (replace(given.dataset.states[0], unit=unit), given.dataset.states[1])
    prior = Prior(replace(given, dataset=replace(given.dataset, states=states)))
    more = prior.name(1, "sin(params[0]*theta)") - prior.name(1, "sin(theta)")
    assert (more >= ODD["sin"]) == is_dear
    assert prior.name(1, "sin(2*theta)") < prior.name(1, "sin(theta)") + ODD["sin"]


def test_an_inverse_that_no_word_speaks_for_costs_more():
    prior = Prior(prey())
    assert prior.name(0, "1/x0") == pytest.approx(prior.name(0, "sqrt(x0)") - 1.0 + INVERSE)
    told = Prior(prey(description="Two bodies, drawn together by gravity."))
    assert told.name(0, "1/x0") == pytest.approx(NAMING + complexity("1/x0") + SAID)


def test_a_name_that_another_equation_has_or_mirrors_is_shared():
    prior = Prior(prey())
    alone = prior.system([["x0**3"], []], 500) + prior.system([[], ["x1**3"]], 500)
    assert prior.system([["x0**3"], ["x1**3"]], 500) == pytest.approx(alone - prior.name(1, "x1**3") + SHARED)
    assert image("x0**2*x1", (("x0", "x1"),)) == "x0*x1**2"


def test_an_equation_that_is_the_image_of_another_is_named_at_once():
    prior = Prior(prey())
    both = [["x0", "x0**2", "x0*x1"], ["x1", "x1**2", "x0*x1"]]
    other = [both[0], ["x1", "x1**2", "x0"]]
    assert prior.system(both, 500) == pytest.approx(prior.system(other, 500) - SHARED)
    more = [[*both[0], "1"], both[1]]
    again = [more[0], [*both[1], "1"]]
    assert prior.system(again, 500) > prior.system(more, 500) + DOUBTFUL


@pytest.mark.parametrize(
    ("term", "units", "is_senseless"),
    [
        ("x0*sqrt(x0**2 + x1**2)", ("eV", "1/m^3"), True),
        ("x0*sqrt(x0**2 + x1**2)", ("m/s", "m/s"), False),
        ("x0*sqrt(x0**2 + x1**2)", ("eV", ""), False),
        ("x0*x1/(x0 + x1)", ("hares", "lynxes"), False),
        ("x0*x1/(params[0] + x0)", ("eV", "1/m^3"), False),
        ("1 - x0", ("eV", "1/m^3"), False),
    ],
)
def test_a_sum_of_unlike_things_costs_as_a_curve_of_an_amount_does(term, units, is_senseless):
    bare = noisy(lambda _, x: [-x[0], -x[1]], [1.0, 2.0], 3.0, points=60)
    states = tuple(replace(v, unit=unit) for v, unit in zip(bare.dataset.states, units, strict=True))
    given = replace(bare, dataset=replace(bare.dataset, states=states))
    more = Prior(given).name(0, term) - Prior(bare).name(0, term)
    assert more == pytest.approx(FOREIGN - UNSAID[2] if is_senseless else 0.0)


@pytest.mark.parametrize(
    ("words", "terms", "more"),
    [
        ("A ship rolls.", ["heel", "sin(heel)"], BENT_BACK),
        ("A rod on a spring swings.", ["heel", "sin(heel)"], 0.0),
        ("A ship rolls.", ["heel", "heel**3"], 0.0),
        ("A ship rolls.", ["rate", "sin(heel)"], 0.0),
    ],
)
def test_an_angle_beside_its_sine_is_a_cube_in_disguise_unless_something_restores_it(words, terms, more):
    given = noisy(lambda _, x: [x[1], -x[0]], [1.0, 0.0], 9.0, points=90, description=words, names=("heel", "rate"))
    prior = Prior(given)
    alone = sum(prior.name(1, term) + numbers(term, 90) for term in terms)
    assert prior.system([[], terms], 90) == pytest.approx(alone + more)
