"""What a person removed does not come back under another name: as a term that the data make the same."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core import runs
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.library import on_data
from dolq_core.agents.builtin.search import search
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.exact_ties import shorter
from dolq_core.fitting.identify import ties
from dolq_core.fitting.limits import cosines, disguised, imitated, series
from dolq_core.loop import begin, compare, replay
from dolq_core.loop.compare import _ties, compared
from dolq_core.loop.fit import fit
from dolq_core.loop.ranking import dodged, may_stand
from dolq_core.loop.status import status
from dolq_core.records import (
    Ban,
    Blocks,
    Candidate,
    Dataset,
    FamilyBan,
    FamilyKey,
    FittedTerm,
    Intervention,
    Override,
    Pin,
    Problem,
    Proposal,
    Settings,
    Start,
    Term,
    TermKey,
    Trajectory,
    Variable,
    Visited,
)
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import Skeleton, compile_columns
from tests.agents.problems import begun, noisy, problem
from tests.every import none
from tests.stored import fitted

CAUGHT = TermKey(0, "x*y")
PLAIN = Blocks(functions=(), time=False)
"""Powers, products, ratios and numbers inside them: where what was removed comes back."""


def hunters(points=120):
    """x' = 0.9 x - 0.4 x y, y' = 0.2 x y - 0.6 y, exactly."""
    t = np.linspace(0.0, 20.0, points)
    law = lambda t, v: [0.9 * v[0] - 0.4 * v[0] * v[1], 0.2 * v[0] * v[1] - 0.6 * v[1]]  # noqa: E731
    x = solve_ivp(law, (0.0, 20.0), [3.0, 2.0], t_eval=t, rtol=1e-10, atol=1e-12).y.T
    states = (Variable("x", "x"), Variable("y", "y"))
    return Problem(Dataset("hunters", Variable("t", "t"), states, (Trajectory(frozen(t), frozen(x)),)))


@pytest.fixture(scope="module")
def run():
    """A person removes the prey that is caught, and the run goes on."""
    store = MemoryStore()
    run = runs.start(store, replace(hunters(), blocks=PLAIN), Settings(iterations=8))
    runs.step_once(store, run)
    assert CAUGHT.skeleton in [term.skeleton for term in runs.load(store, run).state.best[0].fit.terms]
    runs.intervene(store, run, Intervention(overrides=(Override(CAUGHT, "remove", "nobody is caught"),)))
    for _ in range(3):
        runs.step_once(store, run)
    return runs.load(store, run)


def test_no_best_structure_holds_a_removed_term_under_another_name(run):
    best = run.state.best[0]
    assert CAUGHT in run.state.bans
    x = run.state.problem.dataset.trajectories[0].x.T
    product = x[0] * x[1] / np.linalg.norm(x[0] * x[1])
    for term in best.fit.terms:
        row = compile_columns(term.skeleton, ("x", "y"))(frozen(x), frozen(np.zeros(x.shape[1])), term.inner)
        assert abs(product @ row) / np.linalg.norm(row) < 0.9995, term
    assert replay(run.entries) == run.state


def test_the_built_in_search_does_not_spend_its_hypotheses_on_such_terms(run):
    tried = [
        fit for entry in run.entries[2:] if hasattr(entry, "fits") for system in entry.fits for fit in system.equations
    ]
    assert tried
    assert not [fit.failure for fit in tried if fit.failure.startswith("set aside")]


TWIN = Term("x*y/(params[0] + x)")  # next to x*y/p where p is far above x


@pytest.mark.parametrize("source", ["model", "human"])
def test_an_equation_that_dodges_is_set_aside_with_its_reason_unless_a_person_typed_it(run, source):
    """What is caught in proportion is fitted by a term that saturates far beyond the data, too."""
    twin = replace(TWIN, source=source)
    proposal = Proposal((Candidate(1, ((Term("x"), twin), (Term("y"),))),))
    bench = Workbench.of(run.state.problem.dataset)
    found = fit(replace(run.state, archive={}), proposal, bench)[0].equations[0]
    assert abs(found.terms[-1].inner[0]) > 100.0
    if source == "human":
        assert not found.failure
        return
    said = "set aside: as fitted, x*y/(p1 + x) is on these data the same as x*y, which you removed"
    assert found.failure == said


CROWDED = "x*y*(1 - x - y)"  # beside x**2*y and x*y**2 this is x*y, exactly


def test_terms_that_add_up_to_a_removed_one_are_set_aside_and_not_searched_for(run):
    law = ["x", "x**2*y", CROWDED, "x*y**2"]
    proposal = Proposal((Candidate(1, (tuple(Term(s, source="model") for s in law), (Term("y"),))),))
    found = fit(replace(run.state, archive={}), proposal, Workbench.of(run.state.problem.dataset))[0].equations[0]
    said = "x**2*y beside the other terms is on these data the same as x*y, which you removed"
    assert found.failure == f"set aside: as fitted, {said}"
    proposal = Proposal((Candidate(1, ((Term("x"), Term(CROWDED, source="model")), (Term("y"),))),))
    alone = fit(replace(run.state, archive={}), proposal, Workbench.of(run.state.problem.dataset))[0].equations[0]
    assert not alone.failure
    assert none({CROWDED, "x**2*y", "x*y**2"} <= set(skeletons) for _, skeletons in run.state.archive)


def test_a_function_that_looks_like_a_removed_term_is_a_law_by_itself_but_no_patch_for_it():
    """The root of a level between 8 and 10 is the level to 3 %: exact, it stands; in what fits badly, it does not."""
    t = np.linspace(0.0, 5.0, 150)
    tank = problem(t, ((10.0**0.5 - 0.033 * t) ** 2)[:, None], ["x"])
    x = tank.dataset.trajectories[0].x[:, 0]
    assert cosines(np.sqrt(x), np.array([x]))[0] > 0.9995
    term = FittedTerm("sqrt(x)", -0.066)
    assert imitated(tank.dataset, term, ["x"]) is None
    assert imitated(tank.dataset, term, ["x"], loosely=True) == "x"
    drag = problem(t, (1.0 / (0.1 + 0.004 * t))[:, None], ["x"])  # x' = -0.004 x**2: no law of a constant and a root

    def found(given, removed):
        bench, choice = Workbench.of(given.dataset), Choice(("1", "sqrt(x)"), removed=removed)
        return [{term.skeleton for term in one.terms} for one in search(bench, 0, choice, (), 2)]

    assert {"sqrt(x)"} in found(tank, ("x",))
    assert {"1", "sqrt(x)"} in found(drag, ())
    assert none("sqrt(x)" in terms for terms in found(drag, ("x",)))


def test_without_a_veto_nothing_is_set_aside(run):
    free = replace(run.state, bans={}, archive={})
    proposal = Proposal((Candidate(1, ((Term("x"), TWIN), (Term("y"),))),))
    assert not fit(free, proposal, Workbench.of(run.state.problem.dataset))[0].equations[0].failure


def test_a_vetoed_constant_does_not_come_back_as_a_function_that_is_one_on_the_data():
    t = np.linspace(0.0, 60.0, 300)
    kettle = problem(t, (117.0 - 99.0 * np.exp(-0.035 * t))[:, None], ["x"])
    bench, start = Workbench.of(kettle.dataset), begun(replace(kettle, blocks=Blocks(vetoes=((0, "1"),))))[0]
    assert "tanh(x)" in {entry.skeleton for entry in on_data(begun(kettle)[0], bench, 0, 4)}
    assert "tanh(x)" not in {entry.skeleton for entry in on_data(start, bench, 0, 4)}
    proposal = Proposal((Candidate(1, ((Term("tanh(x)", source="model"), Term("x", source="model")),)),))
    said = "set aside: as fitted, tanh(x) is on these data the same as 1, which you removed"
    assert fit(start, proposal, bench)[0].equations[0].failure == said


MONOD = TermKey(0, "x/(params[0] + x)")


def eaten(noise=0.0, points=150):
    """An enzyme at its limit first: x' = -2.1 x/(3 + x)."""
    t = np.linspace(0.0, 12.0, points)
    x = solve_ivp(lambda _, v: -2.1 * v / (3.0 + v), (0.0, 12.0), [14.0], t_eval=t, rtol=1e-10, atol=1e-12).y[0]
    x = x + noise * x.std() * np.random.default_rng(2).normal(size=t.shape)
    return problem(t, x[:, None], ["x"], "An enzyme takes up the substrate and saturates.")


@pytest.mark.parametrize(
    ("removed", "law", "said"),
    [
        (MONOD.skeleton, ["1", "1/(params[0] + x)"], "1/(p1 + x) beside the other terms is on these data the same as"),
        ("x**2", ["x", "x/(params[0] + x)"], ""),
        ("x**2", ["1", "x"], ""),
    ],
)
def test_a_removed_term_does_not_come_back_as_two_that_are_it_together(removed, law, said):
    """-2.1 + 6.4/(3 + x) was answered to a person who had removed x/(p + x); a shape of its own is another law."""
    given = eaten()
    key = TermKey(0, removed)
    state = replace(begun(given)[0], bans={key: Ban(key, "human", 0, "")})
    proposal = Proposal((Candidate(1, (tuple(map(Term, law)),)),))
    failure = fit(state, proposal, Workbench.of(given.dataset))[0].equations[0].failure
    assert (said in failure and removed.replace("params[0]", "p1") in failure) if said else not failure


def test_a_square_does_not_come_back_as_two_terms_with_a_number_out_of_all_range():
    t = np.linspace(0.0, 9.0, 200)
    given = problem(t, (9.0 / (1.0 + 17.0 * np.exp(-0.9 * t)))[:, None], ["x"])
    key = TermKey(0, "x**2")
    state = replace(begun(given)[0], bans={key: Ban(key, "human", 0, "")})
    proposal = Proposal((Candidate(1, ((Term("x"), Term("x/(params[0] + x)")),)),))
    found = fit(state, proposal, Workbench.of(given.dataset))[0].equations[0]
    assert found.terms[-1].inner[0] > 100.0
    said = (
        "set aside: as fitted, x/(p1 + x) beside the other terms is on these data the same as x**2, which you removed"
    )
    assert found.failure == said


def test_a_term_is_not_itself_under_another_name_and_what_others_are_the_whole_of_is_like_nothing():
    term, constant = FittedTerm(MONOD.skeleton, -2.1, None, (3.0,)), FittedTerm("1", 1.0, None)
    assert imitated(eaten().dataset, term, [MONOD.skeleton], [constant]) is None
    x = np.linspace(1.0, 9.0, 50)
    line, other = 3.0 * x - 2.0, np.array([x**2])
    assert cosines(line, other, [np.ones(50), x]) == [0.0]
    assert cosines(line, other)[0] > 0.9


def test_one_more_number_that_does_nothing_makes_no_other_term():
    """Found again after a veto: x/(2.999 - 0.0025*x**2 + x) for x/(p + x), the same within 0.3 %."""
    wider = "x/(params[0] + params[1]*x**2 + x)"
    same = FittedTerm(wider, -2.1, None, (2.999, -0.0025))
    assert imitated(eaten().dataset, same, [MONOD.skeleton]) == MONOD.skeleton
    shifted = FittedTerm("x**params[0]/(params[1] + x)", -2.1, None, (1.01, 7.0))
    assert imitated(eaten().dataset, shifted, [MONOD.skeleton]) == MONOD.skeleton
    pieces = (
        FittedTerm("x/(params[0] + params[1]*x + x**2)", 1.0, None, (10950.0, 3661.0)),
        FittedTerm("x", -1.194, None),
    )
    assert imitated(eaten().dataset, pieces[0], [MONOD.skeleton], pieces[1:]) == MONOD.skeleton
    inhibited = FittedTerm(wider, -2.1, None, (3.0, 0.5))
    assert imitated(eaten().dataset, inhibited, [MONOD.skeleton]) is None
    fewer = FittedTerm(MONOD.skeleton, -2.1, None, (3.0,))
    assert imitated(eaten().dataset, fewer, [wider]) is None, "what was removed is not all that it may look like"


@pytest.mark.parametrize(("noise", "blocks"), [(0.0, PLAIN), (0.01, Blocks())])
def test_nor_does_the_built_in_search_propose_it(noise, blocks):
    store = MemoryStore()
    run = runs.start(store, replace(eaten(noise), blocks=blocks), Settings(iterations=12))
    before = runs.auto(store, run)
    assert {term.skeleton for term in before.state.best[0].fit.terms} == {MONOD.skeleton}
    runs.intervene(store, run, Intervention(overrides=(Override(MONOD, "remove"),)))
    after = runs.auto(store, run)
    best = after.state.best[0]
    assert dodged(after.state, best.fit) is None
    assert not {"1", "1/(params[0] + x)"} <= {term.skeleton for term in best.fit.terms}
    tried = [
        one.failure
        for entry in after.entries[len(before.entries) :]
        if hasattr(entry, "fits")
        for f in entry.fits
        for one in f.equations
    ]
    assert none(failure.startswith("set aside") for failure in tried)


ROOT, CUBE = TermKey(0, "sqrt(x)"), TermKey(0, "x**3")


@pytest.mark.parametrize("said", [Override(ROOT, "remove"), Override(TermKey(0, "x**2"), "pin")])
def test_a_law_that_a_person_forbids_is_no_rival(said):
    """Logistic growth under noise, of which sqrt(x) and x**3 tell as much: nobody asks for it any more."""
    t = np.linspace(0.0, 6.0, 150)
    x = 3.0 / (1.0 + 2.0 * np.exp(-0.9 * t)) + 0.03 * np.random.default_rng(1).normal(size=t.shape)
    store = MemoryStore()
    run = runs.start(store, problem(t, x[:, None], ["x"]), Settings(iterations=8))
    before = runs.step_once(store, run)
    other = {ROOT.skeleton, CUBE.skeleton}
    assert [{term.skeleton for term in fit.terms} for fit in before.state.last.beside[0]] == [other]
    after, bench = runs.intervene(store, run, Intervention(overrides=(said,))).state, runs.workbench(before)
    bench.judged([fit.refined or fit.fit for fit in before.state.best])
    assert compared(before.state, before.state.last, bench).rivals == before.state.last.rivals == (1,)
    assert compared(after, before.state.last, bench).rivals == (0,)


def test_few_samples_leave_no_rival_that_a_person_forbids():
    t = np.linspace(0.0, 6.0, 25)
    x = 3.0 / (1.0 + 2.0 * np.exp(-0.9 * t)) + 0.03 * np.random.default_rng(1).normal(size=t.shape)
    bench = Workbench.of(problem(t, x[:, None], ["x"]).dataset)
    best, seen = bench.fit(0, ["x", "x**2"]), [(ROOT.skeleton, CUBE.skeleton)]
    free = ties(bench, best, seen)
    assert {ROOT.skeleton, CUBE.skeleton} in [{term.skeleton for term in fit.terms} for fit in free.fits]
    kept = ties(bench, best, seen, may_stand=lambda terms: ROOT.skeleton not in terms)
    assert 0 < kept.count < free.count
    assert none(ROOT.skeleton in [term.skeleton for term in fit.terms] for fit in kept.fits)


def test_few_samples_leave_no_rival_with_a_removed_term_under_another_name():
    """Near 0 sin(x) is x, which a person has removed."""
    t = np.linspace(0.0, 4.0, 40)
    x = 0.01 * np.exp(-0.5 * t) + 2e-4 * np.random.default_rng(1).normal(size=t.shape)
    given = problem(t, x[:, None], ["x"])
    bench, seen = Workbench.of(given.dataset), [("sin(x)",), ("x",)]
    best = bench.fit(0, ["sqrt(x)", "x**2"])
    state = replace(begin(Start(given, Settings())), bans={TermKey(0, "x"): Ban(TermKey(0, "x"), "human", 1, "")})

    def tied(**rules):
        found = ties(bench, best, seen, **rules)
        return {term.skeleton for fit in (*found.fits, *found.twins) for term in fit.terms}

    assert "sin(x)" in tied(may_stand=partial(may_stand, state, 0))
    assert "sin(x)" not in tied(may_stand=partial(may_stand, state, 0), dodges=partial(dodged, state))

    visited = {(0, ("sin(x)",)): Visited(bench.fit(0, ["sin(x)"]), 1)}
    for bans, stands in (({}, True), (state.bans, False)):
        after = replace(state, archive=visited, best=(Visited(best, 1),), bans=bans)
        beside = _ties(after, bench, (), best)[1]
        assert ("sin(x)" in {term.skeleton for fit in beside for term in fit.terms}) == stands


def test_several_terms_whose_sum_is_a_removed_one_are_set_aside():
    """Functions of y alone are y, removed, to the last digits of clean samples; a sum of another shape is not."""
    dataset, y = hunters().dataset, Skeleton("y")
    values = dataset.trajectories[0].x[:, 1]
    parts = {"1": np.ones_like(values), "y**2": values**2, "sqrt(y)": np.sqrt(values), "log(y)": np.log(values)}
    c = np.linalg.lstsq(np.array(list(parts.values())).T, -0.4 * values, rcond=None)[0].tolist()
    law = [FittedTerm(Skeleton(s), v) for s, v in zip(parts, c, strict=True)]
    met, crowded = FittedTerm(Skeleton("x*y"), 0.1), FittedTerm(Skeleton("y**2"), -0.1)
    found = series(dataset, [met, *law], [Skeleton("x"), y])
    assert found is not None
    assert set(found[0]) <= set(parts)
    assert found[1] == "y"
    assert series(dataset, [met, crowded, FittedTerm(Skeleton("1"), 1.0)], [y]) is None
    assert series(dataset, [*law, FittedTerm(y, 1.0)], [y]) is None, "it is there by its own name"
    assert disguised(dataset, [met, *law], [y])
    assert not disguised(dataset, [met, *law], [y], [term.skeleton for term in law]), "a person let them in"
    assert not disguised(dataset, [met, *law], [])
    still = replace(dataset, trajectories=tuple(replace(r, x=frozen(3.0 + 1e-3 * r.x)) for r in dataset.trajectories))
    flat = [FittedTerm(Skeleton("1"), 1.0), FittedTerm(Skeleton("sqrt(y)"), 2.0)]
    assert series(still, flat, [y]) is None, "where y hardly varies, everything is nearly y"


def test_a_removed_term_does_not_come_back_as_a_series():
    """The predators' own decline is removed before the first iteration, and functions of them alone make it up."""
    store = MemoryStore()
    run = runs.start(store, hunters(300), Settings(iterations=3))
    runs.intervene(store, run, Intervention(overrides=(Override(TermKey(1, Skeleton("y")), "remove"),)))
    after = runs.auto(store, run)
    assert status(after.state, 1)[0] != "settled"
    assert dodged(after.state, after.state.best[1].fit) is None


def test_a_shorter_law_with_a_removed_term_is_found_beside_a_longer_one():
    """Both explain clean samples: in place of a term a series of others can be found."""
    bench = Workbench.of(hunters(600).dataset)
    long = bench.fit(1, [Skeleton(s) for s in ("x*y", "y", "x*y**2")])
    found = shorter(bench, long, [Skeleton("y")])
    assert {term.skeleton for term in found.terms} == {"x*y", "y"}
    assert shorter(bench, found, [Skeleton("x")]) is None
    assert shorter(bench, found, [Skeleton("y")]) is None, "no law of fewer terms"
    assert shorter(bench, long, [Skeleton("y")], ["x*y**2"]) is None, "none keeps what a person wants"


def test_the_shorter_law_that_a_person_ruled_out_is_kept_with_the_iteration(run, monkeypatch):
    bench, last = Workbench.of(run.state.problem.dataset), run.state.last
    known = [best.reported for best in run.state.best]
    monkeypatch.setattr(compare, "_shorter", lambda after, bench, one: one if one.equation == 0 else None)
    assert compared(run.state, last, bench).shorter == (known[0], None)
    monkeypatch.setattr(compare, "_shorter", lambda *_: None)
    assert compared(run.state, last, bench).shorter == ()


@pytest.mark.parametrize(("by", "is_told"), [("human", True), ("scientist", False)])
def test_a_shorter_law_with_a_removed_term_makes_one_of_noisy_samples_provisional(by, is_told):
    given = noisy(lambda _, x: [1.2 * x[0] - 0.3 * x[0] ** 2], [0.1], 8.0, 0.02, 200, names=("x0",))
    run = fitted(given, [["x0", "x0**3", "x0*log(x0)"]], Settings(held_out=0.0))
    key = TermKey(0, Skeleton("x0**2"))
    barred = replace(run.state, bans={key: Ban(key, by, 0, "no")})
    done = compared(barred, run.state.last, runs.workbench(run))
    pinned = replace(barred, pins={TermKey(0, "x0**3"): Pin(TermKey(0, "x0**3"), 0, "")})
    assert compared(pinned, run.state.last, runs.workbench(run)).shorter == ()
    laws = [{term.skeleton for term in law.terms} for law in done.shorter if law is not None]
    assert laws == [{"x0", "x0**2"}] * is_told
    said = "It explains the data, and so does a shorter law with x0**2, which you removed."
    assert (status(replace(barred, last=done), 0)[1] == said) == is_told


@pytest.mark.parametrize(("kind", "symbol"), [("linear", ""), ("any", "y")])
@pytest.mark.parametrize("instead", [("x*y", "x*y**2", "y**2"), ("x*y", "abs(params[0] + y) - abs(params[0] - y)")])
def test_a_shorter_law_with_a_term_of_a_banned_kind_is_held_against_a_longer_one(kind, symbol, instead):
    """In place of y a series of other terms explains clean samples, or one term with a number inside."""
    own = hunters(600)
    bench, store = Workbench.of(own.dataset), runs.open_store()
    state = runs.step_once(store, runs.start(store, own)).state
    banned = FamilyBan(FamilyKey(1, kind, symbol), 0, "Nobody dies", ("x*y", "x*y**2"))
    barred = replace(state, families={banned.key: banned})
    exact = replace(state.best[1].reported, terms=tuple(FittedTerm(s, 1.0) for s in instead))
    assert compare._shorter(state, bench, exact) is None
    found = compare._shorter(barred, bench, exact)
    assert {term.skeleton for term in found.terms} == {"x*y", "y"}
    assert compare._shorter(barred, bench, replace(exact, equation=0)) is None, "the ban is of the other equation"
