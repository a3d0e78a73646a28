"""Several terms of one variable, as one curve of it."""

from dataclasses import replace

import pytest

from dolq_core.agents.builtin import sampler
from dolq_core.agents.builtin.gathered import gathered
from dolq_core.agents.builtin.library import EVERY, choice_of, on_data
from dolq_core.terms import Skeleton, parse_term
from tests.agents.problems import begun, simulated, terms_of

KEPT = ("x1**2/x0", "x1/x0**2")
LAW = {*KEPT, "1/x0", "1/x0**2", "1/x0**params[0]"}


@pytest.fixture(scope="module")
def bubble():
    """Radius and wall speed of a gas bubble, and what comes close to its law."""

    def rhs(t, x):
        gas = 130.0 * (5.0 / x[0]) ** 4.2
        return [x[1], (gas - 100.0 - 140.0 / x[0] - 12.0 * x[1] / x[0]) / x[0] - 1.5 * x[1] ** 2 / x[0]]

    state, setup = begun(simulated(rhs, [7.5, 0.0], 4.0, points=400))
    choice = choice_of(state, 1, on_data(state, setup.bench, 1, EVERY))
    close = setup.bench.fit(1, [Skeleton(s) for s in (*KEPT, "1", "1/x0", "1/x0**2", "1/sqrt(x0)", "x0", "x0**2")])
    return state, setup.bench, close, choice


def test_the_last_resort_of_a_search_gathers_what_it_found(bubble, monkeypatch):
    state, bench, close, _ = bubble
    for earlier in ("search", "compose"):
        monkeypatch.setattr(sampler, earlier, lambda *_: [close])
    assert terms_of(sampler._last_resort(state, bench, 1, (), [close])[0]) == LAW


def test_an_open_power_that_six_plain_terms_imitate(bubble):
    _, bench, close, choice = bubble
    assert close.floor_ratio > 100.0
    best = gathered(bench, close, choice, (), 10)[0]
    assert terms_of(best) == LAW
    power = next(term for term in best.terms if term.inner)
    assert power.inner[0] == pytest.approx(5.2, rel=1e-5)


def test_few_terms_of_a_variable_are_left_alone(bubble):
    _, bench, _, choice = bubble
    short = bench.fit(1, [Skeleton(s) for s in (*KEPT, "1/x0", "x0")])
    assert gathered(bench, short, choice, (), 10) == []


def test_what_a_person_wants_in_stays(bubble):
    _, bench, close, choice = bubble
    assert gathered(bench, close, choice, (Skeleton("1/x0"),), 10) == []


def test_what_a_person_removed_does_not_come_back(bubble):
    _, bench, close, choice = bubble
    power = parse_term("1/x0**5.2", bench.symbols).skeleton
    found = gathered(bench, close, replace(choice, removed=(power,)), (), 10)
    assert LAW not in map(terms_of, found)
