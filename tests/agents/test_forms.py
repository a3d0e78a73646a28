"""Forms of the mechanisms: each one is found as itself, not as something that imitates it."""

import re

import numpy as np
import pytest

from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.library import library
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.twins import without_twins
from dolq_core.fitting import Workbench, complexity
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.starts import starts
from dolq_core.mechanisms import explanations
from tests.agents.problems import begun, law, run, searched, simulated, terms_of

PLAIN_POWERS = ("1", "x0", "x0**2", "x0**3", "x0**4", "1/x0", "1/x0**2")


def drag(t, x):
    speed = np.hypot(x[0], x[1])
    return [-0.05 * x[0] * speed, -9.81 - 0.05 * x[1] * speed]


def test_drag_in_two_dimensions_acts_along_the_motion():
    done = run(simulated(drag, [20.0, 15.0], 3.0, "A ball flies through the air, with drag.", points=400))
    assert set(law(done, 0)) == {"x0*sqrt(x0**2 + x1**2)"}
    assert set(law(done, 1)) == {"1", "x1*sqrt(x0**2 + x1**2)"}


def test_growth_that_follows_the_seasons_has_one_term_for_them():
    def rhs(t, x):
        return [0.4 * x[0] - 0.04 * x[0] ** 2 - 0.25 * x[0] * np.sin(1.1 * t - 0.8)]

    done = run(simulated(rhs, [2.0], 24.0, "An animal whose births follow the seasons.", points=500))
    assert set(law(done)) == {"x0", "x0**2", "x0*sin(params[0] + params[1]*t)"}


def test_a_rhythm_that_begins_at_its_middle_has_no_phase():
    done = run(simulated(lambda t, x: [np.cos(1.7 * t) - 0.3 * x[0]], [1.0], 20.0, "It is driven.", points=400))
    assert set(law(done)) == {"x0", "cos(params[0]*t)"}


def test_a_driven_oscillator_is_not_taken_for_its_resonance():
    def rhs(t, x):
        return [x[1], 1.5 * np.sin(0.9 * t) - 5.0 * x[0] - 0.1 * x[1]]

    done = run(simulated(rhs, [0.0, 1.0], 20.0, "A spring that is driven periodically.", points=400))
    assert set(law(done, 1)) == {"x0", "x1", "sin(params[0]*t)"}


def test_a_steep_response_has_a_whole_exponent_where_the_data_allow_it():
    def rhs(t, x):
        return [3.0 / (1.0 + x[1] ** 4) - x[0], x[0] - 0.6 * x[1]]

    done = run(simulated(rhs, [0.2, 0.3], 14.0, "A protein represses its gene.", points=500))
    assert set(law(done, 0)) == {"x0", "1/(params[0] + x1**4)"}


def test_growth_on_a_substrate_is_saturation_not_its_twin():
    def rhs(t, x):
        eaten = x[0] * x[1] / (0.6 + x[1])
        return [0.9 * eaten - 0.3 * x[0], 1.5 - 0.3 * x[1] - 1.8 * eaten]

    bench = Workbench.of(simulated(rhs, [0.2, 4.0], 24.0, points=500).dataset)
    twins = [bench.fit(0, ["x0", "x0/(params[0] + x1)"]), bench.fit(0, ["x0", "x0*x1/(params[0] + x1)"])]
    known = explanations(begun(simulated(rhs, [0.2, 4.0], 24.0, points=50))[0].problem, bench.names, 0)
    assert twins[0].score < twins[1].score
    assert without_twins(twins, bench, known) == [twins[1]]


def test_a_linear_law_of_two_states_may_have_a_drive_besides():
    def rhs(t, x):
        return [0.4 * (x[1] - x[0]) + 1.2, 0.4 * x[0] - 0.65 * x[1] + 1.5 + 1.25 * np.sin(0.26 * t)]

    done = run(simulated(rhs, [20.0, 8.0], 72.0, "Heat flows between a house and its attic.", points=400))
    assert set(law(done, 1)) == {"1", "x0", "x1", "sin(params[0]*t)"}


def test_two_enzymes_that_saturate_work_on_a_protein_and_on_what_is_left_of_it():
    def rhs(t, x):
        return [0.8 * (1.0 - x[0]) / (1.15 - x[0]) - 0.55 * x[0] / (0.3 + x[0])]

    given = simulated(rhs, [0.02], 8.0, "One enzyme puts phosphate on a protein, another takes it off.", points=400)
    assert terms_of(searched(given, stage=2)[0]) == {"1", "1/(params[0] - x0)", "x0/(params[0] + x0)"}


def test_a_resin_cures_to_open_orders_and_helps_itself():
    words = "Degree of cure of an epoxy resin at 90 °C: the reaction is catalysed by its own product."
    given = simulated(lambda t, x: [(0.0024 + 0.052 * x[0] ** 0.85) * (1.0 - x[0]) ** 1.6], [0.015], 150.0, words, 300)
    best = searched(given)[0]
    assert terms_of(best) == {"(1 - x0)**params[0]*(params[1] + x0**params[2])"}
    assert best.terms[0].inner == pytest.approx((1.6, 0.0024 / 0.052, 0.85), rel=1e-4)


def test_a_rate_may_fall_with_an_open_power():
    """A wire's resistance grows with its heat: beside a fourth power, three terms stood in the place of T**(-1.2)."""
    given = simulated(lambda t, x: [521e3 * x[0] ** -1.2 - 7.4e-13 * x[0] ** 4], [300.0], 70.0, points=350)
    state, setup = begun(given)
    known = explanations(state.problem, setup.bench.names, 0)
    some = [s for s in known if s in PLAIN_POWERS or s.startswith(("1/(params[0] + x0**", "1/x0**params"))]
    best = search(setup.bench, 0, Choice(tuple(some)), (), 5)[0]
    assert terms_of(best) == {"1/x0**params[0]", "x0**4"}
    assert max(term.inner for term in best.terms) == pytest.approx((1.2,))


def test_what_comes_in_a_rhythm_is_spread_over_what_there_is():
    words = "Depth of the mixed layer of air from sunrise on: it eats upwards, the slower the deeper it is."
    given = simulated(lambda t, x: [148.0 * np.sin(0.24 * t) / x[0] - 0.085 * x[0]], [3.0], 9.0, words, 270)
    assert terms_of(searched(given, stage=2)[0]) == {"x0", "sin(params[0]*t)/x0"}


def test_two_others_act_through_one_curve_where_words_say_so():
    def rhs(t, x):
        drive = 3.4 / (1.0 + np.exp(1.3 * x[1] + 1.2 * x[2] - 6.2))
        return [drive - 0.5 * x[0], np.cos(t), 1.0 + np.sin(0.7 * t) - 0.3 * x[2]]

    words = "A rate that is driven through a sigmoid; its rival and its tiredness push the drive down."
    curve = "1/(1 + exp(params[0] + params[1]*x1 + params[2]*x2))"
    state, setup = begun(simulated(rhs, [1.0, 2.0, 0.5], 20.0, words, points=400))
    assert explanations(state.problem, setup.bench.names, 0)[curve].word == "sigmoid"
    fit = setup.bench.fit(0, ["x0", curve])
    assert fit.terms[1].inner == pytest.approx((-6.2, 1.3, 1.2), rel=1e-5)
    nerve, _ = begun(simulated(rhs, [1.0, 2.0, 0.5], 20.0, "A nerve cell is firing.", points=50))
    assert not explanations(nerve.problem, setup.bench.names, 0)[curve].word


def test_nuclei_that_grow_until_they_meet_follow_avrami():
    def rhs(t, x):
        return [0.3 * (1.0 - x[0]) * (-np.log(1.0 - x[0])) ** 0.62]

    done = run(simulated(rhs, [0.02], 9.0, "The crystallised fraction: nuclei grow until they meet.", points=150))
    assert set(law(done)) == {"(-log(1 - x0))**params[0]*(1 - x0)"}


def test_who_swims_straight_towards_a_point_is_as_fast_near_it_as_far_off():
    def rhs(t, x):
        r = np.hypot(x[0], x[1])
        return [1.1 - 1.9 * x[0] / r, -1.9 * x[1] / r]

    done = run(simulated(rhs, [-28.0, 60.0], 25.0, "A dog swims straight towards its master.", points=100), 1)
    assert set(law(done, 0)) == {"1", "x0/sqrt(x0**2 + x1**2)"}
    assert set(law(done, 1)) == {"x1/sqrt(x0**2 + x1**2)"}
    assert done.last.strays == 0  # it stays where it has swum to, and runs away from nowhere


def test_a_drug_that_fades_acts_at_its_limit_first_and_then_wears_off():
    def rhs(t, x):
        return [0.9 * x[0] - 2.2 * x[0] / (1.0 + 0.15 * np.exp(0.35 * t)) - 0.4 * x[0] ** 2]

    words = "Bacteria under an antibiotic, which kills them in a saturating way and decays."
    done = run(simulated(rhs, [0.4], 20.0, words, points=250))
    assert set(law(done)) == {"x0", "x0**2", "x0/(1 + exp(-params[0] + params[1]*t))"}


@pytest.mark.parametrize(("words", "spoken"), [("What flows in follows a sine.", "sine"), ("Something flows in.", "")])
def test_a_sine_that_is_named_speaks_of_a_rhythm(words, spoken):
    state, setup = begun(simulated(lambda t, x: [-x[0]], [1.0], 2.0, words, points=50))
    assert explanations(state.problem, setup.bench.names, 0)["sin(params[0] + params[1]*t)"].word == spoken


def test_no_reason_names_a_variable_that_is_not_in_the_term():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0] - x[1], x[1]], [1.0] * 3, 2.0, points=50))
    known = explanations(state.problem, setup.bench.names, 0)
    assert len(known) > 100
    for skeleton, entry in known.items():
        named = set(re.findall(r"x\d", entry.meaning)) - {"x0"}
        assert named <= set(re.findall(r"x\d", skeleton)), entry


@pytest.mark.parametrize("length", ["(x0**2 + x1**2)**1.5", "(x0**2 + x1**2)", "sqrt(x0**2 + x1**2)"])
def test_a_pull_is_explained_alike_along_every_axis(length):
    """An attraction along x was explained with "here along y", as that along y was."""
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0] - x[1]], [1.0, 1.0], 2.0, "A dog swims.", points=50))
    known = explanations(state.problem, setup.bench.names, 0)
    for axis in ("x0", "x1"):
        assert re.findall(r"x\d", known[f"{axis}/{length}"].meaning) == []


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("Grains of the drug dissolve.", "x0**0.6666666666666666"),
        ("Emissions grow from year to year.", "exp(params[0]*t)"),
        ("The first inhibits what turns the second over.", "x0/((params[0] + x0)*(params[1] + x1))"),
        ("The first inhibits what turns the second over.", "x1/((params[0] + x0)*(params[1] + x1))"),
        ("Hydration of cement, which warms it.", "(1 - x0)**params[0]*exp(-params[1]/x1)"),
    ],
)
def test_words_bring_in_uptake_that_another_chokes_and_conversions_that_heat_drives(words, form):
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0]], [1.0, 1.0], 2.0, words, points=100))
    assert form in {e.skeleton for e in library(state, setup.bench.names, 0, 4)}
    other, _ = begun(simulated(lambda t, x: [-x[0], x[0]], [1.0, 1.0], 2.0, "Two variables.", points=100))
    assert form not in {e.skeleton for e in library(other, setup.bench.names, 0, 4)}


def test_a_conversion_of_second_order_is_found_with_the_heat_that_drives_it():
    def rhs(t, x):
        rate = 2.4e5 * (1.0 - x[0]) ** 2 * np.exp(-4600.0 / x[1])
        return [rate, 45.0 * rate - 0.04 * (x[1] - 290.0)]

    bench = Workbench.of(simulated(rhs, [0.01, 294.0], 70.0, points=200).dataset)
    form, simpler = "(1 - x0)**params[0]*exp(-params[1]/x1)", "exp(-params[0]/x1)*(1 - x0)**2"
    known = Choice((form, "1", "x0", "x1", "x0*x1"), simpler={form: (simpler,)})
    best = search(bench, 0, known, (), 8)[0]
    assert [term.skeleton for term in best.terms] == [simpler]
    assert best.terms[0].inner[0] == pytest.approx(4600.0, rel=1e-6)


def test_a_reaction_in_a_cooled_tank_goes_by_its_own_scale_of_heat():
    """The reactor of Uppal, Ray and Poore (1974): a rate exp(y/(1 + y/20)) in both equations."""

    def rhs(t, x):
        rate = x[0] * np.exp(x[1] / (1.0 + 0.05 * x[1]))
        return [0.6 * (1.4 - x[0]) - 0.08 * rate, 0.6 * rate - 1.3 * x[1]]

    words = "A stirred tank reactor: an exothermic reaction turns the feed over and is cooled."
    done = run(simulated(rhs, [1.1, 0.6], 20.0, words, points=400), 2)
    form = "x0*exp(x1/(1 + params[0]*x1))"
    assert set(law(done, 0)) == {"1", "x0", form}
    assert set(law(done, 1)) == {"x1", form}


def chua(words=""):
    def rhs(t, x):
        pieces = abs(x[0] + 1.0) - abs(x[0] - 1.0)
        return [9.0 * (x[1] - 0.29 * x[0] + 0.22 * pieces), x[0] - x[1] + x[2], -14.3 * x[1]]

    return simulated(rhs, [0.4, 0.1, -0.2], 10.0, words, points=300)


def is_chua(fit):
    (kink,) = [term.inner for term in fit.terms if term.inner]
    assert kink == pytest.approx((1.0,), abs=1e-3)
    return terms_of(fit) == {"x0", "x1", "abs(params[0] + x0) - abs(params[0] - x0)"}


def test_a_diode_of_straight_pieces_is_found_in_chaos():
    assert is_chua(searched(chua())[0])


def test_where_words_speak_of_a_diode_it_is_found_at_once():
    done = run(chua("Chua's circuit; the diode is straight between two kinks."), 2)
    assert is_chua(done.best[0].fit)


def test_a_store_that_releases_more_the_more_is_released_has_a_steep_gate_where_words_say_so():
    def rhs(t, x):
        return [-3.0 * x[0] * x[1] ** 4 / (0.5 + x[1] ** 4) + 0.4 * (2.0 - x[0]), 0.3 - 0.5 * x[1]]

    words = "A store releases what it holds through channels that open cooperatively."
    done = run(simulated(rhs, [1.5, 1.9], 8.0, words, points=300), 4)
    assert set(law(done, 0)) == {"1", "x0", "x0*x1**4/(params[0] + x1**4)"}


def test_a_longitude_is_an_angle():
    def swings(words):
        given = simulated(lambda t, x: [x[1], -3.85 * np.sin(2.0 * x[0])], [1.2, 0.0], 6.0, words, points=50)
        return Prior(given).name(1, "sin(2*x0)")

    plain = swings("What a satellite does that nobody steers.")
    assert swings("Longitude of a satellite that nobody steers.") < plain
    assert swings("Longitudinal stress in what nobody steers, at high latitude.") == plain


def test_what_goes_towards_a_value_or_is_killed_brings_in_nothing():
    words = "Each goes straight towards its value, by a degree an hour, and is killed or crystallised on the way."
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0]], [1.0, 1.0], 2.0, words, points=50))
    known = explanations(state.problem, setup.bench.names, 0)
    for skeleton in ("x0/sqrt(x0**2 + x1**2)", "x0/(1 + exp(-params[0] + params[1]*t))", "x0**0.6666666666666666"):
        assert skeleton in known
        assert not known[skeleton].word
    assert "x0/sqrt(x0**2 + x1**2)" not in {e.skeleton for e in library(state, setup.bench.names, 0, 4)}
    assert not known["(1 - x0)**params[0]*exp(-params[1]/x1)"].word


def test_days_and_resistances_bring_in_nothing():
    """Most tables are by days, and what resists is seldom a wire: a word that says so little speaks for no term."""
    words = "Air resistance slows the fall, over 30 days, a little every day."
    state, setup = begun(simulated(lambda t, x: [-0.1 * x[0]], [3.0], 5.0, words, points=50))
    known = explanations(state.problem, setup.bench.names, 0)
    assert not known["1/x0**params[0]"].word
    assert not known["sin(params[0] + params[1]*t)/x0"].word


def test_a_loop_of_three_genes_may_need_an_exponent_above_eight():
    bench = Workbench.of(simulated(lambda t, x: [1.0 / (1.0 + x[0] ** 10)], [0.3], 3.0, points=300).dataset)
    (found,) = search(bench, 0, Choice(("1/(params[0] + x0**params[1])",)), (), 1)
    assert found.terms[0].inner[1] == pytest.approx(10.0, rel=1e-6)


def test_an_exponent_beyond_what_a_mechanism_has_is_no_find():
    bench = Workbench.of(simulated(lambda t, x: [1.0 / (1.0 + x[0] ** 14)], [0.3], 3.0, points=300).dataset)
    steep = "1/(params[0] + x0**params[1])"
    assert bench.fit(0, [steep]).terms[0].inner[1] > 12.0
    assert search(bench, 0, Choice((steep,)), (), 1) == []


def test_a_fit_from_known_inner_parameters_stays_in_their_valley():
    problem = simulated(lambda t, x: [np.sin(3.0 * t)], [0.0], 10.0, points=300)
    bench = Workbench.of(problem.dataset)
    near = bench.again(0, ["sin(params[0]*t)"], [(2.9,)]).terms[0].inner[0]
    far = bench.again(0, ["sin(params[0]*t)"], [(1.0,)]).terms[0].inner[0]
    assert near == pytest.approx(3.0)
    assert far != pytest.approx(3.0)


def test_a_source_that_fades_by_itself_is_tried_only_where_words_speak_of_it():
    fades = "exp(params[0]*t)"
    for description, known in (("", False), ("A dose is given at the start.", True)):
        state, setup = begun(simulated(lambda t, x: [-x[0]], [1.0], 2.0, description, points=100))
        assert (fades in {e.skeleton for e in library(state, setup.bench.names, 0, 4)}) is known


def test_what_a_term_becomes_in_the_limit_has_the_same_variables():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0]], [1.0, 0.0], 2.0, points=100))
    found = {e.skeleton: e for e in library(state, setup.bench.names, 0, 4)}
    assert set(found["x0*sin(params[0] + params[1]*t)"].simpler) == {"x0*sin(params[0]*t)", "x0*cos(params[0]*t)"}
    assert "x1" not in found["x0/(params[0] + x0)"].simpler
    assert "x0*cos(params[0]*t)" in explanations(state.problem, setup.bench.names, 0)


def test_time_costs_more_than_a_state():
    assert complexity("sin(params[0]*t)") > complexity("x0**2*sin(x1)")


def test_phases_have_two_starts_and_frequencies_steps_of_half_a_turn():
    t = np.linspace(0.0, 2.0 * np.pi, 50)
    found = np.array(starts("sin(params[0] + params[1]*t)", {"t": t}))
    assert set(found[:, 0]) == {0.0, np.pi / 2.0}
    assert {1.0, 1.5, 2.0} <= set(np.round(found[:, 1], 12))


def test_what_stands_over_a_variable_starts_at_multiples_of_it():
    found = [float(s[0]) for s in starts("exp(-params[0]/x0)", {"x0": np.full(20, 3.0)})]
    assert found == [1.5, 3.0, 6.0, 12.0, 24.0, 48.0]


def test_what_is_added_to_an_open_power_starts_where_that_is():
    """Whatever the unit: half of x**p is far from half of x."""
    for size in (0.02, 3.0, 150.0):
        found = np.array(starts("x0**params[1]/(params[0] + x0**params[1])", {"x0": np.full(20, size)}))
        levels = found[:, 0] / size ** found[:, 1]
        assert set(np.round(levels, 9)) == {0.1, 0.3, 1.0, 3.0, 10.0}
        assert set(found[:, 1]) == {0.3, 0.7, 1.4, 2.5, 4.0, 8.0}  # the last one is as steep as a switch


def test_what_is_times_something_in_a_sum_starts_where_it_weighs_as_much_as_the_rest():
    rows = {"x0": np.full(20, 60.0), "x1": np.full(20, 0.5)}
    found = np.array(starts("x0*x1/(params[0] + params[1]*x0**2 + x0)", rows))
    assert sorted(set(found[:, 1] * 60.0**2 / 60.0)) == pytest.approx([0.1, 1.0, 10.0])
    assert sorted(float(s[0]) * 60.0 / 0.5 for s in starts("x0*x1/(params[0]*x0 + x1)", rows)) == pytest.approx(
        [0.1, 1.0, 10.0]
    )


def test_the_middle_of_an_s_shaped_curve_starts_on_the_data_whichever_sign_it_is_written_with():
    seen = np.linspace(40.0, 60.0, 101)
    for sign, written in ((1.0, "-params[0]"), (-1.0, "params[0]")):
        found = np.array(starts(f"1/(1 + exp({written} + params[1]*x1))", {"x1": seen}))
        assert set(np.round(sign * found[:, 0] / found[:, 1], 9)) == {42.0, 50.0, 58.0}


def test_a_capacity_starts_where_the_state_is_in_any_spelling_and_unit():
    """1 - x/K far above or below the samples leaves x**2 or x alone, with no way to the other."""
    for size in (3e-4, 60.0, 7e5):
        rows = {"x0": np.linspace(0.1, 1.9, 21) * size}
        for term, even in {
            "x0*(1 - x0/params[0])": size,
            "x0*(1 - params[0]*x0)": 1.0 / size,
            "x0*(1 - (x0/params[0])**params[1])": size,
            "1 - x0**2/params[0]": size**2,
        }.items():
            assert any(float(s[0]) == pytest.approx(even, rel=0.3) for s in starts(term, rows)), (size, term)
