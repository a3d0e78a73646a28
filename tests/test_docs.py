"""The documentation says what the program does: its commands and its code are run as they stand."""

import re
import runpy
import shlex
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.cli import main
from dolq_core.views.system import law
from tests.every import every
from tests.export.laws import LAWS

ROOT = Path(__file__).resolve().parent.parent
HUNT = ROOT / "assets" / "datasets" / "lynx-hare" / "data.csv"


def blocks(page: str, *languages: str) -> list[tuple[str, str]]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w+)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [block for block in found if block[0] in languages]


def script(page: str, place: Path) -> dict:
    """What the Python blocks of a page leave behind, run as one program."""
    path = place / "page.py"
    path.write_text("\n".join(code for _, code in blocks(page, "python")), encoding="utf-8")
    return runpy.run_path(str(path))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hunt.csv").write_bytes(HUNT.read_bytes())
    return tmp_path


def test_the_tutorial_runs_from_top_to_bottom_and_prints_what_it_shows(place, capsys):
    said, shown = "", 0
    for language, block in blocks("tutorial.md", "bash", "text", "python"):
        store = runs.open_store()
        run = next((info.id for info in runs.list_runs(store)), "")
        if language == "text":
            assert every(line in said for line in block.splitlines())
            shown += 1
        elif language == "python":
            (place / "cell.py").write_text(block.replace("RUN", run), encoding="utf-8")
            runpy.run_path(str(place / "cell.py"))
            assert "hare_thousands*lynx_thousands" in capsys.readouterr().out
            assert len(runs.load(store, run).entries) == 6
        else:
            for line in block.splitlines():
                said = answer([run if part == "RUN" else part for part in shlex.split(line)], said)
    assert shown == 2
    assert {path.suffix for path in place.glob("hunt.*")} == {".csv", ".json", ".tex", ".py", ".html", ".zip"}
    assert len(runs.list_runs(runs.open_store())) == 2


def answer(words: list[str], before: str) -> str:
    """What a command of ours prints; another program's is not run."""
    if words[:3] != ["python", "-m", "dolq_core"]:
        return before
    done = CliRunner().invoke(main, words[3:])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_library_page_runs_from_top_to_bottom(place, capsys):
    table = pd.read_csv(HUNT).rename(columns=lambda name: name.removesuffix("_thousands"))
    table.to_csv(place / "hunt.csv", index=False)
    model = script("library.md", place)["model"]
    assert "d hare / d year = 0.4824 hare - 0.02482 hare*lynx" in capsys.readouterr().out
    assert model.status == {"hare": "provisional", "lynx": "provisional"}


def test_a_family_an_agent_and_an_export_are_added_as_the_page_says(place, capsys):
    known = script("extending.md", place)
    assert capsys.readouterr().out.strip() == "['keep']"
    numbers = dict(line.split() for line in known["listing"](law(LAWS["growth"]()), "").splitlines())
    assert float(numbers["x"]) == pytest.approx(1.0)
