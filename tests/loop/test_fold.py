"""What an iteration leaves in the state, figure by figure, and what is asked of a hypothesis before it is fitted."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.loop.advance import added, advance, calls_of, taken_back, under_review
from dolq_core.loop.calibration import RECORDS
from dolq_core.loop.compare import changed, compared
from dolq_core.loop.evaluate import evaluate
from dolq_core.loop.fit import attempt_of, fit
from dolq_core.loop.prune import joined
from dolq_core.loop.ranking import best_of, ranked, structure, structures
from dolq_core.loop.sample import sample
from dolq_core.loop.step import pardon
from dolq_core.records import (
    Ablation,
    Ban,
    Blocks,
    Candidate,
    EquationFit,
    EquationNote,
    Evaluation,
    FittedTerm,
    Intervention,
    Iteration,
    Look,
    ModelCall,
    Pause,
    Pin,
    Proposal,
    ProposedTerm,
    Review,
    Sampling,
    Settings,
    SystemFit,
    TargetInfo,
    Term,
    TermKey,
    TermNote,
    Undo,
    Verdict,
    Visited,
)
from tests.loop.states import logistic_problem, state_of

X, SQUARE = TermKey(0, "x"), TermKey(0, "x**2")
TARGET = TargetInfo("weak", "why", (0.1,), (0.1,))


def fit_of(*skeletons, score=0.0, **more):
    terms = tuple(FittedTerm(skeleton, 1.0) for skeleton in skeletons)
    return EquationFit(0, terms, 1.0, 1.0, 1.0, more.pop("floor_ratio", 1.0), score, **more)


def done_of(number, *fits, verdicts=(), review=(), **more):
    """An iteration that fitted these structures of the one equation."""
    candidates = tuple(
        Candidate(n, (tuple(Term(t.skeleton, f"{t.skeleton} of {n}") for t in one.terms),))
        for n, one in enumerate(fits)
    )
    systems = tuple(SystemFit(n, (one,)) for n, one in enumerate(fits))
    attempt = more.pop("attempt", (fits[0] if fits else None,))
    evaluation = Evaluation((), Review((), *review))
    return Iteration(number, Proposal(candidates), TARGET, systems, attempt, evaluation, tuple(verdicts), **more)


def verdict(key, action, strikes=0, semantic="neutral", conflict=False):
    return Verdict(key, semantic, "good", action, strikes, "because", conflict)


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(logistic_problem(60).dataset)


def test_what_was_answered_from_the_archive_stays_there_as_it_was_first_fitted():
    state = advance(state_of(), done_of(1, fit_of("x", score=-5.0, duplicate=True)))
    assert state.archive[(0, ("x",))] == Visited(fit_of("x", score=-5.0), 1)
    again = advance(state, done_of(2, fit_of("x", score=-9.0)))
    assert again.archive == state.archive


@pytest.mark.parametrize(("why", "kept"), [("not fitted: late", False), ("set aside: sign", False), ("no start", True)])
def test_a_structure_that_was_not_fitted_is_not_one_that_failed(why, kept):
    state = advance(state_of(), done_of(1, fit_of("x", failure=why)))
    assert bool(state.archive) == kept
    assert state.best == (None,)


def test_iterations_without_a_better_law_are_counted():
    state = advance(state_of(), done_of(1, fit_of("x", score=-5.0)))
    assert (state.iteration, state.since_better) == (1, 0)
    state = advance(state, done_of(2, fit_of("1", score=-5.0)))
    assert (state.iteration, state.since_better) == (2, 1)
    state = advance(state, done_of(3, fit_of("x**2", score=-4.0)))
    assert state.since_better == 2
    assert advance(state, done_of(4, fit_of("x**3", score=-6.0))).since_better == 0
    assert advance(state, Intervention(remark="mine")).since_better == 0
    assert advance(state_of(), done_of(1, fit_of("x", failure="no"))).since_better == 1


def test_what_was_refined_ranks_by_its_own_score_and_what_saw_less_is_kept_beside():
    first, better = fit_of("x", score=-5.0), replace(fit_of("x", score=-8.0), strategy="trajectory")
    state = advance(state_of(), done_of(1, first, fit_of("1", score=-7.0), refined=(better,), blind=(first,)))
    assert state.best[0] == Visited(first, 1, better, first)
    assert [structures([v.fit])[0][1] for v in ranked(state, 0)] == [("x",), ("1",)]
    again = advance(state, done_of(2, first, refined=(replace(better, score=-9.0),)))
    assert (again.best[0].refined.score, again.best[0].blind) == (-9.0, None)


def test_strikes_disputes_and_bans_follow_the_verdicts():
    law = fit_of("x", "x**2")
    held = advance(state_of(), done_of(1, law, verdicts=[verdict(X, "hold", 2), verdict(SQUARE, "keep", 0)]))
    assert dict(held.strikes) == {X: 2}
    out = done_of(2, law, verdicts=[verdict(X, "remove", 2, "bad", conflict=True), verdict(SQUARE, "remove")])
    state = advance(held, out)
    assert dict(state.strikes) == {}
    assert [(b.by, b.since, b.beside) for b in state.bans.values()] == [
        ("scientist", 2, ("x**2",)),
        ("numbers", 2, ("x",)),
    ]
    assert dict(state.disputes) == {X: 1}
    twice = advance(state, done_of(3, law, verdicts=[verdict(X, "hold", 0, "bad", conflict=True)]))
    assert (dict(twice.disputes), list(twice.bans)) == ({X: 2}, [SQUARE])
    over = advance(twice, done_of(4, law, verdicts=[verdict(X, "hold", 0, "good", conflict=True)]))
    assert dict(over.disputes) == {}


def test_a_persons_ban_is_no_verdicts_to_change():
    state = state_of(bans={X: Ban(X, "human", 0, "no"), SQUARE: Ban(SQUARE, "numbers", 1, "no")})
    after = advance(state, done_of(2, fit_of("x"), verdicts=[verdict(X, "keep")], pardoned=(X, SQUARE)))
    assert list(after.bans) == [X]
    assert after.bans[X].by == "human"


def test_the_reason_of_the_graded_hypothesis_counts():
    first, second = fit_of("x", "1"), fit_of("x", "x**2")
    for attempt, number in ((first, 0), (second, 1)):
        state = advance(state_of(), done_of(1, first, second, attempt=(attempt,)))
        assert state.reasons[X] == f"x of {number}"


def test_an_insight_stays_until_there_is_another():
    state = advance(state_of(), done_of(1, fit_of("x"), review=("It grows.",)))
    assert advance(state, done_of(2, fit_of("x"))).insight == "It grows."
    assert advance(state, done_of(2, fit_of("x"), review=("It decays.",))).insight == "It decays."


CALL = ModelCall("sampler", "p", "m", "ask", "reply", tokens_in=10, tokens_out=3, seconds=1.5)


def test_what_calls_have_used_adds_up():
    looked = replace(CALL, looks=(Look("fit", "{}", "an answer", seconds=0.5),))
    spent = added(added(state_of().spent, [CALL]), [CALL, looked])
    assert (spent.calls, spent.tokens_in, spent.tokens_out) == (3, 30, 9)
    assert (spent.seconds, spent.looks) == (5.0, 1)
    paused = advance(state_of(), Pause("no answer", (CALL,)))
    assert (paused.spent.calls, paused.paused) == (1, "no answer")
    assert advance(paused, done_of(1, fit_of("x"))).paused == ""
    assert calls_of(Pause("", (CALL,))) == (CALL,)
    assert calls_of(Intervention()) == ()


def test_the_start_is_never_taken_back():
    log = ["start", "a", "b", Undo(), "c", Undo(), Undo(), Undo()]
    assert taken_back(log) == {1, 2, 3, 4, 5, 6, 7}


def test_the_scientist_knows_what_was_just_fitted():
    done = done_of(1, fit_of("x", score=-5.0))
    state = under_review(state_of(), replace(done.proposal, calls=(CALL,)), done.fits, done.attempt)
    assert (state.best[0].fit, state.best[0].iteration) == (fit_of("x", score=-5.0), 1)
    assert (state.iteration, state.spent.calls, state.reasons) == (0, 1, {X: "x of 0"})


# --- which structures may lead ----------------------------------------------------------------------


def test_a_pinned_term_must_be_in_a_leader_and_a_removed_one_must_not():
    fits = [
        fit_of("x", score=-9.0),
        fit_of("x", "x**2", score=-5.0),
        fit_of("1", score=-7.0),
        fit_of("x**3", failure="no"),
    ]
    state = replace(advance(state_of(), done_of(1, *fits)), pins={SQUARE: Pin(SQUARE, 1, "")})
    assert best_of(state)[0].fit == fits[1]
    other = replace(state, pins={TermKey(1, "1"): Pin(TermKey(1, "1"), 1, "")}, bans={X: Ban(X, "human", 1, "")})
    assert [visited.fit for visited in ranked(other, 0)] == [fits[2]]
    assert best_of(
        replace(other, bans={X: Ban(X, "human", 1, ""), TermKey(0, "1"): Ban(TermKey(0, "1"), "human", 1, "")})
    ) == (None,)


def test_where_rules_hold_for_whole_systems_the_chosen_one_leads_until_a_word_forbids_it():
    watched = replace(state_of().problem, blocks=Blocks(positive=(0,)))
    done = done_of(1, fit_of("x", score=-9.0), fit_of("1", score=-5.0), refined=(fit_of("1"),))
    state = advance(state_of(problem=watched), done)
    assert best_of(state)[0].fit == fit_of("1", score=-5.0)
    assert best_of(replace(state, bans={TermKey(0, "1"): Ban(TermKey(0, "1"), "human", 1, "")})) == (None,)


def test_soft_bans_end_by_chance_and_a_first_dispute_ends_one_for_certain():
    bans = {X: Ban(X, "numbers", 1, ""), SQUARE: Ban(SQUARE, "human", 1, "")}
    rng = np.random.default_rng
    for chance, let_in in ((0.0, ()), (1.0, (X,))):
        state = state_of(bans=bans, settings=Settings(forget_probability=chance))
        assert pardon(state, rng(0)) == let_in
    for times, let_in in ((1, (X,)), (2, ())):
        state = state_of(bans=bans, disputes={X: times}, settings=Settings(forget_probability=0.0))
        assert pardon(state, rng(0)) == let_in
    paper = replace(state, disputes={X: 1}, settings=Settings(forget_probability=0.0, strikes="paper"))
    assert pardon(paper, rng(0)) == ()


# --- hypotheses -------------------------------------------------------------------------------------


class Proposer:
    """Proposes these systems."""

    def __init__(self, *systems):
        self.systems = systems

    def propose(self, state, bench, rng):
        return Sampling(tuple(tuple(tuple(ProposedTerm(t) for t in own) for own in one) for one in self.systems))


def read(bench, *systems, **changes):
    return sample(state_of(**changes), Proposer(*systems), bench, np.random.default_rng(0))


@pytest.mark.parametrize("system", [(), (("x",), ("x",))])
def test_a_hypothesis_has_an_equation_for_each_state(bench, system):
    found = read(bench, system)
    assert found.candidates == ()
    assert found.refused[0].reason == f"it has {len(system)} equations, the system has 1"


@pytest.mark.parametrize(("count", "kept"), [(10, 1), (11, 0)])
def test_an_equation_may_have_as_many_terms_as_the_settings_say(bench, count, kept):
    terms = [f"x**{k}" for k in range(1, 10)] + ["sin(x)", "cos(x)"]
    assert len(read(bench, (terms[:count],)).candidates) == kept


def test_what_a_person_asks_for_goes_first_each_in_its_place(bench):
    pins = {TermKey(0, "1"): Pin(TermKey(0, "1"), 0, "a source")}
    notes = (TermNote(TermKey(0, "sin(x)"), "a wave"),)
    own = (EquationNote(0, ("x**3",), "mine"), EquationNote(0, ("x**2",)))
    found = read(bench, (["x"],), (["x**4"],), pins=pins, proposals=notes, equations=own)
    assert [[t.skeleton for t in c.terms[0]] for c in found.candidates] == [
        ["1", "x**3"], ["1", "x**2"], ["1", "sin(x)", "x"], ["1", "x**4"],
    ]  # fmt: skip
    reasons = {t.skeleton: (t.reason, t.source) for c in found.candidates for t in c.terms[0]}
    assert reasons["x**3"] == ("mine", "human")
    assert reasons["x**2"] == ("In an equation that you wrote.", "human")
    assert (reasons["1"], reasons["sin(x)"]) == (("a source", "pin"), ("a wave", "human"))
    alone = read(bench, pins=pins)
    assert [[t.skeleton for t in c.terms[0]] for c in alone.candidates] == [["1"]]
    assert read(bench).candidates == ()


def test_a_term_with_a_number_of_its_own_is_stated_by_a_model_alone(bench):
    def stated(source):
        class One:
            def propose(self, state, bench, rng):
                return Sampling((((ProposedTerm("-2*x", source=source), ProposedTerm("x**2", source=source)),),))

        (found,) = sample(state_of(), One(), bench, None).candidates
        return [term.stated for term in found.terms[0]]

    assert stated("model") == [-2.0, None]
    assert stated("builtin") == [None, None]


def test_the_attempt_is_the_best_fit_and_a_persons_before_it(bench):
    state = state_of(settings=Settings(best_by="mse"))
    good, own, bad = (replace(fit_of(s), mse=e) for s, e in (("x", 0.1), ("1", 0.9), ("x**2", 0.5)))
    failed = replace(fit_of("x**3", failure="no"), mse=0.0)
    done = done_of(1, bad, good, own, failed)
    assert attempt_of(state, done.proposal, done.fits, bench) == (good,)
    third = done.proposal.candidates[2]
    human = replace(third, terms=((replace(third.terms[0][0], source="human"),),))
    proposal = replace(done.proposal, candidates=(*done.proposal.candidates[:2], human))
    assert attempt_of(state, proposal, done.fits, bench) == (own,)
    assert attempt_of(state, done.proposal, done.fits[3:], bench) == (None,)


def test_the_attempt_is_the_shortest_whole_system_where_those_are_compared():
    class Comparing:
        def lengths(self, systems, prior):
            return None, [9.0, 1.0]

    one, other = fit_of("x", score=-5.0), fit_of("1", score=-3.0)
    done = done_of(1, one, other)
    assert attempt_of(state_of(), done.proposal, done.fits, Comparing()) == (other,)
    assert attempt_of(state_of(settings=Settings.paper()), done.proposal, done.fits, Comparing()) == (one,)


def test_the_first_hypothesis_is_fitted_however_late_and_the_others_say_so(bench):
    proposal = read(bench, (["x"],), (["x**2"],))
    heard = []
    late = state_of(settings=Settings(time_limit_s=1e-9))
    first, second = fit(late, proposal, bench, lambda done, of: heard.append((done, of)))
    assert not first.equations[0].failure
    assert second.equations[0].failure.startswith("not fitted: the time limit of 1e-09 s")
    assert second.equations[0].mse == inf
    assert heard == [(1, 2), (2, 2)]


def test_hypotheses_that_the_program_adds_are_numbered_from_one_in_words():
    one = Proposal((Candidate(0, ((Term("x"),),)),), note="Said.")
    more = Proposal((Candidate(1, ((Term("1"),),)), Candidate(2, ((Term("x**2"),),))))
    found = joined(one, more)
    assert [c.hypothesis for c in found.candidates] == [0, 1, 2]
    assert found.note == "Said. Without what the numbers do not need, by the program: hypothesis 2, 3."
    assert joined(one, Proposal(())) is one
    assert structure(0, [Term("b"), Term("a")]) == (0, ("a", "b"))


# --- grades and comparisons -------------------------------------------------------------------------


class Judging:
    """A bench whose whole runs lose so many nats without x; a Scientist who says nothing."""

    def __init__(self, lost):
        self.lost = lost
        self.likelihood = self

    def ablate(self, fit):
        return [(term.skeleton, 0.5, 2.0) for term in fit.terms]

    def judged(self, system):
        whole = type("Judged", (), {"system": (system[0].terms,), "fit": 0.0, "lost": 0.0})()
        return self, whole

    def without(self, judged, equation, skeleton):
        lost = self.lost[skeleton]
        return type("Judged", (), {"fit": 0.0 if lost < inf else inf, "lost": lost})()

    def length(self, judged, prior):
        return judged.lost

    def review(self, state, attempt, ablations, bench, rng):
        return Review(())


@pytest.mark.parametrize(
    ("lost", "grade"), [(1.5, "good"), (0.5, "neutral"), (-0.5, "neutral"), (-1.5, "bad"), (inf, "good")]
)
def test_a_term_is_needed_where_whole_runs_lose_more_than_a_nat_without_it(lost, grade):
    state, bench = state_of(), Judging({"x": lost})
    found = evaluate(state, (fit_of("x"),), bench, bench, None)
    assert found.ablations == (Ablation(X, 0.5, 2.0, grade, lost),)
    assert [review.grade for review in found.review.terms] == ["neutral"]


def test_a_law_that_cannot_be_judged_whole_is_graded_by_left_out_blocks():
    state, bench = state_of(), Judging({"x": 9.0})
    bench.judged = lambda system: None
    assert evaluate(state, (fit_of("x"),), bench, bench, None).ablations == (Ablation(X, 0.5, 2.0, "good"),)
    paper = replace(state, settings=Settings.paper())
    assert evaluate(paper, (fit_of("x"),), Judging({"x": 9.0}), bench, None).ablations[0].nats is None
    empty = evaluate(state, (None,), bench, bench, None)
    assert empty.review.notes == ("No candidate could be fitted.",)
    assert evaluate(state, (fit_of(),), bench, bench, None).review.notes == ()


def test_clean_laws_have_no_rivals_and_no_change(bench):
    law = bench.fit(0, ["x", "x**2"])
    done = done_of(1, law)
    assert compared(state_of(), done, bench) == replace(done, clean=True)
    assert changed(state_of(), done, bench) is done


def test_the_records_of_explained_laws_go_on_from_gap_to_gap():
    explained = [one for one in RECORDS if one.evidence == "explained"]
    assert [one.below for one in explained[:-1]] == [one.least for one in explained[1:]]
    assert explained[0].least == -inf
    shares = [one.right / one.tests for one in explained]
    assert shares == sorted(shares)
