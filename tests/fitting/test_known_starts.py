"""Numbers that a search found are where the fit begins, too: the starts of the terms alone may never lead there."""

import numpy as np
import pytest

from dolq_core.agents.builtin import BuiltinScientist
from dolq_core.fitting import Workbench
from dolq_core.fitting.known_starts import fitted_from
from dolq_core.loop.advance import advance
from dolq_core.loop.step import Setup, step
from dolq_core.records import ProposedTerm, Sampling
from tests.agents.problems import begun, simulated

CHOKED = "x0*x1*exp(-params[0]*x2)/(params[1] + x1)"
NUMBERS = (0.031, 17.0)


def vat():
    def rhs(t, x):
        eaten = x[0] * x[1] / (18.0 + x[1]) * np.exp(-0.03 * x[2])
        return [1.2 * eaten, -20.0 * eaten, 9.0 * eaten - 0.02 * x[2]]

    return simulated(rhs, [0.3, 110.0, 0.0], 10.0, points=300)


def test_a_fit_is_taken_from_known_numbers_where_its_own_starts_do_not_lead():
    bench = Workbench.of(vat().dataset)
    own = bench.fit(2, [CHOKED, "x2"])
    found = fitted_from(bench, 2, [CHOKED, "x2"], [NUMBERS, ()])
    assert own.floor_ratio > 1e6
    assert found.floor_ratio < 1.0
    assert found.terms[0].inner == pytest.approx((0.03, 18.0), rel=1e-6)
    assert fitted_from(bench, 2, [CHOKED, "x2"], [(), ()]) == own


@pytest.mark.parametrize(("text", "leads"), [(CHOKED, True), (CHOKED.replace("x0*x1", "x1*x0"), False)])
def test_a_proposal_brings_its_numbers_along_in_the_order_of_its_own_text(text, leads):
    class Sampler:
        def propose(self, state, bench, rng):
            own = (ProposedTerm(text, "eaten", start=NUMBERS), ProposedTerm("x2", "it evaporates"))
            return Sampling((((ProposedTerm("x0"),), (ProposedTerm("x1"),), own),))

    state, setup = begun(vat())
    done = step(state, Setup(Sampler(), BuiltinScientist(), setup.bench))
    assert (advance(state, done).best[2].fit.floor_ratio < 1.0) is leads


@pytest.mark.parametrize("start", [(0.03,), (*NUMBERS, 1.0), (np.nan, 18.0), (0.03, np.inf)])
def test_numbers_that_cannot_be_a_start_are_left_aside(start):
    class Sampler:
        def propose(self, state, bench, rng):
            own = (ProposedTerm(CHOKED, "eaten", start=start),)
            return Sampling((((ProposedTerm("x0"),), (ProposedTerm("x1"),), own),))

    state, setup = begun(vat())
    done = step(state, Setup(Sampler(), BuiltinScientist(), setup.bench))
    assert done.proposal.candidates[0].terms[2][0].start == ()
