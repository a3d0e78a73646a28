"""What was said of words that a person has corrected since is told as that, on the page and in the result."""

from dolq_core import runs
from dolq_core.records import Intervention
from dolq_core.views.summary import result
from tests.app.scenes import app, disputed, read, shown
from tests.loop.states import logistic_problem


def test_what_was_said_against_words_that_were_corrected_since_is_told_as_that():
    store = runs.open_store()
    words = "A glider flies with lift and weight; its angle and heading turn along the path."
    run = runs.start(store, logistic_problem(200, words), name="Logistic")
    before = runs.step_once(store, run)
    assert result(before)["conflict"].startswith("Words and data disagree")
    assert result(before)["conflict"] in before.state.insight
    assert "disagree" not in result(before)["insight"]  # said once
    after = runs.intervene(store, run, Intervention(description="Yeast grows until its food runs short."))
    assert "Said of the earlier words: Words and data disagree" in read(app("discover", run))
    assert result(after)["conflict"] == f"Said of the earlier words: {result(before)['conflict']}"
    runs.step_once(store, run)
    assert "earlier words" not in read(app("discover", run))


def test_a_dispute_on_a_term_is_of_the_words_that_the_scientist_had_read():
    run = disputed(description="Bacteria.")
    assert "**Disagreement.** Scientist: “" in shown(app("discover", run))
    after = runs.intervene(runs.open_store(), run, Intervention(description="Bacteria that run out of food."))
    assert "**Disagreement.** Scientist, of the earlier words: “" in shown(app("discover", run))
    (one,) = result(after)["disputed"]
    assert one["reason"] == "Said of the earlier words: From the script."
