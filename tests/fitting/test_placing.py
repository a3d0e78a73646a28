"""Inputs that switch anywhere between two samples: whole runs say where."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import loop, runs
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench, placing
from dolq_core.fitting.held_out import held_as
from dolq_core.fitting.placing import driven_as, placed
from dolq_core.records import Dataset, Given, Problem, Settings, Trajectory, Variable
from dolq_core.runs.running import workbench
from dolq_core.store.memory import MemoryStore
from dolq_core.views import summary, system
from tests.stored import fitted

STEP, RATE = 0.02, 2.1


def circuit(share, noise=0.02, seed=0, samples=500):
    """A capacitor behind a resistor; its voltage switches every 1.1 to 1.3 s, after a share of a step, or of any."""
    rng = np.random.default_rng(seed)
    rows = np.cumsum(np.tile([54, 65, 55], 2))
    parts = rng.uniform(0.0, 1.0, len(rows)) if share == "any" else np.full(len(rows), share)
    switches = dict(zip(rows.tolist(), parts.tolist(), strict=True))
    v, u = np.zeros(samples), np.full(samples, 5.0)
    for i in range(samples - 1):
        after = 5.0 - u[i] if i in switches else u[i]
        part = switches.get(i, 1.0)
        middle = u[i] + (v[i] - u[i]) * np.exp(-RATE * STEP * part)
        v[i + 1], u[i + 1] = after + (middle - after) * np.exp(-RATE * STEP * (1.0 - part)), after
    x = v + noise * rng.standard_normal(samples)
    run = Trajectory(frozen(STEP * np.arange(samples)), frozen(x[:, None]), frozen(u[:, None]))
    return Dataset("circuit", Variable("t", "t"), (Variable("V", "V"),), (run,), (Variable("U", "U"),)), parts


def shares_of(before, after):
    """The share of each step that switches, as the means over these steps have it."""
    u, mean = before.trajectories[0].inputs[:, 0], after.trajectories[0].inputs[:, 0]
    at = np.flatnonzero(np.diff(u))
    return (mean[at] - u[at + 1]) / (u[at] - u[at + 1])


@pytest.mark.parametrize("share", [0.35, 0.8, "any"])
def test_whole_runs_say_where_an_input_switches(share):
    dataset, parts = circuit(share)
    found = driven_as(dataset)
    assert found.holds == ("placed",)
    told = shares_of(dataset, found)
    assert told == pytest.approx(parts[: len(told)], abs=0.12)


def test_whole_runs_say_it_where_times_are_uneven_and_some_gaps_are_long():
    dataset, parts = circuit("any", samples=800)
    (run,) = dataset.trajectories
    kept = np.sort(np.random.default_rng(1).permutation(800)[:400])
    t, u = run.t[kept], run.inputs[kept, 0]
    uneven = Trajectory(frozen(t), frozen(run.x[kept]), frozen(run.inputs[kept]))
    given = replace(dataset, trajectories=(uneven,))
    assert np.max(np.diff(t)) > 4.0 * np.median(np.diff(t))
    found = driven_as(given)
    assert found.holds == ("placed",)
    at = np.flatnonzero(np.diff(u))
    rows = np.flatnonzero(np.diff(run.inputs[:, 0]))
    switched = STEP * (rows + parts[: len(rows)])
    told = t[at] + shares_of(given, found) * (t[at + 1] - t[at])
    assert told == pytest.approx(switched, abs=0.3 * STEP)


@pytest.mark.parametrize(("share", "hold"), [(0.0, "next"), (0.5, "nearest"), (1.0, "previous")])
def test_what_switches_where_it_is_taken_to_is_left_as_it_is(share, hold):
    held = held_as(circuit(share)[0])
    assert held.holds == (hold,)
    assert placed(held) is held


def test_an_input_that_whole_runs_place_at_the_next_sample_is_held_until_then(monkeypatch):
    dataset, _ = circuit(1.0)
    (run,) = dataset.trajectories
    both = np.hstack((run.inputs, np.roll(run.inputs, 9, axis=0)))
    inputs = (*dataset.inputs, Variable("W", "W"))
    given = replace(dataset, trajectories=(replace(run, inputs=frozen(both)),), inputs=inputs)
    rows = {k: np.flatnonzero(np.diff(both[:, k])).tolist() for k in range(2)}
    shares = {(0, i): 0.99995 for i in rows[0]} | {(1, i): 0.3 for i in rows[1]}
    monkeypatch.setattr(placing, "_shares", lambda *_: shares)
    held = placed(replace(given, holds=("nearest", "nearest")))
    assert held.holds == ("previous", "placed")
    assert held.trajectories[0].inputs[:, 0].tolist() == both[:, 0].tolist()
    assert held.trajectories[0].inputs[rows[1][0], 1] != both[rows[1][0], 1]


def test_under_much_noise_nothing_is_said():
    held = held_as(circuit(0.35, noise=0.15)[0])
    assert placed(held) is held


def test_a_law_no_polynomial_follows_leaves_inputs_as_they_are():
    dataset, _ = circuit(0.35)
    (run,) = dataset.trajectories
    rough = np.where(np.sin(7.0 * run.t) > 0.0, 1.0, -1.0)[:, None] + run.x
    held = held_as(
        Dataset("rough", dataset.time, dataset.states, (Trajectory(run.t, frozen(rough), run.inputs),), dataset.inputs)
    )
    assert placed(held).trajectories == held.trajectories


@pytest.fixture(scope="module")
def found():
    store = MemoryStore()
    return runs.auto(store, runs.start(store, Problem(circuit(0.35, seed=1)[0]), Settings(), seed=0))


def test_a_circuit_switched_within_its_steps_has_its_law_and_no_other_term(found):
    (fit,) = [one.reported for one in found.state.best]
    assert {term.skeleton for term in fit.terms} == {"U", "V"}
    assert [term.coefficient for term in fit.terms] == pytest.approx([RATE, -RATE], rel=0.02)
    assert loop.status(found.state, 0)[0] == "settled"


def test_simulations_and_exports_take_the_inputs_of_the_fits(found):
    given = system.driven(found)
    assert given.holds == ("placed",)
    (run,) = system.law(found).runs
    assert run.inputs == pytest.approx(given.trajectories[0].inputs)
    times, inputs = run.driving
    at = np.arange(0.2, 6.0, 0.1) * STEP * 10.0
    assert np.interp(at, times, inputs[:, 0]) == pytest.approx(run.inputs[(at / STEP).astype(int), 0])
    assert workbench(found).holds == given.holds


def test_what_was_taken_of_an_input_is_said_with_how_it_is_fitted(found):
    said = "U is switched between two samples, where the whole runs of the table fit best."
    assert said in found.state.last.target.reason
    assert said in summary.provenance(found)


def test_samples_that_count_for_nothing_are_exported_as_they_were_measured():
    dataset, _ = circuit(0.35, seed=1)
    (run,) = dataset.trajectories
    weights = np.ones_like(run.x)
    weights[::7] = 0.0
    weighed = replace(dataset, trajectories=(replace(run, weights=frozen(weights)),), weights=(Given("w"),))
    done = fitted(Problem(weighed), [["U", "V"]])
    assert system.law(done).runs[0].x == pytest.approx(run.x)


def test_what_a_setting_says_of_inputs_stays_as_it_is_said():
    dataset, _ = circuit(0.35)
    assert driven_as(dataset, "next").holds == ("next",)


def test_rates_know_of_placed_inputs_what_they_know_of_held_ones():
    dataset, _ = circuit(1.0)
    held, placed_ones = (Workbench.of(replace(dataset, holds=(hold,))) for hold in ("previous", "placed"))
    halfway = Workbench.of(replace(dataset, holds=("nearest",)))
    assert placed_ones.target.floor == pytest.approx(held.target.floor)
    assert halfway.target.floor[0] > 1.05 * held.target.floor[0]


def test_between_samples_that_were_not_measured_a_placed_input_switches_halfway(found):
    (run,) = circuit(0.5, noise=0.0, seed=3)[0].trajectories
    path = system.path_from(found, run.x[0], run.t, run.inputs)
    assert path.x == pytest.approx(run.x, abs=0.03)  # held for half a step more it would be 0.1 off


def test_other_data_say_themselves_where_their_inputs_switch(found):
    other, _ = circuit(0.0, noise=1e-6, seed=3)
    assert system.score_on(found, other).nmse[0] < 1e-5  # 2e-3 as the data of the run have it
