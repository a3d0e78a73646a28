"""A grade finds its term however the model names it; bans may be argued."""

import json

import numpy as np
import pytest

from dolq_core.agents.llm.scientist import ModelScientist
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import begin
from dolq_core.records import Ablation, Ban, EquationFit, FittedTerm, ModelChoice, Models, Settings, Start, TermKey
from dolq_core.terms import parse_term
from tests.loop.states import logistic_problem

CHOICE = ModelChoice("scripted", "script")


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(logistic_problem().dataset)


def reviewed(bench, *grades, bans=(), lift=()):
    gate = parse_term("1/(1 + exp(params[0]*x + params[1]))", bench.names).skeleton
    terms = (FittedTerm("x", 0.8, 0.1), FittedTerm(gate, 1.0, 0.1, (-1.4, 4.89)))
    fit = EquationFit(0, terms, 0.1, 0.1, 0.1, 9.0, 1.0)
    ablations = tuple(Ablation(TermKey(0, term.skeleton), 0.1, 2.0, "good") for term in terms)
    models = Models(CHOICE, CHOICE)
    state = begin(Start(logistic_problem(), Settings(), agents="models", models=models))
    for ban in bans:
        state.bans[ban.key] = ban
    reply = json.dumps({"grades": list(grades), "insight": "so", "lift": list(lift)})
    scientist = ModelScientist(ScriptedModel([reply, reply], CHOICE), models)
    review = scientist.review(state, (fit,), ablations, bench, np.random.default_rng(0))
    return review, [a.key for a in ablations]


def grade(**named):
    return {"grade": "good", "reason": "why", **named}


@pytest.mark.parametrize(
    "named",
    [
        {"number": 2},
        {"variable": "x", "term": "1/(1 + exp(4.89*x - 1.4))"},
        {"variable": "x", "term": "1/(1 + exp(-1.4 + 4.89*x))"},
        {"variable": "dx/dt", "term": "+1*(1/(exp(4.89*x - 1.4) + 1))"},
        {"number": 7, "variable": "x", "term": "1/(1 + exp(params[0]*x + params[1]))"},
    ],
)
def test_a_grade_finds_its_term_as_it_was_shown(bench, named):
    review, keys = reviewed(bench, grade(**named))
    assert [one.key for one in review.terms] == [keys[1]]
    assert not review.notes


@pytest.mark.parametrize("text", ["x", "-0.8*x", "0.8 x", "+0.8*x"])
def test_every_spelling_of_a_plain_term_is_taken(bench, text):
    review, keys = reviewed(bench, grade(variable="x", term=text))
    assert [one.key for one in review.terms] == [keys[0]]


@pytest.mark.parametrize("named", [{"number": 3}, {"number": 0}, {"variable": "z", "term": "x"}])
def test_a_grade_of_nothing_is_a_note(bench, named):
    review, _ = reviewed(bench, grade(**named))
    assert not review.terms
    assert len(review.notes) == 1


def test_a_ban_of_the_machine_can_be_argued_and_a_persons_cannot(bench):
    bans = [Ban(TermKey(0, text), by, 1, "no") for text, by in (("x**2", "numbers"), ("x**3", "human"))]
    lift = [{"variable": "x", "term": term, "reason": "crowding"} for term in ("x**2", "x**3", "x**4")]
    review, _ = reviewed(bench, grade(number=1), bans=bans, lift=lift)
    assert [(one.key, one.reason) for one in review.lifts] == [(TermKey(0, "x**2"), "crowding")]
    assert "which you banned: crowding" in review.notes[0]
    assert "x**4 in the equation of x is not banned" in review.notes[1]
