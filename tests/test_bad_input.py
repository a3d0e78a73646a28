"""Bad input ends in a reason in the record: never a crash, never a silent number."""

from dataclasses import replace
from math import isfinite

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.errors import DolqError
from dolq_core.fitting import Workbench
from dolq_core.loop import Setup, replay, step
from dolq_core.records import Dataset, Problem, Settings, Start, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term
from dolq_core.views.summary import result
from dolq_core.views.trajectories import curves
from tests.every import every
from tests.loop.states import logistic_problem
from tests.scripted import ScriptedSampler, ScriptedScientist


def table(n=100, **columns):
    t = np.linspace(0.0, 4.0, n)
    x = np.column_stack([np.asarray(make(t), dtype=np.float64) for make in columns.values()])
    return Dataset(
        "bad", Variable("t", "t"), tuple(Variable(c, c) for c in columns), (Trajectory(frozen(t), frozen(x)),)
    )


def fitted(dataset, equation, *texts):
    bench = Workbench.of(dataset, "auto", 0.2)
    return bench, bench.fit(equation, [parse_term(text, bench.names).skeleton for text in texts])


DECAY = {"x": lambda t: np.exp(-t), "k": lambda t: 2.0 + 0.0 * t}


def test_a_term_that_is_constant_beside_a_constant_is_named_in_a_note():
    bench, fit = fitted(table(**DECAY), 0, "x", "1", "k**2")
    assert "combination of the other terms" in fit.note
    assert [term.std_error for term in fit.terms if term.coefficient == 0.0] == [None]
    assert bench.why_not("k**2") == "constant on the data"


def test_collinear_terms_are_named_in_a_note():
    _, fit = fitted(table(x=lambda t: np.exp(-t), y=lambda t: 3.0 * np.exp(-t)), 0, "x", "y")
    assert "combination of the other terms" in fit.note


def test_more_terms_than_rows_is_a_reason():
    _, fit = fitted(table(n=8, x=lambda t: np.exp(-t / 9)), 0, *(f"x**{k}" for k in range(1, 11)))
    assert "the data are worth" in fit.failure
    assert not isfinite(fit.score)


def test_a_state_that_does_not_move_has_finite_scores():
    bench, fit = fitted(table(**DECAY), 1, "x")
    assert isfinite(fit.nmse)
    assert fit.held_out is not None
    assert isfinite(fit.held_out)
    assert bench.trajectory_score([bench.fit(0, ["x"]), fit]).failure == ""


def test_missing_cells_at_the_end_leave_the_held_out_part_out_of_the_score():
    problem = logistic_problem(100)
    (run,) = problem.dataset.trajectories
    x = run.x.copy()
    x[78:] = np.nan
    dataset = replace(problem.dataset, trajectories=(Trajectory(run.t, frozen(x)),))
    bench, fit = fitted(dataset, 0, "x", "x**2")
    assert fit.held_out is None
    assert isfinite(fit.nmse)
    assert bench.trajectory_score([fit]).failure == ""


def test_a_system_that_blows_up_says_so_in_the_record_and_on_the_page():
    run = table(n=200, x=lambda t: 1.0 / (4.2 - t))
    script = [[[["x**3"]]]]
    setup = Setup(ScriptedSampler(script), ScriptedScientist(), Workbench.of(run, "auto", 0.2))
    log = [Start(Problem(run), Settings())]
    done = step(replay(log), setup)
    assert done.trajectory is not None
    if done.trajectory.failure:
        assert every(value == float("inf") for value in done.trajectory.held_out)
    else:
        assert every(map(isfinite, done.trajectory.held_out))


@pytest.mark.parametrize("columns", [{"x": lambda t: 0.0 * t}, DECAY])
def test_a_run_on_states_that_stand_still_ends_with_a_document(columns):
    store = MemoryStore()
    done = runs.auto(store, runs.start(store, Problem(table(**columns)), Settings(iterations=1)))
    assert result(done)["equations"]
    assert curves(done)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (("Row 3", "it is empty"), "Row 3: it is empty."),
        (("Row 3", "it is empty", "Remove it"), "Row 3: it is empty. Remove it."),
        (("Row 3", "is it empty?", "Look at it."), "Row 3: is it empty? Look at it."),
        (("Row 3", "is it empty", "Did you mean 'x'?"), "Row 3: is it empty. Did you mean 'x'?"),
    ],
)
def test_every_error_ends_as_a_sentence_does(told, said):
    assert str(DolqError(*told)) == said
