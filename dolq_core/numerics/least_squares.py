"""Linear least squares for the outer coefficients: A (k, M) holds one column of the regression per row."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy.linalg import qr

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.lapack import dgeqp3, dorgqr, dtrtri, dtrtrs

TINY = 1e-90
"""Length at which a column counts as zero."""
DEPENDENT = 1e-10
"""Pivot over the largest, columns scaled to one, below which a column is a combination of the others."""
FREE = 1e-10
"""Share of a column outside others below which it adds nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearFit:
    """Coefficients (k,) with standard errors (k,), inf for a term that is a combination of others; residual (M,).

    root: (k, rank) with covariance s^2 root root', s^2 the variance of the residual; zeros where the error is inf.
    """

    coefficients: Floats
    std_errors: Floats
    residual: Floats
    rank: int
    root: Floats

    @property
    def mse(self) -> float:
        """Mean squared residual."""
        return float(np.mean(self.residual**2))

    @property
    def correlation(self) -> Floats:
        """Correlation (k, k) of the coefficients; NaN in the rows and columns of those that are not determined."""
        return correlation(self.root @ self.root.T)


def correlation(covariance: Floats) -> Floats:
    """Return the correlation (k, k) of a covariance (k, k); NaN where a variance is zero or not finite."""
    variance: Floats = np.diag(covariance)
    known = np.isfinite(variance) & (variance > 0.0)
    size = np.sqrt(np.where(known, variance, 1.0))
    found: Floats = np.clip(np.where(known, covariance, np.nan) / np.outer(size, size), -1.0, 1.0)
    found[~known] = np.nan
    found[known, known] = 1.0
    return found


def least_squares(a: Floats, b: Floats, effective: float | None = None) -> LinearFit:
    """Solve b (M,) = c @ a with columns scaled to one and pivoted QR.

    A dependent column gets the coefficient 0. `effective`: number of independent rows, for standard errors.
    """
    k, m = a.shape
    if k == 0:
        return LinearFit(np.empty(0), np.empty(0), b.copy(), 0, np.empty((0, 0)))
    size = np.sqrt(np.einsum("ij,ij->i", a, a))
    size[size == 0.0] = 1.0
    q, r, order = _pivoted_qr((a / size[:, None]).T)
    diagonal: Floats = np.abs(r.diagonal())
    rank = int((diagonal > DEPENDENT * max(float(diagonal[0]), TINY)).sum())
    c, errors = np.zeros(k), np.full(k, np.inf)
    if rank == 0:
        return LinearFit(c, errors, b.copy(), 0, np.empty((k, 0)))
    top = r[:rank, :rank]
    c[order[:rank]] = dtrtrs(top, q[:, :rank].T @ b)[0]
    residual = b - (c / size) @ a
    independent = min(effective or float(m), float(m))
    inverse = dtrtri(top)[0]
    spread = float(np.dot(residual, residual)) / max(independent - rank, 1.0)
    errors[order[:rank]] = np.sqrt(spread * np.einsum("ij,ij->i", inverse, inverse))
    root = np.zeros((k, rank))
    root[order[:rank]] = inverse
    return LinearFit(c / size, errors / size, residual, rank, root / size[:, None])


def _pivoted_qr(columns: Floats) -> tuple[Floats, Floats, Ints]:
    """Return q (M, k), r (k, k) and the order of the columns, by LAPACK directly: SciPy's checks cost 20 times that."""
    m, k = columns.shape
    if k > m:
        return cast(tuple[Floats, Floats, Ints], qr(columns, mode="economic", pivoting=True))
    packed, order, tau, _, _ = dgeqp3(columns)
    return dorgqr(packed, tau)[0], np.triu(packed[:k]), order - 1


def zeroed(a: Floats, b: Floats, coefficients: Floats) -> Floats:
    """Relative change (k,) of the MSE with each coefficient alone set to zero (paper, Algorithm 1: not refitted)."""
    residual = b - coefficients @ a
    full = float(np.mean(residual**2))
    without = np.mean((residual[None, :] + coefficients[:, None] * a) ** 2, axis=1)
    return np.where(without == full, 0.0, (without - full) / max(full, 1e-300))


def left_out(a: Floats, b: Floats, blocks: Ints) -> float:
    """Mean squared error on each block with the coefficients of the others, all blocks together."""
    if len(a) == 0 or int(blocks[-1]) == 0:
        return _mean_square(b)
    q, residual, moved = _without_blocks(a, b, blocks)
    return _mean_square(residual - np.sum(q * moved[blocks], axis=1))


def _mean_square(values: Floats) -> float:
    squares: Floats = values**2
    return float(np.mean(squares))


def jackknife_t(a: Floats, b: Floats, blocks: Ints) -> Floats:
    """Coefficient over its block-jackknife standard error (k,): how surely each one is not zero."""
    count = int(blocks[-1]) + 1
    if count < 2 or len(a) == 0:
        return np.full(len(a), np.inf)
    q, _, moved = _without_blocks(a, b, blocks)
    r = q.T @ _scaled(a)
    inverse = np.linalg.pinv(r)
    full = inverse @ (q.T @ b)
    changes = moved @ inverse.T
    error = np.sqrt((count - 1) / count * np.sum((changes - changes.mean(axis=0)) ** 2, axis=0))
    return np.abs(full) / np.maximum(error, 1e-300)


def _scaled(a: Floats) -> Floats:
    """Columns as (M, k), each of length one."""
    size = np.linalg.norm(a, axis=1)
    return (a / np.where(size > 0.0, size, 1.0)[:, None]).T


def _without_blocks(a: Floats, b: Floats, blocks: Ints) -> tuple[Floats, Floats, Floats]:
    """Orthonormal columns q (M, k), residual (M,) and the change (blocks, k) of the coefficients of q without a block.

    Leaving block B out of least squares changes the coefficients of q by -(I - Q_B' Q_B)^-1 Q_B' r_B exactly: one
    QR serves all blocks, and nothing is lost to cancellation.
    """
    q, _ = np.linalg.qr(_scaled(a))
    residual = b - q @ (q.T @ b)
    edges = np.searchsorted(blocks, np.arange(int(blocks[-1]) + 2))
    has_rows = edges[1:] > edges[:-1]
    inside = np.where(has_rows[:, None, None], np.add.reduceat(q[:, :, None] * q[:, None, :], edges[:-1]), 0.0)
    pull = np.where(has_rows[:, None], np.add.reduceat(q * residual[:, None], edges[:-1]), 0.0)
    inside = np.eye(q.shape[1]) - inside
    return q, residual, -np.einsum("bij,bj->bi", np.linalg.pinv(inside, hermitian=True), pull)


def root_mean_square(b: Floats) -> Floats:
    """Return the size (d,) of each row of b (d, M)."""
    return np.sqrt(np.mean(b**2, axis=1))


def gain_of_two(first: Floats, second: Floats, cosine: Floats) -> Floats:
    """Return (k, K) what two unit columns with these products with b (k,), (K,) take off its power; -inf for one."""
    determinant = 1.0 - cosine**2
    with np.errstate(all="ignore"):
        gain = (first[:, None] ** 2 + second[None, :] ** 2 - 2.0 * cosine * np.outer(first, second)) / determinant
    gain[determinant < FREE] = -np.inf
    return gain
