"""LAPACK by itself, for small tables: SciPy's checks cost up to twenty times the work."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np
from scipy.linalg import lapack

from dolq_core.arrays import Floats, frozen

dgeqp3, dgeqrf, dorgqr, dtrcon, dtrtri, dtrtrs = (
    cast(Callable[..., tuple[Any, ...]], getattr(lapack, name))
    for name in ("dgeqp3", "dgeqrf", "dorgqr", "dtrcon", "dtrtri", "dtrtrs")
)


def triangle(table: Floats, blocks: int = 3) -> Floats:
    """Return R (c, c) of the QR of the rows of a table (c, M), with rows of zeros where M is less than c.

    The table is overwritten. blocks: how much room LAPACK has, in rows of the table; more pays for many columns.
    """
    packed = dgeqrf(table.T, lwork=blocks * len(table), overwrite_a=True)[0][: len(table)]
    if len(packed) < len(table):
        packed = np.concatenate((packed, np.zeros((len(table) - len(packed), len(table)))))
    return packed * _upper(len(table))


@lru_cache(maxsize=64)
def _upper(size: int) -> Floats:
    return frozen(np.triu(np.ones((size, size))))
