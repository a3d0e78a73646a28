"""No export presents as a law, or as zero, what no page presents as one; all say of it what the pages say."""

from functools import cache

import pytest

from dolq_core.bundled import generate
from dolq_core.cli.showing import report
from dolq_core.errors import ExportError
from dolq_core.loop import status
from dolq_core.records import Settings
from dolq_core.views.comparison import compare
from dolq_core.views.equations import panels
from dolq_core.views.files import copies, export, why_not_exported
from dolq_core.views.summary import equations
from pages.ui import formulas
from tests.agents.problems import noise
from tests.every import every
from tests.stored import scripted

PROGRAMS = ("python", "julia", "matlab", "sympy", "notebook")
ATTEMPT = "no law found, the best attempt"


@cache
def nothing():
    """Noise, in which no law is claimed."""
    run = scripted(noise(40, 1, 1), [[["1", "x0"]]], settings=Settings(held_out=0.0))
    assert [status(run.state, j)[0] for j in range(len(run.state.best))] == ["none"]
    return run


def text_of(target):
    return export(nothing(), target).content.decode("utf-8")


@pytest.mark.parametrize("target", PROGRAMS)
def test_a_program_names_a_refused_law_where_it_stands(target):
    assert f"dx0/dt: {ATTEMPT}" in text_of(target)


@pytest.mark.parametrize(
    "target", ["latex", "python", "julia", "matlab", "sympy", "notebook", "pysindy", "pysr", "sbml"]
)
def test_a_heading_calls_no_equation_the_best_where_there_is_no_law(target):
    text = " ".join(text_of(target).split())
    assert "the best attempts of DoLQ after 1 iteration" in text.replace(r"\\", "").replace("# ", "")
    assert "the best equations" not in text


def test_a_formula_of_a_refused_law_has_the_sign_of_the_page_and_says_what_it_is():
    (panel,) = panels(nothing())
    shown = formulas.best(panel).replace(r"\approx", r"&\approx")
    assert r"&\approx" in shown
    for said in (text_of("latex"), copies(nothing()).latex):
        assert rf"{shown}\quad\text{{({ATTEMPT})}}" in said
    (pair,) = compare(nothing(), nothing()).equations
    assert pair.here == pair.there == formulas.best(panel)
    assert r"\approx" in text_of("notebook")
    assert f"<mtext>({ATTEMPT})</mtext>" in text_of("report")
    assert "<mo>=</mo>" not in text_of("report")


def test_plain_text_does_not_say_that_nothing_moves():
    assert text_of("text").splitlines()[1:] == ["# dx0_dt: no law found"]


def test_the_command_line_says_it_in_words(capsys):
    assert equations(nothing()) == ["d x0 / d t: no law found"]
    assert not report(nothing(), None)
    said = capsys.readouterr().out
    assert "\nd x0 / d t: no law found\n" in said
    assert "= ?" not in said


def test_the_report_has_the_verdicts_that_the_pages_have():
    rows = [row for panel in panels(nothing()) for row in panel.terms]
    assert rows
    assert every(row.graded for row in rows)
    page = text_of("report")
    assert "not graded" not in page
    assert page.count(f"<td>{rows[0].action}</td><td>{rows[0].reason}</td>") == len(rows)


def test_of_a_run_that_ended_without_a_law_the_export_does_not_ask_to_go_on():
    beyond = ["log(-exp(params[0]*x0))"]
    run = scripted(generate(2, points=60), [[["x0"], beyond]], settings=Settings(held_out=0.0, iterations=1))
    said = "ended with no law for x1."
    assert why_not_exported(run, "python") == f"The run {said}"
    with pytest.raises(ExportError, match=f"it {said} What it tried is in its bundle"):
        export(run, "python")
    open_end = scripted(generate(2, points=60), [[["x0"], beyond]])
    assert why_not_exported(open_end, "python") == "There is no equation for every state yet."
