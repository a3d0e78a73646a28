"""The gallery: every set can be chosen, and a run has exactly the data that were shown."""

import pytest

from dolq_core import runs
from dolq_core.bundled import SamplePlan, bundled, load_bundled
from dolq_core.records import Dataset
from tests.app.scenes import alts, app, press, read, reloaded, shown

SETS = bundled()


def opened(name: str):
    at = app("data")
    return at.button(key=f"open_{name}").click().run()


def started() -> Dataset:
    store = runs.open_store()
    (info,) = runs.list_runs(store)
    dataset = runs.load(store, info.id).state.problem.dataset
    assert info.name == dataset.name
    return dataset


def drawn(at, what: str, name: str, value):
    """Choose a value of one of the sliders."""
    kind = {"starts": at.segmented_control, "seed": at.number_input}.get(what, at.select_slider)
    return kind(key=f"{what}·{name}").set_value(value).run()


def test_every_set_has_a_button_with_what_it_teaches_its_difficulty_and_its_size():
    at = app("data")
    assert [one.id for one in SETS] == [
        b.key.removeprefix("open_") for b in at.button if str(b.key).startswith("open_")
    ]
    for one in SETS:
        assert one.hook in read(at)
    assert "hard] 62 rows · 2 states · 3 runs" in shown(at)
    assert [heading.value for heading in at.header] == ["Measured", "The paper's systems", "Nothing to find"]


@pytest.mark.parametrize("name", [one.id for one in SETS])
def test_every_set_says_what_to_look_out_for(name):
    at, about = opened(name), next(one for one in SETS if one.id == name)
    assert not at.exception
    said = read(at)
    for text in (about.story, about.lookout, about.why, about.caveat, about.source):
        assert " ".join(text.split()) in said
    assert f"**Difficulty: {about.difficulty}.**" in said


def test_measured_data_have_no_sliders():
    assert not [widget for widget in opened("flu").select_slider if "noise" in widget.key or "points" in widget.key]


def test_a_run_has_exactly_the_data_that_were_shown():
    at = opened("system-4")
    for what, value in (("noise", 3.0), ("points", 200), ("starts", 2), ("seed", 7)):
        at = drawn(at, what, "system-4", value)
    wanted = load_bundled("system-4", SamplePlan(200, 0.03, 2, 7)).dataset
    assert "400 rows · 2 states · 2 runs" in shown(at)
    press(at, "Start discovery")
    assert started() == wanted
    assert wanted.name.endswith("3 % noise, 200 points, 2 runs, seed 7")


def test_a_slider_redraws_the_preview():
    at = opened("system-1")
    before = alts(at)
    assert alts(drawn(at, "noise", "system-1", 10.0)) != before


def test_a_seed_waits_until_there_is_noise():
    at = opened("system-1")
    assert at.number_input(key="seed·system-1").disabled
    assert not drawn(at, "noise", "system-1", 1.0).number_input(key="seed·system-1").disabled


def test_pure_chance_has_a_seed_and_no_noise_of_its_own():
    at = drawn(opened("random-walk"), "seed", "random-walk", 5)
    assert not [widget for widget in at.select_slider if widget.key == "noise·random-walk"]
    press(at, "Start discovery")
    assert started() == load_bundled("random-walk", SamplePlan(seed=5)).dataset


def test_other_data_lead_back_to_the_gallery():
    at = press(opened("noise"), "Other data")
    assert "Nothing to find" in shown(at)


def test_the_start_page_leads_to_one_of_each_kind_and_to_all():
    at = app("start")
    for name in ("lynx-hare", "coffee", "system-2", "noise"):
        assert at.button(key=f"open_{name}")
    assert "The paper's systems" in shown(press(at, f"All {len(SETS)} data sets"))


def test_a_reload_shows_the_set_as_it_was_sampled():
    at = drawn(opened("system-4"), "points", "system-4", 100)
    press(reloaded(drawn(at, "starts", "system-4", 2)), "Start discovery")
    assert started() == load_bundled("system-4", SamplePlan(100, starts=2)).dataset


def test_other_data_are_forgotten_by_the_address_too():
    at = press(opened("noise"), "Other data")
    assert "table" not in at.query_params
    assert "Nothing to find" in shown(reloaded(at))
