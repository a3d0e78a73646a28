"""Every other page: what it shows, and that its one act lands in the store."""

import json
from dataclasses import fields
from io import BytesIO

import pandas as pd
import pytest

from dolq_core import runs
from dolq_core.records import Settings, Start
from tests.app.scenes import PAGES, app, disputed, press, read, shown

TABLE = b"hours,hare $x$,place\n" + b"".join(b"%d,%f,here\n" % (i, 10 * 1.1**i) for i in range(30))


def runs_now() -> tuple[runs.RunInfo, ...]:
    return runs.list_runs(runs.open_store())


@pytest.mark.parametrize("page", PAGES)
def test_every_page_draws_without_a_run(page):
    at = app(page)
    assert not at.exception
    assert at.title


@pytest.mark.parametrize("page", PAGES)
def test_every_page_draws_with_a_run(page):
    at = app(page, disputed(2))
    assert not at.exception


class TestStart:
    def test_the_law_in_the_picture_is_computed(self):
        law = app("start").latex[0].value
        problem = runs.load_bundled("yeast")
        store = runs.open_store()
        run = runs.auto(store, runs.start(store, problem), 3)
        assert law.strip("$\n ") == runs.show(run)[0].best_latex

    def test_yeast_starts_a_run_and_opens_it(self):
        at = press(app("start"), "Try it on yeast")
        (info,) = runs_now()
        assert at.query_params["run"] == info.id
        assert at.title[0].value == info.name
        assert "Press Step for a first proposal" in shown(at)

    def test_a_returning_person_goes_on_where_they_were(self):
        run = disputed()
        at = press(app("start"), "Continue Logistic · iteration 1")
        assert at.query_params["run"] == run
        assert at.title[0].value == "Logistic"

    def test_a_card_opens_its_data_set(self):
        at = app("start")
        at.button(key="open_lynx-hare").click().run()
        assert "Pelts are not populations" in shown(at)


class TestData:
    def upload(self, content: bytes = TABLE, name: str = "my hares.csv"):
        at = app("data")
        at.file_uploader[0].set_value((name, content, "text/csv")).run()
        return at

    def test_a_sheet_of_a_spreadsheet_is_a_table_too(self):
        content = BytesIO()
        hares = pd.DataFrame({"hours": range(30), "hares": [10 * 1.1**hour for hour in range(30)]})
        hares.to_excel(content, index=False)
        at = self.upload(content.getvalue(), "hares.xlsx")
        assert not at.exception
        assert "Ready to start" in shown(at)

    def test_a_bundled_set_shows_story_source_and_caveat_and_starts(self):
        at = app("data")
        at.button(key="open_coffee").click().run()
        for word in ("**Source.**", "**Caveat.**"):
            assert word in shown(at)
        press(at, "Start discovery")
        (info,) = runs_now()
        assert "coffee" in info.dataset.lower()

    def test_a_table_is_read_with_guessed_roles(self):
        at = self.upload()
        assert [box.value for box in at.selectbox] == ["Time", "State", "Ignore"]
        assert "Ready to start" in shown(at)

    def test_units_meanings_and_words_reach_the_run(self):
        at = self.upload()
        at.text_input[2].input("thousand").run()
        at.text_input[3].input("hares in the valley").run()
        at.text_area[0].input("Hares multiply.").run()
        press(at, "Start discovery")
        (info,) = runs_now()
        problem = runs.load(runs.open_store(), info.id).state.problem
        (hare,) = problem.dataset.states
        assert (hare.name, hare.unit, hare.meaning) == ("hare $x$", "thousand", "hares in the valley")
        assert problem.description == "Hares multiply."
        assert info.name == "my hares"

    def test_a_column_that_is_ignored_is_no_state(self):
        at = self.upload(b"t,a,b\n" + b"".join(b"%d,%d,%d\n" % (i, i * i, 50 - i) for i in range(12)))
        at.selectbox[2].set_value("Ignore").run()
        press(at, "Start discovery")
        (info,) = runs_now()
        states = runs.load(runs.open_store(), info.id).state.problem.dataset.states
        assert [state.name for state in states] == ["a"]

    def test_a_column_may_be_denied_to_tell_runs_apart(self):
        rows = b"".join(b"%d,%d,%d\n" % (i, i * i, 1 + i // 6) for i in range(12))
        at = self.upload(b"t,a,run\n" + rows)
        assert [box.value for box in at.selectbox] == ["Time", "State", "Run"]
        at.selectbox[2].set_value("Ignore").run()
        press(at, "Start discovery")
        (info,) = runs_now()
        assert len(runs.load(runs.open_store(), info.id).state.problem.dataset.trajectories) == 1

    @pytest.mark.parametrize(
        "content", [b"", b"a,b\nx,y\n", b"t,x\n0,1\n0,2\n1,3\n2,4\n3,5\n4,5\n", b"t,x\n0,1\n1,2\n2,4\n"]
    )
    def test_a_bad_table_is_answered_with_the_error_as_it_stands(self, content):
        at = self.upload(content, "bad.csv")
        assert not at.exception
        assert at.error
        assert all(button.disabled for button in at.button if button.label == "Start discovery")

    def test_the_end_of_a_run_is_held_out_as_chosen(self):
        at = self.upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(100)))
        (slider,) = at.select_slider
        assert slider.label == "Held out from t ="
        assert (slider.value, slider.options[0]) == (Settings().held_out, "50")
        slider.set_value(0.3).run()
        press(at, "Start discovery")
        (info,) = runs_now()
        assert runs.load(runs.open_store(), info.id).state.settings.held_out == 0.3

    def test_runs_of_several_lengths_are_held_out_by_share(self):
        rows = [b"%d,%f,%d\n" % (i, 9 * 0.97**i, run) for run, n in ((1, 60), (2, 80)) for i in range(n)]
        (slider,) = self.upload(b"t,x,run\n" + b"".join(rows)).select_slider
        assert slider.label == "Held out at the end of each run"
        assert "20%" in slider.options

    def test_whole_runs_are_held_out_as_chosen(self):
        rows = [b"%d,%f,%s\n" % (i, 9 * 0.9**i, run) for run in (b"a", b"b", b"c") for i in range(20)]
        at = self.upload(b"t,x,run\n" + b"".join(rows))
        (choice,) = at.multiselect
        assert (choice.label, choice.options, choice.value) == ("Runs to hold out", ["a", "b", "c"], [])
        choice.set_value(["b"]).run()
        assert "□ b (held out)" in read(at)
        assert "Held out whole: run b. No end of a run is held out: none has 50 samples." in read(at)
        press(at, "Start discovery")
        (info,) = runs_now()
        assert runs.load(runs.open_store(), info.id).state.settings.held_out_runs == ("b",)

    def test_the_data_are_checked_before_the_first_step(self):
        said = read(self.upload())
        assert "Is it fit for discovery?" in said
        assert "**30 points to fit, 1 run**" in said
        assert "30 samples per run are too few for derivatives" in said

    def test_what_is_held_out_is_not_checked(self):
        at = self.upload(b"t,x\n" + b"".join(b"%d,%f\n" % (i, 10 * 0.97**i) for i in range(100)))
        assert "80 points to fit" in read(at)
        at.select_slider[0].set_value(0.5).run()
        assert "50 points to fit" in read(at)

    def test_a_bundled_set_is_checked_too(self):
        at = app("data")
        at.button(key="open_alpha-pinene").click().run()
        assert "**Target: integral form, then trajectories**" in read(at)

    def test_a_formula_in_the_description_is_pointed_out(self):
        at = self.upload()
        assert "No words yet" in read(at)
        at.text_area[0].input("Hares grow: dh/dt = r*h.").run()
        assert "“dh/dt = r*h” reads as a formula" in read(at)
        at.text_area[0].input("Hares multiply.").run()
        assert "formula." not in read(at)

    def test_runs_without_which_nothing_can_be_fitted_are_refused_on_the_page(self):
        rows = [
            b"%d,%s,%s\n" % (i, b"%f" % 0.9**i if run == b"a" else b"", run) for run in (b"a", b"b") for i in range(9)
        ]
        at = self.upload(b"t,x,run\n" + b"".join(rows))
        at.multiselect[0].set_value(["a"]).run()
        assert "The run 'a': nothing would be left to fit without it." in "".join(
            e.value.replace("\\", "") for e in at.error
        )
        press(at, "Start discovery")
        assert not runs_now()

    def test_a_single_run_cannot_be_held_out(self):
        assert not self.upload().multiselect

    def test_short_runs_hold_nothing_out_and_the_page_says_why(self):
        at = self.upload()
        assert not at.select_slider
        assert "Nothing is held out: no run has 50 samples." in read(at)

    def test_the_table_is_still_there_after_another_page(self):
        at = self.upload()
        at.selectbox[1].set_value("Ignore").run()
        at.switch_page("pages/settings/page.py").run()
        at.switch_page("pages/data/page.py").run()
        assert [box.value for box in at.selectbox] == ["Time", "Ignore", "Ignore"]


class TestEquations:
    def test_the_best_system_stands_with_errors_and_words(self):
        run = disputed()
        at = app("equations", run)
        said = shown(at)
        (panel,) = runs.show(runs.load(runs.open_store(), run))
        assert panel.best_latex in said
        assert f"badge[{panel.status}]" in said
        assert all("±" in cell for cell in at.table[0].value["Coefficient"])

    def test_what_is_downloaded_is_the_result(self):
        run = disputed()
        labels = [button.label for button in app("equations", run).get("download_button")]
        assert labels == [target.label for target in runs.TARGETS.values()]
        assert {"Julia program", "Result (JSON)", "Trajectories (CSV)"} <= set(labels)
        document = runs.result(runs.load(runs.open_store(), run))
        assert json.loads(json.dumps(document))["schema"] == "dolq-result/1"


class TestSettings:
    def test_what_is_chosen_applies_to_the_next_run(self):
        at = app("settings")
        at.number_input(key="seed").set_value(7).run()
        at.number_input(key="knob.iterations").set_value(4).run()
        at.selectbox(key="knob.ablation").set_value("paper").run()
        at.switch_page("pages/start/page.py").run()
        press(at, "Try it on yeast")
        (info,) = runs_now()
        (start,) = runs.load(runs.open_store(), info.id).entries
        assert isinstance(start, Start)
        assert (start.seed, start.settings.iterations, start.settings.ablation) == (7, 4, "paper")

    def test_the_papers_settings_are_one_click_away(self):
        at = press(app("settings"), "The paper's settings")
        assert at.number_input(key="knob.iterations").value == Settings.paper().iterations
        assert at.selectbox(key="knob.target").value == "gradient"
        assert at.selectbox(key="knob.optimizer").value == "best of three"
        assert at.number_input(key="knob.held_out").value == 0.0
        press(at.switch_page("pages/start/page.py").run(), "Try it on yeast")
        (info,) = runs_now()
        assert runs.load(runs.open_store(), info.id).state.settings == Settings.paper()

    def test_every_knob_is_on_the_page_with_its_source(self):
        said = read(app("settings"))
        assert all(Settings.source(knob.name) in said for knob in fields(Settings))


def test_two_runs_of_one_name_are_told_apart_in_the_picker():
    first, second = disputed(), disputed()
    at = app("discover", second)
    labels = at.selectbox(key="picker").options
    assert len(set(labels)) == 2
    assert all(label.startswith("Logistic (") for label in labels)
    at.selectbox(key="picker").set_value(first).run()
    assert at.query_params["run"] == first


def test_the_sidebar_says_how_much_of_its_iterations_a_run_of_the_builtin_agents_has_used():
    assert "2 of 10 iterations used" in shown(app("discover", disputed(2)))
