"""scikit-learn's own checks for estimators, and those of them that cannot hold for a time series."""

import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from dolq_core import DoLQ
from dolq_core.records import Settings

FEW = "functions = []\ndegree = 1\nratios = false\ninner = false\ntime = false"
"""Terms enough for what is asked here: the checks' data are ten states of noise."""
QUICK = Settings(hypotheses=1, max_terms=2, target="gradient", held_out=0.0)
"""Nor does it matter here how well they are fitted."""


class Timed(DoLQ):
    """The same, with the number of the sample as its time: the checks' own y are classes or measured values."""

    def fit(self, X, y=None, **more):
        return super().fit(X, None if y is None else np.arange(float(len(y))), **{"allow": FEW, **more})


CANNOT = {
    "check_fit_score_takes_y": "y of `score` are times too, and the check's own do not increase",
    "check_pipeline_consistency": "y of `score` are times too, and the check's own do not increase",
    "check_n_features_in_after_fitting": "`score` calls its times t, and the check gives them as y by name",
    "check_fit1d": "a vector is one state: most series have one column",
    "check_dtype_object": "a value that is no number is wrong data, a ValueError here, in the words of a table",
    "check_requires_y_none": "what is missing is said in the words of a time series: no times are given",
}
LEFT_OUT = "check_array_api_input"
"""It needs a setting of SciPy's for the whole process."""


def name_of(check):
    return check.func.__name__ if hasattr(check, "func") else ""


def checks():
    """Every check that is tried, an expected failure where it cannot hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is no BaseEstimator: scikit-learn is not needed for it
        for estimator, check in estimator_checks_generator(Timed(max_iterations=1, settings=QUICK)):
            if name_of(check) in CANNOT:
                yield pytest.param(estimator, check, marks=pytest.mark.xfail(reason=CANNOT[name_of(check)]))
            elif name_of(check) != LEFT_OUT:
                yield estimator, check


@pytest.mark.parametrize(("estimator", "check"), list(checks()), ids=name_of)
def test_what_scikit_learn_asks_of_an_estimator(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)
