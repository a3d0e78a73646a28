"""Taking back the last entry on the History page, and what History says of a person's wider words."""

import pytest

from dolq_core import runs
from dolq_core.errors import StoreError
from dolq_core.records import EquationNote, FamilyKey, FamilyNote, Intervention, TermKey, TermNote, VariableNote
from dolq_core.runs import running
from tests.app.scenes import app, disputed, press, read

SQUARE = TermKey(0, "x**2")


def test_the_last_entry_is_taken_back_and_stays_on_record():
    run = disputed()
    store = runs.open_store()
    runs.intervene(store, run, Intervention(ban=(TermNote(SQUARE, "no"),)))
    at = app("history", run)
    assert [button.label for button in at.button].count("Take it back") == 1
    press(at, "Take it back")
    now = runs.load(store, run)
    assert now.state.bans[SQUARE].by == "scientist"
    assert len(now.entries) == 4
    assert "Taken back later" in read(at)
    press(at, "Take it back")
    assert runs.load(store, run).state.iteration == 0
    assert "Take it back" not in [button.label for button in at.button]
    assert {info.id: info.iterations for info in runs.list_runs(store)}[run] == 0
    with pytest.raises(StoreError, match="nothing but its start"):
        runs.take_back(store, run)


def test_a_run_that_is_loaded_anew_stands_where_the_one_in_memory_stands():
    run = disputed(2)
    store = runs.open_store()
    runs.load(store, run)
    runs.take_back(store, run)
    known = runs.load(store, run).state
    running._known.clear()  # as after a restart
    assert runs.load(store, run).state == known
    assert known.iteration == 1


def test_history_tells_of_kinds_equations_and_columns():
    run = disputed()
    said = Intervention(
        equations=(EquationNote(0, ("x", "x**3"), "Cubic"),),
        ban_families=(FamilyNote(FamilyKey(0, "ratio", "x"), "No fractions"),),
        unban_families=(FamilyKey(0, "root"),),
        variables=(VariableNote("x", "g", "mass"),),
        insight="It is crowded.",
    )
    runs.intervene(runs.open_store(), run, said)
    told = read(app("history", run))
    assert "Proposed the equation dx/dt = c1*x + c2*x**3 · Cubic" in told
    assert "Banned ratios with x in dx/dt · No fractions" in told
    assert "Lifted the ban of roots and broken powers in dx/dt" in told
    assert "Said of the column x: in g, mass" in told
    assert "Insight, corrected" in told


@pytest.mark.parametrize("page", ["discover", "equations"])
def test_a_word_is_taken_back_on_the_page_where_it_was_given(page):
    run = disputed()
    store = runs.open_store()
    assert "Undo" not in [button.label for button in app(page, run).button]
    runs.intervene(store, run, Intervention(ban=(TermNote(TermKey(0, "sin(x)"), "no"),)))
    at = app(page, run)
    assert "You: ban sin(x)." in read(at)
    press(at, "Undo")
    assert TermKey(0, "sin(x)") not in runs.load(store, run).state.bans
    assert "Undo" not in [button.label for button in at.button]
