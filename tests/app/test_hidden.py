"""A state that nobody measured is said to be hidden wherever its law stands, and nothing of it is drawn as data."""

import numpy as np
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.agents.builtin.objections import ReviewCase
from dolq_core.agents.builtin.scientist import _not_in_the_table
from dolq_core.cli import main
from dolq_core.fitting import Workbench
from dolq_core.mechanisms import words_of
from dolq_core.records import Problem
from dolq_core.views.diagnostics import residuals
from dolq_core.views.fitness import fitness
from dolq_core.views.goodness import of_curves
from dolq_core.views.numbers import numbers
from dolq_core.views.trajectories import curves
from pages.ui import charts, phase
from tests.app.scenes import alts, app, read, section
from tests.every import none
from tests.stored import scripted
from tests.test_hidden_states import ACTS, problem, sick

KNOWN = "healthy is hidden: never measured, and known only by what it does to infected."
SCALE = "the coefficient of healthy*infected in the equation of infected is set to 1"
ZERO = "a term in infected alone counts as a part of healthy"


def law() -> runs.Run:
    given = runs.with_blocks(problem(sick()), f'hidden = ["{ACTS}"]')
    return scripted(given, [[["healthy*infected"], ["healthy*infected", "infected"]]], name="Epidemic")


def marked(figure) -> list[int]:
    """Return how many traces of samples each panel has."""
    axes = [trace.yaxis or "y" for trace in figure.data if trace.name == "data"]
    return [axes.count(axis) for axis in ("y", "y2")]


def test_a_hidden_state_is_drawn_as_a_line_without_marks_and_without_an_error():
    now = law()
    dataset, found = now.state.problem.dataset, curves(now)
    figure = charts.trajectories(found, dataset.states, dataset.time)
    assert marked(figure) == [1, 0]
    told = [note.text for note in figure.layout.annotations]
    assert told.count("hidden: never measured") == 1
    assert len([text for text in told if text.startswith("NMSE")]) == 1
    assert "healthy hidden: never measured" in charts.trajectories_alt(found, dataset.states, dataset.time)
    assert np.isnan(found[0].seen[:, 1]).all()
    assert np.isfinite(found[0].seen[:, 0]).all()
    low, high = phase.bounds(found)
    assert low[1] <= np.nanmin(found[0].at_data[:, 1])
    assert high[1] >= np.nanmax(found[0].at_data[:, 1])


def test_does_it_fit_is_asked_of_what_was_measured():
    now = law()
    said = of_curves(now, curves(now))
    assert "most in" not in said  # one state was measured
    assert [one.name for one in residuals(now)] == ["infected"]


def test_the_page_says_hidden_at_the_equation_and_what_of_it_is_a_convention():
    now = law()
    said = read(app("equations", now.id))
    assert said.count("gray-badge[hidden]") == 1
    for part in (KNOWN, SCALE, ZERO):
        assert part in said
    assert [one.declared for one in numbers(now)] == ["sets the scale of healthy", "", ""]
    assert KNOWN in CliRunner().invoke(main, ["show", now.id]).output


@pytest.mark.parametrize("tab", ["Residuals", "Forecast", "Move coefficients"])
def test_no_section_compares_a_hidden_state_with_anything(tab):
    now = law()
    at = section(now.id, tab)
    assert not at.exception
    assert none("healthy between" in alt or "Residuals of healthy" in alt for alt in alts(at))


def test_a_state_that_was_measured_is_not_hidden():
    given = problem(np.column_stack((sick()[:, 0], sick()[:, 0])), ("a", "b"))
    assert given.dataset.hidden == ()


def test_where_the_description_says_that_something_was_not_measured_the_hidden_state_is_the_answer():
    said = "How many could fall ill was not counted."
    without = Problem(problem(sick()).dataset, said)
    given = runs.with_blocks(without, f'hidden = ["{ACTS}"]')
    codes = [[one.code for one in fitness(each).checks] for each in (without, given)]
    assert ["hidden" in one for one in codes] == [True, False]
    cases = [ReviewCase(each, Workbench.of(each.dataset), words_of(each), [], 1) for each in (without, given)]
    assert [bool(_not_in_the_table(case)) for case in cases] == [True, False]
