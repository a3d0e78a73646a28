"""The tabs of the Equations page: each draws only while it is open, and stands strange names, runs and inputs."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import load_bundled
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.runs.running import workbench
from dolq_core.terms import safe_names
from dolq_core.views import files
from dolq_core.views.equations import panels
from dolq_core.views.files import copies
from pages.ui import words
from pages.ui.words import JOINER
from tests.app.scenes import alts, app, disputed, press, read, section
from tests.every import every
from tests.fitting.test_placing import circuit
from tests.stored import fitted, found
from tests.test_residuals import RIGHT, noisy

SECTIONS = ("How many terms?", "Residuals", "Rates", "Forecast", "Move coefficients", "Profiles")


def strange(samples: int = 80) -> runs.Run:
    """Two runs of three states with reserved and odd names, and an input."""
    own = ("E", "temp (°C)", "S", "I")
    symbols = safe_names(list(own)).symbols
    t = np.linspace(0.0, 5.0, samples)
    made = []
    for label, start in (("a_1", 1.0), ("b*c", 2.0)):
        x = np.column_stack([start * np.exp(-t), start * np.exp(-0.5 * t), 1.0 + start * np.exp(-t)])
        made.append(Trajectory(frozen(t), frozen(x), frozen(np.ones((samples, 1))), label))
    columns = [Variable(name, symbol) for name, symbol in zip(own, symbols, strict=True)]
    dataset = Dataset("odd", Variable("t", "t", "h"), tuple(columns[:3]), tuple(made), tuple(columns[3:]))
    terms = [[symbols[0]], [symbols[1]], [symbols[2], symbols[3]]]
    return fitted(Problem(dataset), terms, Settings(held_out=0.0))


def test_every_section_stands_strange_names_several_runs_and_inputs():
    at = app("equations", strange(20).id)
    for label in SECTIONS:
        at.session_state["examine"] = label
        at.run()
        assert not at.exception, label
        if label == "How many terms?":
            assert fronts(at) == [0.5, 0.5, 1.0], "two of them share the page"
        if label == "Forecast":
            assert "Beyond the data I stays at its last value." in read(at)


def test_a_screen_reader_meets_no_backslash_in_the_name_of_a_field():
    labels = [field.label for field in app("discover", strange().id).text_input]
    assert {"Unit of temp (°C)", "Meaning of temp (°C)"} <= set(labels)
    assert every("\\" not in label for label in labels)


def test_every_page_draws_inputs_that_switch_within_a_step():
    run = fitted(Problem(circuit(0.35)[0]), [["U", "V"]])
    assert workbench(run).holds == ("placed",)
    for page in ("discover", "equations", "data"):
        at = app(page, run.id)
        assert not at.exception, page
    for label in SECTIONS:
        assert not section(run.id, label).exception, label


def test_a_section_is_drawn_only_while_it_is_open():
    run = disputed()
    assert not [alt for alt in alts(app("equations", run)) if alt.startswith("Residuals")]
    assert [alt for alt in alts(section(run, "Residuals")) if alt.startswith("Residuals of x")]


def test_the_verdict_on_the_residuals_stands_in_words():
    run = fitted(noisy(), [["x"]])
    shown = read(section(run.id, "Residuals"))
    assert "They drift: autocorrelation" in shown
    assert "The held-out part is drawn and not counted." in shown


def test_a_forecast_follows_the_fields_and_finds_back_to_the_runs_own_start():
    at = section(fitted(noisy(), RIGHT).id, "Forecast")
    further, start = at.number_input
    assert further.value == pytest.approx(2.0)
    further.set_value(4.0).run()
    assert "At t = 12 h the model has x " in read(at)
    at.number_input[1].set_value(1.5).run()
    assert "Data, from another start, not drawn." in read(at)
    press(at, "Back to the run's own start")
    assert at.number_input[1].value == start.value
    assert "Band: two standard errors" in read(at)


def test_a_moved_slider_shows_the_new_error_or_why_there_is_none_and_is_reset():
    at = section(fitted(noisy(), RIGHT).id, "Move coefficients")
    assert [slider.label for slider in at.slider] == ["x in dx/dt (1/h)", "x² in dx/dt (1/(g·h))"]
    fitted_at = at.slider[0].value
    at.slider[0].set_value(2.0).run()
    assert ", fitted " in read(at)
    press(at, "Reset to fitted")
    assert at.slider[0].value == fitted_at
    assert "as fitted." in read(at)
    at.slider[1].set_value(1.9).run()
    assert not at.exception
    assert "The simulation blew up near t" in read(at)


def test_of_several_runs_the_error_of_moved_coefficients_names_the_run_that_it_is_of():
    """Beside the chart of all runs, which gives the largest error, one run's was called the same."""
    at = section(strange(20).id, "Move coefficients")
    assert re.search(r"Error \(NMSE\) of run a_1 \*\*.*\*\*, as fitted\.", read(at))
    assert "“Does it fit?” gives the largest error of all 2 runs." in read(at)
    alone = read(section(fitted(noisy(), RIGHT).id, "Move coefficients"))
    assert "Error (NMSE) **" in alone
    assert "Of this run alone" not in alone


def test_the_copied_python_runs_and_is_the_law():
    found = copies(strange())
    space: dict = {}
    exec(found.python, space)  # noqa: S102  what is tested is that this text is code
    assert space["rates"](0.0, [1.0, 2.0, 3.0], [1.0]) == pytest.approx([-1.0, -1.0, -2.0], abs=1e-3)
    assert found.latex.count("&=") == 3
    assert found.text.count("_dt = ") == 3


def test_the_table_holds_data_and_model_side_by_side():
    lines = files.table(strange()).splitlines()
    assert lines[0] == "run,t,E,E (model),temp (°C),temp (°C) (model),S,S (model)"
    assert len(lines) == 161
    label, t, data, model, *_ = lines[81].split(",")
    assert (label, float(t), float(data)) == ("b*c", 0.0, 2.0)
    assert float(model) == pytest.approx(2.0, abs=1e-3)


def test_a_label_is_harmless_and_has_few_backslashes():
    assert words.label("x0**2*y_1 in dy_1/dt") == "x0²·y_1 in dy_1/dt"
    assert words.label("Name of t [s]") == "Name of t [s]"
    assert words.label("![a](http://b)") == rf"\!\[a\](http{JOINER}\://b)"


def test_coefficients_have_units_where_those_of_the_columns_are_known():
    run = found(load_bundled("yeast"), runs.open_store(), steps=1).id
    (table, *_) = app("equations", run).table
    assert "1/h" in "".join(table.value["Unit"]).replace("\\", "")
    bare = app("equations", disputed())
    assert every("Unit" not in table.value for table in bare.table)


def test_a_term_whose_units_do_not_agree_is_pointed_out_beside_its_reason():
    run = fitted(load_bundled("yeast"), [["yeast", "exp(yeast/100)"]])
    assert "it takes exp of something in arbitrary unit" in read(app("equations", run.id))


def test_a_profile_says_what_the_likelihood_tells_of_a_number():
    at = section(fitted(noisy(), RIGHT).id, "Profiles")
    assert "95 % by the likelihood: **0." in read(at)
    told = re.search(r"likelihood: \*\*(\S+) to (\S+)\*\*", read(at))
    in_table = at.table[0].value["95 % interval"].iloc[0].replace("\\", "").split(" to ")
    assert [len(end.partition(".")[2]) for end in told.groups()] == [len(end.partition(".")[2]) for end in in_table]
    assert "to 1." in read(at)
    (alt,) = [one for one in alts(at) if one.startswith("Likelihood profile of x in dx/dt (1/h)")]
    assert "95 % by the likelihood" in alt
    assert "3 nats are odds of 20 to 1" in read(at)


def test_nats_are_explained_where_they_stand():
    run = found(noisy(100), runs.open_store(), steps=1)
    assert every(row.nats is not None for panel in panels(run) for row in panel.rows)
    for at in (app("discover", run.id), app("history", run.id, **{f"iteration·{run.id}·1": True})):
        assert "3 nats are odds of 20 to 1" in read(at)
    assert "odds of 20 to 1" not in read(app("discover", disputed()))


def test_only_a_run_that_holds_something_out_says_that_it_is_not_shown():
    sparse = found(load_bundled("yeast"), runs.open_store(), steps=1)
    assert sparse.state.settings.held_out > 0.0, "few samples are fitted all the same"
    assert "not shown" not in read(section(sparse.id, "Rates"))
    held = fitted(noisy(), RIGHT, Settings(held_out=0.2))
    assert "The held-out part is not shown." in read(section(held.id, "Rates"))


def widths(at: AppTest, heading: str) -> list[float]:
    """Return the widths, as shares, of the columns in which charts under this heading stand beside each other."""
    blocks = [column for column in at.columns if any(heading in one.value for one in column.markdown)]
    return [column.weight for column in blocks]


def test_the_charts_of_one_equation_share_the_page_below_it_and_those_of_several_stand_beside_them():
    alone, several = app("equations", disputed()), app("equations", strange(20).id)
    assert widths(alone, "**Does it fit?**") == widths(alone, "**Rate over state.**") == [0.5]
    assert widths(several, "**Does it fit?**") == [pytest.approx(1 / 2.62)]


def fronts(at: AppTest) -> list[float]:
    """Return the widths, as shares, of the columns in which a structure can be chosen."""
    return [column.weight for column in at.columns if any("A structure" in one.label for one in column.selectbox)]


def test_the_front_of_an_only_equation_has_the_whole_width():
    assert fronts(section(disputed(), "How many terms?")) == [1.0]
