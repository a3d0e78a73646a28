"""Runs in columns of their own: recognised by their names, stacked when the person says so."""

import numpy as np
import pytest

from dolq_core.data import SideBySide, TableError, read_table, side_by_side, stacked, understand
from dolq_core.records import Variable
from tests.six import german, wide


def columns(header: str) -> SideBySide | None:
    wide = header.count(",")
    rows = (",".join(map(str, [i, *(i * j % 7 + i for j in range(1, wide + 1))])) for i in range(9))
    return side_by_side(read_table("\n".join([header, *rows]).encode()))


@pytest.mark.parametrize(
    ("header", "quantities", "sure"),
    [
        ("t,S run1,S run2,S run3", ["S"], True),
        ("t,S (mM) run 1,S (mM) run 2", ["S (mM)"], True),
        ("t,S_rep1 [g/L],S_rep2 [g/L]", ["S [g/L]"], True),
        ("t,run1,run2", ["x"], True),
        ("t,S (Run A),S (Run B),X (Run A),X (Run B)", ["S", "X"], True),
        ("t,S,S,S", ["S"], True),
        ("t,theta1,theta2", ["theta"], False),
    ],
)
def test_columns_of_one_quantity_are_recognised(header, quantities, sure):
    found = columns(header)
    assert found is not None
    assert (list(found.columns), found.sure) == (quantities, sure)


@pytest.mark.parametrize("header", ["t,S,X", "t,x0,x1,x2", "t,S run1,X run2", "t,CO2,pH,NH4"])
def test_columns_of_different_quantities_are_let_be(header):
    assert columns(header) is None


def test_runs_side_by_side_become_runs_below_each_other():
    table = read_table(wide(), "wide.csv")
    found = side_by_side(table)
    assert found is not None
    data = understand(stacked(table, found)).dataset
    assert [len(run.t) for run in data.trajectories] == [60, 60, 60]
    for run, column in zip(data.trajectories, ("S run1 (mM)", "S run2 (mM)", "S run3 (mM)"), strict=True):
        assert np.array_equal(run.x[:, 0], table.columns[column].values)
    assert understand(table, side_by_side=True).dataset == data


def test_a_run_that_ended_early_ends_early():
    text = "t,S run1,S run2\n" + "".join(f"{i},{i + 1},{'' if i > 6 else i * i}\n" for i in range(12))
    data = understand(read_table(text.encode()), side_by_side=True).dataset
    assert [len(run.t) for run in data.trajectories] == [12, 7]


def test_a_column_is_called_as_the_person_says_with_a_symbol_of_its_own():
    data = understand(read_table(german()), called={"Temperatur Öl [°C]": "T", "Zeit [min]": "Zeit"}).dataset
    (state,) = data.states
    assert (state.name, state.symbol, state.unit, state.title) == ("T", "T", "°C", "T (°C)")
    assert data.time.title == "Zeit (min)"


def test_a_unit_in_the_name_is_said_once():
    data = understand(read_table(german())).dataset
    assert data.states[0].title == "Temperatur Öl (°C)"
    titles = [
        Variable(name, "t", unit).title for name, unit in (("t/s", "s"), ("time s", "s"), ("ms", "s"), ("s", "s"))
    ]
    assert titles == ["t (s)", "time (s)", "ms (s)", "s"]


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(TableError, match="another column is called 'T'"):
        understand(read_table(german()), called={"Temperatur Öl [°C]": "T", "Heizung [%]": "T"})
