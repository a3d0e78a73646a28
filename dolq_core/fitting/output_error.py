"""A target for one equation that is as sharp as a fit on trajectories: how its terms move the samples, to first order.

The weak form sees only what a test function of some width sees; slow differences between structures, which are where
noise hides least, stay outside. `numerics.response` has the method. It needs a system that explains the data roughly,
such as the best structures of the weak form, and serves where noise is the limit: many samples, at any times.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.blocks import FREE, is_known
from dolq_core.numerics.lifted import Stretches, one_stretch_a_run
from dolq_core.numerics.noise import Run
from dolq_core.numerics.response import Path, Response, response
from dolq_core.numerics.target import BLOCKS, Target
from dolq_core.numerics.whole_runs import Measured, bridged
from dolq_core.records import Blocks, EquationFit, FittedTerm
from dolq_core.terms import compile_columns

NUDGE = 1e-4
"""Relative step of finite differences."""


def output_error_target(
    target: Target,
    symbols: tuple[str, ...],
    fits: Sequence[EquationFit],
    equation: int,
    blocks: Blocks = FREE,
    *,
    decoupled: bool = False,
) -> Target | None:
    """Return the output-error target of one equation around its reference `fits`; None where the data do not allow it.

    blocks: coefficients that are known there are not free. decoupled: take the other states as they were measured,
    smoothed, whatever their laws.

    b is zero for the other equations. Everything is in units of the noise of a row: the floor is 1.
    """
    if target.measured is None or not np.all(target.measured.data.sigma > 0.0):
        return None
    known = bridged(target.measured)
    data = known.data
    values = np.vstack((known.x.T, data.inputs.T))
    jacobian, others = _law(values, data.t, symbols, fits, equation, blocks)
    if decoupled and not np.isfinite(data.y[:, equation]).any():
        return None
    if decoupled:
        own = np.zeros_like(jacobian)
        own[:, equation, equation] = jacobian[:, equation, equation]
        jacobian, others = own, others[:, :, :0]
    counts = np.broadcast_to(np.asarray(data.counts), data.y.shape)
    spans = zip(data.ends[:-1].tolist(), data.ends[1:].tolist(), strict=True)
    paths = [
        Path(data.t[i:j], known.x[i:j], data.y[i:j], counts[i:j], jacobian[i:j], others[i:j], decoupled)
        for i, j in spans
    ]
    return _target_of(target, known, response(paths, equation, data.sigma), equation)


def further_run_target(
    target: Target, symbols: tuple[str, ...], fits: Sequence[EquationFit], equation: int, run: Run, samples: int
) -> Target | None:
    """Return the target that a further run would give, if it follows `run` (t, x) and has `samples` samples."""
    t, x = run
    if target.measured is None or not np.all(target.measured.data.sigma > 0.0) or len(target.inputs):
        return None
    noise = target.measured.data.sigma * np.sqrt(len(t) / samples)
    new = Measured(Stretches(t, x, np.empty((len(t), 0)), noise, one_stretch_a_run([len(t)])), x, np.zeros_like(x))
    path = Path(t, x, x, np.ones_like(x), *_law(x.T, t, symbols, fits, equation, FREE))
    return _target_of(target, new, response([path], equation, noise), equation)


def _law(
    values: Floats, t: Floats, symbols: tuple[str, ...], fits: Sequence[EquationFit], equation: int, blocks: Blocks
) -> tuple[Floats, Floats]:
    """What carries small differences, and what is let free besides the equation."""
    free = [replace(fit, terms=tuple(t for t in fit.terms if not is_known(blocks, fit.equation, t))) for fit in fits]
    return _jacobian(fits, symbols, values, t), _others(free, symbols, values, t, equation)


def _target_of(target: Target, known: Measured, found: Response, equation: int) -> Target:
    d = len(target.x)
    b = np.zeros((d, len(found.b)))
    b[equation] = found.b
    return replace(
        target,
        kind="trajectory",
        reason="Samples along a system that explains them roughly.",
        x=np.ascontiguousarray(known.x[found.nodes].T),
        t=known.data.t[found.nodes],
        inputs=np.ascontiguousarray(known.data.inputs[found.nodes].T),
        dx=np.ascontiguousarray(known.dx[found.nodes].T),
        b=b,
        floor=np.full(d, np.sqrt(found.effective / len(found.b))),
        blocks=np.arange(len(found.b)) * BLOCKS // len(found.b),
        effective=found.effective,
        rows=None,
        operator=found.operator,
        scales=None,
    )


def _jacobian(fits: Sequence[EquationFit], symbols: tuple[str, ...], values: Floats, t: Floats) -> Floats:
    """Slopes (n, d, d) of the right-hand sides along values (symbols, n); 0 where one is not finite."""
    d = len(fits)
    slopes = np.zeros((len(t), d, d))
    for k in range(d):
        step = NUDGE * float(np.std(values[k]))
        if step == 0.0:
            continue
        up, down = values.copy(), values.copy()
        up[k] += step
        down[k] -= step
        for j, fit in enumerate(fits):
            slopes[:, j, k] = (_field(fit.terms, symbols, up, t) - _field(fit.terms, symbols, down, t)) / (2.0 * step)
    return np.where(np.isfinite(slopes), slopes, 0.0)


def _others(fits: Sequence[EquationFit], symbols: tuple[str, ...], values: Floats, t: Floats, equation: int) -> Floats:
    """What other coefficients in the other equations would change (n, d, q)."""
    columns = [
        (fit.equation, column)
        for fit in fits
        if fit.equation != equation
        for term in fit.terms
        for column in _slopes(term, symbols, values, t)
    ]
    found = np.zeros((len(t), len(fits), len(columns)))
    for q, (j, column) in enumerate(columns):
        found[:, j, q] = np.where(np.isfinite(column), column, 0.0)
    return found


def _slopes(term: FittedTerm, symbols: tuple[str, ...], values: Floats, t: Floats) -> list[Floats]:
    """The term's column (n,) and its slopes in the inner parameters."""
    plain = replace(term, coefficient=1.0)
    columns = [_field([plain], symbols, values, t)]
    for k, value in enumerate(term.inner):
        step = NUDGE * max(abs(value), NUDGE)
        moved = replace(plain, inner=(*term.inner[:k], value + step, *term.inner[k + 1 :]))
        columns.append((_field([moved], symbols, values, t) - columns[0]) / step)
    return columns


def _field(terms: Sequence[FittedTerm], symbols: tuple[str, ...], values: Floats, t: Floats) -> Floats:
    total = np.zeros(len(t))
    with np.errstate(all="ignore"):
        for term in terms:
            total = total + term.coefficient * compile_columns(term.skeleton, symbols)(values, t, term.inner)
    return total
