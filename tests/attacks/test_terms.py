"""Terms that are made to take long: none costs more than the promise, whatever is drawn."""

import time

import pytest

from dolq_core.errors import TermError
from dolq_core.terms import limits, parse_term
from tests.attacks.slow import SYMMETRIC, slow
from tests.terms.promise import READERS, tried

PACES = 10.0
"""Bound, in counts to 100,000 on the same processor: the slowest text took 5.8; 50 ms where one such count takes 5."""


def pace_ms():
    """Processor time of a count to 100,000, the least of three."""

    def count():
        began, total = time.thread_time(), 0
        for i in range(100_000):
            total += i * i % 7
        return 1000.0 * (time.thread_time() - began)

    return min(count() for _ in range(3))


LEAST_MS = min(pace_ms() for _ in range(3))


def is_cheap(reader, text):
    """At one look beside the least of many paces; else the least of three looks beside the pace of that moment.

    So a busy machine does not count; each reading has letters of its own, since the readers remember the string.
    """
    if tried(reader, text).ms < PACES * LEAST_MS:
        return True
    return min(tried(reader, text + " " * blanks).ms for blanks in range(1, 4)) < PACES * pace_ms()


@pytest.mark.parametrize("reader", ["term", "equation", "formula", "law"])
def test_no_text_takes_longer_than_is_promised(reader):
    for text in slow(400, seed=1):
        assert is_cheap(reader, text), text


@pytest.mark.parametrize("reader", READERS)
def test_an_equation_of_slow_terms_is_as_cheap_as_one_of_them(reader):
    assert is_cheap(reader, " + ".join(SYMMETRIC * 20)[:2000])


@pytest.mark.parametrize("text", [
    "p1*x0/(p2 + x0 + x0**2/p3)*(1 - temp/p4)", "(p1 + x0)*(p2 + temp)*(p3 + x0*temp)/(p4 + x0*temp)",
    "x0**2*exp(-p1*temp)/(p2 + x0**p3)", "1/(1 + exp(-(x0 - p1)/p2))*(temp - p3)**3",
])  # fmt: skip
def test_terms_of_practice_use_a_tenth_of_the_steps(text):
    with limits.bounded(limits.MAX_STEPS // 10):
        assert parse_term(text, ("x0", "temp")).params > 0


def test_a_number_that_leaves_its_bounds_while_a_term_is_brought_into_order_is_refused_in_words():
    """What is at fault is in the normal form, which is longer than the text: it has no place there."""
    for text in ("((1e-30p1*p4+x0+p7+x0)+x0)", "(1e30*x0*p1 + temp)*1e30 + 1e-30*(x0 + p1*(temp + 1e-30*x0*p2))"):
        with pytest.raises(TermError, match=r"out of range|too large"):
            parse_term(text, ("x0", "temp"))
