"""Runs to look at, made by the real loop with agents that follow a script."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dolq_core import loop, runs
from dolq_core.fitting import Workbench
from dolq_core.ports import Store
from dolq_core.records import Blocks
from pages.ui import jobs
from pages.ui.words import JOINER
from tests import stored
from tests.loop.states import logistic_problem
from tests.scripted import ScriptedSampler, ScriptedScientist
from tests.waiting import LONGEST_S, until

ROOT = Path(__file__).parents[2]
PAGES = ("start", "data", "discover", "equations", "history", "lessons", "benchmarks", "settings")

# each AppTest reads what all installed packages say of themselves, to find components: longer than it draws a page
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def app(page: str, run: str = "", **state: Any) -> AppTest:
    """Open a page of the real app, with a run in the address or without, and draw it once."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    for key, value in state.items():
        at.session_state[key] = value
    if run:
        at.query_params["run"] = run
    at.run()
    if page != "start":
        at.switch_page(f"pages/{page}/page.py").run()
    return at


def reloaded(at: AppTest, page: str = "data") -> AppTest:
    """Return what a browser shows after a reload: a new session at the same address."""
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    for name, value in at.query_params.items():
        again.query_params[name] = value
    return again.run().switch_page(f"pages/{page}/page.py").run()


def disputed(iterations: int = 1, description: str = "", blocks: Blocks | None = None) -> str:
    """Store a run on logistic data whose Scientist calls x**2 bad, though the numbers need it; return its id."""
    attempts = ([[["x", "x**2"]]], [[["x**2", "x"]]])[:iterations]
    given = replace(logistic_problem(60, description), blocks=blocks or Blocks())
    return stored.scripted(given, *attempts, grades={"x**2": "bad"}, insight="It saturates.", name="Logistic").id


def two_attempts(first: list[str], second: list[str]) -> runs.Run:
    """Store a run on logistic data with these terms in its first and in its second attempt."""
    return stored.scripted(logistic_problem(60), [[first]], [[second]])


def alts(at: AppTest) -> list[str]:
    """Return what every chart of the page says to a screen reader."""
    return [chart.proto.alt for chart in at.get("plotly_chart")]


def scripted(store: Store, run: str) -> runs.Run:
    """Do one iteration in which x and x**2 are proposed, everything is good, and nothing else is looked for."""
    now = runs.load(store, run)
    bench = Workbench.of(now.state.problem.dataset, "auto")
    setup = loop.Setup(ScriptedSampler([[[["x", "x**2"]]]]), ScriptedScientist(), bench)
    store.append(run, len(now.entries), loop.step(now.state, setup))
    return runs.load(store, run)


def section(run: str, label: str) -> AppTest:
    """Open the Equations page on a run, with one of its tabs open."""
    return app("equations", run, examine=label)


def shown(at: AppTest) -> str:
    """Return all text of the page: what a person can read, as one string."""
    kinds = (at.title, at.header, at.markdown, at.caption, at.latex, at.info, at.warning, at.error)
    texts = [element.value for kind in kinds for element in kind]
    texts += [label for kind in (at.button, at.expander) for label in (element.label for element in kind)]
    return "\n".join(texts)


def read(at: AppTest) -> str:
    """Return what is shown without the signs that keep a stranger's words harmless."""
    return shown(at).replace("\\", "").replace(JOINER, "")


def press(at: AppTest, label: str) -> AppTest:
    """Press the button with this label and draw the page again."""
    found = [button for button in at.button if button.label == label]
    assert found, f"no button {label!r} among {[button.label for button in at.button]}"
    at = found[0].click().run()
    return worked(at)


def worked(at: AppTest) -> AppTest:
    """Wait for the job of the open run, if there is one, and draw the page as it is then."""
    here = at.query_params.get("run") or ""
    run = here if isinstance(here, str) else here[0]
    board = jobs.board()

    def told() -> bool:
        """Whether the page has told the end, and forgotten the job."""
        job = board.snapshot(run)
        if job is not None and job.ended:
            at.run()
        return job is None

    until(told, say=lambda: board.snapshot(run))
    return at
