"""A description is a prior, never a wall: where data and words disagree, the data win and the conflict is told."""

import math

import pytest

from dolq_core.agents.builtin.conflicts import disputed, unanswered
from dolq_core.loop.status import reason_to_stop
from dolq_core.mechanisms import FAMILIES, Words, family, foreign, read
from tests.agents.problems import law, run, simulated
from tests.every import every, none

REACTOR = "A reactor: two substances react, are fed at a constant rate and washed out."
GLIDES = "The speed of a glider falls through drag; gravity bends its path by the angle of flight."


def glider(description):
    rhs = lambda t, x: [-(x[0] ** 2) / 5.0 - math.sin(x[1]), x[0] - math.cos(x[1]) / x[0]]  # noqa: E731
    return run(simulated(rhs, [5.0, 0.7], 5.0, description))


def actions(state):
    return {(v.key.equation, v.key.skeleton): (v.action, v.conflict) for v in state.last.verdicts}


def test_wrong_words_are_overruled_after_two_iterations_and_the_law_is_found():
    state = glider(REACTOR)
    assert law(state, 0) == pytest.approx({"x0**2": -0.2, "sin(x1)": -1.0}, rel=1e-6)
    assert law(state, 1) == pytest.approx({"x0": 1.0, "cos(x1)/x0": -1.0}, rel=1e-6)
    assert actions(state)[0, "sin(x1)"] == ("keep", True)
    assert actions(state)[0, "x0**2"] == ("keep", False)
    assert state.bans == {}
    assert state.last.evaluation.review.conflict == (
        "Words and numbers disagree again on sin(x1) in the equation of x0 and cos(x1)/x0 in the equation of x1: now "
        "the numbers are believed."
    )
    assert reason_to_stop(state).startswith("Found")
    assert state.iteration == 3


@pytest.mark.parametrize("description", ["", GLIDES])
def test_words_that_fit_and_no_words_make_no_conflict(description):
    state = glider(description)
    assert state.last.evaluation.review.conflict == ""
    assert none(conflict for _, conflict in actions(state).values())


def test_one_sentence_on_something_else_is_quoted():
    said = glider(f"{GLIDES} A cloud supplies ice at a constant rate, and it melts in proportion.").last
    assert said.evaluation.review.conflict == (
        "Words and data disagree: “A cloud supplies ice at a constant rate, and it melts in proportion.” speaks of "
        "'supplies', 'constant' and 'proportion'. With a term that these words suggest the best law describes the "
        "samples worse: odds of 200 to 1."
    )


def test_a_description_of_another_system_is_told_in_whole():
    assert unanswered("Gliders turn by angle, lift and weight.", {"crowding"}, lambda _: 1234.5) == (
        "Words and data disagree: the description speaks of 'gliders', 'angle' and 'lift'. With a term that these "
        "words suggest the best law describes the samples worse: odds of over a million to 1."
    )


def test_a_description_of_which_one_word_in_four_is_answered_is_of_this_system():
    """True ones have so few: 'phase' of "clocks that pull each other's phase, by the phase difference"."""
    words = "Three clocks on a board. Every pair pulls each other's phase together, depending only on the difference."
    assert unanswered(words, {"constant rate", "difference of angles"}, lambda _: 6.0) == ""


def test_a_sentence_that_only_names_the_thing_speaks_of_no_mechanism():
    prey, law = " Prey meet predators and are hunted.", {"encounter", "saturation"}
    assert unanswered(f"A heated supply.{prey}", law, lambda _: 4.0) == ""
    assert "'heater'" in unanswered(f"The heater heats what is supplied.{prey}", law, lambda _: 4.0)


def test_a_sentence_that_names_the_shape_of_a_term_is_answered_by_it():
    words, law = "A parachutist falls; air drag grows with the square of the speed.", {"constant rate"}
    assert "'parachutist'" in unanswered(words, law, lambda _: 5.0)
    assert unanswered(words, law, lambda _: 5.0, named=["square of"]) == ""


def test_a_word_for_an_input_that_acts_is_answered_by_it():
    words, law = (
        "An electric heater warms a tank that is supplied. It loses heat to the room.",
        {"rate in proportion", "supply"},
    )
    assert "'heater'" in unanswered(words, law, lambda _: 5.0)
    assert unanswered(words, law, lambda _: 5.0, ["heater (W)"]) == ""


@pytest.mark.parametrize("nats", [0.0, 2.9])
def test_words_that_were_not_tried_or_did_not_lose_are_no_conflict(nats):
    assert unanswered("Gliders turn by angle, lift and weight.", {"crowding"}, lambda _: nats) == ""


def test_what_was_tried_are_the_mechanisms_of_the_words():
    asked = []
    unanswered("Gliders turn by angle, lift and weight.", {"crowding"}, lambda names: asked.append(set(names)) or 0.0)
    (names,) = asked
    assert "components of motion" in names
    assert "crowding" not in names


@pytest.mark.parametrize("description", ["It grows in a room.", "", "Prey meet predators and are hunted."])
def test_loose_words_and_what_one_word_answers_are_no_conflict(description):
    assert unanswered(description, {"saturation", "encounter"}, lambda _: 1000.0) == ""


def test_what_is_absorbed_from_a_measured_store_passes_from_it():
    """A supply that fades, or comes late, stands for a store that was not measured."""
    words = "An oral drug is absorbed from the gut into the blood."
    assert unanswered(words, {"transfer", "rate in proportion"}, lambda _: 11.0) == ""
    assert "'absorbed'" in unanswered(f"It decays. {words}", {"rate in proportion"}, lambda _: 11.0)


def test_a_law_with_a_term_that_no_mechanism_explains_may_be_what_the_words_speak_of():
    monod = lambda t, x: [0.5 * x[0] * x[1] / (1 + x[1]), -x[0] * x[1] / (1 + x[1])]  # noqa: E731
    words = "Bacteria grow on a substrate that limits their growth. The substrate is eaten and not renewed."
    assert run(simulated(monod, [0.1, 5.0], 12.0, words)).last.evaluation.review.conflict == ""


@pytest.mark.parametrize(
    ("text", "is_foreign"),
    [
        ("Two substances react.", True),
        ("Two substances react in a spinning vessel.", False),
        ("Something happens.", False),
        ("A substance in a box.", False),
        ("Substances react; their molecules, enzymes and compounds react at great speed.", True),
    ],
)
def test_a_subject_is_foreign_only_where_another_one_is_spoken_of(text, is_foreign):
    assert bool(foreign(family("difference of angles"), Words(*read(text)))) == is_foreign


def test_a_family_without_a_subject_is_at_home_everywhere():
    chemistry = Words(*read("Two substances react."))
    assert none(foreign(f, chemistry) for f in FAMILIES if not f.subject)


def test_more_than_two_disputed_terms_are_counted():
    terms = [("a", "x"), ("b", "x"), ("c", "y")]
    assert disputed(terms, again=False) == (
        "Words and numbers disagree on a in the equation of x, b in the equation of x and 1 more: the next iteration "
        "looks again."
    )
    assert disputed([], again=True) == ""


def test_contact_that_levels_off_is_the_contact_that_words_speak_of():
    rhs = lambda t, x: [-1.1 * x[0] * x[1] / (1.0 + 1.5 * x[1]), 1.1 * x[0] * x[1] / (1.0 + 1.5 * x[1]) - 0.25 * x[1]]  # noqa: E731
    words = "An infection passes by contact in a camp. People who are ill recover."
    last = run(simulated(rhs, [1.0, 0.02], 25.0, words, points=300)).last
    assert last.evaluation.review.conflict == ""
    found = {v.key: v.reason for v in last.verdicts if v.key.skeleton == "x0*x1/(params[0] + x1)"}
    assert len(found) == 2
    assert every("It is a form of x0*x1, for which the word 'contact' speaks." in why for why in found.values())
