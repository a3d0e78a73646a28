"""The page of benchmarks: stored results, and what a small campaign would be."""

from dolq_core.store import codec
from lab import small
from lab.campaign import Ledger, do, tasks_of, unique
from lab.campaign.studies import study_of
from tests.app.scenes import app, shown


def store_one(name: str) -> None:
    """Store a campaign of one run, done in this process."""
    said = {"grids": [{"suite": "textbook", "systems": ["immigration-death"]}]}
    (grid,) = study_of(said, small.folder() / "none").grids
    tasks = unique(tasks_of(grid))
    with Ledger(small.folder() / name).writing() as writer:
        writer.enter(tasks)
        for task in tasks.values():
            writer.add(codec.to_json(do(task)))


def test_results_of_this_machine_come_first_and_have_tables():
    store_one("2026-01-01 textbook")
    at = app("benchmarks")
    assert at.selectbox(key="results").value == "2026-01-01 textbook"
    assert "1 of 1 runs have a result." in shown(at)
    assert any("immigration-death" in str(table.value.to_numpy()) for table in at.table)


def test_the_results_of_this_version_can_be_read():
    at = app("benchmarks")
    at.selectbox(key="results").set_value("policies.md").run()
    assert "Measured by `python -m lab policies`" in shown(at)
    assert at.table
    at.selectbox(key="results").set_value("machines.md").run()
    assert any("2e−05" in table.value.to_numpy() for table in at.table)  # a minus: no break


def test_too_many_runs_are_left_to_the_command_line():
    at = app("benchmarks")
    assert "8 runs. You can leave this page" in shown(at)
    at.number_input(key="campaign.seeds").set_value(20)
    at.multiselect(key="campaign.noise").set_value([0.0, 0.01]).run()
    assert "320 runs; this page takes 200 at most" in shown(at)
    assert next(button for button in at.button if button.label == "Start").disabled


def test_the_suites_are_offered_but_for_those_that_were_put_aside():
    offered = app("benchmarks").selectbox(key="campaign.suite").options
    assert offered == [
        "The paper's eight systems", "Textbook systems", "Systems of many fields", "Systems of more fields",
        "Systems as people bring them", "Systems of the sciences and trades", "Systems described as people type",
        "Systems of further disciplines", "Systems from notebooks", "Systems from practice",
        "Systems from the bench", "Systems from college", "Systems from a seminar", "Models from a bookshelf",
        "Systems as a judge picks them",
        "Systems as an exacting judge picks them",
        "Systems of a panel of referees",
        "Systems of a referee",
        "Further systems",
        "The paper's systems with changed laws", "Measured data",
    ]  # fmt: skip
