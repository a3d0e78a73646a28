"""One letter for a number in two equations is fitted twice, and that is said where a person writes it."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.blocks import apart, read_blocks
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.errors import TermError
from dolq_core.fitting import names_of
from dolq_core.loop.advance import begin
from dolq_core.records import Problem, Settings, Start
from dolq_core.terms import safe_names
from dolq_core.views.terms import fitted_apart, read_key
from tests.app.scenes import app, press, read
from tests.stored import scripted

NAMES = safe_names(["x", "y"], "t")
TWICE = "[equations.x]\nstart = 'dx/dt = -k*x'\n[equations.y]\nstart = 'k*x - q*y'\n"
TIE = "[[ties]]\nterms = {x = 'x', y = 'x'}\nratio = 'opposite'\n"
SAID = "k: written in several equations and fitted separately in each; to make it one number, start a new run"


def two(rules: str = "") -> Problem:
    problem = load_bundled("system-2")
    return replace(problem, blocks=read_blocks(rules, names_of(problem.dataset), 2)) if rules else problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TWICE, SAID),
        (TWICE + TIE, ""),
        ("[equations.x]\nmust = ['x/(K + x)']\npin = ['K*y']", ""),
        ("[equations.x]\nmust = ['x/(K + x)']\n[equations.y]\npin = ['x/(K + x)']", "K: written in several"),
        ("", ""),
    ],
)
def test_a_letter_in_several_equations_of_the_rules_is_said_to_be_several_numbers(text, said):
    assert apart(text, NAMES).startswith(said)
    assert bool(apart(text, NAMES)) == bool(said)


def test_a_name_that_is_none_is_answered_with_what_the_columns_are():
    known = two().dataset.states
    meant = replace(known[0], meaning="speed of the glider", unit="m/s")
    problem = replace(two(), dataset=replace(two().dataset, states=(meant, *known[1:])))
    with pytest.raises(TermError, match=r"Known are x0 \(speed of the glider, m/s\), x1 "):
        read_key(begin(Start(problem, Settings())), 0, "k*(Tenv - temp)")


def test_a_unit_in_a_column_as_charts_write_it_is_no_letter():
    """The field read `C_plasma (mg/L)` as the column, and said at once that L is no column."""
    first, second = two().dataset.states
    named = (replace(first, name="C_plasma", unit="mg/L"), replace(second, name="A_gut", unit="K"))
    state = begin(Start(replace(two(), dataset=replace(two().dataset, states=named)), Settings()))
    assert read_key(state, 0, "C_plasma (mg/L)").skeleton == first.symbol
    assert fitted_apart(state, "C_plasma (mg/L)") == ""
    assert fitted_apart(state, "L*C_plasma (mg/L) + A_gut (K)").startswith("L: no column, so a number, ")


def test_the_command_line_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "runs.db"))
    Path("rules.toml").write_text(TWICE)
    Path("data.csv").write_text("t,x,y\n" + "".join(f"{k / 10},{0.9**k:.6f},{1 - 0.9**k:.6f}\n" for k in range(40)))
    asked = ["discover", "data.csv", "--allow", "rules.toml", "--iterations", "1"]
    assert SAID in CliRunner().invoke(main, asked).stderr


def test_a_typed_equation_says_so_where_there_are_several_and_no_rule_joins_them():
    run = scripted(two(), [[["1", "x0"], ["x0", "sin(x1)"]]])
    at = app("discover", run.id)
    at.segmented_control(key="try.what").set_value("equation").run()
    at.text_input(key="whole.text").input("-k*x0").run()
    assert (
        "k: no column, so a number, fitted separately in each equation; to make it one number, start a new run"
        in read(at)
    )
    press(at, "Add to the changes")
    assert "Try the equation dx0/dt = -k*x0." in read(at)
    press(at, "Apply")
    assert "You: propose the equation -k*x0 in dx0/dt." in read(at)
    assert "Proposed the equation dx0/dt = -k*x0" in read(app("history", run.id))
    at.text_input(key="whole.text").input("-2*x0").run()
    assert "fitted separately" not in read(at)
    joined = two("[[ties]]\nterms = {x0 = 'x0', x1 = 'x0'}")
    assert fitted_apart(run.state, "-k*x0")
    assert not fitted_apart(replace(run.state, problem=joined), "-k*x0")
    assert not fitted_apart(runs.load(runs.open_store(), run.id).state, "x0**2")
