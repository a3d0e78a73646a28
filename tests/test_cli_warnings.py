"""What the page Data calls unfit is said on the command line as well, once, before a run begins."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.records import Problem
from dolq_core.views.fitness import fitness

EIGHT = "t,x,y\n" + "".join(f"{k / 20},{math.sin(k / 20):.6f},{math.sin(k / 10):.6f}\n" for k in range(240))
ROUND = "t,x,y\n" + "".join(f"{k / 20},{math.sin(k / 20):.6f},{math.cos(k / 20):.6f}\n" for k in range(240))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder with both tables, and runs that end before their first iteration."""
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eight.csv").write_text(EIGHT)
    (tmp_path / "round.csv").write_text(ROUND)
    monkeypatch.setattr(runs, "auto", lambda store, run, *_, **__: runs.load(store, run))


@pytest.mark.parametrize("loud", [[], ["-q"]])
def test_a_path_that_crosses_itself_is_told_before_a_run_begins(loud):
    said = CliRunner().invoke(main, ["discover", "eight.csv", *loud]).stderr
    assert said.startswith("Warning: No law of these columns alone. The path of x and y crosses itself")


def test_inspect_says_it_too_and_what_is_fit_is_not_warned_of():
    done = CliRunner().invoke(main, ["inspect", "eight.csv"])
    assert done.exit_code == 0
    assert done.stderr.startswith("Warning: No law of these columns alone.")
    assert CliRunner().invoke(main, ["inspect", "round.csv"]).stderr == ""
    assert "Warning" not in CliRunner().invoke(main, ["discover", "round.csv"]).stderr


def test_the_words_are_those_of_the_page(tmp_path):
    CliRunner().invoke(main, ["discover", "eight.csv"])
    (run,) = runs.open_store(tmp_path / "runs.db").runs()
    problem = runs.load(runs.open_store(tmp_path / "runs.db"), run.id).state.problem
    (check,) = [check for check in fitness(problem).checks if check.verdict == "bad"]
    said = CliRunner().invoke(main, ["discover", "eight.csv", "-q"]).stderr
    assert said == f"Warning: {check.finding}. {check.meaning}\n"


def test_no_bundled_table_is_warned_of():
    assert not [check for check in fitness(load_bundled("yeast")).checks if check.verdict == "bad"]


def test_a_column_that_may_be_an_input_is_told_before_the_start(tmp_path):
    levels = [0, 50, 0, 120, 200, 120, 0, 50, 200, 0]
    rows = (f"{k / 2},{math.exp(-k / 99):.5f},{levels[k // 20]}\n" for k in range(200))
    (tmp_path / "tank.csv").write_text("t,temp,heater\n" + "".join(rows))
    for command in ("inspect", "discover"):
        said = CliRunner().invoke(main, [command, "tank.csv"]).stderr
        assert "Warning: heater may be an input. It keeps its value for 20 samples on average, then jumps" in said
        assert "heater may be" not in CliRunner().invoke(main, [command, "tank.csv", "--input", "heater"]).stderr


def test_inspect_tells_all_that_the_page_asks_to_mind(here):
    """What is good is told on the page alone, and discover begins without a lecture."""
    done = CliRunner().invoke(main, ["inspect", "round.csv"])
    minded = [f"Note: {one.finding}. {one.meaning}" for one in checks_of("round.csv") if one.verdict == "mind"]
    assert "Note: One run only. A run from another start would tell more laws apart." in minded
    assert [line for line in done.stdout.splitlines() if line.startswith("Note: ")] == minded
    assert "Note" not in CliRunner().invoke(main, ["discover", "round.csv"]).stderr


def checks_of(name):
    return fitness(Problem(runs.inspect([Path(name)]).reading.dataset)).checks
