"""What the residual of an equation looks like: it differs between runs, grows with a variable, or swings in time.

A change that differs at nearly the same state is a hint of its own: no equation in these states can give it.
"""

import numpy as np

from dolq_core.agents.builtin.facts import facts_of
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.mechanisms import listed
from dolq_core.numerics.patterns import correlation, period
from dolq_core.records import EquationFit, derivative
from dolq_core.terms import variables

STRONG = 0.5
"""Correlation, or share of the spectrum or of the spread, from which a pattern is worth a sentence."""
SURE = 3.0
PIECES = 8
"""Parts of a run whose means tell how far the mean of the whole run can be off by chance."""
COMPARED = 400
"""Samples that are compared with each other."""
NEAR = 0.05
"""Distance of two states, in units of each state's spread, up to which they are nearly the same."""
APART = 0.05
"""Share of all samples that two compared ones must be apart, unless they are of two runs."""
SAMPLES_EACH = 4
"""Samples for each shape of the states that is held against a rhythm."""
PAIRS = 20
OPEN = 0.2
"""Share of the change's variance that differs at nearly the same state, from which the state alone cannot give it."""
SMOOTH = 0.1
"""Rough part of the change, from one sample to the next, over the part that differs: above it, it may be noise."""


def hint(fit: EquationFit, bench: Workbench) -> str:
    """Return one sentence on the pattern of the residual; empty when there is none."""
    residual = bench.residual(fit)
    if not float(np.std(residual)) > 0.0:
        return ""
    rate = derivative(bench.names.own[fit.equation])
    left, missing = f"The residual of {rate}", "between runs: something not in the table changes from run to run."
    if differs_between_runs(residual, facts_of(bench).stretches):
        return f"{left} differs {missing}"
    same = f"At nearly the same {listed(bench.names.own)}, {rate} differs"
    if is_open(bench, fit.equation, within_runs=True):
        return f"{same}: something not in the table acts on it, or time itself."
    if is_open(bench, fit.equation, within_runs=False):
        return f"{same} {missing}"
    return _with_a_variable(residual, bench, left) or _in_time(residual, bench, left)


def only_time_explains(fit: EquationFit, bench: Workbench) -> str:
    """Say that an equation which fits needs the time itself where the states do not tell the change."""
    if not any("t" in variables(term.skeleton) for term in fit.terms):
        return ""
    if not is_open(bench, fit.equation, within_runs=True):
        return ""
    rate = derivative(bench.names.own[fit.equation])
    return f"Only time itself explains {rate}: unless a rhythm or a drift drives it, a state or an input is missing."


def _with_a_variable(residual: Floats, bench: Workbench, left: str) -> str:
    shapes = _shapes(bench)
    strengths = [abs(correlation(residual, column)) for _, column in shapes]
    k = int(np.argmax(strengths))
    if strengths[k] < STRONG:
        return ""
    way = "grows" if correlation(residual, shapes[k][1]) > 0 else "falls"
    return f"{left} {way} with {shapes[k][0]}."


def _in_time(residual: Floats, bench: Workbench, left: str) -> str:
    rows = [row for _, row in _shapes(bench)]
    cubes = [a * b for i, a in enumerate(rows) for b in bench.values[: i + 1]]
    known = np.array([*rows, *cubes])  # what swings because the states do is no rhythm of its own
    swing = period(residual, bench.t, known / np.maximum(np.std(known, axis=1), 1e-300)[:, None])
    if swing is None or len(known) * SAMPLES_EACH > len(residual):
        return ""
    return f"{left} swings in time with a period of about {f'{swing:.3g} {bench.dataset.time.unit}'.rstrip()}."


def differs_between_runs(residual: Floats, stretches: tuple[int, ...]) -> bool:
    """Whether the mean of the residual differs between runs: by much of its spread, and more than by chance."""
    runs = [residual[a:b] for a, b in zip(stretches, stretches[1:], strict=False) if b - a >= 2 * PIECES]
    if len(runs) < 2:
        return False
    between, whole = float(np.var([float(np.mean(run)) for run in runs])), float(np.var(np.concatenate(runs)))
    chance = [float(np.var(_means(run))) / PIECES for run in runs]
    return between >= STRONG * whole and between >= SURE**2 * float(np.mean(chance))


def _means(run: Floats) -> list[float]:
    edges = np.linspace(0, len(run), PIECES + 1).astype(int)
    return [float(np.mean(run[a:b])) for a, b in zip(edges, edges[1:], strict=False)]


def is_open(bench: Workbench, equation: int, *, within_runs: bool) -> bool:
    """Whether the change of a state differs widely at nearly the same states and inputs, of one run or of any two."""
    change = bench.dx[equation]
    spread = float(np.var(change))
    chosen = np.unique(np.linspace(0, len(change) - 1, min(COMPARED, len(change))).astype(int))
    width = np.std(bench.values, axis=1)
    rows = bench.values[width > 0.0][:, chosen] / width[width > 0.0, None]
    if not spread > 0.0 or not len(rows):
        return False
    squares = np.sum((rows[:, :, None] - rows[:, None, :]) ** 2, axis=0)
    run = np.searchsorted(facts_of(bench).stretches, chosen, side="right")
    other = run[:, None] != run[None, :]
    squares[(np.abs(chosen[:, None] - chosen[None, :]) < APART * len(change)) & ~other] = np.inf
    if within_runs:
        squares[other] = np.inf
    nearest = np.argmin(squares, axis=1)
    close = squares[np.arange(len(chosen)), nearest] <= NEAR**2 * len(rows)
    if int(np.sum(close)) < PAIRS:
        return False
    apart: Floats = (change[chosen] - change[chosen[nearest]])[close]
    steps: Floats = np.diff(change)
    differs, rough = 0.5 * float(np.mean(np.square(apart))), 0.5 * float(np.mean(np.square(steps)))
    return differs >= OPEN * spread and rough <= SMOOTH * differs


def _shapes(bench: Workbench) -> list[tuple[str, Floats]]:
    own = bench.names.own
    found: list[tuple[str, Floats]] = []
    for i in range(len(own)):
        values: Floats = bench.values[i]
        found.append((own[i], values))
        found.append((f"the square of {own[i]}", np.square(values - float(np.mean(values)))))
        found.extend((f"{own[i]} times {own[j]}", values * bench.values[j]) for j in range(i))
    return found
