"""The picture of doubt: laws that explain the data as well, where they part, and what a person does about it."""

import csv
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.loop import replay
from dolq_core.views.equations import panels
from dolq_core.views.fan import box, chosen, experiment, fan, plan
from dolq_core.views.files import export
from dolq_core.views.history import last_word_of
from dolq_core.views.rivals import asked_for, identifiability
from dolq_core.views.summary import result, verdict
from pages.equations import further
from pages.ui import ahead, jobs
from tests.app.scenes import alts, app, press, read
from tests.every import every, none


@pytest.fixture
def coffee() -> str:
    store = runs.open_store()
    run = runs.start(store, load_bundled("coffee"), name="Coffee")
    runs.step_once(store, run)
    return run


def test_rivals_agree_on_the_data_and_part_from_the_marked_start(coffee):
    run = runs.load(runs.open_store(), coffee)
    found = fan(run, identifiability(run))
    assert found is not None
    assert found.experiment is not None
    best, *others = found.paths
    assert others
    inside, spread = found.times <= found.since, np.ptp(found.data)
    for one in others:
        assert np.max(np.abs(one.measured - best.measured)[inside]) < 0.05 * spread
        assert np.max(np.abs(one.apart - best.apart)) > 0.05 * spread


def test_the_picture_is_beside_the_law_with_a_button_for_each_rival(coffee):
    at = app("equations", coffee)
    (alt,) = [alt for alt in alts(at) if "laws over the data" in alt]
    count = int(alt.split()[0])
    assert count > 1
    assert [button.label for button in at.button].count("Use this one") == count - 1
    (plan,) = [button for button in at.get("download_button") if button.label == "Plan to fill in (CSV)"]
    assert plan.icon == ":material/download:"
    assert "Start a run at temp" in read(at)


def test_laws_that_are_not_drawn_are_counted_as_the_status_counts_them(coffee):
    run = runs.load(runs.open_store(), coffee)
    (tied,) = identifiability(run)
    found = fan(run, (replace(tied, count=tied.count + 4),))
    assert found.left == tied.count + 4 - (len(found.paths) - 1) - found.lost


def test_the_page_says_how_many_of_all_rivals_are_drawn(coffee, monkeypatch):
    run = runs.load(runs.open_store(), coffee)
    (tied,) = identifiability(run)
    more = replace(tied, count=tied.count + 4)
    monkeypatch.setattr(further, "identifiability", lambda _: (more,))
    drawn = len(fan(run, (more,)).paths) - 1
    at = app("equations", coffee)
    assert f"{drawn} of {more.count} rivals {'is' if drawn == 1 else 'are'} drawn, the closest." in read(at)
    (label,) = [one.label for one in at.expander if "rivals of the law of" in one.label]
    assert label.startswith(f"{more.count} rivals")
    assert label.endswith(f"the best {len(more.fits)} listed")


def test_a_law_that_was_taken_says_that_its_numbers_are_fitted_again(coffee):
    store = runs.open_store()
    run = runs.load(store, coffee)
    assert "its numbers can change" in read(app("equations", coffee))
    runs.intervene(store, coffee, chosen(run, fan(run, identifiability(run)).paths[1]))
    runs.step_once(store, coffee)
    for page in ("discover", "equations"):
        assert "fitted again with the whole system: its numbers can differ from those shown there" in read(
            app(page, coffee)
        )


def test_a_rival_that_is_chosen_is_the_law_after_the_next_iteration(coffee):
    store = runs.open_store()
    run = runs.load(store, coffee)
    wanted = fan(run, identifiability(run)).paths[1]
    assert set(wanted.terms) != {term.skeleton for term in run.state.best[0].fit.terms}
    runs.intervene(store, coffee, chosen(run, wanted))
    assert {term.skeleton for term in runs.step_once(store, coffee).state.best[0].fit.terms} == set(wanted.terms)


def test_use_this_one_is_a_word_in_the_log(coffee):
    at = app("equations", coffee)
    try:
        next(button for button in at.button if button.label == "Use this one").click().run()
        run = runs.load(runs.open_store(), coffee)
        assert len(run.state.equations) == 1
        assert {note.key.skeleton for note in run.entries[2].pin} == set(run.state.equations[0].skeletons)
    finally:
        jobs.board().stop(coffee)


def test_the_plan_of_a_measurement_begins_at_the_start_and_can_be_filled_in(coffee):
    run = runs.load(runs.open_store(), coffee)
    found = fan(run, identifiability(run)).experiment
    names, first, *later = csv.reader(StringIO(plan(run, found)))
    assert names == ["minute (min)", "temp_C (°C)"]
    assert float(first[1]) == pytest.approx(found.start[0], rel=1e-3)
    assert every(not row[1] for row in later)
    assert float(later[-1][0]) == pytest.approx(found.duration, rel=1e-3)


def test_the_start_that_is_asked_for_in_the_range_as_it_stands_is_the_one_that_is_marked(coffee):
    run = runs.load(runs.open_store(), coffee)
    tied = identifiability(run)
    marked = fan(run, tied).experiment
    assert experiment(run, tied, *box(run)) == marked
    at = press(app("equations", coffee), "Find the start")
    asked = asked_for(marked, run.state.problem.dataset)
    assert read(at).count(asked) == 2


def test_until_the_choice_is_fitted_no_page_says_that_there_is_no_law(coffee):
    store = runs.open_store()
    run = runs.load(store, coffee)
    wanted = fan(run, identifiability(run)).paths[1]
    runs.intervene(store, coffee, chosen(run, wanted))
    assert runs.load(store, coffee).state.best == (None,)
    for page in ("equations", "discover"):
        said = read(app(page, coffee))
        assert "Not fitted yet" not in said
        assert "Taken from the rivals; the next iteration fits it again, with the whole system." in said
        assert "No law" not in said
        assert "Tried now" not in said


def test_before_the_click_a_sentence_says_what_it_does(coffee):
    said = read(app("equations", coffee))
    assert "“Use this one” pins the terms of that law, bans those of the law above that it lacks, and starts" in said


def test_a_rival_that_was_taken_is_told_as_taken_and_not_as_typed_or_explained(coffee):
    store = runs.open_store()
    run = runs.load(store, coffee)
    wanted = fan(run, identifiability(run)).paths[1]
    taken = runs.intervene(store, coffee, chosen(run, wanted))
    said = last_word_of(taken)
    assert "take from the rivals" in said
    assert "propose" not in said
    assert "pin " not in said
    assert verdict(taken.state).words == "Taken from the rivals"
    after = runs.step_once(store, coffee)
    assert none(term["typed"] for term in result(after)["equations"]["temp_C"]["terms"])
    assert "Typed by you" not in export(after, "report").content.decode()
    assert {pin["reason"] for pin in result(after)["pins"]} == {"Taken from the rivals"}
    fresh = panels(replace(after, state=replace(after.state, iteration=taken.state.iteration)))
    assert {row.choice for row in fresh[0].terms} == {"pin"}
    assert {row.choice_reason for row in fresh[0].terms} == {""}


def test_before_a_choice_does_not_stand_what_was_only_tried(coffee):
    store = runs.open_store()
    run = runs.load(store, coffee)
    best, last = run.state.best[0], run.state.last
    tried = next(fit for system in last.fits for fit in system.equations if set(fit.terms) != set(best.fit.terms))
    done = replace(last, attempt=(tried,))
    run = replace(run, entries=(*run.entries[:-1], done), state=replace(run.state, last=done))
    (shown,) = panels(run)
    assert shown.tried
    word = chosen(run, fan(run, identifiability(run)).paths[1])
    entries = (*run.entries, word)
    (panel,) = panels(replace(run, entries=entries, state=replay(entries)))
    assert panel.awaited
    assert panel.tried == shown.latex != shown.tried


def test_the_law_stays_in_the_picture_and_what_runs_away_leaves_it(coffee):
    run = runs.load(runs.open_store(), coffee)
    found = fan(run, identifiability(run))
    best, other, *rest = found.paths
    top, height = float(np.max(found.data)), float(np.ptp(found.data))
    high, far = best.apart * 0.0 + top + 1.5 * height, other.apart * 0.0 + top + 40.0 * height
    moved = replace(found, paths=(replace(best, apart=high), replace(other, apart=far), *rest))
    low, most = ahead.fan(moved, run.state.problem.dataset).layout.yaxis.range
    assert low < np.min(found.data)
    assert top + 1.5 * height < most < top + 3.0 * height
