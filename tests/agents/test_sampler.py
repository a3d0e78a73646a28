"""What the built-in Sampler proposes, and whose word it heeds."""

from dataclasses import replace

import numpy as np

from dolq_core.agents.builtin import BuiltinSampler, sampler
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.sampler import _of_systems
from dolq_core.agents.builtin.search import search
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.fitting.reasons import has_rows_for
from dolq_core.loop.advance import advance
from dolq_core.loop.step import step
from dolq_core.records import Ban, Intervention, Pin, Settings, TermKey, TermNote
from dolq_core.terms import parse_term
from tests.agents.problems import begun, law, lynx_hare, noise, noisy, run, simulated, yeast
from tests.every import every, none

RNG = np.random.default_rng(0)


def proposed(state, setup):
    return setup.sampler.propose(state, setup.bench, RNG)


def texts(hypothesis, equation=0):
    return {term.text for term in hypothesis[equation]}


def test_three_distinct_hypotheses_are_proposed():
    sampling = proposed(*begun(lynx_hare()))
    assert len(sampling.hypotheses) == 3
    assert len({tuple(frozenset(texts(h, j)) for j in range(2)) for h in sampling.hypotheses}) == 3


def test_the_number_of_hypotheses_is_a_setting():
    assert len(proposed(*begun(yeast(), hypotheses=1)).hypotheses) == 1


def test_every_term_is_readable_and_has_a_reason_with_the_variables_own_names():
    state, setup = begun(yeast("A culture of yeast grows in a closed vessel."))
    for hypothesis in proposed(state, setup).hypotheses:
        for term in hypothesis[0]:
            assert parse_term(term.text, setup.bench.names).skeleton == term.text
            assert term.family
            assert "yeast" in term.reason


def test_the_word_that_suggests_a_mechanism_is_named():
    state, setup = begun(yeast("Yeast in a closed vessel."))
    reasons = " ".join(term.reason for h in proposed(state, setup).hypotheses for term in h[0])
    assert "'closed'" in reasons


def test_a_banned_term_is_never_proposed():
    state, setup = begun(yeast())
    for by in ("human", "scientist"):
        banned = replace(state, bans={TermKey(0, "yeast**2"): Ban(TermKey(0, "yeast**2"), by, 0, "no")})
        assert every("yeast**2" not in texts(h) for h in proposed(banned, setup).hypotheses)


def test_a_banned_term_is_left_out_after_it_was_the_best():
    state = run(yeast(), iterations=1)
    setup = begun(yeast())[1]
    vetoed = advance(state, Intervention(ban=(TermNote(TermKey(0, "yeast**2"), "no"),)))
    assert every("yeast**2" not in texts(h) for h in proposed(vetoed, setup).hypotheses)


def test_pins_and_typed_terms_stand_in_every_hypothesis():
    state, setup = begun(yeast())
    pinned = replace(state, pins={TermKey(0, "1"): Pin(TermKey(0, "1"), 0, "mine")})
    typed = replace(state, proposals=(TermNote(TermKey(0, "sqrt(yeast)"), "mine"),))
    assert every("1" in texts(h) for h in proposed(pinned, setup).hypotheses)
    assert every("sqrt(yeast)" in texts(h) for h in proposed(typed, setup).hypotheses)


def test_an_equation_at_its_floor_is_proposed_again():
    state, setup = begun(yeast())
    state = advance(state, step(state, setup))
    assert [texts(h) for h in proposed(state, setup).hypotheses] == [{"yeast", "yeast**2"}]


def test_proposing_changes_nothing_and_repeats_itself():
    state, setup = begun(yeast())
    assert proposed(state, setup) == BuiltinSampler().propose(state, begun(yeast())[1].bench, RNG)


def test_it_says_that_it_is_no_language_model():
    assert "not a language model" in proposed(*begun(yeast())).note


def test_no_more_terms_than_the_setting_allows():
    state, setup = begun(simulated(lambda t, x: [np.sin(3.0 * x[0]) + 2.0], [0.0], 4.0, points=200), max_terms=3)
    assert state.settings == Settings(max_terms=3)
    assert every(len(h[0]) <= 3 for h in proposed(state, setup).hypotheses)


def test_a_structure_that_standing_still_beats_is_searched_past():
    state, setup = begun(noise(200, 1, 3))
    state = advance(state, step(state, setup))
    assert state.best[0].fit.floor_ratio < 1.5
    assert len(proposed(state, setup).hypotheses) == 3


def test_a_term_that_is_a_plainer_one_on_these_data_is_not_tried():
    """x*abs(x) is x**2 where x has one sign; as a term of its own it came in by the word 'air'."""
    done = run(load_bundled("coffee"))
    assert set(law(done)) == {"temp_C", "1"}
    assert none("abs(" in skeletons for _, structure in done.archive for skeletons in structure)


MEETING = "x0*x1/(params[0] + params[1]*x1 + x0)"
MANY = tuple(
    form
    for i, j in (("x0", "x1"), ("x1", "x0"))
    for form in (
        f"{i}/(params[0] + {i})", f"x0*x1/(params[0] + {i})", f"{i}/(params[0] + {i}**2)", f"{i}*exp(params[0]*{j})",
        f"exp(params[0]*{i})", f"1/(params[0] + {i})", f"{i}**2/(params[0] + {i}**2)", f"{i}*exp(params[0]*{i})",
        f"cos(params[0]*{i})", f"sin(params[0]*{i})",
    )
)  # fmt: skip


def test_a_term_of_another_equation_is_a_start_with_the_numbers_it_has_there():
    def rhs(_, x):
        meeting = x[0] * x[1] / (20.0 + x[0] + 0.8 * x[1])
        return [0.8 * x[0] - 0.008 * x[0] ** 2 - 1.2 * meeting, 0.6 * meeting - 0.25 * x[1]]

    bench = Workbench.of(simulated(rhs, [30.0, 10.0], 50.0, "", 300).dataset)
    plain = ("1", "x0", "x1", "x0**2", "x0*x1", "x1**2", "x0**3", "x1**3")
    choice = Choice((*plain, MEETING, *MANY), kinds={MEETING: "own", **dict.fromkeys(MANY, "many")})
    shared = replace(choice, favoured=(MEETING,), shared=((MEETING, (20.0, 0.8)),))
    found = search(bench, 0, shared, (), 6)[0]
    assert {t.skeleton for t in found.terms} == {"x0", "x0**2", MEETING}


def test_a_law_is_tried_without_the_terms_in_it_that_do_next_to_nothing(monkeypatch):
    monkeypatch.setattr(sampler, "_searched", lambda *_: [])
    state, setup = begun(simulated(lambda _, x: [0.9 * x[0] - 0.03 * x[0] ** 2], [2.0], 9.0, points=200))
    state = advance(state, step(state, setup))
    idle = setup.bench.fit(0, ["x0", "x0**2", "x0**3"])
    assert abs(idle.terms[-1].coefficient) < 1e-6
    doubtful = replace(state, best=(replace(state.best[0], fit=idle, refined=None),), archive={})
    doubtful = replace(doubtful, last=replace(state.last, rivals=(1,)))
    assert texts(proposed(doubtful, setup).hypotheses[0]) == {"x0", "x0**2"}
    vetoed = replace(doubtful, bans={TermKey(0, "x0"): Ban(TermKey(0, "x0"), "human", 0, "no")})
    assert every("x0" not in texts(h) for h in proposed(vetoed, setup).hypotheses)


def test_what_a_veto_left_of_few_samples_is_no_reason_to_leave_a_better_law_out():
    cups = load_bundled("coffee")
    done = run(replace(cups, blocks=replace(cups.blocks, vetoes=((0, "1"), (0, "temp_C")))), iterations=2)
    assert done.best[0].fit.floor_ratio < 4.0
    assert none(term.skeleton in ("1", "temp_C") for term in done.best[0].fit.terms)


def test_a_system_with_more_numbers_than_the_data_are_worth_is_not_proposed_before_one_with_fewer():
    """Whole runs can be fitted with more numbers than the rates can: all proposals failed, and no law was left."""
    state, setup = begun(noisy(lambda _, x: [1.0 - x[0]], [0.1], 3.0, points=60, names=("x0",)))
    many = tuple(f"x0**{power / 10}" for power in range(11, 99, 2))
    assert not has_rows_for(setup.bench.target, many)
    told = _of_systems(state, setup.bench, ((many,), (("1", "x0"),), (("x0",),)), late=False)
    assert [[term.text for term in law] for (law,) in told.hypotheses] == [["1", "x0"], ["x0"]]
    assert "3 systems" in told.note
    assert len(_of_systems(state, setup.bench, ((many,),), late=False).hypotheses) == 1
