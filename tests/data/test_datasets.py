"""Every set that comes with the program: it loads, and it says what it is."""

import re

import numpy as np
import pytest

from dolq_core.bundled import bundled, load_bundled
from dolq_core.errors import DataError
from tests.every import every

SETS = {one.id: one for one in bundled()}
FORMULA = re.compile(
    r"[=^*]|\d\s*/|\bx\d|\b(sin|cos|tan|exp|log)\b|\b(sine|cosine|sigmoid|logistic|exponential\w*|logarithm\w*|quadratic|"
    r"square[sd]?|cubic|polynomial|hill function|lotka|volterra|newton|van der pol|equation)\b",
    re.IGNORECASE,
)


def test_measured_sets_come_first_and_the_easiest_of_all():
    ids = list(SETS)
    assert ids[:3] == ["yeast", "lynx-hare", "coffee"]
    assert ids[7:] == [*(f"system-{n}" for n in range(1, 9)), "noise", "random-walk"]
    assert [one.kind for one in SETS.values()] == ["real"] * 7 + ["generated"] * 8 + ["nothing"] * 2


@pytest.mark.parametrize("set_id", SETS)
def test_every_set_says_what_it_is(set_id):
    one = SETS[set_id]
    assert every([one.title, one.hook, one.why, one.lookout, one.source, one.caveat, one.law])
    assert len(one.hook) <= 60
    assert 3 <= len(re.findall(r"[.?](?:\s|$)", one.story)) <= 5
    assert one.difficulty in ("easy", "medium", "hard")


@pytest.mark.parametrize("set_id", SETS)
def test_every_set_loads_with_units_and_meanings(set_id):
    one, problem = SETS[set_id], load_bundled(set_id)
    data = problem.dataset
    assert (problem.description, data.name) == (one.description, one.title)
    assert data.source.startswith(one.source)
    assert every(state.meaning for state in (data.time, *data.states))
    assert one.kind != "real" or all(state.unit for state in (data.time, *data.states))
    for run in data.trajectories:
        assert len(run.t) >= 5
        assert (np.diff(run.t) > 0).all()
        assert np.isfinite(run.x).any(axis=1).all()


@pytest.mark.parametrize("set_id", SETS)
def test_no_description_gives_the_formula_away(set_id):
    assert not FORMULA.search(SETS[set_id].description)


def test_runs_and_gaps_of_the_measured_sets_are_as_published():
    shapes = {
        set_id: [
            (run.label, *run.x.shape, int(np.isnan(run.x).sum())) for run in load_bundled(set_id).dataset.trajectories
        ]
        for set_id in SETS
        if SETS[set_id].kind == "real"
    }
    assert shapes == {
        "yeast": [("", 19, 1, 0)],
        "lynx-hare": [("", 21, 2, 0)],
        "coffee": [("black", 24, 1, 0), ("cream", 24, 1, 0)],
        "flu": [("", 14, 2, 0)],
        "alpha-pinene": [("", 9, 5, 0)],
        "gause-competition": [("Pc", 23, 2, 0), ("Pa", 16, 2, 0), ("Mixture", 23, 2, 7)],
        "didinium": [("", 17, 2, 0)],
    }


def test_the_caveat_on_pyronene_is_true():
    (run,) = load_bundled("alpha-pinene").dataset.trajectories
    np.testing.assert_allclose(run.x[:, 3], 0.03 * (100 - run.x[:, 0]), atol=0.06)
    np.testing.assert_allclose(run.x.sum(axis=1), 100, atol=0.41)


def test_an_unknown_set_is_refused_with_the_nearest_one():
    with pytest.raises(DataError, match=r"'yeasts'.*Did you mean 'yeast'\?.*lynx-hare"):
        load_bundled("yeasts")
    with pytest.raises(DataError):
        load_bundled("../datasets/yeast")
