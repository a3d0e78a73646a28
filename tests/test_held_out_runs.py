"""A whole run is held out: no fit ever sees it, it is simulated from its own start, and bad choices are refused."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.errors import DataError
from dolq_core.fitting import Workbench
from dolq_core.fitting.held_out import names_of_runs, split
from dolq_core.loop import replay
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import Skeleton
from dolq_core.views.summary import result
from dolq_core.views.trajectories import curves
from tests import stored

LAW = (Skeleton("x"), Skeleton("x**2"))


def logistic(start, label, samples=100, sigma=0.0, bend=0.0):
    """x' = x - x**2 from `start`, with noise; bend: how fast it runs away from that law."""
    t = np.linspace(0.0, 6.0, samples)
    x = start * np.exp(t) / (1.0 + start * (np.exp(t) - 1.0)) + bend * t**2
    noisy = x + sigma * np.random.default_rng(len(label) + samples).normal(size=samples)
    return Trajectory(frozen(t), frozen(noisy[:, None]), None, label)


def several(*trajectories):
    return Dataset("logistic", Variable("t", "t"), (Variable("x", "x"),), trajectories)


def three(bend=0.0, sigma=0.0):
    """The first run is the one to hold out, so that positions in the data and in the fit differ."""
    return several(
        logistic(1.8, "high", 80, sigma, bend), logistic(0.1, "low", 100, sigma), logistic(0.4, "", 40, sigma)
    )


def bench(dataset, share=0.0, out=("high",)):
    return Workbench.of(dataset, "auto", share, out)


def found(dataset, out=("high",), share=0.0):
    return stored.found(Problem(dataset), iterations=1, held_out=share, held_out_runs=out)


@pytest.mark.parametrize(("share", "sigma"), [(0.0, 0.0), (0.2, 0.02)])
def test_no_coefficient_that_is_fitted_or_reported_depends_on_the_run(share, sigma):
    straight, off = (found(three(bend, sigma), share=share).state.best[0] for bend in (0.0, 0.3))
    for one, other in ((straight.fit, off.fit), (straight.refined or straight.fit, off.refined or off.fit)):
        assert {term.skeleton for term in one.terms} == set(LAW)
        assert one.terms == other.terms
        assert one.held_out < 0.2 < other.held_out


def test_the_run_is_simulated_from_its_own_start():
    straight, off = (bench(three(bend)) for bend in (0.0, 0.3))
    fit = straight.fit(0, LAW)
    assert straight.simulate([fit], 0).x[0] == pytest.approx([1.8])
    assert straight.trajectory_score([fit]).held_out[0] < 1e-8
    assert off.trajectory_score([fit]).held_out[0] > 0.1
    assert off.trajectory_score([fit]).nmse == straight.trajectory_score([fit]).nmse
    assert straight.simulate([fit], 1).x[0] == pytest.approx([0.1])
    assert straight.simulate([fit], 2).x[0] == pytest.approx([0.4])


def test_a_noisy_start_is_found_from_the_run_and_not_taken_from_its_first_sample():
    noisy = bench(three(sigma=0.05))
    fit = noisy.fit(0, LAW)
    (first,) = noisy.simulate([fit], 0).x[0]
    assert first != three(sigma=0.05).trajectories[0].x[0, 0]
    assert first == pytest.approx(1.8, abs=0.1)


def test_ends_and_whole_runs_are_held_out_together():
    parts = split(three(), 0.2, ("high",))
    low = three().trajectories[1]
    assert [len(run.t) for run in parts.fit.trajectories] == [80, 40]
    assert [len(run.t) for run in parts.rest.trajectories] == [100, 40]
    assert [len(run.t) for run in parts.held.trajectories] == [80, 20]
    assert parts.since == (0.0, low.t[80], None)
    assert parts.place == (None, 0, 1)
    assert (
        parts.reason
        == " Held out whole: run high. The last 20% of each run that keeps at least 50 samples of the others are held"
        " out."
    )


def test_a_run_without_a_label_goes_by_its_number_and_a_label_comes_first():
    assert names_of_runs(three()) == ("high", "low", "3")
    assert split(three(), 0.0, ("3",)).place == (0, 1, None)
    assert split(three(), 0.0, ("1",)).place == (None, 0, 1)
    swapped = several(logistic(0.1, "2"), logistic(0.4, "1"))
    assert split(swapped, 0.0, ("1",)).place == (0, None)


@pytest.mark.parametrize(
    ("out", "said"),
    [
        (
            ("middle",),
            "The run 'middle': it cannot be held out: the data have no such run. Its runs are 'high', 'low', '3'.",
        ),
        (
            ("high", "low", "3"),
            "The runs 'high', 'low', '3': nothing would be left to fit without them. Hold out fewer runs.",
        ),
    ],
)
def test_what_cannot_be_held_out_is_refused_before_a_run_starts(out, said):
    store = MemoryStore()
    with pytest.raises(DataError) as refused:
        runs.start(store, Problem(three()), Settings(held_out_runs=out))
    assert str(refused.value) == said
    assert store.runs() == ()


def test_a_run_that_alone_measured_a_state_may_not_be_held_out():
    empty = logistic(0.1, "empty")
    blind = replace(empty, x=frozen(np.full_like(empty.x, np.nan)))
    with pytest.raises(DataError, match="nothing would be left to fit"):
        split(several(logistic(0.4, "seen"), blind), 0.0, ("seen",))


def test_scores_curves_and_document_speak_of_the_run_that_was_held_out():
    done = found(three(sigma=0.02))
    high, low, last = curves(done)
    assert (high.held_from, high.is_apart, high.nmse) == (0.0, True, ())
    assert (low.held_from, low.is_apart, last.held_out_nmse) == (None, False, ())
    document = result(done)
    scores, best = document["equations"]["x"]["scores"], done.state.best[0]
    assert scores["held_out_integral_nmse"] == pytest.approx(high.held_out_nmse[0])
    assert scores["held_out_nmse"] == (best.blind or best.fit).held_out
    assert (best.blind or best.fit).terms == (best.refined or best.fit).terms
    assert document["settings"]["held_out_runs"] == ["high"]
    assert replay(done.entries) == done.state
