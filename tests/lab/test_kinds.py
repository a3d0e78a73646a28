"""How often laws have which kind of term."""

import pytest

from dolq_core.fitting.prior import INVERSE
from lab.benchmarks import kinds, report
from tests.every import every


@pytest.fixture(scope="module")
def rows():
    return {row["kind"]: row for row in kinds.measure(report.RUNS)}


def test_terms_are_counted_beside_their_own_state_and_numbers_that_are_added_are_fitted():
    assert kinds._called("rate*level/(38 + rate**3)", {"level": "x", "rate": "y"}) == "x*y/(params[0] + y**3)"


def test_what_laws_have_most_is_a_state_and_time_is_no_other_one(rows):
    most = sorted(rows, key=lambda kind: -rows[kind]["terms"])
    assert most[:3] == ["x", "y", "1"]
    assert "sin(params[0]*y)" not in most[:20]


def test_an_inverse_is_one_over_what_it_does_not_hold_itself(rows):
    inverse = {kind for kind, row in rows.items() if row["inverse"]}
    assert inverse >= {"1/x", "y/x", "x/(params[0] + y)", "1/(params[0] - x)"}
    assert not inverse & {"x/(params[0] + x)", "1/x**2", "1/sqrt(x)", "x**2/y", "1/(1 + exp(params[0]*x - params[1]))"}


def test_the_price_of_an_inverse_is_what_the_page_measures(rows):
    last = kinds.page(list(rows.values()))[0].splitlines()[-1]
    assert float(last.split("|")[-2]) == pytest.approx(INVERSE, abs=0.25)


def test_a_suite_that_nobody_has_run_is_not_looked_at(tmp_path):
    assert every("aside" not in name and name != "sealed" for name in kinds._suites(tmp_path))
