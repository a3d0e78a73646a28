"""scikit-learn's own checks for estimators, and those of them that cannot hold for a time series."""

import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from dolq_core import DoLQ


class Timed(DoLQ):
    """The same, with the number of the sample as its time: the checks' own y are classes or measured values."""

    def fit(self, X, y=None, **more):
        return super().fit(X, None if y is None else np.arange(float(len(y))), **more)


CANNOT = {
    "check_fit_score_takes_y": "y of `score` are times too, and the check's own do not increase",
    "check_pipeline_consistency": "y of `score` are times too, and the check's own do not increase",
    "check_fit1d": "a vector is one state: most series have one column",
    "check_requires_y_none": "what is missing is said in the words of a time series: no times are given",
}


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that it is no BaseEstimator: scikit-learn is not needed for it
    ALL = list(estimator_checks_generator(Timed(max_iterations=1), expected_failed_checks=CANNOT, mark="xfail"))


@pytest.mark.parametrize(
    ("estimator", "check"), CHECKS, ids=lambda one: one.func.__name__ if hasattr(one, "func") else ""
)
def test_what_scikit_learn_asks_of_an_estimator(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)
