"""A term whose inner parameter does next to nothing is taken for what it looks like, and the run looks at that, too."""

from dataclasses import replace

import pytest

from dolq_core.fitting.limits import plainer
from dolq_core.loop.status import reason_to_stop
from dolq_core.records import FittedTerm, TermKey, Visited
from tests import stored
from tests.loop.states import logistic_problem


@pytest.fixture(scope="module")
def found():
    return stored.found(logistic_problem()).state


def best_is(state, *terms):
    """The state with another structure at the floor as its best: (skeleton, inner parameters) each."""
    fitted = tuple(FittedTerm(skeleton, 1.0, inner=inner) for skeleton, inner in terms)
    fit = replace(state.best[0].fit, terms=fitted)
    return replace(state, best=(Visited(fit, 1),), archive={})


@pytest.mark.parametrize(
    ("term", "inner", "plain"),
    [
        ("x*exp(params[0]*x)", (1e-4,), "x"),
        ("x/(params[0] + x)", (1e6,), "x"),
        ("x/(params[0] + x)", (1e-9,), "1"),
        ("x**params[0]", (2.001,), "x**2"),
        ("x/(params[0] + x)", (3.0,), ""),
        ("sin(params[0]*x)", (2.0,), ""),
    ],
)
def test_a_term_is_what_it_looks_like_on_the_samples(found, term, inner, plain):
    state = best_is(found, (term, inner))
    assert plainer(state, 0) == ((plain,) if plain else ())


def test_the_run_goes_on_until_the_plainer_law_was_fitted_or_is_banned(found):
    state = best_is(found, ("x", ()), ("x**2*exp(params[0]*x)", (1e-4,)))
    key = (0, ("x", "x**2"))
    assert plainer(state, 0) == ("x", "x**2")
    assert reason_to_stop(state) == ""
    tried = replace(state, archive={key: state.best[0]})
    assert plainer(tried, 0) == ()
    assert reason_to_stop(tried).startswith("Found")
    banned = replace(state, bans={TermKey(0, "x**2"): None})
    assert plainer(banned, 0) == ()
