"""What is said of a person's own equation before it is tried."""

import re
from dataclasses import replace
from math import inf

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.fitting.rewritten import difference
from dolq_core.records import EquationNote
from dolq_core.views.terms import read_equation
from dolq_core.views.trial import what_if_equation
from tests.loop.test_vetoes import eaten


@pytest.fixture(scope="module")
def yeast() -> runs.Run:
    store = runs.memory_store()
    return runs.step_once(store, runs.start(store, load_bundled("yeast")))


@pytest.mark.parametrize(
    "typed",
    [
        "r*yeast*(1 - yeast/K)",
        "yeast*(a - b*yeast)",
        "r*yeast*(K - yeast)",
        "r*yeast - s*yeast**2",
        "dyeast/dt = (1 - yeast/K)*r*yeast",
    ],
)
def test_one_law_in_any_spelling_is_the_best_equation(yeast, typed):
    tried = what_if_equation(yeast, read_equation(yeast.state, 0, typed))
    assert (tried.worth, tried.words) == (True, "It is the best equation so far.")


def test_a_product_that_is_one_term_is_fitted_as_well_as_its_sum(yeast):
    tried = what_if_equation(yeast, EquationNote(0, ("yeast*(1 - yeast/params[0])",)))
    assert tried.share == pytest.approx(1.0, abs=0.01)


def test_a_product_with_more_terms_than_are_allowed_stays_as_it_was_typed(yeast):
    few = replace(yeast.state, settings=replace(yeast.state.settings, max_terms=1))
    note = read_equation(few, 0, "yeast*(K - yeast)")
    assert note.skeletons == ("yeast*(params[0] - yeast)",)


@pytest.fixture(scope="module")
def eaten_up() -> runs.Run:
    store = runs.memory_store()
    return runs.step_once(store, runs.start(store, eaten(0.01)))


@pytest.mark.parametrize("typed", ["V/(1 + K/x)", "V*x/(K*(1 + x/K))", "V*x/(1 + b*x)", "1/(a/x + b)"])
def test_the_function_of_the_law_is_the_law_however_it_is_written(eaten_up, typed):
    assert [term.skeleton for term in eaten_up.state.best[0].fit.terms] == ["x/(params[0] + x)"]
    tried = what_if_equation(eaten_up, read_equation(eaten_up.state, 0, typed))
    assert (tried.worth, tried.words) == (True, "It is the best equation so far, written in another way.")


def test_a_function_with_more_numbers_is_another_one_though_its_values_are_the_same(eaten_up):
    fit, bench = eaten_up.state.best[0].fit, runs.workbench(eaten_up)
    (term,) = fit.terms
    wider = replace(term, skeleton="x/(params[0] + params[1]*x**2 + x)", inner=(*term.inner, 0.0))
    assert difference(fit, fit, bench) == 0.0
    assert difference(replace(fit, terms=(wider,)), fit, bench) == inf


def test_numbers_that_were_typed_are_said_to_be_fitted_again_and_judged_as_they_are(yeast):
    best = yeast.state.best[0].reported
    assert [term.skeleton for term in best.terms] == ["yeast", "yeast**2"]
    own = " + ".join(f"{2 * term.coefficient} * {term.skeleton}" for term in best.terms)
    said = what_if_equation(yeast, read_equation(yeast.state, 0, own)).typed
    assert said.startswith(
        "The numbers that you typed are fitted again. Simulated, the system with them as typed is off "
    )
    assert re.search(r"as typed is off by (\d\d) % of the spread, refitted is off by (under 1|1) % of the spread", said)
    assert "“fixed”" in said
    same = " + ".join(f"{term.coefficient} * {term.skeleton}" for term in best.terms)
    exact = what_if_equation(yeast, read_equation(yeast.state, 0, same)).typed
    typed, refitted = re.findall(r"is off by (.+?) of", exact)
    assert typed == refitted


@pytest.mark.parametrize("typed", ["r*yeast - s*yeast**2", "yeast - yeast**2", "C*yeast - 2*yeast**2", "a*yeast + 2"])
def test_nothing_is_said_of_numbers_where_none_or_not_all_were_typed(yeast, typed):
    assert what_if_equation(yeast, read_equation(yeast.state, 0, typed)).typed == ""
