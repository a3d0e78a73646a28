"""Terms that a search finds only once much else is in, or with numbers that only good starts reach."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dolq_core.agents.builtin.atoms import atoms_of, best_pairs, best_triples, grown, left, pair_gains
from dolq_core.agents.builtin.bases import polynomial
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.flows import with_flows
from dolq_core.agents.builtin.library import LAST_STAGE, on_data
from dolq_core.agents.builtin.sampler import _with_reasons
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.shortening import shortened
from dolq_core.fitting import Workbench
from dolq_core.fitting.starts import starts
from dolq_core.records import Ban, Pin, TermKey
from dolq_core.terms import count_params, parse_term
from tests.agents.problems import begun, law, run, searched, simulated, terms_of


def test_one_saturation_takes_the_place_of_the_plain_terms_that_imitate_it():
    def rhs(t, x):
        return [2.9 + 2.1 * np.sin(0.15 * t) - 0.0014 * x[0] ** 2 - 1.8 * x[0] / (20.0 + x[0])]

    words = "Rain comes in seasons; the store loses by a saturating uptake and by the square of what it holds."
    shapes = terms_of(searched(simulated(rhs, [15.0], 120.0, words, points=400), stage=2)[0])
    assert "x0**2" in shapes
    assert shapes - {"1", "x0**2"} in (
        {"x0/(params[0] + x0)", "sin(params[0]*t)"},
        {"1/(params[0] + x0)", "sin(params[0]*t)"},
    )


def test_terms_are_replaced_only_together_where_each_needs_the_others():
    x = np.linspace(1.0, 60.0, 200)
    target = x / (25.0 + x)
    columns = [
        (name, (), row) for name, row in (("x", x), ("x**2", x**2), ("sqrt(x)", np.sqrt(x)), ("log(x)", np.log(x)))
    ]
    atoms = atoms_of([*columns, ("x/(params[0] + x)", (25.0,), target)], target)
    plain = tuple(i for i, name in enumerate(atoms.skeletons) if "params" not in name)
    moving = atoms.skeletons.index("x/(params[0] + x)")
    found = shortened(atoms, plain, ())
    first = {size: next(chosen for chosen in found if len(chosen) == size) for size in (2, 3, 4)}
    assert [moving in chosen for chosen in first.values()] == [True] * 3
    kept = shortened(atoms, plain, plain[:1])
    assert len(kept) > 3
    assert [chosen for chosen in kept if plain[0] not in chosen] == []


def slaved(seed=3):
    """Columns that all follow one slow course, and three of them as the left-hand side."""
    t = np.linspace(0.0, 1.0, 120)
    rng = np.random.default_rng(seed)
    columns = [(f"c{k}", (), np.exp(-t * rng.uniform(0.5, 4.0)) + rng.uniform(0.0, 0.3) * t) for k in range(14)]
    return atoms_of(columns, columns[2][2] - 0.8 * columns[7][2] + 0.3 * columns[11][2])


def test_the_best_triple_is_found_that_no_leading_pair_leads_to():
    atoms = slaved()
    ranked = sorted((left(atoms, chosen), chosen) for chosen in combinations(range(14), 3))
    assert {atoms.skeletons[i] for i in ranked[0][1]} == {"c2", "c7", "c11"}
    found = best_triples(atoms, 5)
    assert found == [chosen for _, chosen in ranked[:5]]
    assert ranked[0][1] not in grown(atoms, best_pairs(pair_gains(atoms), 2), 5)


def test_no_triples_are_made_of_two_columns_or_of_columns_that_are_one():
    t = np.linspace(0.0, 1.0, 50)
    two = atoms_of([("x", (), t), ("y", (), t**2)], np.sin(t))
    assert best_triples(two, 5) == []
    dependent = atoms_of([("1", (), np.ones(50)), ("x", (), t), ("y", (), 2.0 - t)], np.sin(t))
    assert best_triples(dependent, 5) == []


def test_levels_of_tanks_that_drain_into_one_another_have_their_own_law_each():
    def rhs(t, x):
        a, b, c, d = np.sqrt(x)
        return [0.31 - 0.15 * a + 0.12 * c, 0.22 - 0.1 * b + 0.09 * d, 0.17 - 0.12 * c, 0.12 - 0.09 * d]

    given = simulated(rhs, [2.0, 15.0, 9.0, 0.5], 200.0, points=261)
    assert terms_of(searched(given, 0, 2)[0]) == {"1", "sqrt(x0)", "sqrt(x2)"}
    assert terms_of(searched(given, 1, 2)[0]) == {"1", "sqrt(x1)", "sqrt(x3)"}


def test_a_weak_rhythm_is_found_behind_two_kinds_of_damping_and_a_soft_spring():
    def rhs(t, x):
        return [x[1], -0.5 * x[0] + 0.3 * x[0] ** 3 - 0.05 * x[1] - 0.25 * x[1] * abs(x[1]) + 0.07 * np.cos(0.6 * t)]

    words = (
        "A buoy rolls in regular waves. The water damps it in proportion to the rate and with the square of the rate."
    )
    shapes = terms_of(searched(simulated(rhs, [0.9, 0.0], 60.0, words, points=250), 1)[0])
    assert {"x0", "x0**3", "x1", "x1*abs(x1)"} < shapes
    assert shapes - {"x0", "x0**3", "x1", "x1*abs(x1)"} <= {"cos(params[0]*t)", "sin(params[0] + params[1]*t)"}


def test_a_sigmoid_of_two_states_is_found_beside_a_decay():
    def rhs(t, x):
        return [-0.9 * x[0] + 40.0 / (1.0 + np.exp(1.2 - 0.13 * x[0] + 0.8 * x[1])), 0.015 * x[0] - 0.11 * x[1]]

    words = "A population of neurons relaxes towards a sigmoid of its own firing less its adaptation."
    done = run(simulated(rhs, [3.0, 0.1], 80.0, words, points=400))
    assert set(law(done, 0)) == {"x0", "1/(1 + exp(params[0] + params[1]*x0 + params[2]*x1))"}


def test_air_flows_in_and_out_with_the_root_of_what_lies_between_two_levels():
    def rhs(t, x):
        return [2.0 * np.sqrt(6.5 - x[0]) - 1.1 * np.sqrt(x[0] - 1.0) - 0.4 * x[0]]

    words = "A vessel is filled through a valve from a main and leaks through an orifice, and a pump takes air away."
    best = searched(simulated(rhs, [1.1], 8.0, words, points=400), stage=2)[0]
    assert terms_of(best) == {"sqrt(params[0] - x0)", "sqrt(-(params[0] - x0))", "x0"}


@pytest.mark.parametrize("skeleton", ["sqrt(x - params[0])", "sqrt(-(params[0] - x))", "sqrt(params[0] - x)"])
def test_no_start_takes_the_root_of_less_than_nothing(skeleton):
    x = np.linspace(2.0, 5.0, 50)
    for (level,) in starts(skeleton, {"x": x, "t": x}):
        inside = level - x if skeleton == "sqrt(params[0] - x)" else x - level
        assert np.all(inside > 0.0)


def test_arrivals_that_come_as_one_wave_are_a_wave_in_time():
    def rhs(t, x):
        return [14.0 * np.exp(-(((t - 30.0) / 12.0) ** 2)) - 9.0 * x[0] / (6.0 + x[0])]

    words = "People queue at a counter. They arrive in one rush at noon; the counter serves at a rate that levels off."
    best = searched(simulated(rhs, [0.5], 80.0, words, points=400), stage=2)[0]
    assert terms_of(best) == {"exp(-(params[0] + params[1]*t)**2)", "x0/(params[0] + x0)"}


def test_what_was_swallowed_arrives_late():
    def rhs(t, x):
        return [3.0 * t * np.exp(-0.8 * t) - 0.25 * x[0]]

    done = run(
        simulated(rhs, [0.1], 16.0, "A drink is absorbed by the gut into the blood, which clears it.", points=300)
    )
    assert set(law(done)) == {"t*exp(params[0]*t)", "x0"}


def test_a_rate_runs_away_near_a_limit():
    def rhs(t, x):
        return [x[0] * (0.002 / (1.0 - x[1]) ** 2 - 0.12), x[1] * (0.27 - 0.38 * x[0])]

    words = "Wages rise ever more steeply as employment gets near full, and employment grows with what wages leave."
    done = run(simulated(rhs, [0.7, 0.86], 40.0, words, points=400))
    assert set(law(done, 0)) == {"x0", "x0/(params[0] - x1)**2"}


def test_a_rate_with_the_root_of_another_amount():
    def rhs(t, x):
        return [-0.3 * x[0] * np.sqrt(x[1]), -0.08 * x[1]]

    words = "Chains grow from a starter that falls apart; their number goes with the root of the starter."
    assert set(law(run(simulated(rhs, [2.0, 0.5], 30.0, words, points=300)), 0)) == {"x0*sqrt(x1)"}


def test_a_current_through_a_gate_has_one_pair_of_numbers_inside():
    def rhs(t, x):
        open_now = 0.5 * (1.0 + np.tanh((x[0] + 2.0) / 17.0))
        leak, potassium = 0.11 * (x[0] + 58.0), 0.4 * x[1] * (x[0] + 82.0)
        slow = 0.04 * (0.5 * (1.0 + np.tanh((x[0] - 4.0) / 16.0)) - x[1])
        return [4.9 - leak - 0.23 * open_now * (x[0] - 118.0) - potassium, slow]

    bench = Workbench.of(simulated(rhs, [-40.0, 0.05], 400.0, points=600).dataset)
    gate = "/(1 + exp(-params[0] + params[1]*x0))"
    fit = bench.fit(0, ["1", "x0", "x1", "x0*x1", "1" + gate, "x0" + gate])
    pairs = [np.array(term.inner) for term in fit.terms if term.inner]
    assert fit.floor_ratio < 1.0
    # beside a constant and the voltage a gate that closes is as good as one that opens
    assert [pair * np.sign(pair[0]) for pair in pairs] == [pytest.approx(np.array((4.0, -2.0)) / 17.0, rel=1e-2)] * 2


def test_a_product_chokes_a_saturating_uptake_more_and_more():
    def rhs(t, x):
        eaten = x[0] * x[1] / (18.0 + x[1]) * np.exp(-0.03 * x[2])
        return [1.2 * eaten, -20.0 * eaten, 9.0 * eaten - 0.02 * x[2]]

    words = "Yeast grows on sugar up to a limit; the alcohol it makes slows it more and more and evaporates a little."
    given = simulated(rhs, [0.3, 110.0, 0.0], 10.0, words, points=300)
    choked = "x0*x1*exp(-params[0]*x2)/(params[1] + x1)"
    first = searched(given, 0, 2)[0]
    found = tuple((term.skeleton, term.inner) for term in first.terms)
    others = [terms_of(searched(given, j, 2, laws=(found,))[0]) for j in (1, 2)]
    assert [terms_of(first), *others] == [{choked}, {choked}, {choked, "x2"}]


def test_what_is_not_in_the_library_is_in_no_late_set_either():
    def rhs(t, x):
        return [-0.9 * x[0] + 40.0 / (1.0 + np.exp(1.2 - 0.13 * x[0] + 0.8 * x[1])), 0.015 * x[0] - 0.11 * x[1]]

    bench = Workbench.of(simulated(rhs, [3.0, 0.1], 80.0, points=400).dataset)
    sigmoid = "1/(1 + exp(params[0] + params[1]*x0 + params[2]*x1))"
    found = search(bench, 0, Choice(("1", "x1", sigmoid)), (), 4)
    assert {t.skeleton for fit in found for t in fit.terms} <= {"1", "x1", sigmoid}


def test_where_totals_are_constant_one_flow_is_proposed_for_all_that_it_moves():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0], 0.5 * x[0]], [1.0, 0.0, 0.0], 3.0, points=50))
    flow, other = ((("x0/(params[0] + x0)", (2.0,)),), (("x1", ()), ("exp(params[0]*x2)", (0.3,))))
    ranked = [[flow], [other], [(("x2", ()),)]]
    assert [with_flows(state, setup.bench, ranked, j) for j in range(3)] == [[flow], [other, flow], [(("x2", ()),)]]
    x1 = TermKey(1, "x1")
    pinned = replace(state, pins={x1: Pin(x1, 1, "")})
    assert with_flows(pinned, setup.bench, ranked, 1) == [other]


def test_the_reason_of_a_term_that_only_another_law_holds_says_so():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0]], [1.0, 0.0], 3.0, points=50))
    ((own, other),) = _with_reasons(state, setup.bench, [[(), (("x0*x1/(params[0]*x0 + 7*x1)", (2.0,)),)]])
    assert own == ()
    assert "stands in another law" in other[0].reason
    assert other[0].start == (2.0,)


def test_the_plain_terms_of_an_order_are_products_of_variables():
    names = ["1", "a", "b", "a*b", "a**2", "a**3", "a*b**2", "a*abs(b)", "a**4", "sin(a)", "a*sin(b)", "sqrt(a)", "c*a"]
    rows = np.random.default_rng(0).normal(size=(len(names), 50))
    atoms = atoms_of([(name, (), row) for name, row in zip(names, rows, strict=True)], rows[0])
    assert {atoms.skeletons[i] for i in polynomial(atoms, ["a", "b"], 2)} == {"1", "a", "b", "a*b", "a**2"}
    assert {atoms.skeletons[i] for i in polynomial(atoms, ["a", "b"], 3)} == set(names[:8])


def test_a_flow_that_leaves_each_section_in_one_way_is_proposed_beside_what_imitates_it():
    """Searched alone, the second equation ends with an exponential and powers for what leaves."""

    def rhs(t, x):
        out = 0.9 * x[0] * np.exp(-x[0] / 41.0)
        return [11.0 - out, out + 1.5 - 1.05 * x[1] * np.exp(-x[1] / 36.0)]

    given = simulated(rhs, [6.0, 30.0], 18.0, points=200)
    state, setup = begun(given)
    leaving = "x0*exp(params[0]*x0)"
    first = (("1", ()), (leaving, (-1.0 / 41.0,)))
    imitated = tuple((term, ()) for term in ("1", "x0", "x1", "x1**2", "x1**3", "x1**4"))
    proposed = with_flows(state, setup.bench, [[first], [imitated]], 1)
    assert {skeleton for skeleton, _ in proposed[1]} == {"1", leaving, "x1*exp(params[0]*x1)"}
    (inner,) = [inner for skeleton, inner in proposed[1] if skeleton == "x1*exp(params[0]*x1)"]
    assert inner == pytest.approx((-1.0 / 36.0,), rel=1e-4)
    short = imitated[:3]
    assert with_flows(state, setup.bench, [[first], [short]], 1) == [short, first], "three terms imitate nothing"
    both = (*first, ("x1*exp(params[0]*x1)", (-1.0 / 20.0,)))
    assert proposed[1] in with_flows(state, setup.bench, [[both], [imitated]], 1), "a term of the own state is no flow"
    removed = TermKey(1, leaving)
    banned = replace(state, bans={removed: Ban(removed, "human", 1, "")})
    assert proposed[1] not in with_flows(banned, setup.bench, [[first], [imitated]], 1), "a person removed it"


def test_beside_a_decay_every_term_with_several_numbers_is_fitted():
    """However many there are: the right one is the last of them, and looks poor until its exponent is fitted."""

    def rhs(t, x):
        return [4.4 / (1.1 + x[2] ** 10.0) - 0.21 * x[0], 0.3 * x[0] - 0.22 * x[1], 0.16 * x[1] - 0.19 * x[2]]

    state, setup = begun(simulated(rhs, [0.4, 1.0, 1.3], 80.0, points=400))
    right = "1/(params[0] + x2**params[1])"
    others = [e.skeleton for e in on_data(state, setup.bench, 0, LAST_STAGE) if count_params(e.skeleton) > 1]
    library = Choice(("1", "x0", *(s for s in others if s != right), parse_term(right, ["x2"]).skeleton))
    assert terms_of(search(setup.bench, 0, library, [], 2)[0]) == {right, "x0"}
