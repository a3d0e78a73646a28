"""Problems with known laws, and a loop without a store."""

from dataclasses import replace

import numpy as np
from scipy.integrate import solve_ivp

from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist
from dolq_core.agents.builtin.library import LAST_STAGE, choice_of, on_data
from dolq_core.agents.builtin.sampler import _parts
from dolq_core.agents.builtin.search import search
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance, begin
from dolq_core.loop.status import reason_to_stop
from dolq_core.loop.step import Setup, step
from dolq_core.records import Dataset, Problem, Settings, Start, Trajectory, Variable
from tests.stored import once

YEAST = [9.6, 18.3, 29.0, 47.2, 71.1, 119.1, 174.6, 257.3, 350.7, 441.0]
YEAST += [513.3, 559.7, 594.8, 629.4, 640.8, 651.1, 655.9, 659.6, 661.8]
HARE = [30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1]
HARE += [40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
LYNX = [4.0, 6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4]
LYNX += [8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]


def problem(t, x, names, description="", runs=None):
    states = tuple(Variable(name, name) for name in names)
    trajectories = runs or (Trajectory(frozen(t), frozen(x)),)
    return Problem(Dataset("known", Variable("t", "t"), states, trajectories), description)


def yeast(description=""):
    return problem(np.arange(19.0), np.array(YEAST)[:, None], ["yeast"], description)


def lynx_hare():
    return problem(np.arange(1900.0, 1921.0), np.column_stack((HARE, LYNX)), ["hare", "lynx"])


def simulated(rhs, start, end, description="", points=1000):
    t = np.linspace(0.0, end, points)
    x = solve_ivp(rhs, (0.0, end), start, t_eval=t, method="DOP853", rtol=1e-12, atol=1e-14).y.T
    return problem(t, x, [f"x{i}" for i in range(len(start))], description)


def noise(n, d, seed):
    return problem(np.arange(float(n)), np.random.default_rng(seed).normal(size=(n, d)), [f"x{i}" for i in range(d)])


def noisy(rhs, start, end, sigma=0.02, points=500, description="", names=("x0", "x1"), seed=0):
    """The same with white noise, in units of each state's own standard deviation."""
    (one,) = simulated(rhs, start, end, "", points).dataset.trajectories
    x = one.x + sigma * one.x.std(axis=0) * np.random.default_rng(seed).normal(size=one.x.shape)
    return problem(one.t, x, list(names)[: x.shape[1]], description)


def begun(given, **settings):
    """(state before the first iteration, setup of the built-in agents)."""
    bench = Workbench.of(given.dataset, "auto", blocks=given.blocks)
    return begin(Start(given, Settings(**settings))), Setup(BuiltinSampler(), BuiltinScientist(), bench)


def run(given, iterations=5, **settings):
    """The state after some iterations, fewer when there is a reason to stop; made once for all tests that want it."""
    return once(("run", given, iterations, settings), lambda: run_anew(given, iterations, **settings))


def run_anew(given, iterations=5, **settings):
    state, setup = begun(given, **settings)
    for _ in range(iterations):
        state = advance(state, step(state, setup))
        if reason_to_stop(state):
            break
    return state


def law(state, equation=0):
    """Skeleton -> coefficient of the best structure, refined where that was better."""
    best = state.best[equation]
    return {term.skeleton: term.coefficient for term in (best.refined or best.fit).terms}


def searched(given, equation=0, stage=LAST_STAGE, part=0, laws=()):
    """Fits of one equation from one of the libraries that a run goes through, the best first.

    part: which library of a stage, as its narrower ones come first; laws: of other equations, as they were found.
    """
    state, setup = begun(given)
    known = choice_of(state, equation, _parts(on_data(state, setup.bench, equation, stage), stage)[part])
    shared = tuple(term for terms in laws for term in terms if term[1])
    favoured = tuple(dict.fromkeys((*(skeleton for skeleton, _ in shared), *known.favoured)))
    choice = replace(known, favoured=favoured, shared=shared, known=shared, flows=tuple(laws))
    return search(setup.bench, equation, choice, (), state.settings.max_terms)


def terms_of(fit):
    return {term.skeleton for term in fit.terms}


PREY = "Prey reproduce and are eaten by predators, which die without them."


def prey(**more):
    return noisy(lambda _, x: [x[0] - 0.5 * x[0] * x[1], 0.4 * x[0] * x[1] - x[1]], [3.0, 1.0], 12.0, **more)
