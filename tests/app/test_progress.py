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


@pytest.mark.parametrize(
    ("names", "equations", "whole", "told"),
    [
        ("xy", (1,), False, "Proposing, dy/dt, 3 s"),
        ("xy", (), True, "Proposing, all equations together, 3 s"),
        ("xy", (0, 1), False, "Proposing, 3 s"),
        ("xy", (0,), True, "Proposing, 3 s"),
        ("xy", (), False, "Proposing, 3 s"),
        ("x", (0,), False, "Proposing, 3 s"),
        (("<b>", "y"), (0,), False, "Proposing, d/dt &lt;b&gt;, 3 s"),
    ],
)
def test_the_bar_names_the_equation_that_is_worked_on(monkeypatch, names, equations, whole, told):
    job, drawn = Snapshot("any", "step", 1, phase="sample", equations=equations, whole=whole, seconds=3.0), []
    monkeypatch.setattr(jobs, "snapshot", lambda run: job)
    monkeypatch.setattr(session, "is_editing", lambda: False)
    monkeypatch.setattr(progress.st, "html", drawn.append)
    states = [SimpleNamespace(name=name) for name in names]
    state = SimpleNamespace(problem=SimpleNamespace(dataset=SimpleNamespace(states=states)))
    progress._look(SimpleNamespace(id="any", entries=range(1), state=state), beside=False, stands=0.0)
    (shown,) = drawn
    assert f">{told}</p>" in shown


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
