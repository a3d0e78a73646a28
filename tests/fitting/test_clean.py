"""Clean samples: an integrator's error, and the last digit of a table, are no sign of more terms, nor of a law."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.agents.builtin.worth import FAR, worth_their_terms
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import OUTSIDE
from dolq_core.fitting.prior import Prior, named
from dolq_core.fitting.rivals import CLOSE
from dolq_core.loop.followed import LEAVES
from dolq_core.loop.status import status
from dolq_core.numerics.lifted import COARSE
from dolq_core.numerics.whiteness import WHITE, whiteness
from dolq_core.records import MISSES, Blocks, FittedTerm, TrajectoryScore
from tests.agents.problems import problem, simulated
from tests.loop.states import logistic_problem
from tests.stored import found


def brusselator():
    """A relaxation that 100 samples resolve poorly: rates are far off, and the simulation to eight digits right."""
    law = lambda _, x: [1.0 + x[0] ** 2 * x[1] - 3.8 * x[0], 2.8 * x[0] - x[0] ** 2 * x[1]]  # noqa: E731
    return simulated(law, [1.2, 2.5], 12.5, "", 100)


def test_terms_that_only_follow_the_error_of_an_integrator_cost_more_than_they_gain():
    given = brusselator()
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    law = (
        (FittedTerm("1", 1.0, None), FittedTerm("x0", -3.8, None), FittedTerm("x0**2*x1", 1.0, None)),
        (FittedTerm("x0", 2.8, None), FittedTerm("x0**2*x1", -1.0, None)),
    )
    more = tuple((*own, FittedTerm("x0**2", 1e-6, None), FittedTerm("x0**3", 1e-6, None)) for own in law)
    true, bent = like.judged(law), like.judged(more)
    assert np.all(true.misfit <= COARSE)
    assert np.all(bent.misfit < true.misfit)
    assert like.length(true, prior) < like.length(bent, prior) - 10.0
    assert like.whiteness(true) == (1.0, 1.0), "what is left is smooth, and no samples show it"


def test_clean_samples_that_are_poorly_resolved_give_their_law_and_it_is_settled():
    state = found(replace(brusselator(), blocks=Blocks(inner=False))).state
    assert [status(state, j)[0] for j in (0, 1)] == ["settled", "settled"]
    assert [{term.skeleton for term in best.fit.terms} for best in state.best] == [
        {"1", "x0", "x0**2*x1"},
        {"x0", "x0**2*x1"},
    ]


def fitted(*skeletons, mse, ratio):
    state = found(logistic_problem()).state
    own = tuple(FittedTerm(skeleton, 1.0, None) for skeleton in skeletons)
    return replace(state.best[0].fit, terms=own, mse=mse, floor_ratio=ratio)


def test_at_the_floor_of_clean_samples_a_further_term_has_to_gain_as_much_as_elsewhere():
    few, more = fitted("x", mse=4.0, ratio=2.0), fitted("x", "x**2", mse=1.0, ratio=1.0)
    assert worth_their_terms([more, few]) == [more, few], "noise may hide what the term is worth"
    assert worth_their_terms([more, few], exact=True) == [few]
    worthy = replace(more, mse=0.9 * 4.0 / FAR**2)
    assert worth_their_terms([worthy, few], exact=True) == [worthy, few]


def test_a_sum_that_only_rounding_changes_does_not_make_the_rates_look_uncertain():
    """Food and what eats it: their sum is fixed, and four digits of each are what is known."""
    uptake = lambda x: 0.4 * x[0] * x[1] / (20.0 + x[1] + 0.02 * x[1] ** 2)  # noqa: E731
    (one,) = simulated(lambda _, x: [uptake(x), -2.0 * uptake(x)], [4.0, 90.0], 60.0, "", 300).dataset.trajectories
    rounded = np.array([[float(f"{value:.4g}") for value in row] for row in one.x])
    target = Workbench.of(problem(one.t, rounded, ["x0", "x1"], "").dataset).target
    assert np.all(target.floor < 1e-3 * np.sqrt(np.mean(target.b**2, axis=1)))


def kettle(points):
    t = np.linspace(0.0, 60.0, points)
    return t, 4.1 / 0.035 + (18.0 - 4.1 / 0.035) * np.exp(-0.035 * t)


T, KETTLE = kettle(300)
WARMING = (FittedTerm("1", 4.1, None), FittedTerm("temp", -0.035, None))


def written(curve, digits=4, t=T):
    """A table of so many digits: above 100 its step is ten times as large, at rest neighbours are rounded alike."""
    return problem(t, np.array([[float(f"{value:.{digits}g}")] for value in curve]), ["temp"], "")


@pytest.mark.parametrize(("digits", "points"), [(3, 300), (4, 300), (3, 1000)])
def test_a_table_of_few_digits_gives_its_law_and_it_is_settled(digits, points):
    t, curve = kettle(points)
    given = written(curve, digits, t)
    like = Workbench.of(given.dataset).likelihoods[0]
    law = like.judged((WARMING,))
    assert whiteness([(like.data.y - law.x)[:, 0]]).chance < WHITE
    assert like.whiteness(law) == (1.0,)
    state = found(given).state
    assert {term.skeleton for term in state.best[0].fit.terms} == {"1", "temp"}
    assert status(state, 0)[0] == "settled"


def test_where_a_slow_state_is_rounded_alike_a_further_term_gains_less_than_it_costs():
    given = written(KETTLE, 3)
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    law, more = like.judged((WARMING,)), like.judged(((*WARMING, FittedTerm("temp*sin(temp)", 1e-6, None)),))
    assert more.misfit[0] < law.misfit[0]
    assert like.length(law, prior) < like.length(more, prior)


def test_missing_cells_do_not_hide_that_the_rest_was_rounded():
    given = written(KETTLE, 3)
    (run,) = given.dataset.trajectories
    holes = run.x.copy()
    holes[1::2] = np.nan
    whole, half = (
        Workbench.of(problem(T, x, ["temp"], "").dataset).likelihoods[0].judged((WARMING,)) for x in (run.x, holes)
    )
    assert half.fit == pytest.approx(whole.fit, abs=5.0)
    like = Workbench.of(problem(T, holes, ["temp"], "").dataset).likelihoods[0]
    assert like.whiteness(like.judged((WARMING,))) == (1.0,)


def test_few_samples_say_less_for_a_law_and_no_more_against_a_constant():
    like = Workbench.of(written(KETTLE, 3).dataset).likelihoods[0]
    law = like.judged((WARMING,))
    gained = np.log(float(np.std(KETTLE)) / float(like.data.sigma[0]) / law.misfit[0])
    step = np.sqrt(np.mean(np.where(KETTLE < 99.95, 0.1, 1.0) ** 2))
    few = 1.0 + np.sum(np.minimum(np.abs(np.diff(KETTLE)) / step, 1.0))
    assert few < 0.7 * len(T)
    costs = sum(named(term.skeleton, like.samples) for term in WARMING)
    (above_walks,) = like.above_rest(law)
    like._walks = np.array([np.inf])  # against a constant alone
    assert like.above_rest(law)[0] == pytest.approx(gained * few - costs, rel=0.025)  # the smoothed curve moves more
    assert CLOSE < above_walks < 0.1 * gained * few


def test_samples_that_stay_where_they_are_count_each_where_rounding_is_not_the_noise():
    walk = np.cumsum(np.random.default_rng(2).normal(size=400))
    step = np.std(walk) / 3.0
    bench = Workbench.of(problem(np.linspace(0.0, 10.0, 400), step * np.round(walk / step)[:, None], ["x"], "").dataset)
    like = bench.likelihoods[0]
    law = like.judged(((FittedTerm("1", 0.1, None), FittedTerm("x", -0.1, None)),))
    assert np.any(np.diff(bench.target.measured.x, axis=0) == 0.0)
    assert np.isfinite(law.fit)
    assert np.isfinite(like.above_rest(law)).all()


def test_what_is_left_beyond_the_last_digit_counts():
    like = Workbench.of(written(KETTLE + 0.5 * np.sin(0.3 * T)).dataset).likelihoods[0]
    law = like.judged((WARMING,))
    assert like.whiteness(law)[0] < WHITE
    clean, off = written(KETTLE), written(np.where(T == T[150], KETTLE + 0.2, KETTLE))
    nats = [Workbench.of(one.dataset).likelihoods[0].judged((WARMING,)).fit for one in (clean, off)]
    assert nats[1] > nats[0] + OUTSIDE


@pytest.mark.parametrize(
    ("nmse", "past_horizon", "stands"),
    [
        (2.0 * MISSES, False, "provisional"),
        (2.0 * MISSES, True, "settled"),
        (2.0 * MISSES, None, "settled"),  # an older log does not say
        (0.5 * MISSES, False, "settled"),
    ],
)
def test_a_law_that_follows_the_rates_and_not_the_samples_is_not_settled_but_in_chaos(nmse, past_horizon, stands):
    state = found(logistic_problem()).state
    score = TrajectoryScore((nmse,), past_horizon=past_horizon)
    there = replace(state, last=replace(state.last, trajectory=score, rivals=()))
    said = status(there, 0)
    assert said[0] == stands
    assert (said[1] == LEAVES.format(nmse)) == (stands == "provisional")


def test_a_simulation_with_default_tolerances_gives_its_law_and_is_told_to_be_perhaps_one():
    """A kettle by SciPy's `solve_ivp` as it comes: its error is smooth, and a thousand times what looks like noise."""
    t = np.linspace(0.0, 60.0, 300)
    temperature = solve_ivp(lambda _, x: 4.1 - 0.035 * x, (0.0, 60.0), [18.0], t_eval=t).y.T
    state = found(replace(problem(t, temperature, ["temp"], ""), blocks=Blocks(inner=False))).state
    stands, reason = status(state, 0)
    assert {term.skeleton for term in state.best[0].fit.terms} == {"1", "temp"}
    assert stands == "provisional"
    assert reason.endswith("% of the spread: a solver's own error may be as large.")


def test_how_near_a_simulation_stays_is_said_where_it_is_near():
    state = found(logistic_problem()).state
    far = replace(state.best[0], fit=replace(state.best[0].fit, floor_ratio=300.0), refined=None)
    near = replace(state, best=(far,), ended=(far,), last=replace(state.last, trajectory=TrajectoryScore((4e-6,))))
    said = "Its error is 300 times that of the data. The simulation stays within 0.2 % of the spread: "
    assert status(near, 0) == ("provisional", f"{said}a solver's own error may be as large.")
    off = replace(near, last=replace(state.last, trajectory=TrajectoryScore((1e-3,))))
    assert status(off, 0) == ("provisional", "Its error is 300 times that of the data.")


def test_samples_that_chaos_misses_are_past_the_horizon_and_those_of_a_wrong_law_are_not():
    lorenz = simulated(
        lambda _, x: [10.0 * (x[1] - x[0]), x[0] * (28.0 - x[2]) - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]],
        [1.0, 1.0, 1.0], 30.0, "", 3000,
    )  # fmt: skip
    bench = Workbench.of(lorenz.dataset)
    law = [bench.rough(0, ["x0", "x1"]), bench.rough(1, ["x0", "x0*x2", "x1"]), bench.rough(2, ["x0*x1", "x2"])]
    near = [
        replace(fit, terms=tuple(replace(t, coefficient=t.coefficient * (1 + 1e-6)) for t in fit.terms)) for fit in law
    ]
    score = bench.trajectory_score(near)
    assert max(score.nmse) > MISSES
    assert score.past_horizon
    decay = Workbench.of(simulated(lambda _, x: [-(x[0] ** 2)], [5.0], 5.0, "", 300).dataset)
    wrong = decay.trajectory_score([decay.rough(0, ["x0"])])
    assert max(wrong.nmse) > MISSES
    assert wrong.past_horizon is False


def test_a_driven_swing_keeps_no_term_that_only_follows_the_error_of_its_rates():
    swing = lambda t, x: [x[1], -6.0 * np.sin(x[0]) - 0.3 * x[1] + 1.5 * np.cos(2.0 * t)]  # noqa: E731
    (one,) = simulated(swing, [1.5, 0.0], 15.0, "", 300).dataset.trajectories
    words = "A pendulum swings while its pivot is shaken at a steady rhythm; friction is proportional to its speed."
    state = found(problem(one.t, one.x, ["theta", "omega"], words)).state
    assert [status(state, j)[0] for j in (0, 1)] == ["settled", "settled"]
    assert len(state.best[1].fit.terms) == 3
