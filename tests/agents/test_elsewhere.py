"""A law of clean samples beside one or two plain terms of the whole library."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.elsewhere import shorter
from dolq_core.blocks import read_blocks
from dolq_core.fitting import Workbench, names_of
from dolq_core.loop import status
from dolq_core.loop.status import SETTLED
from dolq_core.terms import parse_term
from tests.agents.problems import law, run, simulated


def chains():
    """Chains that a falling starter begins and that end in pairs: a monomer falls with the root of the starter."""
    return simulated(lambda t, x: [-0.4 * x[0] * np.sqrt(x[1]), -0.1 * x[1]], [6.0, 0.08], 30.0, points=300)


def test_a_shorter_law_of_a_wider_library_takes_the_place_of_one_that_imitates_it():
    done = run(chains())
    assert set(law(done, 0)) == {"x0*sqrt(x1)"}
    assert set(law(done, 1)) == {"x1"}


def test_an_open_power_takes_the_place_of_broken_ones():
    bench = Workbench.of(
        simulated(lambda t, x: [9.4 * np.exp(-x[0] / 31.0) - 0.0058 * x[0] ** 1.7], [1.0], 16.0).dataset
    )
    powers = ["exp(params[0]*x0)", "1", "x0**(2/3)", "x0**(5/3)", "x0**2"]
    imitates = bench.fit(0, [parse_term(text, ["x0"]).skeleton for text in powers])
    assert imitates.nmse < 1e-9
    one = min(shorter(bench, imitates, ["1", "x0", "x0**2", "x0**params[0]"]), key=lambda fit: fit.score)
    assert {t.skeleton: t.inner for t in one.terms if t.inner}["x0**params[0]"] == pytest.approx((1.7,), rel=1e-4)
    assert len(one.terms) == 2
    assert shorter(bench, imitates, ["1", "x0", "x0**2"]) == []


def test_one_term_that_leaves_nothing_is_returned_and_longer_ones_are_not():
    bench = Workbench.of(chains().dataset)
    imitates = bench.rough(0, ["x0", "x0*log(x0)"])
    assert imitates.floor_ratio < 1.0
    known = ["1", "x0", "x1", "x0*x1", "x0*sqrt(x1)", "x0*log(x0)"]
    assert [[t.skeleton for t in one.terms] for one in shorter(bench, imitates, known)] == [["x0*sqrt(x1)"]]
    assert shorter(bench, imitates, known[:4]) == []
    law = bench.rough(0, ["x0*sqrt(x1)"])
    assert shorter(bench, law, known) == []


def test_a_pair_is_looked_for_beside_longer_laws_and_beside_one_term_with_a_number_inside():
    def rhs(t, x):
        return [x[0] * (0.05 - 0.4 * np.sqrt(x[1])), -0.1 * x[1]]

    bench = Workbench.of(simulated(rhs, [6.0, 0.3], 30.0, points=300).dataset)
    known = ["1", "x0", "x1", "x0*x1", "x0*sqrt(x1)", "x0*log(x0)"]
    longer = bench.rough(0, ["x0", "x0*sqrt(x1)", "x1"])
    assert [{t.skeleton for t in one.terms} for one in shorter(bench, longer, known)] == [{"x0", "x0*sqrt(x1)"}]
    inside = bench.fit(1, ["x1**params[0]"])
    assert inside.floor_ratio <= 1.0
    assert [[t.skeleton for t in one.terms] for one in shorter(bench, inside, known)] == [["x1"]]


def test_a_term_whose_sign_a_person_has_ruled_out_is_no_shorter_law():
    given = chains().dataset
    imitates = Workbench.of(given).rough(0, ["x0", "x0*log(x0)"])
    for sign, found in (("-", 1), ("+", 0)):
        rule = read_blocks(f'[equations.x0]\nsigns = {{"x0*sqrt(x1)" = "{sign}"}}', names_of(given), 2)
        assert len(shorter(Workbench.of(given, blocks=rule), imitates, ["x0", "x0*sqrt(x1)"])) == found


def test_a_law_that_another_one_equals_along_clean_runs_is_provisional_and_says_so():
    """A falls half as fast as B, so that B = A**2 / 3 and each may be what moves B."""
    done = run(simulated(lambda t, x: [-0.3 * x[0], -0.6 * x[1]], [2.0, 1.5], 10.0, points=150))
    assert status(done, 0) == ("settled", SETTLED)  # no word of noise: there is none
    said = status(done, 1)
    assert said == ("provisional", "It explains the data, and 1 other law does so about as well.")
    assert {t.skeleton for t in done.last.beside[1][0].terms} == {"x0**2"}


def test_a_tank_that_has_run_empty_from_lower_levels_does_not_run_away():
    done = run(simulated(lambda t, x: [-0.8 * np.sqrt(x[0])], [9.0], 6.0, points=300))
    assert set(law(done)) == {"sqrt(x0)"}
    assert done.last.strays == 0
    assert done.trajectory.failure == ""
    assert max(done.trajectory.nmse) < 1e-9
    assert status(done, 0)[0] == "settled"


def boxes(start):
    """Two boxes that exchange water as fast as they differ, whichever is denser (Stommel, 1961)."""
    flow = lambda x: 0.62 * abs(x[0] - x[1])  # noqa: E731
    rhs = lambda t, x: [2.0 - 0.95 * x[0] - flow(x) * x[0], 0.8 - 0.17 * x[1] - flow(x) * x[1]]  # noqa: E731
    return simulated(rhs, start, 8.0, "Overturning: heat and salt are carried by the flow between two boxes.", 300)


def test_one_term_takes_the_place_of_two_where_words_speak_of_a_size_whose_sign_the_data_never_turn():
    done = run(boxes([0.3, 2.9]))
    assert set(law(done, 0)) == {"1", "x0", "x0*abs(x0 - x1)"}
    assert set(law(done, 1)) == {"1", "x1", "x1*abs(x0 - x1)"}
    silent = run(replace(boxes([0.3, 2.9]), description=""))
    assert set(law(silent, 0)) == {"1", "x0", "x0**2", "x0*x1"}
