"""Studies are files that people write."""

import json
from dataclasses import replace

import pytest

from dolq_core.errors import DataError
from lab import campaign
from lab.benchmarks import paper
from lab.benchmarks.report import RUNS
from lab.campaign.records import CampaignError, Variant
from lab.campaign.tasks import task_id
from tests.every import every

GOOD = """
title = "Noise"

[[grids]]
suite = "paper"
systems = ["2"]
noise = [0.0, 0.01]
words = ["given", "none"]
points = 200
iterations = 2
variants = ["default", { name = "long", scientist = false, settings = { patience = 9, target = "weak" } }]
"""


def written(tmp_path, text):
    path = tmp_path / "noise.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_later_knob_at_its_default_leaves_the_ids_of_stored_campaigns_as_they_are():
    stored = [json.loads(line)["id"] for line in (RUNS / "tasks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert set(stored) >= set(paper.tasks())
    task = next(iter(paper.tasks().values()))
    other = replace(task, variant=Variant(task.variant.name, replace(task.variant.settings, inputs="previous")))
    assert task_id(task) in stored
    assert task_id(other) not in stored


def test_a_grid_makes_a_task_for_each_combination(tmp_path):
    study = campaign.read_study(written(tmp_path, GOOD))
    tasks = campaign.tasks_of(study.grids[0])
    assert (study.title, len(tasks), len(campaign.unique(tasks))) == ("Noise", 8, 8)
    assert {task.case.points for task in tasks} == {200}
    assert {task.variant.settings.iterations for task in tasks} == {2}
    long = [task.variant for task in tasks if task.variant.name == "long"]
    assert {(one.settings.patience, one.settings.target, one.scientist) for one in long} == {(9, "weak", False)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("noise =", "nose =", "grids, 1, nose: this key is not known"),
        ('"none"]', '"made up"]', "grids, 1, words"),
        ('"default"', '"best"', "variant 'best'"),
        ("patience", "patients", "there is no setting 'patients'"),
        ('"weak"', '"strong"', "variant 'long'"),
        ("[[grids]]", "[[grids", "it is not TOML"),
        ('systems = ["2"]', 'agents = ["models"]', "it asks for a language model, and none is named"),
    ],
)
def test_what_is_wrong_with_a_study_is_said(tmp_path, old, new, said):
    with pytest.raises(CampaignError) as error:
        campaign.read_study(written(tmp_path, GOOD.replace(old, new)))
    assert said in str(error.value)


def test_a_suite_that_is_not_there_is_told(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        campaign.read_study(written(tmp_path, GOOD.replace('"paper"', '"papers"')))


@pytest.mark.parametrize("name", campaign.bundled_studies())
def test_every_bundled_study_can_be_run(name):
    assert every(campaign.tasks_of(grid) for grid in campaign.read_study(name).grids)
