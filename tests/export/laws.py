"""Runs whose laws are hard to write down: words of every language as names, inputs, time, and what is not real."""

from functools import cache

import numpy as np

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.export.law import Law, LawRun
from dolq_core.fitting import names_of
from dolq_core.numerics.holding import knots
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.pieces import Driven
from dolq_core.records import Dataset, EquationFit, FittedTerm, Problem, Settings, Trajectory, Variable
from dolq_core.terms import Skeleton, compile_rhs, safe_names
from dolq_core.views.forecast import forecast
from tests.every import none
from tests.stored import fitted

NASTY = "First line */ \"\"\" ''' %} #= =# $(exit)\n# coding: utf-7\n\\end{document} \u202e turned\x0bback\u2028end"


def made(own, inputs, starts, terms, t, *, time="t", words="", driven=None, holds=(), settings=None, name="a law"):
    """Simulate known equations on every start, store a run with these terms alone, and return it.

    terms: per state a list of (text in symbols, coefficient, inner). driven: (n, u) inputs; holds: what they do
    between samples.
    """
    symbols = safe_names([*own, *inputs], time).symbols
    rhs = compile_rhs(terms, symbols)
    trajectories = []
    for label, start in starts.items():
        u = np.empty((len(t), 0)) if driven is None else driven

        def moved(now, x, u=u):
            return rhs(now, [*x, *(np.interp(now, t, column) for column in u.T)])

        moved = Driven(rhs, *knots(t, u, holds)) if holds else moved
        path = simulate(moved, np.array(start), t, np.full(len(start), 1e6), rtol=1e-11)
        assert not path.failure, path.failure
        trajectories.append(Trajectory(frozen(t), frozen(path.x), None if driven is None else frozen(u), label))
    columns = [
        Variable(column, symbol, "mol/\u2113", NASTY) for column, symbol in zip((*own, *inputs), symbols, strict=True)
    ]
    dataset = Dataset(
        name, Variable(time, "t", "h"), tuple(columns[: len(own)]), tuple(trajectories), tuple(columns[len(own) :])
    )
    texts = [[text for text, *_ in equation] for equation in terms]
    return fitted(Problem(dataset, words), texts, settings or Settings(held_out=0.0))


def awkward() -> runs.Run:
    """Four states named by words of languages, an input, time in a term, roots, logarithms, and inner parameters."""
    t = np.linspace(0.0, 2.0, 60)
    own, inputs = ("E", "temp (°C)", "lambda", "x0"), ("end",)
    e, temp, lam, x0, end = safe_names([*own, *inputs], "hour").symbols
    terms = [
        [(e, -0.3, ()), (end, 0.7, ())],
        [(f"sqrt({temp})", -0.4, ()), (f"log({e} + 2)", 0.2, ())],
        [(f"{lam}/(params[0] + {lam})", -0.5, (0.8,)), ("sin(t)", 0.3, ())],
        [(f"{x0}*{lam}", -0.2, ()), (f"abs({e} - 1)**1.5", 0.1, ()), ("1", 0.05, ()), (f"erf({x0})", 0.1, ())],
    ]
    driven = (1.0 + 0.5 * np.sin(2.0 * t))[:, None]
    starts = {'run "1"': [1.0, 2.0, 1.5, 0.7], "b'; $(x) \\": [0.5, 3.0, 1.0, 1.2]}
    return made(own, inputs, starts, terms, t, time="hour", words=NASTY, driven=driven)


def growth() -> runs.Run:
    """One state alone, as plain as it gets."""
    t = np.linspace(0.0, 8.0, 100)
    return made(("x",), (), {"": [0.1]}, [[("x", 1.0, ()), ("x**2", -1.0, ())]], t, name="growth")


def heated() -> runs.Run:
    """A heater that is switched as a row is written, and the air outside, which no switch moves."""
    t = np.linspace(0.0, 30.0, 121)
    own, inputs = ("temp (°C)",), ("heater", "outside")
    temp, heater, outside = safe_names([*own, *inputs], "t").symbols
    driven = np.column_stack((np.repeat([0.0, 40.0, 0.0, 40.0, 0.0], [21, 30, 25, 24, 21]), 4.0 * np.cos(0.2 * t)))
    terms = [[(heater, 0.5, ()), (temp, -0.4, ()), (outside, 0.4, ())]]
    return made(own, inputs, {"1": [20.0]}, terms, t, driven=driven, holds=("previous", "linear"), name="heated")


def keywords() -> runs.Run:
    """Names that are words of some languages only, and two that differ past 63 characters."""
    t = np.linspace(0.0, 2.0, 60)
    long = "concentration_of_the_first_intermediate_product_in_the_second_reactor_"
    own, inputs = ("elseif", "dstate", "isa", f"{long}a", f"{long}b"), ("inputs",)
    first, second, third, fourth, fifth, u = safe_names([*own, *inputs], "t").symbols
    terms = [
        [(first, -0.5, ()), (u, 1.0, ())],
        [(second, -0.2, ()), (first, 0.3, ())],
        [(third, -0.7, ()), (second, 0.1, ())],
        [(fourth, -0.4, ()), (fifth, 0.2, ())],
        [(f"{fifth}*{third}", -0.6, ())],
    ]
    driven = np.cos(3.0 * t)[:, None]
    return made(own, inputs, {"1": [1.0, 0.5, 2.0, 1.0, 3.0]}, terms, t, driven=driven, name="9 lives; rm -rf")


@cache
def network() -> runs.Run:
    """A source, a sink, crowding, and a hunt: reactions with whole and fractional stoichiometries."""
    t = np.linspace(0.0, 6.0, 150)
    own = ("prey", "hunter <&>")
    prey, hunter = safe_names([*own], "t").symbols
    terms = [
        [(prey, 0.9, ()), (f"{prey}**2", -0.05, ()), (f"{prey}*{hunter}", -0.4, ())],
        [("1", 0.1, ()), (hunter, -0.6, ()), (f"{prey}*{hunter}", 0.25, ())],
    ]
    return made(own, (), {"1": [3.0, 1.0], "2": [1.0, 2.0]}, terms, t, words=NASTY, name="hunt")


LAWS = {make.__name__: cache(make) for make in (awkward, growth, heated, keywords)}
"""Each is made once: a run is a record, and no test changes it."""


def by_hand() -> Law:
    """A small law with fixed numbers: what is written of it is the same on every machine."""
    own, inputs = ("E", "temp (°C)"), ("u",)
    symbols = safe_names([*own, *inputs], "hour").symbols
    columns = [Variable("E", symbols[0], "mol", NASTY), Variable("temp (°C)", symbols[1], "K"), Variable("u", "u")]
    t = np.array([0.0, 0.5, 1.0])
    x = np.array([[1.0, 300.0], [np.nan, 310.0], [0.25, 305.5]])
    u = np.array([[0.0], [1.0], [0.1]])
    run = Trajectory(frozen(t), frozen(x), frozen(u), 'it\'s 100 % "so"')
    dataset = Dataset("bench", Variable("hour", "t", "h"), tuple(columns[:2]), (run,), tuple(columns[2:]))
    numbers = {"mse": 0.0, "nmse": 0.0, "cv_nmse": 0.0, "floor_ratio": 1.0, "score": 0.0}
    first = [
        FittedTerm(Skeleton("E_/(E_ + params[0])"), -0.1 - 0.2, 0.002, (1 / 3,), (0.004,)),
        FittedTerm(Skeleton("u*sin(t)"), 1e-7, None),
    ]
    second = [
        FittedTerm(Skeleton("1"), -2.5, 0.1),
        FittedTerm(Skeleton("log(temp)*temp**0.5"), -1.0, 0.01),
        FittedTerm(Skeleton("2 - E_"), -12345678.9, 3.0),
        FittedTerm(Skeleton("E_**-1.5"), 4.0, 0.3),
    ]
    fits = (EquationFit(0, tuple(first), **numbers), EquationFit(1, tuple(second), **numbers))
    statuses = (("settled", "It stands."), ("none", "A random walk explains the samples as well."))
    runs = (LawRun(run.label, run.t, run.x, run.inputs, (1.0, 300.0)), LawRun("2", run.t, run.x, run.inputs, ()))
    return Law("100 % \n sure", 3, Problem(dataset, NASTY), names_of(dataset), fits, statuses, runs)


def simulated(run: runs.Run) -> list[tuple[np.ndarray, np.ndarray]]:
    """The app's own simulation of the reported law, at even times of every run."""
    found = [forecast(run, number, 0.0) for number in range(len(run.state.problem.dataset.trajectories))]
    assert none(one.words for one in found), [one.words for one in found]
    return [(one.model_t, one.model) for one in found]
