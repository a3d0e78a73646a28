"""What computes: the libraries and the kernels that the last digit of a figure depends on, and on how many threads."""

import platform
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, cast

import numpy as np
import scipy
from scipy import linalg
from threadpoolctl import threadpool_info, threadpool_limits  # pyright: ignore[reportMissingTypeStubs]

from dolq_core.version import VERSION

__all__ = ["machine", "one_thread"]


@cache
def _found() -> tuple[tuple[str, str], ...]:
    blas = {f"{one['internal_api']} {one['version']} {one.get('architecture', '')}".strip() for one in _libraries()}
    simd = cast(dict[str, Any], np.show_config(mode="dicts")).get("SIMD Extensions", {})
    return (
        ("dolq", VERSION),
        ("python", platform.python_version()),
        ("numpy", np.__version__),
        ("scipy", scipy.__version__),
        ("blas", ", ".join(sorted(blas)) or "unknown"),
        ("simd", " ".join([*simd.get("baseline", ()), *simd.get("found", ())]) or "none"),
        ("processor", platform.machine()),
    )


def machine() -> dict[str, str]:
    """Return versions, the kernels that the linear algebra chose for this processor, and NumPy's SIMD extensions."""
    return dict(_found())


def one_thread() -> AbstractContextManager[object]:
    """Keep the linear algebra to one thread inside: small least squares are several times slower on many."""
    return threadpool_limits(1, user_api="blas")


def _libraries() -> list[dict[str, Any]]:
    """Those of the linear algebra, SciPy's own too: it is seen once `linalg` is loaded."""
    found = cast(list[dict[str, Any]], threadpool_info())
    return [one for one in found if linalg and one.get("user_api") == "blas"]
