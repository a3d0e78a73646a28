"""The command line calls columns as the formulas of the pages do: without units, and no symbol stands for a name."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.blocks import read_blocks
from dolq_core.cli.showing import report
from dolq_core.fitting import names_of
from dolq_core.inspection import short_names
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


DIMER = "run,t / min,[A] mM,[B] / mM\n" + "".join(f"a,{0.5 * i},{8 * 0.9**i},{1 - 0.5 * 0.9**i}\n" for i in range(20))


@pytest.fixture
def dimer(tmp_path):
    path = tmp_path / "dimer.csv"
    path.write_text(DIMER)
    return path


def test_columns_are_called_as_on_the_page_data(dimer):
    problem, notes = runs.find_problem(str(dimer))
    dataset = problem.dataset
    (opened,) = [runs.opened([(dimer.name, dimer.read_bytes())], "dimer").table]
    assert [one.name for one in dataset.columns] == [
        short_names(opened)[own] for own in ("t / min", "[A] mM", "[B] / mM")
    ]
    assert [one.title for one in dataset.columns] == ["t (min)", "[A] (mM)", "[B] (mM)"]
    for own, unit in (("t / min", "min"), ("[A] mM", "mM"), ("[B] / mM", "mM")):
        assert f"Column '{own}': its name ends with a unit; '{unit}' was taken as its unit." in notes
    assert runs.inspect([dimer]).reading.dataset.states == dataset.states


@pytest.mark.parametrize("name", ["[A]", "[A] mM", "[A] / mM", "[A] (mM)", "[A] [mM]"])
def test_rules_take_a_heading_as_it_stands_and_without_its_unit(dimer, name):
    problem, _ = runs.find_problem(str(dimer))
    ruled = runs.with_blocks(problem, f'[equations."{name}"]\nmust = ["`{name}`**2"]')
    assert [(one.equation, one.must) for one in ruled.blocks.equations] == [(0, ("A**2",))]
    assert runs.with_words(problem, {name: "g/L"}, {}).dataset.states[0].unit == "g/L"


def test_a_name_that_is_given_stands(dimer):
    problem, _ = runs.find_problem(str(dimer), called={"[A]": "monomer"})
    assert [one.name for one in problem.dataset.states] == ["monomer", "[B]"]
