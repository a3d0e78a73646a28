"""A model's law loses what the numbers do not need in the same iteration, and its final terms are graded."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance
from dolq_core.loop.status import reason_to_stop
from dolq_core.loop.step import Setup, step
from dolq_core.records import ModelChoice, Models, Pin, ProposedTerm, Sampling, Settings, TermKey
from tests.every import every
from tests.loop.states import logistic_problem, state_of
from tests.scripted import ScriptedScientist

CHOICE = ModelChoice("scripted", "script")


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(logistic_problem().dataset)


class Model:
    """Proposes one hypothesis in each iteration; the last one repeats."""

    def __init__(self, *hypotheses):
        self.hypotheses = hypotheses

    def propose(self, state, bench, rng):
        terms = self.hypotheses[min(state.iteration, len(self.hypotheses) - 1)]
        return Sampling(((tuple(ProposedTerm(text, f"why {text}", source="model") for text in terms),),))


def begun(**changes):
    models = Models(CHOICE, CHOICE)
    return replace(state_of(models=models, agents="models", **changes), problem=logistic_problem())


JUNK = ("x", "x**2", "cos(x)*x", "sin(5*x)")


def test_what_the_numbers_do_not_need_leaves_the_law_in_the_same_iteration(bench):
    state = begun()
    done = step(state, Setup(Model(JUNK), ScriptedScientist(), bench))
    assert [len(c.terms[0]) for c in done.proposal.candidates] == [4, 2]
    assert done.proposal.note.endswith("by the program: hypothesis 2.")
    assert {t.reason for t in done.proposal.candidates[1].terms[0]} == {"why x", "why x**2"}
    after = advance(state, done)
    assert [t.skeleton for t in after.best[0].fit.terms] == ["x", "x**2"]
    assert reason_to_stop(after).startswith("Found")


def test_a_law_that_needs_all_of_it_is_fitted_once(bench):
    done = step(begun(), Setup(Model(("x", "x**2")), ScriptedScientist(), bench))
    assert len(done.fits) == 1


def test_what_a_person_pinned_is_not_pruned(bench):
    pin = Pin(TermKey(0, "cos(x)"), 0, "I want it")
    done = step(begun(pins={pin.key: pin}), Setup(Model(("x", "x**2")), ScriptedScientist(), bench))
    assert every("cos(x)" in [t.skeleton for t in c.terms[0]] for c in done.proposal.candidates)


def test_the_papers_rules_prune_nothing(bench):
    state = replace(begun(), settings=Settings.paper())
    done = step(state, Setup(Model(JUNK), ScriptedScientist(), bench))
    assert len(done.fits) == 1


class Watching(ScriptedScientist):
    """Remembers what it was asked to grade."""

    def review(self, state, attempt, ablations, bench, rng):
        self.asked = {a.key.skeleton for a in ablations}
        return super().review(state, attempt, ablations, bench, rng)


def test_the_terms_of_the_best_law_are_graded_when_the_attempt_is_another(bench):
    state, scientist = begun(), Watching()
    setup = Setup(Model(("x", "x**2"), ("x", "cos(x)")), scientist, bench)
    state = advance(state, step(state, setup))
    done = step(state, setup)
    assert [t.skeleton for t in done.attempt[0].terms] == ["x", "cos(x)"]
    assert scientist.asked == {"x", "cos(x)", "x**2"}
    assert {v.key.skeleton for v in done.verdicts} == scientist.asked


def test_a_law_that_looks_like_a_plainer_one_is_compared_with_it(bench):
    almost = ("x", "x**2*exp(params[0]*x)")
    state = begun()
    setup = Setup(Model(almost), ScriptedScientist(), bench)
    state = advance(state, step(state, setup))
    assert abs(state.best[0].fit.terms[1].inner[0]) < 0.1
    assert not reason_to_stop(state)
    state = advance(state, step(state, setup))
    assert [t.skeleton for t in state.best[0].fit.terms] == ["x", "x**2"]
    assert np.isfinite(state.best[0].fit.mse)
