"""What a verdict is worth is what was measured, and only said where evidence is alike."""

import json
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from dolq_core.fitting.limits import UNCOMPARED
from dolq_core.loop import record, record_in_words, status
from dolq_core.loop.calibration import RECORDS, evidence
from dolq_core.loop.compare import STARTS
from dolq_core.loop.person import after_word
from dolq_core.records import Blocks, Intervention, TermKey, TermNote
from dolq_core.terms import Skeleton
from lab.benchmarks import once
from lab.benchmarks.report import RUNS
from tests.agents.problems import run
from tests.test_output_error import prey


def rows_of(pages):
    return [row for page in pages for row in json.loads((Path(RUNS) / f"{page}.json").read_text())["rows"]]


TUNED, UNSEEN = rows_of(("settled", "digits")), rows_of(page.name for page in once.PAGES)


def counted(one, rows):
    """How many laws with this evidence were right, and of how many."""
    alike = [
        row
        for row in rows
        if row["evidence"] == one.evidence
        and (one.below == inf or one.least <= (inf if row["gap"] is None else row["gap"]) < one.below)
    ]
    return sum(row["right"] for row in alike), len(alike)


@pytest.mark.parametrize("one", RECORDS, ids=lambda one: f"{one.evidence} {one.least} to {one.below}")
def test_the_table_is_the_one_that_was_measured(one):
    assert (one.right, one.tests) == counted(one, TUNED)
    assert (one.right_unseen, one.unseen) == counted(one, UNSEEN)
    assert min(one.tests, one.unseen) >= 30


@pytest.fixture(scope="module")
def found():
    return run(prey(0.02), iterations=1)


def test_a_settled_law_is_told_with_how_often_such_laws_were_right(found):
    assert [status(found, j)[0] for j in range(2)] == ["settled", "settled"]
    kind, gap = evidence(found)
    assert kind == "settled"
    assert gap is None or gap > 6.0
    said = record_in_words(found)
    assert f"{record(found).right_unseen} of {record(found).unseen}" in said
    assert "tuned on" in said
    assert said.startswith("Of whole systems with this much evidence ")
    assert "were true in every equation in tests" in said


def test_the_nearer_a_rival_the_less_a_law_is_worth(found):
    near = replace(found, last=replace(found.last, rivals=(1, 0), gaps=(1.0, 20.0)))
    close = replace(found, last=replace(found.last, rivals=(1, 0), gaps=(5.0, 20.0)))
    worth = [one.right / one.tests for one in map(record, (near, close, found))]
    assert worth == sorted(worth)


def test_nothing_is_said_of_a_law_that_misses_the_data_or_was_not_compared_yet(found):
    best = found.best[0]
    far = replace(found, best=(replace(best, refined=replace(best.refined, floor_ratio=4.0)), found.best[1]))
    assert record_in_words(far) == ""
    assert record(replace(found, last=replace(found.last, rivals=(UNCOMPARED, 0)))) is None


def test_nothing_is_said_of_a_law_from_which_a_persons_word_may_keep_the_truth(found):
    vetoed = after_word(found, Intervention(ban=(TermNote(TermKey(0, Skeleton("sin(x0)"))),)))
    pinned = after_word(found, Intervention(pin=(TermNote(TermKey(0, found.best[0].fit.terms[0].skeleton)),)))
    ruled = replace(found, problem=replace(found.problem, blocks=Blocks(time=False)))
    for state in (vetoed, pinned, ruled):
        assert evidence(state) is not None
        assert record_in_words(state) == ""


def test_a_number_inside_a_term_that_may_be_zero_settles_nothing(found):
    best = found.best[0]
    term = replace(best.refined.terms[0], skeleton="x0/(params[0] + x0)", inner=(0.1,), inner_errors=(0.2,))
    loose = replace(best, refined=replace(best.refined, terms=(term, *best.refined.terms[1:])))
    said, why = status(replace(found, best=(loose, found.best[1])), 0)
    assert said == "provisional"
    assert "may be zero" in why


def test_of_a_law_that_runs_away_from_other_starts_nothing_is_told(found):
    assert evidence(replace(found, last=replace(found.last, strays=STARTS))) is None
