"""Tables of a run: everything is in them, and no spreadsheet runs a cell of them."""

import csv
import io
from dataclasses import replace

import pytest

from dolq_core.export.tables import FORMULAS, data, safe, written
from dolq_core.records import Given, ModelCall, Pause
from dolq_core.views.files import export
from tests.every import every
from tests.export.laws import by_hand
from tests.export.test_bundle import lived


def rows_of(run, target):
    return list(csv.reader(io.StringIO(export(run, target).content.decode("utf-8"))))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("x = 1", "x = 1"),
        ("", ""),
    ],
)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text, shown):
    assert safe(text) == shown


def test_numbers_stay_numbers_in_full_precision_and_what_is_not_known_is_empty():
    assert written([[-0.1 - 0.2, float("nan"), None, True, -3]]) == "-0.30000000000000004,,,yes,-3\n"


def test_every_decision_stands_in_the_table_and_what_was_taken_back_is_marked():
    head, *rows = rows_of(lived(), "decisions")
    found = [dict(zip(head, row, strict=True)) for row in rows]
    machine = [row for row in found if row["by"] == "machine"]
    assert {row["decision"] for row in machine} <= {"keep", "hold", "remove"}
    assert {(row["equation"], row["what"]) for row in machine} == {("x", "x"), ("x", "x**2")}
    assert every(row["numbers"] for row in machine)
    said = [row for row in found if row["by"] == "human"]
    assert [row["decision"] for row in said] == ["keep", "ban", "ban family", "insight", "remark"]
    assert [row["stands"] for row in said] == ["yes"] * 4 + ["no"]
    assert said[0]["reason"] == "'=cmd|' /C calc'!A0"
    assert said[2]["reason"] == "no"
    assert said[3]["reason"] == "'@home"
    assert said[4]["what"] == "'-2 is a remark"
    assert {row["iteration"] for row in said} == {"2"}
    assert {row["entry"] for row in machine} == {"2", "3"}  # as on History, where the first entry is number 1


def test_no_cell_of_any_table_is_a_formula():
    run = lived()
    call = ModelCall("sampler", "openai", "=m", "+prompt\nwith lines", '=HYPERLINK("http://b")', seconds=0.25)
    run = replace(run, entries=(*run.entries, Pause("-why", (call,))))
    for target in ("model", "data", "decisions", "calls"):
        for row in rows_of(run, target)[1:]:
            for cell in row:
                assert cell[:1] not in FORMULAS or float(cell) < 0.0
    head, (number, *values) = rows_of(run, "calls")
    assert dict(zip(head, [number, *values], strict=True))["reply"] == '\'=HYPERLINK("http://b")'
    assert number == str(len(run.entries) - 1)


def test_the_data_are_all_there_with_weights_and_given_derivatives():
    law = by_hand()
    (run,) = law.dataset.trajectories
    more = replace(run, weights=run.x * 0.0 + 2.0, derivatives=run.x * 3.0)
    dataset = replace(
        law.dataset, trajectories=(more,), weights=(Given("w"),), derivatives=(Given("=dT", "temp (°C)"),)
    )
    head, *rows = csv.reader(io.StringIO(data(dataset)))
    assert head == ["run", "hour", "E", "temp (°C)", "u", "w", "'=dT"]
    assert rows[0] == [run.label, "0.0", "1.0", "300.0", "0.0", "2.0", "900.0"]
    assert rows[1][2] == ""
    assert len(rows) == 3
