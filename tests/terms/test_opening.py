"""A product with numbers to be fitted and the sum that it is are one law."""

import pytest

from dolq_core.terms import summands


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("x0*(1 - x0/params[0])", {"x0", "x0**2"}),
        ("x0*(1 - params[0]*x0)", {"x0", "x0**2"}),
        ("x0*(params[0] - x0)", {"x0", "x0**2"}),
        ("x0*(x0/params[0] - params[1])", {"x0", "x0**2"}),
        ("x0*(1 - x0/params[0])*(1 - x0/params[1])", {"x0", "x0**2", "x0**3"}),
        ("params[0] - x0", {"1", "x0"}),
        ("sin(x1)*(1 - x0**2/params[0])", {"sin(x1)", "x0**2*sin(x1)"}),
        ("x0*(1 - x0/params[0])/x1", {"x0/x1", "x0**2/x1"}),
        ("x0*(1 + params[0]*sin(params[1]*t))", {"x0", "x0*sin(params[0]*t)"}),
    ],
)
def test_a_product_is_the_sum_of_its_terms(typed, found):
    assert set(summands(typed)) == found


@pytest.mark.parametrize(
    "typed",
    [
        "x0",
        "x0*(663 - x0)",
        "x0/(params[0] + x0)",
        "x0*(1 - params[0]*x0)**2",
        "x0*(params[0] - x0)*(params[1] - x1)",
        "x0*(1 - (x0/params[0])**params[1])",
        "x0*(1 - x0/params[0])/(params[1] + x0)",
        "sin(params[0]*x0 + params[1])",
        "exp(-params[0]*x1)*(1 - x0/params[1])",
        "x0*(1 - x0/params[0] - x1/(params[1] + x1))",
    ],
)
def test_what_would_need_other_numbers_or_more_stays_a_term(typed):
    assert summands(typed) == (typed,)
