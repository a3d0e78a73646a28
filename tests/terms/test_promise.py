"""What weighs strings says so when a promise is broken, and the readers keep it."""

import time

import numpy as np
import pytest

from dolq_core.errors import TermError
from tests.terms.hostile import hostile
from tests.terms.promise import READERS, tried, weighed


def _busy(text):
    until = time.thread_time() + 0.06
    while time.thread_time() < until:
        pass


def _silent(text):
    raise TermError(text, " ")


def _unsayable(text):
    raise TermError(text, "half of a letter \ud83d")


PLANTED = {
    "another error": (lambda text: text[99], "IndexError: string index out of range"),
    "code": (lambda text: eval("1 + 1"), "did more than compute: exec"),  # noqa: S307
    "a file": (lambda text: open(__file__).close(), "did more than compute: open"),
    "time": (_busy, "took over 50 ms"),
    "memory": (lambda text: np.ones(8_000_000).sum(), "took over 50 MB"),
    "no reason": (_silent, "refused without a reason"),
    "no words": (_unsayable, "refused in words that cannot be stored or shown"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_told(planted):
    reader, said = PLANTED[planted]
    assert said in weighed(planted, "x0", {planted: reader}).faults


@pytest.mark.parametrize("name", READERS)
def test_the_readers_keep_the_promise(name):
    found = [tried(name, text) for text in hostile(300, seed=7)]
    hurried = [one for one in found if one.ms < 1000.0]  # the bound of 50 ms is for a machine that does nothing else
    assert [one for one in hurried if set(one.faults) - {"took over 50 ms"}] == []
    assert hurried == found
    assert {one.refused for one in found} == {True, False}
