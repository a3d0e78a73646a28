"""The Data page on tables that can be read in several ways: dialects, restarts of time, several files."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from dolq_core.errors import THIN
from pages.data.upload import BESIDES
from tests.app.scenes import app, press, read
from tests.app.test_data import GERMAN, TABLE, TWICE, choose, field, roles, started, upload


class TestReading:
    def test_how_a_file_was_read_is_one_line_and_every_assumption_a_quiet_one(self):
        at = upload(GERMAN.encode("cp1252"))
        assert "Windows-1252 text, columns separated by semicolons, decimal commas, names in row 2" in read(at)
        (quiet,) = [one for one in at.expander if "assumed" in one.label]
        assert quiet.label == "5 things assumed or left out"
        assert not quiet.proto.expanded
        assert "Row 3: units: s, g; taken as the units of the columns." in read(at)

    def test_as_many_things_are_counted_as_are_told(self):
        table = "t," + ",".join(["x"] * 15) + "\n"
        at = upload((table + "".join(f"{i}" + f",{i * i}" * 15 + "\n" for i in range(12))).encode())
        (loud,) = [one for one in at.expander if "assumed" in one.label]
        assert "And 4 more of this kind." in read(at)
        assert loud.label == "14 things assumed or left out, 14 to check"
        assert [one.value for one in loud.caption] == [BESIDES]

    def test_what_may_not_be_meant_is_open_and_stands_first(self):
        at = upload(b"t,x,x\n" + b"".join(b"%d,%d,%d\n" % (i, i * i, -i) for i in range(12)))
        (loud,) = [one for one in at.expander if "assumed" in one.label]
        assert (loud.label, loud.proto.expanded) == ("1 thing assumed or left out, 1 to check", True)

    def test_another_decimal_mark_reads_the_same_bytes_anew(self):
        at = upload(b"t;x\n" + b"".join(b"%d;%d,%03d\n" % (i, 9 - i % 7, i) for i in range(20)))
        assert "0.001" not in read(at)
        assert "3.006 to 9.014" in read(at)
        choose(at, "Decimal marks are", ".")
        assert f"3{THIN}006 to 9{THIN}014" in read(at)
        assert "Ready to start" in read(at)
        (state,) = started(at).dataset.trajectories
        assert state.x[0, 0] == 9000

    def test_names_that_are_numbers_are_names_when_the_person_says_so(self):
        at = upload(b"0,1950\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(1, 12)))
        assert "no row of names" in read(at)
        choose(at, "Names of the columns are in", "1")
        choose(at, "Role of 0", "Time")
        assert [state.name for state in started(at).dataset.states] == ["1950"]

    def test_a_wrong_choice_is_answered_by_the_reader_and_taken_back_by_one_press(self):
        at = upload(GERMAN.encode("cp1252"))
        choose(at, "Names of the columns are in", "39")
        choose(at, "Decimal marks are", ".")
        assert "the decimal mark is said to be a point" in read(at)
        assert not at.expander
        press(at, "Read it as found")
        assert "Ready to start" in read(at)
        assert roles(at) == ["Time", "State", "Run"]

    def test_a_file_that_can_be_read_in_two_ways_is_read_as_the_person_says(self):
        at = upload(b"t\tx\n" + b"".join(b"%d\t%d,%03d\n" % (i, 9 - i % 7, i) for i in range(20)))
        assert "can be 9.000 or 9000" in read(at)
        assert "Cannot be read" in read(at)
        choose(at, "Decimal marks are", ",")
        assert "Ready to start" in read(at)

    def test_comments_of_another_kind(self):
        at = upload(b"t,x\n* by hand\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(12)))
        assert "no row of names" in read(at)
        choose(at, "A comment begins with", "*")
        assert "names in row 1" in read(at)
        assert roles(at) == ["Time", "State"]

    def test_ids_that_begin_with_a_mark_of_comments_are_rows_where_there_are_no_comments(self):
        at = upload(b"shot,t,n\n" + b"".join(b"#10%d,%d,%d\n" % (i // 8, i % 8, 50 - i) for i in range(24)))
        assert "all 24 lines below the header begin with # and were read as comments" in read(at)
        choose(at, "A comment begins with", "none")
        assert "Ready to start" in read(at)
        assert roles(at) == ["Run", "Time", "State"]

    def test_a_sheet_is_chosen_among_all(self):
        content = BytesIO()
        with pd.ExcelWriter(content) as book:
            for name, factor in (("hares", 1.1), ("lynx", 1.2)):
                pd.DataFrame({"hours": range(30), name: [10 * factor**hour for hour in range(30)]}).to_excel(
                    book, sheet_name=name, index=False
                )
        at = upload(content.getvalue(), "both.xlsx")
        assert "The sheet 'hares' of a workbook" in read(at)
        choose(at, "Sheet", "lynx")
        assert [state.name for state in started(at).dataset.states] == ["lynx"]

    def test_a_column_gets_the_role_that_it_has_in_the_new_reading(self):
        rows = [b"%d,%d\n" % (i, i * i) for i in range(12)]
        at = upload(b"t,x\n" + b"".join([*rows[:5], b"* 5,paused\n", *rows[5:]]))
        assert "Row 7, column 'x': 'paused' is not a number" in read(at)
        field(at, "selectbox", "Role of x").set_value("Ignore").run()
        choose(at, "A comment begins with", "*")
        assert roles(at) == ["Time", "State"]
        assert "Ready to start" in read(at)

    def test_what_was_typed_does_not_land_on_a_column_of_another_reading(self):
        at = upload(b"a;b\n0;1950\n" + b"".join(b"%d;%d\n" % (i, i * i) for i in range(1, 12)))
        field(at, "text_input", "Meaning of b").input("squares").run()
        choose(at, "Names of the columns are in", "2")
        assert field(at, "text_input", "Meaning of 1950").value == ""
        press(at, "Read it as found")
        assert field(at, "text_input", "Meaning of b").value == "squares"


class TestRestarts:
    def test_time_that_restarts_is_asked_about_and_not_guessed(self):
        at = upload(TWICE)
        assert "Time starts over in rows 14, 26." in read(at)
        assert "One question" in read(at)
        assert not at.error
        (question,) = at.get("button_group")
        assert question.label == "Where time starts over, the rows are"
        at.segmented_control[0].set_value("runs").run()
        assert "Ready to start" in read(at)
        assert [len(run.t) for run in started(at).dataset.trajectories] == [12, 12, 12]

    def test_an_error_in_the_table_is_refused_with_its_rows(self):
        at = upload(TWICE)
        at.segmented_control[0].set_value("error").run()
        assert at.error
        assert "Rows 14, 26: time starts again" in read(at)
        at.segmented_control[0].set_value("runs").run()
        assert "Ready to start" in read(at)

    def test_a_column_that_changes_there_is_no_state_and_is_offered_as_what_tells_runs_apart(self):
        rows = "".join(f"{i},{bottle},{9 - i + bottle % 5}\n" for bottle in (1041, 1042, 1045) for i in range(8))
        at = upload(f"t,bottle,x\n{rows}".encode())
        assert roles(at) == ["Time", "Ignore", "State"]
        assert "One question" in read(at)
        assert "runs that bottle tells apart" in at.segmented_control[0].options
        at.segmented_control[0].set_value("labels").run()
        assert roles(at) == ["Time", "Run", "State"]
        assert "Ready to start" in read(at)
        at.segmented_control[0].set_value("runs").run()
        assert roles(at) == ["Time", "Ignore", "State"]
        assert "Ready to start" in read(at)
        at.segmented_control[0].set_value("labels").run()
        runs = started(at).dataset.trajectories
        assert [(run.label, len(run.t)) for run in runs] == [("1041", 8), ("1042", 8), ("1045", 8)]

    def test_no_second_column_is_offered_where_one_tells_runs_apart(self):
        rows = "".join(f"{i},{bottle},{i // 4},{9 - i}\n" for bottle in (3, 7, 9) for i in range(8))
        at = upload(f"t,bottle,half,x\n{rows}".encode())
        choose(at, "Role of half", "Run")
        assert "runs that bottle tells apart" not in at.segmented_control[0].options


class TestOrder:
    def test_rows_out_of_order_are_asked_about_and_sorted(self):
        at = upload(b"t,x\n" + b"".join(b"%d,%d\n" % (7 * i % 12, (7 * i % 12) ** 2) for i in range(12)))
        assert "Time goes back in rows 4, 6, 8, 9, 11, 13." in read(at)
        (question,) = at.get("button_group")
        assert question.label == "Rows out of order are"
        at.segmented_control[0].set_value("error").run()
        assert "have them sorted by time" in read(at)
        at.segmented_control[0].set_value("sort").run()
        assert "Ready to start" in read(at)
        (run,) = started(at).dataset.trajectories
        assert run.t.tolist() == list(range(12))


class TestRepeats:
    def test_rows_of_one_time_are_asked_about_and_averaged_only_when_told_so(self):
        at = upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 5 * 0.9**i + j / 100) for i in range(15) for j in (-1, 1)))
        assert "Rows 3, 5, 7" in read(at)
        assert "more have the same time as the row before." in read(at)
        assert "One question" in read(at)
        assert not at.error
        at.segmented_control[0].set_value("error").run()
        assert at.error
        at.segmented_control[0].set_value("mean").run()
        assert "Ready to start" in read(at)
        (run,) = started(at).dataset.trajectories
        assert np.allclose(run.x[:, 0], 5 * 0.9 ** np.arange(15), atol=1e-6)


class TestSeveralFiles:
    def upload(self, *contents: bytes, names: Sequence[str] = "ab") -> AppTest:
        at = app("data")
        files = [(f"{name}.csv", content, "text/csv") for name, content in zip(names, contents, strict=True)]
        at.file_uploader[0].set_value(files).run()
        return at

    def test_each_is_a_run_of_its_name(self):
        at = self.upload(
            *(b"t,x\n" + b"".join(b"%d,%f\n" % (i, start * 0.9**i) for i in range(15)) for start in (5, 9))
        )
        assert "a.csv and 1 more" in read(at)
        assert roles(at) == ["Run", "Time", "State"]
        problem = started(at)
        assert [run.label for run in problem.dataset.trajectories] == ["a", "b"]

    def test_they_stand_in_the_order_in_which_a_person_counts(self):
        one = b"t,x\n" + b"".join(b"%d,%f\n" % (i, 0.9**i) for i in range(9))
        data = started(self.upload(one, one, one, names=["run 10", "run 2", "a"])).dataset
        assert [run.label for run in data.trajectories] == ["a", "run 2", "run 10"]

    def test_a_file_with_other_columns_is_refused_by_its_name(self):
        at = self.upload(TABLE, b"t,x\n0,1\n1,2\n")
        assert at.error
        assert "The file 'b.csv': it has no column 'hours', but 'a.csv' has" in read(at)
