"""More samples than are searched: the law of fast data is the same, and so are its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import SHORT, Likelihood
from dolq_core.records import Dataset, FittedTerm, Trajectory, Variable
from dolq_core.terms import parse_term

STATES = tuple(Variable(name, name) for name in "xyz")
BURKE_SHAW = ({"x": -10.0, "y": -10.0}, {"x*z": -10.0, "y": 1.0}, {"1": 13.0, "x*y": 10.0})
LORENZ = ({"x": -10.0, "y": 10.0}, {"x": 28.0, "x*z": -1.0, "y": -1.0}, {"x*y": 1.0, "z": -8.0 / 3.0})


def burke_shaw(t, x):
    return [-10.0 * (x[0] + x[1]), -10.0 * x[0] * x[2] + x[1], 10.0 * x[0] * x[1] + 13.0]


def lorenz(t, x):
    return [10.0 * (x[1] - x[0]), x[0] * (28.0 - x[2]) - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]]


def drawn(rhs, starts, t, noise):
    """Runs with white noise, in units of each state's standard deviation."""
    found = [solve_ivp(rhs, (t[0], t[-1]), start, "LSODA", t_eval=t, rtol=1e-10, atol=1e-10).y.T for start in starts]
    size, rng = noise * np.concatenate(found).std(axis=0), np.random.default_rng(1)
    return Dataset(
        "", Variable("t", "t"), STATES, tuple(Trajectory(t, x + size * rng.normal(size=x.shape)) for x in found)
    )


def likelihoods(dataset) -> tuple[Likelihood, ...]:
    return Workbench.of(dataset, held_out=0.2).new_likelihoods()


def system(law):
    names = tuple(state.symbol for state in STATES)
    return tuple(tuple(FittedTerm(parse_term(s, names).skeleton, v, None) for s, v in own.items()) for own in law)


def test_the_numbers_of_many_fast_samples_are_within_their_errors():
    """Averaged over two neighbours they were eleven standard errors off."""
    starts = [
        (-0.003, -1.165, -0.315),
        (0.709, -0.363, -0.029),
        (1.172, -0.89, -0.559),
        (-1.866, 0.255, -2.584),
        (-0.11, 0.45, 1.17),
    ]
    like = likelihoods(drawn(burke_shaw, starts, np.linspace(0.0, 7.8, 1000), 0.01))[0]
    found = like.judged(system(BURKE_SHAW))
    assert found.misfit == pytest.approx(np.ones(3), abs=0.05)
    for terms, true in zip(found.with_errors, BURKE_SHAW, strict=True):
        for term, value in zip(terms, true.values(), strict=True):
            assert term.coefficient == pytest.approx(value, abs=4.0 * term.std_error)


def test_chaos_over_a_long_run_is_followed_on_stretches_alone():
    """Over forty units of time its own law left up to two standard deviations, and other terms explained them."""
    likes = likelihoods(drawn(lorenz, [(-8.0, 7.0, 27.0)], np.arange(4000) * 0.01, 0.02))
    assert likes[0].judged(system(LORENZ)).fit == np.inf
    assert likes[1].judged(system(LORENZ)).misfit == pytest.approx(np.ones(3), abs=0.05)


def test_a_long_run_is_cut_until_its_stretches_are_short():
    """Of 1,000 samples three levels are enough; of more, as many as there need be."""
    few = likelihoods(drawn(lorenz, [(-8.0, 7.0, 27.0)], np.arange(1000) * 0.01, 0.02))
    many = likelihoods(drawn(lorenz, [(-8.0, 7.0, 27.0)], np.arange(8000) * 0.01, 0.02))
    assert [like.parts for like in few] == [1, 4, 16]
    assert [like.parts for like in many] == [1, 4, 16, 64]
    assert many[-1].longest <= SHORT < many[-2].longest


def test_a_long_run_of_chaos_is_simulated_to_its_end():
    dataset = drawn(lorenz, [(-8.0, 7.0, 27.0)], np.arange(12_000) * 0.01, 0.02)
    bench = Workbench.of(dataset)
    fits = [bench.fit(j, [term.skeleton for term in terms]) for j, terms in enumerate(system(LORENZ))]
    assert bench.simulate(fits, 0).failure == ""


def decays(lengths, noise=0.02):
    """Runs of one decay with so many samples."""
    rng, made = np.random.default_rng(0), []
    for k, n in enumerate(lengths):
        t = np.linspace(0.0, 6.0 if n > 100 else 0.2 * n, n)
        made.append(Trajectory(t, (3.0 - k) * np.exp(-0.5 * t)[:, None] + noise * rng.normal(size=(n, 1))))
    return Dataset("", Variable("t", "t"), (Variable("x", "x"),), tuple(made))


@pytest.mark.parametrize("lengths", [(60_000, 12, 9), (2000, 2000, 5), (2000, 2000, 4)])
def test_a_short_run_beside_long_ones_spoils_nothing(lengths):
    """A run of five samples had a test function of zeros, one that was shorter than a mean no sample, and where most
    runs were short the integrals of a long one took minutes."""
    bench = Workbench.of(decays(lengths), held_out=0.2)
    assert bench.target.kind == "weak"
    assert bench.target.lengths[1:] == lengths[1:] or bench.target.lengths[-1] == lengths[-1]
    fit = bench.fit(0, ["x"])
    assert fit.terms[0].coefficient == pytest.approx(-0.5, abs=0.01)
    like = bench.likelihoods[0]
    found = like.judged((fit.terms,))
    assert found.misfit == pytest.approx([1.0], abs=0.1)
    assert like.whiteness(found)[0] > 1e-3


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_chaos_is_simulated_from_the_start_that_follows_its_run(noise):
    """From smoothed samples the start of a chaotic run was lost within it: an NMSE of 0.4 and 1.2 of its own law."""
    bench = Workbench.of(drawn(lorenz, [(-8.0, 7.0, 27.0)], np.arange(1000) * 0.01, noise))
    fits = [replace(bench.null(j), terms=terms) for j, terms in enumerate(system(LORENZ))]
    score = bench.trajectory_score(fits)
    assert max(score.nmse) < 1.5 * noise**2 + 1e-3
    assert not score.past_horizon
