"""Discover: a person's word is recorded with author, reason and the evidence of the moment, and obeyed."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ButtonGroup, TextInput

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.loop import is_found
from dolq_core.records import Blocks, FamilyKey, Intervention, Iteration, Override, TermKey, TermNote
from dolq_core.views.equations import panels
from dolq_core.views.summary import asked, verdict
from pages.ui import session, words
from tests import stored
from tests.app.scenes import app, disputed, press, read, reloaded, shown, two_attempts
from tests.every import every, none
from tests.loop.states import logistic_problem
from tests.stored import fitted

SQUARE = TermKey(0, "x**2")


def choice(at: AppTest, run: str, skeleton: str = "x**2", withdrawn: int = 0) -> ButtonGroup[str]:
    start = f"choice·{run}·{withdrawn}·0·{skeleton}·"
    return next(one for one in at.segmented_control if (one.key or "").startswith(start))


def reason(at: AppTest, run: str, skeleton: str = "x**2") -> TextInput:
    return next(one for one in at.text_input if (one.key or "").startswith(f"reason·{run}·0·0·{skeleton}·"))


def last_word(run: str) -> Intervention:
    said = [entry for entry in runs.load(runs.open_store(), run).entries if isinstance(entry, Intervention)]
    return said[-1]


def test_a_disputed_term_stands_open_with_both_sides():
    at = app("discover", disputed())
    assert "**Disagreement.** Scientist: “From the script\\.” Numbers: without it the cross-validated" in shown(at)
    assert "**1 term in dispute.**" in shown(at)


def test_a_dispute_about_a_settled_law_is_told_one_way_in_the_header_the_banner_and_the_bar(monkeypatch):
    run = disputed(2)
    now = runs.load(runs.open_store(), run)
    assert verdict(now.state).status == "settled"
    assert is_found(now.state)
    monkeypatch.setattr(session, "end_of", lambda _: "Found: every equation is settled.")
    at = app("discover", run)
    said = read(at)
    assert "Waiting for you" not in said
    assert "Choose, or leave it" not in said
    assert ":material/balance: 1 term in dispute]" in shown(at)
    assert [one.value for one in at.info] == [
        words.plain("Found: every equation is settled. 1 term in dispute. The law stands unless you choose otherwise.")
    ]
    assert "**1 term in dispute.** The law stands unless you choose otherwise." in shown(at)


def test_a_settled_law_whose_words_disagree_on_one_of_its_terms_waits_for_nobody():
    state = runs.load(runs.open_store(), disputed(2)).state
    review = replace(state.last.evaluation.review, conflict="Words and numbers disagree again on x**2.")
    last = replace(state.last, evaluation=replace(state.last.evaluation, review=review))
    assert asked(replace(state, last=last)) == "1 term in dispute"


def test_a_dispute_about_what_was_only_tried_is_none_about_the_law():
    problem, grades = logistic_problem(60), {"sin(x)": "bad"}
    run = stored.scripted(problem, [[["x", "x**2"]]], [[["x", "sin(x)"]]], grades=grades)
    (panel,) = panels(run)
    assert [row.text for row in panel.rows if row.conflict] == ["sin(x)"]
    at = app("discover", run.id)
    assert "Waiting for you" not in shown(at)
    assert "**1 term in dispute**, of what was tried and not of the law. Choose, or leave it." in shown(at)


def test_words_that_speak_of_another_system_stand_first_and_once():
    store = runs.open_store()
    words = "A glider flies with lift and weight; its angle and heading turn along the path."
    run = runs.start(store, logistic_problem(200, words), name="Logistic")
    runs.step_once(store, run)
    at = app("discover", run)
    told = [element.value for element in at.markdown]
    first = next(i for i, text in enumerate(told) if "Words and data disagree" in text)
    assert first < next(i for i, text in enumerate(told) if r"\displaystyle" in text)
    assert sum("Words and data disagree" in text for text in told) == 1
    assert "Waiting for you" in shown(at)


def test_a_choice_names_its_equation_where_there_are_several():
    run = stored.scripted(load_bundled("system-2"), [[["x0"], ["x0"]]]).id
    at = app("discover", run)
    choice(at, run, "x0").set_value("remove").run()
    assert "**1 change.** Remove $x_{0}$ in " in shown(at).replace("x0", "x_{0}")


def test_a_choice_is_named_in_the_bar_and_is_nowhere_else_before_it_is_applied():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("hold").run()
    assert "**1 change.** Hold $x^{2}$; the machine would remove it." in shown(at)
    assert len(runs.load(runs.open_store(), run).entries) == 2


def test_what_a_browser_still_shows_is_not_taken_for_a_choice():
    """Another tab, or the machine, decided anew: what this one showed until then comes with its next click."""
    run, store = disputed(), runs.open_store()
    runs.intervene(store, run, Intervention(overrides=(Override(SQUARE, "hold"),)))
    at = app("discover", run)
    assert choice(at, run).value == "hold"
    choice(at, run).set_value("hold")  # as a browser sends it, changed or not
    shows_hold = at._tree
    runs.intervene(store, run, Intervention(overrides=(Override(SQUARE, "keep"),)))
    at.run()
    assert choice(at, run).value == "keep"
    at._tree = shows_hold
    at.run()
    assert choice(at, run).value == "keep"
    assert "1 change" not in shown(at)


def test_an_applied_choice_is_recorded_with_author_reason_and_the_evidence_of_the_moment():
    run = disputed()
    at = app("discover", run)
    reason(at, run).input("It saturates because food runs out").run()
    choice(at, run).set_value("keep").run()
    press(at, "Apply")
    word = last_word(run)
    assert word.by == "human"
    (override,) = word.overrides
    assert (override.key, override.choice) == (SQUARE, "keep")
    assert override.reason == "It saturates because food runs out"
    assert (override.machine, override.semantic) == ("remove", "bad")
    assert override.ablation is not None
    assert override.ablation.refitted > 100


def test_a_reload_finds_the_choices_that_wait():
    run = disputed()
    at = app("discover", run)
    reason(at, run).input("It saturates because food runs out").run()
    choice(at, run).set_value("keep").run()
    choice(at, run, "x").set_value("remove").run()
    again = reloaded(at, "discover")
    assert not again.exception
    assert "**2 changes.**" in shown(again)
    assert choice(again, run).value == "keep"
    assert reason(again, run).value == "It saturates because food runs out"
    assert choice(again, run, "x").value == "remove"
    press(again, "Apply")
    assert {one.choice for one in last_word(run).overrides} == {"keep", "remove"}
    assert "changes.**" not in shown(again)
    assert "draft" not in again.query_params


def test_a_run_that_is_opened_by_its_address_alone_has_the_choices_that_wait():
    """A look at another page by its address began a session without them, and nothing said that they were gone."""
    run = disputed()
    at = app("discover", run)
    reason(at, run).input("It saturates because food runs out").run()
    choice(at, run).set_value("keep").run()
    again = app("discover", run)
    assert "**1 change.**" in shown(again)
    assert reason(again, run).value == "It saturates because food runs out"
    assert "change.**" not in shown(app("discover", disputed(2)))
    press(again, "Withdraw")
    assert "change.**" not in shown(app("discover", run))


def test_a_tab_with_choices_of_its_own_keeps_them_beside_those_of_another():
    run = disputed()
    first, second = app("discover", run), app("discover", run)
    choice(first, run, "x").set_value("remove").run()
    choice(second, run, "x").set_value("pin").run()
    assert choice(first.run(), run, "x").value == "remove"
    press(first, "Apply")
    assert "**1 change.**" in shown(second.run())
    assert [one.choice for one in last_word(run).overrides] == ["remove"]


def test_choices_that_were_withdrawn_are_not_found_again():
    run = disputed()
    at = app("discover", run)
    choice(at, run, "x").set_value("remove").run()
    address = at.query_params["draft"]
    at.switch_page("pages/settings/page.py").run()
    del at.query_params["draft"]  # as a browser does
    at.switch_page("pages/discover/page.py").run()
    assert at.query_params["draft"] == address, "it is said again on the page that was gone back to"
    assert "**1 change.**" in shown(reloaded(at, "discover"))
    press(at, "Withdraw")
    assert "draft" not in at.query_params
    at.query_params["draft"] = address
    assert "**1 change.**" not in shown(reloaded(at, "discover"))


def test_a_vetoed_term_is_gone_from_the_next_iteration_and_stays_banned():
    run = disputed(blocks=Blocks(functions=(), ratios=False, inner=False, time=False))  # powers alone come in its place
    at = app("discover", run)
    choice(at, run, "x").set_value("remove").run()
    press(at, "Apply and continue")
    after = runs.load(runs.open_store(), run)
    assert not at.exception
    assert after.state.iteration == 2
    assert after.state.bans[TermKey(0, "x")].by == "human"
    last = after.entries[-1]
    assert isinstance(last, Iteration)
    assert every(term.skeleton != "x" for c in last.proposal.candidates for term in c.terms[0])
    assert any(":material/lock: you" in list(table.value.get("By", [])) for table in at.table)


def test_after_a_veto_nothing_speaks_of_the_law_that_was_ruled_out_as_if_it_stood():
    run = runs.start(runs.open_store(), load_bundled("yeast"))
    runs.step_once(runs.open_store(), run)
    at = app("discover", run)
    assert "Nobody disagrees" not in shown(at), "it is found"
    assert "**Insight so far**" in shown(at)
    choice(at, run, "yeast").set_value("remove").run()
    press(at, "Apply")
    assert "**Tried now**, ruled out since" in shown(at)
    assert "**Insight before your word**" in shown(at)
    assert "Your word counts from now on." in shown(at)
    assert "Nobody disagrees" not in shown(at)


@pytest.mark.parametrize("ruled_out", ["1", None])
def test_nobody_is_said_to_agree_while_a_veto_stands(ruled_out: str | None):
    store, run = runs.open_store(), two_attempts(["x", "1"], ["x", "x**3"])
    first, second = run.entries[1:]
    other = runs.start(store, run.state.problem, run.state.settings)
    store.append(other, 1, first)
    if ruled_out:
        runs.intervene(store, other, Intervention(overrides=(Override(TermKey(0, ruled_out), "remove", ""),)))
    store.append(other, 2 + bool(ruled_out), second)
    assert ("Nobody disagrees" in shown(app("discover", other))) == (ruled_out is None)


def test_nobody_is_said_to_agree_where_there_is_no_law():
    run = fitted(logistic_problem(60), [["x**3"]])
    assert verdict(run.state).status == "none"
    assert "Nobody disagrees" not in shown(app("discover", run.id))


def test_the_terms_of_what_is_no_law_are_said_once_to_be_graded_within_it():
    none, law = fitted(logistic_problem(60), [["x**3"]]), fitted(logistic_problem(60), [["x", "x**2"]])
    for page in ("discover", "equations"):
        assert read(app(page, none.id)).count("Its terms are graded within this structure, which is no law.") == 1
        assert "graded within" not in read(app(page, law.id))


def test_a_reason_turns_agreement_into_a_word_of_ones_own():
    run = disputed()
    at = app("discover", run)
    reason(at, run).input("Nothing crowds here").run()
    assert "Remove $x^{2}$, as the machine would." in shown(at)
    press(at, "Apply")
    assert runs.load(runs.open_store(), run).state.bans[SQUARE].by == "human"


def test_an_edit_of_one_iteration_never_lands_on_a_term_of_the_next():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("pin").run()
    runs.step_once(runs.open_store(), run)  # the run goes on in another window
    at.run()
    assert "Still to be applied: pin x" in read(at)
    assert "**1 change.** Pin" in shown(at)
    now = runs.load(runs.open_store(), run)
    rows = [row for panel in panels(now) for row in panel.rows]
    assert SQUARE in [row.key for row in rows]
    for row in rows:
        chosen = "pin" if row.key == SQUARE else row.action
        assert choice(at, run, row.key.skeleton).value == chosen
    assert not now.state.pins
    at.run()
    assert "Still to be applied" not in read(at)
    press(at, "Apply")
    assert list(runs.load(runs.open_store(), run).state.pins) == [SQUARE]


def test_a_choice_on_a_term_that_is_gone_by_now_still_counts():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("remove")
    reason(at, run).input("No crowding here").run()
    runs.intervene(runs.open_store(), run, Intervention(ban=(TermNote(SQUARE),)))
    runs.step_once(runs.open_store(), run)
    at.run()
    assert "no longer in the equation" in shown(at)
    press(at, "Apply")
    assert runs.load(runs.open_store(), run).state.bans[SQUARE].reason == "No crowding here"


def test_pending_choices_survive_a_change_of_page():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("hold").run()
    at.switch_page("pages/equations/page.py").run()
    at.switch_page("pages/discover/page.py").run()
    assert "**1 change.** Hold" in shown(at)
    assert choice(at, run).value == "hold"


def test_withdraw_takes_every_change_back():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("hold").run()
    press(at, "Withdraw")
    assert "1 change" not in shown(at)
    assert choice(at, run, withdrawn=1).value == "remove"


def test_step_does_one_iteration_and_commits_it():
    run = disputed()
    at = app("discover", run)
    press(at, "Step")
    assert runs.load(runs.open_store(), run).state.iteration == 2
    assert "Iteration 2 of 10" in shown(at)


def test_a_step_waits_for_changes_that_are_not_applied():
    run = disputed()
    at = app("discover", run)
    choice(at, run).set_value("hold").run()
    press(at, "Step")
    assert runs.load(runs.open_store(), run).state.iteration == 1
    assert "Go on with your 1 change, or without?" in shown(at)


def test_a_typed_term_is_checked_and_becomes_a_proposal():
    run = disputed()
    at = app("discover", run)
    at.text_input(key="try.term").input("np.sinc(x)").run()
    assert "Cannot read the term" in shown(at)
    at.text_input(key="try.term").input("2*x**3").run()
    at.text_input(key="try.reason").input("a guess").run()
    press(at, "Add to the changes")
    assert "Try $x^{3}$." in shown(at)
    press(at, "Apply")
    (note,) = last_word(run).propose
    assert (note.key, note.reason) == (TermKey(0, "x**3"), "a guess")


def test_an_example_of_a_term_is_in_the_columns_own_names():
    """`N_**2` was shown to a person whose column is N: a name of ours, as N means something in Python's algebra."""
    one, other = logistic_problem(60).dataset, ("N [10^6/ml]", "N_")
    dataset = replace(one, states=(replace(one.states[0], name=other[0], symbol=other[1]),))
    run = runs.start(runs.open_store(), replace(logistic_problem(60), dataset=dataset))
    runs.step_once(runs.open_store(), run)
    assert app("discover", run).text_input(key="ban.term").placeholder == "N**2 or sin(N)"


def test_a_term_is_banned_by_typing_and_the_ban_is_lifted():
    run = disputed()
    at = app("discover", run)
    at.text_input(key="ban.term").input("sin(x)").run()
    at.text_input(key="ban.reason").input("No angle here").run()
    press(at, "Ban this term")
    key = TermKey(0, "sin(x)")
    assert runs.load(runs.open_store(), run).state.bans[key].reason == "No angle here"
    at.selectbox(key="unban.term").set_value(key).run()
    press(at, "Lift the ban")
    assert key not in runs.load(runs.open_store(), run).state.bans


def test_description_and_remark_are_edited_as_interventions():
    run = disputed(description="A culture.")
    at = app("discover", run)
    next(area for area in at.text_area if "What is this system" in area.label).input("A culture that starves.").run()
    assert "Not saved yet." in read(at)
    assert at.session_state[f"description·{run}·1·held"] == "A culture that starves."
    press(at, "Save the words")
    assert "Not saved yet." not in read(at)
    next(area for area in at.text_area if "Your remark" in area.label).input("Look at the end.").run()
    press(at, "Save")
    state = runs.load(runs.open_store(), run).state
    assert (state.problem.description, state.problem.version) == ("A culture that starves.", 2)
    assert state.remark == "Look at the end."


def test_units_meanings_and_insight_are_edited_and_every_version_is_shown_with_what_changed():
    run = disputed(description="A culture in a flask.")
    at = app("discover", run)
    next(area for area in at.text_area if "What is this system" in area.label).input("A culture in a jar.").run()
    at.text_input(key=f"unit·{run}·1·x").input("g/l")
    at.text_input(key=f"meaning·{run}·1·x").input("dry mass").run()
    press(at, "Save the words")
    next(area for area in at.text_area if area.label == "Insight").input("It starves in the end.").run()
    press(at, "Save")
    state = runs.load(runs.open_store(), run).state
    assert (state.problem.dataset.states[0].unit, state.problem.dataset.states[0].meaning) == ("g/l", "dry mass")
    assert (state.problem.version, state.insight) == (2, "It starves in the end.")
    assert "Version 2, by you, from iteration 2 on" in read(at)
    changes = " ".join(block.value for block in at.html if "dolq-changes" in block.value)
    assert "<del>flask.</del> <ins>jar.</ins>" in changes
    assert "<del>saturates.</del>" in changes


def test_what_a_person_is_writing_survives_an_iteration_and_an_untouched_field_follows_it():
    run = disputed()
    at = app("discover", run)
    assert next(area for area in at.text_area if area.label == "Insight").value == "It saturates."
    next(area for area in at.text_area if "Your remark" in area.label).input("Half a sentence").run()
    runs.intervene(runs.open_store(), run, Intervention(insight="Something else."))
    at.run()
    texts = {area.label: area.value for area in at.text_area}
    assert texts["Insight"] == "Something else."
    assert texts["Your remark, for both agents"] == "Half a sentence"


def test_a_kind_of_terms_is_banned_and_let_in_again():
    run = disputed()
    at = app("discover", run)
    at.segmented_control(key="ban.what").set_value("family").run()
    family = FamilyKey(0, "power", "x")
    at.selectbox(key="kind.of·0").set_value(family).run()
    assert "of the terms so far." in shown(at)
    press(at, "Ban this kind")
    assert family in runs.load(runs.open_store(), run).state.families
    assert "1 kind of terms banned" in shown(at)
    assert "0 terms banned" not in shown(at)
    at.selectbox(key="unban.term").set_value(family).run()
    press(at, "Lift the ban")
    assert not runs.load(runs.open_store(), run).state.families


def test_a_whole_equation_is_fitted_at_once_and_tried_in_the_next_iteration():
    run = disputed()
    at = app("discover", run)
    at.segmented_control(key="try.what").set_value("equation").run()
    at.text_input(key="whole.text").input("dx/dt = x - y").run()
    assert "not known" in read(at)
    at.text_input(key="whole.text").input("dx/dt = 3*x - x**3").run()
    assert "Its squared error is" in read(at)
    assert "measured on the rate" in read(at)
    at.text_input(key="whole.reason").input("Cubic death").run()
    press(at, "Add to the changes")
    assert "Try the equation dx/dt = 3*x - x**3" in read(at)
    press(at, "Apply")
    (note,) = runs.load(runs.open_store(), run).state.equations
    assert (note.equation, note.skeletons, note.reason) == (0, ("x", "x**3"), "Cubic death")


def test_a_typed_term_can_be_pinned():
    run = disputed()
    at = app("discover", run)
    at.text_input(key="try.term").input("sqrt(x)").run()
    at.checkbox(key="try.pin").check().run()
    press(at, "Add to the changes")
    press(at, "Apply")
    assert [key.skeleton for key in runs.load(runs.open_store(), run).state.pins] == ["sqrt(x)"]


def test_an_unknown_run_is_said_plainly():
    at = app("discover", "nowhere")
    assert not at.exception
    assert "there is no such run" in shown(at)
    assert "Try it on yeast" in shown(at)


def test_a_typed_term_is_fitted_at_once_and_scored_against_the_best():
    at = app("discover", disputed())
    at.text_input(key="try.term").input("x**3").run()
    assert "squared error" in shown(at)
    assert "term" in shown(at).split("squared error")[1]
    assert len(runs.load(runs.open_store(), at.query_params["run"]).entries) == 2


def test_a_typed_equation_says_which_ban_it_lifts():
    run = disputed()
    square = TermKey(0, runs.load(runs.open_store(), run).state.best[0].fit.terms[-1].skeleton)
    runs.intervene(runs.open_store(), run, Intervention(ban=(TermNote(square, "no"),)))
    at = app("discover", run)
    at.segmented_control(key="try.what").set_value("equation").run()
    for text, says in ((str(square.skeleton), True), ("1", False)):
        at.text_input(key="whole.text").input(text).run()
        assert ("trying this lifts the ban" in shown(at)) == says


def test_rows_of_noise_ask_for_nothing_once_the_run_has_ended_without_a_law():
    run = runs.load(runs.open_store(), disputed())
    going = replace(run, state=replace(run.state, best=(None,) * len(run.state.best), since_better=0))
    ended = replace(going, state=replace(going.state, since_better=going.state.settings.patience))
    asked = [sum(row.conflict for panel in panels(run) for row in panel.rows) for run in (going, ended)]
    assert asked == [sum(verdict.conflict for verdict in run.state.last.verdicts), 0]
    assert asked[0]


def test_a_kind_to_ban_is_called_as_the_column_is_without_a_backslash():
    given = logistic_problem(60)
    named = replace(given.dataset, states=(replace(given.dataset.states[0], name="n_e"),))
    at = app("discover", stored.scripted(replace(given, dataset=named), [[["x", "x**2"]]]).id)
    at.segmented_control(key="ban.what").set_value("family").run()
    options = at.selectbox(key="kind.of·0").options
    assert "every term with n_e" in options
    assert none("\\" in option for option in options)


def test_numbers_typed_in_an_equation_are_said_to_be_fitted_again():
    at = app("discover", disputed())
    at.segmented_control(key="try.what").set_value("equation").run()
    assert "numbers in front of them are fitted, typed or not" in shown(at)
    at.text_input(key="whole.text").input("2*x - 3*x**2").run()
    assert "The numbers that you typed are fitted again." in read(at)
