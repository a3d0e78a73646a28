"""The Data page: how a table was read, what its columns are, what was assumed, and the start of a run."""

from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dolq_core import runs
from dolq_core.data import read_table
from dolq_core.inspection import inspect_table, lines
from dolq_core.ports import RunInfo
from dolq_core.records import Blocks, EquationBlocks, Problem, Settings
from pages.ui import new_run
from pages.ui.words import JOINER
from tests.app.scenes import app, press, read, reloaded, shown
from tests.every import every

TABLE = b"hours,hare $x$,place\n" + b"".join(b"%d,%f,here\n" % (i, 10 * 1.1**i) for i in range(30))
GERMAN = "Gerät 5\nZeit;Masse;Lauf\ns;g;\n" + "".join(
    f"{i % 20 / 2};{(5 + i // 20) * 0.9 ** (i % 20):.4f};{'ab'[i // 20]}\n".replace(".", ",") for i in range(40)
)
TWICE = b"t,x\n" + b"".join(b"%d,%f\n" % (i % 12, (5 + i // 12) * 0.9 ** (i % 12)) for i in range(36))


def roles(at: AppTest) -> list[str]:
    return [box.value for box in at.selectbox if (box.key or "").startswith("role·")]


def field(at: AppTest, kind: str, label: str):
    """The widget with this label, or the role, unit ... of a column: the first one's labels are the heads."""
    (found,) = [one for one in getattr(at, kind) if one.label == label]
    return found


def started(at: AppTest) -> Problem:
    """Start the run, and return what it is about."""
    press(at, "Start discovery")
    (info,) = runs.list_runs(runs.open_store())
    return runs.load(runs.open_store(), info.id).state.problem


def runs_now() -> tuple[RunInfo, ...]:
    return runs.list_runs(runs.open_store())


def assert_held_back(at: AppTest) -> None:
    """Nothing can start, and the page says so and why at its head."""
    assert ":orange-badge[:material/error: Not ready]" in shown(at)
    head, place = at.error
    assert head.value.startswith("In “Building blocks”")
    assert head.value.endswith(place.value)
    assert next(one for one in at.button if one.label == "Start discovery").disabled


def upload(content: bytes = TABLE, name: str = "my hares.csv") -> AppTest:
    at = app("data")
    at.file_uploader[0].set_value((name, content, "text/csv")).run()
    return at


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("plot.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "this is a picture, not a text table"),
        ("paper.pdf", b"%PDF-1.7\n\xe2\xe3", "this is a PDF, not a text table"),
        ("lab.mat", b"MATLAB 5.0 MAT-file, Platform\x00\x00", "this is a MATLAB file, not a text table"),
        ("raw.bin", bytes(range(255, 100, -1)) * 3, "this is neither UTF-8, UTF-16 nor Windows text"),
    ],
)
def test_a_file_that_is_no_table_is_taken_and_told_as_what_it_is(name, content, what):
    at = upload(content, name)
    assert f"The file '{name}': {what}. Open it in the program that wrote it and save the table as CSV" in read(at)
    assert not list(app("data").file_uploader[0].proto.type), "the browser refuses none in words of its own"


def choose(at: AppTest, label: str, value: str) -> AppTest:
    return field(at, "selectbox", label).set_value(value).run()


def test_a_sheet_of_a_spreadsheet_is_a_table_too():
    content = BytesIO()
    hares = pd.DataFrame({"hours": range(30), "hares": [10 * 1.1**hour for hour in range(30)]})
    hares.to_excel(content, index=False)
    at = upload(content.getvalue(), "hares.xlsx")
    assert not at.exception
    assert "Ready to start" in shown(at)


def test_a_bundled_set_shows_story_source_and_caveat_and_starts():
    at = app("data")
    at.button(key="open_coffee").click().run()
    for word in ("**Source.**", "**Caveat.**"):
        assert word in shown(at)
    press(at, "Start discovery")
    (info,) = runs_now()
    assert "coffee" in info.dataset.lower()


def test_a_table_is_read_with_guessed_roles():
    at = upload()
    assert roles(at) == ["Time", "State", "Ignore"]
    assert "Ready to start" in shown(at)


def test_units_meanings_and_words_reach_the_run():
    at = upload()
    field(at, "text_input", r"Unit of hare \$x\$").input("thousand").run()
    field(at, "text_input", r"Meaning of hare \$x\$").input("hares in the valley").run()
    at.text_area[0].input("Hares multiply.").run()
    press(at, "Start discovery")
    (info,) = runs_now()
    problem = runs.load(runs.open_store(), info.id).state.problem
    (hare,) = problem.dataset.states
    assert (hare.name, hare.unit, hare.meaning) == ("hare $x$", "thousand", "hares in the valley")
    assert problem.description == "Hares multiply."
    assert info.name == "my hares"


def test_a_column_that_is_ignored_is_no_state():
    at = upload(b"t,a,b\n" + b"".join(b"%d,%d,%d\n" % (i, i * i, 50 - i) for i in range(12)))
    field(at, "selectbox", "Role of b").set_value("Ignore").run()
    press(at, "Start discovery")
    (info,) = runs_now()
    states = runs.load(runs.open_store(), info.id).state.problem.dataset.states
    assert [state.name for state in states] == ["a"]


def test_a_column_may_be_denied_to_tell_runs_apart():
    rows = b"".join(b"%d,%d,%d\n" % (i, i * i, 1 + i // 6) for i in range(12))
    at = upload(b"t,a,run\n" + rows)
    assert roles(at) == ["Time", "State", "Run"]
    field(at, "selectbox", "Role of run").set_value("Ignore").run()
    press(at, "Start discovery")
    (info,) = runs_now()
    assert len(runs.load(runs.open_store(), info.id).state.problem.dataset.trajectories) == 1


@pytest.mark.parametrize("content", [b"", b"<html><body>Sign in</body></html>", b"a,b\nx,y\n", b"t,x\n0,1\n1,2\n2,4\n"])
def test_a_bad_table_is_answered_with_the_error_as_it_stands(content):
    at = upload(content, "bad.csv")
    assert not at.exception
    assert at.error
    assert every(button.disabled for button in at.button if button.label == "Start discovery")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"t,x\n" + b"".join(b"%d,low\n" % i for i in range(9)),
            "there is no column of changing numbers. 'x': it holds",
        ),
        (b"t,x,y\n0,1,2\n", "The table: it has 1 row, but at least 5 are needed."),
    ],
)
def test_a_table_without_a_state_is_told_in_the_words_of_the_command_line(content, said):
    assert said in read(upload(content))
    (stops,) = [one for one in inspect_table(read_table(content)).findings if one.severity == "stops"]
    assert said in f"{stops.sentence} {stops.way_out}"


def test_of_many_columns_those_that_belong_together_are_chosen():
    names = [f"g{j}" for j in range(40)]
    rows = (f"{i}," + ",".join(f"{(j + 1) * 0.9**i:.6f}" for j in range(40)) for i in range(20))
    table = "\n".join([",".join(["t", *names]), *rows]).encode()
    at = upload(table)
    said = "40 columns may be states: choose those that belong together."
    (choice,) = [one for one in at.multiselect if one.label == said]
    assert (roles(at), len(choice.options)) == (["Time"], 40)
    assert "none is named. Name at least one column of numbers: 'g0'," in read(at)
    assert said in "\n".join(lines(inspect_table(read_table(table))))
    choice.set_value(["g3", "g7"]).run()
    assert roles(at) == ["Time", "State", "State"]
    assert [state.name for state in started(at).dataset.states] == ["g3", "g7"]


def test_where_no_state_is_named_those_that_there_are_are_offered():
    at = upload(TWICE[: TWICE.index(b"0,6")])
    field(at, "selectbox", "Role of x").set_value("Ignore").run()
    assert "none is named. Name at least one column of numbers: 'x'." in read(at)


def test_rows_out_of_order_are_asked_about_and_are_an_error_where_they_are_said_to_be():
    at = upload(b"t,x\n0,1\n2,2\n1,3\n2,4\n3,5\n4,5\n", "bad.csv")
    assert [one.label for one in at.segmented_control] == ["Rows out of order are"]
    assert every(button.disabled for button in at.button if button.label == "Start discovery")
    at.segmented_control[0].set_value("error").run()
    assert at.error
    assert every(button.disabled for button in at.button if button.label == "Start discovery")


def test_the_end_of_a_run_is_held_out_as_chosen():
    at = upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(100)))
    (slider,) = at.select_slider
    assert slider.label == "Held out from t ="
    assert (slider.value, slider.options[0]) == (Settings().held_out, "50")
    slider.set_value(0.3).run()
    press(at, "Start discovery")
    (info,) = runs_now()
    assert runs.load(runs.open_store(), info.id).state.settings.held_out == 0.3


def test_runs_of_several_lengths_are_held_out_by_share():
    rows = [b"%d,%f,%d\n" % (i, 9 * 0.97**i, run) for run, n in ((1, 60), (2, 80)) for i in range(n)]
    (slider,) = upload(b"t,x,run\n" + b"".join(rows)).select_slider
    assert slider.label == "Held out at the end of each run"
    assert "20%" in slider.options


def test_only_shares_that_leave_enough_to_fit_are_offered():
    rows = b"".join(b"%d,%f\n" % (i, 9 * 0.97**i) for i in range(60))
    (slider,) = upload(b"t,x\n" + rows).select_slider
    assert slider.options == ["51", "54", "57", "nothing"]
    assert slider.value == 0.2  # the usual share, which would leave 48


def test_whole_runs_are_held_out_as_chosen():
    rows = [b"%d,%f,%s\n" % (i, 9 * 0.9**i, run) for run in (b"a", b"b", b"c") for i in range(20)]
    at = upload(b"t,x,run\n" + b"".join(rows))
    choice = field(at, "multiselect", "Runs to hold out")
    assert (choice.options, choice.value) == (["a", "b", "c"], [])
    choice.set_value(["b"]).run()
    assert "□ b (held out)" in read(at)
    assert "Held out whole: run b. No end of a run is held out: none has 50 samples." in read(at)
    press(at, "Start discovery")
    (info,) = runs_now()
    assert runs.load(runs.open_store(), info.id).state.settings.held_out_runs == ("b",)


def test_what_laws_may_be_made_of_reaches_the_run_and_is_said():
    at = upload(b"t,x,v (m/s)\n" + b"".join(b"%d,%f,%f\n" % (i, 10 * 0.9**i, 0.8**i) for i in range(60)))
    _, functions, degree, parts, first, _ = at.button_group
    functions.set_value(["sin"]).run()
    degree.set_value(2).run()
    parts.set_value(["inner", "time"]).run()
    first.set_value(["x"]).run()
    first, second = [one for one in at.text_input if one.label == "Signs"]
    first.set_value("x").run()
    assert "Write -x for a term that only lowers" in read(at)
    first.set_value("-x").run()
    assert "Functions: sin. Degree of a term: at most 2. Not allowed: ratios." in read(at)
    blocks = started(at).blocks
    assert blocks == Blocks(
        ("sin",), 2, ratios=False, equations=(EquationBlocks(0, ("x",), None, (("x", "negative"),)),)
    )
    assert second.value == ""


def test_rules_as_text_join_the_ticks_and_a_wrong_one_holds_the_run_back():
    at = upload(b"t,x,v (m/s)\n" + b"".join(b"%d,%f,%f\n" % (i, 10 * 0.9**i, 0.8**i) for i in range(60)))
    _, functions, *_ = at.button_group
    functions.set_value(["sin", "exp"]).run()
    (further,) = [one for one in at.text_area if one.label == "Further rules"]
    further.set_value('functions = ["sin", "cos"]\n[equations.x]\nmust = ["y"]').run()
    assert "Building blocks" in read(at)
    assert_held_back(at)
    further.set_value("[equations.x]\nmust = ['tanh(x)']").run()
    assert "tanh(x) is asked for, and tanh is not among the functions allowed" in read(at)
    sign = next(one for one in at.text_input if one.label == "Signs")
    sign.set_value("-x").run()
    further.set_value("[equations.x]\nsigns = {x = '+'}").run()
    assert "may only be negative by the ticks and positive by the text" in read(at)
    sign.set_value("").run()
    further.set_value('functions = ["sin", "cos"]\n[equations.x]\nmust = ["x"]\nbounds = {"x" = [-2, 0]}').run()
    assert "Functions: sin." in read(at)
    blocks = started(at).blocks
    assert blocks.functions == ("sin",)
    (own,) = blocks.equations
    assert (own.must, [(one.skeleton, one.low, one.high) for one in own.bounds]) == (("x",), [("x", -2.0, 0.0)])


def test_a_stated_sum_that_the_table_contradicts_is_told_at_the_head_and_holds_nothing_back():
    """`Conserved: A - 1 C` stood beside "Ready to start" for a table in which A + C is constant."""
    rows = [(i / 10, 3.0 * 0.95**i) for i in range(80)]
    at = upload(b"t,A (mM),C (mM)\n" + b"".join(b"%g,%f,%f\n" % (t, a, 3.0 - a) for t, a in rows))
    (further,) = [one for one in at.text_area if one.label == "Further rules"]
    further.set_value('conserved = ["A + C"]').run()
    assert "Conserved: A + C." in read(at)
    assert not at.warning
    further.set_value('conserved = ["A - C"]').run()
    assert "Conserved: A - C." in read(at)
    (said,) = at.warning
    told = said.value.replace("\\", "").replace(JOINER, "")
    assert "below: A - C is not constant in these data: it goes from −2.9 to 3 mM" in told
    assert started(at).blocks.conserved == (((0, 1.0), (1, -1.0)),)


def test_vetoes_and_pins_reach_the_run_and_a_wrong_one_is_told_at_its_field():
    at = upload(b"t,x,v (m/s)\n" + b"".join(b"%d,%f,%f\n" % (i, 10 * 0.9**i, 0.8**i) for i in range(60)))
    veto, pin = (next(one for one in at.text_input if one.label == label) for label in ("Vetoes", "Pins"))
    pin.set_value("x*v").run()
    assert "The pin 'x*v': its equation is open. Write it as 'STATE: TERM'; the states are x, v." in read(at)
    assert_held_back(at)
    pin.set_value("x: x*v").run()
    veto.set_value("sin(x), x: x*v").run()
    assert "v*x is pinned, and it is vetoed. Take one of the two rules out." in read(at)
    veto.set_value("sin(x), x: x**3").run()
    assert "Vetoed from the start in the equations of x, v: sin(x)." in read(at)
    assert "Pinned from the start in the equation of x: v*x." in read(at)
    blocks = started(at).blocks
    assert (blocks.vetoes, blocks.pins) == (((0, "sin(x)"), (0, "x**3"), (1, "sin(x)")), ((0, "v*x"),))


def test_the_examples_call_a_column_as_a_person_would():
    at = upload(b"t,E,temp (C)\n" + b"".join(b"%d,%f,%f\n" % (i, 10 * 0.9**i, 0.8**i) for i in range(60)))
    hints = [one.placeholder for one in at.text_input if one.label in ("Signs", "Pins")]
    assert hints == ["E: E", "-E", "-temp"]
    (further,) = [one for one in at.text_area if one.label == "Further rules"]
    assert further.placeholder.startswith('[equations.E]\nmust = ["E"]')
    further.set_value(further.placeholder).run()
    assert not at.error


def test_what_to_type_for_a_hidden_state_is_said_for_this_table_and_is_a_rule():
    t = np.linspace(0.0, 20.0, 120)
    text = "t,water level\n" + "\n".join(f"{a:.4f},{2 + np.sin(a):.5f}" for a in t)
    at = upload(text.encode(), "tide.csv")
    typed = 'hidden = ["water_level: water_level*z"]'
    assert f"type `{typed}` into “Further rules”" in shown(at)
    (field,) = [one for one in at.text_area if one.label == "Further rules"]
    field.set_value(typed).run()
    assert not at.error
    assert "z is a state that was not measured" in read(at)


def test_a_second_order_law_is_asked_for_among_the_building_blocks_and_said():
    at = upload(b"t,x\n" + b"".join(b"%g,%f\n" % (0.1 * i, 10 * 0.9**i) for i in range(60)))
    second, *_ = at.button_group
    second.set_value(["x"]).run()
    assert "x_dot, the rate of x, is a state of its own." in read(at)
    assert [(one.column, one.state) for one in started(at).dataset.unmeasured] == [("x_dot", "x")]


def test_a_field_is_named_without_signs_that_a_screen_reader_would_read():
    at = upload(b"t [s],x [mm]\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(60)))
    labels = [box.label for box in (*at.text_input, *at.selectbox)]
    assert "Name of t [s]" in labels
    assert every("\\" not in label for label in labels)


def test_the_data_are_checked_before_the_first_step():
    said = read(upload())
    assert "Are the data good enough?" in said
    assert "**30 points to fit, 1 run**" in said
    assert "Too few samples a run" in said


def test_what_is_held_out_is_not_checked():
    at = upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(100)))
    assert "80 points to fit" in read(at)
    at.select_slider[0].set_value(0.5).run()
    assert "50 points to fit" in read(at)


def test_a_bundled_set_is_checked_too():
    at = app("data")
    at.button(key="open_alpha-pinene").click().run()
    assert "**Target: integral form, then trajectories**" in read(at)


def test_a_formula_in_the_description_is_pointed_out():
    at = upload()
    assert "Empty: only the numbers count." in read(at)
    at.text_area[0].input("Hares grow: dh/dt = r*h.").run()
    assert "“dh/dt = r*h” reads as a formula" in read(at)
    at.text_area[0].input("Hares multiply.").run()
    assert "formula." not in read(at)


def test_runs_without_which_nothing_can_be_fitted_are_refused_on_the_page():
    rows = [b"%d,%s,%s\n" % (i, b"%f" % 0.9**i if run == b"a" else b"", run) for run in (b"a", b"b") for i in range(9)]
    at = upload(b"t,x,run\n" + b"".join(rows))
    at.multiselect[0].set_value(["a"]).run()
    assert "The run 'a': nothing would be left to fit without it." in "".join(
        e.value.replace("\\", "") for e in at.error
    )
    press(at, "Start discovery")
    assert not runs_now()


def test_a_single_run_cannot_be_held_out():
    assert "Runs to hold out" not in {one.label for one in upload().multiselect}


def test_short_runs_hold_nothing_out_and_the_page_says_why():
    at = upload()
    assert not at.select_slider
    assert "Nothing is held out: no run has 50 samples." in read(at)


def test_the_table_is_still_there_after_another_page():
    at = upload()
    at.selectbox(key=next(box.key for box in at.selectbox if box.label.startswith("Role of hare"))).set_value(
        "Ignore"
    ).run()
    at.switch_page("pages/settings/page.py").run()
    at.switch_page("pages/data/page.py").run()
    assert roles(at) == ["Time", "Ignore", "Ignore"]


def test_the_first_rows_are_shown_as_they_were_understood():
    at = upload(GERMAN.encode("cp1252"))
    (table,) = at.table
    assert list(table.value.columns) == ["Lauf", "Zeit", "Masse"]
    assert table.value.iloc[:, 0].tolist() == ["a", "a", "a", "b", "b", "b"]
    assert table.value.iloc[3].tolist() == ["b", "0", "6"]


def test_inputs_weights_and_given_derivatives_are_roles():
    rows = b"".join(b"%d,%f,%d,%d,%f\n" % (i, 0.9**i, i % 3, 1 + i % 2, -0.1 * 0.9**i) for i in range(12))
    at = upload(b"t,x,heat,count,dx/dt\n" + rows)
    assert roles(at) == ["Time", "State", "State", "State", "Derivative"]
    choose(choose(at, "Role of heat", "Input"), "Role of count", "Weight")
    data = started(at).dataset
    assert [state.name for state in data.states] == ["x"]
    assert [one.name for one in data.inputs] == ["heat"]
    assert [(one.column, one.state) for one in (*data.weights, *data.derivatives)] == [("count", ""), ("dx/dt", "x")]


def test_a_derivative_belongs_to_a_state_and_not_to_the_time():
    at = upload(b"t,rate,x\n" + b"".join(b"%d,%f,%f\n" % (i, -0.1 * 0.9**i, 0.9**i) for i in range(12)))
    choose(at, "Role of rate", "Derivative")
    assert field(at, "selectbox", "State that rate belongs to").options == ["of x"]
    (given,) = started(at).dataset.derivatives
    assert (given.column, given.state) == ("rate", "x")


def test_what_was_understood_can_be_kept():
    labels = [button.label for button in upload().get("download_button")]
    assert labels == ["Table as understood (CSV)", "Report (JSON)"]
    assert [button.label for button in upload(TWICE).get("download_button")] == ["Report (JSON)"]


class TestColumnsMadeOfColumns:
    """763 boys, some of them in bed: who is not counted is computed."""

    def boys(self) -> AppTest:
        return upload(b"day,in_bed\n" + b"".join(b"%d,%d\n" % (i, 3 + 20 * i) for i in range(14)))

    def test_a_formula_is_checked_as_it_is_typed_and_its_column_has_a_role(self):
        at = self.boys()
        field(at, "text_input", "New column").input("well").run()
        field(at, "text_input", "Formula").input("763 - in_bedd").run()
        assert "well" in read(at)
        assert any("in_bedd" in one.value.replace("\\", "") for one in at.error)
        assert field(at, "button", "Add").disabled
        field(at, "text_input", "Formula").input("763 - in_bed").run()
        assert not at.error
        assert "well: 500 to 760" in read(at)
        press(at, "Add")
        assert roles(at) == ["Time", "State", "State"]
        assert field(at, "text_input", "Formula").value == ""
        data = started(at).dataset
        assert [state.name for state in data.states] == ["in_bed", "well"]
        assert data.trajectories[0].x[0].tolist() == [3, 760]
        assert data.preparation.derived[0].formula == "763 - in_bed"

    def test_what_was_made_is_taken_back_by_one_press(self):
        at = self.boys()
        field(at, "text_input", "New column").input("well").run()
        field(at, "text_input", "Formula").input("763 - in_bed").run()
        press(at, "Add")
        press(at, "well = 763 - in_bed")
        assert roles(at) == ["Time", "State"]

    def test_a_factor_changes_numbers_and_unit_and_a_shift_the_time(self):
        at = self.boys()
        choose(at, "Multiply", "in_bed")
        field(at, "number_input", "by").set_value(0.001).run()
        field(at, "text_input", "New unit").input("thousand").run()
        press(at, "Apply")
        assert field(at, "text_input", "Unit of in_bed").value == "thousand"
        field(at, "number_input", "Add to every day").set_value(10.0).run()
        assert "10 to 23" in read(at)
        data = started(at).dataset
        assert data.trajectories[0].x[1, 0] == pytest.approx(0.023)
        assert (data.trajectories[0].t[0], data.states[0].unit) == (10, "thousand")

    def test_the_part_that_is_held_out_keeps_its_share_where_the_times_change(self):
        at = upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(100)))
        at.select_slider[0].set_value(0.3).run()
        field(at, "number_input", "Add to every t").set_value(100.0).run()
        (slider,) = at.select_slider
        assert (slider.value, slider.options[0]) == (0.3, "150")
        assert "70 points to fit" in read(at)

    def test_a_column_that_another_needs_is_missed_with_its_name(self):
        at = self.boys()
        for name, formula in (("a", "in_bed*2"), ("b", "a + 1")):
            field(at, "text_input", "New column").input(name).run()
            field(at, "text_input", "Formula").input(formula).run()
            press(at, "Add")
        press(at, next(button.label for button in at.button if button.label.startswith("a = ")))
        assert "Not ready" in read(at)
        assert any("column 'b'" in one.value.replace("\\", "").lower() for one in at.error)


PROTOCOL = (
    "Messprotokoll;;\nGerät: Rührkessel 3;;\nDatum: 12.03.2024;;\n\nZeit [min];Temperatur Öl [°C];Heizer [%]\n"
    + "".join(f"{i};{20 + i * 0.7:.1f}".replace(".", ",") + f";{60 * (0 < i < 7)}\n" for i in range(13))
).encode()


def test_an_option_keeps_its_words_however_the_file_is_read():
    """A browser sends the words that it shows: those of the last reading ended in a KeyError."""
    at = upload(PROTOCOL, "Kessel.csv")
    for row in ("2", "5", "found"):
        field(at, "selectbox", "Names of the columns are in").set_value(row).run()
        assert not at.exception
        firsts = [box.options[0] for box in at.selectbox if (box.key or "").startswith("how·")]
        assert set(firsts) == {"as found"}
    assert "Ready to start" in shown(at)


def test_a_reload_loses_nothing_that_was_said_of_a_table():
    at = upload(GERMAN.encode(), "reactor.csv")
    choose(at, "Role of Lauf", "Ignore")
    field(at, "segmented_control", "Where time starts over, the rows are").set_value("runs").run()
    field(at, "text_input", "Unit of Masse").set_value("kg").run()
    field(at, "text_input", "Meaning of Masse").set_value("what is left").run()
    field(at, "text_area", "What is this system, in plain words?").set_value("A drug is broken down.").run()
    field(at, "text_input", "New column").set_value("lost").run()
    field(at, "text_input", "Formula").set_value("10 - Masse").run()
    press(at, "Add")
    field(at, "text_input", "Vetoes").set_value("sin(Masse)").run()
    (functions,) = [pills for pills in at.get("button_group") if pills.label == "Functions"]
    functions.set_value(["exp"]).run()
    assert not at.exception
    again = reloaded(at)
    assert not again.exception
    assert not again.warning
    assert roles(again) == roles(at)
    wanted = started(again)
    runs.remove(runs.open_store(), runs_now()[0].id)
    assert started(at) == wanted
    assert wanted.description == "A drug is broken down."
    assert (len(wanted.dataset.trajectories), [state.unit for state in wanted.dataset.states]) == (2, ["kg", ""])


def test_a_large_table_is_not_kept_in_the_memory_of_the_server(monkeypatch):
    monkeypatch.setattr(new_run, "LARGEST", len(TABLE) - 1)
    at = upload()
    assert "Ready to start" in shown(at)
    assert "table" not in at.query_params


def test_an_address_that_nothing_is_kept_under_shows_the_choice_of_a_table():
    at = app("data")
    at.query_params["table"] = "unknown"
    at.run()
    assert not at.exception
    assert at.file_uploader
