"""Awkward files: each is read exactly right, or refused with the row, the reason and the way out."""

import lzma
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dolq_core.data import Table, read_table
from dolq_core.errors import DataError
from tests.data.packed import zipped

NAN = float("nan")


def numbers(table: Table) -> dict[str, list[float] | None]:
    return {name: None if column.numbers is None else column.numbers.tolist() for name, column in table.columns.items()}


def read(text: str, encoding: str = "utf-8") -> Table:
    return read_table(text.encode(encoding), "a.csv")


TWO = {"t": [0.0, 1.0], "x": [1.5, 2.5]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t,x\n0,1.5\n1,2.5\n", TWO),
        ("t,x\r\n0,1.5\r\n1,2.5\r\n", TWO),
        ("t,x\r0,1.5\r1,2.5", TWO),
        ("t;x\n0;1.5\n1;2.5", TWO),
        ("t\tx\n0\t1.5\n1\t2.5", TWO),
        ("t|x\n0|1.5\n1|2.5", TWO),
        ("t x\n0 1.5\n1 2.5", TWO),
        ("  t    x  \n  0   1.5\n  1   2.5  \n", TWO),
        ("t , x\n0 , 1.5\n1 , 2.5", TWO),
        ("t;x\n0,0;1,5\n1,0;2,5", TWO),
        ("t\tx\n0\t1,5\n1\t2,5", TWO),
        ("t x\n0 1,5\n1 2,5", TWO),
        ('t,x\n0,"1,5"\n"1","2,5"', TWO),
        ('"t", "x"\n0, "1.5"\n1, 2.5', TWO),
        ("# made by hand\nt,x\n0,1.5\n# a pause\n1,2.5\n\n", TWO),
        ("# t x\n0 1.5\n1 2.5\n", TWO),
        ("# about\n# t x\n0 1.5\n# a pause\n1 2.5\n", TWO),
        ("t,x,\n0,1.5,\n1,2.5,\n", TWO),
        ("t,x\n0,1.5,\n1,2.5,,\n", TWO),
        ("t,x\n0,1.5\n,\n1,2.5\n,\n", TWO),
        ("\n\n  \nt,x\n\n0,1.5\n1,2.5", TWO),
        ("t,x\n0e0,+15e-1\n1.,.25E+1", TWO),
        ("t,x\n0,\u22121.5\n1,2.5", {"t": [0.0, 1.0], "x": [-1.5, 2.5]}),
        ("t;x\n0;\u22121,5\n1;2,5", {"t": [0.0, 1.0], "x": [-1.5, 2.5]}),
        ("t;x, mm\n0;1,5\n1;2,5", {"t": [0.0, 1.0], "x, mm": [1.5, 2.5]}),
        ('t,"x, mm"\n0,1.5\n1,2.5', {"t": [0.0, 1.0], "x, mm": [1.5, 2.5]}),
        ('t,"x\n(mm)"\n0,1.5\n1,2.5', {"t": [0.0, 1.0], "x\n(mm)": [1.5, 2.5]}),
        ("time (h),temp (°C)\n0,1.5\n1,2.5", {"time (h)": [0.0, 1.0], "temp (°C)": [1.5, 2.5]}),
        ("0,1.5\n1,2.5", {"t": [0.0, 1.0], "x0": [1.5, 2.5]}),
        ("1,1.5\n0,2.5", {"x0": [1.0, 0.0], "x1": [1.5, 2.5]}),
        ("t,x\n0,one\n1,2.5", {"t": [0.0, 1.0], "x": None}),
        ("t,x\n0,1_0\n1,2.5", {"t": [0.0, 1.0], "x": None}),
        ("t,x\n0,0x10\n1,2.5", {"t": [0.0, 1.0], "x": None}),
        ("t,x\n0,\u0661\n1,2.5", {"t": [0.0, 1.0], "x": None}),
        ("t,x\n0,True\n1,2.5", {"t": [0.0, 1.0], "x": None}),
        ('t,x 5"\n0,1.5\n1,2.5', {"t": [0.0, 1.0], 'x 5"': [1.5, 2.5]}),
        ('t,x\n0,1.5"\n1,2.5', {"t": [0.0, 1.0], "x": None}),
        ("x\n1.5\n2.5", {"x": [1.5, 2.5]}),
    ],
)
def test_a_table_in_any_dialect_is_read_exactly(text, expected):
    assert numbers(read(text)) == expected


@pytest.mark.parametrize("mark", ["", "NA", "NaN", "nan", "null", "-", "?", "n/a", "#N/A"])
def test_every_mark_for_a_missing_cell_becomes_nan(mark):
    table = read(f"t,x\n0,1.5\n1,{mark}\n2,2.5")
    np.testing.assert_array_equal(table.columns["x"].numbers, [1.5, NAN, 2.5])
    assert table.columns["x"].missing == (1,)
    assert "Row 3, column 'x': 1 missing cell; left missing." in tuple(one.sentence for one in table.findings)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_encoding_gives_the_same_table(encoding):
    table = read("time (µs),temp (°C)\n0,1.5\n1,2.5", encoding)
    assert numbers(table) == {"time (µs)": [0.0, 1.0], "temp (°C)": [1.5, 2.5]}
    assert any("was read as" in note for note in tuple(one.sentence for one in table.findings)) == (
        not encoding.startswith("utf-8")
    )


def test_rows_are_counted_as_a_spreadsheet_does():
    table = read('# about\n\nt,"x\n(mm)"\n0,1\n\n1,2\n# end\n2,3')
    assert table.rows == (4, 6, 8)


def test_what_was_assumed_is_said():
    table = read("# a\n0,5;1,5\n1,0;2,5")
    assert tuple(one.sentence for one in table.findings) == (
        "Columns are separated by semicolons.",
        "Row 2: the table begins with numbers, not with names; the columns were named t, x0.",
        "Row 2: commas are decimal marks; '0,5' was read as 0.5.",
        "Row 1: comment; left out.",
    )


@pytest.mark.parametrize(
    ("raw", "parts"),
    [
        (b"", ["The file 'a.csv'", "it is empty", "at least five rows"]),
        (b"\n \n# nothing\n", ["The file 'a.csv'", "it is empty"]),
        (b"t,x\n", ["a header and no rows"]),
        (b"D" * 5000, ["it is no table: all it holds is 'DDD", "DD...'."]),
        (b"#!sh\nx\n", ["it is no table: all it holds is 'x'"]),
        (b" \n<!DOCTYPE html><html><body>Please, sign, in</body></html>", ["this is a web page (HTML)", "sign in"]),
        (b"<?xml version='1.0'?>\n<HTML>\n<table>\n<tr><td>1", ["this is a web page (HTML)", "save that as CSV"]),
        ("<html>\nµ, 1\n".encode("utf-16"), ["this is a web page (HTML)"]),
        (b"t,x\n,\n", ["all cells under the header are empty"]),
        (b"t,x\n0,1\n1,2,3\n", ["Row 3: it has 3 cells, but the header has 2", "Remove the extra cell"]),
        (b"t x\n0 1\n1 2 3\n2 3", ["Row 3: it has 3 cells", "blanks"]),
        (b"t,x\n0,5,1,5\n0,6,1,6\n", ["Row 1", "has 2 cells, but 2 of 2 rows have 4", "decimal commas", "semicolons"]),
        (b"Nothing here, but\nwords\n", ["Row 1: as the header it has 2 cells, but the one row below has 1."]),
        (b't,x\n0,"1\n1,2\n', ["quotation mark", "row 2", "never closed"]),
        (b"t;x\n0,5;1\n1.5;2\n", ["Row 2, column 't'", "'0,5' has a comma", "row 3, column 't' has a point ('1.5')"]),
        (
            b"t\tx\n0\t1,234\n1\t2,345\n",
            ["Row 2, column 'x'", "'1,234' can be 1.234 or 1234", "Say which is the decimal mark"],
        ),
        (b't,x\n0,"1,234"\n1,5\n', ["Row 2, column 'x'", "1.234 or 1234"]),
        (b't,x\n0.5,"1,234.5"\n1,"2,5"\n', ["Row 3, column 'x'", "has a comma", "row 2, column 't'"]),
        (b"PK\x03\x04\x14\x00", ["a damaged zip file"]),
        (b"\x1f\x8b\x08\x00", ["a damaged gzip file"]),
        (b"BZh9nothing", ["a damaged bzip2 file"]),
        (lzma.compress(b"t,x\n0,1\n")[:-9], ["a damaged xz file"]),
        (zipped(("a.csv", b"t,x"), ("b.csv", b"t,x")), ["a zip file with 2 files", "one by one"]),
        (b"t,x\n0,\x01\n", ["Row 2", "a control character (0x01)", "not a text file"]),
        (bytes(range(256)), ["The file 'a.csv'", "save the table as CSV"]),
        (b"\x80\x81\x8d\xff", ["neither UTF-8, UTF-16 nor Windows text"]),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_in_plain_words(raw, parts):
    with pytest.raises(DataError) as caught:
        read_table(raw, "a.csv")
    for part in parts:
        assert part in str(caught.value)


def test_semicolons_settle_that_a_comma_is_decimal():
    assert numbers(read("t;x\n0;1,234\n1;2,345")) == {"t": [0.0, 1.0], "x": [1.234, 2.345]}


def test_an_excel_error_at_the_start_of_a_row_is_no_comment():
    table = read("x,t\n1,0\n#DIV/0!,1\n")
    assert table.columns["x"].odd == (1,)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"cannot be read.*Check its name"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(DataError, match="cannot be read"):
        read_table(tmp_path)


def test_a_path_gives_the_table_its_name(tmp_path):
    path = tmp_path / "yeast.csv"
    path.write_bytes(b"t,x\n0,1\n")
    assert read_table(path).name == "yeast.csv"


NAMES = st.lists(
    st.from_regex(r"[A-Za-z][A-Za-z_ ()°]{0,8}[a-z)]", fullmatch=True), min_size=2, max_size=5, unique=True
)


@st.composite
def tables(draw):
    names = draw(NAMES)
    cell = st.floats(allow_nan=False, allow_infinity=False) | st.just(NAN)
    row = st.lists(cell, min_size=len(names), max_size=len(names)).filter(lambda cells: not np.isnan(cells).all())
    return names, draw(st.lists(row, min_size=1, max_size=8))


@given(
    tables(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([".", ","]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_written_in_any_dialect_is_read_back_equal(table, delimiter, decimal, encoding, newline):
    names, rows = table

    def write(value: float) -> str:
        text = "" if np.isnan(value) else repr(value).replace(".", decimal)
        return f'"{text}"' if delimiter in text else text

    lines = [delimiter.join(names), *(delimiter.join(map(write, row)) for row in rows)]
    read_back = read_table(newline.join(lines).encode(encoding))
    assert list(read_back.columns) == names
    for j, column in enumerate(read_back.columns.values()):
        cells = [row[j] for row in rows]
        if np.isnan(cells).all():
            assert column.numbers is None
        else:
            np.testing.assert_array_equal(column.numbers, cells)


@given(st.binary(max_size=200) | st.text(alphabet="t,x;\t|\"' #0123.\n-eN", max_size=60).map(str.encode))
def test_any_bytes_give_a_table_or_a_plain_refusal(raw):
    try:
        table = read_table(raw)
    except DataError:  # anything else is a crash
        return
    for column in table.columns.values():
        assert len(column.values) == len(table.rows)


def test_many_rows_are_read_to_the_last_digit():
    values = np.random.default_rng(0).normal(size=(20_000, 3))
    lines = ["a;b;c", *(";".join(map(repr, row)) for row in values.tolist())]
    table = read("\n".join(lines).replace(".", ","))
    np.testing.assert_array_equal(np.column_stack([column.numbers for column in table.columns.values()]), values)


def test_importing_the_package_imports_no_heavy_library():
    code = "import sys, dolq_core.data; print({'pandas', 'scipy.integrate', 'streamlit'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
