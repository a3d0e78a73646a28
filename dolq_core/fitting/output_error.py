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
from dolq_core.fitting.trajectories import coefficients
from dolq_core.fitting.whole_runs import Laws
from dolq_core.numerics.noise import Run
from dolq_core.numerics.response import Path, Response, response
from dolq_core.numerics.sensitivities import STEP
from dolq_core.numerics.stretches import Measured, Stretches, bridged, one_stretch_a_run
from dolq_core.numerics.target import BLOCKS, Target
from dolq_core.records import Blocks, EquationFit


def output_error_target(
    target: Target,
    symbols: tuple[str, ...],
    fits: Sequence[EquationFit],
    equation: int,
    blocks: Blocks = FREE,
    *,
    decoupled: bool = False,
    along: Floats | None = None,
) -> Target | None:
    """Return the output-error target of one equation around its reference `fits`; None where the data do not allow it.

    blocks: coefficients that are known there are not free. decoupled: take the other states as they were measured,
    smoothed, whatever their laws. along: (n, d) the simulation of `fits` at the samples, which carries no noise, in
    place of the smoothed samples; those of long runs are smooth enough, and stay where it has other times.

    b is zero for the other equations. Everything is in units of the noise of a row: the floor is 1.
    """
    if target.measured is None or not np.all(target.measured.data.sigma > 0.0):
        return None
    known = bridged(target.measured)
    if along is not None and along.shape == known.x.shape:
        known = replace(known, x=along)
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
    paths = [
        Path(data.t[i:j], known.x[i:j], data.y[i:j], counts[i:j], jacobian[i:j], others[i:j], decoupled)
        for i, j in data.spans
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
    """What carries small differences (n, d, d), and what is let free besides the equation (n, d, q); 0 for infinite."""
    law = Laws([fit.terms for fit in fits], symbols)
    moves = STEP * np.maximum(np.abs(values[: law.d]).max(axis=1), 1e-12)
    with np.errstate(all="ignore"):
        _, by_state, by_theta = law.slopes(values, t, coefficients(fits), moves)
    free = [
        fit.equation != equation and not is_known(blocks, fit.equation, term)
        for fit in fits
        for term in fit.terms
        for _ in range(1 + len(term.inner))
    ]
    jacobian, others = (
        np.where(np.isfinite(part), part, 0.0).transpose(2, 0, 1) for part in (by_state, by_theta[:, free])
    )
    return jacobian, others


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
