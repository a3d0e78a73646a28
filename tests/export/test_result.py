"""The result document says what was found, in syntax that others can read, and never more than was found."""

import json

import sympy

from dolq_core import runs
from dolq_core.records import Settings
from dolq_core.store.memory import MemoryStore
from tests.loop.states import logistic_problem


def finished(problem, **settings):
    store = MemoryStore()
    run = runs.start(store, problem, Settings(iterations=2, **settings))
    return runs.auto(store, run)


def test_the_expression_is_read_by_sympy_and_is_the_law():
    document = runs.result(finished(logistic_problem()))
    x = sympy.Symbol("x")
    law = sympy.sympify(document["equations"]["x"]["expression"])
    assert abs((law - (x - x**2)).subs(x, 0.3)) < 1e-3
    assert document["equations"]["x"]["status"] == "settled"


def test_the_document_is_strict_json_with_the_promised_keys():
    document = runs.result(finished(logistic_problem()))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"schema", "names", "symbols", "iterations", "seconds", "settings", "versions", "equations"} <= set(document)


def test_a_term_carries_its_numbers_and_the_last_action():
    terms = runs.result(finished(logistic_problem()))["equations"]["x"]["terms"]
    assert {term["skeleton"] for term in terms} == {"x", "x**2"}
    assert all(term["last_action"] == "keep" for term in terms)
