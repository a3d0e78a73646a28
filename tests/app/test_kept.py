"""What is kept between two reruns: made once for each state of a log, never for another."""

import threading
from dataclasses import replace

from dolq_core import runs
from dolq_core.records import ModelChoice, Models, TermKey
from pages.ui import drafts, jobs, kept, session
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import serving
from tests.app.scenes import app, disputed, read
from tests.loop.states import logistic_problem
from tests.waiting import LONGEST_S


def the_run(iterations: int = 1) -> runs.Run:
    return runs.load(runs.open_store(), disputed(iterations))


def test_a_run_that_stands_where_it_stood_is_not_computed_again():
    run, made = the_run(), []
    for _ in range(3):
        assert kept.once(run, "one", lambda: made.append(1) or "figure") == "figure"
    assert made == [1]


def test_a_run_that_went_on_is_computed_anew_and_so_is_another_thing_of_it():
    run = the_run(2)
    earlier = replace(run, entries=run.entries[:-1])
    assert kept.once(run, "one", lambda: "later") == "later"
    assert kept.once(earlier, "one", lambda: "earlier") == "earlier"
    assert kept.once(run, "other", lambda: "other") == "other"


def test_the_store_is_opened_once_for_each_file(tmp_path, monkeypatch):
    session.store().runs()
    assert session.store() is session.store()
    first = session.store()
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "other.db"))
    assert session.store() is not first


def test_what_else_fits_is_not_looked_for_while_the_run_goes_on():
    goes_on = threading.Event()

    def waits(body: dict) -> str:
        goes_on.wait(LONGEST_S)
        return "nothing"

    with serving(proposal({"x": ["x", "x**2"]}), grades(x={"x": "good", "x**2": "good"}), *[waits] * 9) as server:
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        store = runs.open_store()
        run = runs.start(store, logistic_problem(60), agents="models", models=Models(choice, choice))
        runs.step_once(store, run)
        jobs.board().start(runs.default_database(), run, 2, "auto")
        try:
            assert "Rivals follow once the run is paused" in read(app("equations", run))
        finally:
            jobs.board().stop(run)
            goes_on.set()
    assert "Rivals follow once the run is paused" not in read(app("equations", disputed()))


def test_withdraw_forgets_what_moved_to_another_iteration_and_an_applied_word_leaves_the_others():
    waits = drafts.Draft({TermKey(0, "x"): drafts.Pending("hold")})
    for iteration in (1, 2):
        drafts.keep_draft("run", iteration, waits)
    drafts.withdraw("run", 1)
    assert len(drafts.draft("run", 2)) == 1
    drafts.withdraw("run")
    assert len(drafts.draft("run", 2)) == 0
