"""The key of a language model is used, and then it is nowhere: not in a file, a command line, an error or an export."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from dolq_core import runs
from dolq_core.agents import providers
from dolq_core.bundled import load_bundled
from dolq_core.errors import AgentError
from dolq_core.jobs import Board
from dolq_core.records import ModelChoice, Models, Settings
from dolq_core.views.files import TARGETS, export, why_not_exported
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import error, serving
from tests.every import none
from tests.waiting import until

KEY = "sk-marked-0123456789"


def files_with_the_key(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def command_lines() -> str:
    """What every process of this machine was started with, as anybody on it can read it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().decode(errors="replace"))
        except OSError:  # it has ended
            continue
    return "\n".join(found)


def worked(board: Board, run: str) -> str:
    until(lambda: board.snapshot(run).ended)
    return board.snapshot(run).words


def exported(store, run) -> bytes:
    """Everything that can be taken from a run, unpacked."""
    now = runs.load(store, run)
    return b"".join(
        export(now, name).content for name in TARGETS if name != "bundle" and not why_not_exported(now, name)
    )


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the command lines of other processes are read from /proc")
def test_a_key_is_nowhere_after_a_run(tmp_path, monkeypatch):
    """A key that was typed: through a job, once with a server that says it aloud, once with one that answers."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    seen = []

    def looked(body):
        seen.append(command_lines())
        return SYSTEM_2[0]

    database = tmp_path / "runs.db"
    board = Board()
    try:
        with serving(error(401, f"Incorrect key {KEY}"), looked, *SYSTEM_2[1:2]) as server:
            choice = ModelChoice("openai", "m", f"{server.url}/v1")
            store = runs.open_store(database)
            run = runs.start(
                store, load_bundled("system-2"), Settings(), agents="models", models=Models(choice, choice)
            )
            keys = [(choice.provider, choice.base_url, KEY)]
            board.start(database, run, 1, "step", keys)
            said = worked(board, run)
            at = len(runs.load(store, run).entries)
            board.start(database, run, at, "step", keys)
            said += worked(board, run)
    finally:
        board.close()
    assert [asked[1]["authorization"] for asked in server.asked] == [f"Bearer {KEY}"] * 3
    assert "The key was not accepted" in said
    assert runs.load(store, run).state.iteration == 1
    assert "dolq_core.jobs.worker" in seen[0]
    assert KEY not in "".join(seen)
    assert KEY not in said
    assert KEY.encode() not in exported(store, run)
    assert files_with_the_key(tmp_path) == []
    assert KEY not in "".join(os.environ.values())


def test_a_key_of_the_environment_is_nowhere_after_a_run(tmp_path, monkeypatch, capsys, caplog):
    """Also not where the server says it aloud, in a reply and in an error."""
    monkeypatch.setenv("VLLM_API_KEY", KEY)
    store = runs.open_store(tmp_path / "runs.db")
    with serving(f"Your key {KEY} is nice", *SYSTEM_2[:2], error(401, f"Incorrect API key provided: {KEY}")) as server:
        own = replace(providers.PRESETS["vllm"], base_url=f"{server.url}/v1")
        monkeypatch.setitem(providers.PRESETS, "vllm", own)
        choice = ModelChoice("vllm", "m")
        run = runs.start(store, load_bundled("system-2"), Settings(), agents="models", models=Models(choice, choice))
        runs.step_once(store, run)
        with pytest.raises(AgentError) as caught:
            runs.step_once(store, run)
    assert server.asked[0][1]["authorization"] == f"Bearer {KEY}"
    done, out = runs.load(store, run), capsys.readouterr()
    runs.record(done, tmp_path / "run.json")
    assert KEY.encode() not in exported(store, run)
    assert files_with_the_key(tmp_path) == []
    assert none(KEY in text for text in (out.out, out.err, caplog.text, str(caught.value), repr(done)))


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_model_that_is_shown_in_a_traceback_does_not_show_its_key(provider):
    model = providers.connect(ModelChoice(provider, "m"), KEY)
    assert KEY not in repr(model)
