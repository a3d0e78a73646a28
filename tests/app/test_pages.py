"""Every other page: what it shows, and that its one act lands in the store."""

import json
import os
import subprocess
import sys
from dataclasses import fields

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.ports import RunInfo
from dolq_core.records import Settings, Start
from dolq_core.views.equations import panels
from dolq_core.views.files import TARGETS
from dolq_core.views.summary import result
from pages.ui import formulas, knobs, words
from tests.app.scenes import PAGES, ROOT, app, disputed, press, read, shown
from tests.every import every
from tests.stored import found


def runs_now() -> tuple[RunInfo, ...]:
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


FIRST = """
import sys, types
from streamlit.testing.v1 import AppTest
from tests.waiting import LONGEST_S

rest = types.ModuleType("pages.start.rest")
rest.draw = lambda *places: print("core loaded:", "dolq_core.runs" in sys.modules)
sys.modules["pages.start.rest"] = rest
at = AppTest.from_file("app.py", default_timeout=LONGEST_S).run()
print([title.value for title in at.title], [said.value for said in at.header])
"""


AGAIN = """
import runpy, sys

runpy.run_path("app.py", run_name="__mp_main__")
print("core loaded:", "dolq_core.runs" in sys.modules)
"""


def test_a_process_of_a_pool_that_runs_the_app_file_again_draws_nothing(tmp_path):
    """What multiprocessing does in each process that it starts."""
    said = subprocess.run(
        [sys.executable, "-c", AGAIN], cwd=ROOT, env=os.environ | {"DOLQ_DB": str(tmp_path / "runs.db")},
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == "core loaded: False\n"


class TestStart:
    def test_it_can_be_read_before_the_core_is_loaded(self, tmp_path):
        said = subprocess.run(
            [sys.executable, "-c", FIRST], cwd=ROOT, env=os.environ | {"DOLQ_DB": str(tmp_path / "runs.db")},
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        assert "core loaded: False" in said
        assert "Find the equations behind your measurements" in said
        assert "Other data to try" in said

    def test_the_law_in_the_picture_is_computed(self):
        law = app("start").latex[0].value
        run = found(load_bundled("yeast"), steps=3)
        assert law.strip("$\n ") == panels(run)[0].latex

    def test_a_server_that_gives_no_more_runs_says_so_in_words(self, monkeypatch):
        monkeypatch.setenv("DOLQ_MAX_RUNS", "0")
        at = press(app("start"), "Try it on yeast")
        assert not at.exception
        assert "you have all 0 runs that each may have on this server" in shown(at)
        assert not runs_now()

    def test_yeast_starts_a_run_with_its_first_iteration_and_opens_it(self, began):
        at = press(app("start"), "Try it on yeast")
        (info,) = runs_now()
        assert at.query_params["run"] == info.id
        assert at.title[0].value == info.name
        assert began == [(info.id, "step")]
        assert "No law yet." in shown(at)

    def test_a_returning_person_goes_on_where_they_were(self):
        run = disputed()
        at = press(app("start"), "Continue Logistic · iteration 1")
        assert at.query_params["run"] == run
        assert at.title[0].value == "Logistic"

    def test_a_card_opens_its_data_set(self):
        at = app("start")
        at.button(key="open_lynx-hare").click().run()
        assert "Pelts are not populations" in shown(at)


class TestEquations:
    def test_the_best_system_stands_with_errors_and_words(self):
        run = disputed()
        at = app("equations", run)
        said = shown(at)
        (panel,) = panels(runs.load(runs.open_store(), run))
        assert formulas.law(panel.latex) in said
        assert words.verdict(panel.status) in said
        assert every("±" in cell for cell in at.table[0].value["Coefficient"])

    def test_what_is_downloaded_is_the_result(self):
        run = disputed()
        labels = [button.label for button in app("equations", run).get("download_button")]
        labels = [label for label in labels if label != "Plan to fill in (CSV)"]  # a plan, beside the rivals
        assert labels == [target.label for target in TARGETS.values()]
        assert {"Julia program", "Result (JSON)", "Trajectories (CSV)"} <= set(labels)
        document = result(runs.load(runs.open_store(), run))
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
        at = app("settings")
        helps = "\n".join(one.proto.help for kind in (at.number_input, at.selectbox, at.markdown) for one in kind)
        helps = helps.replace("\\", "").replace(words.JOINER, "")
        sources = [Settings.source(knob.name) for knob in fields(Settings)]
        told = [one.partition("; ")[2] or "our choice" if one.startswith("docs/") else one for one in sources]
        assert every(one in helps for one in told)
        assert "docs/" not in helps + read(at)
        assert every(knobs.DOES[knob.name] in helps for knob in fields(Settings))


def test_two_runs_of_one_name_are_told_apart_in_the_picker():
    first, second = disputed(), disputed()
    at = app("discover", second)
    labels = at.selectbox(key="picker").options
    assert len(set(labels)) == 2
    assert every(label.startswith("Logistic (") for label in labels)
    at.selectbox(key="picker").set_value(first).run()
    assert at.query_params["run"] == first


def test_the_sidebar_says_how_much_of_its_iterations_a_run_of_the_builtin_agents_has_used():
    assert "2 of 10 iterations used" in shown(app("discover", disputed(2)))
