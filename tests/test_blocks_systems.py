"""Rules for whole systems: one constant in several places, sums that stay, states that can be exchanged, limits."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.blocks import completed, in_words, read_blocks, why_broken, why_left
from dolq_core.errors import DataError
from dolq_core.fitting import Workbench, names_of
from dolq_core.loop.advance import begin
from dolq_core.loop.fit import fit
from dolq_core.loop.sample import sample
from dolq_core.loop.status import status
from dolq_core.records import Candidate, Proposal, ProposedTerm, Sampling, Settings, Start, Term
from dolq_core.terms import Names
from tests.agents.problems import run, simulated
from tests.every import every
from tests.test_blocks_numbers import noisy

NAMES = Names(("x", "y", "z"), ("x", "y", "z"))
UPTAKE = "x0*x1/(params[0] + x0)"
FEW = "".join(f'[equations.{x}]\nterms = ["{UPTAKE}", "x0", "x1", "x0*x1"]\n' for x in ("x0", "x1"))


def epidemic():
    """S, I and R of 1 in all."""
    return simulated(
        lambda _, s: [-0.5 * s[0] * s[1], 0.5 * s[0] * s[1] - 0.2 * s[1], 0.2 * s[1]],
        [0.95, 0.05, 0.0],
        40.0,
        points=200,
    )


def broth():
    """Substrate is taken up by biomass with a yield of a half."""
    return simulated(
        lambda _, s: [-1.2 * s[0] * s[1] / (2 + s[0]), 0.6 * s[0] * s[1] / (2 + s[0]) - 0.05 * s[1]],
        [8.0, 0.3], 15.0, points=200,
    )  # fmt: skip


def ruled(given, text):
    return replace(given, blocks=read_blocks(text, names_of(given.dataset), len(given.dataset.states)))


def law(state):
    return [[(t.skeleton, t) for t in (best.refined or best.fit).terms] for best in state.best]


KINDS = pytest.mark.parametrize("how", [lambda given: given, noisy], ids=["clean", "noise"])


@KINDS
def test_a_sum_that_stays_gives_one_number_and_one_error_to_what_leaves_and_arrives(how):
    state = run(ruled(how(epidemic()), 'conserved = ["x0 + x1 + x2"]'), iterations=2)
    first, second, third = map(dict, law(state))
    assert set(second) == {"x0*x1", "x1"}
    assert first["x0*x1"].coefficient == -second["x0*x1"].coefficient == pytest.approx(-0.5, abs=0.01)
    assert first["x0*x1"].std_error == second["x0*x1"].std_error > 0.0
    assert third["x1"].coefficient == -second["x1"].coefficient
    rates = sum(np.array([t.coefficient for t in one.values()]).sum() for one in (first, second, third))
    assert rates == pytest.approx(0.0, abs=1e-15)
    for system in state.last.fits:
        assert every(fit.failure for fit in system.equations) or not why_broken(
            state.problem.blocks, [[t.skeleton for t in fit.terms] for fit in system.equations]
        )


@KINDS
def test_a_tie_makes_the_number_inside_one_and_the_yield_its_ratio(how):
    text = f'{FEW}[[ties]]\nratio = "free"\nterms = {{x0 = "{UPTAKE}", x1 = "{UPTAKE}"}}'
    state = run(ruled(how(broth()), text), iterations=3)
    first, second = map(dict, law(state))
    assert first[UPTAKE].inner == second[UPTAKE].inner
    assert first[UPTAKE].inner_errors == second[UPTAKE].inner_errors
    assert second[UPTAKE].coefficient / first[UPTAKE].coefficient == pytest.approx(-0.5, abs=0.02)


def test_a_yield_that_is_known_is_kept():
    text = f'{FEW}[[ties]]\nratio = -0.5\nterms = {{x0 = "{UPTAKE}", x1 = "{UPTAKE}"}}'
    known = run(ruled(broth(), text), iterations=3)
    first, second = map(dict, law(known))
    assert second[UPTAKE].coefficient == -0.5 * first[UPTAKE].coefficient


@KINDS
def test_states_that_can_be_exchanged_have_one_law(how):
    given = simulated(
        lambda _, s: [s[0] * (1 - s[0] - 0.4 * s[1]), s[1] * (1 - s[1] - 0.4 * s[0])], [0.1, 0.5], 12.0, points=200
    )
    state = run(ruled(how(given), 'symmetric = [["x0", "x1"]]'), iterations=2)
    first, second = map(dict, law(state))
    for one, other in (("x0", "x1"), ("x0**2", "x1**2"), ("x0*x1", "x0*x1")):
        assert first[one].coefficient == second[other].coefficient
        assert first[one].std_error == second[other].std_error


LIMITS = [('positive = ["x0"]', "to -"), ('monotone = {x0 = "+"}', "does not keep x0 rising")]


@pytest.mark.parametrize(("text", "said"), LIMITS)
def test_a_law_whose_simulation_passes_a_limit_is_set_aside_and_the_limit_is_named(text, said):
    given = noisy(simulated(lambda _, s: [-s[0]], [2.0], 6.0, points=200))
    terms = ((Term("1", "", "", "model"),),)
    problem = ruled(given, text)
    bench = Workbench.of(given.dataset, blocks=problem.blocks)
    (free,) = fit(begin(Start(given, Settings())), Proposal((Candidate(0, terms),), ()), Workbench.of(given.dataset))
    assert not free.equations[0].failure
    (system,) = fit(begin(Start(problem, Settings())), Proposal((Candidate(0, terms),), ()), bench)
    assert "set aside" in system.equations[0].failure
    assert said in system.equations[0].failure


@pytest.mark.parametrize(
    ("start", "least", "is_kept"),
    [(0.0, -0.009, True), (0.0, -0.011, False), (-0.02, -0.029, True), (-0.02, -0.031, False), (-0.05, -0.05, False)],
)
def test_a_start_that_noise_puts_below_zero_is_not_held_against_a_law(start, least, is_kept):
    blocks = read_blocks('positive = ["x"]', NAMES, 3)
    x = np.array([[start, 0.5, least, 0.4, 0.5, 0.3], [0.0] * 6, [0.0] * 6]).T
    why = why_left(blocks, ["product (mM)", "y", "z"], x, [0, 4, 6], np.full(3, 0.01))
    said = f"its simulation takes product (mM) to {least:.3g}, and a rule says that it is never below zero"
    assert why == ("" if is_kept else said)


def test_a_hypothesis_from_outside_is_completed_by_the_rules_and_says_so():
    problem = ruled(epidemic(), 'conserved = ["x0 + x1 + x2"]')
    state = begin(Start(problem, Settings()))

    class Another:
        def propose(self, state, bench, rng):
            return Sampling((tuple((ProposedTerm(t, source="model"),) for t in ("x0*x1", "x1", "x0*x2")),))

    bench = Workbench.of(problem.dataset, blocks=problem.blocks)
    proposal = sample(state, Another(), bench, np.random.default_rng(0))
    assert [[t.skeleton for t in terms] for terms in proposal.candidates[0].terms] == [
        ["x0*x1"],
        ["x1"],
        ["x0*x1", "x1"],
    ]
    assert [r.text for r in proposal.refused] == ["x0*x2"]
    (system,) = fit(state, proposal, bench)
    whole = {}
    for one in system.equations:
        for term in one.terms:
            whole[term.skeleton] = whole.get(term.skeleton, 0.0) + term.coefficient
    assert every(abs(value) < 1e-12 for value in whole.values())


def test_what_the_rules_ask_for_is_added_and_what_they_rule_out_goes():
    blocks = read_blocks('conserved = ["x + y"]\nsymmetric = []', NAMES, 3)
    assert completed(blocks, [["x*y"], ["y"], ["z"]]) == (("x*y",), ("x*y",), ("z",))
    assert "changes one of them alone" in why_broken(blocks, [["x*y"], [], []])
    said = in_words(read_blocks('conserved = ["x + 2*z"]\npositive = ["x"]\nmonotone = {z = "+"}', NAMES, 3), NAMES)
    assert said == ["Conserved: x + 2 z.", "x is never below zero.", "z only rises."]
    assert in_words(read_blocks('conserved = ["x - z", "2*y - 0.5*z"]', NAMES, 3), NAMES) == [
        "Conserved: x - z.", "Conserved: 2 y - 0.5 z.",
    ]  # fmt: skip


WRONG = [
    ('conserved = ["x*y + z"]', "no sum of two or more states"),
    ('symmetric = [["x", "x"]]', "no two states"),
    ('positive = ["Q"]', "there is no 'Q'"),
    ('[[ties]]\nterms = {x = "x/(K + x)", y = "y"}', "as many numbers inside"),
    ('[[ties]]\nratio = 0.0\nterms = {x = "x", y = "x"}', "is no ratio"),
    ('degree = 1\n[[ties]]\nterms = {x = "x*y", y = "x*y"}', "asked for"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_rules_for_systems_that_cannot_be_used_are_refused_in_words(text, said):
    with pytest.raises(DataError, match=said):
        read_blocks(text, NAMES, 3)


def test_a_run_whose_structures_a_rule_sets_aside_says_which_rule():
    given = noisy(simulated(lambda _, s: [-1.0 - 0.0 * s[0]], [2.0], 4.0, points=80))
    done = run(ruled(given, 'positive = ["x0"]\n[equations.x0]\nterms = ["1"]'), iterations=1)
    said, why = status(done, 0)
    assert said == "none"
    assert why.startswith("No structure can stand: its simulation takes x0 to -")
    assert why.endswith("and a rule says that it is never below zero.")
