"""The array types of the core, and the one way to make an array read-only."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]


def frozen(values: npt.ArrayLike) -> Floats:
    """Return a C-contiguous float64 copy that refuses writes."""
    array = np.array(values, dtype=np.float64, order="C", copy=True)
    array.setflags(write=False)
    return array


def same(a: Floats | None, b: Floats | None) -> bool:
    """Whether both are None, or equal element by element with NaN equal to NaN."""
    if a is None or b is None:
        return a is b
    return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
