"""What the built-in agents read out of a description: words that are said, and words that are denied."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting.prior import Prior
from dolq_core.mechanisms import FAMILIES, SUBJECTS, Words, begins, entries, read, words_of
from dolq_core.mechanisms.shapes import SHAPES
from dolq_core.terms import Skeleton, safe_names
from tests.agents.problems import problem, simulated, yeast


def denied(text):
    return [d.phrase for d in read(text)[1]]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("A ball falls without drag.", "without drag"),
        ("It falls without any air resistance.", "without any air resistance"),
        ("There is no friction in the bearing.", "no friction"),
        ("Growth is not limited by food.", "not limited"),
        ("Growth isn't limited.", "not limited"),
        ("It slides without drag or friction.", "without drag or friction"),
        ("It slides without drag and friction.", "without drag and friction"),
        ("The rate does not depend on the angle.", "not depend on the angle"),
        ("A frictionless plane.", "frictionless"),
        ("A drag-free satellite.", "drag-free"),
        ("Unlimited growth.", "unlimited"),
        ("A non-cooperative gene.", "non-cooperative"),
        ("The tank is free of friction.", "free of friction"),
        ("Friction is negligible.", "friction is negligible"),
        ("With negligible friction it falls.", "negligible friction"),
    ],
)
def test_a_word_after_a_negation_is_denied(text, phrase):
    assert phrase in denied(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Not only drag slows it.", "drag"),
        ("Friction is not negligible.", "friction"),
        ("There is no engine, but drag slows it.", "drag"),
        ("Without an engine. Drag slows it.", "drag"),
        ("No food is lost to friction.", "friction"),
        ("Without hares the lynx starve and die.", "die"),
        ("Without drag it would decay.", "decay"),
        ("It glides without an engine and gravity bends its path.", "path"),
    ],
)
def test_a_negation_ends_with_its_clause(text, word):
    assert word in read(text)[0]


def test_what_is_said_as_well_is_not_denied():
    words = Words(*read("Drag slows it; without drag it would fly for ever."))
    assert words.suggesting(["drag"]) == "drag"
    assert words.denying(["drag"]) == ""


@pytest.mark.parametrize(
    "text", ["", "Räuber und Beute, ohne Reibung; l'été n'est pas sans fin.", "捕食者与猎物", "½ · ∂x"]
)
def test_a_description_in_another_language_suggests_and_denies_nothing(text):
    said, no = read(text)
    assert no == ()
    assert [word for word in said if any(begins(word, stem) for f in FAMILIES for stem in f.stems)] == []


def test_names_and_meanings_speak_too():
    assert words_of(yeast()).said == ("yeast",)


def test_a_stem_with_a_dot_is_a_whole_word():
    assert [begins(word, "gene.") for word in ("gene", "genes", "general")] == [True, True, False]


def test_a_denied_family_knows_the_phrase():
    found = entries(
        safe_names(["v"]), 1, 0, words_of(simulated(lambda t, x: [0.0], [1.0], 1.0, "No drag, no friction."))
    )
    assert next(e for e in found if e.skeleton == "v**2").denial == "no drag"


def test_every_family_is_consistent():
    for family in FAMILIES:
        assert set(family.rises) | set(family.falls) <= set(family.stems), family.name
        assert family.subject == "" or family.subject in SUBJECTS, family.name
        assert family.meaning[0] in "{abcdefghijklmnopqrstuvwxyz", family.name


def named(text, of="v"):
    """The terms whose shape a description names, and the words that do so."""
    found = entries(safe_names([of]), 1, 0, words_of(simulated(lambda t, x: [0.0], [1.0], 1.0, text)))
    return {entry.skeleton: entry.word for entry in found if entry.is_named}


@pytest.mark.parametrize(
    ("text", "term", "words"),
    [
        ("The water holds it back with the square of its speed.", "v**2", "square of"),
        ("The loss goes with its cube.", "v**3", "its cube"),
        ("It cools by the fourth power of the temperature.", "v**4", "fourth power"),
        ("The pull is the power of the engine divided by the speed.", "1/v", "divided by"),
        ("It is drawn back by the inverse-square law.", "1/v**2", "inverse square"),
        ("The outflow follows the square root of the level.", "sqrt(v)", "square root"),
        ("The flow goes as the root of what stands above the sill.", "sqrt(-(params[0] - v))", "root of"),
        ("Heat is made with some power of the mass.", "v**params[0]", "some power of"),
        ("It is taken up at a rate that fades exponentially.", "exp(params[0]*t)", "rate that fades exponentially"),
        ("Light that waxes and wanes drives it.", "sin(params[0] + params[1]*t)", "waxes and wanes"),
        ("The outdoor air rises and falls.", "sin(params[0] + params[1]*t)", "outdoor air rises and falls"),
        ("A coil on an AC source.", "sin(params[0] + params[1]*t)", "ac source"),
        ("Contacts follow the school year.", "sin(params[0] + params[1]*t)", "follow the school year"),
        ("The saving swings with the business cycle.", "sin(params[0] + params[1]*t)", "saving swings"),
        ("Output has diminishing returns to v.", "v**params[0]", "diminishing returns"),
        ("Food is given twice a day.", "sin(params[0] + params[1]*t)", "twice a day"),
        ("It follows the sun with the time of day.", "sin(params[0] + params[1]*t)", "with the time of day"),
        ("A steady torque turns it.", "1", "steady torque"),
        ("It is ridden at a constant power.", "1/v", "ridden at a constant power"),
        ("It loses heat like a grey body.", "v**4", "grey body"),
        (
            "Drugs are given in repeated weekly cycles.",
            "sin(params[0] + params[1]*t)",
            "given in repeated weekly cycles",
        ),
        ("A tumour under repeated chemotherapy cycles.", "sin(params[0] + params[1]*t)", "chemotherapy cycles"),
        ("The sunlight has a slow cycle.", "sin(params[0] + params[1]*t)", "sunlight has a slow cycle"),
        ("Uptake levels off when there is plenty.", "v/(params[0] + v)", "levels off"),
        ("The gate opens along an S-shaped curve.", "1/(1 + exp(-params[0] + params[1]*v))", "s shaped"),
    ],
)
def test_a_description_may_name_the_shape_of_a_term(text, term, words):
    assert named(text)[term] == words


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("The drag does not grow with the square of the speed.", "v**2"),
        ("Not the size but its number counts, never its square.", "v**2"),
        ("It falls with the inverse square of the distance.", "v**2"),
        ("The engine has a power of two hundred watts near a power plant.", "v**params[0]"),
        ("The laser is switched on at the start.", "1/(1 + exp(-params[0] + params[1]*v))"),
        ("It leaves at a constant rate.", "1"),
        ("A bob swings on its thread, and the spring oscillates.", "sin(params[0] + params[1]*t)"),
        ("A few more move in every day.", "sin(params[0] + params[1]*t)"),
        ("Light drives the cell cycle.", "sin(params[0] + params[1]*t)"),
        ("The drive has a limit cycle.", "sin(params[0] + params[1]*t)"),
        ("Predators and prey go through repeated cycles.", "sin(params[0] + params[1]*t)"),
        ("A heater of constant power warms the block.", "1/v"),
        (f"The rate is high{' and high' * 20} and fades exponentially.", "exp(params[0]*t)"),
    ],
)
def test_what_only_sounds_like_a_shape_names_none(text, term):
    assert term not in named(text)


def test_no_word_of_an_angle_speaks_for_the_sine_of_a_speed():
    given = simulated(lambda t, x: [x[1], -x[0]], [1.0, 0.0], 1.0, "A pendulum swings by an angle.")
    states = tuple(replace(v, name=name) for v, name in zip(given.dataset.states, ("bob", "speed"), strict=True))
    words = words_of(replace(given, dataset=replace(given.dataset, states=states)))
    assert words.straight == ("speed",)
    said = {entry.skeleton: entry.word for entry in entries(safe_names(["bob", "speed"]), 2, 0, words)}
    assert (said["sin(bob)"], said["sin(speed)"], said["speed*sin(bob)"]) == ("angle", "", "angle")


def test_no_phrase_reads_on_to_the_end_of_a_clause():
    """From each of its words, of a text as long as somebody likes, to the end: the square of its length."""
    assert [shape.said.pattern for shape in SHAPES if re.search(r"[.\])][*+]", shape.said.pattern)] == []


@pytest.mark.parametrize(
    ("text", "named_one", "other"),
    [
        ("It is slowed down with the square of its speed.", "v*abs(v)", "v**params[0]"),
        ("The pull is the power divided by the speed.", "1/v", "1/v**2"),
        ("The air drags with the square of the speed.", "v*abs(v)", "v**2"),
    ],
)
def test_of_two_laws_that_fit_alike_the_one_whose_shape_is_named_is_preferred(text, named_one, other):
    """v*abs(v) before v**2 where its mechanism is said as well: they differ where v turns."""

    def cost(term, description):
        return Prior(problem(np.arange(9.0), np.ones((9, 1)), ["v"], description)).name(0, Skeleton(term))

    assert cost(named_one, text) < cost(other, text)
    assert cost(named_one, text) <= cost(named_one, "A thing moves.") - 2.0


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Growth slows in the stationary phase.", {"phase"}),
        ("Dry cell weight is proportional to it; the dry-matter too.", {"dry", "weight"}),
        ("A magnetic stirrer keeps it mixed.", {"magnetic"}),
        ("Food swings with the season; a load that swings slowly around its mean, as a sine.", {"swings"}),
    ],
)
def test_a_stage_a_mass_a_stirrer_and_a_season_suggest_no_angle_and_no_friction(text, gone):
    said = set(read(text)[0])
    assert not said & gone
    kept = read("The phase of a pendulum that swings under its weight; dry friction; a magnetic needle.")[0]
    assert {"phase", "swings", "weight", "dry", "magnetic"} <= set(kept)


@pytest.mark.parametrize(
    "term", ["x**params[0]*y**params[1]", "x**params[0]/y**params[1]", "y**params[0]/x**params[1]"]
)
def test_a_power_law_of_two_variables_may_rise_or_fall_with_either(term):
    of = ["x", "y"]
    text = "Cells call for each other less than in proportion, and others hold them back, a power law."
    found = entries(safe_names(of), 2, 0, words_of(simulated(lambda t, x: [0.0, 0.0], [1.0, 1.0], 1.0, text)))
    (entry,) = [one for one in found if one.skeleton == term]
    assert entry.word


@pytest.mark.parametrize(
    "text",
    [
        "Below a threshold the population dies out, and above it grows until the pond is full.",
        "The restoring force becomes stiffer the further it bends.",
    ],
)
def test_a_threshold_and_a_spring_that_stiffens_speak_for_the_cubic(text):
    frogs = replace(yeast(), description=text)
    (cube,) = [e for e in entries(safe_names(["yeast"]), 1, 0, words_of(frogs)) if e.skeleton == "yeast**3"]
    assert cube.word in ("threshold", "stiffer")
