"""scikit-learn can read, set and copy the parameters, without being needed at run time."""

import subprocess
import sys
from functools import partial

import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks

from dolq_core import DoLQ, Settings
from tests.estimator.models import hares

CHECKS = (
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
    partial(estimator_checks.check_parameters_default_constructible),
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: getattr(check, "__name__", "defaults"))
def test_the_checks_of_scikit_learn_that_speak_of_parameters(check):
    check("DoLQ", DoLQ())


def test_a_clone_has_the_parameters_and_no_run():
    model = DoLQ(max_iterations=3, settings=Settings(max_terms=4))
    same = clone(model)
    assert same.get_params() == model.get_params()
    assert not hasattr(clone(hares()), "run_")


def test_parameters_are_shown_as_they_are_typed_and_unknown_ones_are_refused():
    assert repr(DoLQ(max_iterations=3)) == "DoLQ(max_iterations=3)"
    assert DoLQ().set_params(random_state=7).random_state == 7
    with pytest.raises(ValueError, match="'seed' is no parameter"):
        DoLQ().set_params(seed=7)


def test_the_package_is_imported_without_what_only_the_estimator_needs():
    code = "import sys, dolq_core; print(sorted({'numpy', 'pandas', 'scipy', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
