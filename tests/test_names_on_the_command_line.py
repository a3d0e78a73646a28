"""The command line calls columns as the formulas of the pages do: without units, and no symbol stands for a name."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.blocks import read_blocks
from dolq_core.cli.showing import report
from dolq_core.fitting import names_of
from dolq_core.records import Variable
from dolq_core.terms import parse_term
from dolq_core.views import summary
from tests.every import every
from tests.loop.test_vetoes import hunters

NAMED = (Variable("x (mm)", "x", "mm"), Variable("2nd speed (mm/s)", "x_2nd_speed", "mm/s"))


@pytest.fixture(scope="module")
def run():
    problem = hunters()
    dataset = replace(problem.dataset, states=NAMED, time=Variable("t [s]", "t", "s"))
    rules = read_blocks('[equations.x]\nsigns = {"x" = "+"}\nmust = ["x*`2nd speed (mm/s)`"]', names_of(dataset), 2)
    store = runs.open_store()
    return runs.step_once(store, runs.start(store, replace(problem, dataset=dataset, blocks=rules)))


def test_laws_terms_and_rules_have_the_names_that_formulas_have(run, capsys):
    report(run, None)
    lines = capsys.readouterr().out.splitlines()
    assert "In the equation of x, x is positive." in lines
    assert "Always in the equation of x: x*`2nd speed`." in lines
    laws = [line for line in lines if line.startswith("d ")]
    assert [law.partition(" = ")[0] for law in laws] == ["d x / d t", "d 2nd speed / d t"]
    assert every("x*`2nd speed`" in law for law in laws)
    assert sum(line.startswith("  x*`2nd speed` ") for line in lines) == 2
    assert "x_2nd_speed" not in "".join(lines)


def test_a_term_as_it_is_printed_can_be_typed(run):
    assert parse_term("x*`2nd speed`", names_of(run.state.problem.dataset)).skeleton == "x*x_2nd_speed"


def test_the_document_keeps_the_columns_own_names(run):
    document = summary.result(run)
    assert list(document["equations"]) == ["x (mm)", "2nd speed (mm/s)"]
    assert (document["time"], document["symbols"]["2nd speed (mm/s)"]) == ("t [s]", "x_2nd_speed")
    assert "In the equation of x (mm), x is positive." in document["allowed"]
