"""A limit of time is kept, also inside one iteration, and whoever asks is told."""

import time
from math import inf

import numpy as np
import pytest

from dolq_core import clock, runs
from dolq_core.agents import build_agents
from dolq_core.agents.builtin.pursuing import pursued
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.bundled import load_bundled
from dolq_core.estimator.arrays import Described, read_arrays
from dolq_core.records import Pause, Problem, Settings
from dolq_core.views import summary
from tests.test_likelihood import PREY, prey

GRACE_S = 5.0
"""What a step between two looks at the clock may take on a busy machine."""


def many_states():
    """A ring of 24 states of which each is driven by its neighbours (Lorenz 96): a library of thousands of terms."""
    x = np.random.default_rng(0).normal(size=24)
    path = [x]
    for _ in range(150):
        x = x + 0.02 * ((np.roll(x, -1) - np.roll(x, 2)) * np.roll(x, 1) - x + 8.0)
        path.append(x)
    return Problem(read_arrays(np.array(path), Described(0.02)))


def test_a_search_of_many_states_ends_in_time_and_the_log_says_so():
    store = runs.memory_store()
    run = runs.start(store, many_states())
    began = time.monotonic()
    now = runs.auto(store, run, max_seconds=2.0)
    assert time.monotonic() - began < 2.0 + GRACE_S
    assert isinstance(now.entries[-1], Pause)
    assert "the limit of 2 s was reached" in summary.result(now)["stopped"]


def test_a_search_that_is_cut_short_proposes_what_it_has_and_says_so():
    store = runs.memory_store()
    now = runs.load(store, runs.start(store, many_states()))
    sampler, _ = build_agents("builtin")
    with clock.limited(1.0):
        found = sampler.propose(now.state, runs.workbench(now), np.random.default_rng(0))
    assert len(found.hypotheses[0]) == 24
    assert "ended by the limit of time" in found.note


def test_a_limit_of_an_iteration_ends_its_search_and_the_next_one_does_not_repeat_it(monkeypatch):
    run = Pursuit.run
    limits = []

    def slow(search):
        limits.append(clock.left())
        while 0.0 < clock.left() < inf:
            pass
        return run(search)

    monkeypatch.setattr(Pursuit, "run", slow)
    store = runs.memory_store()
    now = runs.load(store, runs.start(store, prey(description=PREY), Settings(time_limit_s=1.0)))
    sampler, _ = build_agents("builtin")
    bench = runs.workbench(now)
    for _ in range(2):
        assert "ended by the limit of time" in sampler.propose(now.state, bench, np.random.default_rng(0)).note
    assert 0.0 < limits[0] < 1.0
    assert limits[1:] == []
    systems, late = pursued(now.state, bench)
    assert limits[1:] == [inf]
    assert not late
    assert [set(terms) for terms in systems[0]] == [{"x0", "x0*x1"}, {"x0*x1", "x1"}]


def test_a_limit_that_is_not_reached_changes_nothing():
    laws = []
    for seconds in (None, 600.0):
        store = runs.memory_store()
        now = runs.auto(store, runs.start(store, load_bundled("yeast")), max_seconds=seconds)
        laws.append((summary.equations(now), [type(entry).__name__ for entry in now.entries]))
    assert laws[0] == laws[1]


def test_an_inner_limit_ends_before_the_outer_one_and_never_after():
    with clock.limited(0.0):
        with clock.limited(60.0), pytest.raises(clock.OutOfTime):
            clock.check()
        assert clock.is_late()
    clock.check()
    with clock.limited(60.0):
        with clock.part(0.0):
            assert clock.is_late()
        assert not clock.is_late()
    with clock.part(0.5):  # of no limit
        assert not clock.is_late()


def test_a_limit_of_work_does_not_pass_while_the_processor_works_for_others():
    with clock.limited(0.05, of_work=True):
        time.sleep(0.2)
        assert not clock.is_late()
        began = time.thread_time()
        while not clock.is_late():
            pass
        assert time.thread_time() - began > 0.04
    with clock.limited(0.05), clock.limited(60.0, of_work=True):
        time.sleep(0.1)
        assert clock.is_late()
    with clock.limited(None, of_work=True):
        assert clock.left() == inf


def test_the_limit_of_an_iteration_is_one_of_work(monkeypatch):
    run = Pursuit.run
    left = []

    def waiting(search):
        before = clock.left()
        time.sleep(0.3)
        left.append(before - clock.left())
        return run(search)

    monkeypatch.setattr(Pursuit, "run", waiting)
    store = runs.memory_store()
    now = runs.load(store, runs.start(store, prey(description=PREY), Settings(time_limit_s=60.0)))
    build_agents("builtin")[0].propose(now.state, runs.workbench(now), np.random.default_rng(0))
    assert len(left) == 1
    assert left[0] < 0.1
