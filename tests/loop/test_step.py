"""One iteration after another: what is proposed, refused, fitted, decided and remembered."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace

import pytest

from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance, begin, replay
from dolq_core.loop.simulate import _last
from dolq_core.loop.step import Setup, step
from dolq_core.records import Intervention, Override, Settings, Start, TermKey, TermNote, TrajectoryScore
from tests.every import every
from tests.loop.states import logistic_problem
from tests.scripted import ScriptedSampler, ScriptedScientist

PROBLEM = logistic_problem()
BENCH = Workbench.of(PROBLEM.dataset, "auto")
X, SQUARE, CUBE, ONE = (TermKey(0, s) for s in ("x", "x**2", "x**3", "1"))
LOGISTIC = [[["x", "x**2"]], [["x", "1"]]]
WIDER = [[["x", "x**2", "x**3"]], [["x", "x**2"]]]


def run(script, *, said=(), grades=None, settings=None, steps=None):
    """Return (log, state) after as many steps as the script has; said[i] is appended after step i + 1."""
    setup = Setup(ScriptedSampler(script), ScriptedScientist(grades), BENCH)
    log = [Start(PROBLEM, settings or Settings(forget_probability=0.0))]
    for number in range(steps or len(script)):
        log.append(step(replay(log), setup))
        if number < len(said) and said[number]:
            log.append(said[number])
    return log, replay(log)


def test_the_true_structure_wins_with_its_coefficients():
    _, state = run([LOGISTIC])
    found = {term.skeleton: term.coefficient for term in state.best[0].fit.terms}
    assert found == {"x": pytest.approx(1.0, rel=1e-3), "x**2": pytest.approx(-1.0, rel=1e-3)}


def test_replaying_the_log_rebuilds_the_state():
    veto = Intervention(overrides=(Override(CUBE, "remove", "no"),), remark="mine", description="words")
    log, _ = run([WIDER, LOGISTIC], said=[veto])
    state = begin(log[0])
    for entry in log[1:]:
        state = advance(state, entry)
    assert replay(log) == state


def test_the_same_log_gives_the_same_next_iteration_to_the_last_bit():
    log, state = run([WIDER, LOGISTIC], steps=1)
    setup = Setup(ScriptedSampler([WIDER, LOGISTIC]), ScriptedScientist(), BENCH)
    once, again = (replace(step(replay(log), setup), seconds={}) for _ in range(2))
    assert once == again


def test_one_bad_term_does_not_sink_its_hypothesis():
    _, state = run([[[["x", "x**2", "__import__('os')", "y", "x"]]]])
    refused = {refusal.text: refusal.reason for refusal in state.last.proposal.refused}
    assert {term.skeleton for term in state.best[0].fit.terms} == {"x", "x**2"}
    assert set(refused) == {"__import__('os')", "y", "x"}
    assert "stands in this equation already" in refused["x"]


def test_a_hypothesis_over_the_term_cap_is_discarded_whole_and_the_others_go_on():
    eleven = [f"x**{k}" for k in range(1, 10)] + ["sin(x)", "cos(x)"]
    _, state = run([[[eleven], [["x", "x**2"]]]])
    assert [candidate.hypothesis for candidate in state.last.proposal.candidates] == [1]
    assert [refusal.reason for refusal in state.last.proposal.refused] == [
        "an equation has 11 terms; at most 10 are allowed"
    ]


def test_a_hypothesis_that_repeats_another_is_refused():
    _, state = run([[[["x", "x**2"]], [["x*x", "2*x"]]]])
    assert len(state.last.proposal.candidates) == 1
    assert "hypothesis 1" in state.last.proposal.refused[0].reason


def test_a_structure_that_was_fitted_is_answered_from_the_archive():
    _, state = run([LOGISTIC, LOGISTIC])
    assert every(fit.duplicate for system in state.last.fits for fit in system.equations)


def test_a_vetoed_term_is_never_fitted_again():
    veto = Intervention(overrides=(Override(SQUARE, "remove", "not physical"),))
    _, state = run([LOGISTIC, LOGISTIC], said=[veto])
    fitted = {t.skeleton for system in state.last.fits for fit in system.equations for t in fit.terms}
    assert "x**2" not in fitted
    assert state.bans[SQUARE].by == "human"
    assert any("banned by you" in refusal.reason for refusal in state.last.proposal.refused)


def test_a_veto_takes_effect_on_the_best_equation_at_once():
    veto = Intervention(overrides=(Override(SQUARE, "remove", ""),))
    _, state = run([LOGISTIC], said=[veto])
    assert "x**2" not in {term.skeleton for term in state.best[0].fit.terms}


def test_a_pinned_term_is_in_every_hypothesis():
    pin = Intervention(overrides=(Override(ONE, "pin", "there is a source"),))
    _, state = run([LOGISTIC, LOGISTIC], said=[pin])
    assert every("1" in {t.skeleton for t in c.terms[0]} for c in state.last.proposal.candidates)
    assert "1" in {term.skeleton for term in state.best[0].fit.terms}


def test_a_typed_term_is_fitted_and_shown_in_the_next_iteration_only():
    typed = Intervention(propose=(TermNote(TermKey(0, "sin(x)"), "why not"),))
    _, state = run([LOGISTIC, LOGISTIC], said=[typed])
    assert "sin(x)" in {term.skeleton for term in state.last.attempt[0].terms}
    assert state.proposals == ()


def test_a_bad_word_bans_softly_and_the_person_can_lift_it():
    log, state = run([LOGISTIC], grades={"x**2": "bad"})
    assert state.bans[SQUARE].by == "scientist"
    lifted = advance(state, Intervention(overrides=(Override(SQUARE, "keep", "I know it is there"),)))
    assert SQUARE not in lifted.bans
    assert lifted.wishes[SQUARE].choice == "keep"


def test_a_term_removed_for_words_although_needed_comes_back_and_the_evidence_is_let_in():
    _, state = run([LOGISTIC, LOGISTIC], grades={"x**2": "bad"})
    assert SQUARE in state.last.pardoned
    verdict = next(v for v in state.last.verdicts if v.key == SQUARE)
    assert (verdict.action, verdict.conflict) == ("keep", True)
    assert SQUARE not in state.bans


def test_a_new_description_counts_a_version_and_keeps_what_the_person_wrote():
    said = Intervention(description="grows and saturates", remark="look at the plateau")
    _, state = run([LOGISTIC, LOGISTIC], said=[said])
    assert (state.problem.description, state.problem.version) == ("grows and saturates", 2)
    assert state.remark == "look at the plateau"


def test_a_system_that_runs_away_with_all_rows_keeps_the_numbers_without_the_held_out_ones():
    def score(nmse):
        return TrajectoryScore((nmse,), held_out=(nmse,))

    def last(whole, held=True):
        bench = SimpleNamespace(held=held or None, final=lambda fits: ("all rows",))
        bench.trajectory_score = lambda fits: score(whole if fits == ("all rows",) else 0.01)
        return _last(bench, ("fitted rows",))

    assert last(0.02) == (("all rows",), score(0.01))
    assert last(inf) == ((), score(0.01))
    assert last(inf, held=False) == (("all rows",), score(inf))
