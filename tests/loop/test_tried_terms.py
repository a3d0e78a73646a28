"""What a person tries does not make a law surer: what explained the data as well before still does."""

from dataclasses import replace

import pytest

from dolq_core.blocks import read_blocks
from dolq_core.loop.advance import advance
from dolq_core.loop.status import status
from dolq_core.loop.step import step
from dolq_core.records import Ban, TermKey, TermNote
from dolq_core.terms import safe_names
from tests.agents.problems import begun, noisy

UPTAKE = "c/(params[0] + c)"
TRIED = TermNote(TermKey(0, "sin(c)"), "Is there a rhythm?")


def uptake(sigma):
    """One iteration on an uptake that levels off."""
    given = noisy(lambda _, x: [-2.0 * x[0] / (1.0 + x[0])], [4.0], 4.0, sigma=sigma, points=120, names=("c",), seed=1)
    few = f'[equations.c]\nterms = ["1", "c", "c**2", "sqrt(c)", "{UPTAKE}", "tanh(params[0]*c)", "sin(c)"]'
    state, setup = begun(replace(given, blocks=read_blocks(few, safe_names(["c"]), 1)))
    return advance(state, step(state, setup)), setup


def tried(state, setup):
    return advance(state, step(replace(state, proposals=(TRIED,)), setup))


@pytest.mark.parametrize("sigma", [0.02, 0.08])
def test_a_law_has_its_rivals_and_its_odds_after_a_term_that_was_tried_in_vain(sigma):
    state, setup = uptake(sigma)
    after = tried(state, setup)
    law = tuple(t.skeleton for t in after.best[0].reported.terms)
    assert law == tuple(t.skeleton for t in state.best[0].reported.terms)
    assert bool(after.last.rivals[0]) == bool(state.last.rivals[0]) == (sigma > 0.02)
    assert after.last.gaps[0] <= state.last.gaps[0]
    assert status(after, 0)[0] == status(state, 0)[0]


def test_a_rival_that_a_person_removed_is_none():
    state, setup = uptake(0.08)
    bans = [
        Ban(TermKey(0, t.skeleton), "human", state.iteration, "") for fit in state.last.beside[0] for t in fit.terms
    ]
    state = replace(state, bans={ban.key: ban for ban in bans if ban.key.skeleton != UPTAKE})
    after = tried(state, setup)
    assert not {t.skeleton for fit in after.last.beside[0] for t in fit.terms} & {key.skeleton for key in state.bans}
