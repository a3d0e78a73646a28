"""A person's word in a notebook is an entry of the log, and it holds."""

import copy

import pytest

from dolq_core import TermError
from dolq_core.records import Intervention
from tests.estimator.models import hares


@pytest.fixture
def model():
    return copy.deepcopy(hares())


def said(model) -> Intervention:
    return model.run_.entries[-1]


def test_a_veto_is_recorded_with_what_the_machine_said(model):
    model.veto("hare*lynx", equation="hare", reason="No lynx here.")
    (override,) = said(model).overrides
    assert (override.choice, override.machine, override.semantic, override.reason) == (
        "remove",
        "keep",
        "good",
        "No lynx here.",
    )
    assert override.ablation.refitted > 1.0
    assert model.bans[["equation", "term", "by", "reason"]].values.tolist() == [
        ["hare", "hare*lynx", "human", "No lynx here."]
    ]
    assert not model.allow("hare*lynx", "hare").run_.state.bans


@pytest.mark.parametrize("choice", ["keep", "hold", "pin"])
def test_a_choice_is_one_entry(model, choice):
    getattr(model, choice)("lynx", equation=1, reason="so")
    (override,) = said(model).overrides
    assert (override.choice, override.key.equation, override.reason) == (choice, 1, "so")


def test_terms_and_equations_of_ones_own_are_tried_and_a_veto_holds(model):
    model.try_term("hare**2", "hare").try_equation("hare - hare**2", "hare", "alone")
    assert said(model).equations[0].reason == "alone"
    model.veto("hare*lynx", "hare").step()
    assert "hare*lynx" not in set(model.terms.query("equation == 'hare'")["term"])
    sources = {term.source for one in model.run_.state.last.proposal.candidates for term in one.terms[0]}
    assert "human" in sources


def test_a_kind_of_terms_is_banned_and_words_are_changed(model):
    model.veto_kind("ratio", "hare", variable="lynx").describe(remark="Seen in the field.")
    assert model.run_.state.remark == "Seen in the field."
    assert model.bans["term"].tolist() == ["ratios with lynx"]
    assert model.undo().run_.state.remark == ""
    with pytest.raises(TermError, match="no such kind"):
        model.veto_kind("nonsense", "hare")


def test_what_cannot_be_meant_is_refused(model):
    for wrong in (None, "fox", 2):
        with pytest.raises(ValueError, match="hare, lynx"):
            model.veto("lynx", wrong)
    with pytest.raises(TermError, match="'fox'"):
        model.veto("fox", "hare")
