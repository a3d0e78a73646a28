"""The README claims only what its commands show."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from tests.waiting import LONGEST_S

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_command_prints_what_the_readme_shows(tmp_path):
    command = re.search(r"\.venv/bin/python (-m dolq_core discover \S+)", README)
    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert command
    assert shown
    arguments = [*shlex.split(command[1]), "--db", str(tmp_path / "runs.db")]
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT, check=True)
    assert shown[1].strip() in done.stdout


def test_every_link_and_picture_of_the_readme_is_there():
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_lines_for_a_notebook_run_in_one_and_the_law_is_shown_there():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    notebook = new_notebook(cells=[new_code_cell(code)])
    NotebookClient(notebook, timeout=LONGEST_S, resources={"metadata": {"path": str(ROOT)}}).execute()
    printed, shown = notebook.cells[0].outputs
    law = "d yeast / d hour = 0.547 yeast - 0.000825 yeast**2"
    assert printed.text.splitlines() == [law, "{'yeast': 'settled'}"]
    assert f"<code>{law}</code>" in shown.data["text/html"]
    assert "mathrm{yeast}" in shown.data["text/latex"]
