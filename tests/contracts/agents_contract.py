"""What every Sampler and every Scientist keeps to. A test class derives from these and has the fixtures they name."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.loop.evaluate import match
from dolq_core.loop.sample import sample
from dolq_core.records import Ablation, Ban, Blocks, TermKey
from tests.every import every


def keys_of(proposal):
    return {
        TermKey(j, term.skeleton) for one in proposal.candidates for j, terms in enumerate(one.terms) for term in terms
    }


class SamplerContract:
    """Fixtures: sampler, fresh (makes one such sampler after the other), state (before the first iteration), bench."""

    def test_at_most_as_many_hypotheses_as_asked_each_for_the_whole_system(self, sampler, state, bench):
        proposed = sampler.propose(state, bench, np.random.default_rng(0))
        assert 1 <= len(proposed.hypotheses) <= state.settings.hypotheses
        assert {len(hypothesis) for hypothesis in proposed.hypotheses} == {len(state.problem.dataset.states)}

    def test_the_loop_can_use_what_is_proposed(self, sampler, state, bench):
        proposal = sample(state, sampler, bench, np.random.default_rng(0))
        assert any(terms for candidate in proposal.candidates for terms in candidate.terms)

    def test_no_banned_term_comes_through_whatever_is_proposed(self, fresh, state, bench):
        first = sample(state, fresh(), bench, np.random.default_rng(0))
        banned = keys_of(first)
        assert banned
        forbidden = replace(state, bans={key: Ban(key, "human", 0, "mine") for key in banned})
        second = sample(forbidden, fresh(), bench, np.random.default_rng(0))
        assert not keys_of(second) & banned

    def test_nothing_outside_the_building_blocks_comes_through(self, fresh, state, bench):
        blocks = Blocks(functions=(), degree=1, ratios=False, inner=False, time=False)
        problem = replace(state.problem, blocks=blocks)
        proposal = sample(replace(state, problem=problem), fresh(), bench, np.random.default_rng(0))
        assert keys_of(proposal) <= {TermKey(j, s) for j in (0, 1) for s in ("1", *bench.symbols)}

    def test_the_same_seed_draws_the_same(self, fresh, state, bench):
        one, other = (fresh().propose(state, bench, np.random.default_rng(7)).hypotheses for _ in range(2))
        assert one == other

    def test_every_term_has_a_reason_and_a_source(self, sampler, state, bench):
        proposed = sampler.propose(state, bench, np.random.default_rng(0))
        terms = [term for hypothesis in proposed.hypotheses for terms in hypothesis for term in terms]
        assert every(term.reason and term.source for term in terms)


class ScientistContract:
    """Fixtures: fresh (makes one such scientist after the other), state, bench, terms (by equation)."""

    @pytest.fixture
    def attempt(self, bench, terms):
        return [bench.fit(j, skeletons) for j, skeletons in enumerate(terms)]

    @pytest.fixture
    def figures(self, bench, attempt):
        return [
            Ablation(TermKey(fit.equation, skeleton), zeroed, refitted, "good")
            for fit in attempt
            for skeleton, zeroed, refitted in bench.ablate(fit)
        ]

    def test_every_term_gets_one_grade_with_a_reason(self, fresh, state, bench, attempt, figures):
        review = fresh().review(state, attempt, figures, bench, np.random.default_rng(0))
        matched = match(review, figures, state.settings.max_good)
        assert [one.key for one in matched.terms] == [figure.key for figure in figures]
        assert {one.key for one in review.terms} == {figure.key for figure in figures}
        assert every(one.reason for one in review.terms)
        assert review.insight

    def test_the_same_seed_grades_the_same(self, fresh, state, bench, attempt, figures):
        one, other = (fresh().review(state, attempt, figures, bench, np.random.default_rng(7)) for _ in range(2))
        assert (one.terms, one.insight) == (other.terms, other.insight)

    def test_a_review_changes_nothing_it_was_given(self, fresh, state, bench, attempt, figures):
        before = replace(state), list(attempt), list(figures)
        fresh().review(state, attempt, figures, bench, np.random.default_rng(0))
        assert (state, attempt, figures) == before
