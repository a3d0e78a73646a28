"""A run says when to stop, and never that it found something where there is nothing."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from dolq_core import clock, loop, runs
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import CONSTANTS, FEW, UNCOMPARED, cancelling
from dolq_core.loop.advance import advance
from dolq_core.loop.compare import STARTS, strayed
from dolq_core.loop.followed import ASTRAY, RUNS_AWAY, STRAYS, UNFINISHED
from dolq_core.loop.status import CHOSEN, CUT_SHORT, EXACTLY, NEITHER, NOT_ALL, RULED_OUT, reason_to_stop, status
from dolq_core.numerics.integrate import BLEW_UP
from dolq_core.records import (
    Ban,
    Dataset,
    EquationFit,
    EquationNote,
    FamilyBan,
    FamilyKey,
    FittedTerm,
    Intervention,
    Pin,
    Problem,
    TermKey,
    TermNote,
    Trajectory,
    Variable,
    Verdict,
    Visited,
)
from tests.app.scenes import disputed
from tests.every import every
from tests.loop.states import logistic_problem, state_of
from tests.stored import found


def finished(problem, **settings):
    return found(problem, **settings).state


def noise(seed):
    return series(np.random.default_rng(seed).normal(size=(200, 1)))


def series(values):
    run = Trajectory(frozen(np.linspace(0.0, 10.0, len(values))), frozen(values))
    return Problem(Dataset("noise", Variable("t", "t"), (Variable("x", "x"),), (run,)))


def test_a_law_is_found_and_settled():
    state = finished(logistic_problem())
    assert status(state, 0)[0] == "settled"
    assert reason_to_stop(state).startswith("Found")


def test_in_pure_noise_nothing_is_claimed_and_the_run_ends_without_a_find():
    state = finished(noise(0))
    assert status(state, 0)[0] == "none"
    assert reason_to_stop(state).startswith("Stopped")


def test_a_random_walk_has_no_law_even_where_chance_fits_it_well():
    state = finished(series(np.random.default_rng(4201).normal(size=(120, 1)).cumsum(axis=0)), iterations=1)
    assert state.best[0].fit.terms
    assert status(state, 0)[0] == "none"


def test_a_run_does_not_end_before_the_second_look_at_a_term_that_only_words_removed():
    key = TermKey(0, "x**2")
    state = finished(logistic_problem())
    removed = replace(state, bans={key: Ban(key, "scientist", 1, "no")}, disputes={key: 1})
    assert reason_to_stop(state) == "Found: every equation is settled."
    assert reason_to_stop(removed) == ""


def test_a_law_with_a_removed_term_is_not_settled():
    state = finished(logistic_problem())
    key = TermKey(0, "x**2")
    removed = replace(state, bans={key: Ban(key, "scientist", 1, "no")})
    assert status(removed, 0) == ("provisional", "It explains the data, but x**2 in it is removed.")
    assert not reason_to_stop(removed).startswith("Found")


def test_a_law_with_rivals_is_not_settled_and_they_are_counted():
    state = finished(logistic_problem())
    several, one, none = (replace(state, last=replace(state.last, rivals=(n,))) for n in (3, 1, 0))
    assert status(several, 0)[0] == "provisional"
    assert "and 3 other laws do so about as well" in status(several, 0)[1]
    assert "and 1 other law does so about as well" in status(one, 0)[1]
    assert not reason_to_stop(several).startswith("Found")
    assert status(none, 0)[0] == "settled"


def test_a_law_that_a_word_brought_is_not_settled_before_it_was_compared():
    state = finished(logistic_problem())
    looked = replace(state, last=replace(state.last, rivals=(0,)))
    same = advance(looked, Intervention(remark="Yes."))
    assert status(same, 0)[0] == "settled"
    other = advance(looked, Intervention(pin=(TermNote(TermKey(0, "x**3")),)))
    assert other.last.rivals == (UNCOMPARED,)
    kept = replace(same, last=replace(same.last, rivals=(UNCOMPARED,)))
    assert status(kept, 0) == ("provisional", "It explains the data; the next iteration compares it with other laws.")


def test_a_law_with_a_coefficient_that_may_be_zero_is_not_settled():
    state = finished(logistic_problem())
    fit = state.best[0].refined or state.best[0].fit
    loose = replace(fit, terms=(replace(fit.terms[0], std_error=abs(fit.terms[0].coefficient)), *fit.terms[1:]))
    doubtful = replace(state, best=(replace(state.best[0], refined=loose),))
    assert status(doubtful, 0)[0] == "provisional"
    assert "may be zero" in status(doubtful, 0)[1]
    assert "by its own error" in status(doubtful, 0)[1]


def test_that_nothing_better_came_stops_a_run_and_settles_nothing():
    state = finished(logistic_problem())
    far = replace(state.best[0], fit=replace(state.best[0].fit, floor_ratio=2.0, nmse=1e-6), refined=None)
    waited = replace(state, best=(far,), since_better=9)
    assert status(waited, 0) == ("provisional", "Its error is 2 times that of the data.")
    assert reason_to_stop(waited).startswith("Stopped: nothing better came in 9 iterations.")


def test_few_terms_that_leave_next_to_nothing_are_settled_above_an_error_that_is_hardly_known():
    state = finished(logistic_problem())
    (best,) = state.best
    near = replace(best, fit=replace(best.fit, floor_ratio=3.0, nmse=1e-13), refined=None)
    assert status(replace(state, best=(near,)), 0) == ("settled", EXACTLY)
    many = replace(near, fit=replace(near.fit, terms=near.fit.terms[:1] * (FEW + 1)))
    flexible = [replace(near.fit.terms[0], inner=(1.0,) * (CONSTANTS - 1)), near.fit.terms[1]]
    for seen in (
        many,
        replace(near, fit=replace(near.fit, terms=tuple(flexible))),
        replace(near, fit=replace(near.fit, nmse=1e-11)),
        replace(near, fit=replace(near.fit, floor_ratio=21.0)),
    ):
        assert status(replace(state, best=(seen,)), 0)[0] == "provisional"


def test_what_stands_where_is_said_equation_by_equation():
    t = np.linspace(0.0, 10.0, 400)
    values = np.column_stack((np.exp(-0.3 * t), np.sin(t)))
    states = tuple(Variable(name, name) for name in ("drug", "angle"))
    problem = Problem(Dataset("two", Variable("t", "t"), states, (Trajectory(frozen(t), frozen(values)),)))
    state = finished(problem, iterations=1)
    said = "Stopped: its one iteration is used. Settled: drug. "
    assert reason_to_stop(state) == f"{said}No law: angle."
    far = replace(state.best[1].fit, score=-1e6, floor_ratio=12.3, held_out=0.1)
    better = replace(state.best[1], fit=far, refined=None)
    assert reason_to_stop(replace(state, best=(state.best[0], better))) == (
        "Stopped: its one iteration is used. Settled: drug. Provisional: angle (error 12.3 times that of the data)."
    )


def test_an_equation_that_no_fit_was_found_for_has_no_law():
    state = found(logistic_problem()).state
    assert status(replace(state, best=(None,)), 0)[0] == "none"


def test_an_equation_of_which_every_law_was_ruled_out_says_so_and_another_does_not():
    fit = EquationFit(0, (FittedTerm("x", 1.0),), 1.0, 1.0, 1.0, 1.0, 0.0)
    state = state_of(best=(None, None), archive={(0, ("x",)): Visited(fit, 1)})
    assert [status(state, j) for j in (0, 1)] == [("none", RULED_OUT), ("none", "No structure was fitted yet.")]
    typed = replace(state, equations=(EquationNote(0, ("x**2",)),))
    assert status(typed, 0) == ("none", CHOSEN)


def test_before_the_first_iteration_nothing_is_claimed_and_nothing_stops():
    assert status(state_of(), 0)[0] == "none"
    assert reason_to_stop(state_of()) == ""


def test_the_number_of_iterations_is_a_limit():
    state = finished(noise(0), iterations=2, patience=9)
    assert (state.iteration, reason_to_stop(state)) == (2, "Stopped: all 2 iterations are used. No law: x.")


def test_terms_that_cancel_are_no_settled_law():
    """x' = x - x**2 written with two terms that are hundreds of times as large."""
    state = finished(logistic_problem())
    law = state.best[0].fit
    grown = next(term for term in law.terms if term.skeleton == "x")
    large = replace(grown, coefficient=401.0)
    tiny = replace(grown, skeleton="x*exp(params[0]*x)", coefficient=-400.0, inner=(1.0 / 400.0,))
    fit = replace(law, terms=(large, tiny))
    far = replace(state, best=(replace(state.best[0], fit=fit, refined=None),))
    assert cancelling(state.problem.dataset, fit) > 400.0
    assert status(far, 0)[0] == "provisional"
    assert "its terms add up to" in status(far, 0)[1]
    plain = replace(far, best=(replace(far.best[0], fit=law),))
    assert cancelling(state.problem.dataset, law) < 10.0
    assert status(plain, 0)[0] == "settled"


def test_two_shapes_with_numbers_of_their_own_are_not_settled_under_noise():
    state = finished(logistic_problem())
    (best,) = state.best
    assert state.last is not None
    shaped = (FittedTerm("x*exp(params[0]*x)", 0.6, inner=(-0.7,)), FittedTerm("x/(params[0] + x)", 0.2, inner=(0.4,)))
    under_noise = replace(state.last, rivals=(0,), clean=False)

    def standing(*terms: FittedTerm, last=under_noise):
        fit = replace(best.fit, terms=terms)
        return status(replace(state, best=(replace(best, fit=fit, refined=None),), last=last), 0)

    assert standing(*shaped)[0] == "provisional"
    assert "2 of its terms have fitted numbers inside" in standing(*shaped)[1]
    assert standing(shaped[0], FittedTerm("x", 0.2))[0] == "settled"
    assert standing(*shaped, last=state.last)[0] == "settled"
    fading, rhythm = (FittedTerm(f"{kind}(params[0]*t)", 0.6, inner=(-0.7,)) for kind in ("exp", "sin"))
    state = replace(state, pins={TermKey(0, t.skeleton): Pin(TermKey(0, t.skeleton), 1, "") for t in (fading, rhythm)})
    assert "2 of its terms have fitted numbers inside" in standing(shaped[1], fading)[1]
    assert standing(shaped[1], rhythm)[0] == "settled", "a rhythm in time is no shape of a law"
    third = FittedTerm("exp(-params[0]/x)", 0.1, inner=(0.3,))
    assert standing(*shaped, third, last=state.last)[0] == "provisional", "three are too many of clean samples too"


@pytest.mark.parametrize(("weight", "stands"), [(0.004, "provisional"), (0.04, "settled")])
def test_a_shape_that_hardly_acts_may_be_another(weight, stands):
    state = finished(logistic_problem())
    (best,) = state.best
    faint = FittedTerm("x/(params[0] + x)", weight, inner=(0.4,))
    fit = replace(best.fit, terms=(FittedTerm("x", 1.0), FittedTerm("x**2", -1.0), faint))
    shaped = replace(state, best=(replace(best, fit=fit, refined=None),))
    assert status(shaped, 0)[0] == stands
    assert ("under 1 % of all that acts" in status(shaped, 0)[1]) == (stands == "provisional")
    key = TermKey(0, faint.skeleton)
    assert status(replace(shaped, pins={key: Pin(key, 1, "")}), 0)[0] == "settled", "a person asked for it"


@pytest.mark.parametrize(("weight", "stands"), [(1e-5, "provisional"), (1e-3, "settled")])
def test_a_term_that_adds_next_to_nothing_settles_no_law(weight, stands):
    state = finished(logistic_problem())
    (best,) = state.best
    fit = replace(best.fit, terms=(FittedTerm("x", 1.0), FittedTerm("x**2", -1.0), FittedTerm("x**3", weight)))
    traced = replace(state, best=(replace(best, fit=fit, refined=None),))
    assert status(traced, 0)[0] == stands
    told = "It explains the data, but x**3 is under 0.01 % of all that acts: "
    assert status(traced, 0)[1].startswith(told) == (stands == "provisional")
    least = TermKey(0, "x**4")
    fit = replace(fit, terms=(*fit.terms, FittedTerm(least.skeleton, 1e-7)))
    asked = replace(traced, best=(replace(best, fit=fit, refined=None),), pins={least: Pin(least, 1, "")})
    assert status(asked, 0)[0] == stands, "that a fainter one is wanted excuses no other"


def test_six_terms_that_nobody_asked_for_are_not_settled_under_noise():
    state = finished(logistic_problem())
    (best,) = state.best
    names = ("1", "x", "x**2", "x**3", "sqrt(x)", "1/x")
    fit = replace(best.fit, terms=tuple(FittedTerm(name, 0.1 * 2.0**k) for k, name in enumerate(names)))
    long = replace(
        state, best=(replace(best, fit=fit, refined=None),), last=replace(state.last, rivals=(0,), clean=False)
    )
    assert status(long, 0) == (
        "provisional", "It explains the data, but with 6 terms: so many can follow other laws too."
    )  # fmt: skip
    key = TermKey(0, "1/x")
    assert status(replace(long, pins={key: Pin(key, 1, "")}), 0)[0] == "settled"
    seven = replace(fit, terms=(*fit.terms, FittedTerm("x**4", 0.3)))
    longer = replace(long, best=(replace(best, fit=seven, refined=None),), pins={key: Pin(key, 1, "")})
    assert "but with 6 terms that nobody asked for: so many" in status(longer, 0)[1]
    assert status(replace(long, last=state.last), 0)[0] == "settled", "clean data, where nothing was compared"
    shape = replace(fit, terms=(*fit.terms[:-1], FittedTerm("x/(params[0] + x)", 3.2, inner=(0.4,))))
    curved = replace(state, best=(replace(best, fit=shape, refined=None),))
    assert "but with 6 terms: so many" in status(curved, 0)[1], "clean data, with a shape"


def test_time_itself_in_a_law_is_a_doubt_unless_words_call_for_it():
    state = finished(logistic_problem())
    (best,) = state.best
    timed = replace(best.fit, terms=(*best.fit.terms, FittedTerm("t", 1e-3)))
    doubtful = replace(state, best=(replace(best, fit=timed, refined=None),))
    assert status(doubtful, 0)[1].startswith("It explains the data, but with time itself in it.")
    season = Verdict(TermKey(0, "t"), "good", "good", "keep", 0, "a season")
    told = replace(doubtful, last=replace(state.last, verdicts=(season,)))
    assert status(told, 0)[0] == "settled"
    others = Verdict(TermKey(0, "t"), "neutral", "good", "keep", 0, "it makes sense, but others are needed more")
    warming = replace(told, problem=replace(state.problem, description="The water warms up in a slow ramp."))
    grade = lambda one: replace(warming, last=replace(state.last, verdicts=(one,)))  # noqa: E731
    assert status(grade(others), 0)[0] == "settled", "the description says so"
    assert status(grade(replace(others, semantic="bad")), 0)[0] == "provisional", "the Scientist objects"


def test_a_law_that_misses_its_rates_and_runs_away_is_none():
    state = finished(logistic_problem())
    (best,) = state.best
    missing = replace(best, fit=replace(best.fit, floor_ratio=20.0, nmse=1e-6), refined=None)
    ended = lambda why: replace(state.last, trajectory=replace(state.last.trajectory, nmse=(inf,), failure=why))  # noqa: E731
    said = lambda last: status(replace(state, best=(missing,), ended=(missing,), last=last), 0)  # noqa: E731
    assert said(state.last)[0] == "provisional"
    assert said(ended(f"{BLEW_UP} near t = 3.")) == ("none", NEITHER.format(RUNS_AWAY))
    given_up = "The simulation was given up near t = 3: too many steps (stiff or wild)."
    assert said(ended(given_up)) == ("none", NEITHER.format(UNFINISHED.format(given_up))), "that is not running away"


def test_a_law_that_runs_away_from_most_other_starts_is_not_settled():
    state = finished(logistic_problem())
    assert state.last.strays == 0
    lost = replace(state, last=replace(state.last, strays=STARTS))
    assert status(lost, 0) == ("provisional", ASTRAY.format(STARTS, STARTS))
    few = replace(state, last=replace(state.last, strays=STRAYS))
    assert status(few, 0)[0] == "settled"


def test_a_law_is_simulated_from_starts_that_the_data_have_been_at():
    run = found(logistic_problem())
    state, bench = run.state, Workbench.of(run.state.problem.dataset)
    (best,) = state.best
    grows = replace(best.fit, terms=(FittedTerm("x**2", 1.0, None),))  # from x it is gone at 1 / x; the data end at 8
    last = replace(state.last, refined=(), strays=None)
    near = replace(best.fit, floor_ratio=3.0, nmse=1e-13)  # explains the data, though above their error
    for fit, strays in ((best.fit, 0), (grows, STARTS), (near, 0)):
        visited = replace(best, fit=fit, refined=None)
        before = replace(state, archive={key: visited for key in state.archive}, best=(visited,), last=last)
        assert strayed(before, last, bench).strays == pytest.approx(strays, abs=1)
    missing = replace(best, fit=replace(near, nmse=1e-6), refined=None)
    before = replace(state, archive={key: missing for key in state.archive}, best=(missing,), last=last)
    assert strayed(before, last, bench).strays is None


@pytest.mark.parametrize(("push", "strays"), [(-1.0, 0), (1.0, STARTS)])
def test_what_a_jump_of_the_law_holds_does_not_run_away(push, strays):
    """x' = 1 - 3 sign(x - 4) comes to 4 from either side and stays there."""
    run = found(logistic_problem())
    state, bench = run.state, Workbench.of(run.state.problem.dataset)
    (best,) = state.best
    terms = (FittedTerm("sign(-4 + x)", 3.0 * push, None), FittedTerm("x", 0.1 if push < 0.0 else 9.0, None))
    held = replace(best, fit=replace(best.fit, terms=terms), refined=None)
    last = replace(state.last, refined=(), strays=None)
    before = replace(state, archive={key: held for key in state.archive}, best=(held,), last=last)
    path = bench.simulate([held.fit], 0)
    assert ("blew up" in path.failure) == (push > 0.0)
    assert path.failure or path.x[-1] == pytest.approx(4.0)
    assert strayed(before, last, bench).strays == pytest.approx(strays, abs=1)


def test_a_search_that_was_cut_short_does_not_say_that_there_is_nothing():
    state = finished(noise(0), iterations=1)
    assert state.last is not None
    assert status(state, 0)[1] != CUT_SHORT
    late = replace(state.last.proposal, note=f"Built-in search. {clock.ENDED}")
    assert status(replace(state, last=replace(state.last, proposal=late)), 0) == ("none", CUT_SHORT)


def test_a_law_of_a_search_that_was_cut_short_is_not_settled():
    state = finished(logistic_problem(100))
    assert status(state, 0)[0] == "settled"
    late = replace(state.last.proposal, note=f"Built-in search. {clock.ENDED}")
    assert status(replace(state, last=replace(state.last, proposal=late)), 0) == ("provisional", NOT_ALL)


def test_nobody_is_asked_about_terms_of_chance_once_a_run_has_ended_without_a_law():
    state = runs.load(runs.open_store(), disputed()).state
    none = replace(state, best=(None,) * len(state.best), since_better=0)
    assert any(verdict.conflict for verdict in none.last.verdicts)
    assert loop.asks_person(none)
    assert not loop.asks_person(replace(none, since_better=state.settings.patience))


def test_a_person_is_asked_about_a_law_though_a_run_has_ended():
    state = runs.load(runs.open_store(), disputed()).state
    assert loop.asks_person(replace(state, since_better=state.settings.patience))


def test_a_limit_that_ended_a_search_is_named_with_the_place_of_its_setting():
    assert every("(time_limit_s, in Settings under Length)" in one for one in (CUT_SHORT, NOT_ALL))


def test_a_law_beside_a_shorter_one_that_a_person_removed_is_provisional():
    """As a series of other terms may stand for the one that was removed; another word takes that back."""
    state = finished(logistic_problem())
    (best,) = state.best
    key = TermKey(0, "x**3")
    shorter = replace(best.fit, terms=(FittedTerm("x**3", 1.0),))
    free = replace(state, last=replace(state.last, shorter=(shorter,)))
    assert status(free, 0)[0] == "settled"
    assert status(replace(free, bans={key: Ban(key, "scientist", 1, "no")}), 0)[0] == "settled"
    removed = replace(free, bans={key: Ban(key, "human", 1, "no")})
    said = "It explains the data, and so does a shorter law with x**3, which you removed."
    assert status(removed, 0) == ("provisional", said)


def test_the_status_names_a_term_of_a_banned_kind_beside_which_a_law_is_longer():
    state = finished(logistic_problem())
    banned = FamilyBan(FamilyKey(0, "third order", ""), 0, "")
    law = replace(state.best[0].fit, terms=(FittedTerm("x**3", 1.0),))
    barred = replace(state, families={banned.key: banned}, last=replace(state.last, shorter=(law,)))
    said = "It explains the data, and so does a shorter law with x**3, of a kind that you removed."
    assert status(barred, 0) == ("provisional", said)
