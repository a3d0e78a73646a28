"""A data frame has names, units in brackets, a time and runs; a file has them too."""

import numpy as np
import pandas as pd
import pytest

from dolq_core import DoLQ
from dolq_core.bundled import load_bundled
from dolq_core.errors import DataError
from dolq_core.estimator.parameters import ParameterError
from tests.estimator.models import T, hares, path


@pytest.fixture
def frame():
    return pd.DataFrame({"year": T, "hare": path()[:, 0], "lynx (thousand)": path()[:, 1]})


def dataset(*data, **said):
    return DoLQ().fit(*data, steps=0, **said).run_.state.problem.dataset


def test_roles_are_read_off_the_columns(frame):
    found = dataset(frame)
    assert (found.time.name, found.time.unit) == ("year", "year")
    assert [(one.name, one.unit) for one in found.states] == [("hare", ""), ("lynx (thousand)", "thousand")]


def test_an_index_with_a_name_or_of_dates_may_be_the_time(frame):
    assert dataset(frame.set_index("year")).time.name == "year"
    days = frame[["hare"]].set_index(pd.date_range("2020-01-01", periods=len(frame), freq="D"))
    assert dataset(days).trajectories[0].t[2] == 2.0


def test_runs_are_a_column_or_a_list_of_frames(frame):
    two = [frame.iloc[:60], frame.iloc[60:]]
    named = pd.concat([part.assign(trial=name) for name, part in zip("ab", two, strict=True)])
    assert [run.label for run in dataset(named, run="trial").trajectories] == ["a", "b"]
    assert [len(run.t) for run in dataset(two, "year").trajectories] == [60, 340]


def test_columns_are_named_in_the_place_of_arrays(frame):
    found = dataset(frame.assign(heat=np.sin(T)), "year", feature_names=["hare"], u="heat", units={"hare": "thousand"})
    assert [one.name for one in (*found.states, *found.inputs)] == ["hare", "heat"]
    assert found.states[0].unit == "thousand"
    with pytest.raises(DataError, match="Give the name of one"):
        dataset(frame, T)


def test_predictions_and_scores_take_the_frame_they_were_fitted_to(frame):
    frame = frame.rename(columns={"lynx (thousand)": "lynx", "year": "t"})
    assert hares().predict(frame) == pytest.approx(hares().predict(path()))
    assert hares().score(frame) == pytest.approx(hares().score(path(), T))


def test_a_file_and_a_problem_are_data_too(frame, tmp_path):
    frame.to_csv(tmp_path / "hunt.csv", index=False)
    assert dataset(tmp_path / "hunt.csv").name == "hunt"
    yeast = load_bundled("yeast")
    assert DoLQ().fit(yeast).score(yeast) > 0.999


def test_a_column_that_the_law_needs_and_a_frame_does_not_have_is_named(frame):
    frame = frame.rename(columns={"lynx (thousand)": "lynx", "year": "t"})
    with pytest.raises(DataError, match=r"Column 'hare': there is no such column\. The law needs it; the columns are"):
        hares().predict(frame[["lynx"]])


def test_rules_may_be_given_as_the_path_of_a_file_in_text(frame, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text("degree = 1", "utf-8")
    for allow in (rules, str(rules), "degree = 1"):
        begun = DoLQ().fit(frame, "year", run=None, allow=allow, steps=0)
        assert begun.run_.state.problem.blocks.degree == 1
    with pytest.raises(ParameterError, match="there is no such file"):
        DoLQ().fit(frame, "year", allow=str(tmp_path / "none.toml"), steps=0)
