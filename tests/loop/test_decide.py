"""The decision table, row by row, and our policy beside it."""

import pytest

from dolq_core.loop.decide import decide, table
from dolq_core.records import Ablation, EquationFit, Evaluation, Review, TermKey, TermReview, Wish
from tests.loop.states import state_of

X = TermKey(0, "x")


@pytest.mark.parametrize(
    ("semantic", "evidence", "strikes", "action", "strikes_after"),
    [
        ("bad", "good", 0, "remove", 0),
        ("bad", "neutral", 0, "remove", 0),
        ("bad", "bad", 2, "remove", 2),
        ("good", "good", 0, "keep", 0),
        ("good", "good", 2, "keep", 0),
        ("good", "neutral", 0, "hold", 1),
        ("good", "neutral", 1, "hold", 2),
        ("good", "neutral", 2, "remove", 2),
        ("good", "bad", 0, "hold", 1),
        ("good", "bad", 2, "remove", 2),
        ("neutral", "good", 0, "hold", 1),
        ("neutral", "good", 1, "hold", 2),
        ("neutral", "good", 2, "remove", 2),
        ("neutral", "neutral", 0, "hold", 1),
        ("neutral", "bad", 2, "remove", 2),
    ],
)
def test_every_row_of_the_papers_table(semantic, evidence, strikes, action, strikes_after):
    assert table(semantic, evidence, strikes, max_holds=2) == (action, strikes_after)


def judged(semantic, evidence, floor_ratio=10.0, **changes):
    fit = EquationFit(0, (), 1.0, 1.0, 1.0, floor_ratio, 0.0)
    evaluation = Evaluation((Ablation(X, 0.0, 1.0, evidence),), Review((TermReview(X, semantic, "because"),)))
    return decide(state_of(**changes), (fit,), evaluation)[0]


def test_a_term_that_the_numbers_need_is_held_without_a_strike_however_neutral_its_story():
    verdict = judged("neutral", "good", strikes={X: 2})
    assert (verdict.action, verdict.strikes) == ("hold", 0)


def test_a_needed_term_of_an_equation_at_its_floor_is_kept():
    assert judged("neutral", "good", floor_ratio=1.0).action == "keep"


def test_the_papers_policy_removes_a_needed_term_at_its_third_neutral_grade():
    assert judged("neutral", "good", strikes={X: 2}, policy="paper").action == "remove"


def test_words_against_numbers_remove_at_once_and_are_a_conflict():
    verdict = judged("bad", "good")
    assert (verdict.action, verdict.conflict) == ("remove", True)


def test_the_second_time_words_and_numbers_disagree_the_evidence_is_let_in():
    verdict = judged("bad", "good", disputes={X: 1})
    assert (verdict.action, verdict.conflict) == ("hold", True)


def test_evidence_that_was_let_in_keeps_its_term_where_the_equation_stands_at_its_floor():
    verdict = judged("bad", "good", floor_ratio=1.0, disputes={X: 1})
    assert (verdict.action, verdict.conflict) == ("keep", True)


def test_a_dispute_ends_when_a_person_decides_it():
    assert judged("bad", "good", wishes={X: Wish("keep", 1, "mine")}).conflict is False


@pytest.mark.parametrize("choice", ["keep", "pin"])
def test_what_a_person_keeps_the_machine_does_not_remove(choice):
    assert judged("bad", "bad", wishes={X: Wish(choice, 1, "mine")}).action == "hold"


def test_an_earlier_hold_of_a_person_does_not_protect_for_ever():
    assert judged("bad", "bad", wishes={X: Wish("hold", 1, "")}).action == "remove"


def test_a_term_that_words_call_good_is_not_banned_by_numbers_alone():
    verdict = judged("good", "neutral", strikes={X: 2})
    assert (verdict.action, verdict.conflict) == ("hold", True)
    assert judged("good", "neutral", strikes={X: 2}, policy="paper").action == "remove"
    assert judged("neutral", "neutral", strikes={X: 2}).action == "remove"
