"""A page that shows a job is drawn anew as often as it can be read, and as the server can bear."""

from types import SimpleNamespace

import pytest

from dolq_core.jobs import Snapshot
from dolq_core.views.summary import Outcome
from pages.ui import jobs, progress, session


@pytest.mark.parametrize(
    ("drawing", "entries", "stands"), [(0.05, 1, 2.0), (0.4, 1, 6.0), (0.05, 30, 3.0), (0.05, 2000, 5.0)]
)
def test_a_page_that_takes_long_to_draw_stands_longer_and_so_does_one_of_a_long_run(
    monkeypatch, drawing, entries, stands
):
    looks = []
    monkeypatch.setattr(jobs, "snapshot", lambda run: Snapshot(run, "auto", 1))
    monkeypatch.setattr(session, "drawing_s", lambda: drawing)
    monkeypatch.setattr(progress.st, "fragment", lambda look, run_every: lambda *asked: looks.append(asked))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: 100.0))
    progress.watch(SimpleNamespace(id="any", entries=range(entries)))
    ((_, _, until),) = looks
    assert until == pytest.approx(100.0 + stands)


@pytest.mark.parametrize(("status", "kind"), [("settled", "info"), ("provisional", "warning"), ("none", "warning")])
def test_that_a_law_is_found_is_no_warning(monkeypatch, status, kind):
    drawn = []
    monkeypatch.setattr(session, "end_of", lambda run: "It ended")
    monkeypatch.setattr(jobs, "is_working", lambda run: False)
    monkeypatch.setattr(progress, "verdict", lambda state: Outcome(status, ""))
    for name in ("info", "warning"):
        monkeypatch.setattr(progress.st, name, lambda said, icon, name=name: drawn.append((name, said)))
    progress.last_words(SimpleNamespace(id="any", state=None))
    assert drawn == [(kind, "It ended")]
