"""A stranger's text is text on every page of the real app: no element of it, no link and no picture is ever made."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.records import Intervention, TermKey, TermNote, VariableNote
from dolq_core.views.files import export
from tests.app.scenes import scripted
from tests.e2e.pages import settled
from tests.loop.states import logistic_problem

EVIL = "evil.example"
MARK = (
    f'<b class="injected">b</b><img class="injected" src="http://{EVIL}/x.png" onerror="window.injected=1">'
    f'<a href="http://{EVIL}/">a</a>[m](http://{EVIL}/m) ![p](http://{EVIL}/p.png) **bold** $x^2$ :material/home:'
)
FOUND = """() => [
    ...document.querySelectorAll('.injected, img[src*="evil.example"], script[src*="evil.example"]'),
    ...[...document.querySelectorAll('a')].filter(a => `${a.getAttribute('href')}${a.getAttribute('xlink:href')}`
        .includes('evil.example')),
].map(e => e.outerHTML).concat(window.injected ? ['a handler ran'] : [])"""


@pytest.fixture
def hostile(database) -> str:
    """A run whose every word is hostile: names, units, meanings, description, insight, reasons, the name of the run."""
    store = runs.open_store(database)
    problem = logistic_problem(60)
    data = problem.dataset
    states = tuple(replace(one, name=MARK, unit=MARK, meaning=MARK) for one in data.states)
    time = replace(data.time, name=f"time {MARK}", unit=MARK)
    dataset = replace(data, name=MARK, states=states, time=time)
    run = runs.start(store, replace(problem, dataset=dataset, description=MARK), name=MARK)
    scripted(store, run)
    key = TermKey(0, "x**3")
    said = Intervention(reason=MARK, remark=MARK, insight=MARK, ban=(TermNote(key, MARK),),
                        variables=(VariableNote(MARK, "h", MARK),))  # fmt: skip
    runs.intervene(store, run, said)
    return run


def test_no_element_of_a_strangers_text_is_on_any_page(page, address, hostile, database, tmp_path):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for place in ("discover", "equations", "history", "data", "start", "lessons", "benchmarks", "settings"):
        page.goto(f"{address}/{place}?run={hostile}")
        settled(page)
        assert page.evaluate(FOUND) == [], place
        if place in ("discover", "equations"):
            page.wait_for_selector(".js-plotly-plot .main-svg")
            assert page.evaluate(FOUND) == [], f"{place}, its charts"
            text = " ".join(page.locator(".js-plotly-plot").all_text_contents())
            assert '<b class="injected">' in text, "the charts show the name as it is"
    report = tmp_path / "report.html"
    report.write_bytes(export(runs.load(runs.open_store(database), hostile), "report").content)
    page.goto(report.as_uri())
    assert page.evaluate(FOUND) == []
    assert '<b class="injected">' in page.inner_text("body")
    assert not [url for url in asked if EVIL in url]
