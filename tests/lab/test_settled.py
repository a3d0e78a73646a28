"""What the pages of settled laws count."""

import pytest

from lab import campaign
from lab.benchmarks import settled
from lab.campaign.laws import true_law
from lab.campaign.same import is_same, same_equations
from tests.every import every


@pytest.fixture(scope="module")
def row():
    case = campaign.read_suite("paper")[0]
    return settled.outcome(campaign.Task("paper", case, noise=0.02, words="given", seed=settled.draw(case.id, 0)))


def test_a_run_tells_of_each_equation_whether_it_is_settled_and_right(row):
    assert len(row["equations"]) == len(row["law"])
    assert row["settled"] == all(status == "settled" for status, _ in row["equations"])
    assert row["right"] == all(true for _, true in row["equations"])
    assert row["right"]


def test_one_wrong_equation_leaves_the_other_one_right():
    case = campaign.read_suite("open")[1]
    law = true_law(case)
    assert len(law) > 1
    wrong = (law[0], (*law[1], *law[0]))
    assert every(same_equations(case, law))
    assert same_equations(case, wrong) == (True, False)
    assert not is_same(case, wrong)


def test_a_law_without_one_of_its_equations_is_not_right():
    case = campaign.read_suite("open")[1]
    assert not is_same(case, true_law(case)[:1])
    assert not is_same(case, ())
    assert same_equations(case, ()) == (False,) * len(true_law(case))


def test_a_settled_equation_of_an_unsettled_law_is_counted_by_itself(row):
    part = {**row, "settled": False, "equations": [("settled", True), ("settled", False), ("provisional", False)]}
    said = "\n".join(settled.page([row, part]))
    assert "| 2% | given | 2 | 1 | 50% |" in said
    assert "settled while another" not in "\n".join(settled.page([row]))
    before = {key: value for key, value in row.items() if key != "equations"}
    assert "settled while another" not in "\n".join(settled.page([{**before, "settled": False}]))
