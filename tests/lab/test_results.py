"""The pages of docs/results are what the stored rows say, to the last byte."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lab.__main__ import again, pages
from lab.benchmarks import kept, report
from lab.benchmarks.report import Benchmark

PAGES = [one for one in pages() if one.is_begun(report.RUNS)]


@pytest.mark.parametrize("one", PAGES, ids=lambda one: one.name)
def test_a_page_is_what_the_command_writes_from_the_stored_rows(one):
    """Else write all again: python -m lab tables."""
    assert one.text(report.RUNS) == (report.RESULTS / f"{one.name}.md").read_text(encoding="utf-8")


def test_every_page_comes_from_stored_rows():
    assert {path.stem for path in report.RESULTS.glob("*.md")} == {one.name for one in PAGES}
    assert len(PAGES) > 18


def fake(measured):
    def measure(seeds):
        measured.append(seeds)
        yield {"seed": seeds, "error": 0.25}

    def page(rows):
        return [report.table(("seed", "error"), [(row["seed"], f"{row['error']:.0%}") for row in rows])]

    return Benchmark("fake", "A fake", "One line.\n\nHow it\nwas made.\n", measure, page, {"seeds": 3})


def test_rows_are_stored_with_what_made_them_and_the_page_says_so(tmp_path):
    one = fake([])
    one.again(tmp_path, seeds=5)
    said = json.loads((tmp_path / "fake.json").read_text(encoding="utf-8"))
    assert said["command"] == "python -m lab fake --seeds 5"
    assert said["rows"] == [{"seed": 5, "error": 0.25}]
    page = one.text(tmp_path)
    assert page.startswith(
        "# A fake\n\nHow it was made.\n\n| seed | error |\n| --- | --- |\n| 5 | 25% |\n\nMeasured by `"
    )
    assert f"on {said['date']} with Python" in page


def test_a_benchmark_of_stored_runs_is_told_their_folder(tmp_path, monkeypatch):
    def measure(folder):
        yield {"folder": str(folder)}

    doc, options = "One line.\n\nHow.\n", {"folder": Path()}
    one = Benchmark("fake", "A fake", doc, measure, lambda rows: [rows[0]["folder"]], options, tmp_path)
    monkeypatch.setattr("sys.argv", ["fake", "--folder", str(tmp_path)])
    monkeypatch.setattr(
        report, "put", lambda name, text, pages: (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    )
    one.main()
    assert str(tmp_path) in (tmp_path / "fake.md").read_text(encoding="utf-8")


def squared(number):
    return {"number": number, "square": number**2}


def stopping(last):
    """A benchmark of 0 to 4 that stops, as a machine does, at one of them."""

    def measure():
        for row in kept.pooled(squared, range(5), workers=1):
            if row["number"] == last:
                raise KeyboardInterrupt
            yield row

    return Benchmark("fake", "A fake", "One line.\n\nHow.\n", measure, lambda rows: [])


def test_a_measurement_that_was_stopped_goes_on_with_what_is_left(tmp_path, monkeypatch):
    """Three of five are on disk, the last line in part; another program, and another command, begin again."""
    part = tmp_path / "fake.part"
    with pytest.raises(KeyboardInterrupt):
        stopping(3).again(tmp_path)
    lines = part.read_text(encoding="utf-8").splitlines(keepends=True)
    assert [json.loads(line)["square"] for line in lines[1:]] == [0, 1, 4, 9]
    part.write_text("".join(lines[:4]) + '{"number": 3, "squ', encoding="utf-8")
    counted = mapped(monkeypatch)
    stopping(None).again(tmp_path)
    assert counted == [3, 4]
    assert json.loads((tmp_path / "fake.json").read_text(encoding="utf-8"))["rows"] == [squared(n) for n in range(5)]
    assert not part.exists()
    for changed in ("program", "command"):
        part.write_text(lines[0].replace(f'"{changed}": "', f'"{changed}": "x') + "".join(lines[1:]), encoding="utf-8")
        counted.clear()
        stopping(None).again(tmp_path)
        assert counted == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("name", ["dolq_core/fit.py", "lab/suites/open.toml"])
def test_what_another_program_measured_is_not_taken(tmp_path, monkeypatch, name):
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    for file in ("dolq_core/fit.py", "lab/suites/open.toml"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text("1", encoding="utf-8")
    counted = mapped(monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        stopping(3).again(tmp_path)
    counted.clear()
    (tmp_path / name).write_text("2", encoding="utf-8")
    stopping(None).again(tmp_path)
    assert counted == [0, 1, 2, 3, 4]


def test_what_cannot_be_stored_is_not_lost(tmp_path, monkeypatch):
    mapped(monkeypatch)

    def measure():
        for row in kept.pooled(squared, range(2), workers=1):
            yield {**row, "share": float("nan")}

    one = Benchmark("fake", "A fake", "One line.\n\nHow.\n", measure, lambda rows: [])
    with pytest.raises(ValueError, match="JSON"):
        one.again(tmp_path)
    assert len((tmp_path / "fake.part").read_text(encoding="utf-8").splitlines()) == 1 + 2


def mapped(monkeypatch):
    """Count what would be given to the processes, and do it here: to start one takes seconds."""
    counted = []

    class Counting(ThreadPoolExecutor):
        def __init__(self, workers, **_):
            super().__init__(workers)

        def map(self, outcome, numbers):
            given = list(numbers)
            counted.extend(given)
            return super().map(outcome, given)

    monkeypatch.setattr(kept, "ProcessPoolExecutor", Counting)
    return counted


def test_what_a_folder_has_is_not_measured_again(tmp_path, monkeypatch, capsys):
    measured = []
    again(tmp_path, (fake(measured),))
    again(tmp_path, (fake(measured),))
    assert measured == [3]
    assert "[1 of 1] fake; what is left took" in capsys.readouterr().out
