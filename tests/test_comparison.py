"""Two runs beside each other: where they part, what differs, and what the numbers say of a word."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.records import Blocks, Intervention, Settings, TermKey, TermNote
from dolq_core.store.memory import MemoryStore
from dolq_core.views.comparison import compare, effect, kin
from dolq_core.views.summary import Summary
from tests.app.scenes import scripted
from tests.every import none
from tests.loop.states import logistic_problem
from tests.store.examples import iteration

SQUARE = TermKey(0, "x**2")
BAN = Intervention(ban=(TermNote(SQUARE, "no"),))
EVEN = Summary("settled 1 of 1", True, 3, 0.01, None, None)


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def spoken(store):
    """A run with one iteration, a ban of a term that the law needs, and one more iteration."""
    run = runs.start(store, logistic_problem(60), Settings(forget_probability=0.0), name="Spoken")
    scripted(store, run)
    runs.intervene(store, run, BAN)
    return scripted(store, run)


def forked(store, run, iterations=1):
    new = runs.fork(store, run.id, 2, "Silent")
    for _ in range(iterations):
        scripted(store, new)
    return runs.load(store, new)


def test_a_fork_parts_at_the_word_and_both_sides_say_how_they_go_on(store, spoken):
    found = compare(forked(store, spoken), spoken)
    assert found.common == 2
    assert (found.here.label, found.there.label) == ("without it", "with it")
    assert (found.here.then, found.there.then) == ("iteration 2", "your word (ban x**2)")
    assert (found.here.interventions, found.there.interventions) == (0, 1)


def test_banning_what_the_law_needs_is_said_to_have_hurt(store, spoken):
    told = compare(spoken, forked(store, spoken)).effect
    assert told is not None
    assert (told.verdict, told.is_here, told.since, told.others) == ("hurt", True, (1, 1), 0)


def test_a_fork_that_is_settled_need_not_go_on(store, spoken):
    told = compare(forked(store, spoken, iterations=0), spoken).effect
    assert told is not None
    assert (told.verdict, told.since, told.is_here) == ("hurt", (1, 0), False)


def test_before_the_run_with_the_word_has_gone_on_there_is_no_answer(store):
    run = runs.start(store, logistic_problem(60), Settings(forget_probability=0.0))
    scripted(store, run)
    spoken = runs.intervene(store, run, BAN)
    told = compare(forked(store, spoken), spoken).effect
    assert told is not None
    assert (told.verdict, told.since, told.is_here) == ("early", (0, 1), False)


def test_a_word_that_changes_nothing_is_said_to_make_no_difference(store):
    run = runs.start(store, logistic_problem(60), Settings(forget_probability=0.0))
    scripted(store, run)
    silent = forked(store, runs.load(store, run))
    runs.intervene(store, run, Intervention(remark="hm"))
    found = compare(scripted(store, run), silent)
    assert found.effect is not None
    assert found.effect.verdict == "same"
    assert none(pair.only_here or pair.only_there for pair in found.equations)


def test_runs_that_do_not_part_at_a_word_get_no_answer(store, spoken):
    shorter = runs.load(store, runs.fork(store, spoken.id, 3))
    assert compare(spoken, shorter).effect is None
    assert compare(spoken, shorter).there.then == "nothing more"


def test_terms_of_one_side_alone_are_named(store, spoken):
    (pair,) = compare(spoken, forked(store, spoken)).equations
    assert "x^{2}" in pair.only_there
    assert "x^{2}" not in pair.only_here
    assert pair.here.startswith(r"\dot{x} \approx ")


def test_only_settings_that_differ_are_told(store):
    one = runs.load(store, runs.start(store, logistic_problem(60)))
    other = runs.load(store, runs.start(store, logistic_problem(60), Settings(patience=7), seed=3))
    found = compare(one, other)
    assert [(d.name, d.here, d.there) for d in found.settings] == [("seed", 0, 3), ("patience", 3, 7)]
    assert found.common == 0
    assert found.here.then == "a start of its own"


def test_descriptions_are_cut_into_what_both_say_and_what_one_says(store):
    one, other = (
        runs.load(store, runs.start(store, logistic_problem(60, text)))
        for text in ("It grows fast.", "It grows slowly.")
    )
    pieces = compare(one, other).words
    assert [(piece.mark, piece.text) for piece in pieces] == [
        ("same", "It grows"),
        ("removed", "fast."),
        ("added", "slowly."),
    ]
    assert compare(one, one).words == ()


def test_other_samples_under_one_name_are_told(store):
    one, other = (runs.load(store, runs.start(store, logistic_problem(n))) for n in (60, 70))
    assert [d.name for d in compare(one, other).settings] == ["data"]


def test_the_same_samples_under_other_names_are_compared_by_place(store):
    given = logistic_problem(60)
    (x,) = given.dataset.states
    called = replace(given, dataset=replace(given.dataset, states=(replace(x, name="x (g/L)", unit="g/L"),)))
    one, other = (scripted(store, runs.start(store, problem)) for problem in (given, called))
    found = compare(one, other)
    assert [(d.name, d.here, d.there) for d in found.settings] == [("columns", "x", "x (g/L), g/L")]
    (pair,) = found.equations
    assert pair.here == pair.there
    assert (pair.only_here, pair.only_there) == ((), ())


def test_what_laws_may_be_made_of_is_told_where_it_differs(store):
    given = logistic_problem(60)
    one, other = (runs.load(store, runs.start(store, p)) for p in (given, replace(given, blocks=Blocks(degree=2))))
    assert [(d.name, d.here, d.there) for d in compare(one, other).settings] == [
        ("blocks", "everything", "Degree of a term: at most 2.")
    ]


def test_no_difference_at_the_start_is_kept_silent(store):
    given = logistic_problem(60)
    moved = replace(given, dataset=replace(given.dataset, source="another file"))
    one, other = (runs.load(store, runs.start(store, problem)) for problem in (given, moved))
    assert compare(one, other).common == 0
    assert [d.there for d in compare(one, other).settings] == ["read in another way"]


def test_the_curves_of_both_are_told_apart(store, spoken):
    found = compare(spoken, forked(store, spoken))
    assert found.labels == ("x, with it", "x, without it")
    assert {(point.equation, point.iteration) for point in found.points} == {(0, 1), (0, 2), (1, 1), (1, 2)}


def test_a_side_is_settled_since_the_first_of_its_last_settled_iterations(store):
    run = runs.start(store, logistic_problem())
    assert compare(runs.load(store, run), runs.load(store, run)).here.settled_after is None
    runs.step_once(store, run)
    done = runs.step_once(store, run)
    assert compare(done, done).here.settled_after == 1


@pytest.mark.parametrize(
    ("by_word", "alike", "verdict"),
    [
        ({"error": 0.005}, False, "helped"),
        ({"error": 0.02}, True, "hurt"),
        ({"error": None}, False, "hurt"),
        ({"error": 0.0102}, True, "same"),
        ({"error": 0.0102, "terms": 2}, False, "simpler"),
        ({"error": 0.0102, "terms": 4}, False, "larger"),
        ({"error": 0.0102}, False, "open"),
    ],
)
def test_the_verdict_follows_the_numbers(by_word, alike, verdict):
    rest = (BAN, iteration(2))
    told = effect((rest, replace(EVEN, **by_word)), ((iteration(2),), EVEN), is_here=True, alike=alike)
    assert (told.verdict, told.held_out) == (verdict, False)


def test_errors_that_nobody_can_see_are_not_told_apart():
    one, other = (replace(EVEN, error=error) for error in (1e-9, 1e-7))
    assert effect(((BAN, iteration(2)), one), ((iteration(2),), other), is_here=True, alike=True).verdict == "same"


def test_held_out_data_decide_and_a_contradiction_is_told():
    one, other = replace(EVEN, held_out=0.01), replace(EVEN, error=0.002, held_out=0.05)
    told = effect(((BAN, iteration(2)), one), ((iteration(2), BAN), other), is_here=True, alike=False)
    assert (told.verdict, told.held_out, told.turned, told.others) == ("helped", True, True, 1)


def test_the_run_that_a_fork_came_from_is_found_first(store, spoken):
    unlike = runs.start(store, logistic_problem(60), seed=9)
    fork = forked(store, spoken)
    late = runs.fork(store, fork.id, 3, "Late")
    assert [(one.id, one.common) for one in kin(store, fork)] == [(late, 3), (spoken.id, 2)]
    assert unlike not in {one.id for one in kin(store, fork)}


def test_kin_that_goes_on_together_is_counted_again(store):
    run = runs.start(store, logistic_problem(60))
    twin = runs.fork(store, run, 1)
    assert [one.common for one in kin(store, runs.load(store, run))] == [1]
    said = Intervention(remark="hm")
    for one in (run, twin):
        runs.intervene(store, one, said)
    assert [one.common for one in kin(store, runs.load(store, run))] == [2]


def test_a_word_that_was_taken_back_parts_nothing(store, spoken):
    fork = runs.fork(store, spoken.id, 2)
    runs.take_back(store, spoken.id)
    assert compare(runs.take_back(store, spoken.id), runs.load(store, fork)).effect is None
    assert compare(runs.load(store, spoken.id), runs.load(store, fork)).common == 2
