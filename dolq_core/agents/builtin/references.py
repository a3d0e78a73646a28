"""First references of a search for whole systems: laws that carry small differences until a better one is known."""

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import TypeAlias

import numpy as np

from dolq_core.agents.builtin.waves import best_wave, waves
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.mechanisms import WAVE
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, parse_term

Column: TypeAlias = tuple[Skeleton, tuple[float, ...], Floats]
"""A term, the numbers inside it, and its values."""

RIDGE = 1e-4
"""Damping of a polynomial, of the mean square of a column."""
MEMORY = 1.0 / 400.0
"""Share of the longest run after which a relaxing reference has forgotten a difference: one sample, about."""


def polynomials(bench: Workbench, degree: int, *, driven: bool = False) -> list[EquationFit]:
    """A damped polynomial for each equation: it need only follow the data roughly.

    driven: with the rhythm that explains most beside it.
    """
    symbols = bench.symbols
    products = [c for n in range(degree + 1) for c in combinations_with_replacement(symbols, n)]
    skeletons = [parse_term("*".join(c) or "1", symbols).skeleton for c in products]
    found: list[EquationFit] = []
    for j in range(bench.d):
        own = bench.for_equation(j)
        columns: list[Column] = [(s, (), c) for s in skeletons if (c := own.column(s)) is not None]
        columns += _rhythm(own, np.array([c for _, _, c in columns]), j) if driven else []
        rows = np.array([c for _, _, c in columns])
        size = np.maximum(np.linalg.norm(rows, axis=1), 1e-300)
        a = rows / size[:, None]
        damped: Floats = a @ a.T + RIDGE * np.eye(len(a))
        solved = np.asarray(np.linalg.solve(damped, a @ own.target.b[j]) / size, dtype=np.float64)
        terms = [FittedTerm(s, v, None, p) for (s, p, _), v in zip(columns, solved.tolist(), strict=True)]
        found.append(replace(bench.null(j), terms=tuple(terms)))
    return found


def _rhythm(bench: Workbench, rows: Floats, j: int) -> list[Column]:
    """Return the rhythm that explains most of an equation beside rows (k, M), as a column."""
    starts = waves(float(np.ptp(bench.columns.t)))
    q = np.linalg.qr((rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)).T)[0]
    inner = best_wave(bench.columns.stack(WAVE, starts), starts, q, bench.target.b[j])
    row = bench.column(WAVE, inner) if inner else None
    return [] if row is None else [(WAVE, inner, row)]


def relaxing(bench: Workbench) -> list[EquationFit]:
    """For each equation one that forgets differences within MEMORY: rates are compared where they are.

    Where states are thrown together or apart fast, what another law carries along hides the right one.
    """
    known = bench.target.measured
    assert known is not None  # whole systems are searched on noisy samples alone
    rate = -1.0 / (MEMORY * max(float(np.ptp(known.data.t[i:j])) for i, j in known.data.spans))
    states = [parse_term(symbol, bench.symbols).skeleton for symbol in bench.symbols[: bench.d]]
    return [replace(bench.null(j), terms=(FittedTerm(state, rate),)) for j, state in enumerate(states)]
