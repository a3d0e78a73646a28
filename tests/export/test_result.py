"""The result document says what was found, in syntax that others can read, and never more than was found."""

import json

import pytest
import sympy

from dolq_core import runs
from dolq_core.export.result import expression
from dolq_core.loop import record
from dolq_core.records import EquationFit, EquationNote, FittedTerm, Intervention, TermKey, TermNote
from dolq_core.store.memory import MemoryStore
from dolq_core.views import files
from dolq_core.views.summary import result
from tests.app.scenes import disputed
from tests.every import every, none
from tests.loop.states import logistic_problem
from tests.stored import found


def finished(problem):
    return found(problem, iterations=2)


def test_the_expression_is_read_by_sympy_and_is_the_law():
    document = result(finished(logistic_problem()))
    x = sympy.Symbol("x")
    law = sympy.sympify(document["equations"]["x"]["expression"])
    assert abs((law - (x - x**2)).subs(x, 0.3)) < 1e-3
    assert document["equations"]["x"]["status"] == "settled"


@pytest.mark.parametrize(
    ("terms", "written"),
    [
        ((("x", -2.0), ("1", 0.5)), "-2.0*x + 0.5"),
        ((("x*(2 - x)", 1.5), ("sin(x)", -1.0)), "1.5*x*(2 - x) - 1.0*sin(x)"),
        ((("x - y", -3.0),), "-3.0*(x - y)"),
        ((), "0"),
    ],
)
def test_only_sums_stand_in_brackets(terms, written):
    fit = EquationFit(0, tuple(FittedTerm(*term) for term in terms), 0.0, 0.0, 0.0, 0.0, 0.0)
    assert expression(fit) == written


def test_the_document_is_strict_json_with_the_promised_keys():
    document = result(finished(logistic_problem()))
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"schema", "names", "symbols", "iterations", "seconds", "settings", "versions", "equations"} <= set(document)


def test_how_often_such_laws_were_right_stands_there_for_unseen_systems_too():
    run = finished(logistic_problem())
    known = record(run.state)
    assert known.unseen > 0
    assert result(run)["record"] == {
        "right": known.right, "tests": known.tests, "right_unseen": known.right_unseen, "unseen": known.unseen,
    }  # fmt: skip


def test_what_words_and_numbers_disagree_on_stands_in_the_document():
    document = result(runs.load(runs.open_store(), disputed()))
    (term,) = document["disputed"]
    assert (term["equation"], term["term"], term["words"], term["numbers"]) == ("x", "x**2", "bad", "good")
    assert document["conflict"] == ""


def test_a_description_of_another_system_is_named_in_the_document():
    words = "A glider flies with lift and weight; its angle and heading turn along the path."
    document = result(finished(logistic_problem(description=words)))
    assert document["conflict"].startswith("Words and data disagree: the description speaks of 'glider',")
    assert document["insight"] == "x: fitted to within the error of the training data."  # and not the conflict again
    assert document["equations"]["x"]["status"] == "settled"


def test_a_term_carries_its_numbers_and_the_last_action():
    terms = result(finished(logistic_problem()))["equations"]["x"]["terms"]
    assert {term["skeleton"] for term in terms} == {"x", "x**2"}
    assert every(term["last_action"] == "keep" for term in terms)


def test_what_a_person_typed_is_told_from_what_the_machine_proposed():
    store = MemoryStore()
    run = found(logistic_problem(), store, 1)
    assert none(term["typed"] for term in result(run)["equations"]["x"]["terms"])
    assert "Typed by you" not in files.export(run, "report").content.decode()
    typed = runs.intervene(store, run.id, Intervention(propose=(TermNote(TermKey(0, "x**2"), "Crowding."),)))
    assert {t["text"]: t["typed"] for t in result(typed)["equations"]["x"]["terms"]} == {"x": False, "x**2": True}
    assert "x**2 in the equation of x" in files.export(typed, "report").content.decode()
    whole = runs.intervene(store, run.id, Intervention(equations=(EquationNote(0, ("x", "x**2")),)))
    assert every(term["typed"] for term in result(whole)["equations"]["x"]["terms"])


def test_what_a_person_pinned_stands_in_the_result_and_on_the_report_with_its_reason():
    store = MemoryStore()
    run = found(logistic_problem(), store, 1)
    word = Intervention(pin=(TermNote(TermKey(0, "x**2"), "Crowding was seen."),))
    pinned = runs.intervene(store, run.id, word)
    document = result(pinned)
    assert document["pins"] == [{"equation": "x", "term": "x**2", "since": 1, "reason": "Crowding was seen."}]
    page = files.export(pinned, "report").content.decode()
    assert "What a person wants in it" in page
    assert "Crowding was seen." in page
    assert "What a person wants in it" not in files.export(run, "report").content.decode()
