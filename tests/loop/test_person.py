"""What a person's word changes beyond single terms: kinds of terms, whole equations, words, and what is taken back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dolq_core.loop import advance, replay, standing, step, taken_back
from dolq_core.loop.step import Setup
from dolq_core.records import (
    EquationNote,
    FamilyKey,
    FamilyNote,
    Intervention,
    ModelCall,
    Override,
    Pause,
    Settings,
    Start,
    TermNote,
    Undo,
    VariableNote,
)
from tests.loop.test_step import BENCH, CUBE, LOGISTIC, PROBLEM, SQUARE, WIDER, run
from tests.scripted import ScriptedSampler, ScriptedScientist

POWERS = FamilyKey(0, "power", "x")


def banning(key=POWERS, reason="too clever"):
    return Intervention(ban_families=(FamilyNote(key, reason),))


def proposed(state):
    return {term.skeleton for c in state.last.proposal.candidates for terms in c.terms for term in terms}


def test_no_term_of_a_banned_kind_is_fitted_or_stays_best():
    _, state = run([WIDER, WIDER], said=[banning()])
    assert proposed(state) == {"x"}
    assert {term.skeleton for term in state.best[0].fit.terms} == {"x"}
    reasons = {refusal.text: refusal.reason for refusal in state.last.proposal.refused}
    assert reasons["x**3"] == "you banned powers of one variable with x since iteration 1: too clever"


@pytest.mark.parametrize(
    "word",
    [
        Intervention(propose=(TermNote(SQUARE),)),
        Intervention(pin=(TermNote(SQUARE),)),
        Intervention(unban=(SQUARE,)),
        Intervention(overrides=(Override(SQUARE, "keep"),)),
        Intervention(equations=(EquationNote(0, ("x", "x**2")),)),
    ],
)
def test_a_term_that_is_named_afterwards_is_let_in_and_its_kind_stays_out(word):
    log, state = run([WIDER], said=[banning()])
    state = advance(state, word)
    done = step(state, Setup(ScriptedSampler([WIDER]), ScriptedScientist(), BENCH))
    assert "x**2" in proposed(advance(state, done))
    assert "x**3" not in proposed(advance(state, done))


def test_a_pin_by_name_outlives_a_ban_of_its_kind():
    _, state = run([WIDER, LOGISTIC], said=[Intervention(pin=(TermNote(SQUARE),), ban_families=(FamilyNote(POWERS),))])
    assert proposed(state) == {"x", "x**2", "1"}


def test_a_lifted_ban_of_a_kind_lets_all_of_it_in():
    _, state = run([WIDER, WIDER], said=[banning()])
    state = advance(state, Intervention(unban_families=(POWERS,)))
    assert state.families == {}
    assert {term.skeleton for term in state.best[0].fit.terms} != {"x"}


def test_a_whole_equation_is_fitted_as_it_was_typed_and_is_the_one_that_is_graded():
    own = Intervention(equations=(EquationNote(0, ("x", "x**3"), "Cubic death"),))
    _, state = run([LOGISTIC, LOGISTIC], said=[own])
    first = state.last.proposal.candidates[0]
    assert [(t.skeleton, t.reason, t.source) for t in first.terms[0]] == [
        ("x", "Cubic death", "human"),
        ("x**3", "Cubic death", "human"),
    ]
    assert {term.skeleton for term in state.last.attempt[0].terms} == {"x", "x**3"}
    assert len(state.last.proposal.candidates) == 3
    assert state.equations == ()


def test_words_have_versions_and_an_edit_that_changes_nothing_is_none():
    words = Intervention(description="A jar.", variables=(VariableNote("x", "g", "mass"), VariableNote("t", "h")))
    _, state = run([LOGISTIC], said=[words])
    data = state.problem.dataset
    assert (state.problem.description, data.states[0].unit, data.states[0].meaning) == ("A jar.", "g", "mass")
    assert (data.time.unit, state.problem.version) == ("h", 2)
    assert advance(state, words).problem.version == 2
    assert advance(state, Intervention(insight="Mine.")).insight == "Mine."


def test_an_iteration_that_is_taken_back_comes_out_alike_when_it_is_done_again():
    log, state = run([WIDER, LOGISTIC])
    back = replay([*log, Undo()])
    assert back == replay(log[:-1])
    again = step(back, Setup(ScriptedSampler([WIDER, LOGISTIC]), ScriptedScientist(), BENCH))
    assert replace(again, seconds={}) == replace(log[-1], seconds={})


def test_a_word_that_is_taken_back_has_no_force_any_more():
    log, state = run([WIDER], said=[Intervention(overrides=(Override(CUBE, "remove"),))])
    assert CUBE in state.bans
    assert CUBE not in replay([*log, Undo()]).bans
    assert replay([*log, Undo(), Undo()]).iteration == 0


def test_what_calls_have_used_is_never_taken_back():
    log, _ = run([LOGISTIC])
    call = ModelCall("sampler", "p", "m", "ask", "reply", tokens_in=10)
    log = [*log, Pause("no answer", (call,)), Undo()]
    assert replay(log).spent.tokens_in == 10
    assert replay(log).paused == ""


WORDS = st.lists(st.sampled_from(["word", "undo"]), max_size=30)


@given(WORDS)
def test_taking_back_is_a_stack(kinds):
    log = [Start(PROBLEM, Settings())]
    stack = []
    for number, kind in enumerate(kinds):
        if kind == "undo":
            log.append(Undo())
            stack = stack[:-1]
        else:
            log.append(Intervention(reason=str(number)))
            stack.append(log[-1])
    assert list(standing(log)[1:]) == stack
    assert len(taken_back(log)) == len(log) - len(standing(log))
