"""An iteration is told phase by phase, with nothing left out."""

import pytest

from dolq_core import loop, runs
from dolq_core.fitting import Workbench
from dolq_core.records import Intervention, Settings, TermKey, TermNote
from dolq_core.store.memory import MemoryStore
from dolq_core.views.iteration import account
from tests.every import every
from tests.loop.states import logistic_problem
from tests.scripted import ScriptedSampler, ScriptedScientist

FIRST = [[["x", "x**2"]], [["x", "sqrt(x - 5)", "nonsense("]], [["x**3"]]]
SECOND = [[["x", "x**2"]], [["x**3", "x"]]]


@pytest.fixture
def told():
    """Two iterations of a script, told."""
    store, problem = MemoryStore(), logistic_problem(80)
    run = runs.start(store, problem, Settings(forget_probability=0.0))
    bench = Workbench.of(problem.dataset, "auto", 0.2)
    setup = loop.Setup(ScriptedSampler([FIRST, SECOND]), ScriptedScientist({"x**2": "bad"}, "hm"), bench)
    for number in (1, 2):
        store.append(run, number, loop.step(runs.load(store, run).state, setup))
    found = runs.load(store, run)
    return [account(found, done) for done in found.entries[1:]]


def test_every_term_that_was_let_in_is_told_with_its_hypothesis_and_reason(told):
    first, _ = told
    told = [(term.hypotheses, term.latex) for term in first.sampled]
    assert (first.hypotheses, told) == (3, [((1, 2), "x"), ((1,), "x^{2}"), ((3,), "x^{3}")])
    assert {(term.name, term.reason, term.source) for term in first.sampled} == {("x", "From the script.", "script")}


def test_every_refusal_is_told_with_its_place_and_reason(told):
    first, _ = told
    refused = {(no.hypothesis, no.name, no.text) for no in first.refused}
    assert refused == {(2, "x", "sqrt(x - 5)"), (2, "x", "nonsense(")}
    assert every(no.reason for no in first.refused)


def test_every_fit_is_told_with_coefficients_and_one_is_the_attempt(told):
    first, _ = told
    assert [(fit.hypothesis, fit.chosen) for fit in first.tried] == [(1, True), (2, False), (3, False)]
    assert first.tried[0].latex.startswith(r"\dot{x} = ")
    assert first.tried[0].error < first.tried[2].error


def test_what_was_known_already_is_told_to_come_from_the_archive(told):
    _, second = told
    assert [fit.duplicate for fit in second.tried] == [True, False]


def test_both_figures_both_grades_and_the_decision_stand_beside_each_term(told):
    first, _ = told
    square = next(term for term in first.judged if term.latex == "x^{2}")
    assert (square.numbers, square.scientist, square.action, square.conflict) == ("good", "bad", "remove", True)
    assert square.refitted > 1.0
    assert square.zeroed > 0.0


def test_a_pardon_is_told(told):
    _, second = told
    assert second.pardoned == (("x", "x^{2}"),)


def test_the_simulation_is_told_per_state_and_every_phase_has_its_seconds(told):
    first, _ = told
    ((name, error, ahead),) = first.simulated
    assert name == "x"
    assert error < 0.01
    assert ahead is not None
    assert tuple(first.seconds) == loop.PHASES


def test_a_failed_fit_is_told_by_its_terms_and_the_reason():
    store = MemoryStore()
    problem = logistic_problem(60)
    run = runs.start(store, problem, Settings(time_limit_s=0.0))
    runs.intervene(store, run, Intervention(propose=(TermNote(TermKey(0, "x**3")),)))
    setup = loop.Setup(
        ScriptedSampler([[[["x"]], [["x**2", "x"]]]]), ScriptedScientist({}, ""), Workbench.of(problem.dataset, "auto")
    )
    store.append(run, 2, loop.step(runs.load(store, run).state, setup))
    found = runs.load(store, run)
    late = account(found, found.entries[-1]).tried[-1]
    assert late.latex == r"x^{2},\; x"
    assert "time limit" in late.failure
