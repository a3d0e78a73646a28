"""A veto in one equation leaves the law of another one as it was, and says what that law hangs on."""

from dataclasses import replace

import pytest

from dolq_core.blocks import read_blocks
from dolq_core.loop.advance import advance
from dolq_core.loop.compare import STARTS
from dolq_core.loop.fit import attempt_of, fit
from dolq_core.loop.followed import ASTRAY
from dolq_core.loop.ranking import structure, unharmed
from dolq_core.loop.simulate import _leaders
from dolq_core.loop.status import BESIDE, status
from dolq_core.loop.step import step
from dolq_core.records import Ban, Candidate, Intervention, Proposal, Term, TermKey, TermNote, Visited
from dolq_core.terms import safe_names
from tests.agents.problems import begun, noisy
from tests.every import every


def meadow(_, x):
    """Hares x0, lynxes x1 that live on them, and the dew x2 that dries beside them."""
    return [1.1 * x[0] - 0.5 * x[0] * x[1], 0.3 * x[0] * x[1] - 0.8 * x[1], -0.4 * x[2]]


@pytest.fixture(scope="module")
def asked():
    """(before, after) the veto of hunting in the equation of the hares, and what the run works with."""
    names = ("hares", "lynxes", "dew")
    given = noisy(meadow, [2.0, 1.0, 3.0], 14.0, points=200, names=names)
    few = '[equations.hares]\nterms = ["1", "hares", "hares*lynxes", "hares**2"]\n'
    few += '[equations.lynxes]\nterms = ["1", "t", "hares", "lynxes", "hares*lynxes", "lynxes**2", "hares**2"]\n'
    few += '[equations.dew]\nterms = ["1", "dew", "dew**2", "dew*lynxes"]'
    state, setup = begun(replace(given, blocks=read_blocks(few, safe_names(names), 3)))
    found = advance(state, step(state, setup))
    return found, advance(found, Intervention(ban=(TermNote(TermKey(0, "hares*lynxes")),))), setup


@pytest.fixture(scope="module")
def vetoed(asked):
    """(before, after) an iteration that follows on it."""
    found, now, setup = asked
    return found, advance(now, step(now, setup))


def terms(state, equation):
    return {t.skeleton: t.coefficient for t in state.best[equation].reported.terms}


def test_the_other_laws_stay_with_their_rivals_and_the_one_that_hangs_on_it_to_the_last_digit(vetoed):
    found, after = vetoed
    assert every(status(found, j)[0] == "settled" for j in range(2))
    assert "hares*lynxes" not in terms(after, 0)
    assert terms(after, 1) == terms(found, 1)
    assert {t.skeleton for t in after.last.attempt[1].terms} == set(terms(found, 1))
    assert {t.skeleton for t in after.last.refined[1].terms} == set(terms(found, 1))
    assert set(terms(after, 2)) == set(terms(found, 2))
    assert after.last.rivals[1:] == found.last.rivals[1:]
    assert after.last.beside[1:] == found.last.beside[1:]


def test_what_is_graded_and_simulated_of_them_is_the_law_that_stands(asked):
    found, now, setup = asked
    other = (["hares"], ["hares", "lynxes", "lynxes**2"], ["dew"])
    terms_of = tuple(tuple(Term(s, s, "", "model") for s in own) for own in other)
    proposal = Proposal((Candidate(0, terms_of),), ())
    fits = fit(now, proposal, setup.bench)
    (_, graded, _) = attempt_of(now, proposal, fits, setup.bench)
    assert {t.skeleton for t in graded.terms} == set(terms(found, 1))
    rival = fits[0].equations[1]
    both = replace(now, archive={**now.archive, structure(1, rival.terms): Visited(rival, 2)})
    assert [{t.skeleton for t in one.terms} for one in _leaders(both, 1)] == [set(terms(found, 1))]
    (_, before, _) = attempt_of(found, proposal, fits, setup.bench)
    assert {t.skeleton for t in before.terms} == {*other[1]}


def test_the_machine_bans_none_of_their_terms(vetoed):
    _, after = vetoed
    assert {key.equation for key in after.bans} == {0}


def test_what_hangs_on_the_lost_law_says_so_and_what_does_not_does_not(vetoed):
    _, after = vetoed
    assert status(after, 1) == ("provisional", BESIDE.format("hares"))
    assert "hares" not in status(after, 2)[1]


def test_without_a_veto_no_law_is_held(vetoed):
    found, after = vetoed
    assert unharmed(found) == {}
    assert set(unharmed(after)) == {1, 2}


def test_a_word_that_took_no_law_holds_none_and_is_blamed_for_nothing(vetoed):
    """A term banned in advance, and hares whose law never explained the runs."""
    found, _ = vetoed
    ban = Ban(TermKey(2, "dew**2"), "human", 0, "")
    hares = found.best[0]
    poor = replace(hares, refined=replace(hares.refined, floor_ratio=5.0))
    archive = {key: poor if visited is hares else visited for key, visited in found.archive.items()}
    never = replace(found, bans={ban.key: ban}, best=(poor, *found.best[1:]), archive=archive)
    assert unharmed(never) == {}
    assert status(never, 1)[1] != BESIDE.format("hares")


def test_what_runs_away_is_not_held_against_what_cannot(vetoed):
    found, _ = vetoed
    lost = replace(found, last=replace(found.last, strays=STARTS))
    said = ASTRAY.format(STARTS, STARTS)
    assert [status(lost, j)[1] == said for j in range(3)] == [True, True, False]
    assert status(lost, 2) == status(found, 2)


def test_the_error_is_that_of_the_laws_as_they_stand(asked, vetoed):
    _, after = vetoed
    told = asked[2].bench.trajectory_score([one.scored for one in after.best])
    assert after.trajectory.nmse == pytest.approx(told.nmse, rel=1e-6)
