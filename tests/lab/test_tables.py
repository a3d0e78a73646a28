"""Pages say what the results say, with the paper's figures beside them."""

from dataclasses import replace

import pytest

from lab import campaign
from lab.campaign.records import Cost, Result, Score, Step
from lab.campaign.studies import BUNDLED

PAPER = campaign.read_suite("paper")


def page_of(*grids, **changes):
    tasks = campaign.unique([task for grid in grids or ({},) for task in asked(grid)])
    return tasks, {name: result(name, **changes) for name in tasks}


def asked(grid):
    study = campaign.study_of({"grids": [{"suite": "paper", **grid}]}, BUNDLED / "paper.toml")
    return campaign.tasks_of(study.grids[0])


def result(name, **changes):
    scores = tuple(Score(start, span, (1e-9, 3e-9), (2e-8, 4e-8)) for start in (0, 1) for span in ("id", "ext"))
    steps = (Step(1, (None, 1e-3), False, 1, 0, 0, 900, 300), Step(2, (1e-9, 1e-9), True, 2, 1, 0, 2100, 650))
    cost = Cost(cpu_s=1.25, wall_s=2.5, peak_mib=256.0, calls=4, tokens_in=2100, tokens_out=650)
    found = Result(name, ("-x0", "x1"), ("settled",) * 2, scores, nmse_test=True, iterations=2, found_at=2)
    return replace(found, steps=steps, cost=cost, **changes)


def test_the_papers_figures_stand_beside_ours():
    page = campaign.page("Title", *page_of())
    assert "| NMSE test | built-in agents | yes | yes | yes | yes | yes | yes | yes | yes | 8 of 8 |" in page
    assert "| term test | built-in agents | - | - | - | - | - | - | - | - | 0 of 8 |" in page
    assert "| NMSE test | DoLQ (paper) | yes | yes | yes | yes | yes | yes | - | yes | 7 of 8 |" in page
    assert "| 3 | integral, ID-Ext | 3.00e-08 | 1.15e-07 | 9.38e-03 | 4.85e+01 | 2.57e-04 | - |" in page


@pytest.mark.parametrize(
    ("grid", "lines"),
    [
        (
            {"systems": ["2"], "sigma": [0.01, 0.1], "seeds": [0, 1, 2]},
            [
                "| built-in agents | 2.00e-09 | 2.00e-09 | 0 of 3 |",
                "| DoLQ (paper) | 6.14e-01 | 7.67e-01 |  | 3.26e+01 |",
            ],
        ),
        (
            {"noise": [0.01], "runs": [1, 2]},
            ["| paper | built-in agents | 1.0% | 2 | 0 of 8 | 0 of 8 | 8 of 8 | 1.25 |"],
        ),
        (
            {"words": ["given", "fully wrong", "of the next"]},
            [
                "| paper | built-in agents | of the next | 0 of 8 | 0 of 8 | 8 of 8 | 0 |",
                "| DoLQ (paper) | fully wrong | 3.15e-02 |",
            ],
        ),
        (
            {"naming": ["own", "anonymous"], "words": ["given", "none"]},
            ["| paper | built-in agents | anonymised, no description | 0 of 8 | 0 of 8 | 8 of 8 | 2 |"],
        ),
        (
            {"variants": ["default", "without Scientist"]},
            ["| paper | 2 | 0 | 2 | 2 | - | 2 | 2 | - |", "at iteration 27"],
        ),
        (
            {},
            ["| 2 | built-in agents | 2.1 | 0.65 | 2.1 | 0.65 |", "| 2 | DoLQ (paper) | 69.6 | 40.0 | 289.0 | 156.0 |"],
        ),
        ({}, ["| 2 | built-in agents | 1.25 | 2.5 | 0.250 |", "| 2 | DoLQ (paper) | 12.2 | 568 | 0.234 |"]),
        ({}, ["| 2 | - | - | yes | 2 | 2 | 1.25 | 4.00e-08 | 4.00e-08 | 4.00e-08 |"]),
    ],
    ids=["sigma", "noise", "descriptions", "names", "scientist", "tokens", "runtime", "systems"],
)
def test_every_experiment_has_its_table(grid, lines):
    page = campaign.page("Title", *page_of(grid))
    for line in lines:
        assert line in page


def test_optimizers_are_counted_where_all_three_were_asked():
    page = campaign.page(
        "Title", *page_of({"variants": ["best of three"]}, adopted={"best of three: bfgs": 3, "best of three: de": 1})
    )
    assert "| paper, 1 | 4 | 3 (75%) | 1 (25%) | 1 |" in page


def test_measured_data_are_not_scored_against_a_truth():
    tasks = campaign.unique(
        campaign.tasks_of(campaign.TaskGrid("real", campaign.read_suite("real"), systems=("yeast",)))
    )
    (name,) = tasks
    page = campaign.page("Title", tasks, {name: Result(name, ("0.5*yeast",), ("settled",), simulated=(0.01,))})
    assert "| yeast | built-in agents | given | yeast | settled | `0.5*yeast` | 1.00e-02 |" in page
    assert "NMSE test" not in page


def test_a_run_without_a_result_is_named():
    tasks, results = page_of()
    first = next(iter(tasks))
    results[first] = Result(first, failure="Its worker died 3 times.")
    page = campaign.page("Title", tasks, results)
    assert "7 of 8 runs have a result." in page
    assert "- 1, builtin: Its worker died 3 times." in page


def test_fewer_samples_have_a_table_of_their_own_and_stay_out_of_the_others():
    page = campaign.page("Title", *page_of({"systems": ["1", "2"]}, {"systems": ["1", "2"], "points": 100}))
    assert "| paper | built-in agents | 1000 | 0 of 2 | 0 of 2 | 2 of 2 | 1.25 |" in page
    assert "| paper | built-in agents | 100 | 0 of 2 | 0 of 2 | 2 of 2 | 1.25 |" in page
    assert "| NMSE test | built-in agents | yes | yes |" in page
    alone = campaign.page("Title", *page_of({"systems": ["1", "2"], "points": 100}))
    assert "| NMSE test | built-in agents | yes | yes |" in alone
    assert "Fewer samples" not in alone


def test_an_equation_that_nobody_reads_is_told_by_its_length():
    tasks, results = page_of({"systems": ["1"]})
    (name,) = tasks
    long = " + ".join(f"{k}*sin({k} + x0)" for k in range(1, 23))
    page = campaign.page("Title", tasks, {name: replace(results[name], law=("2*exp(-(1 + x0))", long))})
    assert "- 1: `2*exp(-(1 + x0))`; 22 terms\n" in page
