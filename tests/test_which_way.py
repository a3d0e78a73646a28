"""A term in proportion to its state grows or decays; where its sign is known, the sentence says which."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.cli.showing import report
from dolq_core.export.tables import decisions
from dolq_core.fitting import names_of
from dolq_core.grades import EITHER, verdict_on
from dolq_core.mechanisms import FAMILIES
from dolq_core.records import Iteration, TermKey
from dolq_core.views import summary
from dolq_core.views.equations import panels
from dolq_core.views.iteration import account
from tests.every import none

KEY = TermKey(0, "yeast")


@pytest.fixture(scope="module")
def run():
    store = runs.open_store()
    return runs.step_once(store, runs.start(store, load_bundled("yeast")))


def turned(run, coefficient, error):
    """Return what is said of the term in proportion in the same law with another coefficient."""
    done = [entry for entry in run.entries if isinstance(entry, Iteration)]
    fit = run.state.best[0].reported
    terms = tuple(
        replace(term, coefficient=coefficient, std_error=error) if term.skeleton == KEY.skeleton else term
        for term in fit.terms
    )
    return verdict_on(run.state, KEY, done, replace(fit, terms=terms))[0].reason


def test_the_agents_say_both_before_a_fit(run):
    assert not none(EITHER in family.meaning for family in FAMILIES)
    assert not none(EITHER in verdict.reason for verdict in run.entries[-1].verdicts)


def test_of_a_fitted_law_the_page_the_command_line_and_the_document_say_which(run, capsys):
    row = next(row for row in panels(run)[0].terms if row.key == KEY)
    assert row.reason.startswith("yeast grows in proportion to itself;")
    report(run, None)
    assert "yeast grows in proportion to itself;" in capsys.readouterr().out
    assert EITHER not in str(summary.result(run))
    judged = account(run, run.entries[-1]).judged
    assert not none(one.reason.startswith("yeast grows in proportion to itself;") for one in judged)
    assert EITHER not in decisions(run.entries, (), names_of(run.state.problem.dataset))


@pytest.mark.parametrize(
    ("coefficient", "error", "said"),
    [(0.5, 0.1, "grows in"), (0.5, None, "grows in"), (-0.5, 0.1, "decays in"), (-0.5, 0.4, "grows or decays in")],
)
def test_the_sign_decides_where_it_is_told_from_zero(run, coefficient, error, said):
    assert f"yeast {said} proportion to itself" in turned(run, coefficient, error)


@pytest.mark.parametrize("why", ["", "; the word 'converts' speaks for it", "; the words 'square of' speak for it"])
@pytest.mark.parametrize(
    ("coefficient", "error", "is_held"), [(-0.5, 0.1, True), (0.5, 0.1, False), (-0.5, 0.4, False)]
)
def test_what_lowers_a_state_does_not_turn_into_it(run, why, coefficient, error, is_held):
    (transfer,) = (family for family in FAMILIES if family.name == "transfer")
    said = f"{transfer.meaning.format(x='n. of yeast', y='C')}{why}. It acts alone."
    done = run.entries[-1]
    verdicts = tuple(replace(one, reason=said) if one.key == KEY else one for one in done.verdicts)
    told = turned(replace(run, entries=(replace(done, verdicts=verdicts),)), coefficient, error)
    assert ("C holds n. of yeast back in proportion." in told, said.partition(" It acts")[0] in told) == (
        is_held, not is_held
    )  # fmt: skip
