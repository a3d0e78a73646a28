"""A law of clean samples beside one or two plain terms of the whole library."""

import numpy as np

from dolq_core.agents.builtin.elsewhere import shorter
from dolq_core.fitting import Workbench
from tests.agents.problems import law, run, simulated


def chains():
    """Chains that a falling starter begins and that end in pairs: a monomer falls with the root of the starter."""
    return simulated(lambda t, x: [-0.4 * x[0] * np.sqrt(x[1]), -0.1 * x[1]], [6.0, 0.08], 30.0, points=300)


def test_a_shorter_law_of_a_wider_library_takes_the_place_of_one_that_imitates_it():
    done = run(chains())
    assert set(law(done, 0)) == {"x0*sqrt(x1)"}
    assert set(law(done, 1)) == {"x1"}


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
