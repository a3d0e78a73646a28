"""What a term does to a trajectory, to first order: the samples themselves as the left-hand side of a regression.

Near a reference path r(t) the true state is r + e with
    e' = A(t) e + sum of theta_k phi_k(r(t)) - r',   A the Jacobian of a law that already explains the data roughly,
so every sample minus r is a linear function of the coefficients theta and of the state at the start, and its error is
the white noise of the measurement. No derivative is taken, and all candidate terms of an equation are judged at once
with the power of a fit on trajectories (linearised output-error estimation). The law need not be right: it only
carries e along, and e is no larger than what smoothing leaves.

What is not asked about (the starts, the coefficients of the other equations) is projected out. A new stretch with a
start of its own begins where small errors have grown MOST_GROWTH times, so that chaos does not spoil the first order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.linalg import block_diag

from dolq_core.arrays import Floats, Ints

MOST_GROWTH = 100.0
SHORTEST = 24
"""Samples in a stretch; a law that throws nearby paths apart faster than that carries nothing."""
NODES = 300
"""Points per run at which terms are evaluated: a cubic through them replaces the samples between."""
ROWS = 400
"""Rows of the regression, about: averages over neighbouring samples."""
LEAST_ROWS = 12
"""Averages per stretch and state."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """One run with its reference.

    Attributes:
        t: (n,) times.
        x: (n, d) the reference; measured: (n, d) the samples, NaN where there is none.
        counts: (n, d) square roots of their weights.
        jacobian: (n, d, d) of the law that carries small differences, along the reference.
        others: (n, d, q) changes of the right-hand sides that are projected out.
        decoupled: the other states are taken to follow the reference exactly, whatever their laws: where the law that
            carries differences does not explain them yet.
    """

    t: Floats
    x: Floats
    measured: Floats
    counts: Floats
    jacobian: Floats
    others: Floats
    decoupled: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """The regression for one equation: b (M,) = operator (M, N) @ term values at `nodes` (N,) + noise of size 1.

    `nodes` index the samples of all runs. `effective` is what is left of M rows after `others` and starts are out.
    """

    operator: Floats
    b: Floats
    nodes: Ints
    effective: float


def response(paths: Sequence[Path], equation: int, noise: Floats) -> Response:
    """Build the regression of one equation; noise (d,) is the standard deviation of the samples."""
    parts = [part for path in paths for part in _stretches(path, noise)]
    fine = sum(len(part.t) for part in parts)
    pieces = [
        _piece(part, equation, noise, max(1, round(fine * (1 if parts[0].decoupled else len(noise)) / ROWS)))
        for part in parts
    ]
    offsets = np.cumsum([0, *(len(part.t) for part in parts)])
    nodes = np.concatenate([piece.nodes + offset for piece, offset in zip(pieces, offsets, strict=False)])
    operator = block_diag(*(piece.operator for piece in pieces))
    b = np.concatenate([piece.b for piece in pieces])
    beside = np.hstack((block_diag(*(piece.starts for piece in pieces)), np.vstack([piece.others for piece in pieces])))
    q = _basis(beside)
    seen = int(operator.any(axis=1).sum())
    return Response(operator - q @ (q.T @ operator), b - q @ (q.T @ b), nodes, float(seen - q.shape[1]))


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One stretch: rows of b, of the operator on its own nodes, and of what is projected out."""

    operator: Floats
    b: Floats
    nodes: Ints
    starts: Floats
    others: Floats


def _stretches(path: Path, noise: Floats) -> Iterator[Path]:
    n = len(path.t)
    edges, growth = [0], np.eye(len(noise))
    for k, step in enumerate(_steps(path)):
        growth = step @ growth
        far = float(np.linalg.norm(growth / noise[:, None] * noise, 2)) > MOST_GROWTH
        if far and k + 1 - edges[-1] >= SHORTEST and n - k - 1 >= SHORTEST:
            edges.append(k + 1)
            growth = np.eye(len(noise))
    for i, j in zip(edges, [*edges[1:], n], strict=True):
        yield Path(
            path.t[i:j], path.x[i:j], path.measured[i:j], path.counts[i:j], path.jacobian[i:j], path.others[i:j],
            path.decoupled,
        )  # fmt: skip


def _steps(path: Path) -> Floats:
    """What one step does to a small difference (n - 1, d, d): the Cayley form of the exponential, of second order."""
    half = 0.25 * np.diff(path.t)[:, None, None] * (path.jacobian[:-1] + path.jacobian[1:])
    one = np.eye(half.shape[1])
    return np.asarray(np.linalg.solve(one - half, one + half), dtype=np.float64)


def _piece(path: Path, equation: int, noise: Floats, block: int) -> _Piece:
    n, d = path.x.shape
    steps, h = _steps(path), np.diff(path.t)
    told = [equation] if path.decoupled else list(range(d))
    weight = np.where(np.isfinite(path.measured), path.counts / noise, 0.0)[:, told]
    average = _averages(weight, min(block, max(1, n // LEAST_ROWS)))
    nodes = _even_pick(n)
    forced = np.zeros((n, d, len(nodes)))
    forced[:, equation] = _between(path.t, nodes)
    rises = np.diff(path.x, axis=0)
    if path.decoupled:
        rises[:, [k for k in range(d) if k != equation]] = 0.0
    carried = np.zeros((n, d))
    starts = np.empty((n, d, d))
    starts[0] = np.eye(d)
    for k, step in enumerate(steps):
        carried[k + 1] = step @ carried[k] - 0.5 * (rises[k] + step @ rises[k])
        starts[k + 1] = step @ starts[k]

    def rows(values: Floats) -> Floats:
        """(n, d, K) at the samples -> (rows, K) in units of the noise of a row."""
        summed = np.matmul(average, values[:, told].transpose(1, 0, 2))
        return summed.reshape(summed.shape[0] * summed.shape[1], values.shape[2])

    return _Piece(
        operator=rows(_carried(steps, h, forced)),
        b=rows(np.nan_to_num(path.measured - path.x - carried)[:, :, None])[:, 0],
        nodes=nodes,
        starts=rows(starts[:, :, told]),
        others=rows(_carried(steps, h, path.others)),
    )


def _carried(steps: Floats, h: Floats, forced: Floats) -> Floats:
    """Solve e' = A e + forced (n, d, K) from e = 0, by the trapezoidal rule; h: (n - 1,) lengths of the steps."""
    e = np.zeros_like(forced)
    for k, step in enumerate(steps):
        half = 0.5 * float(h[k])
        e[k + 1] = step @ (e[k] + half * forced[k]) + half * forced[k + 1]
    return e


def _averages(weight: Floats, block: int) -> Floats:
    """(d, rows, n): means over blocks of neighbours, in units of their noise; weight (n, d) is 1 over that of a sample.

    A row is 0 where nothing was measured in its block.
    """
    n = len(weight)
    count = n // block
    matrix = np.zeros((weight.shape[1], count, n))
    matrix[:, np.minimum(np.arange(n) // block, count - 1), np.arange(n)] = weight.T**2
    total = np.sqrt(np.sum(matrix, axis=2, keepdims=True))
    return np.divide(matrix, total, out=np.zeros_like(matrix), where=total > 0.0)


def _even_pick(n: int) -> Ints:
    return np.unique(np.round(np.linspace(0, n - 1, min(n, NODES))).astype(np.int64))


def _between(t: Floats, nodes: Ints) -> Floats:
    """(n, nodes): the cubic through values at the nodes, at all times."""
    if len(nodes) == len(t):
        return np.eye(len(t))
    return np.asarray(make_interp_spline(t[nodes], np.eye(len(nodes)), k=3)(t), dtype=np.float64)


def _basis(columns: Floats) -> Floats:
    """An orthonormal basis of the span of columns (M, q)."""
    size = np.linalg.norm(columns, axis=0)
    scaled = columns[:, size > 0.0] / size[size > 0.0]
    u, s, _ = np.linalg.svd(scaled, full_matrices=False)
    return np.asarray(u[:, s > 1e-9 * s[0]] if len(s) else u, dtype=np.float64)
