"""A law that is read off the page or pasted from it is the law: with as many digits as it takes."""

import json
from dataclasses import replace

from dolq_core import runs
from dolq_core.records import FittedTerm, Settings, Visited
from dolq_core.views import printed
from dolq_core.views.files import copies, export
from dolq_core.views.printed import digits
from dolq_core.views.summary import equations
from tests.app.scenes import app, read
from tests.loop.states import logistic_problem
from tests.stored import fitted
from tests.test_residuals import RIGHT, noisy


def cancelling(a: float, b: float) -> runs.Run:
    """x' = a x + b |x| - x**2, of which only a + b counts as long as x is positive."""
    run = fitted(logistic_problem(60), [["x", "x**2"]], Settings(held_out=0.0))
    (best,) = run.state.best
    terms = (FittedTerm("x", a), FittedTerm("abs(x)", b), FittedTerm("x**2", -1.0))
    law = Visited(replace(best.fit, terms=terms, correlation=()), 1)
    return replace(run, state=replace(run.state, best=(law,)))


def test_terms_that_cancel_are_copied_with_the_digits_that_they_take():
    run = cancelling(5001.4, -5000.4)
    assert digits(run) == 0, "5001 - 5000 is 1 as well"
    run = cancelling(5001.4234, -5000.5678)
    assert digits(run) == 8
    assert r"5001.4234\,x - 5000.5678\," in copies(run).latex
    assert "5001.4234" in export(run, "latex").content.decode()


def test_every_law_for_reading_has_these_digits():
    run = cancelling(5001.4234, -5000.5678)
    assert "<mn>5001.4234</mn>" in export(run, "report").content.decode()
    cells = ["".join(cell["source"]) for cell in json.loads(export(run, "notebook").content)["cells"]]
    assert any(r"5001.4234\,x - 5000.5678\," in cell for cell in cells)
    assert equations(run) == ["d x / d t = 5001.4234 x - 5000.5678 abs(x) - 1 x**2"]


def test_a_law_for_reading_has_the_digits_that_its_errors_leave():
    run = fitted(noisy(), RIGHT)
    (best,) = run.state.best
    terms = (FittedTerm("x", 1.2345, 0.05), FittedTerm("x**2", -1.2345, 0.004))
    law = Visited(replace(best.reported, terms=terms, correlation=()), 1)
    run = replace(run, state=replace(run.state, best=(law,)))
    assert equations(run) == ["d x / d t = 1.23 x - 1.234 x**2"]
    page = export(run, "report").content.decode()
    assert "<mn>1.23</mn>" in page
    assert "<mn>1.234</mn>" in page


def test_a_law_that_needs_no_more_has_the_usual_digits():
    run = fitted(noisy(), RIGHT)
    assert digits(run) == 0
    assert "Rounded as shown" not in read(app("equations", run.id))


def test_the_page_says_where_its_digits_are_too_few(monkeypatch):
    monkeypatch.setattr(printed, "digits", lambda run: 8)
    shown = read(app("equations", fitted(noisy(), RIGHT).id))
    assert "Rounded as shown, the law leaves its course; “Copy” gives the 8 digits that it takes." in shown


def test_inner_numbers_have_the_digits_too():
    run = fitted(logistic_problem(60), [["x", "x**2"]], Settings(held_out=0.0))
    (best,) = run.state.best
    steep = FittedTerm("exp(x*params[0])", 3000.0, inner=(0.100012345,))
    terms = (steep, FittedTerm("exp(x/10)", -3000.0), FittedTerm("x", 0.1))
    law = Visited(replace(best.fit, terms=terms, correlation=()), 1)
    assert digits(replace(run, state=replace(run.state, best=(law,)))) >= 6
