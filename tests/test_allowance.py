"""What each person may use of a shared server: told in words, enforced in the core, and nobody else's use counts."""

import time
from contextlib import suppress

import pytest

from dolq_core import clock, runs
from dolq_core.errors import AgentError
from dolq_core.records import ModelChoice, Models, Settings
from dolq_core.runs import allowance
from dolq_core.runs.allowance import AllowanceError
from tests.agents.llm.server import error, serving
from tests.loop.states import logistic_problem
from tests.test_clock import GRACE_S, many_states


@pytest.fixture
def store(tmp_path):
    return runs.open_store(tmp_path / "runs.db", "ada")


def started(store):
    return runs.start(store, logistic_problem(), Settings(iterations=5))


def test_without_a_limit_nothing_is_asked(store, monkeypatch):
    for variable in allowance.VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)
    assert allowance.allowed() == allowance.Quota()
    assert runs.step_once(store, started(store)).state.iteration == 1


def test_a_person_has_so_many_runs_and_a_neighbour_their_own(store, monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_RUNS", "2")
    first = started(store)
    runs.fork(store, first, 1)
    said = "A new run: you have all 2 runs that each may have on this server. Ask whoever runs this server for more."
    for again in (lambda: started(store), lambda: runs.fork(store, first, 1)):
        with pytest.raises(AllowanceError) as caught:
            again()
        assert str(caught.value) == said
    assert len(runs.list_runs(store)) == 2
    started(store.seen_by("bob"))


def test_a_table_has_so_many_rows(store, monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_ROWS", "199")
    with pytest.raises(AllowanceError, match="they have 200 rows, and this server takes 199. Thin or cut the table"):
        started(store)
    monkeypatch.setenv("DOLQ_MAX_ROWS", "200")
    started(store)


def test_seconds_that_end_inside_an_iteration_end_it(store, monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "1")
    run = runs.start(store, many_states())
    began = time.monotonic()
    with suppress(AllowanceError):  # an iteration may be done with what its search has found by then
        runs.step_once(store, run)
    assert time.monotonic() - began < 1.0 + GRACE_S
    with pytest.raises(AllowanceError, match="of 1 seconds of computing"):
        runs.step_once(store, run)


def too_long():
    time.sleep(1.1)
    clock.check()


def test_a_limit_around_the_seconds_is_said_as_that_limit(store, monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "3600")
    with clock.limited(0.0), pytest.raises(clock.OutOfTime), allowance.computing(store, "It"):
        clock.check()
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "1")
    with pytest.raises(AllowanceError, match="you have used all 1 seconds"), allowance.computing(store, "It"):
        too_long()


def test_seconds_are_counted_over_all_runs_of_a_person(store, monkeypatch):
    first, second = started(store), started(store)
    done = runs.step_once(store, first)
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "0")
    with pytest.raises(AllowanceError, match="of 0 seconds of computing that each may use on this server"):
        runs.step_once(store, second)
    assert len(runs.load(store, second).entries) == 1
    assert runs.load(store, first).entries == done.entries
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "3600")
    runs.step_once(store, second)


def test_tokens_count_where_no_answer_came_too(store, monkeypatch):
    with serving(error(401)) as server:
        monkeypatch.setenv(allowance.SERVERS, server.url)
        choice = ModelChoice("openai", "m", server.url)
        run = runs.start(store, logistic_problem(), agents="models", models=Models(choice, choice))
        with pytest.raises(AgentError):
            runs.step_once(store, run)
    used = store.used().tokens
    assert used > 100
    monkeypatch.setenv("DOLQ_MAX_TOKENS", f"{used + 1}")
    other = started(store)
    runs.step_once(store, other)
    monkeypatch.setenv("DOLQ_MAX_TOKENS", f"{used}")
    with pytest.raises(AllowanceError, match=f"you have used {used:,} of {used:,} tokens"):
        runs.step_once(store, other)


@pytest.mark.parametrize("text", ["many", "-1", "1.5"])
def test_a_limit_that_is_no_whole_number_is_refused_by_its_name(text):
    with pytest.raises(AllowanceError, match=f"DOLQ_MAX_ROWS: '{text}' is not a whole number from 0 on"):
        allowance.allowed({"DOLQ_MAX_ROWS": text})
