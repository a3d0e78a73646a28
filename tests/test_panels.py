"""What a person sees of a state: the plane of two states, and what was decided on every term."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import generate
from dolq_core.records import FittedTerm, Intervention, Override, Settings, TermKey, TermNote, Visited
from dolq_core.store.memory import MemoryStore
from dolq_core.views import history, trial
from dolq_core.views.amounts import of_spread
from dolq_core.views.equations import panels
from dolq_core.views.numbers import numbers
from dolq_core.views.phase import field
from dolq_core.views.terms import read_key
from dolq_core.views.trajectories import curves, worst
from dolq_core.views.trial import what_if
from pages.ui.goodness import answer
from tests.agents.problems import simulated
from tests.app.scenes import disputed
from tests.loop.states import logistic_problem
from tests.stored import fitted, found, scripted
from tests.test_residuals import POOR, RIGHT, noisy


@pytest.fixture
def glider() -> runs.Run:
    return found(generate(2, points=200), steps=1)


def test_the_field_is_the_law_that_was_found(glider):
    found = field(glider, (0.5, 0.0), (5.0, 7.0), 12)
    assert found is not None
    x, y = np.meshgrid(found.x, found.y)
    assert np.allclose(found.dx, -np.sin(y) - 0.2 * x**2, atol=0.02)
    assert np.allclose(found.dy, x - np.cos(y) / x, atol=0.02)


def test_a_field_with_a_pole_is_not_finite_there_and_nowhere_else(glider):
    found = field(glider, (0.0, 0.0), (5.0, 7.0), 12)
    assert found is not None
    assert not np.isfinite(found.dy[:, 0]).any()
    assert np.isfinite(found.dy[:, 1:]).all()


def test_one_state_alone_has_no_plane():
    assert field(runs.load(runs.open_store(), disputed()), (0.0, 0.0), (1.0, 1.0), 5) is None


def test_a_track_holds_the_persons_word_where_there_is_one():
    run, store = disputed(2), runs.open_store()
    said = Intervention(
        overrides=(Override(TermKey(0, "x**2"), "hold"),),
        ban=(TermNote(TermKey(0, "sin(x)")),),
        propose=(TermNote(TermKey(0, "x**3")),),
    )
    tracks = {track.text: track for track in history.tracks(runs.intervene(store, run, said))}
    assert list(tracks)[0] == "x"
    assert (tracks["x"].kept, tracks["x"].yours) == (1.0, frozenset())
    assert (tracks["x**2"].choices[2], tracks["x**2"].yours) == ("hold", {2})
    assert (tracks["sin(x)"].choices, tracks["sin(x)"].kept) == ({2: "remove"}, 0.0)
    assert "x**3" not in tracks


def test_a_track_is_named_as_its_column_is():
    given = logistic_problem(60)
    named = replace(given.dataset, states=(replace(given.dataset.states[0], name="algae density"),))
    (track,) = history.tracks(scripted(replace(given, dataset=named), [[["x"]]]))
    assert (track.text, track.label) == ("algae density", "algae density")


def tried(run, text, equation=0):
    return what_if(run, read_key(run.state, equation, text))


def test_a_term_that_the_law_lacks_is_worth_its_place_and_changes_nothing_yet():
    store = runs.open_store()
    run = runs.start(store, logistic_problem(60))
    found = tried(runs.load(store, run), "x*(1 - x)")
    assert found.worth
    assert found.share is not None
    assert found.share < 0.01
    assert "It leaves under 1 % of" in found.words
    assert found.words.endswith("Worth a term.")
    assert len(runs.load(store, run).entries) == 1


def test_terms_that_wait_together_are_tried_together():
    run = runs.load(runs.open_store(), runs.start(runs.open_store(), logistic_problem(60)))
    alone = tried(run, "x")
    both = what_if(run, TermKey(0, "x"), (TermKey(0, "x**2"), TermKey(0, "x")))
    assert alone.share > 0.1
    assert both.share < 0.01
    assert both.words.startswith("Tried with x**2.")


def test_a_true_term_takes_the_place_of_one_that_stood_in_for_it():
    store = runs.open_store()
    run = runs.load(store, runs.start(store, logistic_problem(60)))
    stand_in = Visited(runs.workbench(run).fit(0, ["x", "x**3", "sin(x)"]), 0)
    run = replace(run, state=replace(run.state, best=(stand_in,)))
    found = tried(run, "x**2")
    assert {term.skeleton for term in found.fit.terms} == {"x", "x**2"}
    assert found.worth
    assert found.words.startswith("x**3, sin(x) are no longer needed beside it.")


def test_a_trial_is_judged_by_what_the_whole_system_gains():
    back = tried(fitted(noisy(), POOR), "x**2")
    assert back.worth
    assert "nats better, net of the cost of terms." in back.words or "Only with it" in back.words
    odd = tried(fitted(noisy(), RIGHT), "sin(x)")
    assert not odd.worth


@pytest.fixture(scope="module")
def pendulum() -> runs.Run:
    """A driven pendulum with friction, 1 % of noise, of which the law has the weight alone."""
    given = simulated(
        lambda t, x: [x[1], -np.sin(x[0]) - 0.2 * x[1] + 0.5 * np.cos(2 * t / 3)], [0.5, 0.0], 60.0, points=600
    )
    (clean,) = given.dataset.trajectories
    noisy_x = clean.x + 0.01 * clean.x.std(axis=0) * np.random.default_rng(3).normal(size=clean.x.shape)
    dataset = replace(given.dataset, trajectories=(replace(clean, x=frozen(noisy_x)),))
    store = MemoryStore()
    run = runs.load(store, runs.start(store, replace(given, dataset=dataset)))
    bench = runs.workbench(run)
    best = (Visited(bench.fit(0, ["x1"]), 0), Visited(bench.fit(1, ["sin(x0)"]), 0))
    return replace(run, state=replace(run.state, best=best))


@pytest.mark.parametrize(("text", "worth"), [("x1", True), ("cos(C*t)", True), ("x0", False), ("x0^3", False)])
def test_of_a_law_that_lacks_two_terms_each_true_one_is_worth_it_alone_and_no_other(pendulum, text, worth):
    assert tried(pendulum, text, equation=1).worth is worth


def test_both_in_company_are_the_law(pendulum):
    drive = read_key(pendulum.state, 1, "cos(C*t)")
    both = what_if(pendulum, read_key(pendulum.state, 1, "x1"), (drive,))
    assert both.words.startswith("Tried with cos(p1*t).")
    assert "0.66671 t" in both.latex
    assert both.share < 0.01


def test_a_clean_trial_is_judged_by_how_the_system_simulates(glider):
    run = replace(glider, state=replace(glider.state, best=(glider.state.best[0], _lacking(glider))))
    back = tried(run, "x0", equation=1)
    assert back.worth
    assert "the system" in back.words
    assert "of the spread" in back.words


def test_before_a_trial_the_system_is_off_by_what_answers_whether_it_fits():
    """Three runs, one held out, of which one is followed less well than all together."""
    run = fitted(noisy(points=28, several=3), POOR, Settings(held_out_runs=("run 3",)))
    (error,) = worst(curves(run), 1)
    assert answer([error], run.state.problem.dataset.states, ()).endswith(f"off by {of_spread(error)} of the spread.")
    assert f", before {of_spread(error)}." in tried(run, "x**2").words


def _lacking(run):
    """The second equation of the glider without its term x0."""
    return Visited(runs.workbench(run).fit(1, ["cos(x1)/x0"]), 0)


def test_a_term_that_the_law_does_not_need_is_said_to_cost_more_than_it_gains(glider):
    found = tried(glider, "x1**2")
    assert not found.worth
    assert found.words.endswith("Not worth a term.")


def test_a_term_that_stands_already_and_one_that_cannot_be_fitted_say_so(glider):
    assert tried(glider, "sin(x1)").words == "Already in the best equation."
    assert tried(glider, "sin(x1)").latex == panels(glider)[0].latex
    pole = tried(glider, f"1/(x0 - {float(glider.state.problem.dataset.trajectories[0].x[7, 0])!r})")
    assert pole.words.startswith("It cannot be fitted: ")
    assert pole.latex == ""


def test_a_number_inside_a_term_has_a_row_of_its_own():
    run = found(logistic_problem(60), steps=1)
    inner = FittedTerm("x/(params[0] + x)", 2.0, 0.1, inner=(0.5,), inner_errors=(0.02,))
    fit = replace(run.state.best[0].fit, terms=(inner,))
    run = replace(run, state=replace(run.state, best=(Visited(fit, 1),)))
    outer, inside = numbers(run)
    assert (outer.value, outer.inner) == (2.0, None)
    assert (inside.value, inside.std_error, inside.inner) == (0.5, 0.02, 0)
    assert inside.text == "p1 in x/(p1 + x)"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.001, "It leaves under 1 % of"), (0.36, "It leaves 36 % of"), (1.17, "the rate is 117 % of what it was.")],
)
def test_a_larger_error_is_not_told_as_one_that_is_left(share, said):
    assert said in trial._error(share)
