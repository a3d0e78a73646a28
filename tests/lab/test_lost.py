"""Whether a wrong law was lost by the search, or is beyond the data."""

import pytest

from lab import campaign
from lab.benchmarks import lost
from lab.benchmarks.settled import draw
from lab.campaign.laws import names_of

CASE = next(one for one in campaign.read_suite("open") if one.id == "radiative-cooling")


def compared(*law: str):
    row = {"suite": "open", "system": CASE.id, "noise": 0.02, "words": "given", "seed": draw(CASE.id, 0)}
    return lost.outcome({**row, "law": law})


def test_every_number_inside_a_term_is_fitted_and_an_exponent_that_is_whole_is_not():
    ((term,),) = lost.freed(lost.law_of_texts(["2.5*T**2/(0.5 + T**1.5)"], names_of(CASE)))
    assert (term.skeleton, term.coefficient) == ("T**2/(params[0] + T**params[1])", 2.5)
    assert term.inner == (0.5, 1.5)


@pytest.mark.parametrize(("law", "verdict"), [("-0.4*T", "search"), ("0.02*T - 0.37*T**4", "tie")])
def test_a_wrong_law_is_weighed_against_the_true_one_on_the_samples_of_its_run(law, verdict):
    assert compared(law)["verdict"] == verdict


def test_the_true_law_is_not_ahead_of_itself():
    assert compared(*CASE.equations) == {"verdict": "tie", "ahead": 0.0}


def test_what_cannot_be_read_is_not_compared():
    assert compared("T**14.5")["verdict"] == lost.OPEN


def test_the_table_counts_runs_by_page_and_names_what_was_lost():
    row = {"page": "settled", "suite": "s", "system": "x", "noise": 0.02, "words": "none", "settled": True}
    rows = [{"page": "settled", "runs": 8}, {**row, "verdict": "search", "ahead": 7.0}, {**row, "verdict": "tie"}]
    table, _, told = lost.page(rows)
    assert "| [settled](settled.md) | 8 | 2 | 1 | 1 | 0 | 0 | 12%" in table
    assert told.splitlines()[2:] == ["| s | x | 2% | none | yes | 7 |"]
    assert lost.counted(rows) == {"settled": (8, 1)}


def test_a_law_that_is_followed_only_with_its_exponents_as_they_stand_is_weighed_so(monkeypatch):
    followed = lost._followed
    monkeypatch.setattr(
        lost,
        "_followed",
        lambda like, system: float("inf") if any(t.inner for ts in system for t in ts) else followed(like, system),
    )
    found = compared("0.02*T**0.5 - 0.37*T**3.999")
    assert found["verdict"] != lost.OPEN
    assert abs(found["ahead"]) < lost.FAR
