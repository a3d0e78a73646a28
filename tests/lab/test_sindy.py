"""The baseline: its features are read as terms, and who has not got it is told how to."""

import sys

import pytest

from dolq_core.laws import law_of_texts
from dolq_core.terms import parse_term, safe_names
from lab import campaign
from lab.campaign.sindy import as_term, texts_of
from tests.lab.small import DECAY

NAMES = safe_names(["x0", "x1"])


@pytest.mark.parametrize(
    ("feature", "term"), [("1", "1"), ("x0^2 x1", "x0**2*x1"), ("sin(1 x0)", "sin(x0)"), ("x0 cos(1 x1)", "x0*cos(x1)")]
)
def test_its_features_are_terms(feature, term):
    assert parse_term(as_term(feature), NAMES).skeleton == parse_term(term, NAMES).skeleton


def test_its_coefficients_make_a_law():
    texts = texts_of([[0.0, -2.5], [0.0, 0.0]], ["1", "x0 x1"])
    assert law_of_texts(texts, NAMES) == ((("x0*x1", -2.5, ()),), ())


def test_who_has_not_got_it_is_told_how_to(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysindy", None)
    (task,) = campaign.tasks_of(campaign.TaskGrid("small", (DECAY,), agents=("pysindy",)))
    assert "pip install 'dolq[sindy]'" in campaign.do(task).failure
