"""Least squares where each stretch has numbers of its own and all share some: a triangle for each, joined at last."""

from collections.abc import Sequence

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.numerics.lapack import dtrcon, dtrtri, triangle

SINGULAR, LOOSE = 1e-10, 1e-6
"""Singular value over the largest below which a direction is not told, and the share of a number in such a direction
from which its error is unknown."""
ROOM = 32
"""What LAPACK has to work on blocks, in columns; there are many."""


def solved(tables: Sequence[Floats], d: int) -> tuple[Floats, Floats, float]:
    """Return least squares (s * d + p,), the covariance (p, p) of the last p of them, and the squares that are left.

    tables: for each of s stretches its rows (m, d + p + 1): by its own start, by theta, and what they should add up to.
    The covariance is infinite where the rows do not depend on a number.
    """
    parts = [_triangle(table) for table in tables]
    joint = _triangle(np.vstack([part[d:, d:] for part in parts]))
    s, k = len(tables) * d, len(tables) * d + joint.shape[1]
    r = np.zeros((k, k))
    for i, part in enumerate(parts):
        own = slice(i * d, (i + 1) * d)
        r[own, own], r[own, s:] = part[:d, :d], part[:d, d:]
    r[s:, s:] = joint
    r, b, left = r[:-1, :-1], r[:-1, -1], r[-1, -1:]
    size = np.linalg.norm(r, axis=0)
    scale = np.where(size > 0.0, size, 1.0)
    root, loose = _inverse(r / scale)
    covariance = root[s:] @ root[s:].T
    covariance[loose[s:], loose[s:]] = np.inf
    found = root @ b / scale
    squares = float(np.sum((b - r @ found) ** 2) + np.sum(left**2))
    return found, covariance / np.outer(scale[s:], scale[s:]), squares


def _triangle(rows: Floats) -> Floats:
    """Return R (c, c) of the QR of rows (m, c), which stay as they are."""
    return triangle(np.array(rows.T, order="C"), ROOM)


def _inverse(r: Floats) -> tuple[Floats, Bools]:
    """Return the inverse (k, k) of a triangle with columns of length 1, and which numbers (k,) are not told.

    Directions of which the singular value is SINGULAR of the largest are left out; they are looked for only where the
    condition, as it is estimated, does not rule them out.
    """
    if dtrcon(r)[0] > 10.0 * len(r) * SINGULAR:
        return dtrtri(r)[0], np.zeros(len(r), dtype=np.bool_)
    u, stretch, across = np.linalg.svd(r)
    told = stretch > SINGULAR * stretch[:1]
    inverse = np.divide(told, stretch, out=np.zeros_like(stretch), where=stretch > 0.0)
    return (across.T * inverse) @ u.T, (across[~told] ** 2).sum(axis=0) > LOOSE
