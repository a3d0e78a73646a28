"""Equations: a structure of the front that is chosen stands beside the best one, and can be proposed."""

from dolq_core import runs
from dolq_core.records import Intervention, TermKey, TermNote
from tests.app.scenes import alts, app, press, read, two_attempts


def chosen(at, run: str, *terms: str):
    return at.selectbox(key=f"structure·{run}·0").set_value((0, tuple(sorted(terms)))).run()


def test_a_structure_chosen_in_the_list_is_shown_with_its_errors_its_price_and_its_simulation():
    run = two_attempts(["x", "x**2"], ["x", "sin(x)"]).id
    at = chosen(app("equations", run), run, "x", "sin(x)")
    assert not at.exception
    said = read(at).split("**Instead.**")[1]
    assert "where fitted" in said
    assert "It has sin(x) in place of x**2." in said
    assert any("the system with this equation for x (solid) and the law (dashed)" in alt for alt in alts(at))


def test_it_is_proposed_as_a_whole_with_one_click_and_that_is_said():
    run = two_attempts(["x", "x**2"], ["x"]).id
    at = press(chosen(app("equations", run), run, "x"), "Try it in the next iteration")
    state = runs.load(runs.open_store(), run)
    assert isinstance(state.entries[-1], Intervention)
    assert [(note.equation, note.skeletons) for note in state.state.equations] == [(0, ("x",))]
    assert "The next iteration tries this equation." in read(at)
    assert "Try it in the next iteration" not in [button.label for button in at.button]


def test_that_it_lifts_a_ban_is_said_before():
    run = two_attempts(["x", "x**2"], ["x", "sin(x)"]).id
    runs.intervene(runs.open_store(), run, Intervention(ban=(TermNote(TermKey(0, "sin(x)")),)))
    at = chosen(app("equations", run), run, "x", "sin(x)")
    assert "sin(x): banned; this lifts the ban." in read(at)


def test_nothing_stands_below_the_front_before_a_structure_is_chosen():
    assert "**Instead.**" not in read(app("equations", two_attempts(["x", "x**2"], ["x"]).id))
