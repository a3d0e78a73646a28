"""The end of each run is measured on and never fitted; what is reported has seen it, what is scored has not."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import is_refuted
from dolq_core.loop import replay
from dolq_core.records import AT_FLOOR, Trajectory
from dolq_core.terms import Skeleton
from dolq_core.views import trajectories
from dolq_core.views.files import export, which_coefficients
from dolq_core.views.summary import result
from dolq_core.views.trajectories import curves
from tests import stored
from tests.agents.problems import simulated
from tests.app.scenes import app, read
from tests.loop.states import logistic_problem

LAW = (Skeleton("x"), Skeleton("x**2"))


def bent(problem, by=5.0):
    """The same problem with its last fifth replaced: x runs away from the law there."""
    (run,) = problem.dataset.trajectories
    x = run.x.copy()
    late = len(run.t) * 4 // 5
    x[late:, 0] += by * (run.t[late:] - run.t[late]) ** 2
    moved = Trajectory(run.t, frozen(x), None, run.label)
    return replace(problem, dataset=replace(problem.dataset, trajectories=(moved,)))


def noisy(problem, sigma=0.01):
    (run,) = problem.dataset.trajectories
    x = run.x + sigma * np.random.default_rng(0).normal(size=run.x.shape)
    return replace(problem, dataset=replace(problem.dataset, trajectories=(Trajectory(run.t, frozen(x)),)))


def test_the_fit_is_the_same_whatever_stands_in_the_held_out_part():
    benches = [Workbench.of(p.dataset, "auto", 0.2) for p in (logistic_problem(), bent(logistic_problem()))]
    one, other = (bench.fit(0, LAW) for bench in benches)
    assert replace(one, held_out=None) == replace(other, held_out=None)
    assert one.held_out < 1e-8
    assert other.held_out > 1e-2
    assert np.array_equal(benches[0].x, benches[1].x)
    assert benches[0].ablate(one) == benches[1].ablate(other)


def test_the_simulation_goes_on_from_the_start_of_the_fit_part():
    straight, off = (Workbench.of(p.dataset, "auto", 0.2) for p in (logistic_problem(), bent(logistic_problem())))
    fit = straight.fit(0, LAW)
    assert straight.trajectory_score([fit]).held_out[0] < 1e-8
    assert off.trajectory_score([fit]).held_out[0] > 1e-2
    assert off.trajectory_score([fit]).nmse == straight.trajectory_score([fit]).nmse


def test_a_short_run_holds_nothing_out_and_the_record_says_so():
    bench = Workbench.of(logistic_problem(49).dataset, "auto", 0.2)
    assert bench.fit(0, LAW).held_out is None
    assert bench.trajectory_score([bench.fit(0, LAW)]).held_out == ()
    assert "no run has 50 samples" in bench.info.reason


def test_the_exports_say_once_which_coefficients_they_hold():
    done = stored.found(noisy(logistic_problem(), 0.01), runs.open_store(), iterations=2)
    (best,) = done.state.best
    told = which_coefficients(done)
    assert told.startswith("Equations and programs hold the coefficients of the law, finally fitted on all rows; ")
    assert repr(abs(best.reported.terms[0].coefficient)) in export(done, "python").content.decode()
    (curve,) = curves(done)
    (unseen,) = trajectories.simulated(done, [best.scored], bands=False)
    assert np.array_equal(curve.at_data, unseen.at_data)
    assert read(app("equations", done.id)).count(told) == 1
    without = stored.found(noisy(logistic_problem(), 0.01), held_out=0.0, iterations=2)
    assert which_coefficients(without) == ""


@pytest.mark.parametrize("sigma", [0.0, 0.01])
def test_the_reported_coefficients_have_seen_all_rows_and_the_scores_have_not(sigma):
    done = stored.found(noisy(logistic_problem(), sigma), iterations=2)
    (best,) = done.state.best
    assert best.refined.strategy.endswith("all rows")
    assert best.refined.held_out == (best.blind or best.fit).held_out
    assert best.refined.terms != best.fit.terms
    scores = result(done)["equations"]["x"]["scores"]
    assert scores["held_out_nmse"] == (best.blind or best.fit).held_out
    (curve,) = curves(done)
    assert curve.held_from == done.state.problem.dataset.trajectories[0].t[160]
    assert scores["held_out_integral_nmse"] == pytest.approx(curve.held_out_nmse[0])
    assert scores["integral_nmse"] == pytest.approx(curve.nmse[0])


def test_the_log_rebuilds_the_state_with_its_held_out_scores():
    done = stored.found(noisy(logistic_problem()), iterations=2)
    assert replay(done.entries) == done.state


def test_nothing_is_held_out_when_the_settings_say_so():
    done = stored.found(logistic_problem(), held_out=0.0, iterations=2)
    assert done.state.best[0].fit.held_out is None
    assert curves(done)[0].held_from is None


def boxes(end=160.0):
    """The flow between two boxes of sea water turns round at t = 132.5, in the held-out end: before, a polynomial."""

    def rhs(t, x):
        flow = 0.018 * abs(0.17 * x[0] - 0.78 * x[1])
        return [0.95 - 0.045 * x[0] - flow * x[0], 0.055 - flow * x[1]]

    words = "Two boxes of sea water; the overturning follows the difference of density, whichever way it runs."
    return simulated(rhs, [18.0, 0.4], end, words, points=330)


@pytest.mark.parametrize(("equation", "polynomial"), [(0, ["1", "x0", "x0**2", "x0*x1"]), (1, ["1", "x1**2", "x0*x1"])])
def test_a_law_that_the_ends_of_the_runs_refute_gives_way_to_one_that_they_bear_out(equation, polynomial):
    problem = boxes()
    done = stored.found(problem, iterations=2).state
    refuted = Workbench.of(problem.dataset, "auto", 0.2).fit(equation, [Skeleton(text) for text in polynomial])
    assert refuted.floor_ratio < AT_FLOOR
    assert is_refuted(done, refuted)
    best = done.best[equation].fit
    assert any(f"x{equation}*abs(" in term.skeleton for term in best.terms)
    assert not is_refuted(done, best)
    apart = replace(done, settings=replace(done.settings, held_out_runs=("1",)))
    assert not is_refuted(apart, refuted)  # by a run that is held out whole nobody searches
