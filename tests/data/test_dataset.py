"""Tables become data sets by named or guessed roles; what cannot be used is refused by row and column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dolq_core.data import read_preparation, read_table, understand
from dolq_core.data.roles import guess_roles
from dolq_core.errors import DataError
from dolq_core.inspection import Guess, guesses
from tests.every import every

TIMES = "\n".join(f"{i},{i * i}" for i in range(6))


def table(text: str):
    return read_table(text.encode(), "a.csv")


def to_dataset(table, *roles, **more):
    return understand(table, *roles, **more).dataset


def notes(roles):
    return [one.sentence for one in roles.findings]


def rows(header: str, *lines: str, n: int = 6):
    """A table of n rows: `{i}` stands for the number of the row, `{s}` for a value that goes up and down."""
    return table("\n".join([header, *(line.format(i=i, s=i % 3) for line in lines for i in range(n))]))


@pytest.mark.parametrize(
    ("header", "time"),
    [
        (["x", "t"], "t"),
        (["x", "time"], "time"),
        (["x", "Time (s)"], "Time (s)"),
        (["x", "time_s"], "time_s"),
        (["x", "t_min"], "t_min"),
        (["x", "Zeit [h]"], "Zeit [h]"),
        (["x", "hours"], "hours"),
        (["x", "h"], "h"),
        (["x", "minute"], "minute"),
        (["x", "Day"], "Day"),
        (["x", "YEAR"], "YEAR"),
        (["x", "days since start"], "days since start"),
        (["x", "elapsed time (min)"], "elapsed time (min)"),
        (["day", "time"], "time"),
        (["x", "T"], "x"),
        (["x", "S"], "x"),
        (["x", "t_cells"], "x"),
        (["x", "y"], "x"),
    ],
)
def test_time_is_found_by_its_name_else_by_the_first_column_that_increases(header, time):
    assert guess_roles(rows(",".join(header), "{i},{i}", n=5), states=None).time == time


def test_a_guess_by_numbers_alone_is_said():
    roles = guess_roles(rows("x,y", "{s},{i}"))
    assert (roles.time, roles.run, roles.states) == ("y", None, ("x",))
    assert notes(roles) == ["Column 'y': the first column that always increases; taken as the time."]


def test_a_short_name_is_time_only_when_it_increases():
    assert guess_roles(rows("h,u", "{s},{i}")).time == "u"


@pytest.mark.parametrize("name", ["run", "Trial", "replicate no", "experiment"])
def test_runs_are_told_apart_by_a_column_of_that_name(name):
    data = to_dataset(rows(f"t,{name},x", "{i},1,{s}", "{i},2,{s}"))
    assert [trajectory.label for trajectory in data.trajectories] == ["1", "2"]
    assert [state.name for state in data.states] == ["x"]


def test_runs_are_told_apart_by_text_when_time_restarts_without_it():
    reading = understand(rows("t,cup,x", "{i},black,{s}", "{i},cream,{s}"))
    assert [trajectory.label for trajectory in reading.dataset.trajectories] == ["black", "cream"]
    assert "Column 'cup': time increases inside each of its values; it tells the runs apart." in reading.notes


def test_measured_values_are_no_labels_of_runs():
    assert guess_roles(rows("t,exp,x", "{i},0.{s},{s}")).states == ("exp", "x")
    assert guess_roles(rows("t,run,x", "{i},{i},{s}")).states == ("run", "x")


def test_an_empty_run_says_that_there_is_none():
    roles = guess_roles(rows("t,run,x", "{i},1,{s}"), run="")
    assert (roles.run, roles.states) == (None, ("x",))
    with pytest.raises(DataError, match="time starts again: .*name .run., which changes there, as its label"):
        to_dataset(rows("t,run,x", "{i},a,{s}", "{i},b,{s}"), "t", ["x"], "")


def test_text_that_repeats_is_no_run_when_time_increases_throughout():
    reading = understand(rows("t,x,fed", "{i},{s},yes"))
    assert reading.roles.run is None
    assert "Column 'fed': it holds text such as 'yes'; left out." in reading.notes


def test_text_that_does_not_explain_a_restart_is_no_run():
    lines = [f"{i % 4},{i % 3},{'yes' if i % 2 else 'no'}" for i in range(16)]
    with pytest.raises(DataError, match=r"Row 6: time starts again: time 0\.0 follows 3\.0"):
        to_dataset(table("\n".join(["t,x,fed", *lines])))


def test_numbers_that_change_where_time_restarts_are_named_and_not_taken_for_labels():
    """They may be levels of an input."""
    rows = "".join(f"{k},{bottle},{bottle + np.cos(k)}\n" for bottle in (3, 7, 9) for k in range(8))
    with pytest.raises(DataError, match="say so, or name 'bottle', which changes there, as its label"):
        understand(table("t,bottle,x\n" + rows))
    assert len(understand(table("t,bottle,x\n" + rows), run="bottle").dataset.trajectories) == 3
    with pytest.raises(DataError, match="say so, or name a column that tells runs apart"):
        understand(table("t,bottle,x\n" + rows.replace("3,7,", "3,3,")))


def test_rows_of_runs_may_be_mixed():
    mixed = rows("t,run,x", "{i},a,{i}").rows
    assert mixed[0] == 2
    text = "t,run,x\n" + "\n".join(f"{i},{run},{i * (1 + (run == 'b'))}" for i in range(6) for run in "ab")
    first, second = to_dataset(table(text)).trajectories
    np.testing.assert_array_equal(first.x[:, 0], np.arange(6))
    np.testing.assert_array_equal(second.x[:, 0], 2 * np.arange(6))


@pytest.mark.parametrize(
    ("header", "line", "left_out"),
    [
        (
            "t,x,room",
            "{i},{s},17.0",
            "'room': it is constant in every run ('17'), so it has no law of change; left out.",
        ),
        ("index,t,x", "{i},{i},{s}", "'index': it counts the rows; left out."),
        ("t,x,empty", "{i},{s},", "'empty': all its cells are empty; left out."),
        ("t,x,date", "{i},{s},2020-01-0{i}", "'date': it holds text such as '2020-01-00'; left out."),
    ],
)
def test_columns_that_are_no_states_are_left_out_with_a_note(header, line, left_out):
    roles = guess_roles(rows(header, line))
    assert roles.states == ("x",)
    assert any(left_out in note for note in notes(roles))


def test_a_constant_state_is_kept_when_it_is_named():
    reading = understand(rows("t,x,room", "{i},{s},17"), states=["x", "room"])
    assert [state.name for state in reading.dataset.states] == ["x", "room"]
    assert "Column 'room': it is constant in every run; kept as a state." in reading.notes


def test_a_bracket_in_the_header_is_the_unit_and_the_name_stays_whole():
    data = to_dataset(rows("time (h),temp (°C),p [bar],hare_thousands", "{i},{s},{s},{s}"))
    assert (data.time.name, data.time.symbol, data.time.unit) == ("time (h)", "t", "h")
    assert [(state.name, state.unit) for state in data.states] == [
        ("temp (°C)", "°C"),
        ("p [bar]", "bar"),
        ("hare_thousands", ""),
    ]
    assert every(state.symbol.isidentifier() for state in data.states)


@pytest.mark.parametrize(
    ("name", "unit"), [("hour", "h"), ("t_s", "s"), ("Tage", "day"), ("t", ""), ("time [ms]", "ms")]
)
def test_a_name_of_time_tells_its_unit(name, unit):
    assert to_dataset(rows(f"{name},x", "{i},{s}"), time=name).time.unit == unit


def test_words_of_the_person_win_over_guesses():
    data = to_dataset(rows("t,b,a", "{i},{s},{i}"), "a", ["b"], None, "mine", {"b": "kg"}, {"b": "mass", "a": "clock"})
    assert (data.name, data.time.name, data.time.meaning) == ("mine", "a", "clock")
    assert [(state.name, state.unit, state.meaning) for state in data.states] == [("b", "kg", "mass")]


def test_missing_cells_of_states_stay_as_nan():
    (run,) = to_dataset(table("t,x\n0,1\n1,\n2,3\n3,2\n4,1\n5,2")).trajectories
    np.testing.assert_array_equal(run.x[:, 0], [1, np.nan, 3, 2, 1, 2])


def test_short_runs_are_left_out_with_a_note():
    text = "run,t,x\n" + "\n".join(f"a,{i},{i % 3}" for i in range(6)) + "\nb,0,1\nb,1,2"
    reading = understand(table(text))
    assert [trajectory.label for trajectory in reading.dataset.trajectories] == ["a"]
    assert "Rows 8, 9: runs with fewer than 5 rows: b; left out." in reading.notes


def test_notes_tell_everything_from_the_file_to_the_runs():
    reading = understand(table("# c\nt;x;room\n" + "\n".join(f"{i};{i % 3};7" for i in range(6))))
    assert len(reading.notes) == 3


LONG = "\n" + "\n".join(f"{i},{i % 3}" for i in range(10, 20))
REFUSED = [
    ("t,x\n0,1\n1,two\n2,3" + LONG, {}, ["Row 3, column 'x': 'two' is not a number", "leave it empty"]),
    ("t,x\n0,1\n1,two\n2,three\n3,3" + LONG, {}, ["Row 3, column 'x'", "(one of 2 such cells in this column)"]),
    ("t,x\n0,1\none,2\n2,3" + LONG, {}, ["Row 3, column 't': 'one' is not a number"]),
    ('t,x\n0,1\n1,"1,234,56"\n2,3' + LONG, {}, ["Row 3, column 'x'", "without thousands separators"]),
    (
        "t,x\n0,1\n1,1\n2.0,1\n1.0,2" + LONG,
        {},
        [
            "Row 5: time 1.0 follows 2.0, but time must increase inside a run. "
            "Remove the row, or name a column that tells runs apart."
        ],
    ),
    ("t,x\n0,1\n1,1\n\n1,2" + LONG, {}, ["Row 5: time 1.0 follows 1.0, but time must increase"]),
    ("run,t,x\na,1,1\na,2,1\nb,3,2\nb,2,1\nb,4,1", {}, ["Row 5: time 2.0 follows 3.0 (run 'b')", "Remove the row."]),
    ("run,t,x\na,1,1\n,2,1\nb,3,2\na,2,1\nb,4,1", {"run": "run"}, ["Row 3, column 'run': the cell is empty"]),
    ("t,x\n0,1\n1,2\n2,3", {}, ["it has 3 rows, but at least 5 are needed"]),
    ("run,t,x\na,0,1\na,1,2\nb,0,1\nb,1,2\nb,2,1", {}, ["its longest run has 3 rows, but at least 5 are needed"]),
    ("t,x\n0,1\n1,\n2,\n3,2\n4,1\n5,2", {}, ["Column 'x': no run has more than 4 values of it, but at least 5"]),
    ("t,x\n0,1\n1,inf\n2,3" + LONG, {}, ["Row 3, column 'x': 'inf' is infinite"]),
    ("t,x\n0,1\n1,1e999\n2,3" + LONG, {}, ["Row 3, column 'x': '1e999' is infinite"]),
    ("t,x\n0,1\n,1\n2,3" + LONG, {}, ["Row 3, column 't': the time is missing"]),
    ("t,x\n0,a\n1,b" + LONG.replace(",", ",z"), {}, ["beside the time 't' there is no column of changing numbers"]),
    ("t,x\n0,1\n1,1\n2,1\n3,1\n4,1", {}, ["there is no column of changing numbers", "constant in every run"]),
    ("a,b\nx,y\nz,w", {}, ["no column holds numbers"]),
    ("x,y\n3,1\n1,2\n2,1\n1,3\n3,2", {}, ["no column is called time", "The columns are 'x', 'y'"]),
    (
        "date,x\n1/2/2020,1\n1/3/2020,2",
        {},
        ["Row 2, column 'date': '1/2/2020' may be read with the day or the month first", "2020-01-31"],
    ),
    (
        "t,x" + LONG,
        {"time": "tt"},
        ["Column 'tt': there is no such column. Did you mean 't'? The columns are 't', 'x'."],
    ),
    ("t,xylem" + LONG, {"states": ["xylen"]}, ["Column 'xylen'", "Did you mean 'xylem'?"]),
    ("t,x" + LONG, {"run": "cup"}, ["Column 'cup': there is no such column. The columns are"]),
    ("t,x" + LONG, {"units": {"y": "m"}}, ["Column 'y': there is no such column"]),
    ("t,x" + LONG, {"states": ["t"], "time": "t"}, ["Column 't': it is named twice"]),
    ("t,x" + LONG, {"states": ["x", "x"]}, ["Column 'x': it is named twice"]),
    ("t,x" + LONG, {"time": "t", "run": "t"}, ["Column 't': it is named twice"]),
    ("t,x" + LONG, {"states": []}, ["none is named"]),
    ("t,x,y\n0,1,a\n1,2,b\n2,1,c\n3,2,d\n4,1,e", {"states": ["y"]}, ["Row 2, column 'y': 'a' is not a number"]),
    ("t,x,y\n0,1,\n1,2,\n2,1,\n3,2,\n4,1,", {"states": ["y"]}, ["Column 'y': all its cells are empty"]),
]


@pytest.mark.parametrize(("text", "named", "parts"), REFUSED)
def test_a_table_that_cannot_be_used_is_refused_by_row_reason_and_way_out(text, named, parts):
    with pytest.raises(DataError) as caught:
        to_dataset(table(text), **named)
    for part in parts:
        assert part in str(caught.value)
    assert caught.value.way_out


def test_a_mostly_numeric_column_may_be_left_out_by_naming_the_others():
    reading = understand(table("t,x,y\n0,1,1\n1,2,two\n2,1,3\n3,2,4\n4,1,5"), states=["x"])
    assert reading.roles.ignored == ("y",)


@given(
    st.lists(st.tuples(*[st.floats(-1e6, 1e6)] * 2), min_size=5, max_size=20, unique_by=lambda row: row[0]),
    st.sampled_from(",;\t|"),
    st.booleans(),
)
def test_any_trajectory_comes_back_as_it_was_written(samples, delimiter, comma):
    samples = sorted(samples)
    lines = [delimiter.join(map(repr, row)) for row in samples]
    if comma and delimiter != ",":
        lines = [line.replace(".", ",") for line in lines]
    data = to_dataset(table("\n".join([f"t{delimiter}x", *lines])), time="t", states=["x"])
    (run,) = data.trajectories
    np.testing.assert_array_equal(np.column_stack([run.t, run.x]), samples)
    assert not run.x.flags.writeable


def said(reading, code):
    (one,) = [one for one in reading.findings if one.code == code]
    return one


@pytest.mark.parametrize(
    ("dates", "days", "first"),
    [
        (("1/2/2020", "13/2/2020"), 12, "day"),
        (("1/2/2020", "1/13/2020"), 11, "month"),
        (("2/3/2020", "31/3/2020"), 29, "day"),
    ],
)
def test_one_date_tells_whether_the_day_or_the_month_comes_first(dates, days, first):
    cells = [dates[0], *(f"{dates[1]} 0{i}:00" for i in range(5))]
    reading = understand(table("date,x\n" + "".join(f"{cell},{i % 3}\n" for i, cell in enumerate(cells))))
    assert reading.dataset.trajectories[0].t[1] == days
    assert f"read with the {first} first" in said(reading, "iso-time").assumed


def test_dates_that_contradict_each_other_are_refused():
    with pytest.raises(DataError, match="may be read with the day or the month first"):
        understand(table("date,x\n" + "".join(f"{d},{i}\n" for i, d in enumerate(["13/1/2020", "1/13/2020"] * 3))))


def test_a_column_of_no_times_name_with_dates_that_read_two_ways_is_asked_about():
    """And no measurement that only grows is taken as the time in its place."""
    rows = "".join(f"{1 + i}/2/2024,{i + 0.5},{i % 3}\n" for i in range(8))
    with pytest.raises(DataError, match="'1/2/2024' may be read with the day or the month first") as caught:
        understand(table("when,x,y\n" + rows))
    assert "2020-01-31" in str(caught.value)
    with pytest.raises(DataError, match="may be read with the day or the month first"):
        understand(table("when,x,y\n" + rows), time="when")


def test_none_is_no_column_of_runs_where_none_is_called_so():
    rows = "t,x,run\n" + "".join(f"{i % 6},{np.cos(i)},{1 + i // 6}\n" for i in range(12))
    assert len(understand(table(rows)).dataset.trajectories) == 2
    one = understand(table("t,x,run\n" + "".join(f"{i},{np.cos(i)},{1 + i // 6}\n" for i in range(12))), run="none")
    assert len(one.dataset.trajectories) == 1
    named = understand(table(rows.replace("run", "none")), run="none")
    assert len(named.dataset.trajectories) == 2


def test_hours_and_minutes_are_said_and_a_ratio_is_no_time():
    reading = understand(table("clock,x\n" + "".join(f"{9 + i}:30,{i % 3}\n" for i in range(6))))
    assert reading.dataset.trajectories[0].t.tolist() == [0, 1, 2, 3, 4, 5]
    assert "read as hours and minutes" in said(reading, "iso-time").assumed
    assert understand(table("mix,s,x\n" + "".join(f"1:10,{i},{i % 3}\n" for i in range(6)))).roles.time == "s"


def test_a_date_and_a_clock_are_one_time():
    text = "Date;Time;x\n" + "".join(f"{1 + i // 3:02d}.02.2020;{8 * (i % 3)}:00:00;{i % 4}\n" for i in range(9))
    reading = understand(table(text))
    assert reading.dataset.time.name == "Date Time"
    assert reading.dataset.trajectories[0].t.tolist() == [8.0 * i for i in range(9)]
    assert said(reading, "joined-time").column == "Date Time"


def test_row_names_as_r_writes_them_are_no_column_of_data():
    for first in ("{i}", "a{i}"):
        text = '"t" "x"\n' + "".join(f'"{first.format(i=i)}" {i} {i % 3}\n' for i in range(1, 9))
        reading = understand(table(text))
        assert (reading.dataset.time.name, [s.name for s in reading.dataset.states]) == ("t", ["x"])
        assert said(reading, "row-names").rows == (1,)


def test_numbers_of_subjects_that_repeat_are_runs():
    text = "id,day,x\n" + "".join(f"{s},{i},{i * s % 5}\n" for s in (7, 12) for i in range(6))
    reading = understand(table(text))
    assert (reading.roles.run, [run.label for run in reading.dataset.trajectories]) == ("id", ["7", "12"])
    assert said(reading, "run-column").column == "id"
    assert understand(rows("id,t,x", "{i},{i},{s}")).roles.run is None


@pytest.mark.parametrize(("name", "is_run"), [("shot", True), ("Shot nr", True), ("dose (mg)", False)])
def test_numbers_of_shots_are_runs_and_other_numbers_of_a_run_are_no_state(name, is_run):
    text = f"{name},t,x\n" + "".join(f"{s},{i},{i * s % 5}\n" for s in (1041, 1042, 1045) for i in range(6))
    guess = guesses(table(text))[name]
    assert guess.role == ("Run" if is_run else "Ignore")
    assert ("constant in every run" in guess.why) == (not is_run)


def test_a_column_that_goes_on_where_time_starts_over_stays_a_state():
    found = guesses(table("t,x,y\n" + "".join(f"{i % 6},{i * i % 7},{i}\n" for i in range(18))))
    assert [one.role for one in found.values()] == ["Time", "State", "State"]


def test_a_second_column_of_time_is_no_state_and_the_page_says_why():
    found = table(
        "t_s,t_min,x,rising,note\n" + "".join(f"{2 * i},{i / 30:.3f},{i * i},{3 * i},word\n" for i in range(20))
    )
    roles = guess_roles(found)
    assert (roles.time, roles.states) == ("t_s", ("x", "rising"))
    assert guesses(found)["t_min"] == Guess("Ignore", why="it is 't_s' in other units")
    assert guesses(found)["note"].why == "it holds text such as 'word'"
    ways_out = {one.column: one.way_out for one in roles.findings}
    assert ways_out["t_min"] == "Name it as a state to keep it."
    assert "in the place of the words" in ways_out["note"]
    assert guess_roles(table("t_s,t_min\n0,0\n60,1\n120,2\n180,3\n")).states == ("t_min",)


DOSE = "time (h),A_gut (mg),C (mg/L),C (M),rate,w (1)\n" + "".join(
    f"{k},{100 * 0.9**k:.4f},{k % 5},{k % 3},{-10 * 0.9**k:.4f},1\n" for k in range(12)
)


def test_a_column_is_named_without_its_unit_where_no_other_is_called_so():
    said = {
        "time": "time", "states": ["A_gut"], "units": {"A_gut": "g"}, "meanings": {"A_gut": "in the gut"},
        "weights": {"w": "A_gut"}, "derivatives": {"rate": "A_gut"},
        "preparation": read_preparation([], ["A_gut=0.001 g"], 0.0),
    }  # fmt: skip
    found = understand(table(DOSE), **said).dataset
    (state,) = found.states
    assert (state.name, state.unit, state.meaning) == ("A_gut (mg)", "g", "in the gut")
    assert (found.weights[0].state, found.derivatives[0].state) == ("A_gut (mg)", "A_gut (mg)")
    assert found.trajectories[0].x[0, 0] == pytest.approx(0.1)
    with pytest.raises(DataError, match=r"Column 'C': there is no such column\. .*The columns are 'time \(h\)', "):
        understand(table(DOSE), states=["C"])
    with pytest.raises(DataError, match=r"Column 'A_gat': there is no such column\. Did you mean 'A_gut'"):
        understand(table(DOSE), states=["A_gat"])
