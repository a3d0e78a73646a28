"""The study of what a word is worth: what the simulated expert says, and how it is counted."""

from dataclasses import replace

import pytest

from dolq_core import runs
from dolq_core.records import FittedTerm, Settings
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import Skeleton
from lab import campaign
from lab.benchmarks import veto
from lab.campaign.looping import problem_of


@pytest.fixture(scope="module")
def found():
    """A clean run of an epidemic, whose law is right, and the same with a term too many in the place of a true one."""
    case = next(one for one in campaign.read_suite("paper") if one.id == "1")
    task = campaign.Task("paper", case, noise=0.0, words="none", seed=0)
    store = MemoryStore()
    state = runs.step_once(store, runs.start(store, problem_of(task), Settings(), seed=0)).state
    best = state.best[1]
    kept = [term for term in best.fit.terms if term.skeleton != "x1"]
    wrong = replace(best.fit, terms=(*kept, FittedTerm(Skeleton("x1**3"), 0.1, None)))
    return task, state, replace(state, best=(state.best[0], replace(best, fit=wrong, refined=None)))


def said(found, arm, *, wrong=True):
    task, right, spoilt = found
    return veto.spoken(arm, task, spoilt if wrong else right, problem_of(task))


def test_an_expert_says_what_is_true_and_wanting(found):
    assert said(found, "a veto")[0] == "ban x1**3 in equation 2"
    assert said(found, "a pin")[0] == "pin x1 in equation 2"
    assert said(found, "a kind")[0] == "ban the kind power in equation 2"
    text, _, problem = said(found, "a sign")
    assert text.endswith("in equation 2")
    assert problem.blocks.equations[0].signs
    assert said(found, "words")[2].description


def test_a_law_that_is_right_needs_no_word(found):
    assert [said(found, arm, wrong=False)[0] for arm in ("a veto", "a pin", "a kind", "a sign")] == [""] * 4


def test_false_words_are_false_and_said_by_the_expert(found):
    text, word, _ = said(found, "a false veto")
    assert text == "ban x0*x1 in equation 1"
    assert word.by == veto.EXPERT
    assert said(found, "a false pin")[0] == "pin x0**2 in equation 1"


def row(system, arm, *, right, settled=False, spoke="x"):
    return {
        "suite": "open", "system": system, "noise": 0.02, "arm": arm, "said": spoke, "right": right,
        "settled": settled, "told": not settled, "iterations": 3, "cpu_s": 1.0,
    }  # fmt: skip


def test_words_are_counted_in_pairs_with_nobody():
    rows = [row(str(k), arm, right=k < 4 or arm == "a pin") for arm in veto.ARMS for k in range(10)]
    lines = veto.page(rows)[1].splitlines()
    (pin,) = [line for line in lines if "| a pin |" in line]
    assert [cell.strip() for cell in pin.split("|")][3:10] == ["10", "10", "10", "72% to 100%", "6", "0", "0.031"]
    assert "10 of 10" in next(line for line in lines if "| a false veto |" in line)
