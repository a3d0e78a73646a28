"""What other equations hold leads the search of one."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin import sampler
from dolq_core.agents.builtin.flows import _kin, from_known
from dolq_core.records import Ban, TermKey, Visited
from dolq_core.terms import count_params, parse_term
from tests.agents.problems import begun, simulated, terms_of
from tests.every import every

BRAKED = "x0**2*exp(params[0]*x2)"
LIFTED = {"x0*exp(params[0]*x2)", "cos(x1)/x0", "x0*cos(x1)"}


@pytest.fixture(scope="module")
def entry():
    """A capsule in thinning air: speed, angle of flight, height; only the law of its speed is known."""

    def rhs(t, x):
        air = np.exp(-x[2] / 7.2)
        bent = 0.21 * air * x[0] + (x[0] / 6430.0 - 0.0098 / x[0]) * np.cos(x[1])
        return [-1.75 * air * x[0] ** 2 - 0.0098 * np.sin(x[1]), bent, x[0] * np.sin(x[1])]

    state, setup = begun(simulated(rhs, [7.0, -0.09, 90.0], 140.0, points=200))
    law = setup.bench.fit(0, [BRAKED, "sin(x1)"])
    return replace(state, best=(Visited(law, 1), None, None)), setup.bench


def test_the_air_that_brakes_bends_the_path_too(entry):
    state, bench = entry
    best = from_known(state, bench, 1)[0]
    assert terms_of(best) == LIFTED
    assert best.terms[[t.skeleton for t in best.terms].index("x0*exp(params[0]*x2)")].coefficient == pytest.approx(0.21)


def test_the_search_begins_with_what_is_known(entry, monkeypatch):
    state, bench = entry
    monkeypatch.setattr(sampler, "search", lambda *_: pytest.fail("no library is searched"))
    assert terms_of(sampler._searched(state, bench, 1, ())[0]) == LIFTED


def test_each_structure_is_proposed_once(entry):
    shapes = [frozenset(terms_of(fit)) for fit in from_known(*entry, 1)]
    assert len(shapes) == len(set(shapes)) > 0


def test_a_law_that_misses_the_samples_leads_nowhere(entry):
    state, bench = entry
    poor = replace(state.best[0].fit, floor_ratio=1e6, nmse=0.1)
    assert from_known(replace(state, best=(Visited(poor, 1), None, None)), bench, 1) == []
    assert from_known(replace(state, best=(None, None, None)), bench, 1) == []


def test_what_a_person_removed_does_not_come_back_so(entry):
    state, bench = entry
    removed = Ban(TermKey(1, "x0"), "human", 1, "")
    assert from_known(replace(state, bans={removed.key: removed}), bench, 1) == []
    elsewhere = Ban(TermKey(2, "x0"), "human", 1, "")
    assert terms_of(from_known(replace(state, bans={elsewhere.key: elsewhere}), bench, 1)[0]) == LIFTED


def test_a_sum_is_multiplied_as_a_whole(entry):
    state, bench = entry
    bond = (("params[0]*exp(-params[1]*x0) - exp(-2*params[1]*x0)", (2.0, 0.3)),)
    names = {skeleton for skeleton, _ in _kin(state, bench, 1, bond)}
    whole = parse_term(f"({bond[0][0]})*x2", bench.symbols).skeleton
    assert whole in names
    assert count_params(whole) == 2


def test_a_known_term_comes_with_its_image_times_and_over_each_variable(entry):
    state, bench = entry
    known = (("x0/(params[0] + x0 + x1)", (1.0,)),)
    found = dict(_kin(state, bench, 1, known))
    below = "(params[0] + x0 + x1)"
    wanted = [f"x0/{below}", f"x1/{below}", f"1/{below}", f"x0*x1/{below}", f"x0/({below}*x2)"]
    assert every(parse_term(text, bench.symbols).skeleton in found for text in wanted)
    assert every(inner == (1.0,) for inner in found.values())


def test_two_states_are_exchanged_beside_two_others():
    """Two eyes that inhibit each other, and what tires either."""

    def rhs(t, x):
        first, second = (1.0 / (1.0 + np.exp(-(1.1 - 2.0 * x[1 - i] - 1.5 * x[2 + i]) / 0.15)) for i in (0, 1))
        return [first - x[0], second - x[1], 0.12 * (x[0] - x[2]), 0.12 * (x[1] - x[3])]

    state, setup = begun(simulated(rhs, [0.9, 0.1, 0.2, 0.5], 60.0, points=400))
    sigmoid = "1/(1 + exp(params[0] + params[1]*x1 + params[2]*x2))"
    law = setup.bench.again(0, [sigmoid, "x0"], [(-7.0, 13.0, 10.0), ()])
    known = replace(state, best=(Visited(law, 1), None, None, None))
    best = from_known(known, setup.bench, 1)[0]
    assert terms_of(best) == {"1/(1 + exp(params[0] + params[1]*x0 + params[2]*x3))", "x1"}
    assert best.floor_ratio < 3.0
