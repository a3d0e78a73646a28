"""What no mechanism writes down is still found in clean samples: products of powers, and one or two curves of them."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from dolq_core import clock
from dolq_core.agents.builtin import sampler
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.composing import compose
from dolq_core.agents.builtin.library import EVERY, LAST_STAGE, composed_on_data, library, on_data
from dolq_core.agents.builtin.sampler import BuiltinSampler, _searched, _with_reasons
from dolq_core.agents.builtin.scan import FINER, Scan, frequencies, levels_above, sizes
from dolq_core.fitting import term_cost
from dolq_core.fitting.limits import bent
from dolq_core.loop.status import status
from dolq_core.mechanisms import composed, is_composed
from dolq_core.records import Ban, Pin, TermKey, Wish
from dolq_core.terms import Skeleton, count_params, parse_term
from tests.agents.problems import begun, noisy, run_anew, simulated, terms_of
from tests.every import every, none


def best_composed(given, equation=0, forced=(), endings=("",)):
    """The best law of composed terms; endings: of the curves that are tried, as all of them take seconds."""
    state, setup = begun(given)
    known = composed_on_data(state, setup.bench, equation)
    known = replace(known, curved=tuple(s for s in known.curved if s.endswith(endings)))
    return compose(setup.bench, equation, Choice(known.plain), known, forced, state.settings.max_terms)[0]


def test_what_leaves_a_funnel_over_its_area():
    def rhs(t, x):
        return [(0.4 + 0.2 * np.sin(0.5 * t) - 0.3 * np.sqrt(x[0])) / x[0] ** 2]

    state, setup = begun(simulated(rhs, [1.3], 60.0, points=120))
    state = replace(state, iteration=LAST_STAGE - 1)
    best = _searched(state, setup.bench, 0, ())[0]
    assert terms_of(best) == {"1/x0**2", "1/x0**1.5", "sin(params[0]*t)/x0**2"}
    assert [term.inner for term in best.terms if term.inner] == [pytest.approx((0.5,))]


def test_two_curves_of_which_neither_says_much_alone():
    def rhs(t, x):
        return [4.1 * np.exp(-0.06 * t) - 2.0 * x[0] / (11.0 + x[0]) - 0.02 * x[0]]

    best = best_composed(simulated(rhs, [3.0], 60.0, points=300), endings=("params[0]*t)", "(params[0] + x0)"))
    assert terms_of(best) == {"x0", "x0/(params[0] + x0)", "exp(params[0]*t)"}


def test_a_supply_that_fades_as_one_over_time():
    def rhs(t, x):
        return [0.2 + 2.7 / (1.3 + t) - 0.5 * x[0]]

    best = best_composed(simulated(rhs, [6.0], 20.0, points=300), endings=("params[0]*t)", "(params[0] + t)"))
    assert terms_of(best) == {"1", "x0", "1/(params[0] + t)"}


def test_a_curve_beside_a_rhythm_of_which_the_frequency_is_not_yet_right():
    def rhs(t, x):
        return [3.1 + 2.2 * np.sin(0.15 * t) - 0.0012 * x[0] ** 2 - 2.4 * x[0] / (22.0 + x[0]), 0.0012 * x[0] ** 2]

    best = best_composed(simulated(rhs, [20.0, 1.0], 90.0, points=300), endings=("(params[0] + x0)", "in(params[0]*t)"))
    assert terms_of(best) == {"1", "x0**2", "x0/(params[0] + x0)", "sin(params[0]*t)"}


def test_what_another_leaves_of_a_level_that_it_comes_close_to():
    def rhs(t, x):
        return [x[0] * (0.002 / (1.0 - x[1]) ** 2 - 0.12), 0.4 * x[1] * (1.0 - x[0]) - 0.1 * x[1]]

    endings = ("(params[0] - x1)", "(params[0] - x1)**2", "exp(params[0]*x1)", "(params[0] + x1)")
    best = best_composed(simulated(rhs, [0.8, 0.86], 40.0, points=400), endings=endings)
    assert terms_of(best) == {"x0", "x0/(params[0] - x1)**2"}


def chokes(start):
    """Samples of an uptake that too much of its food holds back, from a start on."""

    def rhs(t, x):
        made = x[0] * x[1] / (0.3 + x[1] ** 4)
        return [0.9 * made - 0.75 * x[0], 0.8 - 0.5 * x[1] - 0.4 * x[0]]

    return simulated(rhs, start, 12.0, points=300)


def test_the_reason_says_that_no_mechanism_writes_it_so():
    state, setup = begun(chokes([0.5, 2.5]))
    laws = [[((Skeleton("x0*x1/(params[0] + x1**4)"), (0.3,)), (Skeleton("x0"), ()))], [((Skeleton("1"), ()),)]]
    (system,) = _with_reasons(state, setup.bench, [[own[0] for own in laws]])
    assert [term.reason.partition(". ")[0] for term in system[0]] == [
        "No mechanism known here writes x0*x1/(p1 + x1**4)",
        "x0 grows or decays in proportion to itself.",
    ]


def test_a_curve_of_what_hardly_varies_is_not_settled():
    state = run_anew(chokes([0.2, 1.6]), 5)
    assert state.best[0].reported.floor_ratio < 1.0
    where, why = status(state, 0)
    assert where == "provisional"
    assert "x1 varies by only 3.6 % in them: over so little, other curves look the same as" in why
    term = next(term for term in state.best[0].reported.terms if bent(term.skeleton))
    key = TermKey(0, term.skeleton)
    assert status(replace(state, pins={key: Pin(key, 1, "")}), 0)[0] == "settled", "a person asked for it"
    assert status(state, 1)[0] == "settled", "a straight line is no curve"


def test_what_a_term_is_a_curve_of():
    assert bent(Skeleton("x0*x1**2")) == set()
    assert bent(Skeleton("x0**2*exp(params[0]*x1)")) == {"x1"}
    assert bent(Skeleton("x0/x1")) == {"x1"}
    assert bent(Skeleton("x0*(x0 - x1)")) == {"x0", "x1"}
    assert bent(Skeleton("sqrt(x0)*x1")) == {"x0"}


def test_noisy_samples_are_not_searched_so():
    def rhs(t, x):
        return [0.6 * np.sqrt(x[0]) / (1.0 + x[0] ** 3) - 0.1 * x[0]]

    state, setup = begun(noisy(rhs, [0.4], 30.0, points=200))
    state = replace(state, iteration=4)
    systems = BuiltinSampler().propose(state, setup.bench, np.random.default_rng(0)).hypotheses
    tried = {term.text for system in systems for own in system for term in own}
    rare = {entry.skeleton for entry in library(state, setup.bench.names, 0, EVERY) if entry.family.stage == EVERY}
    assert none(skeleton in rare for skeleton in tried)


def test_only_many_clean_samples_are_searched_so(monkeypatch):
    def rhs(t, x):
        return [0.6 * np.sqrt(x[0]) / (1.0 + x[0] ** 3) - 0.1 * x[0]]

    looked = []
    monkeypatch.setattr(sampler, "_last_resort", lambda state, bench, j, forced, fits: looked.append(bench) or fits)
    few, many = (begun(simulated(rhs, [0.4], 30.0, points=points), max_terms=2) for points in (49, 90))
    for state, setup in (few, many, begun(noisy(rhs, [0.4], 30.0, points=90), max_terms=2)):
        _searched(replace(state, iteration=LAST_STAGE - 1), setup.bench, 0, ())
    assert looked == [many[1].bench]


def test_families_that_only_words_bring_in_are_all_in_the_last_library():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0] - x[1]], [1.0, 0.0], 9.0, points=100))
    last, usual = (on_data(state, setup.bench, 0, stage) for stage in (EVERY, EVERY - 1))
    assert {entry.family.stage for entry in last} == {1, 2, 3, 4, 5}
    assert {entry.skeleton for entry in usual} < {entry.skeleton for entry in last}
    assert none(entry.family.stage == EVERY for entry in usual)


def test_a_ban_and_a_removed_shape_hold_for_composed_terms_too():
    state, setup = begun(simulated(lambda t, x: [-x[0], x[0] - x[1]], [1.0, 2.0], 5.0, points=100))
    key = TermKey(0, Skeleton("x0/x1"))
    assert key.skeleton in composed_on_data(state, setup.bench, 0).plain
    barred = replace(state, bans={key: Ban(key, "human", 1, "no ratio")}, wishes={key: Wish("remove", 1, "no ratio")})
    known = composed_on_data(barred, setup.bench, 0)
    assert key.skeleton not in known.plain
    assert none(key.skeleton in base for base in known.bases)


def test_nothing_is_divided_by_what_changes_its_sign():
    given = simulated(lambda t, x: [x[1], -x[0]], [1.0, 0.0], 9.0, points=200)
    state, setup = begun(given)
    assert none("/x0" in skeleton or "/x1" in skeleton for skeleton in composed_on_data(state, setup.bench, 0).plain)


def test_what_is_asked_for_stays_beside_what_is_composed():
    def rhs(t, x):
        return [4.1 * np.exp(-0.06 * t) - 2.0 * x[0] / (11.0 + x[0]) - 0.02 * x[0]]

    wanted = Skeleton("x0**2")
    best = best_composed(
        simulated(rhs, [3.0], 60.0, points=300), forced=(wanted,), endings=("exp(params[0]*t)", "(params[0] + x0)")
    )
    assert wanted in terms_of(best)


def test_composed_terms_are_distinct_and_have_one_number_inside():
    _, setup = begun(simulated(lambda t, x: [-x[0], x[0] - x[1]], [1.0, 0.0], 9.0, points=100))
    known = composed(setup.bench.names)
    assert len(set(known.plain)) == len(known.plain)
    assert len(set(known.curved)) == len(known.curved)
    assert none(map(count_params, known.plain))
    assert every(count_params(skeleton) == 1 for skeleton in known.curved)
    assert every(term_cost(skeleton, 0, 100) > 0.0 for skeleton in known.plain)
    assert parse_term("x0*x1/(p1 + x1**3)", setup.bench.names).skeleton in known.curved


def test_of_many_variables_nothing_is_composed():
    given = simulated(lambda t, x: -np.arange(1.0, 9.0) * x, [1.0] * 8, 2.0, points=60)
    state, setup = begun(given)
    assert composed(setup.bench.names).plain == ()
    assert not is_composed(setup.bench.names, Skeleton("x0/x1"))
    fits = [setup.bench.fit(0, ["x1"])]
    assert sampler._last_resort(state, setup.bench, 0, (), fits) is fits, "ten to the power of eight products"


def test_each_curve_is_seen_at_its_number():
    def rhs(t, x):
        return [1.3 - 2.7 * x[0] / (5.3 + x[0])]

    _, setup = begun(simulated(rhs, [0.2], 9.0, points=200))
    scan = Scan(setup.bench, 0, [Skeleton("x0/(params[0] + x0)"), Skeleton("exp(params[0]*x0)")])
    ((skeleton, (number,)),) = scan.beside([(Skeleton("1"), ())], 1)
    assert skeleton == "x0/(params[0] + x0)"
    assert number == pytest.approx(5.3, rel=0.02)


def test_a_level_is_seen_just_above_what_comes_close_to_it():
    def rhs(t, x):
        return [x[0] * (0.002 / (1.0 - x[1]) ** 2 - 0.12), 0.4 * x[1] * (1.0 - x[0]) - 0.1 * x[1]]

    _, setup = begun(simulated(rhs, [0.8, 0.86], 40.0, points=400))
    scan = Scan(setup.bench, 0, [Skeleton("x0/(params[0] - x1)**2")])
    assert scan.curves[0].numbers.min() > setup.bench.values[1].max(), "no pole among the samples"
    ((skeleton, (number,)),) = scan.beside([(Skeleton("x0"), ())], 1)
    assert number == pytest.approx(1.0, rel=0.01)
    assert scan.beside([(Skeleton("x0"), ()), (skeleton, (number,))], 1) == [], "it is there already"


def test_a_grid_spans_more_than_the_starts_of_a_fit():
    assert sizes([0.1, 1.0, 10.0])[[0, -1]] == pytest.approx([0.1 / 3, 30.0])
    assert sizes([-1.0, 1.0]).min() < -1.0
    assert len(frequencies([0.5, 1.0, 2.0])) == 4 * FINER
    assert levels_above(0.9).min() == pytest.approx(0.909)
    assert np.isfinite(levels_above(0.0)).all()


def test_a_limit_of_time_ends_it_with_what_it_has():
    def rhs(t, x):
        return [4.1 * np.exp(-0.06 * t) - 2.0 * x[0] / (11.0 + x[0]) - 0.02 * x[0]]

    state, setup = begun(simulated(rhs, [3.0], 60.0, points=300))
    known = composed_on_data(state, setup.bench, 0)
    known = replace(known, curved=(Skeleton("exp(params[0]*t)"), Skeleton("x0/(params[0] + x0)")))
    with clock.limited(0.01), suppress(clock.OutOfTime):
        compose(setup.bench, 0, Choice(known.plain), known, (), 10)
    best = compose(setup.bench, 0, Choice(known.plain), known, (), 10)[0]
    assert terms_of(best) == {"x0", "x0/(params[0] + x0)", "exp(params[0]*t)"}
