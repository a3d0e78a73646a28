"""Variable projection converges where a parameter is one, and its logarithm therefore zero."""

import numpy as np
import pytest

from dolq_core.numerics.varpro import Problem, project


def test_a_parameter_of_exactly_one_is_found_to_rounding_in_few_evaluations():
    x = np.linspace(0.2, 2.8, 200)
    b = 4.0 * x / (1.0 + x**2)
    found = project(Problem(np.empty((0, 200)), [lambda p: x / (p + x**2)], [1], b), [np.array([2.9])], [False])
    assert found.inner[0] == pytest.approx(1.0, rel=1e-11)
    assert found.evaluations < 40
