"""Building blocks: what is said of numbers, known equations, functions of one's own and units."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.bans import ban_on
from dolq_core.blocks import (
    in_words,
    read_blocks,
    unit_fault,
)
from dolq_core.errors import DataError
from dolq_core.fitting import Workbench, names_of
from dolq_core.loop.advance import begin
from dolq_core.loop.sample import sample
from dolq_core.records import (
    Blocks,
    Bound,
    EquationBlocks,
    Intervention,
    ProposedTerm,
    Sampling,
    Settings,
    Start,
    TermKey,
    TermNote,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term
from dolq_core.views.files import export
from tests.agents.problems import run, simulated
from tests.every import every
from tests.test_blocks import NAMES, swinging, terms_of

NUMBERS = """
[equations.x]
fixed = {v = 1}
terms = ["v"]

[equations.v]
must = ["v"]
bounds = {v = [-0.15, 0], "x/(K + x)" = {K = [1, 5], coefficient = [-inf, 2]}}
start = "-0.3*v - sin(x)"
"""


def test_what_is_known_of_numbers_is_read_and_said_by_name():
    blocks = read_blocks(NUMBERS, NAMES, 2)
    first, second = blocks.equations
    assert (first.fixed, second.must, second.start) == ((("v", 1.0),), ("v",), ("v", "sin(x)"))
    ratio = parse_term("x/(params[0] + x)", NAMES).skeleton
    assert second.bounds == (Bound("v", -0.15, 0.0), Bound(ratio, 1.0, 5.0, 0), Bound(ratio, None, 2.0))
    said = " ".join(in_words(blocks, NAMES))
    for part in (
        "the coefficient of v is 1.",
        "from -0.15 to 0",
        "at most 2",
        "begins with",
        "Always in the eq",
    ):
        assert part in said


CONTRADICTIONS = [
    ("degree = 1\n[equations.x]\nmust = ['x**2']", "asked for"),
    ("[equations.x]\nfixed = {x = 1}\nsigns = {x = '-'}", "may only be negative"),
    ("[equations.x]\nfixed = {x = 1}\nbounds = {x = [0, 2]}", "fixed and has bounds"),
    ("[equations.x]\nbounds = {x = [2, 0]}", "lower one first"),
    ("[equations.x]\nbounds = {x = {Q = [0, 2]}}", "no number 'Q'"),
    ("[equations.x]\nfixed = {x = 0}", "no coefficient"),
    ("[equations.x]\nstart = 'x +* v'", "no right-hand side"),
    ("[equations.x]\npin = ['x']\nveto = ['x']", "x is pinned, and it is vetoed"),
    ("veto = ['x']\n[equations.x]\nmust = ['x']", "x is asked for, and it is vetoed"),
    ("veto = ['x']\n[equations.v]\nstart = 'x - v'", "x is asked for, and it is vetoed"),
    ("degree = 1\n[equations.x]\npin = ['x**2']", "x**2 is pinned, and its degree"),
]


@pytest.mark.parametrize(("text", "said"), CONTRADICTIONS)
def test_rules_that_cannot_hold_together_are_refused(text, said):
    with pytest.raises(DataError, match=re.escape(said)):
        read_blocks(text, NAMES, 2)


def noisy(given, share=0.02, seed=3):
    (run,) = given.dataset.trajectories
    rng = np.random.default_rng(seed)
    x = run.x + share * np.std(run.x, axis=0) * rng.normal(size=run.x.shape)
    return replace(given, dataset=replace(given.dataset, trajectories=(replace(run, x=x),)))


def coefficient(state, equation, skeleton):
    best = state.best[equation]
    (found,) = [term.coefficient for term in (best.refined or best.fit).terms if term.skeleton == skeleton]
    return found


@pytest.mark.parametrize("data", [swinging, lambda: noisy(swinging(200))], ids=["clean", "noise"])
def test_a_known_equation_stays_and_the_other_is_found(data):
    blocks = Blocks(equations=(EquationBlocks(0, terms=("x1",), fixed=(("x1", 1.0),)),))
    state = run(replace(data(), blocks=blocks), iterations=2)
    assert coefficient(state, 0, "x1") == 1.0
    assert (state.best[0].refined or state.best[0].fit).terms[0].std_error is None
    assert coefficient(state, 1, "sin(x0)") == pytest.approx(-1.0, abs=0.03)
    for system in state.last.fits:
        assert [(t.skeleton, t.coefficient) for t in system.equations[0].terms] == [("x1", 1.0)]


@pytest.mark.parametrize("data", [swinging, lambda: noisy(swinging(200))], ids=["clean", "noise"])
def test_a_coefficient_stays_within_its_bounds_though_the_data_want_it_outside(data):
    free = Workbench.of(data().dataset).fit(1, ["x1", "sin(x0)"])
    assert free.terms[0].coefficient == pytest.approx(-0.2, abs=0.03)
    own = EquationBlocks(1, terms=("x1", "sin(x0)"), must=("x1", "sin(x0)"), bounds=(Bound("x1", -0.15, 0.0),))
    other = EquationBlocks(0, terms=("x0", "x1"))
    state = run(replace(data(), blocks=Blocks(equations=(other, own))), iterations=1)
    assert coefficient(state, 1, "x1") == -0.15
    fits = [fit for system in state.last.fits for fit in system.equations if fit.equation == 1]
    fits += [
        seen for v in state.archive.values() for seen in (v.fit, v.refined, v.blind) if seen and seen.equation == 1
    ]
    found = [term.coefficient for fit in fits for term in fit.terms if term.skeleton == "x1"]
    assert len(found) > 1
    assert every(-0.15 <= value <= 0.0 for value in found)


def test_a_number_inside_a_term_stays_within_its_bounds():
    given = simulated(lambda _, s: [-2.0 * s[0] / (3.0 + s[0])], [10.0], 12.0, points=120)
    ratio = parse_term("x0/(params[0] + x0)", names_of(given.dataset)).skeleton
    few = (ratio, "1", "x0", "x0**2")
    own = EquationBlocks(0, terms=few, must=(ratio,), bounds=(Bound(ratio, 3.5, 9.0, 0),))
    for data in (given, noisy(given)):
        state = run(replace(data, blocks=Blocks(equations=(own,))), iterations=1)
        (term,) = [t for t in state.best[0].fit.terms if t.skeleton == ratio]
        assert term.inner[0] >= 3.5
        bench = Workbench.of(data.dataset, blocks=Blocks(equations=(own,)))
        fit = bench.fit(0, [ratio])
        assert fit.terms[0].inner[0] == pytest.approx(3.5, rel=1e-6)
        (refined,) = bench.refine([fit]) or [fit]
        assert refined.terms[0].inner[0] == pytest.approx(3.5, rel=1e-6)
        assert Workbench.of(data.dataset).fit(0, [ratio]).terms[0].inner[0] == pytest.approx(3.0, rel=0.1)


def test_what_must_be_there_is_there_whoever_proposes_and_is_not_removed():
    blocks = Blocks(equations=(EquationBlocks(1, must=("x0**3",)),))
    state = begin(Start(replace(swinging(), blocks=blocks), Settings()))

    class Another:
        def propose(self, state, bench, rng):
            return Sampling((((ProposedTerm("x1"),), (ProposedTerm("sin(x0)"),)),))

    proposal = sample(state, Another(), Workbench.of(state.problem.dataset), np.random.default_rng(0))
    assert [[t.skeleton for t in terms] for terms in proposal.candidates[0].terms] == [["x1"], ["x0**3", "sin(x0)"]]
    done = run(replace(swinging(), blocks=blocks), iterations=2)
    assert (1, "x0**3") in terms_of(done)
    assert every(v.action != "remove" for v in done.last.verdicts if v.key == TermKey(1, "x0**3"))
    store = MemoryStore()
    started = runs.start(store, replace(swinging(), blocks=blocks))
    with pytest.raises(DataError, match="always has it"):
        runs.intervene(store, started, Intervention(ban=(TermNote(TermKey(1, "x0**3"), "no"),)))


def test_an_equation_to_start_from_is_the_first_that_is_tried():
    blocks = Blocks(equations=(EquationBlocks(1, start=("x1", "x0")),))
    state = run(replace(swinging(), blocks=blocks), iterations=1)
    (first, *_) = state.last.proposal.candidates
    assert {term.skeleton for term in first.terms[1]} == {"x1", "x0"}
    assert every(term.source == "human" for term in first.terms[1])


OWN = 'functions = ["sinc", "exp"]\n[define]\nsinc = "sin(x)/x"'


def test_a_function_of_ones_own_is_text_that_every_term_may_call():
    given = simulated(lambda _, s: [-2.0 * np.sin(s[0]) / s[0] + 0.5], [9.0], 20.0, points=300)
    problem = runs.with_blocks(given, OWN)
    names = names_of(problem.dataset)
    assert problem.dataset.functions == (("sinc", "sin(x)/x"),)
    assert parse_term("3*sinc(x0)", names).skeleton == parse_term("sin(x0)/x0", names).skeleton
    assert parse_term("sinc(2*x0 + 1)", names).skeleton == parse_term("sin(2*x0 + 1)/(2*x0 + 1)", names).skeleton
    assert problem.blocks.functions == ("exp", "sin")
    assert "sinc(x) = sin(x)/x" in " ".join(in_words(problem.blocks, names))
    for data in (problem, noisy(problem)):
        state = run(data, iterations=1)
        assert (0, "sin(x0)/x0") in terms_of(state)
        assert coefficient(state, 0, "sin(x0)/x0") == pytest.approx(-2.0, abs=0.05)
    store = MemoryStore()
    started = runs.load(store, runs.start(store, problem))
    law = parse_term("sinc(x0)", names_of(started.state.problem.dataset)).skeleton
    back = runs.import_run(MemoryStore(), export(started, "bundle").content)
    assert back
    assert law == "sin(x0)/x0"


NOT_OWN = [
    ('sin = "x"', "no new name"),
    ('f = "y + 1"', "cannot be read"),
    ('f = "2"', "does not hold its argument"),
    ('f = "__import__(x)"', "cannot be read"),
]


@pytest.mark.parametrize(("line", "said"), NOT_OWN)
def test_what_is_no_function_of_terms_is_refused(line, said):
    with pytest.raises(DataError, match=said):
        runs.with_blocks(swinging(), f"[define]\n{line}")


def with_units(given, *units):
    states = tuple(replace(v, unit=unit) for v, unit in zip(given.dataset.states, units, strict=True))
    return replace(given, dataset=replace(given.dataset, states=states, time=replace(given.dataset.time, unit="s")))


@pytest.mark.parametrize("data", [swinging, lambda: noisy(swinging(200))], ids=["clean", "noise"])
def test_units_as_a_rule_leave_out_what_cannot_agree(data):
    free = runs.with_blocks(with_units(data(), "m", "m/s"), "degree = 2\ninner = false\nratios = false\ntime = false")
    assert (1, "sin(x0)") in terms_of(run(free, iterations=2))
    narrow = "degree = 2\ninner = false\nratios = false\ntime = false"
    strict = runs.with_blocks(with_units(data(), "m", "m/s"), f'units = "must"\n{narrow}')
    state = run(strict, iterations=1)
    assert terms_of(state)
    assert every(not unit_fault(strict.dataset, skeleton) for _, skeleton in terms_of(state))
    tried = {term.skeleton for v in state.archive.values() for term in v.fit.terms}
    assert every(not unit_fault(strict.dataset, skeleton) for skeleton in tried)
    assert "units do not agree" in ban_on(state, TermKey(1, "sin(x0)")).reason
    open_ = begin(Start(runs.with_blocks(with_units(data(), "m", "m/s"), 'units = "must"'), Settings()))
    assert ban_on(open_, TermKey(1, parse_term("x0/(1 + x0)", ["x0", "x1"]).skeleton)) is not None
    assert ban_on(open_, TermKey(1, parse_term("sin(params[0]*x0)", ["x0", "x1"]).skeleton)) is None


def test_units_as_a_rule_need_units():
    with pytest.raises(DataError, match="no state has a unit"):
        runs.with_blocks(swinging(), 'units = "must"')
    with pytest.raises(DataError, match="is asked for"):
        runs.with_blocks(with_units(swinging(), "m", "m/s"), 'units = "must"\n[equations.x0]\nmust = ["exp(x0)"]')
