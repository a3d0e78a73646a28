"""Systems with known laws from a file, as data to discover them from and as truth to compare with."""

from dataclasses import dataclass, replace

import numpy as np

from dolq_core import campaign
from dolq_core.arrays import Floats, frozen
from dolq_core.campaign.laws import names_of, true_law
from dolq_core.numerics.integrate import simulate
from dolq_core.records import Dataset, FittedTerm, Problem, Trajectory, Variable
from dolq_core.terms import Names, compile_rhs


@dataclass(frozen=True, slots=True)
class Case:
    """One system: words, names, the true right-hand sides, two starts, two spans of time."""

    id: str
    description: str
    names: Names
    terms: tuple[tuple[FittedTerm, ...], ...]
    initial: tuple[tuple[float, ...], ...]
    t: tuple[float, float]
    t_ext: tuple[float, float]


def cases(suite: str) -> tuple[Case, ...]:
    """Return the systems of a suite of `dolq_core.campaign`."""
    return tuple(_case(case) for case in campaign.read_suite(suite))


def paper() -> tuple[Case, ...]:
    """Return the paper's eight systems, without the meanings of the columns."""
    return tuple(replace(case, id=f"system {case.id}") for case in cases("paper"))


def _case(case: campaign.Case) -> Case:
    names = names_of(case)
    terms = tuple(tuple(FittedTerm(skeleton, value) for skeleton, value, _ in parts) for parts in true_law(case))
    return Case(case.id, case.description, names, terms, case.initial, case.t, case.t_ext)


def trajectory(case: Case, start: int, span: tuple[float, float], points: int) -> tuple[Floats, Floats]:
    """Return (points,) times and (points, d) states, to about ten digits."""
    rhs = compile_rhs(
        [[(term.skeleton, term.coefficient, ()) for term in terms] for terms in case.terms], case.names.symbols
    )
    t = np.linspace(*span, points)
    bound = np.full(len(case.terms), 1e5)  # the absolute tolerance follows it: 1e-12
    path = simulate(rhs, np.array(case.initial[start]), t, bound, rtol=1e-11, evaluations=1_000_000)
    if path.failure:
        raise ValueError(f"{case.id}: {path.failure}")
    return t, path.x


@dataclass(frozen=True, slots=True)
class Sampled:
    """How a case is measured.

    Attributes:
        points: samples per run; runs: how many of the case's starts are used.
        noise: standard deviation of the white noise, in units of each state's own over all runs.
        sigma: the same in the states' own unit; the two add up.
        silent: without the description.
    """

    points: int = 1000
    runs: int = 1
    noise: float = 0.0
    sigma: float = 0.0
    seed: int = 0
    silent: bool = False


def problem(case: Case, how: Sampled) -> Problem:
    """Return the case as data, with its description."""
    paths = [trajectory(case, start, case.t, how.points) for start in range(how.runs)]
    spread = np.std(np.concatenate([x for _, x in paths]), axis=0)
    rng = np.random.default_rng(how.seed)
    level = np.hypot(how.noise * spread, how.sigma)
    noisy = [(t, x + level * rng.normal(size=x.shape)) for t, x in paths]
    labels = [f"run {i + 1}" if how.runs > 1 else "" for i in range(how.runs)]
    runs = tuple(Trajectory(frozen(t), frozen(x), None, label) for (t, x), label in zip(noisy, labels, strict=True))
    states = tuple(Variable(own, symbol) for own, symbol in zip(case.names.own, case.names.symbols, strict=True))
    dataset = Dataset(case.id, Variable("t", "t"), states, runs)
    return Problem(dataset, "" if how.silent else case.description)
