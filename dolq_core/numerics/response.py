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
DEPENDENT = 1e-9
"""Share of a column outside the others below which it adds nothing to their span."""


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
class Operator:
    """A matrix (M, N) that is `pieces` along its diagonal, less its part in the span of `others` (M, q), orthonormal.

    A stretch sees no values but its own: as one dense matrix of eight stretches it would be eight times the numbers.
    `pieces` (n, m) are transposed. They are that matrix already where there is one: `others` is (M, 0) then.
    """

    pieces: tuple[Floats, ...]
    others: Floats

    @classmethod
    def of(cls, pieces: Sequence[Floats], others: Floats) -> "Operator":
        """Return the operator of pieces (m, n) that `others` have a part in."""
        if len(pieces) > 1:
            return cls(tuple(np.ascontiguousarray(piece.T) for piece in pieces), others)
        return cls((np.ascontiguousarray(_without(others, pieces[0]).T),), others[:, :0])

    def rows(self, columns: Floats) -> Floats:
        """Turn columns (k, N) of values into columns (k, M)."""
        if len(self.pieces) == 1:
            return columns @ self.pieces[0]
        found = np.empty((len(columns), len(self.others)))
        row = column = 0
        for piece in self.pieces:
            n, m = piece.shape
            found[:, row : row + m] = columns[:, column : column + n] @ piece
            row, column = row + m, column + n
        return found - (found @ self.others) @ self.others.T


@dataclass(frozen=True, slots=True, eq=False)
class Response:
    """The regression for one equation: b (M,) = operator (M, N) @ term values at `nodes` (N,) + noise of size 1.

    `nodes` index the samples of all runs. `effective` is what is left of M rows after `others` and starts are out.
    """

    operator: Operator
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
    others = _basis(np.vstack([piece.others for piece in pieces]), np.sqrt(sum(piece.sizes for piece in pieces)))
    b = np.concatenate([piece.b for piece in pieces])
    left = sum(piece.left for piece in pieces) - others.shape[1]
    return Response(Operator.of([piece.operator for piece in pieces], others), _without(others, b), nodes, float(left))


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One stretch, its start projected out: rows of b, of the operator on its own nodes, and of `others` (M, q).

    sizes: (q,) squares of these before that; left: independent rows.
    """

    operator: Floats
    b: Floats
    nodes: Ints
    others: Floats
    sizes: Floats
    left: int


def _stretches(path: Path, noise: Floats) -> Iterator[Path]:
    n = len(path.t)
    edges, growth = [0], np.eye(len(noise))
    for k, step in enumerate(_steps(path)):
        growth = step @ growth
        if k + 1 - edges[-1] >= SHORTEST and n - k - 1 >= SHORTEST and _is_far(growth / noise[:, None] * noise):
            edges.append(k + 1)
            growth = np.eye(len(noise))
    for i, j in zip(edges, [*edges[1:], n], strict=True):
        yield Path(
            path.t[i:j], path.x[i:j], path.measured[i:j], path.counts[i:j], path.jacobian[i:j], path.others[i:j],
            path.decoupled,
        )  # fmt: skip


def _is_far(growth: Floats) -> bool:
    """Whether the spectral norm is above MOST_GROWTH; the root of the sum of squares is above it, and costs less."""
    return float(np.vdot(growth, growth)) > MOST_GROWTH**2 and float(np.linalg.norm(growth, 2)) > MOST_GROWTH


def _steps(path: Path) -> Floats:
    """What one step does to a small difference (n - 1, d, d): the Cayley form of the exponential, of second order."""
    half = 0.25 * np.diff(path.t)[:, None, None] * (path.jacobian[:-1] + path.jacobian[1:])
    one = np.eye(half.shape[1])
    return np.asarray(np.linalg.solve(one - half, one + half), dtype=np.float64)


def _piece(path: Path, equation: int, noise: Floats, block: int) -> _Piece:
    n, d = len(path.t), len(noise)
    steps, h = _steps(path), np.diff(path.t)
    told = [equation] if path.decoupled else list(range(d))
    weight = np.where(np.isfinite(path.measured), path.counts / noise, 0.0)[:, told]
    block = min(block, max(1, n // LEAST_ROWS))
    firsts: Ints = np.arange(n // block) * block
    total = np.sqrt(np.add.reduceat(weight**2, firsts, axis=0))
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
        """(n, d, K) at the samples -> means over blocks of neighbours (rows, K), in units of their noise.

        A row is 0 where nothing was measured in its block.
        """
        summed = np.add.reduceat(weight[:, :, None] ** 2 * values[:, told], firsts, axis=0)
        rows = np.divide(summed, total[:, :, None], out=np.zeros_like(summed), where=total[:, :, None] > 0.0)
        return rows.transpose(1, 0, 2).reshape(len(firsts) * len(told), values.shape[2])

    begin = rows(starts[:, :, told])
    both = rows(_carried(steps, h, np.concatenate((forced, path.others), axis=2)))
    operator, others = both[:, : len(nodes)], both[:, len(nodes) :]
    b = rows(np.nan_to_num(path.measured - path.x - carried)[:, :, None])[:, 0]
    q = _basis(begin, np.linalg.norm(begin, axis=0))
    return _Piece(
        operator=_without(q, operator),
        b=_without(q, b),
        nodes=nodes,
        others=_without(q, others),
        sizes=np.sum(others**2, axis=0),
        left=int(operator.any(axis=1).sum()) - q.shape[1],
    )


def _carried(steps: Floats, h: Floats, forced: Floats) -> Floats:
    """Solve e' = A e + forced (n, d, K) from e = 0, by the trapezoidal rule; h: (n - 1,) lengths of the steps."""
    e = np.zeros_like(forced)
    half = 0.5 * h[:, None, None]
    before, after = half * forced[:-1], half * forced[1:]
    for k, step in enumerate(steps):
        e[k + 1] = step @ (e[k] + before[k]) + after[k]
    return e


def _even_pick(n: int) -> Ints:
    return np.unique(np.round(np.linspace(0, n - 1, min(n, NODES))).astype(np.int64))


def _between(t: Floats, nodes: Ints) -> Floats:
    """(n, nodes): the cubic through values at the nodes, at all times."""
    if len(nodes) == len(t):
        return np.eye(len(t))
    return np.asarray(make_interp_spline(t[nodes], np.eye(len(nodes)), k=3)(t), dtype=np.float64)


def _without(basis: Floats, columns: Floats) -> Floats:
    """Return columns (M, ...) less their part in the span of an orthonormal basis (M, q)."""
    return columns - basis @ (basis.T @ columns)


def _basis(columns: Floats, size: Floats) -> Floats:
    """An orthonormal basis of the span of columns (M, q); size (q,) is what is large for each of them."""
    scaled = columns[:, size > 0.0] / size[size > 0.0]
    u, s, _ = np.linalg.svd(scaled, full_matrices=False)
    return np.asarray(u[:, s > DEPENDENT], dtype=np.float64)
