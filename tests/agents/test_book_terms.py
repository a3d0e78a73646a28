"""Terms that models in books have, and the words that bring them in, where it takes any."""

import numpy as np
import pytest

from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.library import on_data
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.sets import Sets
from dolq_core.fitting import Workbench
from dolq_core.terms import parse_term
from tests.agents.problems import begun, searched, simulated, terms_of
from tests.every import every


def test_what_dies_away_is_a_supply_that_fades():
    def rhs(t, x):
        return [2.4 * np.exp(-0.7 * t) - 0.5 * x[0] / (0.3 + x[0])]

    words = "A tracer comes into the blood at a rate that dies away; the liver saturates."
    best = searched(simulated(rhs, [0.2], 9.0, words, points=300), stage=2)[0]
    assert terms_of(best) == {"exp(params[0]*t)", "x0/(params[0] + x0)"}


def test_gas_leaves_a_wall_as_one_over_time():
    def rhs(t, x):
        return [0.3 + 4.2 / (1.4 + t) - 0.9 * x[0]]

    words = "Pressure in a chamber: a pump takes gas out, and the walls outgas ever less."
    best = searched(simulated(rhs, [9.0], 12.0, words, points=300), stage=2)[0]
    assert terms_of(best) == {"1", "1/(params[0] + t)", "x0"}


def test_the_level_in_a_ball_moves_slowest_in_the_middle():
    def rhs(t, x):
        return [(0.021 - 0.031 * np.sqrt(x[0])) / (x[0] * (1.8 - x[0]))]

    words = "Level in a spherical tank that a pump feeds and a hole drains."
    best = searched(simulated(rhs, [1.6], 60.0, words, points=300), stage=3)[0]
    assert terms_of(best) == {"1/(x0*(params[0] - x0))", "1/(sqrt(x0)*(params[0] - x0))"}


def test_the_level_in_a_lying_cylinder_too():
    def rhs(t, x):
        return [(0.012 - 0.02 * np.sqrt(x[0])) / np.sqrt(x[0] * (1.4 - x[0]))]

    words = "Level in a lying barrel that a pump feeds and a hole drains."
    best = searched(simulated(rhs, [1.2], 90.0, words, points=300), stage=2)[0]
    assert terms_of(best) == {"1/sqrt(x0*(params[0] - x0))", "1/sqrt(params[0] - x0)"}


def test_a_rhythm_pulls_a_phase_along():
    def rhs(t, x):
        return [0.41 + 0.07 * np.sin(0.36 * t - x[0])]

    words = (
        "The phase of a firefly beside a lamp that blinks: how far it is from the lamp's sets how the lamp shifts it."
    )
    best = searched(simulated(rhs, [0.5], 90.0, words, points=400), stage=2)[0]
    assert terms_of(best) == {"1", "sin(params[0]*t - x0)"}
    assert best.terms[1].inner == pytest.approx((0.36,), rel=1e-4)


def test_births_level_off_with_both_together():
    def rhs(t, x):
        return [5.0 * (x[0] + x[1]) / (8.0 + x[0] + x[1]) - 0.3 * x[0], 0.3 * x[0] - 0.17 * x[1]]

    words = "Young and adults of a fish; eggs come through less and less as the whole stock grows."
    best = searched(simulated(rhs, [0.4, 1.1], 40.0, words, points=250), stage=2)[0]
    assert terms_of(best) == {"(x0 + x1)/(params[0] + x0 + x1)", "x0"}


def test_what_is_eaten_is_shared_out_over_what_another_leaves():
    def rhs(t, x):
        return [
            x[0] * (1.1 - 0.013 * x[0] - 29.0 / (70.0 - x[1])),
            0.5 * x[1] * (1.0 - x[1] / 55.0) - 0.004 * x[0] * x[1],
        ]

    words = "Grass and shrubs of a slope; sheep graze what the shrubs leave."
    best = searched(simulated(rhs, [6.0, 4.0], 30.0, words, points=300), stage=2)[0]
    assert terms_of(best) == {"x0", "x0**2", "x0/(params[0] - x1)"}


def test_what_is_shut_off_beyond_a_threshold_has_its_open_exponent():
    def rhs(t, x):
        return [3.1 / (2.0 + x[1] ** 9.0) - 0.3 * x[0], 0.4 * x[0] - 0.35 * x[1]]

    words = "A messenger is made until its product passes a threshold."
    best = searched(simulated(rhs, [0.3, 0.2], 40.0, words, points=400), stage=2)[0]
    assert terms_of(best) == {"1/(params[0] + x1**params[1])", "x0"}


def test_what_can_still_be_won_goes_with_a_root_below_a_level():
    def rhs(t, x):
        return [0.9 * np.sqrt(80.0 - x[0]) - 0.07 * x[0]]

    assert terms_of(searched(simulated(rhs, [5.0], 30.0, points=250))[0]) == {"sqrt(params[0] - x0)", "x0"}


def test_two_gases_need_two_vacant_places():
    def rhs(t, x):
        left = 1.0 - x[0] - x[1]
        burnt = 7.4 * x[0] * x[1] * left**2
        return [0.17 * left - 0.012 * x[0] - burnt, 0.26 * left - 0.02 * x[1] - burnt]

    words = "Coverage of a metal by two gases; they react where two neighbouring sites are free."
    best = searched(simulated(rhs, [0.1, 0.2], 120.0, words, points=400), stage=1, part=1)[0]
    assert terms_of(best) == {"1", "x0", "x1", "x0*x1*(1 - x0 - x1)**2"}


def test_a_mood_carries_those_over_who_do_not_share_it():
    def rhs(t, x):
        return [0.5 * (1.0 - x[0]) * np.exp(1.3 * x[0]) - 0.6 * (1.0 + x[0]) * np.exp(-1.3 * x[0])]

    words = "Mood before a vote: people take over the opinion of those around them."
    state, setup = begun(simulated(rhs, [0.2], 30.0, words, points=300))
    over, back = "(1 - x0)*exp(params[0]*x0)", "(1 + x0)*exp(params[0]*x0)"
    there = tuple(parse_term(term, ["x0"]).skeleton for term in (over, back))
    assert set(there) <= {entry.skeleton for entry in on_data(state, setup.bench, 0, 2)}
    best = search(setup.bench, 0, Choice(("1", "x0", *there)), [], 4)[0]
    inner = {term.skeleton: term.inner for term in best.terms}
    assert inner == {there[0]: pytest.approx((1.3,), rel=1e-4), there[1]: pytest.approx((-1.3,), rel=1e-4)}


def test_a_plate_is_drawn_to_what_it_comes_near_to():
    def rhs(t, x):
        return [x[1], -1.9 * x[0] - 0.2 * x[1] + 0.8 / (1.6 - x[0]) ** 2]

    words = "A thin plate above an electrode, which draws it the more the smaller the gap."
    best = searched(simulated(rhs, [0.1, 0.0], 25.0, words, points=400), equation=1, stage=2)[0]
    assert terms_of(best) == {"1/(params[0] - x0)**2", "x0", "x1"}


def test_one_amount_is_made_by_another_as_a_third_passes_a_threshold():
    def rhs(t, x):
        return [3.0 - 0.05 * x[0] - 0.02 * x[0] * x[1], 0.2 * x[2] * x[0] ** 2 / (400.0 + x[0] ** 2) - 0.5 * x[1],
                -0.04 * x[2] + 0.002 * x[0] * x[2]]  # fmt: skip

    words = "Sugar, hormone and the tissue that makes it, the more the further the sugar is above a threshold."
    best = searched(simulated(rhs, [35.0, 1.0, 4.0], 60.0, words, points=400), equation=1, stage=2)[0]
    assert terms_of(best) == {"x0**2*x2/(params[0] + x0**2)", "x1"}


def test_memory_goes_with_the_size_of_a_speed():
    def rhs(t, x):
        return [
            x[1],
            -3.0 * x[0] + 4.0 * np.cos(1.7 * t),
            0.8 * x[1] - 0.5 * np.abs(x[1]) * x[2] - 0.3 * x[1] * np.abs(x[2]),
        ]

    given = simulated(rhs, [0.4, 0.0, 0.2], 20.0, "A bearing with hysteresis: place, speed, memory.", points=500)
    state, setup = begun(given)
    there = {entry.skeleton for entry in on_data(state, setup.bench, 2, 1)}
    assert {"x2*abs(x1)", "x1*abs(x2)"} <= there
    best = search(setup.bench, 2, Choice(("1", "x0", "x1", "x2", *there)), [], 3)[0]
    assert terms_of(best) == {"x1", "x2*abs(x1)", "x1*abs(x2)"}


def test_three_others_meet_and_a_fourth_comes_of_it():
    def rhs(t, x):
        met = 0.09 * x[0] * x[1] * x[3]
        return [1.0 - 0.2 * x[0] - met, 0.7 - 0.3 * x[1] * x[2] - met, met - 0.5 * x[2], 0.4 * x[2] - 0.6 * x[3] - met]

    best = searched(simulated(rhs, [2.0, 1.0, 0.3, 2.5], 25.0, points=200), equation=2, stage=1)[0]
    assert terms_of(best) == {"x0*x1*x3", "x2"}


def test_a_share_of_others_deters():
    def rhs(t, x):
        return [0.12 + 0.6 * x[0] * np.exp(-5.0 * x[1] / x[0]) - 0.2 * x[0], 0.04 * x[0] - 0.07 * x[1]]

    words = "Light and heavy users: the heavy ones set an example that deters."
    best = searched(simulated(rhs, [0.5, 0.05], 60.0, words, points=300), stage=2)[0]
    assert terms_of(best) == {"1", "x0", "x0*exp(params[0]*x1/x0)"}


@pytest.mark.parametrize(("states", "are_tried"), [(4, True), (6, True), (7, False)])
def test_of_many_states_no_three_are_multiplied(states, are_tried):
    given = simulated(lambda t, x: -0.1 * x, np.linspace(1.0, 2.0, states), 3.0, points=40)
    state, setup = begun(given)
    assert ("x1*x2*x3" in {entry.skeleton for entry in on_data(state, setup.bench, 0, 1)}) == are_tried


def test_a_share_is_not_deterred_by_what_is_determined():
    state, setup = begun(simulated(lambda t, x: [-0.1 * x[0], -0.2 * x[1]], [1.0, 2.0], 9.0, "A detergent.", points=60))
    assert "x0*exp(params[0]*x1/x0)" not in {entry.skeleton for entry in on_data(state, setup.bench, 0, 4)}


def test_an_enzyme_switches_another_that_is_nearly_used_up():
    def rhs(t, x):
        driven = 2.0 * x[1] / (0.4 + x[1]) * (1.0 - x[0]) / (1.1 - x[0])
        return [driven - 1.1 * x[0] / (0.1 + x[0]), 0.5 - 0.6 * x[1] * x[0]]

    words = "A kinase is switched on by cyclin and off by a phosphatase; both enzymes are near saturation."
    best = searched(simulated(rhs, [0.05, 0.2], 30.0, words, points=400), stage=3)[0]
    assert terms_of(best) == {"x1*(1 - x0)/((params[0] - x0)*(params[1] + x1))", "x0/(params[0] + x0)"}


def test_two_curves_that_words_speak_for_are_tried_beside_what_a_person_forces():
    given = simulated(lambda t, x: [0.9 / (0.3 + x[0]) - np.tanh(2.0 * x[0]) - 0.2 * x[0]], [0.05], 9.0, points=200)
    curves = ("1/(params[0] + x0)", "tanh(params[0]*x0)", "exp(params[0]*x0)")
    sets = Sets(Workbench.of(given.dataset), 0, Choice(("1", "x0", *curves), favoured=curves), ["x0"])
    pairs = [{sets.atoms.skeletons[i] for i in chosen} for chosen in sets.curved_pairs()]
    assert {"x0", *curves[:2]} in pairs
    assert every("x0" in pair and len(pair) == 3 for pair in pairs)


def test_space_expands_by_all_that_it_holds():
    def rhs(t, x):
        return [0.07 * np.sqrt(0.3 / x[0] + 0.04 / x[0] ** 2 + 0.6 * x[0] ** 2)]

    words = "Scale factor of a universe with matter, radiation and a cosmological constant."
    best = searched(simulated(rhs, [0.05], 15.0, words, points=250), stage=2)[0]
    assert terms_of(best) == {"sqrt(params[0]/x0**2 + params[1]/x0 + x0**2)"}
    assert best.terms[0].inner == pytest.approx((0.04 / 0.6, 0.5), rel=1e-3)
