"""A page that is gone to shows its words before its charts are drawn."""

from types import SimpleNamespace

import pytest

from pages.ui import charts, session
from tests.app.scenes import app, disputed

PAUSED = "a pause for the browser"


@pytest.fixture
def pauses(monkeypatch):
    found = []
    monkeypatch.setattr(charts, "time", SimpleNamespace(sleep=lambda seconds: found.append(PAUSED)))
    monkeypatch.setattr(session.st, "session_state", {})
    return found


def test_only_a_page_that_is_gone_to_waits_for_its_words(pauses):
    for page in ("Discover", "Discover", "History", "Discover"):
        session.begin(0.0, page)
        charts.words_first()
        pauses.append(page)
    assert pauses == [PAUSED, "Discover", "Discover", PAUSED, "History", PAUSED, "Discover"]


@pytest.mark.parametrize("page", ["discover", "equations", "history"])
def test_the_words_of_a_page_are_sent_before_its_charts(monkeypatch, page):
    at, order = app("start", disputed(2)), []
    monkeypatch.setattr(charts, "words_first", lambda: order.append(PAUSED))
    monkeypatch.setattr(charts, "show", lambda *chart, **more: order.append("chart"))
    assert not at.switch_page(f"pages/{page}/page.py").run().exception
    assert order[0] == PAUSED
    assert order.count(PAUSED) == 1
    assert "chart" in order
