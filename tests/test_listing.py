"""The list of runs: a line each, read once, and names that can change."""

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import StoreError
from dolq_core.records import Intervention, ModelChoice, Models
from dolq_core.store.memory import MemoryStore
from dolq_core.views.equations import panels
from dolq_core.views.summary import result, summary
from tests.loop.states import logistic_problem


class CountingStore(MemoryStore):
    """Counts how often a log is read."""

    def __init__(self):
        super().__init__()
        self.read = 0

    def entries(self, run, since=0):
        self.read += 1
        return super().entries(run, since)


@pytest.fixture
def store():
    return CountingStore()


@pytest.fixture
def run(store):
    return runs.start(store, logistic_problem())


def line(store, run):
    (info,) = (info for info in store.runs() if info.id == run)
    return summary(store, info)


def test_a_run_that_did_not_start_says_so_and_claims_no_figure(store, run):
    found = line(store, run)
    assert (found.status, found.settled, found.terms) == ("not started", False, 0)
    assert (found.error, found.held_out, found.tokens) == (None, None, None)


def test_a_line_has_the_figures_of_the_result(store, run):
    done = runs.step_once(store, run)
    found, scores = line(store, run), result(done)["equations"]["x"]["scores"]
    assert (found.status, found.settled, found.terms) == ("settled 1 of 1", True, 2)
    assert found.error == scores["integral_nmse"]
    assert found.held_out == scores["held_out_integral_nmse"]


def test_equations_are_counted_by_where_they_stand(store):
    run = runs.start(store, load_bundled("lynx-hare"))
    done = runs.step_once(store, run)
    stands = [panel.status for panel in panels(done)]
    said = line(store, run).status
    assert sum(int(part.split()[-3]) for part in said.split(", ")) == len(stands)
    assert not line(store, run).settled or set(stands) == {"settled"}


def test_tokens_are_told_where_a_model_takes_part(store):
    nobody = Models(ModelChoice("openai", "m"), None)
    run = runs.start(store, logistic_problem(), agents="models", models=nobody)
    assert line(store, run).tokens == 0


def test_a_log_is_read_again_only_when_it_grew(store, run):
    line(store, run)
    before = store.read
    line(store, run)
    assert store.read == before
    runs.intervene(store, run, Intervention(remark="hm"))
    grown = store.read
    line(store, run)
    assert store.read > grown


def test_a_name_is_changed_without_its_spaces_and_an_empty_one_is_refused(store, run):
    runs.rename(store, run, "  A better name ")
    assert runs.load(store, run).name == "A better name"
    with pytest.raises(StoreError, match="it is empty"):
        runs.rename(store, run, "  ")
    assert runs.load(store, run).name == "A better name"
