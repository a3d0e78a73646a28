"""What the charts of a run answer: best and current attempt, planes of choice, the line of one state."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from dolq_core import runs
from dolq_core.bundled import generate
from dolq_core.errors import THIN
from dolq_core.jobs import Seen
from dolq_core.records import ModelCall, Pause, Settings, Variable
from dolq_core.views import trajectories
from dolq_core.views.history import Point
from dolq_core.views.phase import Field, PhaseLine
from dolq_core.views.system import MISSING
from dolq_core.views.trajectories import Curve
from pages.discover.live import _terms
from pages.ui import charts, compared, front, goodness, layout, phase, words
from pages.ui.colours import colours
from pages.ui.convergence import convergence
from tests.agents.problems import noise
from tests.app.scenes import alts, app, disputed, read, two_attempts
from tests.every import every
from tests.loop.states import logistic_problem
from tests.stored import found, scripted


def chart(at, start: str) -> str:
    (found,) = [alt for alt in alts(at) if alt.startswith(start)]
    return found


def test_an_attempt_that_is_another_than_the_best_is_drawn_and_told_beside_it():
    run = two_attempts(["x", "x**2"], ["x"]).id
    at = app("discover", run)
    assert "**Does it fit?** Yes: off by under 1 % of the spread." in read(at)
    assert "Tried now: not yet, " in read(at)
    assert "— law] · :orange[- - tried now]" in read(at)
    alt = chart(at, "Measured data, law (solid) and tried now (dashed)")
    assert "Normalised squared error: law x " in alt
    assert "; tried now x " in alt
    assert "**Tried now**, not better: " in read(at)


def test_a_name_stands_above_the_errors_where_both_would_not_stand_in_a_line():
    """Of what is tried now and of what is held out, errors are as long as a panel is wide."""
    run = two_attempts(["x", "x**2"], ["x"])
    drawn, tried = trajectories.curves(run), trajectories.attempted(run)
    states, time = run.state.problem.dataset.states, run.state.problem.dataset.time
    held = [replace(curve, held_out_nmse=(1e-4,)) for curve in drawn]
    for figure in (
        compared.compared(drawn, tried, ("law", "tried now"), states, time),
        charts.trajectories([*held, replace(held[0], held_from=7.0)], states, time),
    ):
        (name,) = [one for one in figure.layout.annotations if one.text == "x"]
        (error,) = [one for one in figure.layout.annotations if "NMSE" in one.text]
        assert name.yshift - error.yshift >= 15
    (alone,) = [one for one in charts.trajectories(drawn, states, time).layout.annotations if one.text == "x"]
    assert alone.yshift == 3


def test_the_equations_page_speaks_of_the_best_alone():
    at = app("equations", two_attempts(["x", "x**2"], ["x"]).id)
    assert "Tried now" not in read(at)
    assert chart(at, "Measured data and the best model")


def test_an_attempt_that_is_the_best_is_not_told_twice():
    at = app("discover", two_attempts(["x", "x**2"], ["x**2", "x"]).id)
    assert "Tried now" not in read(at)
    assert chart(at, "Measured data and the best model")


def test_an_attempt_that_cannot_be_simulated_says_so_and_the_best_is_drawn():
    at = app("discover", two_attempts(["x", "x**2"], ["log(-exp(params[0]*x))"]).id)
    assert not at.exception
    assert "What was tried now cannot be simulated: None of its equations for dx/dt" in read(at)
    assert chart(at, "Measured data and the best model")


def test_a_state_that_never_rests_says_so():
    moving = PhaseLine(np.linspace(0.0, 1.0, 5), np.ones(5), 0.0, 1.0, ())
    assert phase.rests(moving, Variable("c", "c")) == "No equilibrium of c near these data."


def test_where_there_is_no_law_no_rate_of_zero_is_drawn():
    """Of pure noise it was said that its rate is zero everywhere, and that it rests at any value."""
    store = runs.open_store()
    run = runs.auto(store, runs.start(store, noise(60, 1, 3)))
    assert run.state.iteration
    at = app("discover", run.id)
    assert "No law" in read(at)
    assert "Rate over state" not in read(at)


def test_the_line_of_one_state_says_where_it_rests():
    at = app("discover", disputed())
    assert "**Rate over state.** Equilibria of x: 0 (unstable), 1.00 (stable)." in read(at)
    assert "Equilibria: 0 (unstable), 1.00 (stable)." in chart(at, "Rate of change of x over x, from 0")


@pytest.fixture
def four_states() -> str:
    return found(generate(8, points=200), runs.open_store(), steps=1).id


def test_of_more_than_two_states_any_pair_is_drawn_with_data_model_and_start(four_states):
    at = app("discover", four_states)
    assert "in the plane of x0 and x1. The run starts at (10.0, \N{MINUS SIGN}0.100)" in chart(at, "Data and the")
    at.selectbox(key="phase.pair").set_value((2, 3)).run()
    assert not at.exception
    assert "in the plane of x2 and x3. The run starts at (0.00, 100)" in chart(at, "Data and the")


def test_the_chart_of_errors_tells_the_tokens_where_models_take_part():
    store = runs.open_store()
    run = two_attempts(["x"], ["x", "x**2"])
    asked = ModelCall("sampler", "openai", "m", "prompt", "reply", tokens_in=1200, tokens_out=34)
    store.append(run.id, len(run.entries), Pause("no answer", (asked,)))
    store.append(run.id, len(run.entries) + 1, replace(run.entries[-1], number=3))
    at = app("discover", run.id)
    assert not at.exception
    assert chart(at, "Best error of each equation").endswith(f"Tokens used: 1{THIN}234.")


def test_what_fails_in_every_run_is_told_once():
    run = two_attempts(["x"], ["x", "x**2"])
    t, x = np.arange(3.0), np.ones((3, 1))
    first, second = (Curve(label, t, x, t, None, (None,), MISSING) for label in ("flask 1", "flask 2"))
    assert goodness.of_curves(run, [first, second]) == f"Not yet. {words.plain(MISSING)}"
    other = goodness.of_curves(run, [first, replace(second, failure="The simulation blew up.")])
    assert other.replace("\\", "") == f"Not yet. flask 1{words.JOINER}: {MISSING} (1 further run cannot be simulated.)"


def test_no_iteration_is_numbered_that_is_not_there():
    points = [Point(iteration, 0, 1.0 / iteration, None, None) for iteration in range(1, 25)]
    (axis,) = convergence(points, (), ("x",)).select_xaxes()
    assert axis.tickvals == tuple(range(1, 25, 2))


def test_ticks_of_many_decades_do_not_run_into_each_other():
    assert layout.log_ticks([1e-17, 1e-1])["dtick"] == 2
    assert layout.log_ticks([1e-4, 1e-1])["dtick"] == 1


@pytest.mark.parametrize(("way", "side"), [((1, 1), "bottom center"), ((0, -1), "top center"), ((1, 0), "top center")])
def test_a_start_is_named_where_the_run_does_not_go(way, side):
    x = np.linspace(0, 1, 60)[:, None] * np.array(way, dtype=float)
    curve = Curve("", x[:, 0], x, x[:, 0], x)
    figure = phase.projected([curve], [Variable("a", "x0"), Variable("b", "x1")], (0, 1))
    assert [trace.textposition for trace in figure.data if trace.name == "start"] == [side]


def test_a_start_in_a_corner_is_named_above_the_way_that_leaves_it():
    """From the right end of the bottom up to the left: beside it is no room, right above it lies the next point."""
    way = np.linspace(0, 1, 16)[:, None] ** 1.2 * np.array([-1.0, 1.0]) + [1.0, 0.0]
    curve = Curve("", way[:, 0], way, way[:, 0], way)
    figure = go.Figure()
    phase._run(figure, curve, 0, colours())
    (start,) = [trace for trace in figure.data if trace.name == "start"]
    assert (start.textposition, start.text) == ("top center", ("start<br> ",))


def test_holds_are_explained_where_there_is_one():
    held = scripted(logistic_problem(60), [[["x", "x**2"]]], grades={"x**2": "neutral"}, settings=Settings.paper()).id
    assert "1/2" in read(app("discover", held))
    assert "first of two holds" in read(app("discover", held))
    kept = scripted(logistic_problem(60), [[["x", "x**2"]]]).id
    assert "first of two holds" not in read(app("discover", kept))


def test_only_nullclines_that_lie_in_the_picture_are_named():
    x = np.linspace(1.0, 2.0, 5)
    across, along = np.meshgrid(x, x)
    states = (Variable("prey", "x"), Variable("predator", "y"))
    inside, outside = across - 1.5, along + 1.0
    told = lambda dx, dy: phase.nullclines(Field(x, x, dx, dy), states)  # noqa: E731
    assert told(inside, inside) == "Nullclines: dashed prey, dotted predator."
    assert told(outside, inside) == "Nullcline: dotted predator."
    assert told(outside, outside) == "No nullcline crosses it."


def test_names_at_the_ends_of_fronts_do_not_lie_on_each_other():
    lines = {"left angle": [(1, 0.1), (4, 2e-4)], "right angle": [(5, 2.1e-4)], "left speed": [(6, 1.9e-4)]}
    said = front.sizes(lines).layout.annotations
    assert {one.text for one in said} == set(lines)
    assert len({one.x for one in said}) == 1, "behind the longest line"
    pixels = (front.SIZES - 54) / (math.log10(0.1 / 1.9e-4) + 0.4)
    places = sorted(one.y * pixels + one.yshift for one in said)
    assert every(after - before >= layout.LINE - 1e-6 for before, after in pairwise(places))


def test_terms_that_are_tried_stand_by_themselves_so_that_a_line_can_break():
    run = found(generate(8, points=200), runs.open_store(), steps=1)
    shown = _terms(run, Seen(0, ("x0", "x0**2", "1"), 0.1))
    assert shown.count("$") == 6
    assert shown.count("$, $") == 2
    assert _terms(run, Seen(0, (), 0.1)) == "none"


def test_small_numbers_at_an_axis_are_powers_of_ten_and_no_letters():
    figure = layout.blank(colours(), 200, yaxis={"nticks": 5})
    assert {figure.layout.xaxis.exponentformat, figure.layout.yaxis.exponentformat} == {"power"}
