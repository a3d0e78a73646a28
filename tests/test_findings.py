"""The table of findings in the README says what the stored rows say."""

import json
from pathlib import Path

import pytest

from lab import campaign
from lab.benchmarks import once, report
from lab.campaign.published import published
from lab.campaign.tables.common import Run, clean, plain, sampled_in_full, usual

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def rows(name):
    return json.loads((report.RUNS / f"{name}.json").read_text(encoding="utf-8"))["rows"]


@pytest.fixture(scope="module")
def campaigns():
    ledger = campaign.Ledger(report.RUNS)
    results = ledger.results()
    return [Run(task, results[name]) for name, task in ledger.tasks().items()]


@pytest.fixture(scope="module")
def usual_runs(campaigns):
    """Runs of the built-in agents as they are by default, in the full number of samples."""
    return [run for run in sampled_in_full(campaigns) if usual(run.task) and run.task.agents == "builtin"]


def passed(runs, what):
    return sum(getattr(run.result, what) for run in runs)


def of_suite(runs, suite):
    return [run for run in runs if run.task.suite == suite and plain(run.task)]


def found(start):
    """Return the row of the table of findings that begins so."""
    (line,) = [line for line in README.splitlines() if line.startswith(f"| {start}")]
    return line


def test_known_systems_are_found_as_the_readme_says(usual_runs):
    paper, textbook = (of_suite(usual_runs, suite) for suite in ("paper", "textbook"))
    silent = [run for run in usual_runs if run.task.suite == "paper" and clean(run.task) and run.task.words == "none"]
    silent = [run for run in silent if run.task.naming == "own"]
    assert passed(paper, "exact") == passed(silent, "exact") == len(paper) == len(silent)
    assert f"all terms of {passed(paper, 'exact')} of {len(paper)}, with the" in found(
        "the paper's eight systems, clean"
    )
    said = found("twenty textbook systems")
    assert "tuned on since their first run, which gave all terms of 15 of 20 |" in said
    assert f"all terms of {passed(textbook, 'exact')} of {len(textbook)}; simulation" in said
    assert f"past the data in {passed(textbook, 'nmse_test')} |" in said


def test_noise_and_few_samples_do_what_the_readme_says(usual_runs, campaigns):
    noisy = [[run for run in usual_runs if (run.task.noise, run.task.runs) == (0.01, count)] for count in (1, 2)]
    assert f"all terms of {passed(noisy[0], 'exact')} and {passed(noisy[1], 'exact')} of 8 |" in found(
        "the eight systems with 1 %"
    )
    few = [[run for run in of_suite(campaigns, "paper") if run.task.case.points == points] for points in (200, 100)]
    assert f"all terms of {passed(few[0], 'exact')} and {passed(few[1], 'exact')} of 8 |" in found(
        "the eight systems in 200"
    )


def test_the_comparison_with_the_paper_and_pysindy_is_as_the_readme_says(usual_runs, campaigns):
    ours = of_suite(usual_runs, "paper")
    sindy = [run for run in of_suite(campaigns, "paper") if run.task.agents == "pysindy"]
    cited = {one.test: len(one.systems) for one in published().scores if one.method == "DoLQ"}
    assert (
        f"NMSE test {passed(ours, 'nmse_test')} of 8 (paper {cited['nmse']}), "
        f"term test {passed(ours, 'term_test')} of 8 (paper {cited['term']}), "
        f"PySINDy {passed(sindy, 'nmse_test')} and {passed(sindy, 'term_test')} |"
    ) in found("every experiment of the paper")


def test_the_other_benchmarks_found_what_the_readme_says():
    nothing = rows("nothing")
    silent = sum(not row["claimed"] for row in nothing)
    assert f"nothing is claimed in {silent} of {len(nothing)} |" in found("white noise")
    persuaded = rows("persuaded")
    silent = sum(not row["claimed"] for row in persuaded)
    assert f"nothing is claimed in {silent} of {len(persuaded)} |" in found("the same with words that speak")
    own, others = ([row for row in rows("accused") if row["words"] == said] for said in ("given", "of the next"))
    told, of_others = (sum(bool(row["told"]) for row in some) for some in (own, others))
    line = found("“Words and data disagree”")
    assert f"said of {told} of {len(own)} descriptions of the data, the only wrong one," in line
    assert f"and of {of_others} of {len(others)} of another system |" in line
    scale = [row for row in rows("scale") if row["by"] == "rows"]
    assert [row["size"] for row in scale] == [1_000, 10_000, 100_000, 1_000_000]
    assert [row["right"] for row in scale] == [4] * 4
    assert scale[-1]["discovery_cpu_s"] - scale[0]["discovery_cpu_s"] < 60.0, "the FAQ: seconds more"


def test_measured_sets_are_found_as_the_readme_says():
    stands = {
        row["set"]: {one["status"] for one in row["equations"]} for row in rows("real") if row["words"] == "given"
    }
    assert [name for name, said in stands.items() if said == {"settled"}] == ["yeast"]
    assert stands["lynx-hare"] == stands["coffee"] == {"provisional"}
    said = "yeast settled; lynx and hare, and coffee with its description, as in the textbook and provisional"
    assert said in found("seven measured sets")


def test_systems_run_once_did_what_the_readme_says():
    suites = [rows(page.name) for page in once.PAGES]
    runs = [row for suite in suites for row in suite]
    systems = sum(len({row["system"] for row in suite}) for suite in suites)
    clean_runs, noisy = ([row["right"] for row in runs if bool(row["noise"]) == dirty] for dirty in (False, True))
    settled = [row["right"] for row in runs if row["settled"]]
    line = found(f"{systems} systems in {len(suites)} suites that nobody")
    assert f"the true law in {sum(clean_runs)} of {len(clean_runs)} clean runs" in line
    assert f"in {sum(noisy)} of {len(noisy)} noisy ones; {len(settled)} laws called settled, {sum(settled)} of" in line


def test_laws_drawn_at_random_were_found_as_the_readme_says():
    runs = rows("drawn")
    clean_runs, noisy = ([row["right"] for row in runs if bool(row["noise"]) == dirty] for dirty in (False, True))
    settled = [row["right"] for row in runs if row["settled"]]
    line = found(f"{len(noisy)} laws drawn at random")
    assert f"the true law in {sum(clean_runs)} of {len(clean_runs)} clean runs" in line
    assert f"in {sum(noisy)} of {len(noisy)} noisy ones; {len(settled)} laws called settled, {sum(settled)} of" in line


def test_miosrs_study_is_as_the_readme_says():
    (row,) = [
        line for line in (report.RUNS.parent / "index.md").read_text(encoding="utf-8").splitlines() if "MIOSR" in line
    ]
    exact, count = row.split(" | ")[1].split(" of ")
    assert f"all {count} data sets | exact in {exact}," in found("Van der Pol, Rossler")


def test_the_third_draw_of_noise_gave_what_the_readme_says():
    runs = rows("redrawn")
    settled = [row["right"] for row in runs if row["settled"]]
    line = found("the same with a third draw of noise")
    assert f"{len(runs)} runs | the true law in {sum(row['right'] for row in runs)}; {len(settled)} laws" in line
    assert ("all of them" if all(settled) else f"settled, {sum(settled)} of them") in line


def test_what_the_search_lost_is_as_the_readme_says():
    wrong = [row for row in rows("lost") if "verdict" in row]
    runs = sum(row["runs"] for row in rows("lost") if "runs" in row)
    of = {verdict: [row for row in wrong if row["verdict"] == verdict] for verdict in ("search", "tie")}
    tuned = sum(row["page"] in ("settled", "redrawn") for row in of["search"])
    line = found("every wrong law of the pages above")
    assert f"({len(wrong)} of {runs} runs)" in line
    assert f"in {len(of['search'])} ({tuned} on the systems tuned on)" in line
    assert f"within 6 nats in {len(of['tie'])}:" in line
