"""While the first iteration works, what it has found so far is on the page."""

from types import SimpleNamespace

import numpy as np

from dolq_core import DoLQ, loop, runs
from dolq_core.bundled import load_bundled
from dolq_core.fitting.watching import watched
from dolq_core.jobs import Seen, Snapshot, worker
from dolq_core.jobs.worker import Looker
from pages.ui import jobs
from tests.app.scenes import alts, app, read
from tests.every import every


def fit(equation, error, *terms, failure=""):
    return SimpleNamespace(
        equation=equation, nmse=error, terms=[SimpleNamespace(skeleton=one) for one in terms], failure=failure
    )


def test_the_front_is_what_nothing_smaller_beats():
    told = []
    looker = Looker(told.append)
    for one in (fit(0, 0.5, "x"), fit(0, 0.7, "1"), fit(0, 0.6, "x", "1"), fit(0, 0.1, "x", "x**2"), fit(1, 0.2, "x"),
                fit(1, float("inf"), "1", failure="not finite")):  # fmt: skip
        looker.look(one)
    looker.tell()
    assert told[-1]["tried"] == 6
    assert [(one["equation"], one["terms"]) for one in told[-1]["front"]] == [
        (0, ["x"]), (0, ["x", "x**2"]), (1, ["x"]),
    ]  # fmt: skip


def test_what_was_fitted_in_the_last_moment_is_told_by_its_equation():
    told = []
    looker = Looker(told.append)
    for some in ([fit(1, 0.2, "x"), fit(1, 0.1, "1")], [fit(0, 0.2, "x"), fit(1, 0.3, "x")], [None], []):
        for one in some:
            looker.look(one)
        looker.tell()
    assert [(one["equations"], one["whole"]) for one in told] == [
        ([1], False),
        ([0, 1], False),
        ([], True),
        ([], False),
    ]


def test_an_iteration_that_is_watched_finds_the_same_and_is_seen_working(monkeypatch):
    monkeypatch.setattr(worker, "EVERY_S", 0.0)
    told = []
    store = runs.open_store()
    one, other = (runs.start(store, load_bundled("yeast")) for _ in range(2))
    with watched(Looker(told.append).look):
        seen = runs.step_once(store, one)
    assert runs.step_once(store, other).state.best == seen.state.best
    counts = [said["tried"] for said in told]
    assert counts == list(range(1, len(counts) + 1))
    assert len(counts) > 10
    (best,) = [fit for fit in loop.replay(seen.entries).best if fit]
    sizes = {len(said["terms"]) for said in told[-1]["front"]}
    assert len(best.fit.terms) in sizes


def test_the_page_shows_count_seconds_and_candidates_before_there_is_a_law(monkeypatch):
    run = runs.start(runs.open_store(), load_bundled("lynx-hare"))
    front = (Seen(0, ("hare",), 0.8), Seen(0, ("hare", "hare*lynx"), 0.1), Seen(1, ("lynx",), 0.9))
    job = Snapshot(run, "step", 1, phase="sample", tried=412, front=front, seconds=3.2)
    monkeypatch.setattr(jobs, "snapshot", lambda _: job)
    at = app("discover", run)
    said = read(at)
    assert "412 structures tried, 3 s" in said.replace("*", "")
    assert any("2 terms 0.10" in alt for alt in alts(at))
    assert every(silent not in said for silent in ("Nothing is understood", "Nothing is proposed", "No iteration"))


def test_whole_systems_that_are_fitted_to_noisy_samples_are_counted():
    t = np.linspace(0.0, 6.0, 120)
    x = np.column_stack((2.0 * np.exp(-0.7 * t), 1.4 / 0.6 * (np.exp(-0.1 * t) - np.exp(-0.7 * t))))
    noisy = x + 0.02 * np.random.default_rng(1).standard_normal(x.shape)
    looked = []
    with watched(looked.append):
        DoLQ(max_iterations=1).fit(noisy, t)
    assert looked.count(None) > 10
