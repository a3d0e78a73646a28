"""The command that runs all checks: a tool's exit status decides, and every tool has the same surroundings."""

import pytest

from tests.__main__ import holds


@pytest.mark.parametrize(("ends", "fine"), [("", True), ("raise SystemExit(1)", False)])
def test_the_exit_status_of_a_tool_decides(ends, fine, tmp_path):
    script = tmp_path / "tool.py"
    script.write_text(ends, encoding="utf-8")
    assert holds("tool", f"python {script}") is fine


def test_programs_that_a_check_starts_keep_what_was_compiled(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    script = tmp_path / "tool.py"
    script.write_text("import sys; sys.exit(sys.dont_write_bytecode)", encoding="utf-8")
    assert holds("tool", f"python {script}")


def test_a_tool_that_is_not_there_is_named(capsys):
    assert not holds("tool", "no-such-tool")
    assert "no-such-tool is not installed here" in capsys.readouterr().out
