"""Columns are scaled, shifted and made of others as a person asked; the record says how, and errors name the place."""

import pytest

from dolq_core.bundled import load_bundled
from dolq_core.data import read_preparation, read_table, understand
from dolq_core.errors import DataError
from dolq_core.records import Derived, Preparation, Problem, Scaled
from dolq_core.store.codec import from_json, to_json


def table(text: str = "t,x (g),y\n" + "".join(f"{i},{i % 3},{i * i}\n" for i in range(6))):
    return read_table(text.encode(), "a.csv")


def prepared(derive=(), scale=(), shift=0.0, read=None, **more):
    return understand(read or table(), preparation=read_preparation(derive, scale, shift), **more)


def test_a_derived_column_is_a_state_with_its_formula_on_record():
    reading = prepared(["S [pupils] = 763 - y - 2*`x (g)`"])
    data = reading.dataset
    assert [(state.name, state.unit) for state in data.states] == [("x (g)", "g"), ("y", ""), ("S", "pupils")]
    assert data.trajectories[0].x[:, 2].tolist() == [763 - i * i - 2 * (i % 3) for i in range(6)]
    assert data.preparation == Preparation(derived=(Derived("S", "763 - y - 2*`x (g)`", "pupils"),))
    assert "made of other columns by 763 - y - 2*`x (g)`; as you asked" in " ".join(reading.notes)


def test_factors_come_before_the_shift_and_the_shift_before_formulas():
    data = prepared(["s = y + t"], ["t=60 s", "y=10 mm"], -10.0).dataset
    assert data.trajectories[0].t.tolist() == [60.0 * i - 10.0 for i in range(6)]
    assert data.trajectories[0].x[:, 2].tolist() == [10.0 * i * i + 60.0 * i - 10.0 for i in range(6)]
    assert [v.unit for v in (data.time, *data.states)] == ["s", "g", "mm", ""]


def test_a_formula_may_use_one_before_it():
    data = prepared(["a = y + 1", "b = 2*a"]).dataset
    assert data.trajectories[0].x[:, 3].tolist() == [2.0 * (i * i + 1) for i in range(6)]


def test_dates_are_scaled_as_the_time_since_the_first():
    days = table("date,x\n" + "".join(f"2020-01-0{i + 1},{i % 3}\n" for i in range(6)))
    reading = prepared((), ["date = 24 h"], read=days)
    assert reading.dataset.trajectories[0].t.tolist() == [24.0 * i for i in range(6)]
    assert reading.dataset.time.unit == "h"
    assert "iso-time" in {one.code for one in reading.findings}


def test_a_gap_stays_a_gap():
    holed = table("t,x\n0,1\n1,\n2,3\n3,2\n4,1\n5,2\n6,3\n")
    (run,) = prepared(["y = 2*x"], read=holed).dataset.trajectories
    assert run.x[0].tolist() == [1.0, 2.0]
    assert str(run.x[1].tolist()) == "[nan, nan]"


def test_a_derived_column_can_be_an_input():
    data = prepared(["u = sin(t)"], inputs=["u"]).dataset
    assert [one.name for one in data.inputs] == ["u"]


@pytest.mark.parametrize(
    ("derive", "message"),
    [
        ("S = 763 - z", r"Column 'S': its formula '763 - z' cannot be read at character 7: 'z' is not known"),
        ("S = 2*x0", "cannot be read at character 3: 'x0' is not known"),
        ("S = C*y", "cannot be read at character 1: C and params stand for numbers to be fitted. Write the number"),
        ("S = y +", "cannot be read at character 3: it is not a complete expression"),
        ("S = __import__('os')", "cannot be read"),
        ("y = t", "there is already a column of that name"),
        ("S", "not a name with a formula"),
        ("S = 1/(y - 4)", "Row 4, column 'S': its formula '1/\\(y - 4\\)' has no finite value there"),
        ("S = y + word", "Row 2, column 'word': 'a' is not a number"),
    ],
)
def test_a_formula_that_cannot_be_used_is_refused_by_place(derive, message):
    read = table("t,x,y,word\n" + "".join(f"{i},{i % 3},{i * i},a\n" for i in range(6)))
    with pytest.raises(DataError, match=message):
        prepared([derive], read=read)


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ("z=2", "no such column"),
        ("y=two", "not a column with a number"),
        ("y", "not a column with a number"),
        ("y=0", "0 is no factor for it"),
        ("y=nan", "nan is no factor"),
        ("t=-1", "-1 is no factor for a time"),
    ],
)
def test_a_factor_that_is_none_is_refused(scale, message):
    with pytest.raises(DataError, match=message):
        prepared((), [scale])


def test_a_preparation_survives_the_store():
    problem = Problem(prepared(["S = 7 - y"], ["y=0.5 kg"], 3.0).dataset)
    assert from_json(Problem, to_json(problem)) == problem
    assert problem.dataset.preparation.scaled == (Scaled("y", 0.5, "kg"),)


def test_a_bundled_set_takes_a_derived_state():
    problem = load_bundled("flu", preparation=read_preparation(["S = 763 - in_bed - convalescent"]))
    assert [state.name for state in problem.dataset.states] == ["in_bed", "convalescent", "S"]
    assert problem.dataset.trajectories[0].x[0, 2] == 760.0
    assert "763 pupils" in problem.description
    assert len(load_bundled("flu").dataset.states) == 2


def test_a_computed_set_is_not_prepared():
    with pytest.raises(DataError, match="was computed"):
        load_bundled("system-1", preparation=read_preparation((), ["x0=2"]))
