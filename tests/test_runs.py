"""The face of the core: runs are kept, listed, resumed, spoken to, and never written over."""

from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from dolq_core import runs
from dolq_core.bundled import generate, load_bundled
from dolq_core.errors import AgentError, DataError, StoreError, TermError
from dolq_core.records import Intervention, ModelChoice, Models, Override, Settings, TermKey, TermNote
from dolq_core.runs import running
from dolq_core.store.memory import MemoryStore
from dolq_core.views.equations import panels
from dolq_core.views.history import marks
from dolq_core.views.summary import result, summary
from dolq_core.views.terms import bans, read_key
from dolq_core.views.trajectories import curves
from tests.every import every
from tests.loop.states import logistic_problem
from tests.stored import found

SQUARE = TermKey(0, "x**2")


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
    return runs.start(store, logistic_problem(), Settings(forget_probability=0.0))


def test_a_resumed_run_ends_as_the_uninterrupted_one(tmp_path):
    ends = []
    for name, reopen in (("whole", False), ("resumed", True)):
        path = tmp_path / f"{name}.db"
        store = runs.open_store(path)
        run = runs.start(store, logistic_problem())
        for _ in range(2):
            runs.step_once(store, run)
            if reopen:
                running._known.clear()  # as after a restart
                store = runs.open_store(path)
        ends.append(result(runs.load(store, run))["equations"])
    assert ends[0] == ends[1]


def test_what_another_process_appended_is_seen(tmp_path):
    here, there = runs.open_store(tmp_path / "a.db"), runs.open_store(tmp_path / "a.db")
    run = runs.start(here, logistic_problem())
    runs.load(here, run)
    runs.step_once(there, run)
    assert runs.load(here, run).state.iteration == 1


def test_a_veto_is_recorded_with_its_author_and_never_proposed_again(store, run):
    runs.step_once(store, run)
    runs.intervene(store, run, Intervention(overrides=(Override(SQUARE, "remove", "not here"),)))
    done = runs.step_once(store, run)
    proposed = {t.skeleton for c in done.state.last.proposal.candidates for terms in c.terms for t in terms}
    assert "x**2" not in proposed
    (ban,) = [row for row in bans(done) if row.key == SQUARE]
    assert (ban.by, ban.reason) == ("human", "not here")


def test_a_word_about_an_old_state_is_refused_and_says_what_to_do(store, run):
    seen = len(runs.load(store, run).entries)
    runs.step_once(store, run)
    with pytest.raises(StoreError, match="went on in the meantime"):
        runs.intervene(store, run, Intervention(remark="late"), at=seen)


def test_panels_show_conflicts_first_and_both_figures(store, run):
    (panel,) = panels(runs.step_once(store, run))
    assert [row.text for row in panel.rows if row.action == "keep"] == ["x", "x**2"]
    assert every(row.refitted > 1 for row in panel.rows)
    assert panel.status == "settled"


def test_curves_carry_the_model_and_its_score(store, run):
    (curve,) = curves(runs.step_once(store, run))
    assert curve.model is not None
    assert curve.nmse[0] < 1e-3


def test_interventions_are_marked_on_the_time_line_in_words(store, run):
    runs.step_once(store, run)
    said = runs.intervene(store, run, Intervention(overrides=(Override(SQUARE, "hold", ""),), remark="hm"))
    (mark,) = marks(said)
    assert (mark.iteration, mark.words) == (1, "hold x**2, a remark")


def test_auto_mode_stops_by_itself_and_says_why(store, run):
    done = runs.auto(store, run)
    assert runs.reason_to_stop(done) == "Found: every equation is settled."


def test_an_iteration_keeps_the_linear_algebra_to_one_thread_and_gives_the_others_back(store, run):
    def threads(*_):
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    with threadpool_limits(2, user_api="blas"):
        inside = []
        runs.step_once(store, run, on_phase=lambda *_: inside.append(threads()))
        assert threads() == {2}
    assert inside
    assert every(one == {1} for one in inside)


def test_a_typed_term_is_read_in_own_names(store, run):
    state = runs.load(store, run).state
    assert read_key(state, 0, "2*x*x") == SQUARE
    with pytest.raises(TermError, match="'y'"):
        read_key(state, 0, "y")


def test_unknown_agents_and_unknown_runs_are_named(store):
    with pytest.raises(AgentError, match="nobody"):
        runs.start(store, logistic_problem(), agents="nobody")
    with pytest.raises(StoreError, match="no-such"):
        runs.load(store, "no-such")


def test_a_table_that_cannot_be_read_is_refused(tmp_path):
    table = Path(tmp_path / "t.csv")
    table.write_text("t,x\n0,1\n")
    with pytest.raises(DataError):
        runs.find_problem(str(table))


def test_noisy_curves_carry_bands_around_the_model_and_clean_ones_none(store, run):
    (clean,) = curves(runs.step_once(store, run))
    (noisy,) = curves(runs.step_once(store, runs.start(store, load_bundled("yeast"))))
    assert clean.low is None
    assert ((noisy.low < noisy.model) & (noisy.model < noisy.high)).all()


def test_a_fork_has_the_log_up_to_there_and_leaves_the_other_alone(store, run):
    runs.step_once(store, run)
    runs.intervene(store, run, Intervention(ban=(TermNote(TermKey(0, "sin(x)"), "no"),)))
    old = runs.step_once(store, run)
    new = runs.load(store, runs.fork(store, run, 2))
    assert new.entries == old.entries[:2]
    assert not new.state.bans
    assert runs.load(store, run).entries == old.entries
    assert runs.step_once(store, new.id).entries[:2] == old.entries[:2]


def test_a_fork_without_the_veto_goes_as_if_it_had_never_been_said(store, run):
    untouched = runs.start(store, logistic_problem(), Settings(forget_probability=0.0))
    runs.step_once(store, run)
    runs.intervene(store, run, Intervention(ban=(TermNote(SQUARE, "no"),)))
    fork = runs.auto(store, runs.fork(store, run, 2))
    assert fork.state.best == runs.auto(store, untouched).state.best


def test_a_fork_of_no_entry_is_refused(store, run):
    for at in (0, 2):
        with pytest.raises(StoreError, match="the run has 1"):
            runs.fork(store, run, at)


# --- the list of runs: a line each, read once, and names that can change --------------------------------


def line(store, run):
    (info,) = (info for info in store.runs() if info.id == run)
    return summary(store, info)


def test_a_run_that_did_not_start_says_so_and_claims_no_figure(store, run):
    found = line(store, run)
    assert (found.status, found.settled, found.terms) == ("no iteration yet", False, 0)
    assert (found.error, found.held_out, found.tokens) == (None, None, None)


def test_a_line_has_the_figures_of_the_result(store, run):
    done = runs.step_once(store, run)
    found, scores = line(store, run), result(done)["equations"]["x"]["scores"]
    assert (found.status, found.settled, found.terms) == ("settled", True, 2)
    assert found.error == scores["integral_nmse"]
    assert found.held_out == scores["held_out_integral_nmse"]


def test_equations_are_counted_by_where_they_stand(store):
    done = found(generate(2, points=200), store, steps=1)
    run = done.id
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
