"""What a person states of a coefficient and the numbers do not bear out: it is said, and no other name hides it."""

from dataclasses import replace

import pytest

from dolq_core import loop, runs
from dolq_core.bundled import load_bundled
from dolq_core.cli.showing import report
from dolq_core.loop.suspect import doubt
from dolq_core.records import Blocks, Bound, EquationBlocks, FittedTerm
from dolq_core.views.false_rules import cost_of_rules
from tests.app.scenes import app, read
from tests.loop.test_vetoes import hunters


def stepped(problem, own):
    store = runs.open_store()
    id_ = runs.start(store, replace(problem, blocks=Blocks(equations=(own,))))
    return runs.step_once(store, id_)


@pytest.fixture
def false():
    """Yeast that is said to grow with its square."""
    return stepped(load_bundled("yeast"), EquationBlocks(0, signs=(("yeast", "positive"), ("yeast**2", "positive"))))


FALSE_RULES = [
    (
        EquationBlocks(0, bounds=(Bound("yeast", 0.0, 0.2),)),
        "limits: without them, the coefficient of yeast comes out as",
    ),
    (EquationBlocks(0, fixed=(("yeast", 0.2),)), "known value: without it, the coefficient of yeast comes out as"),
]
"""Of yeast, which grows by 0.55 of itself in an hour."""
TRUE_RULES = [
    EquationBlocks(0, signs=(("yeast", "positive"), ("yeast**2", "negative"))),
    EquationBlocks(0, signs=(("yeast**3", "negative"),)),
    EquationBlocks(0, bounds=(Bound("yeast", 0.0, 1.0),)),
    EquationBlocks(0),
]


def test_a_false_sign_is_told_wherever_the_cost_of_a_pin_is(false, capsys):
    told = cost_of_rules(false)
    assert told.startswith("The numbers disagree with your sign: without it, the coefficient of yeast**2 comes out as")
    assert told.count("disagree") == 1, "the other sign is right"
    page = read(app("discover", false.id))
    assert told in page
    assert "Nobody disagrees" not in page
    assert told in read(app("equations", false.id))
    report(false, None)
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(("own", "said"), FALSE_RULES)
def test_false_limits_and_a_false_value_of_a_coefficient_are_told_as_well(own, said):
    told = cost_of_rules(stepped(load_bundled("yeast"), own))
    assert told.startswith(f"The numbers disagree with your {said} ")
    assert "nats better" in told


@pytest.mark.parametrize("own", TRUE_RULES)
def test_of_a_rule_that_the_numbers_bear_out_nothing_is_said(own):
    assert cost_of_rules(stepped(load_bundled("yeast"), own)) == ""


@pytest.mark.parametrize(("coefficient", "sign"), [(-0.4, "positive"), (0.4, "negative")])
def test_a_term_with_a_stated_sign_does_not_stand_with_the_other_one_under_another_name(coefficient, sign):
    """A power near one of y is y: the sign of x*y is that of x*y**1.0000001."""
    own = EquationBlocks(0, signs=(("x*y", sign),))
    run = stepped(hunters(), EquationBlocks(0))
    best = run.state.best[0]
    law = (FittedTerm("x", 0.9, 1e-6), FittedTerm("x*y**params[0]", coefficient, 1e-6, (1.0000001,), (1e-6,)))
    fit = replace(best.reported, terms=law)
    seen = replace(best, fit=fit, refined=None)
    stated = replace(run.state, problem=replace(run.state.problem, blocks=Blocks(equations=(own,))))
    assert doubt(stated, seen).endswith(f"on them the same as x*y, which may only be {sign}.")
    other = {"positive": "negative", "negative": "positive"}[sign]
    right = EquationBlocks(0, signs=(("x*y", other),))
    held = replace(run.state, problem=replace(run.state.problem, blocks=Blocks(equations=(right,))))
    assert "may only be" not in doubt(held, seen)


def test_a_law_beside_a_stated_sign_has_no_rival_among_those_that_are_allowed(false):
    assert loop.is_narrowed(false.state, 0)
