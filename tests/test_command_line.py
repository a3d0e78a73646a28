"""What goes in and out of the command line: pipes, patterns, words about columns and terms, progress, exit status."""

import json
import shutil
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.cli import codes, main, telling
from dolq_core.errors import AgentError
from tests.every import every

TWO = "t,x,y\n" + "".join(f"{k / 10},{0.9**k:.9f},{1 - 0.9**k:.9f}\n" for k in range(60))
NOISE = "t,x\n" + "".join(f"{k},{(k * 7919 % 101) / 50:.3f}\n" for k in range(60))
SCHEMA = json.loads(resources.files("dolq_core.export").joinpath("dolq-result-1.schema.json").read_text())


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.csv").write_text(TWO)
    (tmp_path / "noise.csv").write_text(NOISE)
    return tmp_path


def dolq(*args: str, given: str | bytes = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(args), input=given)
    return done.exit_code, done.stdout, done.stderr


def found(*args: str, given: str | bytes = "") -> dict:
    status, out, said = dolq("discover", *args, "--iterations", "1", "--out", "out.json", given=given)
    assert status in (codes.FOUND, codes.NOTHING), out + said
    return json.loads(Path("out.json").read_text())


def last() -> runs.Run:
    store = runs.open_store()
    return runs.load(store, runs.list_runs(store)[0].id)


def test_a_table_comes_from_a_pipe():
    assert found("-", "--time", "t", given=TWO)["names"] == ["x", "y"]


def test_a_pattern_names_a_run_for_each_file_and_none_is_refused(here):
    shutil.copy("two.csv", "two again.csv")
    found("two*.csv", "--time", "t")
    assert [run.label for run in last().state.problem.dataset.trajectories] == ["two again", "two"]
    status, _, said = dolq("discover", "three*.csv")
    assert (status, "no file matches it" in said) == (codes.BAD_DATA, True)


@pytest.mark.parametrize(("named", "meant"), [("yeats", "yeast"), ("tow.csv", "two.csv")])
def test_a_file_that_is_not_there_is_answered_with_what_may_be_meant(named, meant):
    status, _, said = dolq("discover", named)
    assert (status, f"Did you mean '{meant}'?" in said) == (codes.BAD_DATA, True)


def test_units_and_meanings_are_said_of_columns():
    found("two.csv", "--unit", "x=g/L", "--unit", "t=h", "--meaning", "x=sugar", "--meaning", "y=cells = dry mass")
    dataset = last().state.problem.dataset
    assert (dataset.time.unit, dataset.states[0].unit, dataset.states[0].meaning) == ("h", "g/L", "sugar")
    assert dataset.states[1].meaning == "cells = dry mass"
    status, _, said = dolq("discover", "two.csv", "--unit", "z=g")
    assert (status, "There are t, x, y." in said) == (codes.BAD_DATA, True)
    assert dolq("discover", "two.csv", "--unit", "x")[0] == codes.USAGE


def test_a_veto_and_a_pin_hold_from_the_first_iteration_and_are_in_the_log():
    found("two.csv", "--veto", "x: x", "--veto", "sin(y)", "--pin", "y: x*y")
    run = last()
    assert {(key.equation, key.skeleton) for key in run.state.bans} >= {(0, "x"), (0, "sin(y)"), (1, "sin(y)")}
    assert every("x" not in [t.skeleton for t in fit.equations[0].terms] for fit in run.state.last.fits)
    assert every("x*y" in [t.skeleton for t in fit.equations[1].terms] for fit in run.state.last.fits)
    for option, text in (("--pin", "x*y"), ("--veto", "z: x"), ("--veto", "x: __import__('os')")):
        status, _, said = dolq("discover", "two.csv", option, text)
        assert (status, said.startswith("Error: ")) == (codes.BAD_DATA, True)
    assert len(runs.list_runs(runs.open_store())) == 1, "nothing is stored of a run that was refused"


def test_a_library_is_all_that_laws_are_made_of():
    Path("terms.txt").write_text("# shared\nx*y\n\nx: x  # its own\ny: y**2\n")
    document = found("two.csv", "--library", "terms.txt")
    tried = {
        (fit.equation, term.skeleton)
        for entry in last().entries[1:] for system in entry.fits for fit in system.equations for term in fit.terms
    }  # fmt: skip
    assert tried <= {(0, "x*y"), (1, "x*y"), (0, "x"), (1, "y**2")}
    assert any("x*y" in sentence for sentence in document["allowed"])
    for text, said in (("z: x", "names the equation of 'z'"), ("x: x", "no term for the equation of 'y'")):
        Path("terms.txt").write_text(text)
        assert said in dolq("discover", "two.csv", "--library", "terms.txt")[2]


def test_progress_is_told_where_there_is_no_terminal_and_left_where_nobody_wants_it(monkeypatch):
    monkeypatch.setattr(telling, "EVERY_S", 0.001)
    said = dolq("discover", "two.csv", "--iterations", "2")[2]
    assert "Iteration 1 of at most 2" in said
    assert "\r" not in said
    status, out, said = dolq("discover", "two.csv", "-q", "--iterations", "2")
    assert (status, said) == (codes.FOUND, "")
    assert "d x / d t" in out
    assert "Iteration 1: d x / d t = " in dolq("discover", "two.csv", "-v", "--iterations", "1")[2]
    assert dolq("discover", "two.csv", "-q", "-v")[0] == codes.USAGE


def test_a_place_that_takes_no_result_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(runs, "find_problem", None)
    status, _, said = dolq("discover", "two.csv", "--out", "nowhere/out.json")
    assert (status, "nowhere/out.json" in said) == (codes.BAD_DATA, True)


def test_the_exit_status_says_what_came_of_it(monkeypatch):
    assert dolq("discover", "two.csv", "--iterations", "1")[0] == codes.FOUND
    assert dolq("discover", "noise.csv", "--iterations", "1", "--out", "no.json")[0] == codes.NOTHING
    assert {one["status"] for one in json.loads(Path("no.json").read_text())["equations"].values()} == {"none"}
    assert dolq("discover", "two.csv", "--time", "nowhere")[0] == codes.BAD_DATA
    assert dolq("discover", "two.csv", "--nowhere")[0] == codes.USAGE
    assert dolq("nowhere")[0] == codes.USAGE

    def ends_with(error):
        def auto(*_, **__):
            raise error

        monkeypatch.setattr(runs, "auto", auto)
        return dolq("discover", "two.csv")

    assert ends_with(AgentError("The model", "it is gone", "Start it."))[0] == codes.PAUSED
    assert ends_with(KeyboardInterrupt())[0] == codes.INTERRUPTED


@pytest.mark.parametrize("table", ["two.csv", "noise.csv"])
def test_a_result_keeps_to_its_schema_and_the_schema_describes_all_of_it(table):
    document = found(table, "--veto", "sin(x)")
    jsonschema.validate(document, SCHEMA)
    assert document.keys() == SCHEMA["properties"].keys()
    for equation in document["equations"].values():
        assert equation.keys() == SCHEMA["$defs"]["equation"]["properties"].keys()
        terms = equation["terms"]
        assert not terms or every(term.keys() == SCHEMA["$defs"]["term"]["properties"].keys() for term in terms)
    broken = {**document, "equations": {"x": {**next(iter(document["equations"].values())), "status": "found"}}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEMA)
