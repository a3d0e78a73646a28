"""What labs send besides plain text: sheets, Parquet, several files; and large tables, read twice as fast and equal."""

import bz2
import gzip
import lzma
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook

from dolq_core.data import Dialect, Table, TableError, read_table, read_tables, understand
from dolq_core.data.dialect import split_text
from dolq_core.data.findings import LIMIT, Findings
from dolq_core.data.text import fast_table, grid_table
from dolq_core.inspection import inspect_table
from dolq_core.records import Given
from tests.data.packed import zipped
from tests.every import every

GOOD = "time,x\n" + "".join(f"{i},{i * i % 7}.5\n" for i in range(8))


def read(text: str, name: str = "a.csv") -> Table:
    return read_table(text.encode(), name)


def by_cells(text: bytes) -> Table:
    findings = Findings()
    return grid_table(split_text(text.decode(), "A", Dialect(), findings), "a", "A", findings)


def refused(text: str, **roles) -> tuple[str, tuple[int, ...]]:
    try:
        found = inspect_table(read(text), **roles)
    except TableError as error:
        return error.findings[-1].code, error.findings[-1].rows
    assert found.reading is None, found.reading.notes
    return found.findings[-1].code, found.findings[-1].rows


def codes(text: str) -> set[str]:
    return {one.code for one in understand(read(text)).findings}


def columns(table: Table) -> dict[str, list[float]]:
    return {name: column.values.tolist() for name, column in table.columns.items()}


BIG = np.random.default_rng(1).normal(size=(9000, 3)).tolist()
LARGE = {
    "numbers": "t,x,y\n" + "".join(f"{i},{a!r},{b!r}\n" for i, (a, b, _) in enumerate(BIG)),
    "decimal commas": "t;x;y\n" + "".join(f"{i};{a!r};{b!r}\n" for i, (a, b, _) in enumerate(BIG)).replace(".", ","),
    "labels": "t,run,x\n" + "".join(f"{i % 3000},r{i // 3000},{a!r}\n" for i, (a, _, _) in enumerate(BIG)),
    "gaps": "t\tx\ty\n" + "".join(f"{i}\t{a!r}\t{'NA' if i % 7 else b}\n" for i, (a, b, _) in enumerate(BIG)),
    "preamble": "Spectro\n\n# c\nt,x,y\ns,mV,K\n" + "".join(f"{i},{a!r},{b!r}\n" for i, (a, b, _) in enumerate(BIG)),
    "quoted": '"t","x","y"\n' + "".join(f'"{i}","{a!r}","{b!r}"\n' for i, (a, b, _) in enumerate(BIG)),
    "some quoted": "t,run,x\n"
    + "".join(
        f'{i % 3000},"r, {i // 3000}",{a!r}\n' if i % 2 else f"{i % 3000},r{i // 3000},{a!r}\n"
        for i, (a, _, _) in enumerate(BIG)
    ),
    "quoted gaps": "t;x;y\n"
    + "".join(f'{i};"{a!r}";{chr(34) * 2 if i % 7 else b}\n' for i, (a, b, _) in enumerate(BIG)).replace(".", ","),
    "no header": "".join(f"{i} {a!r} {b!r}\n" for i, (a, b, _) in enumerate(BIG)),
    "blank lines at the end": "t,x,y\n" + "".join(f"{i},{a!r},{b!r}\n" for i, (a, b, _) in enumerate(BIG)) + "\n\n",
}


@pytest.mark.parametrize("kind", LARGE)
def test_the_fast_way_reads_what_the_slow_way_reads(kind):
    text = LARGE[kind].encode()
    quick, slow = fast_table(text, "a", "A", Findings()), by_cells(text)
    assert quick is not None
    assert quick.findings == slow.findings
    assert (tuple(quick.rows), quick.units) == (tuple(slow.rows), slow.units)
    for own, theirs in zip(quick.columns.values(), slow.columns.values(), strict=True):
        np.testing.assert_array_equal(own.values, theirs.values)
        assert tuple(own.missing) == tuple(theirs.missing)
        assert dict(own.written) == dict(theirs.written)
    assert understand(quick).findings == understand(slow).findings


@pytest.mark.parametrize(
    "spoilt",
    [
        '"1', '"1""', '1"2"', '"1\n"', '" 1"', "inf", "1e400", "# note", "two", "", "1,5", "1\n\n2,3",
        "12345678901234567890", "nan(1)", "0x1", "1 000",
    ],
)  # fmt: skip
def test_any_doubt_in_a_large_table_is_left_to_the_slow_way(spoilt):
    lines = LARGE["numbers"].split("\n")
    lines[8000] = lines[8000].rsplit(",", 1)[0] + "," + spoilt
    text = "\n".join(lines).encode()
    try:
        slow = by_cells(text)
    except TableError:
        assert fast_table(text, "a", "A", Findings()) is None
        return
    quick = fast_table(text, "a", "A", Findings())
    assert quick is None or columns_equal(quick, slow)


@pytest.mark.parametrize("cell", [' "r2"', '""r2"', '"r2"x"', '"a,b', 'x"a,b"', '"r2" '])
def test_a_quotation_mark_inside_a_cell_is_left_to_the_slow_way(cell):
    lines = LARGE["labels"].split("\n")
    lines[8000] = ",".join([lines[8000].split(",")[0], cell, "1.5"])
    assert fast_table("\n".join(lines).encode(), "a", "A", Findings()) is None


def columns_equal(a: Table, b: Table) -> bool:
    return all(
        np.array_equal(a.columns[name].values, b.columns[name].values, equal_nan=True)
        and tuple(a.columns[name].missing) == tuple(b.columns[name].missing)
        for name in a.columns
    )


def test_a_large_table_keeps_no_text_of_its_numbers():
    table = read(LARGE["numbers"] * 1, "big.csv")
    assert every(len(column.written) == 0 for column in table.columns.values())


def test_blocks_between_blank_lines_are_runs_where_time_restarts_and_said():
    block = "".join(f"{i} {i * i % 5}\n" for i in range(6))
    reading = understand(read(f"t x\n{block}\n\n{block}\n{block}"))
    assert [len(run.t) for run in reading.dataset.trajectories] == [6, 6, 6]
    (said,) = [one for one in reading.findings if one.code == "blank-block"]
    assert (said.rows, said.assumed) == ((10, 17), "each block was taken as a run")
    assert [state.name for state in reading.dataset.states] == ["x"]


def test_blank_lines_in_one_run_are_said_and_the_other_way_is_named():
    text = "t,x\n0,1\n1,2\n2,1\n\n3,2\n4,1\n5,2\n"
    reading = understand(read(text))
    assert len(reading.dataset.trajectories) == 1
    assert any(one.code == "blank-block" and "'block'" in one.way_out for one in reading.findings)


def test_a_time_that_restarts_is_asked_about_and_split_only_when_told_so():
    text = "t,x\n" + "".join(f"{i % 6},{i % 5}\n" for i in range(18))
    assert refused(text) == ("time-restart", (8, 14))
    reading = understand(read(text), restarting=True)
    assert [run.label for run in reading.dataset.trajectories] == ["1", "2", "3"]


SHUFFLED = "t,x\n" + "".join(f"{7 * i % 12},{7 * i % 12 + 0.5}\n" for i in range(12))
BACK = (4, 6, 8, 9, 11, 13)
"""Rows of the shuffled table at which time goes back."""


def test_rows_out_of_order_are_sorted_only_when_told_so():
    with pytest.raises(TableError, match="If only the order of the rows is wrong, have them sorted by time; else"):
        understand(read(SHUFFLED))
    reading = understand(read(SHUFFLED), sorting=True)
    (run,) = reading.dataset.trajectories
    assert run.t.tolist() == list(range(12))
    assert run.x[:, 0].tolist() == [i + 0.5 for i in range(12)]
    (said,) = [one for one in reading.findings if one.code == "time-not-increasing"]
    assert (said.rows, said.assumed) == (BACK, "the rows were sorted by time, as you asked")


def test_rows_are_sorted_within_their_run_and_a_row_keeps_its_number():
    text = "run,t,x\n" + "".join(f"{'ab'[i % 2]},{(i // 2 + 2) % 6},{i % 5}\n" for i in range(12))
    runs = understand(read(text), run="run", sorting=True).dataset.trajectories
    assert [run.t.tolist() for run in runs] == [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]] * 2
    assert [run.x[:, 0].tolist() for run in runs] == [[3.0, 0.0, 0.0, 2.0, 4.0, 1.0], [4.0, 1.0, 1.0, 3.0, 0.0, 2.0]]
    with pytest.raises(TableError, match="Row 6, column 'x'"):
        understand(read(SHUFFLED.replace("4,4.5", "4,many")), sorting=True)


def test_of_rows_in_order_it_is_said_that_nothing_was_sorted():
    reading = understand(read(GOOD), sorting=True)
    assert reading.dataset == understand(read(GOOD)).dataset
    assert "Column 'time': time increases; kept." in reading.notes


REPEATED = "t,dish,x,y\n" + "".join(f"{i},{'abc'[j]},{i + j},{2 * i}\n" for i in range(6) for j in range(1 + i % 3))


def test_measurements_at_one_time_are_averaged_only_when_told_so():
    assert refused(REPEATED) == ("time-repeat", (4, 6, 7, 10, 12, 13))
    data = understand(read(REPEATED), averaging=True).dataset
    (run,) = data.trajectories
    assert [state.name for state in data.states] == ["x", "y"]
    assert run.t.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert run.x.tolist() == [[0.0, 0.0], [1.5, 2.0], [3.0, 4.0], [3.0, 6.0], [4.5, 8.0], [6.0, 10.0]]
    assert run.weights.tolist() == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]] * 2
    assert data.weights == (Given("measurements"),)


def test_as_many_measurements_at_each_time_count_alike_and_a_gap_is_no_value():
    text = "t,x\n" + "".join(f"{i % 8},{i if i != 9 else ''}\n" for i in range(16))
    (run,) = understand(read(text), averaging=True).dataset.trajectories
    assert run.weights is None
    assert run.x[:, 0].tolist() == [4.0, 1.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]


def test_where_nothing_is_repeated_nothing_is_averaged_and_that_is_said():
    reading = understand(read(GOOD), averaging=True)
    assert reading.dataset == understand(read(GOOD)).dataset
    assert "Column 'time': no two rows share a time; kept." in reading.notes


def test_measurements_are_averaged_within_their_run():
    text = "t,x,run\n" + "".join(f"{i},{i + j + 10 * k},{k}\n" for k in (1, 2) for i in range(6) for j in (0, 1))
    runs = understand(read(text), averaging=True).dataset.trajectories
    assert [(run.label, run.x[:, 0].tolist()) for run in runs] == [
        (str(k), [i + 0.5 + 10 * k for i in range(6)]) for k in (1, 2)
    ]


@pytest.mark.parametrize(
    ("clock", "unit", "last"),
    [
        (lambda i: f"2024-02-{26 + i if i < 4 else i - 3:02d}" if i < 4 else f"2024-03-0{i - 3}", "day", 7.0),
        (lambda i: f"0{i}.01.2024 12:00", "day", 7.0),
        (lambda i: f"2024-01-01T0{i}:00:00Z", "h", 7.0),
        (lambda i: f"2024/01/01 10:{i * 5:02d}", "min", 35.0),
        (lambda i: f"2024-01-01 10:00:0{i}.25", "s", 7.0),
        (lambda i: f"00:0{i}:30", "s", 420.0),
    ],
)
def test_dates_and_clocks_become_the_time_since_the_first_row(clock, unit, last):
    first = 1 if "." in clock(0)[:3] else 0
    text = "x,Datum\n" + "".join(f"{i % 3},{clock(i + first)}\n" for i in range(8))
    data = understand(read(text)).dataset
    assert (data.time.name, data.time.unit) == ("Datum", unit)
    assert data.trajectories[0].t[[0, -1]].tolist() == [0.0, last]


ODD = {  # text: what the columns hold, or the code and the rows of the refusal
    "quotes inside quotes": ('time,"the ""x"""\n' + "".join(f'{i},"{i % 3}"\n' for i in range(6)), None),
    "an NUL inside": ("t,x\n0,1\n1,\x002\n", ("zero-byte", (3,))),
    "only text": ("name,colour\nann,red\nbob,blue\n", ("no-numbers", ())),
    "no rows": ("time,x\n", ("empty", ())),
    "one column": ("x\n1\n2\n3\n4\n2\n", ("no-time", ())),
    "ragged": ("t,x,y\n0,1,2\n1,2,3,4\n2,3,4,5\n3,1,2\n4,1,2\n5,1,1\n", ("extra-cell", (3, 4))),
    "unquoted decimal commas": ("t,x\n0,5,1,5\n0,6,1,6\n0,7,1,8\n", ("extra-cell", (1,))),
    "either mark": ("t;x\n0;1,234\n1;1.5\n", ("decimal-comma", (2, 3))),
    "American dates": ("date,x\n1/1/2020,1\n1/2/2020,2\n1/3/2020,1\n", ("not-a-number", (2, 3, 4))),
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD)
def test_what_instruments_write_is_read_or_refused_by_its_row(kind):
    text, expected = ODD[kind]
    if expected is None:
        assert understand(read(text)).dataset.states[0].name == 'the "x"'
    else:
        assert refused(text) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("t,x\n" + "".join(f"{10**17 + i * 100},{i % 3}\n" for i in range(7)) + f"{10**17 + 701},1\n", "rounded"),
        ("t,x\n" + "".join(f"{i},{-999 if i == 3 else i % 3}\n" for i in range(8)), "sentinel"),
        ("t,x\n" + "".join(f"{i},{i % 3}\n" for i in range(8)) + "total,9\n", "footer"),
        ("t,x\n" + "".join(f"{i},{i % 3 or ''}\n" for i in range(8)), "missing-cell"),
        ("A,A,B\nt,x,x\n" + "".join(f"{i},{i % 3},{i % 4}\n" for i in range(8)), "two-headers"),
        ("sep=;\nt;x\n" + "".join(f"{i};{i % 3}\n" for i in range(8)), "preamble"),
    ],
)
def test_what_may_mislead_is_said(text, code):
    assert code in codes(text)


def sheet(**sheets) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_first_sheet_with_numbers_is_taken_and_another_can_be_chosen():
    rows = [["time", "x"], *([i, i % 3 + 0.5] for i in range(6))]
    book = sheet(Read=[["about this file"]], Data=rows, More=[["time", "y"], *([i, i % 2] for i in range(6))])
    table = read_table(book, "a.xlsx")
    assert table.sheet == "Data"
    assert tuple(one.sentence for one in table.findings) == (
        "The sheets are 'Read', 'Data', 'More'; 'Data' was taken.",
    )
    assert list(read_table(book, "a.xlsx", Dialect(sheet="More")).columns) == ["time", "y"]
    with pytest.raises(TableError, match=r"'Dat'.*Did you mean 'Data'"):
        read_table(book, "a.xlsx", Dialect(sheet="Dat"))


def test_parquet_keeps_its_types():
    frame = pd.DataFrame(
        {"day": pd.date_range("2024-01-01", periods=6), "x": [1.5, None, 2, 3, 2, 1], "ok": [True] * 6}
    )
    out = BytesIO()
    frame.to_parquet(out)
    reading = understand(read_table(out.getvalue(), "a.parquet"))
    (run,) = reading.dataset.trajectories
    assert (run.t.tolist(), reading.dataset.time.unit) == ([0, 1, 2, 3, 4, 5], "day")
    np.testing.assert_array_equal(run.x[:, 0], [1.5, np.nan, 2, 3, 2, 1])


@pytest.mark.parametrize(
    "packed",
    [gzip.compress, bz2.compress, lzma.compress, lambda raw: zipped(("folder/a.csv", raw), ("__MACOSX/a.csv", b"x"))],
    ids=["gzip", "bzip2", "xz", "zip"],
)
def test_a_packed_file_is_the_file(packed):
    assert read_table(packed(GOOD.encode()), "a").columns.keys() == read_table(GOOD.encode(), "a").columns.keys()


def test_several_files_are_several_runs():
    table = read_tables([("a.csv", GOOD.encode()), ("b.csv", gzip.compress(GOOD.replace(",", ";").encode()))])
    reading = understand(table)
    assert [run.label for run in reading.dataset.trajectories] == ["a", "b"]
    assert reading.roles.run == "file"


def test_files_with_other_columns_are_refused_by_file_and_column():
    with pytest.raises(TableError, match=r"The file 'b\.csv': it has no column 'x', but 'a\.csv' has"):
        read_tables([("a.csv", GOOD.encode()), ("b.csv", GOOD.replace("x", "z").encode())])
    with pytest.raises(TableError, match=r"Row 3: in the file 'b\.csv'"):
        read_tables([("a.csv", GOOD.encode()), ("b.csv", b"time,x\n0,1\n1,2,3\n2,1\n3,1\n")])


def test_a_file_over_the_limit_is_refused_by_name_before_it_is_read(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(LIMIT + 1)
    with pytest.raises(TableError, match=r"The file 'huge\.csv': it has 200 MB, and 200 MB is the limit"):
        read_table(path)


def test_at_most_ten_rows_of_a_kind_are_named_and_all_are_counted():
    text = "t,x\n" + "".join(f"{i},{'' if i % 2 else i % 3}\n" for i in range(60))
    (said,) = [one for one in read(text).findings if one.code == "missing-cell"]
    assert (len(said.rows), said.count) == (10, 30)


@pytest.mark.parametrize("units", ["h,kJ/mol", "(min),(m3/s)", "Stunden,cells", "s,-"])
def test_a_row_of_units_is_taken_as_the_units_of_the_columns(units):
    table = read(f"time,x\n{units}\n" + "".join(f"{i},{i % 3}\n" for i in range(8)))
    assert list(table.columns) == ["time", "x"]
    assert table.units_row == 2
    assert table.units == {
        name: unit.strip("()") for name, unit in zip(("time", "x"), units.split(","), strict=True) if unit != "-"
    }


@pytest.mark.parametrize(("cells", "unit"), [(("12.5 kJ/mol", "3 kJ/mol"), "kJ/mol"), (("12.5%", "NA"), "%")])
def test_a_unit_behind_every_number_is_taken_off(cells, unit):
    table = read("t,x\n" + "".join(f"{i},{cells[i % 2]}\n" for i in range(8)))
    assert table.units == {"x": unit}
    assert table.columns["x"].values[0] == 12.5


def test_numbers_with_different_units_are_text():
    table = read("t,x\n" + "".join(f"{i},{i + 1} {('mV', 'V')[i % 2]}\n" for i in range(8)))
    assert table.columns["x"].numbers is None
    assert table.units == {}


def test_files_in_other_units_are_refused_by_column_and_file():
    first, other = b"t,x\ns,m\n" + GOOD.encode().split(b"\n", 1)[1], b"t,x\ns,mm\n" + GOOD.encode().split(b"\n", 1)[1]
    assert read_tables([("a.csv", first), ("b.csv", first)]).units["x"] == "m"
    with pytest.raises(TableError, match=r"The column 'x': it is in m in a\.csv, and in mm in b\.csv"):
        read_tables([("a.csv", first), ("b.csv", other)])
