"""Whether a law is the true one in other words."""

import pytest

from dolq_core.laws import Part
from dolq_core.terms import Skeleton
from lab import campaign
from lab.campaign.same import is_same


def case(suite, name):
    return next(one for one in campaign.read_suite(suite) if one.id == name)


def part(text, value=1.0, *inner) -> Part:
    return Skeleton(text), value, inner


HOOP = (part("rate"),)
OREGONATOR = (part("x"), part("z", -1.0))


@pytest.mark.parametrize(
    ("suite", "name", "law", "is_it"),
    [
        ("textbook", "hoop", (HOOP, (part("rate"), part("cos(angle)*sin(angle)"), part("sin(angle)"))), True),
        ("textbook", "hoop", (HOOP, (part("rate"), part("sin(2*angle)"), part("sin(angle)"))), True),
        ("textbook", "hoop", (HOOP, (part("rate"), part("sin(angle)"))), False),
        ("textbook", "hoop", (HOOP, (part("rate"), part("sin(2*angle)"), part("sin(angle)"), part("angle"))), False),
        ("textbook", "hoop", (HOOP, (part("rate"), part("angle"), part("angle**3"), part("angle**5"))), False),
        ("open", "autocat-oregonator2",
         ((part("x"), part("x**2"), part("z"), part("x*z/(params[0] + x)", 1.0, 0.06)), OREGONATOR), True),
        ("open", "enzyme-progress", ((part("S_/(params[0] + S_)", -1.0, 0.7),),), True),
        ("open", "enzyme-progress", ((part("tanh(S_)", -1.0),),), False),
        ("open", "enzyme-progress", ((),), False),
        ("trades-aside", "ice-line",
         ((part("1"), part("1/(1 + exp(-params[0] + params[1]*T))", -1.0, 57.08, 0.215), part("T**4")),), True),
    ],
)  # fmt: skip
def test_only_the_true_function_without_a_term_too_many_is_the_same(suite, name, law, is_it):
    assert is_same(case(suite, name), law) is is_it
