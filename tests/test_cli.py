"""The command line keeps its contract, on good tables and on bad ones."""

import ast
import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.bundled import generate, load_bundled
from dolq_core.cli import main
from dolq_core.cli.codes import NOTHING, USAGE
from dolq_core.errors import AgentError
from dolq_core.store.sqlite import SqliteStore
from dolq_core.views.files import TARGETS
from tests.waiting import LONGEST_S

ROOT = Path(__file__).resolve().parent.parent
YEAST = ROOT / "assets" / "datasets" / "yeast" / "data.csv"
DECAY = "zeit (h);E;temp (°C)\n" + "".join(
    f"{h / 10};{2.718281828 ** (-h / 20):.9f};{20 + 60 * 2.718281828 ** (-h / 30):.9f}\n" for h in range(60)
)


DIES_IN_THE_SECOND_ITERATION = """
import importlib, os, signal
from dolq_core.cli import main
from dolq_core.cli.codes import NOTHING, USAGE

step = importlib.import_module("dolq_core.loop.step")
decide = step.decide
step.decide = lambda state, *rest: os.kill(os.getpid(), signal.SIGKILL) if state.iteration else decide(state, *rest)
main()
"""


def dolq(*args: object, how: tuple[str, str] = ("-m", "dolq_core")) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *how, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=LONGEST_S)


def discover(tmp_path: Path, table: str, *args: str) -> tuple[int, str, dict | None]:
    data, out = tmp_path / "data.csv", tmp_path / "out.json"
    data.write_text(table, encoding="utf-8")
    done = CliRunner().invoke(main, ["discover", str(data), "--out", str(out), "--iterations", "2", *args])
    return done.exit_code, done.output, json.loads(out.read_text()) if out.exists() else None


def test_importing_the_package_loads_no_sdk_and_nothing_slow():
    slow = {"sympy", "openai", "google.genai", "pandas", "scipy", "streamlit", "plotly", "numpy"}
    code = f"import sys, dolq_core, dolq_core.__main__; print(sorted({slow!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_yeast_follows_the_logistic_law(tmp_path):
    out = tmp_path / "yeast.json"
    done = dolq("discover", YEAST, "--time", "hour", "--db", tmp_path / "runs.db", "--out", out)
    assert done.returncode == 0, done.stderr
    equation = json.loads(out.read_text())["equations"]["yeast"]
    found = {term["skeleton"]: term["coefficient"] for term in equation["terms"]}
    assert set(found) == {"yeast", "yeast**2"}
    assert found["yeast"] == pytest.approx(0.541, rel=0.05)
    assert -found["yeast"] / found["yeast**2"] == pytest.approx(664, rel=0.03)


def test_awkward_names_keep_their_own_name_and_get_a_safe_symbol(tmp_path):
    status, said, result = discover(tmp_path, DECAY, "--time", "zeit (h)")
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
def test_bad_input_ends_with_status_2_and_a_message_that_names_the_place(tmp_path, table, parts):
    status, said, result = discover(tmp_path, table, "--time", "t")
    assert (status, result) == (2, None)
    assert said.startswith("Error: ")
    assert "Traceback" not in said
    for part in parts:
        assert part in said


TWO_RUNS = "t,x,run\n" + "".join(
    f"{h / 10},{start * 2.718281828 ** (-h / 20):.9f},{run}\n" for run, start in (("a", 3), ("b", 5)) for h in range(30)
)


def test_a_run_is_held_out_by_its_name_and_scored(tmp_path):
    status, said, result = discover(tmp_path, TWO_RUNS, "--run", "run", "--hold-out-run", "b")
    assert status == 0, said
    assert result["settings"]["held_out_runs"] == ["b"]
    assert result["equations"]["x"]["scores"]["held_out_integral_nmse"] < 1e-6
    assert "held out: error (NMSE)" in said


@pytest.mark.parametrize(("names", "part"), [(["c"], "no such run"), (["a", "b"], "nothing would be left to fit")])
def test_a_run_that_cannot_be_held_out_is_refused(tmp_path, names, part):
    options = [word for name in names for word in ("--hold-out-run", name)]
    status, said, result = discover(tmp_path, TWO_RUNS, "--run", "run", *options)
    assert (status, result) == (2, None)
    assert said.splitlines()[-1].startswith("Error: The run")
    assert part in said


def test_a_missing_file_is_named(tmp_path):
    done = CliRunner().invoke(main, ["discover", str(tmp_path / "nowhere.csv")])
    assert done.exit_code == 2
    assert "nowhere.csv" in done.output


def test_a_bundled_set_goes_by_its_name_and_brings_its_words(tmp_path):
    out = tmp_path / "out.json"
    done = CliRunner().invoke(main, ["discover", "yeast", "--iterations", "1", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "culture" in json.loads(out.read_text())["description"]


def test_a_run_that_nobody_knows_is_refused(tmp_path):
    done = CliRunner().invoke(main, ["show", "none-such", "--db", str(tmp_path / "runs.db")])
    assert done.exit_code == 2
    assert "none-such" in done.output


def test_runs_are_listed_and_shown(tmp_path):
    db = str(tmp_path / "runs.db")
    discover(tmp_path, DECAY, "--db", db)
    listed = CliRunner().invoke(main, ["runs", "--db", db]).output
    shown = CliRunner().invoke(main, ["show", listed.split()[0], "--db", db]).output
    assert "temp (°C)" in shown


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
    (glider,) = generate(2, points=150).dataset.trajectories
    np.savetxt(table, np.column_stack([glider.t, glider.x]), delimiter=",", header="t,x0,x1", comments="")
    assert dolq("discover", table, "--db", tmp_path / "a.db", "--out", whole).returncode == 0
    command = ("-c", DIES_IN_THE_SECOND_ITERATION)
    assert dolq("discover", table, "--db", tmp_path / "b.db", how=command).returncode == -signal.SIGKILL
    (killed,) = SqliteStore(tmp_path / "b.db").runs()
    assert killed.iterations == 1
    done = dolq("resume", killed.id, "--db", tmp_path / "b.db", "--out", cut)
    assert done.returncode == 0, done.stderr
    ends = [json.loads(path.read_text()) for path in (whole, cut)]
    assert ends[0]["iterations"] == ends[1]["iterations"] > 1
    assert ends[0]["equations"] == ends[1]["equations"]


def test_a_run_is_written_in_every_form_that_the_pages_offer(tmp_path):
    db = str(tmp_path / "runs.db")
    discover(tmp_path, DECAY, "--db", db)
    run = CliRunner().invoke(main, ["runs", "--db", db]).output.split()[0]
    for form in TARGETS:
        done = CliRunner().invoke(main, ["export", run, "--to", form, "-o", str(tmp_path), "--db", db])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "data_python.py").read_text(encoding="utf-8").startswith("# A system of ordinary")
    said = CliRunner().invoke(main, ["export", run, "--to", "julia", "--db", db]).output
    assert said == (tmp_path / "data.jl").read_text(encoding="utf-8")


def test_a_run_without_equations_is_not_exported(tmp_path):
    store = runs.open_store(tmp_path / "runs.db")
    run = runs.start(store, load_bundled("yeast"))
    done = CliRunner().invoke(main, ["export", run, "--to", "julia", "--db", str(tmp_path / "runs.db")])
    assert done.exit_code == 2
    assert "There is no equation for every state yet." in done.output


def inspected(tmp_path: Path, text: str, *args: str) -> tuple[int, str, dict, str]:
    data, clean, report = tmp_path / "data.csv", tmp_path / "clean.csv", tmp_path / "report.json"
    data.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["inspect", str(data), "--clean", str(clean), "--report", str(report), *args])
    written = clean.read_text(encoding="utf-8") if clean.exists() else ""
    return done.exit_code, done.output, json.loads(report.read_text(encoding="utf-8")), written


def test_inspect_says_what_was_assumed_and_writes_the_table_as_it_was_understood(tmp_path):
    text = "Gerät 5\nx;Lauf;Zeit\n" + "".join(f"{i}{i},5;{'ab'[i // 5]};{i % 5}\n" for i in range(10))
    status, said, report, clean = inspected(tmp_path, text)
    assert (status, report["usable"], report["run"]) == (0, True, "Lauf")
    assert {"delimiter", "preamble", "decimal-comma", "run-column"} <= {one["code"] for one in report["findings"]}
    assert "Row 1: 1 line above the table" in said
    lines = clean.splitlines()
    assert lines[:2] == ["Lauf,Zeit,x", "a,0.0,0.5"]
    assert lines[-1] == "b,4.0,99.5"


def test_inspect_ends_with_status_2_and_the_row_where_discover_refuses_the_table(tmp_path):
    text = "t,x\n" + "".join(f"{i % 5},{i % 3}\n" for i in range(10))
    status, said, report, clean = inspected(tmp_path, text)
    assert (status, report["usable"], clean) == (2, False, "")
    last = report["findings"][-1]
    assert (last["code"], last["severity"], last["rows"]) == ("time-restart", "stops", [7])
    assert "--split-at-restarts" in said
    assert discover(tmp_path, text)[0] == 2
    assert inspected(tmp_path, text, "--split-at-restarts")[0] == 0


def test_a_wrong_finding_is_put_right_on_the_command_line(tmp_path):
    text = "a;b\nt;x\n" + "".join(f"{i};{i % 3 + 1},250\n" for i in range(10)) + "!end;0\n"
    told = ["--header", "2", "--decimal", "point", "--delimiter", "semicolon", "--comment", "!"]
    assert inspected(tmp_path, text)[0] == 2
    status, said, _, clean = inspected(tmp_path, text, *told)
    assert status == 0
    assert said.startswith("UTF-8 text, columns separated by semicolons, decimal points, names in row 2.")
    assert clean.splitlines()[:2] == ["t,x", "0.0,1250.0"]
    assert discover(tmp_path, text, *told, "--iterations", "1")[0] == NOTHING


def test_the_option_that_changes_a_refusal_is_named(tmp_path):
    text = "t\tx\n" + "".join(f"{i}\t{i + 1},250\n" for i in range(10))
    status, output = discover(tmp_path, text)[:2]
    assert (status, "(--decimal)" in output) == (2, True)
    done = CliRunner().invoke(main, ["inspect", "none.csv", "--header", "first"])
    assert (done.exit_code, "'first' is no row" in done.output) == (USAGE, True)
