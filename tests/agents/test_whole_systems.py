"""Noisy samples of whole systems that a search by equations alone, or over whole runs alone, does not come near to."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import clock
from dolq_core.agents.builtin.atoms import atoms_of
from dolq_core.agents.builtin.between import Between
from dolq_core.agents.builtin.changing import over_the_same
from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.pursuing import library_of, pursued
from dolq_core.agents.builtin.pursuit import Pursuit, turns
from dolq_core.agents.builtin.references import polynomials
from dolq_core.agents.builtin.subsets import Subsets
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import Likelihood
from dolq_core.fitting.prior import Prior
from dolq_core.mechanisms import WAVE
from dolq_core.records import Ban, FittedTerm, TermKey, Visited
from tests.agents.problems import begun, noisy
from tests.every import every, none

SQUARES = ("1", "x0", "x1", "x0**2", "x0*x1", "x1**2")


def pursuit(given, *stages):
    bench = Workbench.of(given.dataset)
    libraries = [Library(tuple(tuple(stage) for stage in stages))] * bench.d
    return Pursuit(bench.whole, bench.new_likelihoods(), Prior(given), libraries, 10)


def in_squares_under_a_drive():
    def rhs(t, x):
        return [0.3 + 2.0 * x[0] * x[1], -3.5 + x[1] ** 2 + 11.0 * x[0] - 9.0 * x[0] ** 2 + 2.2 * np.sin(0.7 * t)]

    return noisy(rhs, [0.1, -1.5], 30.0)


def test_a_first_reference_may_have_the_rhythm_that_explains_most_beside_a_polynomial():
    """No polynomial follows what a rhythm drives, and along one that does not ten terms that imitate it came first."""
    bench = Workbench.of(in_squares_under_a_drive().dataset).whole
    for driven in (False, True):
        other, moved = polynomials(bench, 2, driven=driven)
        rhythm = [term.inner for term in moved.terms if term.skeleton == WAVE]
        assert len(rhythm) == driven == sum(term.skeleton == WAVE for term in other.terms)
    assert rhythm[0][1] == pytest.approx(0.7, rel=0.02)


@pytest.mark.parametrize("stage", [(*SQUARES, WAVE), SQUARES])
def test_such_a_reference_is_taken_where_no_polynomial_carries_the_samples_and_a_rhythm_may_be_tried(
    monkeypatch, stage
):
    asked = []
    monkeypatch.setattr(
        "dolq_core.agents.builtin.pursuit.polynomials",
        lambda *args, driven=False: asked.append(driven) or polynomials(*args, driven=driven),
    )
    found = pursuit(in_squares_under_a_drive(), stage)._fresh(0)[0]
    assert any(asked) == (WAVE in stage)
    assert every(found)
    assert ({"1", "x0", "x0**2", "x1**2", WAVE} in [{t.skeleton for t in terms} for terms in found[1]]) == any(asked)


@pytest.mark.parametrize(("pull", "is_near"), [("x0**3", True), ("x0**2", False)])
def test_where_no_law_comes_near_on_whole_runs_shorter_stretches_are_searched_too(monkeypatch, pull, is_near):
    """What followed a path close by its star from afar missed the samples by thirteen times their noise."""
    given = noisy(lambda _, x: [x[1], -3.0 * x[0] ** 3], [2.0, 0.0], 12.0, points=200)
    used, use = set(), Pursuit._use
    monkeypatch.setattr(Pursuit, "_use", lambda own, level: used.add(level) or use(own, level))
    assert pursuit(given, ("x0", "x1", pull)).run()
    assert (used == {0}) == is_near


@pytest.mark.parametrize(("above", "levels"), [(-20.0, [0, 1, 2, 0]), (20.0, [0, 1, 2, 1, 0])])
def test_nothing_is_carried_to_longer_stretches_where_it_says_nothing_on_the_shortest(monkeypatch, above, levels):
    """Two random walks of 400 samples took 250 s of CPU, three searches of 50 to 80 s, before no law was told."""
    given = noisy(lambda _, x: [x[1], -3.0 * x[0] ** 3], [2.0, 0.0], 12.0, points=200)
    search, asked = pursuit(given, ("x0", "x1", "x0**2")), []
    use = search._use
    monkeypatch.setattr(Likelihood, "above_rest", lambda own, judged: (above, -50.0))
    monkeypatch.setattr(search, "_is_near", lambda judged: False)
    monkeypatch.setattr(search, "_use", lambda level: asked.append(level) or use(level))
    assert search.run()
    assert asked == levels


@pytest.mark.parametrize(
    ("above", "by", "searches"),
    [(None, "numbers", 0), (-20.0, "numbers", 0), (20.0, "numbers", 1), (-20.0, "human", 1)],
)
def test_where_no_law_says_anything_only_a_persons_ban_asks_for_another_search(monkeypatch, above, by, searches):
    given = noisy(lambda _, x: [-0.5 * x[0]], [2.0], 6.0, names=("x0",), points=100)
    bench, (state, _) = Workbench.of(given.dataset), begun(given)
    systems, _ = pursued(state, bench)
    shapes = [own for (own,) in systems]
    key = TermKey(0, next(term for own in shapes for term in own if not every(term in other for other in shapes)))
    asked = []
    run = Pursuit.run
    monkeypatch.setattr(Pursuit, "run", lambda own: asked.append(own) or run(own))
    if above is not None:
        state = replace(state, best=(Visited(replace(bench.null(0), above_rest=above), 1),))
    found, _ = pursued(replace(state, bans={key: Ban(key, by, 1, "")}), bench)
    assert none(key.skeleton in system[0] for system in found)
    assert len(asked) == searches


def test_terms_of_other_equations_and_of_the_reference_are_in_all_small_sets_as_they_are_there():
    given = noisy(lambda _, x: [1.0 - x[0] * x[1] / (0.8 + x[0]), x[0] - x[1]], [2.0, 0.5], 12.0)
    flow, own = "x0*x1/(params[0] + x0)", "exp(-params[0]*x1)"
    search = Subsets(
        Workbench.of(given.dataset), 0, (*SQUARES, flow, own), (), {flow: (0.8,)}, {own: (1.3,)}, [], Prior(given), 500
    )
    sets = [{(search.atoms.skeletons[i], search.atoms.inner[i]) for i in chosen} for chosen in search._all_of(2)]
    assert every(any((s, inner) in some for some in sets) for s, inner in ((flow, (0.8,)), (own, (1.3,))))
    assert every(inner in ((), (0.8,), (1.3,)) for some in sets for _, inner in some)


def test_terms_over_one_denominator_start_from_the_number_that_it_has():
    """Of (x0 - c*x1)/(p + x0) the second term is looked at beside the first with the same p."""
    first, second, other = "x0/(params[0] + x0)", "x1/(params[0] + x0)", "x1/(params[0] + x1)"
    system = [[FittedTerm(first, 1.0, None, (0.77,))], [FittedTerm("x0*x1", 1.0, None)]]
    assert over_the_same(system, [second, other, "x0", "x0**2*x1/(params[0] + x0)"]) == [
        (second, (0.77,)), ("x0**2*x1/(params[0] + x0)", (0.77,)),
    ]  # fmt: skip
    assert over_the_same([[], []], [second]) == []
    given = noisy(lambda _, x: [(x[0] - 0.3 * x[1]) / (0.8 + x[0]) - 0.4 * x[0], x[0] - x[1]], [2.0, 0.5], 12.0)
    search = pursuit(given, (*SQUARES, first, second))
    reference = [replace(search.bench.null(j), terms=tuple(terms)) for j, terms in enumerate(system)]
    search._pool(reference, 0, 0)
    atoms = search._subsets[-1].atoms
    assert (second, (0.77,)) in zip(atoms.skeletons, atoms.inner, strict=True)


def test_what_is_found_outside_the_libraries_is_a_new_reference_for_all_equations(monkeypatch):
    """Equations that were searched while another one was wrong are searched once more."""
    search = pursuit(noisy(lambda _, x: [-0.4 * x[0] * x[1], x[0] - x[1]], [2.0, 0.5], 12.0), SQUARES)
    wrong, right = FittedTerm("x0", -0.4, None), FittedTerm("x0*x1", -0.4, None)
    loss = (FittedTerm("x0", 1.0, None), FittedTerm("x1", -1.0, None))
    asked: list[object] = []
    monkeypatch.setattr(search, "_run_libraries", lambda: search._try(((wrong,), loss)))
    monkeypatch.setattr(search, "_outside", lambda: search._try(((right,), loss)))
    monkeypatch.setattr(search, "_is_law", lambda: bool(asked))
    monkeypatch.setattr(search, "_search", lambda stage: asked.append([t.skeleton for t in search.best.system[0]]))
    search.run()
    assert asked == [["x0*x1"]]
    monkeypatch.setattr(search, "_run_libraries", lambda: search._try(((right,), loss)))
    search.run()
    assert len(asked) == 1


def fades_with_the_stock():
    """A harvest is left of a stock that its own plenty holds down: 11*x1*exp(-x1/45) lies between two starts."""
    return noisy(
        lambda _, x: [11.0 * x[1] * np.exp(-x[1] / 45.0) - 0.9 * x[0], 0.5 * x[0] - 0.3 * x[1]], [10.0, 6.0], 18.0
    )


@pytest.mark.parametrize("bridged", [True, False])
def test_a_number_between_two_of_its_starts_is_found_beside_a_partner(monkeypatch, bridged):
    """Where noise is small a start that is nearly twice too large leaves so much that the term is not looked at."""
    given = fades_with_the_stock()
    bench, (state, _) = Workbench.of(given.dataset), begun(given)
    if not bridged:
        monkeypatch.setattr(Subsets, "_bridged", lambda self, size: [])
    search = Subsets(bench, 0, library_of(state, bench, 0).stages[-1], (), {}, {}, [], Prior(given), 500)
    _, terms = search.run(4, 3)[0]
    assert ({term.skeleton for term in terms} == {"x0", "x1*exp(params[0]*x1)"}) == bridged
    assert every(low <= value <= high for low, value, high in _between(search))


def test_the_best_pair_with_each_column_is_that_of_least_squares(monkeypatch):
    """Also across blocks of rows: each column is once in the rows and once in the columns of a block."""
    given = noisy(lambda _, x: [-0.4 * x[0] + 0.2 * x[0] * x[1], np.cos(x[0])], [1.0, 0.5], 6.0, points=80)
    terms = ("1", "x0", "x1", "x0**2", "x0*x1", "x1**2", "x0/(params[0] + x1)", "exp(params[0]*x1)")
    search = Subsets(Workbench.of(given.dataset), 0, terms, (), {}, {}, [], Prior(given), 80)
    monkeypatch.setattr("dolq_core.agents.builtin.subsets.ROWS", 3)
    values, partners = search._pairs()
    owner = search.atoms.owner
    for i, (value, k) in enumerate(zip(values, partners, strict=True)):
        pairs = {m: search._value((min(i, m), max(i, m))) for m in range(len(owner)) if owner[m] != owner[i]}
        assert value == pytest.approx(min(pairs.values()), abs=1e-6)
        assert pairs[k] == pytest.approx(value, abs=1e-6)


def _between(search):
    low, high = ([search.atoms.inner[i][0] for i in index] for index in search._between.ends)
    return list(zip(low, (value for _, value in search._between.terms), high, strict=True))


def test_where_time_runs_out_on_shorter_stretches_what_follows_whole_runs_from_afar_is_returned(monkeypatch):
    given = noisy(lambda _, x: [x[1], -3.0 * x[0] ** 3], [2.0, 0.0], 12.0, points=200)
    use, search = Pursuit._use, pursuit(given, ("x0", "x1", "x0**2"))
    late = iter((False, True))

    def stopped(own, level):
        use(own, level)
        if next(late, False):
            raise clock.OutOfTime

    monkeypatch.setattr(Pursuit, "_use", stopped)
    assert search.run()
    assert search.like is search.likes[0]


@pytest.mark.parametrize("is_itself", [True, False])
def test_a_search_ends_early_only_where_the_law_is_found_along_itself(monkeypatch, is_itself):
    """Along a law that runs away from other starts a chemostat's own terms did not come to light, and nothing else."""
    given = noisy(lambda _, x: [x[1], -2.0 * x[0] - 0.3 * x[1]], [1.5, 0.0], 15.0, points=200)
    plain = ("x0", "x1", "x0**3")
    search, asked = pursuit(given, plain, (*plain, "x0*x1"), (*plain, "x0*x1", "sin(x0)")), []
    fresh, pool = search._fresh, search._pool

    def seen(*args, **named):
        found = pool(*args, **named)
        search._is_itself = [one and is_itself for one in search._is_itself]
        return found

    monkeypatch.setattr(search, "_fresh", lambda stage: asked.append(stage) or fresh(stage))
    monkeypatch.setattr(search, "_pool", seen)
    found = search.run()
    assert [{t.skeleton for t in terms} for terms in found[0].system] == [{"x1"}, {"x0", "x1"}]
    assert asked == ([0] if is_itself else [0, 1, 2])


@pytest.mark.parametrize("is_law", [True, False])
def test_rhythms_inside_of_terms_are_sought_only_beside_what_is_no_law_yet(monkeypatch, is_law):
    search, asked = pursuit(noisy(lambda _, x: [x[1], -2.0 * x[0]], [1.5, 0.0], 9.0, points=120), ("x0", "x1")), []
    monkeypatch.setattr(search, "_is_law", lambda: is_law)
    monkeypatch.setattr(search, "_sway", lambda: asked.append(search.best) or False)
    assert search.run()
    assert bool(asked) != is_law


def test_nor_where_it_follows_chaos_which_chance_cannot(monkeypatch):
    """Along Chen's system 30 structures of five terms came before its own of two, and all libraries were searched."""

    def rhs(_, x):
        return [10.0 * (x[1] - x[0]), 28.0 * x[0] - x[0] * x[2] - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]]

    names = ("x0", "x1", "x2")
    given = noisy(rhs, [-8.0, 7.0, 27.0], 10.0, sigma=0.005, points=500, names=names)
    plain = (*names, "x0*x1", "x0*x2")
    search, asked = pursuit(given, plain, (*plain, "x1*x2"), (*plain, "x1*x2", "x2**2")), []
    fresh, pool = search._fresh, search._pool

    def unlike(*args, **named):
        found = pool(*args, **named)
        search._is_itself = [False] * 3
        return found

    monkeypatch.setattr(search, "_fresh", lambda stage: asked.append(stage) or fresh(stage))
    monkeypatch.setattr(search, "_pool", unlike)
    found = search.run()
    law = [{t.skeleton for t in terms} for terms in found[0].system]
    assert law == [{"x0", "x1"}, {"x0", "x0*x2", "x1"}, {"x0*x1", "x2"}]
    assert asked == [0]


def test_a_state_turns_where_its_steps_change_sign_and_rest_is_no_turn():
    t = np.linspace(0.0, 4.0 * np.pi, 201)
    rest = 1.0 + 1e-9 * np.random.default_rng(0).normal(size=201)
    rest[:50] = 0.0
    assert turns(np.column_stack((np.sin(t), t, rest))) == 4


def test_whether_a_law_is_found_along_itself_is_noted(monkeypatch):
    search = pursuit(noisy(lambda _, x: [x[1], -2.0 * x[0]], [1.5, 0.0], 9.0, points=120), ("x0", "x1", "x0**3"))
    search.best = search.run()[0]
    own = {t.skeleton for t in search.best.system[1]}
    real = Subsets.run
    for others_only in (False, True):
        monkeypatch.setattr(
            Subsets,
            "run",
            lambda self, *most, drop=others_only: [
                one for one in real(self, *most) if not drop or {t.skeleton for t in one[1]} != own
            ],
        )
        search._pool(search._as_fits(search.best), 1, 0)
        assert search._is_itself[1] is not others_only


def test_what_two_columns_leave_beside_others_is_what_least_squares_leave():
    """Nothing where one adds nothing: a multiple of the chosen column, of the other one, or of the same term."""
    rng = np.random.default_rng(5)
    a, b, c, target = rng.normal(size=(4, 30))
    atoms = atoms_of([("a", (), a), ("p", (1.0,), b), ("p", (2.0,), c)], target)
    chosen = (atoms.skeletons.index("a"),)
    first = [i for i, inner in enumerate(atoms.inner) if inner == (1.0,)] * 3
    unit = np.array([row / np.linalg.norm(row) for row in (c, b, a)])
    between = Between(np.array((first, first)), (), unit, np.array(2 * [(atoms.a[first] * unit).sum(axis=1)]))
    one, same, along = between.left(atoms, chosen)
    assert one == pytest.approx(np.linalg.lstsq(np.array([a, b, c]).T, target, rcond=None)[1][0])
    assert (same, along) == (np.inf, np.inf)
    assert between.left(atoms, (first[0],))[0] == np.inf
