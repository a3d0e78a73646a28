"""The knobs of a run: the paper's configuration, old logs that know fewer of them, and the page that names each."""

import json
import re
from dataclasses import asdict, fields
from pathlib import Path

import numpy as np
import pytest

from dolq_core.errors import THIN, DataError
from dolq_core.records import Settings
from dolq_core.store.codec import from_json, to_json
from lab.optimizers import hybrid

PAPER = {
    "iterations": 100,
    "hypotheses": 3,
    "max_terms": 10,
    "max_params": 8,
    "max_good": 3,
    "max_holds": 2,
    "strikes": "paper",
    "ablation": "paper",
    "ablation_threshold": 0.05,
    "best_by": "mse",
    "forget_probability": 0.01,
    "target": "gradient",
    "inputs": "auto",
    "noise": "even",
    "optimizer": "best of three",
    "held_out": 0.0,
    "held_out_runs": (),
    "time_limit_s": 240.0,
    "patience": 100,
    "sampler_temperature": 0.9,
    "scientist_temperature": 0.6,
    "max_tokens": 3000,
}


def test_the_papers_configuration_holds_every_value_of_its_table():
    assert asdict(Settings.paper()) == PAPER


def test_the_papers_optimizers_have_its_tolerances():
    found = (hybrid.BFGS_TOLERANCE, hybrid.DE_STRATEGY, hybrid.DE_POPULATION, hybrid.DE_TOLERANCE)
    assert found == (1e-9, "best1bin", 20, 1e-5)


@pytest.mark.parametrize("name", [knob.name for knob in fields(Settings)])
def test_settings_of_an_older_log_get_the_default_of_a_knob_they_lack(name):
    old = json.loads(to_json(Settings()))
    del old[name]
    assert from_json(Settings, json.dumps(old)) == Settings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("held_out", 2.0, "The setting held_out: 2.0 is no number from 0 to 0.9"),
        ("held_out", float("nan"), "The setting held_out: nan is no number from 0 to 0.9"),
        ("iterations", 0, f"The setting iterations: 0 is no whole number from 1 to 1{THIN}000{THIN}000"),
        ("iterations", 2.5, f"The setting iterations: 2.5 is no whole number from 1 to 1{THIN}000{THIN}000"),
        ("max_terms", True, f"The setting max_terms: True is no whole number from 1 to 1{THIN}000{THIN}000"),
        (
            "target",
            "weka",
            "The setting target: 'weka' is none of its values. Take one of auto, weak, integral, spline, ",
        ),
        ("held_out_runs", "run 3", "The setting held_out_runs: 'run 3' is one text. Put it in a tuple: ('run 3',)."),
    ],
)
def test_a_value_that_a_knob_does_not_have_is_refused_with_what_it_may_be(name, value, said):
    with pytest.raises(DataError) as refused:
        Settings(**{name: value})
    assert str(refused.value).startswith(said)


def test_whole_numbers_of_numpy_are_numbers():
    assert Settings(iterations=np.int64(4), held_out=np.float32(0.25)) == Settings(iterations=4, held_out=0.25)


PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| \S")


def test_every_setting_is_there_with_its_default_and_the_papers():
    rows = [found.groups() for line in PAGE.read_text(encoding="utf-8").splitlines() if (found := ROW.match(line))]
    ours, papers = Settings(), Settings.paper()
    assert rows == [(f.name, repr(getattr(ours, f.name)), repr(getattr(papers, f.name))) for f in fields(Settings)]
