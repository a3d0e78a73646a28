"""Laws that many terms of other families follow to the last digit: the few of the law itself are found all the same."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.exact import Exact
from dolq_core.agents.builtin.library import EVERY, on_data
from dolq_core.agents.builtin.sampler import _searched
from dolq_core.agents.builtin.search import search
from dolq_core.fitting import Workbench
from dolq_core.loop import status
from dolq_core.records import TermKey
from dolq_core.terms import parse_term
from tests.agents.problems import begun, law, run, searched, simulated, terms_of
from tests.every import every


def test_an_open_power_needs_no_word():
    done = run(simulated(lambda t, x: [-0.0021 * x[0] ** 2.5], [60.0], 6.0, points=300))
    assert set(law(done)) == {"x0**2.5"}


def test_a_power_of_what_lies_above_a_level():
    done = run(simulated(lambda t, x: [-0.03 * (x[0] - 0.4) ** 1.7], [5.0], 90.0, "A slice dries.", points=300))
    assert set(law(done)) == {"(-params[0] + x0)**params[1]"}
    assert done.best[0].fit.terms[0].inner == pytest.approx((0.4, 1.7), rel=1e-4)


def test_powers_of_two_variables_together():
    def rhs(t, x):
        return [1.7 * x[0] ** 0.6 * x[1] ** -0.4 - 0.3 * x[0], 0.8 * x[0] - 0.2 * x[1]]

    given = simulated(rhs, [3.0, 9.0], 30.0, "One kind of cell hinders the other.", points=120)
    assert terms_of(searched(given)[0]) == {"x0", "x0**params[0]/x1**params[1]"}


def test_a_bond_of_two_atoms():
    """Along one run the energy is constant, and exp(-x0) with the square of the speed says the same in three terms."""

    def rhs(t, x):
        return [x[1], 1.8 * np.exp(-2.6 * x[0]) - 2.1 * np.exp(-1.3 * x[0])]

    done = run(simulated(rhs, [1.1, 0.2], 20.0, "Two atoms of a molecule vibrate.", points=500))
    assert set(law(done, 1)) == {"params[0]*exp(-params[1]*x0) - exp(-2*params[1]*x0)"}
    assert done.best[1].fit.terms[0].inner == pytest.approx((2.1 / 1.8, 1.3), rel=1e-4)


def test_a_ball_that_circles_the_vertical():
    def rhs(t, x):
        return [x[1], 3.4 * np.cos(x[0]) / np.sin(x[0]) ** 3 - 12.3 * np.sin(x[0])]

    words = "x0 is the angle from the vertical of a ball on a string; its angular momentum is kept."
    done = run(simulated(rhs, [1.35, 0.0], 5.0, words, points=300))
    assert set(law(done, 1)) == {"cos(x0)/sin(x0)**3", "sin(x0)"}


def test_light_that_those_above_take_from_those_below():
    def rhs(t, x):
        return [52.0 * np.log(280.0 / (30.0 + 250.0 * np.exp(-0.021 * x[0]))) - 0.28 * x[0]]

    done = run(simulated(rhs, [6.0], 16.0, "Algae in a pond shade each other.", points=160))
    assert set(law(done)) == {"1", "log(1 + params[0]*exp(-x0/params[1]))", "x0"}
    assert status(done, 0)[0] == "settled"


def test_a_gas_that_crowds_a_surface():
    def rhs(t, x):
        return [0.42 * (5.2 - x[0]) - 26.0 * x[0] / (1.0 + 2.4 * x[0]) ** 2]

    done = run(simulated(rhs, [5.0], 7.0, "The gas crowds the surface of a catalyst.", points=200))
    assert set(law(done)) == {"1", "x0", "x0/(params[0] + x0)**2"}


def test_hunters_in_each_others_way_though_the_words_know_of_none():
    def rhs(t, x):
        both = x[0] * x[1] / ((28.0 + x[0]) * (8.0 + x[1]))
        return [0.7 * x[0] - 0.006 * x[0] ** 2 - 260.0 * both, 45.0 * both - 1.35 * x[1]]

    given = simulated(rhs, [70.0, 0.5], 26.0, "The bag of the foxes is in proportion to both numbers.", points=200)
    found = searched(given, 1, stage=EVERY, part=-1)
    assert terms_of(found[0]) == {"x0*x1/((params[0] + x0)*(params[1] + x1))", "x1"}


def test_a_star_in_a_soft_and_flattened_halo():
    def rhs(t, x):
        away = 2.0 + x[0] ** 2 + 1.3 * x[1] ** 2
        return [x[2], x[3], -9.0 * x[0] / away, -11.7 * x[1] / away]

    words = "A star moves in a galaxy with a flattened halo: positions x0, x1 and velocities x2, x3."
    done = run(simulated(rhs, [3.0, 0.4, 0.2, 2.0], 12.0, words, points=300))
    assert set(law(done, 2)) == {"x0/(params[0] + params[1]*x1**2 + x0**2)"}
    assert done.best[2].fit.terms[0].inner == pytest.approx((2.0, 1.3), rel=1e-4)


@pytest.mark.parametrize(
    ("words", "skeleton"),
    [
        (
            "Two lakes exchange water by a flow that runs whichever way the lighter one lies.",
            "x1*abs(params[0]*x1 - x0)",
        ),
        ("A star in the halo of a galaxy.", "x0/(params[0] + params[1]*x1**2 + x0**2)"),
    ],
)
def test_some_forms_are_tried_only_where_words_speak_of_them(words, skeleton):
    for description, is_there in ((words, True), ("", False)):
        given = simulated(lambda t, x: [x[2], 0.3 - x[1], -x[0]], [3.0, 0.4, 0.2], 9.0, description, points=60)
        state, setup = begun(given)
        assert (skeleton in {e.skeleton for j in (1, 2) for e in on_data(state, setup.bench, j, 4)}) == is_there


def test_one_curved_flow_beside_a_linear_law_of_three_states():
    def rhs(t, x):
        up = 50.0 * (1.0 + 0.4 * np.log(x[0] / 600.0))
        return [
            9.0 - up + 0.03 * x[1] - 0.12 * x[0] + 0.08 * x[2],
            up - 0.03 * x[1],
            0.12 * x[0] - 0.1 * x[2] + 19.0,
        ]

    given = simulated(rhs, [650.0, 1300.0, 900.0], 120.0, "Carbon moves between three boxes.", points=120)
    assert terms_of(searched(given, 0, 2)[0]) == {"1", "x0", "x1", "x2", "log(x0)"}
    assert terms_of(searched(given, 1, 2)[0]) == {"1", "x1", "log(x0)"}


def test_two_terms_share_the_number_inside_them():
    """Along one run their columns are all but the same, and each number makes up for the other."""

    def rhs(t, x):
        uptake = x[0] * x[1] / (x[1] + 6.3)
        growth = 0.91 * uptake * (1.0 - x[2] / 43.0)
        return [growth, -3.7 * growth - 0.34 * uptake, 3.2 * growth + 0.29 * uptake]

    given = simulated(rhs, [0.12, 47.0, 1.4], 10.0, points=350)
    bench = Workbench.of(given.dataset)
    pair = ("x0*x1/(params[0] + x1)", "x0*x1*x2/(params[0] + x1)")
    for equation in range(3):
        best = search(bench, equation, Choice(("x0", "x1", "x0*x1", "x0*x2", *pair)), [], 8)[0]
        assert {term.skeleton for term in best.terms} == set(pair)
        assert [term.inner[0] for term in best.terms] == pytest.approx([6.3, 6.3], rel=1e-4)


def test_plain_terms_come_back_where_others_only_imitate_them():
    def rhs(t, x):
        eaten = x[0] ** 2 * x[1] / (x[0] ** 2 + 1800.0)
        return [x[0] * (4.5 + 1.8 * np.sin(6.1 * t)) - 0.02 * x[0] ** 2 - 600.0 * eaten, 3.0 * eaten - 1.3 * x[1]]

    words = "Voles breed by the season and compete for food; weasels switch to them when there are many."
    found = searched(simulated(rhs, [84.0, 0.3], 10.0, words, points=300), stage=2)[0]
    assert terms_of(found) == {"x0", "x0**2", "x0*sin(params[0]*t)", "x0**2*x1/(params[0] + x0**2)"}


def test_no_term_stands_twice_beside_one_that_a_person_pinned(monkeypatch):
    def rhs(t, x):
        eaten = x[0] ** 2 * x[1] / (x[0] ** 2 + 1800.0)
        return [x[0] * (4.5 + 1.8 * np.sin(6.1 * t)) - 0.02 * x[0] ** 2 - 600.0 * eaten, 3.0 * eaten - 1.3 * x[1]]

    tried, fitted = [], Exact.fitted
    monkeypatch.setattr(Exact, "fitted", lambda self, terms: tried.append(known := [*terms]) or fitted(self, known))
    pinned = "x0**2*x1/(params[0] + x0**2)"
    waves = ("x0*sin(params[0] + params[1]*t)", "exp(params[0]*x0)", "x0*exp(params[0]*x0)")
    bench = Workbench.of(simulated(rhs, [84.0, 0.3], 10.0, points=300).dataset)
    search(bench, 0, Choice(("1", "x0", "x1", "x0*x1", *waves, pinned)), [pinned], 8)
    assert every(len({skeleton for skeleton, _ in terms}) == len(terms) for terms in tried)


def test_a_steep_response_to_large_numbers_has_its_whole_exponent():
    """In mg/dL the number inside is of the order of a million."""

    def rhs(t, x):
        made = 9.3 * x[0] ** 3 / (2.9e6 + x[0] ** 3)
        return [1.9 - 0.014 * x[0] - 0.0011 * x[0] * x[1], made - 0.19 * x[1]]

    given = simulated(rhs, [290.0, 7.0], 150.0, "Sugar in the blood, and the hormone it calls for.", points=300)
    assert terms_of(searched(given, 1)[0]) == {"x0**3/(params[0] + x0**3)", "x1"}


def test_near_zero_a_plain_term_is_not_taken_for_one_that_bends():
    """Beside x0**3 the next order of tanh(x0) may make up for what a kink leaves of the rates."""

    def rhs(t, x):
        return [x[1], 27.6 * x[0] - 6140.0 * x[0] ** 3 - 1.15 * x[1] * np.abs(x[1])]

    given = simulated(rhs, [0.128, 0.0], 8.0, "A pressed strip snaps to and fro in oil.", points=520)
    assert terms_of(searched(given, 1, 4, 1)[0]) == {"x0", "x0**3", "x1*abs(x1)"}


def test_what_holds_growth_back_is_found_by_the_uptake_of_another_equation():
    def rhs(t, x):
        taken = x[0] * x[1] / (24.0 + x[1])
        return [0.21 * taken * (1.0 - x[2] / 80.0) - 0.019 * x[0], -1.5 * taken, 0.7 * taken - 0.008 * x[2]]

    given = simulated(rhs, [0.5, 150.0, 1.0], 60.0, "Yeast ferments sugar to alcohol.", points=300)
    taken = (("x0*x1/(params[0] + x1)", (24.0,)),)
    assert terms_of(searched(given, laws=(taken,))[0]) == {"x0", "x0*x1/(params[0] + x1)", "x0*x1*x2/(params[0] + x1)"}


def test_what_competes_for_an_enzyme_elsewhere_shows_the_curve_that_acts_beside_it():
    def rhs(t, x):
        free = 1.0 + x[0] + x[1]
        return [
            0.004 + 0.07 * x[0] ** 2 / (0.04 + x[0] ** 2) - x[0] / free,
            0.82 / (1 + (x[0] / 0.222) ** 5) - x[1] / free,
        ]

    given = simulated(rhs, [0.28, 5.6], 50.0, points=250)
    steep, both, known = "1/(params[0] + x0**params[1])", "x1/(params[0] + x0 + x1)", "x0/(params[0] + x0 + x1)"
    shape = "1/(1 + exp(-params[0] + params[1]*x0))"
    library = ("1", "x0", "x1", "x0**2", "x1**2", "x0*x1", "x0**3", "x1**3", both, known, steep, shape)
    shared = ((known, (1.0,)),)
    for choice in (Choice(library, shared=shared, known=shared), Choice(library, shared=shared)):
        best = search(Workbench.of(given.dataset), 1, choice, (), 6)[0]
        assert (terms_of(best) == {steep, both}) == bool(choice.known)


def test_a_rhythm_of_contacts_is_found_in_both_equations_that_they_change():
    def rhs(t, x):
        new = (0.5 + 0.2 * np.sin(0.021 * t)) * x[0] * x[2]
        return [0.011 * (1.0 - x[0] - x[1] - x[2]) - new, new - 0.26 * x[1], 0.26 * x[1] - 0.17 * x[2]]

    words = "Shares of healthy, infected and ill people; contacts follow the seasons, and immunity is lost."
    done = run(simulated(rhs, [0.93, 0.002, 0.001], 380.0, words, points=380), iterations=6)
    flow = {"x0*x2", "x0*x2*sin(params[0]*t)"}
    assert set(law(done, 0)) == {"1", "x0", "x1", "x2", *flow}
    assert set(law(done, 1)) == {"x1", *flow}
    assert [status(done, j)[0] for j in range(3)] == ["settled"] * 3


def test_a_current_through_a_gate_that_opens_by_itself_has_two_terms_with_one_curve():
    def rhs(t, x):
        gate = 1.0 / (1.0 + np.exp(-(x[0] + 2.0) / 8.0))
        current = 5.0 - 0.12 * (x[0] + 58.0) - 0.21 * gate * (x[0] - 115.0) - 0.38 * x[1] * (x[0] + 80.0)
        return [current, 0.05 / (1.0 + np.exp(-(x[0] - 4.0) / 8.5)) - 0.05 * x[1]]

    bench = Workbench.of(simulated(rhs, [-40.0, 0.03], 250.0, points=500).dataset)
    gates = ("1/(1 + exp(-params[0] + params[1]*x0))", "x0/(1 + exp(-params[0] + params[1]*x0))")
    best = search(bench, 0, Choice(("1", "x0", "x1", "x0**2", "x0*x1", "x1**2", "x0**3", *gates)), [], 10)[0]
    assert {term.skeleton for term in best.terms} == {"1", "x0", "x1", "x0*x1", *gates}
    assert best.floor_ratio < 1.0


def test_a_term_of_another_equation_is_tried_though_no_mechanism_of_this_one_writes_it_so():
    def rhs(t, x):
        eaten = x[0] * x[1] / (x[0] + 6.5 * x[1])
        return [0.7 * x[0] - 0.0012 * x[0] ** 2 - 6.2 * eaten, 0.8 * eaten - 0.26 * x[1]]

    given = simulated(rhs, [450.0, 5.0], 40.0, points=300)
    eaten = "x0*x1/(params[0]*x1 + x0)"
    flow = ((eaten, (6.5,)), ("x1", ()))
    best = search(Workbench.of(given.dataset), 0, Choice(("1", "x0", "x1", "x0**2"), flows=(flow,)), (), 6)[0]
    assert {term.skeleton for term in best.terms} == {"x0", "x0**2", eaten}
    # alone either way of writing it will do: it is the same function
    found = terms_of(searched(given)[0])
    assert found - {eaten, "x0*x1/(params[0]*x0 + x1)"} == {"x0", "x0**2"}
    assert len(found) == 3


def test_two_curved_terms_are_searched_past_for_the_single_one_that_they_imitate():
    def rhs(t, x):
        eaten = x[0] * x[1] / ((2.1 + x[0]) * (1.0 + x[0] / 19.0))
        return [-1.3 * eaten, 0.6 * eaten - 0.04 * x[1]]

    given = simulated(rhs, [48.0, 0.9], 25.0, "Bacteria crowd one another in a flask.", points=250)
    state, setup = begun(given)
    best = _searched(replace(state, iteration=1), setup.bench, 0, ())[0]
    assert terms_of(best) == {"x0*x1/(params[0] + params[1]*x0**2 + x0)"}


def test_two_angles_act_on_each_other_through_their_difference_and_change_two_speeds():
    def rhs(t, x):
        tie = 4.8 * np.sin(x[0] - x[2])
        one = 5.5 - 8.7 * np.sin(x[0]) - tie - 0.3 * x[1]
        return [x[1], one, x[3], 2.9 - 6.6 * np.sin(x[2]) + 0.8 * tie - 0.2 * x[3]]

    done = run(simulated(rhs, [1.7, 0.0, -0.4, 1.0], 10.0, "Two generators on a grid.", points=500))
    assert set(law(done, 1)) == {"1", "x1", "sin(x0)", "sin(x0 - x2)"}
    assert set(law(done, 3)) == {"1", "x3", "sin(x2)", "sin(x0 - x2)"}
    said = next(v.reason for v in done.last.verdicts if v.key == TermKey(3, "sin(x0 - x2)"))
    assert "The angle between x0 and x2 acts on x3" in said


def test_contacts_that_fade_with_the_number_of_the_ill():
    def rhs(t, x):
        new = 0.0003 * x[0] * x[1] * np.exp(-0.004 * x[1])
        return [0.03 * x[2] - new, new - 0.15 * x[1], 0.15 * x[1] - 0.03 * x[2]]

    done = run(simulated(rhs, [1990.0, 10.0, 0.0], 90.0, "People are careful when many are ill.", points=240))
    assert set(law(done, 1)) == {"x1", "x0*x1*exp(params[0]*x1)"}


def test_growth_of_one_state_beside_a_loss_that_levels_off():
    def rhs(t, x):
        return [0.09 * x[0] * np.log(750.0 / x[0]) - 14.0 * x[0] ** 2 / (1.4e4 + x[0] ** 2)]

    best = searched(simulated(rhs, [8.0], 40.0, points=240), part=1)[0]
    assert terms_of(best) == {"x0", "x0*log(x0)", "x0**2/(params[0] + x0**2)"}


def test_drag_in_air_that_thins_with_the_height():
    def rhs(t, x):
        return [-x[1], 9.81 - 0.0052 * np.exp(-x[0] / 6400.0) * x[1] ** 2]

    words = "A probe falls; the air resists it, and thins with the height."
    done = run(simulated(rhs, [31000.0, 5.0], 150.0, words, points=300), iterations=3)
    assert set(law(done, 1)) == {"1", "x1**2*exp(params[0]*x0)"}
    said = next(v for v in done.last.verdicts if v.key == TermKey(1, "x1**2*exp(params[0]*x0)"))
    assert said.semantic == "good"
    assert "whose density depends exponentially on x0; the word 'thins' speaks for it" in said.reason


def test_two_camps_that_draw_members_from_each_other():
    def rhs(t, x):
        return [0.07 * (1.0 - x[0]) * x[0] ** 1.42 - 0.05 * x[0] * (1.0 - x[0]) ** 1.42]

    there = ("(1 - x0)*x0**params[0]", "x0*(1 - x0)**params[0]")
    terms = tuple(parse_term(term, ["x0"]).skeleton for term in there)
    given = simulated(rhs, [0.46], 90.0, "Speakers of two languages.", points=250)
    assert set(terms) <= {entry.skeleton for entry in on_data(begun(given)[0], Workbench.of(given.dataset), 0, 2)}
    best = search(Workbench.of(given.dataset), 0, Choice(("1", "x0", "x0**2", "x0**3", *terms)), [], 6)[0]
    assert {term.skeleton for term in best.terms} == set(terms)
    assert [term.inner[0] for term in best.terms] == pytest.approx([1.42, 1.42], rel=1e-4)


def test_a_gate_and_what_drives_its_current_are_one_term():
    def rhs(t, x):
        gate = 1.0 / (1.0 + np.exp(-(x[0] + 1.5) / 9.0))
        current = 4.7 - 0.1 * (x[0] + 60.0) + 0.23 * gate * (118.0 - x[0]) - 0.4 * x[1] * (x[0] + 83.0)
        return [current, 0.05 / (1.0 + np.exp(-(x[0] - 2.0) / 14.0)) - 0.05 * x[1]]

    given = simulated(rhs, [-40.0, 0.04], 240.0, "Calcium and potassium channels of a fibre.", points=500)
    bench = Workbench.of(given.dataset)
    gates = [e.skeleton for e in on_data(begun(given)[0], bench, 0, 4) if "1 + exp(" in e.skeleton]
    best = search(bench, 0, Choice(("1", "x0", "x1", "x0**2", "x0*x1", "x1**2", *gates)), [], 8)[0]
    driven = "(params[0] - x0)/(1 + exp(-params[1] + params[2]*x0))"
    assert {term.skeleton for term in best.terms} == {"1", "x0", "x1", "x0*x1", driven}
    (inner,) = [term.inner for term in best.terms if term.inner]
    assert inner == pytest.approx((118.0, 1.5 / 9.0, -1.0 / 9.0), rel=1e-4)
