"""What a person says of the way a table is written: it counts, and it is no assumption any more."""

from io import BytesIO

import numpy as np
import pytest
from openpyxl import Workbook

from dolq_core.data import DELIMITERS, Dialect, TableError, read_table, understand
from dolq_core.data.dialect import split_text
from dolq_core.data.findings import SHOWN, Findings
from dolq_core.data.text import fast_table, grid_table
from dolq_core.inspection import OpenedFiles, inspect_table, listed, open_files
from tests.data import corpus

ROWS = "".join(f"{i};{i % 4},5\n" for i in range(8))


def read(text: str, **how):
    return read_table(text.encode(), "a.csv", Dialect(**how))


def numbers(table) -> list[list[float]]:
    return [column.values.tolist() for column in table.columns.values()]


def by_cells(text: bytes, how: Dialect):
    findings = Findings()
    return grid_table(split_text(text.decode(), "A", how, findings), "a", "A", findings, how)


def codes(table) -> set[str]:
    return {one.code for one in table.findings}


@pytest.mark.parametrize("mark", DELIMITERS)
def test_a_delimiter_that_is_said_divides_the_cells_and_is_no_assumption(mark):
    table = read("t;x\n0;1\n1;2\n".replace(";", mark), delimiter=mark)
    assert (list(table.columns), table.delimiter) == (["t", "x"], mark)
    assert "delimiter" not in codes(table)


def test_another_delimiter_gives_another_table():
    text = "t,a;b\n" + "".join(f"{i},{i};{i}\n" for i in range(8))
    assert list(read(text, delimiter=",").columns) == ["t", "a;b"]
    assert list(read(text, delimiter=";").columns) == ["t,a", "b"]


@pytest.mark.parametrize(
    ("cell", "found", "point", "comma"),
    [
        ("1,234", 1.234, 1234.0, 1.234),
        ("1,5", 1.5, None, 1.5),
        ("1.234", 1.234, 1.234, 1234.0),
        ("1.5", 1.5, 1.5, None),
        ("1,234.5", 1234.5, 1234.5, None),
        ("1.234,5", 1234.5, None, 1234.5),
        ("1 234,5", 1234.5, None, 1234.5),
    ],
)
def test_the_other_mark_divides_thousands_or_is_refused_with_its_row(cell, found, point, comma):
    text = f"t;x\n0;7\n1;{cell}\n"
    for decimal, wanted in (("", found), (".", point), (",", comma)):
        if wanted is None:
            with pytest.raises(TableError, match=r"Row 3, column 'x'.* but the decimal mark is said to be a") as caught:
                read(text, decimal=decimal)
            assert caught.value.option == "--decimal"
        else:
            table = read(text, decimal=decimal)
            assert table.columns["x"].values[1] == wanted
            assert not decimal or "decimal-comma" not in codes(table)


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("t;x\n0;950\n1;1.137\n2;1.208\n", True),
        ("t;x\n0;950\n1;1.137\n2;1.5\n", False),
        ("t;x;y\n0;950;0.5\n1;1.137;0.25\n", False),
        ("t,x\n0,950\n1,1.137\n", False),
        ("t;x\n0;950\n1;1137\n", False),
    ],
)
def test_a_point_that_may_divide_thousands_is_said_and_nothing_is_changed(text, is_said):
    table = read(text)
    said = [one for one in listed(table.findings) if one.code == "thousands-or-point"]
    assert bool(said) == is_said
    if is_said:
        assert table.columns["x"].values[1] == 1.137
        assert "'1.137' may be 1137" in said[0].text
        assert (said[0].weight, said[0].option) == ("mind", "--decimal")
        assert read(text, decimal=",").columns["x"].values[1] == 1137.0
    assert "thousands-or-point" not in codes(read(text, decimal="."))


def test_points_between_thousands_count_in_every_column():
    assert numbers(read("t;x;y\n0;1.234.567;1.234\n1;2.345.678;2.345\n")) == [[0, 1], [1234567, 2345678], [1234, 2345]]


def test_numbers_that_can_be_read_in_two_ways_are_read_as_the_person_says():
    text = "t\tx\n0\t1,234\n1\t2,345\n"
    with pytest.raises(TableError, match="can be 1.234 or 1234"):
        read(text)
    assert numbers(read(text, decimal=",")) == [[0, 1], [1.234, 2.345]]
    assert numbers(read(text, decimal=".")) == [[0, 1], [1234, 2345]]


class TestHeader:
    def test_names_that_are_numbers_are_names_when_the_person_says_so(self):
        text = "0,1950,1951\n" + "".join(f"{i},{i * i},{-i}\n" for i in range(1, 8))
        assert list(read(text).columns) == ["t", "x0", "x1"]
        table = read(text, header=1)
        assert (list(table.columns), table.header, len(table.rows)) == (["0", "1950", "1951"], 1, 7)

    def test_what_stands_above_the_row_of_names_is_left_out_and_said(self):
        table = read(f"a;b\nZeit;Masse\ns;g\n{ROWS}", header=2)
        assert (list(table.columns), table.units) == (["Zeit", "Masse"], {"Zeit": "s", "Masse": "g"})
        assert (table.header, table.units_row, table.rows[0]) == (2, 3, 4)
        (said,) = [one for one in table.findings if one.code == "preamble"]
        assert (said.rows, said.severity) == ((1,), "left out")

    def test_words_between_names_and_numbers_are_left_out_and_said(self):
        table = read(f"Zeit;Masse\nerste Spalte;zweite\n{ROWS}", header=1)
        assert list(table.columns) == ["Zeit", "Masse"]
        assert [one.rows for one in table.findings if one.code == "preamble"] == [(2,)]
        assert list(read(f"Zeit;Masse\nerste Spalte;zweite\n{ROWS}").columns) == ["erste Spalte", "zweite"]

    def test_without_names_they_are_made_up(self):
        table = read(f"Zeit;Masse\n{ROWS}", header=0)
        assert (list(table.columns), table.header, len(table.rows)) == (["t", "x0"], 0, 8)
        assert {"no-header", "preamble"} <= codes(table)

    def test_a_comment_does_not_name_what_the_person_says_has_no_names(self):
        text = "# t;x\n" + ROWS
        assert list(read(text).columns) == ["t", "x"]
        assert list(read(text, header=0).columns) == ["t", "x0"]

    @pytest.mark.parametrize("row", [2, 99])
    def test_a_row_without_cells_cannot_hold_the_names(self, row):
        with pytest.raises(TableError, match=rf"Row {row}: it cannot hold the names.* such as") as caught:
            read(f"t;x\n\n{ROWS}", header=row)
        assert caught.value.option == "--header"

    def test_words_alone_are_a_table_too(self):
        assert list(read("a;b\nc;d\n", header=0).columns) == ["x0", "x1"]
        assert len(read("a;b\nc;d\n", header=0).rows) == 2


class TestComment:
    def test_a_mark_of_ones_own(self):
        table = read("* made on Monday\nt;x\n" + ROWS + "*end\n", comment="*")
        assert list(table.columns) == ["t", "x"]
        (said,) = [one for one in table.findings if one.code == "comment"]
        assert said.rows == (1, 11)

    def test_none_at_all(self):
        text = "t;x\n" + ROWS + "# 9;7\n"
        assert len(read(text).rows) == 8
        table = read(text, comment="")
        assert (len(table.rows), table.columns["t"].written) == (9, {8: "# 9"})

    def test_an_error_of_excel_is_no_comment_unless_it_is_said(self):
        text = "t;x\n" + ROWS + "#N/A;7\n"
        assert len(read(text).rows) == 9
        assert len(read(text, comment="#").rows) == 8


class TestLargeTables:
    TEXT = "x\ny\n" + "s;g\n" + "".join(f"{i};{i % 7},{i % 9 + 1}\n" for i in range(20000))

    @pytest.mark.parametrize(
        "how", [Dialect(header=3), Dialect(header=0), Dialect(";"), Dialect(decimal=","), Dialect(comment="")]
    )
    def test_the_fast_way_obeys_as_the_slow_way_does(self, how):
        text = self.TEXT.encode()
        quick, slow = fast_table(text, "a", "A", Findings(), how), by_cells(text, how)
        assert quick is not None
        assert (quick.findings, quick.header, tuple(quick.rows)) == (slow.findings, slow.header, tuple(slow.rows))
        assert numbers(quick) == numbers(slow)

    def test_a_mark_of_ones_own_is_left_to_the_slow_way(self):
        text = self.TEXT.replace("\n77;", "\n7;").encode()
        assert fast_table(text, "a", "A", Findings(), Dialect(comment="7")) is None
        assert len(read_table(text, "a", Dialect(comment="7")).rows) < 20000


def workbook() -> bytes:
    book, out = Workbook(), BytesIO()
    del book[book.sheetnames[0]]
    for title, unit in (("One", 1), ("Two", 2)):
        sheet = book.create_sheet(title)
        for row in [["notes", ""], ["t", "x"], *([i, unit * i * i] for i in range(6))]:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


def test_of_a_workbook_the_sheet_and_the_row_of_names_can_be_said():
    assert "sheet" in codes(read_table(workbook()))
    table = read_table(workbook(), "", Dialect(sheet="Two", header=2))
    assert (table.sheet, table.header) == ("Two", 2)
    assert "sheet" not in codes(table)
    np.testing.assert_array_equal(table.columns["x"].values, [2 * i * i for i in range(6)])


class TestOpened:
    def opened(self, *contents: bytes, **how) -> OpenedFiles:
        return open_files([(f"{'abc'[i]}.csv", content) for i, content in enumerate(contents)], Dialect(**how))

    def test_how_a_file_is_written_is_one_sentence(self):
        text = f"Gerät 5\nZeit;Masse\ns;g\n{ROWS}".encode("cp1252")
        assert self.opened(text).manner == (
            "Windows-1252 text, columns separated by semicolons, decimal commas, names in row 2, units in row 3."
        )
        assert self.opened(b"0,1\n1,2\n").manner == (
            "UTF-8 text, columns separated by commas, decimal points, no row of names."
        )
        assert self.opened(workbook()).manner == "The sheet 'One' of a workbook, decimal points, names in row 2."

    def test_of_several_files_it_says_in_what_they_differ(self):
        one, other = f"t;x\n{ROWS}".encode(), f"\nt;x\n{ROWS}".encode().replace(b",", b".").replace(b";", b",")
        assert self.opened(one, other).manner == (
            "2 files, UTF-8 text, each file with its own delimiter and decimal mark and row of names."
        )
        assert self.opened(one, one).manner.startswith("2 files, UTF-8 text, columns separated by semicolons")

    def test_what_all_files_have_in_common_is_said_once(self):
        one = f"t;x\n{ROWS}".encode()
        said = [found for found in self.opened(one, one, one).findings if found.code == "delimiter"]
        assert [found.found for found in said] == ["in every file columns are separated by semicolons"]

    def test_what_cannot_be_read_still_has_its_sheets_and_its_reason(self):
        found = self.opened(workbook(), sheet="Tow")
        assert (found.table, found.kind, found.sheets) == (None, "workbook", ("One", "Two"))
        assert found.findings[-1].code == "sheet"
        assert self.opened(b"").findings[-1].code == "empty"


def test_a_list_begins_with_what_stops_and_names_ten_of_a_kind():
    head = "t," + ",".join(f"x{i}" for i in range(14))
    rows = [f"{i % 4}" + ",".join(["", *(["-999" if i == 3 else ""] * 13), f"{i}"]) for i in range(8)]
    found = open_files([("a.csv", "\n".join([head, *rows]).encode())])
    assert found.table is not None
    with pytest.raises(TableError) as caught:
        understand(found.table, time="t", states=["x13"])
    lines = listed((*found.findings, *caught.value.findings))
    assert [line.weight for line in lines] == sorted(
        (line.weight for line in lines), key=["stops", "mind", "said"].index
    )
    assert (lines[0].code, lines[0].option) == ("time-restart", "--split-at-restarts")
    gaps = [line for line in lines if line.code == "missing-cell"]
    assert len(gaps) == SHOWN + 1
    assert gaps[-1].text == "And 3 more of this kind."


HOWS = (
    *(Dialect(delimiter=mark) for mark in DELIMITERS),
    *(Dialect(decimal=mark) for mark in ".,"),
    *(Dialect(header=row) for row in (0, 1, 2, 5, 9, 10)),
    *(Dialect(comment=mark) for mark in ("", "#", "1")),
)


@pytest.mark.parametrize("ways", corpus.ALONE, ids="+".join)
def test_any_choice_for_any_file_gives_a_table_or_the_readers_own_error(ways):
    raw, name, _ = corpus.written(corpus.made(*ways))
    for how in HOWS:
        found = open_files([(name, raw)], how)
        assert (found.table is None) == (found.findings[-1:] != () and found.findings[-1].severity == "stops")
        if found.table is not None:
            inspection = inspect_table(found.table)
            assert inspection.manner
            assert inspection.reading is not None or inspection.findings[-1].severity == "stops"


@pytest.mark.parametrize("ways", corpus.ALONE, ids="+".join)
def test_what_was_found_can_be_said_and_gives_the_same_table(ways):
    raw, name, _ = corpus.written(corpus.made(*ways))
    found = read_table(raw, name)
    delimiter = found.delimiter if found.kind == "text" else ""
    told = read_table(raw, name, Dialect(delimiter, found.decimal, found.header or None, None, found.sheet))
    np.testing.assert_array_equal(np.array(numbers(told)), np.array(numbers(found)))
    assert (told.units, tuple(told.rows)) == (found.units, tuple(found.rows))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("shot,t,n\n" + "".join(f"#1,{i},{i * i}\n" for i in range(12)), "all 12 lines below the header begin with #"),
        ("% by hand\nt,x\n#1,2\n", "the only line below the header begins with #"),
        ("#t,x\n#0,1\n% end\n", "all 3 lines begin with # or %"),
    ],
)  # fmt: skip
def test_rows_that_begin_as_comments_do_are_said_to_be_read_so(text, reason):
    with pytest.raises(TableError, match=reason) as caught:
        read(text)
    assert "say that a comment begins with nothing" in str(caught.value)
    assert caught.value.option == "--comment none"
    assert read(text, comment="").rows
