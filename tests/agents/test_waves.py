"""Rhythms whose phase is free: the frequency that both phases explain together, beside what follows it."""

from itertools import combinations
from math import inf, pi

import numpy as np
import pytest

from dolq_core.agents.builtin.choice import Choice, Library
from dolq_core.agents.builtin.following import drive_beside
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.agents.builtin.references import relaxing
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.sets import Sets
from dolq_core.agents.builtin.subsets import Subsets
from dolq_core.agents.builtin.waves import best_wave, waves
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import Prior
from tests.agents.problems import problem, simulated
from tests.every import every

WAVE = "sin(params[0] + params[1]*t)"


def test_both_phases_of_each_frequency_are_tried_up_to_the_highest_start():
    found = waves(4.0 * pi)
    half = len(found) // 2
    assert found[:half, 0].tolist() == [0.0] * half
    assert found[half:, 0].tolist() == [pi / 2] * half
    assert found[:half, 1] == pytest.approx(np.arange(1, 8 * 24.5 + 1) / 16)
    assert found[half:, 1].tolist() == found[:half, 1].tolist()


def columns(starts, t):
    return np.sin(starts[:, :1] + starts[:, 1:] * t)


@pytest.mark.parametrize("phase", [-2.3, 0.0, 0.8, 1.6])
def test_a_wave_is_found_whatever_its_phase_beside_what_follows_it(phase):
    t = np.linspace(0.0, 60.0, 400)
    starts = waves(60.0)
    besides = np.column_stack((np.ones(400), np.cos(0.84 * t), t))
    q = np.linalg.qr(besides)[0]
    b = 2.0 - 0.3 * t + 0.7 * np.cos(0.84 * t) + 0.4 * np.sin(phase + 1.35 * t)
    found, frequency = best_wave(columns(starts, t), starts, q, b)
    assert frequency == pytest.approx(1.35, abs=0.0063)
    assert np.cos(found + 60.0 * frequency / 2 - phase - 60.0 * 1.35 / 2) == pytest.approx(1.0, abs=0.02)


def test_no_wave_is_named_where_none_explains_anything():
    t = np.linspace(0.0, 10.0, 100)
    starts = waves(10.0)
    rows = columns(starts, t)
    q = np.eye(100)
    assert best_wave(rows, starts, q, np.ones(100)) == ()
    assert best_wave(np.full(rows.shape, np.nan), starts, q[:, :1], np.ones(100)) == ()


PLAIN = ("1", "x0", "x1", "x0**2", "x0*x1", "x1**2", "x0**3", "x0**2*x1", "x0*x1**2", "x1**3")


def test_a_drive_is_found_although_the_swing_follows_it():
    """The best single phase of a coarse frequency is 1.01 there instead of 0.7, and the fit stays beside it."""

    def rhs(t, x):
        return [x[1], -1.1 * x[0] + 0.55 * x[0] ** 3 - 0.3 * x[1] * abs(x[1]) + 0.2 * np.cos(0.7 * t)]

    bench = Workbench.of(simulated(rhs, [0.5, 0.0], 96.0, points=450).dataset)
    choice = Choice((*PLAIN, "abs(x0)", "abs(x1)", "x0*abs(x0)", "x1*abs(x1)", WAVE, f"x0*{WAVE}", f"x1*{WAVE}"))
    sets = Sets(bench, 1, choice, [])
    chosen = sets.beside_cubic(8)[0]
    terms = {sets.atoms.skeletons[i]: sets.atoms.inner[i] for i in chosen}
    assert set(terms) == {"x0", "x0**3", "x1*abs(x1)", WAVE}
    assert terms[WAVE][1] == pytest.approx(0.7, rel=1e-3)


def test_a_curve_is_looked_for_beside_the_rhythm_that_a_cubic_law_leaves():
    def rhs(t, x):
        return [0.35 + 0.25 * np.sin(0.23 * t) - 0.8 * x[0] + 0.6 * x[0] ** 4 / (1.2 + x[0] ** 4)]

    bench = Workbench.of(simulated(rhs, [5.0], 100.0, points=350).dataset)
    curve = "1/(params[0] + x0**params[1])"
    others = ("x0**2/(params[0] + x0**2)", "x0/(params[0] + x0)", "tanh(params[0]*x0)")
    sets = Sets(bench, 0, Choice(("1", "x0", "x0**2", "x0**3", curve, *others, WAVE, f"x0*{WAVE}")), [])
    found = [{sets.atoms.skeletons[i]: sets.atoms.inner[i] for i in chosen} for chosen in sets.beside_cubic(8)]
    rhythms = [terms[WAVE][1] for terms in found if curve in terms]
    assert every(rhythm == pytest.approx(0.23, rel=1e-3) for rhythm in rhythms)


def test_a_curve_beside_a_cube_is_looked_for_once_both_cube_and_rhythm_are_in():
    def rhs(t, x):
        drained = 0.11 * x[0] ** 3
        return [1.0 + 0.8 * np.cos(0.61 * t) - 0.7 * x[0] / (0.5 + x[0]) - drained, drained - 0.25 * x[1] ** 1.5]

    bench = Workbench.of(simulated(rhs, [0.35, 2.2], 42.0, points=400).dataset)
    curve = "x0/(params[0] + x0)"
    others = ("tanh(params[0]*x0)", "x0/(params[0] + x0**2)", "1/(params[0] - x0)**2", "1/(params[0] - x0)")
    others += ("x1/(params[0] - x0)", "exp(params[0]*x0)", "x0**params[0]", "x0**2/(params[0] + x0**2)")
    sets = Sets(bench, 0, Choice((*PLAIN, "sqrt(x0)", curve, *others, WAVE, f"x0*{WAVE}", f"x1*{WAVE}")), [])
    found = [{sets.atoms.skeletons[i]: sets.atoms.inner[i] for i in chosen} for chosen in sets.beside_cubic(8)]
    exact = [terms for terms in found if set(terms) == {"1", curve, "x0**3", WAVE}]
    assert [terms[curve] for terms in exact] == [pytest.approx((0.5,), rel=1e-3)]


@pytest.mark.parametrize("seed", [3, 4, 9])
def test_a_curve_under_a_rhythm_is_found_in_noisy_samples(seed):
    """No polynomial of the state carries what the rhythm drives: no system followed the samples, or other terms did."""

    def rhs(t, x):
        return [0.35 + 0.25 * np.sin(0.23 * t) - 0.8 * x[0] + 0.6 * x[0] ** 4 / (1.2 + x[0] ** 4)]

    clean = simulated(rhs, [5.0], 100.0, points=350).dataset.trajectories[0]
    x = clean.x + 0.02 * np.std(clean.x) * np.random.default_rng(seed).normal(size=clean.x.shape)
    given = problem(clean.t, x, ["x0"])
    curves = ("1/(params[0] + x0**params[1])", "x0/(params[0] + x0)", "1/(params[0] - x0)", "tanh(params[0]*x0)")
    rhythms = (WAVE, f"x0*{WAVE}", f"sin(x0)*{WAVE}", "x0*exp(params[0]*t)", "exp(-params[0]/x0)")
    library = Library((("1", "x0", "x0**2", "x0**3", "1/x0", *curves, *rhythms),))
    bench = Workbench.of(given.dataset)
    found = Pursuit(bench.whole, bench.new_likelihoods(), Prior(given), [library], 8).run()
    assert {term.skeleton for term in found[0].system[0]} == {"1", "x0", "1/(params[0] + x0**params[1])", WAVE}


def driven():
    """A noisy state under a rhythm, along which terms are ranked."""
    clean = simulated(lambda t, x: [1.0 - 0.5 * x[0] + 0.4 * np.sin(0.9 * t)], [0.1], 40.0, points=200)
    t, x = clean.dataset.trajectories[0].t, clean.dataset.trajectories[0].x
    given = problem(t, x + 0.02 * np.std(x) * np.random.default_rng(1).normal(size=x.shape), ["x0"])
    return given, Workbench.of(given.dataset).output_error(relaxing(Workbench.of(given.dataset)), 0)


def structures(most, forced=(), starts=()):
    given, near = driven()
    found = Subsets(near, 0, ("1", "x0", WAVE, f"x0*{WAVE}"), forced, {}, {}, starts, Prior(given), 200).run(most, 30)
    return [[term.skeleton for term in terms] for _, terms in found]


def test_a_rhythm_beside_a_linear_law_is_no_longer_than_an_equation_may_be():
    assert max(map(len, structures(2))) == 2
    assert ["1", WAVE, "x0"] in structures(3)


def test_no_rhythm_is_tried_twice_beside_one_that_a_person_pinned(monkeypatch):
    tried, refine = [], Subsets._refine
    monkeypatch.setattr(
        Subsets, "_refine", lambda own, k: tried.append([own.atoms.skeletons[i] for i in k]) or refine(own, k)
    )
    structures(4, forced=(WAVE,))
    assert ["1", "x0", WAVE, f"x0*{WAVE}"] in [sorted(terms, key=len) for terms in tried]
    assert every(len(set(terms)) == len(terms) for terms in tried)


def test_a_rhythm_that_elsewhere_came_out_as_a_ramp_makes_no_grid():
    """A grid as fine as its frequency would be of ten million columns."""
    assert structures(3, starts=[(WAVE, (0.0, 1e-6))])[0] == ["1", WAVE, "x0"]


def test_a_rhythm_that_may_modulate_any_term_is_seen_beside_a_quadratic_law_of_states_with_a_constant_total():
    """Of four states that are ten terms with the same rhythm, and more numbers than the samples are worth."""

    def rhs(t, x):
        bitten, bites = 0.0002 * x[0] * x[3], 0.0006 * x[1] * x[2]
        hatched = 90.0 + 50.0 * np.sin(0.021 * t)
        return [0.08 * x[1] - bitten, bitten - 0.08 * x[1], hatched - bites - 0.12 * x[2], bites - 0.12 * x[3]]

    bench = Workbench.of(simulated(rhs, [560.0, 40.0, 900.0, 30.0], 240.0, points=400).dataset)
    names = bench.symbols
    plain = ("1", *names, *(f"{a}*{b}" for a, b in combinations(names, 2)), *(f"{a}**2" for a in names))
    driven = (WAVE, *(f"{term}*{WAVE}" for term in plain[1:11]))
    found = search(bench, 2, Choice(plain + driven, simpler={WAVE: ("sin(params[0]*t)",)}), [], 8)
    held = [{term.skeleton for term in fit.terms} - {"1", "x2", "sin(params[0]*t)"} for fit in found[:2]]
    assert sorted(map(sorted, held)) == [["x0*x2"], ["x1*x2"]]


def test_a_fast_current_that_follows_a_slow_drive_is_found():
    """Its rate is a hundredth of the terms that make it: no frequency but the true one explains any of it."""

    def rhs(t, x):
        return [18.0 * np.sin(0.31 * t) - 9.0 * x[0] - 7.0 * x[1], 0.4 * x[0] - 0.3 * x[1] - 0.06 * x[1] * np.abs(x[1])]

    bench = Workbench.of(simulated(rhs, [0.5, -0.4], 80.0, points=320).dataset)
    plain = ("1", "x0", "x1", "x0**2", "x0*x1", "x1**2")
    best = search(bench, 0, Choice((*plain, "sin(params[0]*t)", "x0*sin(params[0]*t)")), (), 8)[0]
    assert {term.skeleton for term in best.terms} == {"x0", "x1", "sin(params[0]*t)"}
    assert best.floor_ratio < 1.0
    found = search(bench, 0, Choice((*plain, WAVE)), (), 8)[0]
    assert {term.skeleton for term in found.terms} == {"x0", "x1", WAVE}


@pytest.mark.parametrize("term", ["x1*sin(params[0]*t)", f"x1*{WAVE}"])
def test_a_rhythm_in_a_state_that_is_always_zero_is_followed_by_nothing(term):
    bench = Workbench.of(simulated(lambda t, x: [-x[0], 0.0], [1.0, 0.0], 5.0, points=100).dataset)
    sets = Sets(bench, 0, Choice(("1", "x0", term)), ())
    assert drive_beside(bench, sets.atoms, (0, 1), term) == (inf, ())
