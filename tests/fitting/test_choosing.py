"""Where a choice between structures turns: by how many nats, among how many, and which one gets the better score."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest

from dolq_core.fitting.chance import of_few_samples, why_nothing
from dolq_core.fitting.merit import merit, pruned, rank
from dolq_core.fitting.ranking import choose, description_of, shortest
from dolq_core.loop.ranking import ranked, structure
from dolq_core.numerics.shooting import Shot
from dolq_core.records import EquationFit, FittedTerm, Settings, Visited
from tests.loop.states import state_of


def fit_of(equation, *skeletons, score=0.0, **more):
    terms = tuple(FittedTerm(skeleton, 1.0) for skeleton in skeletons)
    return EquationFit(equation, terms, 1.0, 1.0, 1.0, 1.0, score, **more)


def names(fits):
    return " ".join("+".join(term.skeleton for term in fit.terms) for fit in fits)


def judge(lengths, other=100.0):
    return lambda fits: lengths.get(names(fits), other)


def one(*letters):
    return [[fit_of(0, letter, score=float(k)) for k, letter in enumerate(letters)]]


@pytest.mark.parametrize(("gain", "chosen"), [(0.5, "a"), (1.5, "b")])
def test_a_structure_is_replaced_for_more_than_a_nat_only(gain, chosen):
    assert names(choose(one("a", "b"), judge({"a": 0.0, "b": -gain}))) == chosen
    assert names(choose(one("a", "b"), judge({"a": 0.0, "b": -gain}), [one("b")[0]])) == chosen


@pytest.mark.parametrize(("place", "chosen"), [(4, "e"), (5, "a")])
@pytest.mark.parametrize("compare", [choose, lambda leaders, length: shortest(leaders, [leaders[0][0]], length)])
def test_five_leaders_are_compared(compare, place, chosen):
    leaders = one(*"abcdef")
    assert names(compare(leaders, judge({"a": 0.0, "abcdef"[place]: -50.0}))) == chosen


def test_an_equation_is_looked_at_again_once_the_other_has_changed():
    leaders = [[fit_of(j, letter) for letter in pair] for j, pair in enumerate(("ab", "cd"))]
    lengths = {"a c": 0.0, "b c": 5.0, "a d": -10.0, "b d": -20.0}
    assert names(choose(leaders, judge(lengths))) == "b d"
    assert names(shortest(leaders, [leaders[0][0], leaders[1][0]], judge(lengths))) == "b d"


@pytest.mark.parametrize(("ratio", "behind", "chosen"), [(0.5, 51.0, "a"), (0.5, 49.0, "b"), (2.0, 51.0, "b")])
def test_beside_a_wrong_equation_simulations_do_not_take_away_a_law_at_its_floor(ratio, behind, chosen):
    leaders = [[replace(fit_of(0, "a"), floor_ratio=ratio), fit_of(0, "b", score=behind)]]
    assert names(choose(leaders, judge({"a": 0.0, "b": -500.0}))) == chosen
    assert names(choose(leaders, judge({"a": 0.0, "b": -500.0}), [leaders[0][1:]])) == chosen


def test_a_structure_chosen_back_gets_its_own_score_back():
    leaders = one("a", "b")
    (found,) = choose(leaders, judge({"a": -30.0, "b": -10.0}), [leaders[0][:1]])
    assert found == leaders[0][0]


def test_a_system_that_fails_to_simulate_loses_against_one_that_does_not():
    (found,) = choose(one("a", "b"), judge({"b": 500.0}, inf))
    assert (names([found]), found.score) == ("b", -50.0)
    leaders = one("a", "b")
    assert choose(leaders, judge({}, inf)) == (leaders[0][0],)


def test_two_wrong_equations_are_replaced_together_where_neither_alone_gets_better():
    leaders = [[fit_of(j, letter) for letter in pair] for j, pair in enumerate(("ab", "cd"))]
    lengths = judge({"a c": 0.0, "b d": -20.0}, 5.0)
    assert names(choose(leaders, lengths)) == "a c"
    assert names(choose(leaders, lengths, [[leaders[0][1], leaders[1][1]]])) == "b d"


def test_what_a_choice_is_worth_is_taken_off_the_better_of_the_two_scores():
    (found,) = choose(one("a", "b"), judge({"a": 0.0, "b": -20.0}))
    assert found.score == -20.0
    (found,) = choose([[fit_of(0, "a", score=3.0), fit_of(0, "b", score=-4.0)]], judge({"a": 0.0, "b": -20.0}))
    assert found.score == -24.0


@pytest.mark.parametrize(("cost", "chosen"), [(1.0, "x"), (2.0, "x+y")])
def test_a_further_term_has_to_earn_more_than_a_nat_and_a_half(cost, chosen):
    leaders = [[fit_of(0, "x", "y", score=-2.0), fit_of(0, "x", score=5.0)]]
    (found,) = shortest(leaders, leaders[0][:1], judge({"x+y": 0.0, "x": cost}))
    assert names([found]) == chosen
    assert found.score == (-3.0 if chosen == "x" else -2.0)


def test_a_structure_that_is_no_part_of_the_best_one_is_not_plainer():
    leaders = [[fit_of(0, "x", "y"), fit_of(0, "z")]]
    assert names(shortest(leaders, leaders[0][:1], judge({"x+y": 0.0, "z": 1.0}))) == "x+y"


def test_an_equal_length_changes_nothing():
    leaders = one("a", "b")
    assert names(shortest(leaders, leaders[0][:1], judge({"a": 0.0, "b": 0.0}))) == "a"


def shot(errors, samples):
    d = len(errors)
    return Shot(np.ones(d), np.eye(d), np.ones((1, d)), np.array(errors), np.array(samples), 100)


def test_a_description_is_misfit_and_terms_and_a_name_said_twice_costs_a_nat_and_a_half():
    fits = [fit_of(0, "x0*x1"), fit_of(1, "x0*x1")]
    numbers = 0.5 * (log(100.0) + log(50.0))
    whole = 50.0 * log(0.2) + 25.0 * log(0.3) + (2.5 + 2.0) + 1.5 + numbers
    assert description_of(shot([0.2, 0.1], [100.0, 50.0]), [0.1, 0.3], fits) == pytest.approx(whole, abs=0.01)
    assert description_of(shot([0.2, inf], [100.0, 50.0]), [0.1, 0.3], fits) == inf
    apart = description_of(shot([0.2, 0.1], [100.0, 50.0]), [0.1, 0.3], [fits[0], fit_of(1, "x0*x2")])
    assert apart - whole == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize(
    ("score", "null", "held_out", "said"),
    [
        (-1.0, None, 9.0, ""),
        (0.0, 0.0, None, "is not worth its terms"),
        (-6.5, 0.0, 0.6, "chance finds"),
        (-7.5, 0.0, 0.6, ""),
        (-6.5, 0.0, 0.4, ""),
        (-6.5, 0.0, None, ""),
    ],
)
def test_a_law_is_more_than_standing_still_and_chance(score, null, held_out, said):
    reason = why_nothing(fit_of(0, "x", score=score, held_out=held_out), null)
    assert said in reason
    assert bool(reason) == bool(said)


def test_without_terms_there_is_no_law():
    assert "No term" in why_nothing(fit_of(0), 0.0)


@pytest.mark.parametrize(
    ("score", "ratio", "sensible", "said"),
    [
        (-6.5, 1.0, True, "none"),
        (-7.5, 1.9, True, "provisional"),
        (-7.5, 2.1, True, "none"),
        (-7.5, 1.0, False, "none"),
        (-16.5, 1.0, True, "provisional"),
        (-17.5, 9.0, False, ""),
    ],
)
def test_few_samples_bear_a_law_out_where_neither_rest_nor_a_walk_explains_them(score, ratio, sensible, said):
    found = of_few_samples(replace(fit_of(0, "x", score=score), floor_ratio=ratio), 0.0, -10.0, sensible=sensible)
    assert (found[0] if found else "") == said


class Scored:
    """A bench that knows the score of each structure; others fail."""

    def __init__(self, **scores):
        self.scores = scores

    def fit(self, equation, skeletons, optimizer):
        score = self.scores.get("".join(skeletons))
        return fit_of(equation, *skeletons, score=score or 0.0, failure="" if score is not None else "no")


@pytest.mark.parametrize(
    ("scores", "fixed", "left"),
    [
        ({"abc": 0.0, "bc": 0.0, "ac": 1.0, "ab": 2.0, "b": 3.0, "c": 3.0}, (), "bc"),  # no worse: it goes
        ({"abc": 0.0, "bc": 0.1, "ac": 0.2, "ab": 0.3}, (), "abc"),
        ({"abc": 0.0, "bc": -1.0, "ac": -3.0, "ab": -2.0, "a": 5.0, "c": 5.0}, (), "ac"),  # the best of three
        ({"abc": 0.0, "bc": -1.0, "ac": -3.0, "ab": -2.0}, ("b",), "ab"),
        ({"abc": 0.0, "ab": -1.0, "a": -2.0}, (), "a"),  # a structure that fails is none; one term stays
        ({}, (), "abc"),
    ],
)
def test_terms_go_while_the_law_gains_by_it(scores, fixed, left):
    found = pruned(state_of(), Scored(**scores), 0, list("abc"), fixed)
    assert "".join(term.skeleton for term in found.terms) == left


def test_the_papers_rule_ranks_by_the_plain_error():
    fit = replace(fit_of(0, "x", score=-5.0), mse=0.25)
    paper = replace(state_of(), settings=Settings(best_by="mse"))
    assert (merit(state_of(), fit), merit(paper, fit)) == (-5.0, 0.25)
    visited = Visited(fit, 1, refined=replace(fit, score=-9.0))
    assert (rank(state_of(), visited), rank(state_of(), replace(visited, refined=None))) == (-9.0, -5.0)


@pytest.mark.parametrize(
    ("ahead", "runs", "first"),
    [((6.9, 1e-12), (), "x"), ((6.9, 2.0), (), "x**2"), ((6.9, 1e-12), ("1",), "x**2"), ((5e-4, 1e-12), (), "x**2")],
)
def test_what_the_ends_refute_comes_after_what_they_bear_out_whatever_the_score(ahead, runs, first):
    """Unless they refute both, or whole runs are held out: by these nobody chooses."""
    fits = [
        replace(fit_of(0, skeleton, score=score), nmse=1e-20, floor_ratio=0.2, held_out=held)
        for skeleton, score, held in zip(("x**2", "x"), (-20.0, -10.0), ahead, strict=True)
    ]
    state = state_of(archive={structure(0, fit.terms): Visited(fit, 1) for fit in fits})
    state = replace(state, settings=replace(state.settings, held_out_runs=runs))
    assert [visited.fit.terms[0].skeleton for visited in ranked(state, 0)][0] == first
