"""Few samples: equations on their own trajectories, what bears a law out, and what was not measured."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.agents.builtin.sampler import _fewer, _ranked
from dolq_core.agents.builtin.unmeasured import unmeasured
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.hidden import turning_run
from dolq_core.loop import begin
from dolq_core.records import Dataset, Pin, Problem, Settings, Start, TermKey, Trajectory, Variable, Visited
from dolq_core.views.summary import result
from tests import stored


def prey_and_predator(n=25, noise=0.0, seed=0):
    t = np.linspace(0.0, 22.0, n)
    rates = lambda _, x: [0.9 * x[0] - 0.05 * x[0] * x[1], 0.02 * x[0] * x[1] - 0.6 * x[1]]  # noqa: E731
    x = solve_ivp(rates, (0.0, 22.0), [30.0, 8.0], t_eval=t, rtol=1e-10, atol=1e-10).y.T
    return t, x + noise * x.std(axis=0) * np.random.default_rng(seed).normal(size=x.shape)


def dataset(t, x, names=("a", "b")):
    states = tuple(Variable(name, name) for name in names[: x.shape[1]])
    return Dataset("few", Variable("t", "t"), states, (Trajectory(frozen(t), frozen(x)),))


def found(problem, **settings):
    done = stored.found(problem, **settings)
    return done, result(done)["equations"]


def skeletons(done):
    return [{term.skeleton for term in visited.fit.terms} for visited in done.state.best]


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_prey_and_predator_at_25_samples_have_their_terms_and_no_ghosts(noise):
    done, equations = found(Problem(dataset(*prey_and_predator(noise=noise))))
    assert skeletons(done) == [{"a", "a*b"}, {"b", "a*b"}]
    assert [equation["status"] for equation in equations.values()] == ["settled", "settled"]


def test_an_equation_alone_gets_its_coefficients_from_its_trajectory():
    bench = Workbench.of(dataset(*prey_and_predator(noise=0.03)))
    fit = bench.fit(0, ["a", "a*b"])
    assert fit.strategy == "trajectory"
    assert [term.coefficient for term in fit.terms] == pytest.approx([0.9, -0.05], rel=0.05)
    assert fit.floor_ratio < 2.0
    assert fit.score < bench.info.walk_score[0] < bench.null(0).score


def test_an_equation_that_cannot_be_simulated_ranks_last():
    t = np.linspace(0.0, 1.0, 20)
    bench = Workbench.of(dataset(t, np.column_stack((np.cos(9.0 * t), np.sin(9.0 * t)))))
    fit = bench.fit(0, ["exp(exp(9*a))"])
    assert fit.score == np.inf or fit.failure


def test_the_evidence_of_few_samples_is_the_simulation_without_the_term():
    bench = Workbench.of(dataset(*prey_and_predator(noise=0.03)))
    ratios = {skeleton: ratio for skeleton, _, ratio in bench.ablate(bench.fit(0, ["1", "a", "a*b"]))}
    assert min(ratios["a"], ratios["a*b"]) > 5.0
    assert ratios["1"] <= 1.0


@pytest.mark.parametrize("seed", [1, 6])
def test_short_random_walks_have_no_law(seed):
    n = (18, 25)[seed % 2]
    walk = np.random.default_rng(seed).normal(size=(n, 1)).cumsum(axis=0)
    _, equations = found(Problem(dataset(np.linspace(0.0, 10.0, n), walk)), iterations=2)
    assert [equation["status"] for equation in equations.values()] == ["none"]


def test_one_state_of_an_oscillation_proves_that_something_is_hidden():
    t, x = prey_and_predator(25, noise=0.02)
    done, equations = found(Problem(dataset(t, x[:, :1])), iterations=1)
    (said,) = equations.values()
    assert (said["status"], said["reason"]) == ("none", done.state.last.target.hidden)
    assert "no law in a alone can do that" in done.state.insight


@pytest.mark.parametrize("n", [30, 5000])
def test_growth_with_noise_turns_nowhere_and_a_swing_does(n):
    t = np.linspace(0.0, 8.0, n)
    noise = 0.02 * np.random.default_rng(1).normal(size=n)
    growth, swing = 1.0 / (1.0 + 9.0 * np.exp(-t)) + noise, np.sin(t) + noise
    assert turning_run([(t, growth[:, None])], np.array([0.02])) is None
    assert turning_run([(t, growth[:, None]), (t, swing[:, None])], np.array([0.02])) == 1
    assert turning_run([(t, np.column_stack((swing, growth)))], np.array([0.02, 0.02])) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Cells grow. The food was not measured.", "The food was not measured."),
        ("Nobody counted the prey! Owls eat.", "Nobody counted the prey!"),
        ("The number who can still be infected was not recorded.",) * 2,
        ("All states were measured. Nothing is added.", ""),
    ],
)
def test_what_the_description_says_was_not_measured(words, said):
    assert unmeasured(words) == said


def test_a_run_in_which_the_only_state_was_never_measured_proves_nothing():
    t = np.linspace(0.0, 8.0, 30)
    runs_ = [(t, np.exp(-t)[:, None]), (t, np.full((30, 1), np.nan))]
    assert turning_run(runs_, np.array([0.0])) is None


def test_a_law_is_tried_without_a_term_that_may_be_zero_though_it_fits():
    """An epidemic with missing cells ended with 0.00006 recovered in the rate of the recovered, and unsettled."""
    problem = Problem(dataset(*prey_and_predator(noise=0.05)))
    bench, state = Workbench.of(problem.dataset), replace(begin(Start(problem, Settings())), iteration=5)
    fit = replace(bench.fit(1, ["b", "a*b"]), floor_ratio=1.0)
    sure = [replace(term, std_error=1e-3 * abs(term.coefficient)) for term in fit.terms]
    vague = replace(sure[0], std_error=abs(sure[0].coefficient))
    firm, loose = (Visited(fit, 1, refined=replace(fit, terms=(one, *sure[1:]))) for one in (sure[0], vague))
    rest = {term.skeleton for term in sure[1:]}
    assert set(_fewer(state, bench, loose)) == rest
    assert _fewer(state, bench, firm) == ()
    pinned = replace(state, pins={TermKey(1, "b"): Pin(TermKey(1, "b"), 1, "")})
    assert _fewer(pinned, bench, loose) == ()
    fitted = replace(state, archive={(1, tuple(sorted(rest))): loose})
    assert _fewer(fitted, bench, loose) == ()
    settled = replace(state, best=(None, loose), last=None)
    assert [{s for s, _ in own} for own in _ranked(settled, bench, 1)] == [{t.skeleton for t in fit.terms}, rest]


def test_three_runs_of_forty_noisy_samples_are_compared_as_whole_runs():
    """A damped pendulum; on a smoothing curve a cubic law of the angle stood for its sine."""
    t, rng = np.linspace(0.0, 6.0, 40), np.random.default_rng(1)
    rates = lambda _, x: [x[1], -9.81 * np.sin(x[0]) - 0.3 * x[1]]  # noqa: E731
    paths = [
        solve_ivp(rates, (0.0, 6.0), start, t_eval=t, rtol=1e-9).y.T for start in ([2.5, 0.0], [1.0, 2.0], [-2, 0])
    ]
    swings = [x + 0.02 * x.std(axis=0) * rng.normal(size=x.shape) for x in paths]
    done, equations = found(Problem(replace(
        dataset(t, swings[0], ("theta", "omega")),
        trajectories=tuple(Trajectory(frozen(t), frozen(x)) for x in swings),
    )))  # fmt: skip
    assert skeletons(done) == [{"omega"}, {"omega", "sin(theta)"}]
    assert [equation["status"] for equation in equations.values()] == ["settled", "settled"]


def test_thirty_noisy_samples_are_enough_for_whole_runs_and_of_clean_ones_fifty():
    enough = Workbench.of(dataset(*prey_and_predator(n=30, noise=0.02)))
    assert enough.likelihoods
    assert Workbench.of(dataset(*prey_and_predator(n=29, noise=0.02))).is_sparse
    t = np.linspace(0.0, 2.0, 49)
    assert Workbench.of(dataset(t, np.exp(-t)[:, None])).is_sparse
