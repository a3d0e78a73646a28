"""History: the list of runs, what happened in one, and two beside each other."""

import re

from dolq_core import runs
from dolq_core.jobs import Snapshot
from dolq_core.ports import RunInfo
from dolq_core.records import Intervention, Override, Settings, TermKey, TermNote
from dolq_core.views.files import export
from dolq_core.views.summary import summary
from pages.ui import jobs
from tests.app.scenes import app, disputed, press, read, scripted, shown
from tests.loop.states import logistic_problem


def runs_now() -> tuple[RunInfo, ...]:
    return runs.list_runs(runs.open_store())


class TestRuns:
    def test_a_line_tells_status_error_and_that_no_model_takes_part(self):
        run = disputed()
        said = read(app("history", run))
        (info,) = runs_now()
        line = summary(runs.open_store(), info)
        assert line.status in said
        assert "no model" in said
        assert "Filter" not in said

    def test_a_run_without_an_iteration_is_not_said_to_rest_a_terminal_may_be_at_work_on_it(self, monkeypatch):
        new = runs.start(runs.open_store(), logistic_problem())
        said = read(app("history", new))
        assert "no iteration yet" in said
        assert "not started" not in said
        monkeypatch.setattr(jobs, "snapshot", lambda run: Snapshot(run, "step", 0, "sample"))
        said = read(app("history", new))
        assert "no iteration yet" not in said
        assert "at work" in said

    def test_a_run_is_opened_from_the_list(self):
        first, second = disputed(), disputed(2)
        at = app("history", first)
        at.button(key=f"open_{second}").click().run()
        assert at.query_params["run"] == second

    def test_many_runs_are_filtered_by_name_or_data(self):
        store = runs.open_store()
        for number in range(11):
            runs.start(store, logistic_problem(), name=f"Run {number}")
        at = app("history")
        assert "Run 10" in shown(at)
        at.text_input(key="runs.filter").input("run 10").run()
        assert [button.label.startswith("Open *") for button in at.button].count(True) == 1
        at.text_input(key="runs.filter").input("glider").run()
        assert "No run matches." in shown(at)

    def test_only_the_last_runs_are_drawn_until_more_are_asked_for(self):
        store = runs.open_store()
        for number in range(11):
            runs.start(store, logistic_problem(), name=f"Run {number}")
        at = app("history")
        assert sum(button.label.startswith("Open *") for button in at.button) == 5
        press(at, "Show 6 older runs")
        assert sum(button.label.startswith("Open *") for button in at.button) == 11

    def test_the_open_run_is_in_the_list_however_old_it_is(self):
        store = runs.open_store()
        oldest = [runs.start(store, logistic_problem(), name=f"Run {number}") for number in range(11)][0]
        at = app("history", oldest)
        labels = [button.label for button in at.button]
        assert "Open now *Run 0*" in labels
        assert "Show 5 older runs" in labels

    def test_the_open_run_gets_another_name(self):
        at = app("history", disputed())
        at.text_input[0].input("*Mine*")
        press(at, "Rename the run")
        assert runs_now()[0].name == "*Mine*"
        assert "What happened in *Mine*" in read(at)

    def test_a_run_is_deleted_for_good_and_the_others_stay(self):
        run, other = disputed(), disputed()
        at = app("history", run)
        press(at, "Delete for good")
        assert not at.exception
        assert [info.id for info in runs_now()] == [other]
        assert "What happened in" not in read(at)

    def test_an_empty_name_is_answered_with_the_way_out(self):
        at = app("history", disputed())
        at.text_input[0].input(" ")
        press(at, "Rename the run")
        assert "Type a name" in read(at)
        assert runs_now()[0].name == "Logistic"


def opened(at, run, number):
    """Open an iteration, as a click does."""
    at.session_state[f"iteration·{run}·{number}"] = True
    return at.run()


class TestTimeline:
    def test_an_iteration_is_drawn_only_when_it_is_opened(self):
        run = disputed()
        at = app("history", run)
        assert "**Iteration 1**: 1 kept, 1 removed" in shown(at)
        assert "Sampled" not in shown(at)
        said = read(opened(at, run, 1))
        phases = [said.index(f"**{n}. ") for n in range(1, 6)]
        assert phases == sorted(phases)
        assert "Scientist and numbers disagree" in said

    def test_sampled_and_fitted_terms_stand_in_tables_with_their_reasons(self):
        run = disputed()
        at = opened(app("history", run), run, 1)
        sampled, fitted, judged, simulated = (table.value for table in at.table)
        assert list(sampled["Term"]) == ["$x$", "$x^{2}$"]
        assert list(fitted["What became of it"]) == ["**tried further**"]
        assert list(judged["Scientist"]) == ["good", "bad"]
        assert list(simulated["State"]) == ["x"]

    def test_what_was_taken_back_stays_in_sight_and_the_number_may_come_again(self):
        run = disputed()
        runs.take_back(runs.open_store(), run, "A slip")
        runs.step_once(runs.open_store(), run)
        at = app("history", run)
        assert not at.exception
        assert [box.label.startswith("**Iteration 1**") for box in at.expander] == [True, True]
        assert "Taken back later" in shown(at)
        assert "**You** took back iteration 1 · A slip" in shown(at)

    def test_machine_and_person_are_told_apart(self):
        run = disputed()
        word = Override(TermKey(0, "x"), "hold", "Let us see", "keep")
        runs.intervene(runs.open_store(), run, Intervention(overrides=(word,)))
        said = shown(app("history", run))
        assert ":material/person: **You**" in said
        assert "the machine would keep it · Let us see" in said

    def test_a_pin_of_what_the_machine_keeps_contradicts_nobody(self):
        run = disputed()
        word = Override(TermKey(0, "x"), "pin", "Known", "keep")
        runs.intervene(runs.open_store(), run, Intervention(overrides=(word,)))
        assert "the machine would keep it too · Known" in shown(app("history", run))

    def test_a_long_log_shows_its_last_entries_and_the_older_ones_when_asked(self):
        run = disputed()
        for number in range(30):
            runs.intervene(runs.open_store(), run, Intervention(remark=f"Remark {number}."))
        at = app("history", run)
        assert "**Started**" not in shown(at)
        at = press(at, "Show older (22 entries more)")
        assert "**Started**" not in shown(at)
        at = press(at, "Show older (2 entries more)")
        assert "**Started**" in shown(at)

    def test_a_run_is_forked_without_a_word_of_the_person(self):
        run = disputed()
        runs.intervene(runs.open_store(), run, Intervention(ban=(TermNote(TermKey(0, "x"), "no"),)))
        runs.step_once(runs.open_store(), run)
        at = app("history", run)
        assert [one.value for one in at.caption if one.value.startswith("Entry ")] == [
            f"Entry {k}" for k in (4, 3, 2, 1)
        ]
        press(at, "Fork without it")
        new = next(info for info in runs_now() if info.id != run)
        assert new.name == "Logistic, without entry 3"
        assert (new.iterations, new.interventions) == (1, 0)
        assert runs.load(runs.open_store(), run).state.iteration == 2


class TestCompare:
    def forked(self) -> tuple[str, str]:
        """A run with a word, and its fork without it, each one iteration further."""
        store = runs.open_store()
        run = runs.start(store, logistic_problem(60), name="Logistic")
        scripted(store, run)
        runs.intervene(store, run, Intervention(ban=(TermNote(TermKey(0, "x**2"), "no"),)))
        scripted(store, run)
        new = runs.fork(store, run, 2, "Logistic, without entry 3")
        scripted(store, new)
        return run, new

    def test_a_run_alone_has_nothing_to_be_compared_with(self):
        assert not [box for box in app("history", disputed()).selectbox if box.label.startswith("Compare")]

    def test_a_fork_is_compared_with_its_origin_by_one_click(self):
        _, new = self.forked()
        said = read(press(app("history", new), "Compare with Logistic"))
        assert "Did your word help?" in said
        assert (
            "Both have entries 1 to 2 in common; then without it: iteration 2; with it: your word (ban x**2)." in said
        )
        assert "No, it made the error larger" in said
        assert "only without it: $x^{2}$" in said
        assert re.search(r"x: \w+( law)? with it, settled without it\.", said)

    def test_a_fork_that_has_not_gone_on_is_answered_honestly(self):
        run, _ = self.forked()
        new = runs.fork(runs.open_store(), run, 2, "Idle")
        at = app("history", new)
        at.selectbox(key=f"compare·{new}").set_value(run).run()
        assert "No, it made the error larger" in read(at), "the run without it is settled and need not go on"
        assert "without." in read(at).partition("Iterations since: ")[2].partition(" 0 ")[2]
        assert "step the run" not in read(at)

    def test_a_fork_without_a_law_has_to_go_on_before_there_is_an_answer(self):
        store = runs.open_store()
        run = runs.start(store, logistic_problem(60), name="Logistic")
        runs.intervene(store, run, Intervention(ban=(TermNote(TermKey(0, "x**2"), "no"),)))
        scripted(store, run)
        new = runs.fork(store, run, 1, "Idle")
        at = app("history", new)
        at.selectbox(key=f"compare·{new}").set_value(run).run()
        assert "No answer yet: step the run without it, then compare again." in read(at)

    def test_any_two_runs_are_compared_by_what_differs(self):
        store = runs.open_store()
        one = runs.start(store, logistic_problem(60, "It <b>grows</b>."), Settings(patience=7), name="One")
        other = runs.start(store, logistic_problem(60, "It saturates."), name="Other")
        at = app("history", one)
        at.selectbox(key=f"compare·{one}").set_value(other).run()
        assert not at.exception
        differing = next(table.value for table in at.table if "At the start" in table.value)
        assert list(differing.iloc[0]) == ["Patience, in iterations", "7", "3"]
        assert any(list(table.value.iloc[0]) == ["no law of x"] * 2 for table in at.table), "of neither run"
        marked = next(block.proto.body for block in at.get("html") if "<ins>" in block.proto.body)
        assert "&lt;b&gt;grows&lt;/b&gt;" in marked
        assert "<del>" in marked
        assert "Did your word help?" not in read(at)


def test_a_bundle_becomes_a_run_that_is_opened():
    store = runs.open_store()
    run = runs.load(store, disputed())
    bundle = export(run, "bundle").content
    at = app("history")
    at.file_uploader[0].set_value(("logistic.zip", bundle, "application/zip"))
    at = press(at, "Import the run")
    assert not at.exception
    here = at.query_params["run"]
    (again,) = [here] if isinstance(here, str) else here
    assert again != run.id
    assert runs.load(store, again).entries == run.entries
    assert f"A copy: Logistic (run {run.id}) has the same log." in read(at)


def test_what_is_no_bundle_is_answered_in_words():
    at = app("history")
    at.file_uploader[0].set_value(("a.zip", b"PK nothing", "application/zip"))
    at = press(at, "Import the run")
    assert "The bundle: it cannot be unpacked" in read(at)
    assert not runs.list_runs(runs.open_store())
