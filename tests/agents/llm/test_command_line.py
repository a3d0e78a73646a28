"""`discover --agents openai` and `--agents gemini` from the command line, once in a process of its own."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from dolq_core.cli import main
from dolq_core.cli.codes import PAUSED, USAGE
from dolq_core.errors import THIN
from tests.agents.llm.replies import SYSTEM_2, TRUE_2, grades, proposal
from tests.agents.llm.server import error, serving
from tests.every import every
from tests.waiting import LONGEST_S

KEY = "sk-marked-0123456789"


def dolq(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "dolq_core", *arguments],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        env={**os.environ, "NO_PROXY": "127.0.0.1", **environment},
    )


def here(*arguments, **environment):
    """The same in this process."""
    done = CliRunner().invoke(main, arguments, env=environment)
    return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)


def discover(server, folder, provider="openai", *more, run=here):
    url = server.url + ("/v1" if provider == "openai" else "")
    return run(
        *("discover", "system-2", "--agents", provider, "--model", "m", "--base-url", url),
        *("--db", str(folder / "runs.db"), "--out", str(folder / "result.json"), *more),
        OPENAI_API_KEY=KEY,
        GEMINI_API_KEY=KEY,
    )


@pytest.mark.parametrize(("provider", "run"), [("openai", dolq), ("gemini", here)])
def test_a_run_with_models_from_the_command_line(tmp_path, provider, run):
    with serving(*SYSTEM_2) as server:
        done = discover(server, tmp_path, provider, run=run)
    assert done.returncode == 0, done.stderr
    assert "Found: every equation" in done.stdout
    assert server.url in done.stderr  # what leaves the machine, said before the first call
    assert "No sample of your data is sent." in done.stderr
    document = json.loads((tmp_path / "result.json").read_text())
    for name, terms in TRUE_2.items():
        assert {term["text"] for term in document["equations"][name]["terms"]} == set(terms)
    assert document["models"]["calls"] == 6
    assert document["models"]["sampler"]["model"] == "m"
    assert every(KEY.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_a_paused_run_says_how_to_go_on_and_its_record_replays(tmp_path):
    with serving(*SYSTEM_2[:2], error(401, "no such key")) as server:
        done = discover(server, tmp_path)
    assert done.returncode == PAUSED
    assert "no such key" in done.stderr
    assert "Paused after iteration 1; nothing is lost." in done.stderr
    run = done.stderr.split("resume ")[1].split()[0]
    database = ("--db", str(tmp_path / "runs.db"))
    written = here("record", run, *database, "--out", str(tmp_path / "run.json"))
    assert written.returncode == 0, written.stderr
    played = here("replay", str(tmp_path / "run.json"), *database)
    assert played.returncode == 0, played.stderr
    assert "to the last bit" in played.stdout
    shown = here("show", str(tmp_path / "run.json"), *database)
    assert shown.returncode == 0, shown.stderr
    assert f"Language models: 3 calls (1 failed), 24{THIN}000 tokens, 0 looks" in shown.stdout
    assert shown.stdout == here("show", run, *database).stdout.replace(f"Run {run}:", f"Run {tmp_path / 'run.json'}:")


def test_what_of_a_reply_was_not_used_is_shown(tmp_path):
    said = {"x0": ["x0**2", "k*x0"], "x1": ["x0"]}
    with serving(proposal(said), grades(x9={"x0": "good"})) as server:
        done = discover(server, tmp_path, "openai", "--iterations", "1")
    assert "2 things not used." in done.stdout
    assert "Not used in iteration 1: k*x0: " in done.stdout
    assert "params[0]" in done.stdout
    assert "which is no state, was left out" in done.stdout


def test_a_model_must_be_named():
    done = here("discover", "system-2", "--agents", "openai")
    assert done.returncode == USAGE
    assert "--model" in done.stderr
