"""A room's screen: law and chart together, large, kept over pages and reloads."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dolq_core import lessons, runs
from dolq_core.bundled import load_bundled
from dolq_core.records import Intervention, Override, Settings, TermKey
from dolq_core.views.equations import panels
from dolq_core.views.history import before_last_word
from dolq_core.views.trajectories import Curve
from pages.ui import charts, compared, formulas, presenting
from tests import stored
from tests.app.scenes import app, press, read, shown
from tests.app.test_lessons import answered, computed, standing
from tests.loop.states import logistic_problem

LOW = 157
"""Pixels that two panels have beside laws, text and a question: the lesson on two laws at 1280 by 720."""


def least(figure: go.Figure) -> list[int]:
    """The sizes of letters that a figure names."""
    found: list[int] = []

    def look(part: object) -> None:
        if isinstance(part, dict):
            if isinstance(part.get("font"), dict) and "size" in part["font"]:
                found.append(part["font"]["size"])
            if isinstance(part.get("tickfont"), dict):
                found.append(part["tickfont"]["size"])
            for value in part.values():
                look(value)
        if isinstance(part, (list, tuple)):
            for value in part:
                look(value)

    look(figure.to_dict()["layout"])
    return found


@pytest.fixture
def run() -> runs.Run:
    """Coffee after an iteration, a word against its constant, and an iteration more."""
    store = runs.open_store()
    begun = runs.start(store, load_bundled("coffee"), Settings(iterations=3), name="Cups")
    state = runs.step_once(store, begun).state
    best = state.best[0]
    assert best is not None
    constant = next(term.skeleton for term in best.fit.terms if term.skeleton == "1")
    runs.intervene(store, begun, Intervention(overrides=(Override(TermKey(0, constant), "remove", "No heater"),)))
    return runs.step_once(store, begun)


def test_no_letter_of_a_chart_is_below_the_least_and_the_chart_at_the_desk_stays_as_it_was():
    dataset = load_bundled("lynx-hare").dataset
    figure = charts.preview(dataset.trajectories, dataset.states, dataset.time, [None])
    before = figure.to_json()
    sizes = least(presenting.enlarged(figure))
    assert len(sizes) > 5
    assert min(sizes) == presenting.LEAST
    assert figure.to_json() == before


def test_a_line_that_is_not_drawn_is_not_in_the_key():
    t, x = np.linspace(0.0, 1.0, 5), np.zeros((5, 1))
    blown = Curve("", t, x, t, np.full((5, 1), np.nan), (None,), "The simulation blew up.")
    assert charts.key([blown]) == "○ data"
    assert charts.key([replace(blown, model=x)]) == "○ data · :blue[— model]"
    assert compared.key([blown], ("law", "tried now")) == "○ data · :orange[- - tried now]"


def test_a_verdict_that_is_not_settled_says_why_in_a_room():
    run = stored.fitted(logistic_problem(60), [["1"]])
    at = app("discover")
    at.query_params.update({"run": run.id, "present": "1"})
    at.run()
    (panel,) = panels(run)
    assert panel.status != "settled"
    assert panel.status_reason in read(at)


def test_what_stands_above_a_panel_takes_one_line_and_the_panels_make_room_for_it():
    dataset = load_bundled("lynx-hare").dataset
    (run,) = dataset.trajectories
    curve = Curve("", run.t, run.x, run.t, run.x, nmse=(0.1, 0.2))
    figure = compared.compared([curve], [curve], ("first", "best"), dataset.states, dataset.time)
    large = presenting.enlarged(figure).layout
    gap = large.yaxis.domain[0] - large.yaxis2.domain[1]
    assert gap == pytest.approx(presenting.HEADING)
    assert gap * LOW >= 1.3 * presenting.LEAST, "a line of letters touches no curve of the panel above it"
    assert [one.text for one in large.annotations] == [
        "hare_thousands", "lynx_thousands", "first NMSE 0.10", "first NMSE 0.20",
    ]  # fmt: skip
    assert len({one.yshift for one in large.annotations}) == 1
    assert large.margin.t < figure.layout.margin.t * presenting.TIGHTER


def test_a_lesson_is_walked_on_a_rooms_screen():
    one = next(one for one in lessons.bundled() if one.id == "lynx-hare")
    at = app("lessons")
    at.query_params["present"] = "1"
    at.run()
    at.button(key=f"open_{one.id}").click().run()
    for step in one.lesson.steps:
        assert at.get("plotly_chart")  # the data, where the step has no picture of its own yet
        if step.act is not None:
            at = computed(press(at, step.act.button))
        now = standing()
        at = answered(at, now) if now.asked else at
        assert not at.exception
        assert at.get("plotly_chart")
        assert at.button(key="leave_presenting")
        if step is not one.lesson.steps[-1]:
            at = at.button(key="lesson.next").click().run()
    assert "of 5 right" in shown(at)


def test_the_mode_outlives_pages_and_ends_with_leave(run):
    at = app("discover")
    at.query_params["run"] = run.id
    at.run()
    press(at, "Present")
    assert at.query_params["present"] in ("1", ["1"])
    at.switch_page("pages/equations/page.py").run()
    assert not at.exception
    assert at.query_params["present"] in ("1", ["1"])
    assert at.button(key="room.other").label == "Discover"
    press(at, "Leave")
    assert "present" not in at.query_params
    assert "A closer look" in read(at)


def test_the_law_before_a_word_is_laid_over_the_law_after_it(run):
    before = before_last_word(run)
    assert before is not None
    assert (before.state.iteration, run.state.iteration) == (1, 2)
    at = app("discover")
    at.query_params.update({"run": run.id, "present": "1"})
    at.run()
    at.segmented_control(key="room.chart").set_value("word").run()
    assert not at.exception
    assert "The law before and after it" in read(at)


def test_a_law_that_runs_away_leaves_the_data_to_be_seen():
    dataset = load_bundled("yeast").dataset
    (trajectory,) = dataset.trajectories
    runaway = np.exp(trajectory.t)[:, None]
    curve = Curve("", trajectory.t, trajectory.x, trajectory.t, runaway)
    figure = charts.trajectories([curve], dataset.states, dataset.time)
    low, high = figure.layout.yaxis.range
    assert low < trajectory.x.min() < trajectory.x.max() < high < 2 * trajectory.x.max()
    calm = charts.trajectories([Curve("", trajectory.t, trajectory.x, trajectory.t, trajectory.x)], dataset.states,
                               dataset.time)  # fmt: skip
    assert calm.layout.yaxis.range is None


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"0.035 \frac{1}{x_{0}^{2}}", r"0.035/x_{0}^{2}"),
        (r"0.035\,\frac{1}{x_{0}^{2}}", r"0.035/x_{0}^{2}"),
        (r"-0.98 \frac{\cos\left(x_{1}\right)}{x_{0}}", r"-0.98 \cos\left(x_{1}\right)/x_{0}"),
        (r"0.6\,\frac{\text{a b}}{y}", r"0.6\,\text{a b}/y"),
        (r"\frac{x_{0} x_{1}}{p_{1} + x_{0}}", r"x_{0} x_{1}/\left(p_{1} + x_{0}\right)"),
        (r"\tfrac{\mathrm{d}}{\mathrm{d}t}\,y = \frac{1}{x y}", r"\mathrm{d}/\mathrm{d}t\,y = 1/\left(x y\right)"),
    ],
)
def test_a_fraction_stands_in_the_line_and_says_the_same(latex, said):
    assert presenting.in_a_line(latex) == said


LONG = r"\text{algae density}"


@pytest.mark.parametrize(
    ("latex", "small", "said"),
    [
        (r"\dot{x} = - 2\,x", False, r"\dot{x} = - 2\,x"),
        (
            rf"\dot{{x}} = 2\,\frac{{{LONG}\,x}}{{3 - 4\,x + {LONG}}}", False,
            rf"\dot{{x}} =2\,{LONG}\,\allowbreak x\allowbreak /(3 \allowbreak -\nobreak 4\,x "
            rf"\allowbreak +\nobreak {LONG})",
        ),
        (r"\dot{x} = \frac{1}{x}", True, r"\dot{x} = 1/x"),
        (r"\dot{x} = x_{1}^{2}", True, r"\dot{x} = x_{\textstyle 1}^{\textstyle 2}"),
    ],
)  # fmt: skip
def test_a_law_in_a_room_breaks_within_a_wide_fraction_and_in_smaller_type_has_no_small_letters(latex, small, said):
    assert formulas.room(latex, small=small) == rf"$\displaystyle {said}$"


def test_the_best_of_what_is_no_law_is_not_written_as_one(run):
    (panel,) = panels(run)
    assert formulas.best(replace(panel, status="none")) == panel.latex.replace("=", r"\approx")
    assert formulas.best(panel) == panel.latex


def test_a_name_that_would_run_into_its_error_has_a_line_of_its_own():
    def rows(name: str) -> int:
        dataset = load_bundled(name).dataset
        curves = [Curve("", run.t, run.x, run.t, run.x, (0.1,) * run.x.shape[1]) for run in dataset.trajectories]
        drawn = charts.trajectories(curves, dataset.states, dataset.time).layout.annotations
        return len({(said.yref, said.yshift) for said in drawn if "NMSE" in said.text or said.xanchor == "left"})

    assert (rows("yeast"), rows("lynx-hare")) == (1, 4)
