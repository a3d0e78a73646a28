from math import inf

import numpy as np
import pytest

from dolq_core.numerics.metrics import nmse

REFERENCE = np.array([10.0, 12.0, 14.0])


def test_the_mean_as_a_model_has_nmse_one():
    assert nmse(np.full(3, 12.0), REFERENCE) == pytest.approx(1.0)


def test_missing_cells_do_not_count_and_failures_are_infinite():
    assert nmse(np.array([10.0, 12.0, 99.0]), np.array([10.0, 12.0, np.nan])) == 0.0
    assert nmse(np.array([10.0, np.nan, 14.0]), REFERENCE) == inf


def test_a_constant_reference_is_measured_by_its_size():
    assert nmse(np.array([4.0, 4.0]), np.array([2.0, 2.0])) == pytest.approx(1.0)
