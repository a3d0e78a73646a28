"""A rhythm that modulates a term with numbers inside: both numbers and rhythm are found together."""

import numpy as np
import pytest

from dolq_core.agents.builtin.choice import Choice, Library
from dolq_core.agents.builtin.modulated import arranged, is_fading, is_modulated, own_of, plain_of, rates
from dolq_core.agents.builtin.pursuing import library_of, pursued
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.sets import Sets
from dolq_core.agents.builtin.swayed import swayed
from dolq_core.fitting import Workbench, names_of
from dolq_core.fitting.prior import Prior
from dolq_core.loop.status import status
from dolq_core.mechanisms import explanations
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, compile_columns, count_params, parse_term
from tests.agents.problems import begun, law, noisy, run, simulated
from tests.every import every

TERMS = (
    "x/(params[0] + x)", "x**params[0]", "x*y/(params[0] + x)", "x**params[0]*y**params[1]", "tanh(params[0]*x)",
    "x/(params[0] + params[1]*x**2 + x)", "1/(1 + exp(params[0]*x - params[1]))", "1/(params[0] - x)",
)  # fmt: skip
UPTAKE = "x0/(params[0] + x0)"
LIT = "x0*sin(params[0] + params[1]*t)/(params[2] + x0)"


@pytest.mark.parametrize("text", TERMS)
def test_a_term_in_a_rhythm_is_taken_apart_and_put_together(text):
    plain = parse_term(text, ["x", "y"]).skeleton
    count = count_params(plain)
    both = parse_term(f"({plain})*sin(params[{count}]*t + params[{count + 1}])", ["x", "y"]).skeleton
    assert is_modulated(both)
    assert not is_modulated(plain)
    assert plain_of(both) == plain
    own = (3.1, 0.7)[:count]
    inner = arranged(both, (0.4, 2.0), own)
    assert own_of(both, inner) == own
    x, t = np.random.default_rng(0).uniform(0.5, 2.0, (2, 50)), np.linspace(0.0, 5.0, 50)
    expected = compile_columns(plain, ("x", "y"))(x, t, own) * np.sin(0.4 + 2.0 * t)
    assert compile_columns(both, ("x", "y"))(x, t, inner) == pytest.approx(expected)


def test_a_rhythm_alone_and_one_that_modulates_a_product_are_none():
    for text in ("sin(params[0]*t + params[1])", "x*y*sin(params[0]*t + params[1])"):
        assert not is_modulated(parse_term(text, ["x", "y"]).skeleton)


@pytest.mark.parametrize(
    ("text", "fades"),
    [("x*exp(params[0]*t)", True), ("1/(params[0] + t)", True), ("x*t", False), ("x*sin(params[0]*t)", False),
     ("x*exp(params[0]*y)", False)],
)  # fmt: skip
def test_a_curve_of_time_is_no_rhythm(text, fades):
    assert is_fading(parse_term(text, ["x", "y"]).skeleton) is fades


def test_a_curve_of_time_does_not_stand_for_a_state_that_fades():
    """x0 falls as exp(-0.21*t), so x0/(18 + x0) is a curve of time too, which the word speaks for."""

    def rhs(t, x):
        return [-0.21 * x[0], 8.5 - 0.085 * x[1] - 0.4 * x[1] * x[0] / (18.0 + x[0])]

    done = run(simulated(rhs, [64.0, 97.0], 24.0, "A drug empties a store.", points=120))
    assert "t" not in "".join(law(done, 1))
    assert status(done, 1)[0] == "settled"


def algae(words):
    def rhs(t, x):
        return [0.3 + 1.7 * (1.0 + 0.6 * np.sin(0.9 * t + 0.4)) * x[0] / (1.5 + x[0]) - 0.4 * x[0]]

    return simulated(rhs, [0.4], 40.0, words, points=400)


@pytest.mark.parametrize(
    ("words", "known"),
    [
        ("Algae take up nutrient with saturation, under a light that waxes and wanes.", True),
        ("Algae grow through the seasons.", True),  # saturation is common, and needs no word of its own
        ("Algae take up nutrient with saturation.", False),
        ("Algae take up nutrient with saturation, without any rhythm.", False),
    ],
)
def test_it_is_looked_for_where_words_speak_of_a_rhythm(words, known):
    given = algae(words)
    entry = explanations(given, names_of(given.dataset), 0).get(LIT)
    assert (entry is not None) == known
    if entry is not None:
        assert "a rhythm in time modulates it; suggested by the word" in entry.reason
        assert entry.simpler == ("x0*sin(params[0]*t)/(params[1] + x0)", "x0*cos(params[0]*t)/(params[1] + x0)")


def test_numbers_and_rhythm_are_found_together():
    bench = Workbench.of(algae("").dataset)
    best = search(bench, 0, Choice(("1", "x0", "x0**2", UPTAKE, LIT)), (), 6)[0]
    found = {term.skeleton: term for term in best.terms}
    assert set(found) == {"1", "x0", UPTAKE, LIT}
    assert found[UPTAKE].coefficient == pytest.approx(1.7, rel=1e-4)
    assert abs(found[LIT].coefficient) == pytest.approx(1.02, rel=1e-4)
    assert found[LIT].inner[1:] == pytest.approx((0.9, 1.5), rel=1e-4)


@pytest.mark.parametrize("pinned", [UPTAKE, LIT])
def test_a_term_that_a_person_pinned_stands_in_each_law_once(pinned):
    bench = Workbench.of(algae("").dataset)
    for fit in search(bench, 0, Choice(("1", "x0", "x0**2", UPTAKE, LIT)), (pinned,), 6):
        names = [term.skeleton for term in fit.terms]
        assert names.count(pinned) == 1
        assert len(set(names)) == len(names)


def test_without_that_term_in_the_library_no_law_is_found():
    bench = Workbench.of(algae("").dataset)
    best = search(bench, 0, Choice(("1", "x0", "x0**2", UPTAKE, "sin(params[0] + params[1]*t)")), (), 6)
    assert not best or best[0].floor_ratio > 10.0


WAVE = "sin(params[0] + params[1]*t)"
IN_IT = "x0*sin(params[0] + params[1]*t)"
RATE = "x0*exp(params[0]*sin(params[1] + params[2]*t))"


TIMES = np.linspace(0.0, 62.0, 200)


def soil(t, x):
    return [2.3 + 0.9 * np.cos(0.61 * t) - 0.06 * x[0] * np.exp(0.7 * np.sin(0.61 * t + 0.2))]


def test_a_rate_that_follows_a_rhythm_starts_where_what_is_seen_of_it_first_has_it():
    """With either sign: what else there is may imitate the plain term, and turn its own sign."""
    seen = [FittedTerm("1", 2.0), FittedTerm("x0", -0.05), FittedTerm(IN_IT, -0.03, None, (0.3, 0.6))]
    like, turned = ((RATE, pytest.approx((0.6, phase, 0.6))) for phase in (0.3, 0.3 - np.pi))
    assert rates(seen, {RATE}) == [(like, ("1", ())), (turned, ("1", ()))]
    assert rates([*seen[:2], FittedTerm(IN_IT, 0.03, None, (0.3, 0.6))], {RATE})[0][0] == turned
    assert rates(seen, {"x0"}) == rates(seen[:2], {RATE}) == []


def test_another_rhythm_beside_such_a_rate_has_its_frequency_and_either_phase_and_a_supply_alone_is_tried():
    seen = [FittedTerm("x0", -0.05), FittedTerm(IN_IT, -0.03, None, (0.3, 0.6)), FittedTerm("x0**4", 1.0)]
    other = FittedTerm("cos(params[0]*t)", 0.9, None, (0.4,))
    found = rates([*seen, other], {RATE, WAVE, "1"})
    assert [[skeleton for skeleton, _ in some] for some in found] == 2 * (
        2 * [[RATE, "x0**4", WAVE]] + 2 * [[RATE, "1", WAVE]]
    )
    assert [some[2][1] for some in found[:2]] == [(0.3, 0.6), (pytest.approx(0.3 + np.pi / 2.0), 0.6)]


def test_a_decay_that_follows_the_warmth_of_the_season_is_found():
    choice = Choice(("1", "x0", "x0**2", "x0**3", WAVE, IN_IT, RATE))
    best = search(Workbench.of(simulated(soil, [40.0], 62.0, points=360).dataset), 0, choice, [], 6)[0]
    assert {term.skeleton for term in best.terms} == {"1", WAVE, RATE}
    (inner,) = [term.inner for term in best.terms if term.skeleton == RATE]
    assert inner == pytest.approx((0.7, 0.2, 0.61), rel=1e-5)


def test_it_is_tried_in_noisy_samples_where_the_best_law_has_its_beginning():
    bench = Workbench.of(noisy(soil, [40.0], 62.0, names=("x0",)).dataset)
    language = ("1", "x0", WAVE, IN_IT, RATE)
    terms = bench.fit(0, ["1", "x0", IN_IT, "cos(params[0]*t)"]).terms
    found = [{t.skeleton: t.inner for t in law} for law in swayed(bench, 0, Library((language,) * 4), 5, terms)]
    assert len({frozenset(law) for law in found}) == len(found)
    (inner,) = [law[RATE] for law in found if set(law) == {"1", WAVE, RATE}]
    assert np.exp(inner[0] * np.sin(inner[1] + inner[2] * TIMES)) == pytest.approx(
        np.exp(0.7 * np.sin(0.2 + 0.61 * TIMES)), rel=0.1
    )


@pytest.mark.parametrize(("words", "is_said"), [("Carbon decays by the season.", True), ("Carbon decays.", False)])
def test_it_belongs_to_a_rhythm_of_which_words_speak(words, is_said):
    given = simulated(soil, [40.0], 62.0, words)
    known = explanations(given, names_of(given.dataset), 0)
    assert (RATE in known) == ("x0*exp(params[0]*cos(params[1]*t))" in known) == is_said
    if is_said:
        assert known[RATE].word == "season"
        assert "at a rate that depends exponentially on a rhythm" in known[RATE].reason


def test_a_number_of_nothing_beside_a_rhythm_is_no_error():
    (start, *_) = rates([FittedTerm("x0", 0.0), FittedTerm(IN_IT, -0.03, None, (0.3, 0.6))], {RATE})
    assert start[0] == (RATE, (1.0, 0.3, 0.6))


def test_what_a_person_pinned_stays_beside_a_rate_that_follows_a_rhythm():
    bench = Workbench.of(simulated(soil, [40.0], 62.0, points=360).dataset)
    choice = Choice(("1", "x0", "x0**2", "x0**3", WAVE, IN_IT, RATE))
    found = search(bench, 0, choice, ["x0"], 6)
    assert found
    assert every("x0" in {term.skeleton for term in fit.terms} for fit in found)


def test_variables_are_looked_at_in_the_order_of_the_library():
    """A set has another order in each process, and only the first few structures are fitted."""
    names = [f"x{i}" for i in range(5)]
    given = simulated(lambda t, x: [np.cos((1 + i) * 0.3 * t) - 0.1 * x[i] for i in range(5)], [1.0] * 5, 30.0)
    bench = Workbench.of(given.dataset)
    terms = [Skeleton(form.replace("x0", name)) for form in ("x0", IN_IT, RATE) for name in names]
    sets = Sets(bench, 0, Choice(tuple(terms)), ())
    looked_at = [[sets.atoms.skeletons[i] for i in chosen] for chosen in sets.in_proportion()]
    assert [own[0] for own in looked_at] == names


def test_a_season_of_contacts_that_crowding_limits_is_two_terms_with_one_rhythm():
    def rhs(t, x):
        return [(0.5 + 0.3 * np.sin(0.4 * t)) * x[0] * (1.0 - x[0]) - 0.2 * x[0]]

    words = "Share of infected; contacts change with the season; people recover and can be infected again."
    state, setup = begun(noisy(rhs, [0.1], 70.0, 0.02, 200, words))
    (law,) = pursued(state, setup.bench)[0][0]
    assert law == ("x0", "x0**2", "x0**2*sin(params[0]*t)", "x0*sin(params[0]*t)")


def test_a_wave_without_a_phase_begins_at_the_frequency_that_is_known():
    def rhs(t, x):
        return [(0.5 + 0.35 * np.sin(0.7 * t)) * x[0] * (1.0 - x[0] / 8.0) - 0.12 * x[0]]

    given = noisy(rhs, [0.8], 60.0, 0.02, 400, "Growth follows the seasons and is limited by crowding.", ("x0",))
    state, setup = begun(given)
    bench = setup.bench.whole
    search = Pursuit(bench, bench.new_likelihoods(), Prior(given), [library_of(state, bench, 0)], 6)
    waves = (
        (Skeleton("x0**2*sin(params[0] + params[1]*t)"), 0.044),
        (Skeleton("x0*sin(params[0] + params[1]*t)"), 0.35),
    )
    swung = (FittedTerm(s, c, None, (phase, 0.7)) for (s, c), phase in zip(waves, (np.pi, 0.0), strict=True))
    plain = (FittedTerm(Skeleton(s), c) for s, c in (("x0", 0.38), ("x0**2", -0.0625)))
    search._try(((*plain, *swung),))
    search._simplify()
    assert {term.skeleton for term in search.best.system[0]} == {
        "x0", "x0**2", "x0*sin(params[0]*t)", "x0**2*sin(params[0]*t)",
    }  # fmt: skip
