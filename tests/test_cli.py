"""The command line keeps its contract: what goes in by files and pipes, what is said of it, results, exit status."""

import ast
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.bundled import generate, load_bundled
from dolq_core.cli import codes, main, telling
from dolq_core.errors import AgentError
from dolq_core.store.sqlite import SqliteStore
from dolq_core.views.files import TARGETS
from tests.every import every, none
from tests.waiting import LONGEST_S

ROOT = Path(__file__).resolve().parent.parent
YEAST = ROOT / "assets" / "datasets" / "yeast" / "data.csv"
SCHEMA = json.loads(resources.files("dolq_core.export").joinpath("dolq-result-1.schema.json").read_text())
TWO = "t,x,y\n" + "".join(f"{k / 10},{0.9**k:.9f},{1 - 0.9**k:.9f}\n" for k in range(60))
NOISE = "t,x\n" + "".join(f"{k},{(k * 7919 % 101) / 50:.3f}\n" for k in range(60))
DECAY = "zeit (h);E;temp (°C)\n" + "".join(
    f"{h / 10};{2.718281828 ** (-h / 20):.9f};{20 + 60 * 2.718281828 ** (-h / 30):.9f}\n" for h in range(60)
)
DIES_IN_THE_SECOND_ITERATION = """
import importlib, os, signal
from dolq_core.cli import main

step = importlib.import_module("dolq_core.loop.step")
decide = step.decide
step.decide = lambda state, *rest: os.kill(os.getpid(), signal.SIGKILL) if state.iteration else decide(state, *rest)
main()
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """The folder in which commands run, with two tables and the database."""
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.csv").write_text(TWO)
    (tmp_path / "noise.csv").write_text(NOISE)
    return tmp_path


def apart(*args: object, how: tuple[str, str] = ("-m", "dolq_core")) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, *how, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=LONGEST_S)


def dolq(*args: str, given: str | bytes = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(args), input=given)
    return done.exit_code, done.stdout, done.stderr


def discover(table: str, *args: str) -> tuple[int, str, dict | None]:
    """What comes of a table after two iterations at most: the status, all that is said, and the result."""
    Path("data.csv").write_text(table, encoding="utf-8")
    status, out, said = dolq("discover", "data.csv", "--out", "out.json", "--iterations", "2", *args)
    return status, out + said, json.loads(Path("out.json").read_text()) if Path("out.json").exists() else None


def found(*args: str, given: str | bytes = "") -> dict:
    status, out, said = dolq("discover", *args, "--iterations", "1", "--out", "out.json", given=given)
    assert status in (codes.FOUND, codes.NOTHING), out + said
    return json.loads(Path("out.json").read_text())


def last() -> runs.Run:
    store = runs.open_store()
    return runs.load(store, runs.list_runs(store)[0].id)


def test_importing_the_package_loads_no_sdk_and_nothing_slow():
    slow = {"sympy", "openai", "google.genai", "pandas", "scipy", "streamlit", "plotly", "numpy"}
    code = f"import sys, dolq_core, dolq_core.__main__; print(sorted({slow!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_yeast_follows_the_logistic_law(tmp_path):
    out = tmp_path / "yeast.json"
    done = apart("discover", YEAST, "--time", "hour", "--db", tmp_path / "runs.db", "--out", out)
    assert done.returncode == 0, done.stderr
    equation = json.loads(out.read_text())["equations"]["yeast"]
    found = {term["skeleton"]: term["coefficient"] for term in equation["terms"]}
    assert set(found) == {"yeast", "yeast**2"}
    assert found["yeast"] == pytest.approx(0.541, rel=0.05)
    assert -found["yeast"] / found["yeast**2"] == pytest.approx(664, rel=0.03)


def test_awkward_names_keep_their_own_name_and_get_a_safe_symbol():
    status, said, result = discover(DECAY, "--time", "zeit (h)")
    assert status == 0, said
    assert set(result["equations"]) == {"E", "temp (°C)"}
    for own, equation in result["equations"].items():
        used = {node.id for node in ast.walk(ast.parse(equation["expression"])) if isinstance(node, ast.Name)}
        assert used <= {result["symbols"].get(name, name) for name in result["names"]} | {"t"}, own


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        ("", ["empty"]),
        ("t,x\n", ["row"]),
        ("t,x\n0,1\n1,two\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,9\n", ["two", "3", "x"]),
        ("t,x\n0,1\n1,2\n2,3\n1,4\n0,5\n3,6\n4,7\n5,8\n", ["time", "5"]),
        ("t,x\n0,1\n1,2\n1,3\n2,4\n3,5\n4,6\n5,7\n", ["time", "4"]),
        ("t,x\n0,1\n1,2\n2,3\n", ["3"]),
        ("t,x\na,b\nc,d\n", ["t"]),
    ],
    ids=[
        "empty", "header alone", "text in a number column", "time goes back", "time repeats", "three rows",
        "no numbers",
    ],
)  # fmt: skip
def test_bad_input_ends_with_status_2_and_a_message_that_names_the_place(table, parts):
    status, said, result = discover(table, "--time", "t")
    assert (status, result) == (2, None)
    assert said.startswith("Error: ")
    assert "Traceback" not in said
    for part in parts:
        assert part in said


TWO_RUNS = "t,x,run\n" + "".join(
    f"{h / 10},{start * 2.718281828 ** (-h / 20):.9f},{run}\n" for run, start in (("a", 3), ("b", 5)) for h in range(30)
)


def test_a_run_is_held_out_by_its_name_and_scored():
    status, said, result = discover(TWO_RUNS, "--run", "run", "--hold-out-run", "b")
    assert status == 0, said
    assert result["settings"]["held_out_runs"] == ["b"]
    assert result["equations"]["x"]["scores"]["held_out_integral_nmse"] < 1e-6
    assert "held out: error (NMSE)" in said


@pytest.mark.parametrize(("names", "part"), [(["c"], "no such run"), (["a", "b"], "nothing would be left to fit")])
def test_a_run_that_cannot_be_held_out_is_refused(names, part):
    options = [word for name in names for word in ("--hold-out-run", name)]
    status, said, result = discover(TWO_RUNS, "--run", "run", *options)
    assert (status, result) == (2, None)
    assert said.splitlines()[-1].startswith("Error: The run")
    assert part in said


def test_every_setting_may_be_said_by_its_name():
    said = ("--set", "patience = 5", "--set", "held_out_runs=b,", "--set", "inputs=next", "--set", "held_out=0.1")
    status, said, result = discover(TWO_RUNS, "--run", "run", *said)
    assert status == 0, said
    kept = {name: result["settings"][name] for name in ("patience", "held_out_runs", "inputs", "held_out")}
    assert kept == {"patience": 5, "held_out_runs": ["b"], "inputs": "next", "held_out": 0.1}


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("held_outt=0", "Did you mean 'held_out'?"),
        ("held_out=much", "'much' is no number from 0 to 0.9"),
        ("patience=2.5", "'2.5' is no whole number"),
        ("inputs=foo", "Take one of auto, linear, nearest, previous, next."),
        ("patience", "Write NAME=VALUE"),
    ],
)
def test_a_setting_that_is_none_is_a_wrong_command_line(setting, part):
    status, said, result = discover(TWO_RUNS, "--set", setting)
    assert (status, result) == (codes.USAGE, None)
    assert part in said


def test_a_stored_run_goes_by_its_name_while_it_is_the_only_one(here):
    db = ("--db", str(here / "named.db"))
    dolq("discover", "yeast", "-q", "--set", "iterations=1", *db)
    status, shown, _ = dolq("show", "yeast in a culture", *db)
    assert (status, "d yeast / d hour" in shown) == (codes.FOUND, True)
    assert dolq("export", "Yeast in a culture", "--to", "bundle", "-o", str(here / "yeast.zip"), *db)[0] == 0
    dolq("discover", "yeast", "-q", "--set", "iterations=1", *db)
    status, _, said = dolq("show", "Yeast in a culture", *db)
    assert (status, "2 runs are called so" in said, "Name one by its id." in said) == (codes.BAD_DATA, True, True)


def test_what_is_not_there_is_named(here):
    for asked in (("discover", "nowhere.csv"), ("show", "none-such", "--db", str(here / "other.db"))):
        status, _, said = dolq(*asked)
        assert (status, asked[1] in said) == (codes.BAD_DATA, True)


def test_a_bundled_set_goes_by_its_name_and_brings_its_words():
    assert "culture" in found("yeast")["description"]


def test_runs_are_listed_and_shown(here):
    db = str(here / "other.db")
    discover(DECAY, "--db", db)
    assert "temp (°C)" in dolq("show", dolq("runs", "--db", db)[1].split()[0], "--db", db)[1]


def test_a_run_is_removed_once_that_is_said(here):
    dolq("discover", "two.csv", "--iterations", "1")
    run = last().id
    assert dolq("remove", run, given="n\n")[0] == 1
    assert last().id == run
    status, out, _ = dolq("remove", run, given="y\n")
    assert status == 0
    assert "Remove two (1 iteration) for good?" in out
    assert dolq("runs")[1].startswith("No runs yet")
    status, _, said = dolq("remove", run, "--yes")
    assert status == 2
    assert "there is no such run" in said


def test_a_run_that_paused_names_a_command_that_goes_on_also_in_another_database(tmp_path, monkeypatch):
    def gone(*_, **__):
        raise AgentError("The model", "it is gone", "Start it.")

    monkeypatch.setattr(runs, "auto", gone)
    paused = CliRunner().invoke(main, ["discover", "yeast", "--db", str(tmp_path / "another place.db")])
    monkeypatch.undo()
    command = shlex.split(paused.output.split("Go on with: ")[1])
    assert command[:3] == ["python", "-m", "dolq_core"]
    again = CliRunner().invoke(main, [*command[3:], "--iterations", "1"])
    assert again.exit_code == 0, again.output


def test_a_process_killed_inside_an_iteration_loses_none_and_the_resumed_run_ends_the_same(tmp_path):
    whole, cut, table = tmp_path / "whole.json", tmp_path / "cut.json", tmp_path / "glider.csv"
    (glider,) = generate(2, points=100).dataset.trajectories
    np.savetxt(table, np.column_stack([glider.t, glider.x]), delimiter=",", header="t,x0,x1", comments="")
    assert apart("discover", table, "--db", tmp_path / "a.db", "--out", whole).returncode == 0
    command = ("-c", DIES_IN_THE_SECOND_ITERATION)
    assert apart("discover", table, "--db", tmp_path / "b.db", how=command).returncode == -signal.SIGKILL
    (killed,) = SqliteStore(tmp_path / "b.db").runs()
    assert killed.iterations == 1
    done = apart("resume", killed.id, "--db", tmp_path / "b.db", "--out", cut)
    assert done.returncode == 0, done.stderr
    ends = [json.loads(path.read_text()) for path in (whole, cut)]
    assert ends[0]["iterations"] == ends[1]["iterations"] > 1
    assert ends[0]["equations"] == ends[1]["equations"]


def test_a_run_is_written_in_every_form_that_the_pages_offer(here):
    discover(DECAY)
    for form in TARGETS:
        status, _, said = dolq("export", last().id, "--to", form, "-o", str(here))
        assert status == 0, said
    assert Path("data_python.py").read_text(encoding="utf-8").startswith("# A system of ordinary")
    assert dolq("export", last().id, "--to", "julia")[1] == Path("data.jl").read_text(encoding="utf-8")
    assert dolq("export", last().id, "--to", "julia", "-o", "-")[1] == Path("data.jl").read_text(encoding="utf-8")
    assert not Path("-").exists()


def test_a_program_calls_itself_by_the_name_of_its_file(here):
    discover(DECAY)
    for form, place, said in (
        ("python", "fall.py", "python fall.py"),
        ("julia", "fall.jl", "julia fall.jl"),
        ("matlab", "fall.m", "found = fall()"),
    ):
        assert dolq("export", last().id, "--to", form, "-o", place)[0] == 0
        assert said in Path(place).read_text(encoding="utf-8")
    status, _, said = dolq("export", last().id, "--to", "matlab", "-o", "my-law.m")
    assert (status, "a function of MATLAB has the name of its file" in said) == (codes.BAD_DATA, True)
    assert not Path("my-law.m").exists()


def test_a_run_without_equations_is_not_exported():
    run = runs.start(runs.open_store(), load_bundled("yeast"))
    status, _, said = dolq("export", run, "--to", "julia")
    assert (status, "There is no equation for every state yet." in said) == (codes.BAD_DATA, True)


def inspected(text: str, *args: str) -> tuple[int, str, dict, str]:
    Path("data.csv").write_text(text, encoding="utf-8")
    status, out, said = dolq("inspect", "data.csv", "--clean", "clean.csv", "--report", "report.json", *args)
    written = Path("clean.csv").read_text(encoding="utf-8") if Path("clean.csv").exists() else ""
    return status, out + said, json.loads(Path("report.json").read_text(encoding="utf-8")), written


def test_inspect_refuses_what_discover_refuses():
    text = "time,x\n" + "".join(f"{i},{i}e80\n" for i in range(1, 60))
    status, said, report, _ = inspected(text)
    assert (status, report["usable"]) == (2, False)
    assert "9, 10, 11 and 49 more, column 'x': values of size 6e+81 are out of range." in said
    assert "Use another unit." in said


def test_the_clean_table_keeps_units_that_a_row_gave():
    text = "time,x,y (mV)\nmin,g/L,\n" + "".join(f"{i},{i * i},{i + 0.5}\n" for i in range(60))
    clean = inspected(text)[3]
    assert clean.splitlines()[0] == "time (min),x (g/L),y (mV)"
    again = inspected(clean)[2]
    assert [one["unit"] for one in (again["time"], *again["states"])] == ["min", "g/L", "mV"]


def test_inspect_says_what_was_assumed_and_writes_the_table_as_it_was_understood():
    text = "Gerät 5\nx;Lauf;Zeit\n" + "".join(f"{i}{i},5;{'ab'[i // 5]};{i % 5}\n" for i in range(10))
    status, said, report, clean = inspected(text)
    assert (status, report["usable"], report["run"]) == (0, True, "Lauf")
    assert {"delimiter", "preamble", "decimal-comma", "run-column"} <= {one["code"] for one in report["findings"]}
    assert "Row 1: 1 line above the table" in said
    lines = clean.splitlines()
    assert lines[:2] == ["Lauf,Zeit,x", "a,0.0,0.5"]
    assert lines[-1] == "b,4.0,99.5"


def test_inspect_ends_with_status_2_and_the_row_where_discover_refuses_the_table():
    text = "t,x\n" + "".join(f"{i % 5},{i % 3}\n" for i in range(10))
    status, said, report, clean = inspected(text)
    assert (status, report["usable"], clean) == (2, False, "")
    last = report["findings"][-1]
    assert (last["code"], last["severity"], last["rows"]) == ("time-restart", "stops", [7])
    assert "--split-at-restarts" in said
    assert discover(text)[0] == 2
    assert inspected(text, "--split-at-restarts")[0] == 0


def test_rows_out_of_order_are_sorted_where_that_is_said():
    text = "t,x\n" + "".join(f"{11 * k % 20},{0.9 ** (11 * k % 20):.4f}\n" for k in range(20))
    status, said, *_ = inspected(text)
    assert status == 2
    assert "have them sorted by time" in said
    assert "--sort-by-time" in said
    assert inspected(text, "--sort-by-time")[0] == 0


def test_repeated_measurements_are_averaged_where_that_is_said():
    text = "t,x\n" + "".join(f"{k},{0.9**k + j / 100:.4f}\n" for k in range(20) for j in (-1, 1))
    status, said, *_ = inspected(text)
    assert status == 2
    assert "have them averaged" in said
    assert "--average-repeats" in said
    assert inspected(text, "--average-repeats")[0] == 0


def test_a_wrong_finding_is_put_right_on_the_command_line():
    text = "a;b\nt;x\n" + "".join(f"{i};{i % 3 + 1},250\n" for i in range(10)) + "!end;0\n"
    told = ["--header", "2", "--decimal", "point", "--delimiter", "semicolon", "--comment", "!"]
    assert inspected(text)[0] == 2
    status, said, _, clean = inspected(text, *told)
    assert status == 0
    assert said.startswith("UTF-8 text, columns separated by semicolons, decimal points, names in row 2.")
    assert clean.splitlines()[:2] == ["t,x", "0.0,1250.0"]
    assert discover(text, *told, "--iterations", "1")[0] == codes.NOTHING


def test_the_option_that_changes_a_refusal_is_named():
    text = "t\tx\n" + "".join(f"{i}\t{i + 1},250\n" for i in range(10))
    status, output = discover(text)[:2]
    assert (status, "(--decimal)" in output) == (2, True)
    status, _, said = dolq("inspect", "none.csv", "--header", "first")
    assert (status, "'first' is no row" in said) == (codes.USAGE, True)


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


def test_only_a_table_is_offered_for_a_file_that_is_not_there(here):
    for name in ("runs.db", "two.csv.py", "folder.csv"):
        (here / name).mkdir() if name == "folder.csv" else (here / name).write_text("")
    for named in ("runs.csv", str(here / "nofile.csv"), "two.csv.py2", "folder2.csv"):
        said = dolq("discover", named)[2]
        assert none(other in said for other in ("runs.db'", ".py'", "folder.csv'")), said
    assert f"Did you mean '{here / 'two.csv'}'?" in dolq("discover", str(here / "tow.csv"))[2]


def test_units_and_meanings_are_said_of_columns():
    found("two.csv", "--unit", "x=g/L", "--unit", "t=h", "--meaning", "x=sugar", "--meaning", "y=cells = dry mass")
    dataset = last().state.problem.dataset
    assert (dataset.time.unit, dataset.states[0].unit, dataset.states[0].meaning) == ("h", "g/L", "sugar")
    assert dataset.states[1].meaning == "cells = dry mass"
    status, _, said = dolq("discover", "two.csv", "--unit", "z=g")
    assert (status, "Column 'z': there is no such column. The columns are 't', 'x', 'y'." in said) == (
        codes.BAD_DATA,
        True,
    )
    assert dolq("discover", "two.csv", "--unit", "x")[0] == codes.USAGE


def test_a_state_that_the_words_call_applied_may_be_an_input():
    hint = "“applied voltage y”: if y is set from outside and has no law here, make it an input.\n"
    words = ("--description", "The applied voltage y turns the motor at speed x.", "--iterations", "1")
    assert hint in dolq("discover", "two.csv", *words)[2]
    assert hint not in dolq("discover", "two.csv", *words, "--input", "y")[2]


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


def test_a_stated_sum_that_the_table_contradicts_is_told_and_the_run_begins():
    Path("rules.toml").write_text('conserved = ["x - y"]')
    _, _, said = dolq("discover", "two.csv", "--allow", "rules.toml", "--iterations", "1")
    assert "x - y is not constant in these data: it goes from −0.996 to 1" in said
    assert len(runs.list_runs(runs.open_store())) == 1
    Path("rules.toml").write_text('conserved = ["x + y"]')
    assert "not constant" not in dolq("discover", "two.csv", "--allow", "rules.toml", "--iterations", "1")[2]


def test_a_bare_name_is_the_column_wherever_one_is_named():
    Path("dose.csv").write_text(TWO.replace("t,x,y", "time (h),A_gut (mg),C (mg/L)"))
    Path("terms.txt").write_text("A_gut: A_gut\nC: A_gut\nC: C\n")
    named = ("--time", "time", "--state", "A_gut", "--state", "C")
    told = ("--meaning", "A_gut=in the gut", "--unit", "C=g/L", "--iterations", "1")
    for more, states in (("--library", "terms.txt"), 2), (("--second-order", "C"), 3):
        status, _, said = dolq("discover", "dose.csv", *named, *told, *more)
        assert status in (codes.FOUND, codes.NOTHING), said
        first, second, *rates = last().state.problem.dataset.states
        assert (first.meaning, second.unit) == ("in the gut", "g/L")
        assert len(rates) == states - 2
    for option in ("--meaning", "--unit"):
        status, _, said = dolq("discover", "dose.csv", option, "A_gat=x")
        assert status == codes.BAD_DATA
        assert "Column 'A_gat': there is no such column. Did you mean 'A_gut'" in said
        assert "The columns are 'time (h)', 'A_gut (mg)', 'C (mg/L)'." in said


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
    assert {name for name in ("dx/dt", "dy/dt", "all equations together") if f", {name}, " in said}
    status, out, said = dolq("discover", "two.csv", "-q", "--iterations", "2")
    assert (status, said) == (codes.FOUND, "")
    assert "d x / d t" in out
    assert "Iteration 1: d x / d t = " in dolq("discover", "two.csv", "-v", "--iterations", "1")[2]
    assert dolq("discover", "two.csv", "-q", "-v")[0] == codes.USAGE


def test_a_place_that_takes_no_result_is_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(runs, "find_problem", None)
    status, _, said = dolq("discover", "two.csv", "--out", "nowhere/out.json")
    assert (status, "nowhere/out.json" in said) == (codes.BAD_DATA, True)


@pytest.mark.parametrize("agents", [(), ("--agents", "builtin")])
def test_a_model_without_its_provider_is_refused_before_the_work(agents):
    status, _, said = dolq("discover", "two.csv", "--model", "gpt", *agents)
    assert (status, "--model gpt needs --agents" in said) == (codes.USAGE, True)


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


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_who_has_seen_enough_is_no_error(tmp_path):
    command = [sys.executable, "-m", "dolq_core", "inspect", str(YEAST)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as done:
        done.stdout.close()
        assert done.stderr.read() == ""
    assert done.returncode == 0


def test_a_seed_below_zero_is_refused_before_anything_is_stored():
    status, out, said = dolq("discover", "two.csv", "--seed", "-1")
    assert status == codes.USAGE
    assert "--seed" in out + said
    assert not Path("runs.db").exists()


def test_one_iteration_is_said_of_a_run_with_one():
    assert dolq("discover", "yeast", "--iterations", "1")[0] == 0
    assert "  1 iteration   " in dolq("runs")[1]


def test_a_console_without_a_character_shows_what_comes_nearest(here):
    table = here / "table.csv"
    table.write_text(
        "t,\N{GREEK CAPITAL LETTER DELTA}x\n" + "".join(f"{k},{k * k}\n" for k in range(1200)), encoding="utf-8"
    )
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-m", "dolq_core", "inspect", str(table)]
    done = subprocess.run(command, capture_output=True, env=env, cwd=ROOT, check=True)
    assert b"states: ?x" in done.stdout
    assert b"1200 rows" in done.stdout or b"1 200 rows" in done.stdout
