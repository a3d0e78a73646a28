"""A ban of the machine holds for the equation in which it was earned; a person's holds."""

from dataclasses import replace

import pytest

from dolq_core.bans import ban_on
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance
from dolq_core.loop.fit import fit
from dolq_core.loop.sample import sample
from dolq_core.loop.step import Setup, step
from dolq_core.records import (
    Ban,
    Candidate,
    EquationFit,
    FittedTerm,
    Lift,
    Proposal,
    ProposedTerm,
    Sampling,
    Term,
    TermKey,
    Visited,
)
from tests.loop.states import logistic_problem, state_of
from tests.scripted import ScriptedSampler, ScriptedScientist

X = TermKey(0, "x")
CUBE = TermKey(0, "x**3")


def banned(by, *beside, policy="evidence"):
    return state_of(policy, bans={X: Ban(X, by, 1, "no", beside if by != "human" else None)})


@pytest.mark.parametrize(
    ("beside", "now", "holds"),
    [
        ((), (), True),
        ((), ("x**2",), False),  # the partner comes
        (("x**3",), ("x**3",), True),
        (("x**3",), ("x**2", "x**3"), False),
        (("x**3", "1"), ("x**3", "1", "x**2"), True),  # most of the equation is as it was
        (("x**3", "1"), ("x**2", "x**4"), False),
    ],
)
def test_a_ban_of_the_machine_lapses_when_the_equation_changes_much(beside, now, holds):
    assert (ban_on(banned("scientist", *beside), X, now) is not None) is holds
    assert (ban_on(banned("numbers", *beside), X, now) is not None) is holds
    assert ban_on(banned("human"), X, now) is not None
    assert ban_on(banned("numbers", *beside, policy="paper"), X, now) is not None


class Proposer:
    """Proposes one hypothesis, as a language model does."""

    def __init__(self, *terms):
        self.terms = terms

    def propose(self, state, bench, rng):
        return Sampling(((tuple(ProposedTerm(text, "r", source="model") for text in self.terms),),))


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(logistic_problem().dataset)


def test_a_term_that_was_bad_alone_comes_back_with_its_partner(bench):
    state = banned("scientist")
    alone = sample(state, Proposer("x"), bench, None)
    together = sample(state, Proposer("x", "x**2"), bench, None)
    assert [refusal.text for refusal in alone.refused] == ["x"]
    assert [term.skeleton for term in together.candidates[0].terms[0]] == ["x", "x**2"]


def test_a_term_that_stands_its_test_in_another_equation_is_banned_no_more(bench):
    state = replace(banned("scientist"), problem=logistic_problem())
    done = step(state, Setup(Proposer("x", "x**2"), ScriptedScientist(), bench))
    assert {v.action for v in done.verdicts} == {"keep"}
    assert not advance(state, done).bans


def test_a_ban_remembers_what_it_was_earned_beside(bench):
    state = replace(state_of(), problem=logistic_problem())
    setup = Setup(ScriptedSampler([[[["x", "x**2", "x**3"]]]]), ScriptedScientist({"x**3": "bad"}), bench)
    after = advance(state, step(state, setup))
    assert after.bans[CUBE].beside == ("x", "x**2")


class Lifting(ScriptedScientist):
    """Asks to lift the bans on some terms."""

    def review(self, state, attempt, ablations, bench, rng):
        lifts = (Lift(X, "it grows"), Lift(CUBE, "it grows"))
        return replace(super().review(state, attempt, ablations, bench, rng), lifts=lifts)


def test_a_lift_ends_a_ban_of_the_machine_and_leaves_the_persons(bench):
    bans = {X: Ban(X, "numbers", 1, "no", ("1",)), CUBE: Ban(CUBE, "human", 1, "no")}
    state = replace(state_of(bans=bans), problem=logistic_problem())
    done = step(state, Setup(Proposer("x**2"), Lifting(), bench))
    assert [lift.reason for lift in done.evaluation.review.lifts] == ["it grows"] * 2
    assert list(advance(state, done).bans) == [CUBE]


def test_a_disguise_of_a_banned_term_counts_as_that_term(bench):
    tanh = "tanh(params[0]*x)"
    fitted = EquationFit(0, (FittedTerm(tanh, 37096.0, 22000.0, (-4e-6,)),), 0.1, 0.1, 0.1, 9.0, 1.0)
    state = replace(banned("numbers"), problem=logistic_problem(), archive={(0, (tanh,)): Visited(fitted, 1)})

    def failure(source):
        (system,) = fit(state, Proposal((Candidate(0, ((Term(tanh, source=source),),)),)), bench)
        return system.equations[0].failure

    assert failure("model").endswith("the same as x, which is banned")
    assert not failure("builtin")
