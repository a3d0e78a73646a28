"""What decides is rounded to what it is known to."""

from math import inf

import numpy as np
import pytest

from dolq_core.numerics.machine import machine
from dolq_core.numerics.rounding import NATS, known_ratio, nats, squares
from tests.every import every


def test_scores_that_differ_by_rounding_are_equal():
    assert nats(-123.45678) == nats(-123.45678 + 1e-9) == -123.46
    assert nats(1.0) != nats(1.0 + 2.0 * NATS)
    assert nats(inf) == inf


def test_ratios_keep_four_digits():
    assert known_ratio(1.23456e-7) == 1.235e-07
    assert (known_ratio(0.0), known_ratio(inf)) == (0.0, inf)


def test_what_a_subtraction_leaves_is_known_no_finer_than_its_parts():
    """Two columns that explain all leave 1e-16 of it, and which of them less is chance."""
    left = squares(np.array([3e-17, 8e-16, 1e-6, 1.000000001e-6, np.inf]), 1.0)
    assert left[0] == left[1] < left[2]
    assert left[4] == inf
    assert squares(np.array([1.0 + 1e-12]), 2.0) == squares(np.array([1.0]), 2.0)


def test_every_library_and_kernel_is_named():
    here = machine()
    assert here["numpy"] == np.__version__
    assert {"dolq", "scipy", "python", "blas", "simd", "processor"} <= here.keys()
    assert every(here.values())


@pytest.mark.parametrize("name", ["blas"])
def test_the_kernels_of_the_linear_algebra_are_known_here(name):
    assert machine()[name] != "unknown"
