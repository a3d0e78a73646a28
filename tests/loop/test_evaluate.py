"""Grades belong to terms by skeleton; a reply that does not fit is mended and the mending is said."""

import pytest

from dolq_core.loop.evaluate import grade_ablation, match
from dolq_core.records import Ablation, Review, Settings, TermKey, TermReview

KEYS = [TermKey(0, name) for name in ("a", "b", "c", "d")]


def ablations(*ratios):
    return [Ablation(key, 0.0, ratio, "good") for key, ratio in zip(KEYS, ratios, strict=False)]


def test_grades_are_matched_by_skeleton_whatever_their_order():
    reply = Review((TermReview(KEYS[1], "bad", "b is bad"), TermReview(KEYS[0], "good", "a is good")))
    matched = match(reply, ablations(2, 2), max_good=3)
    assert [(r.key, r.grade) for r in matched.terms] == [(KEYS[0], "good"), (KEYS[1], "bad")]


def test_a_term_without_a_grade_is_neutral_and_says_so():
    matched = match(Review(()), ablations(2), max_good=3)
    assert matched.terms[0].grade == "neutral"
    assert "no grade" in matched.terms[0].reason


def test_an_invented_term_is_left_out_and_noted():
    matched = match(Review((TermReview(TermKey(0, "z"), "good", ""),)), ablations(2), max_good=3)
    assert [r.key for r in matched.terms] == KEYS[:1]
    assert "z" in matched.notes[0]


def test_of_a_repeated_term_the_first_grade_counts():
    reply = Review((TermReview(KEYS[0], "good", "first"), TermReview(KEYS[0], "bad", "second")))
    matched = match(reply, ablations(2), max_good=3)
    assert matched.terms[0].reason == "first"
    assert len(matched.notes) == 1


def test_beyond_three_goods_the_weakest_evidence_becomes_neutral_and_is_noted():
    reply = Review(tuple(TermReview(key, "good", "") for key in KEYS))
    matched = match(reply, ablations(9, 2, 5, 7), max_good=3)
    assert [r.grade for r in matched.terms] == ["good", "neutral", "good", "good"]
    assert "b" in matched.notes[0]


def test_goods_are_counted_in_each_equation_by_itself():
    keys = [TermKey(equation, name) for equation in (0, 1) for name in "ab"]
    reply = Review(tuple(TermReview(key, "good", "") for key in keys))
    matched = match(reply, [Ablation(key, 0.0, 2.0, "good") for key in keys], max_good=2)
    assert [r.grade for r in matched.terms] == ["good"] * 4
    assert matched.notes == ()


@pytest.mark.parametrize(
    ("rule", "zeroed", "refitted", "grade"),
    [
        ("paper", 0.06, 1.0, "good"),
        ("paper", 0.04, 9.0, "neutral"),
        ("paper", -0.06, 9.0, "bad"),
        ("refit", 0.0, 1.06, "good"),
        ("refit", 9.0, 1.04, "neutral"),
        ("refit", 9.0, 0.94, "bad"),
    ],
)
def test_the_rule_in_force_reads_its_own_figure(rule, zeroed, refitted, grade):
    assert grade_ablation(zeroed, refitted, Settings(ablation=rule)) == grade
