"""The best law is the page: its terms and numbers everywhere; what was tried now stands beside it, named."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.records import derivative
from dolq_core.views.equations import panels
from dolq_core.views.rivals import identifiability
from dolq_core.views.summary import equations, result, verdict
from pages.ui import formulas
from tests.app.scenes import app, read, two_attempts
from tests.every import every
from tests.loop.states import logistic_problem
from tests.stored import scripted


def test_an_attempt_that_is_not_better_leaves_the_law_and_its_numbers_alone():
    run = two_attempts(["x", "x**2"], ["x", "x**3"])
    (panel,) = panels(run)
    best = run.state.best[0].refined or run.state.best[0].fit
    assert [(row.text, row.coefficient) for row in panel.terms] == [
        (text, term.coefficient) for text, term in zip(("x", "x**2"), best.terms, strict=True)
    ]
    assert [row.text for row in panel.others] == ["x**3"]
    assert "x^{3}" in panel.tried
    assert "x^{3}" not in panel.latex


def test_a_term_of_the_law_keeps_the_grades_of_the_iteration_that_judged_it():
    run = two_attempts(["x", "x**2"], ["x", "x**3"])
    (panel,) = panels(run)
    square = next(row for row in panel.terms if row.text == "x**2")
    first = run.entries[1]
    assert square.graded
    assert square.refitted == next(a.refitted for a in first.evaluation.ablations if a.key == square.key)


def test_where_the_law_was_tried_now_there_is_no_alternative():
    (panel,) = panels(two_attempts(["x", "x**2"], ["x**2", "x"]))
    assert (panel.tried, panel.others) == ("", ())


def test_pages_and_documents_give_one_law_and_one_verdict(capsys):
    run = two_attempts(["x", "x**2"], ["x"])
    (panel,) = panels(run)
    (shown,) = result(run)["equations"].values()
    assert (shown["status"], shown["reason"]) == (panel.status, panel.status_reason)
    assert verdict(run.state).status == panel.status
    said = [read(app(page, run.id)) for page in ("discover", "equations")]
    assert every(panel.status_reason in one for one in said)
    assert every(verdict(run.state).words in one for one in said)
    assert equations(runs.load(runs.open_store(), run.id))


def test_that_a_coefficient_is_not_known_is_said_once():
    (panel,) = panels(two_attempts(["x", "x**2"], ["x**2", "x"]))
    row = replace(panel.terms[0], reason="It grows. Its coefficient is not significant.", may_be_zero=True)
    assert row.told == "It grows."
    assert replace(row, may_be_zero=False).told == row.reason


def test_where_there_is_no_law_nothing_rivals_it_and_no_page_writes_it_as_one():
    run = scripted(logistic_problem(60), [[["x"]]])
    nothing = replace(run.state.last, rivals=(7,), target=replace(run.state.last.target, null_score=(-1e9,)))
    run = replace(run, state=replace(run.state, last=nothing))
    (panel,) = panels(run)
    assert (panel.status, panel.rivals) == ("none", 0)
    assert identifiability(run) == ()


@pytest.mark.parametrize(
    ("name", "rate"),
    [("x", "dx/dt"), ("x0", "dx0/dt"), ("y_1", "dy_1/dt"), ("θ", "dθ/dt"),
     ("prey", "d/dt prey"), ("x_dot", "d/dt x_dot"), ("temp (°C)", "d/dt temp (°C)")],
)  # fmt: skip
def test_an_equation_is_called_by_its_left_side(name, rate):
    assert derivative(name) == rate


def test_an_equation_without_a_term_is_open_and_not_zero():
    run = two_attempts(["x", "x**2"], ["x", "x**3"])
    (best,) = run.state.best
    bare = replace(best, fit=replace(best.fit, terms=()), refined=None)
    (panel,) = panels(replace(run, state=replace(run.state, best=(bare,))))
    assert panel.latex == ""
    assert formulas.best(panel).endswith("= ?")
