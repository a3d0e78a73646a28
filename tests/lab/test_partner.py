"""A partner that reads figures alone finds a law with what the prompts tell, and not without."""

from functools import cache

import pytest

from dolq_core.bundled import system
from dolq_core.ports import ChatRequest
from lab.benchmarks import partner
from lab.benchmarks.beginner import Beginner, Blinded
from lab.benchmarks.partner import is_exact
from tests.every import none

talked = cache(partner.talked)
"""A run is a record: whoever looks at the same one looks at one."""


@pytest.mark.parametrize("number", [1, 2, 6])
def test_with_account_and_looks_it_reaches_the_law_in_two_iterations(number):
    state, calls = talked(number, "account and looks")
    assert is_exact(state, system(number))
    assert state.iteration <= 2
    assert state.spent.tokens_in + state.spent.tokens_out < 20_000
    assert none(call.failure for call in calls)
    assert not state.last.proposal.refused


@pytest.mark.parametrize("way", ["account", "neither"])
def test_without_them_it_does_not(way):
    state, _ = talked(2, way)
    assert not is_exact(state, system(2))
    assert state.iteration == 6
    assert state.spent.looks == 0


def test_who_is_blinded_reads_neither_account_nor_portrait():
    read = []

    class Reader(Beginner):
        def send(self, request):
            read.append(request.prompt)
            return super().send(request)

    _, calls = talked(2, "account and looks")
    request = ChatRequest("s", calls[-1].prompt, 0.0, 9, "plain", "scientist", {}, 1.0)
    Blinded(Reader()).send(request)
    assert "# Where the run stands" in request.prompt
    assert "# Where the run stands" not in read[0]
    assert "# The data in figures" not in read[0]
    assert "# The terms to grade" in read[0]
