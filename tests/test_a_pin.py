"""A pin that the numbers do not bear out: what it costs is said, and nobody is said to agree."""

from dataclasses import replace

import pytest

from dolq_core import loop, runs
from dolq_core.bundled import load_bundled
from dolq_core.cli.showing import report
from dolq_core.records import TAKEN, Intervention, TermKey, TermNote
from dolq_core.views.veto import cost_of_pins, is_pin_borne_out
from tests.app.scenes import app, read

FALSE = TermKey(0, "yeast**3")


def pinned(key=FALSE, reason="They crowd"):
    store = runs.open_store()
    run = runs.step_once(store, runs.start(store, load_bundled("yeast")))
    assert loop.status(run.state, 0)[0] == "settled"
    return store, runs.intervene(store, run.id, Intervention(pin=(TermNote(key, reason),)))


@pytest.fixture
def gone_on():
    """A settled law, a pin that it does not have, and the iteration that fits it."""
    store, run = pinned()
    return runs.step_once(store, run.id)


def graded(run, nats):
    """The same run with the numbers against the pinned term."""
    store, last = runs.open_store(), run.entries[-1]
    verdicts = tuple(replace(one, evidence="bad") if one.key == FALSE else one for one in last.verdicts)
    figures = tuple(replace(one, nats=nats) if one.key == FALSE else one for one in last.evaluation.ablations)
    told = replace(last, verdicts=verdicts, evaluation=replace(last.evaluation, ablations=figures))
    other = runs.start(store, run.state.problem, run.state.settings)
    for number, entry in enumerate((*run.entries[1:-1], told), 1):
        store.append(other, number, entry)
    return runs.load(store, other)


def test_before_the_next_iteration_it_is_said_that_the_law_was_settled():
    _, run = pinned()
    assert cost_of_pins(run) == "The law of yeast was settled before your pin (yeast**3)."
    assert cost_of_pins(run) in read(app("discover", run.id))


def test_nobody_is_said_to_agree_beside_a_pin_that_unsettled_the_law(gone_on):
    assert cost_of_pins(gone_on) == "The law of yeast was settled before your pin (yeast**3), and is provisional now."
    page = read(app("discover", gone_on.id))
    assert cost_of_pins(gone_on) in page
    assert "Nobody disagrees" not in page


@pytest.mark.parametrize(
    ("nats", "said"), [(-7.04, "yeast**3 costs 7 nats."), (None, "they do not bear yeast**3 out.")]
)
def test_what_a_pin_costs_is_told_wherever_the_cost_of_a_veto_is(nats, said, gone_on, capsys):
    run = graded(gone_on, nats)
    told = cost_of_pins(run)
    assert told.startswith(f"The numbers disagree with your pin: {said} The law of yeast was settled before your pin")
    page = read(app("discover", run.id))
    assert told in page
    assert "The numbers disagree with your pin. Continue, or change any row." in page
    assert told in read(app("equations", run.id))
    report(run, None)
    assert told in capsys.readouterr().out


def test_of_a_pin_of_the_law_itself_nothing_is_said():
    store, run = pinned(TermKey(0, "yeast"))
    assert cost_of_pins(run) == ""
    assert cost_of_pins(runs.step_once(store, run.id)) == ""


def test_a_law_taken_from_the_rivals_is_not_told_as_a_pin(gone_on):
    pins = {key: replace(pin, reason=TAKEN) for key, pin in gone_on.state.pins.items()}
    taken = replace(gone_on, state=replace(gone_on.state, pins=pins))
    assert (cost_of_pins(taken), is_pin_borne_out(taken)) == ("", True)
