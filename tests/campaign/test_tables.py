"""Pages say what the results say, with the paper's figures beside them."""

from dataclasses import replace

from dolq_core import campaign
from dolq_core.campaign.records import Result, Score


def page_of(**changes):
    tasks = campaign.unique(campaign.tasks_of(campaign.Grid("paper", campaign.read_suite("paper"))))
    scores = tuple(Score(start, span, (1e-9, 3e-9), (2e-8, 4e-8)) for start in (0, 1) for span in ("id", "ext"))
    good = Result("", ("-x0", "x1"), ("settled",) * 2, scores, nmse_test=True, iterations=2, found_at=1)
    return tasks, {name: replace(good, task=name, **changes) for name in tasks}


def test_the_papers_figures_stand_beside_ours():
    page = campaign.page("Title", *page_of())
    assert "| NMSE test | built-in agents | yes | yes | yes | yes | yes | yes | yes | yes | 8 of 8 |" in page
    assert "| term test | built-in agents | - | - | - | - | - | - | - | - | 0 of 8 |" in page
    assert "| NMSE test | DoLQ (paper) | yes | yes | yes | yes | yes | yes | - | yes | 7 of 8 |" in page
    assert "| 3 | integral, ID-Ext | 3.0e-08 | 1.2e-07 | 9.4e-03 | 4.8e+01 | 2.6e-04 | - |" in page


def test_a_run_without_a_result_is_named():
    tasks, results = page_of()
    first = next(iter(tasks))
    results[first] = Result(first, failure="Its worker died 3 times.")
    page = campaign.page("Title", tasks, results)
    assert "7 of 8 runs have a result." in page
    assert "- 1, builtin: Its worker died 3 times." in page
