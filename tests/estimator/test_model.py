"""The estimator finds a law in arrays and says what it found."""

import copy
import pickle

import numpy as np
import pytest

from dolq_core import DoLQ, runs
from dolq_core.errors import DataError, StoreError
from tests.estimator.models import NAMES, T, hares, hunt, path

LAW = ["d hare / d t = 1 hare - 0.5 hare*lynx", "d lynx / d t = 0.3 hare*lynx - 0.8 lynx"]


def test_arrays_become_equations_with_errors_and_a_status():
    model = hares()
    assert model.equations() == LAW
    assert model.status == {"hare": "settled", "lynx": "settled"}
    assert "error" in model.reasons["hare"]
    found = model.coefficients.set_index(["equation", "term"])
    assert found.loc[("hare", "hare*lynx"), "coefficient"] == pytest.approx(-0.5, rel=1e-5)
    assert 0.0 < found.loc[("hare", "hare*lynx"), "standard_error"] < 1e-4
    assert set(model.terms["action"]) == {"keep"}
    assert model.run_.state.problem.dataset.states[1].unit == "thousand"
    assert (list(model.feature_names_in_), model.n_features_in_, model.n_iter_) == (NAMES, 2, 1)


def test_predictions_are_the_rates_of_the_law_and_paths_follow_it():
    model, x = hares(), path()
    rates = np.array([hunt(0.0, row) for row in x])
    assert model.predict(x) == pytest.approx(rates, rel=1e-4, abs=1e-5)
    assert [part == pytest.approx(rates[:3], rel=1e-4, abs=1e-5) for part in model.predict([x[:3], x[:3]])] == [1, 1]
    start = (1.5, 2.5)
    assert model.simulate(start, T) == pytest.approx(path(start), rel=1e-4)


def test_the_score_is_r_squared_of_simulated_paths_on_any_data():
    model, other = hares(), path((1.5, 2.5))
    assert model.score(other, T) > 0.999999
    swapped = other[:, ::-1]
    assert model.score(swapped, T) < 0.5
    mean = [float(np.mean((model.simulate(row[0], T) - row) ** 2 / row.var(axis=0))) for row in (swapped,)]
    assert model.score(swapped, T) == pytest.approx(1.0 - mean[0], rel=1e-3)


def test_several_runs_their_own_times_and_a_step_between_samples():
    parts, times = [path(), path((1.0, 2.0), t=T[:60])], [T, T[:60]]
    model = DoLQ(max_iterations=1).fit(parts, times, steps=0)
    assert [len(run.t) for run in model.run_.state.problem.dataset.trajectories] == [400, 60]
    evenly = DoLQ().fit(path()[:, 0], 0.5, steps=0).run_.state.problem.dataset
    assert (evenly.states[0].name, evenly.trajectories[0].t[2]) == ("x0", 1.0)


def test_inputs_weights_and_derivatives_have_their_roles():
    u = np.sin(T)
    rates = np.column_stack([u - 0.5 * path()[:, 0]])
    model = DoLQ().fit(path()[:, :1], T, u=u, weights=np.ones(400), x_dot=rates, input_names=["light"], steps=0)
    dataset = model.run_.state.problem.dataset
    assert [one.name for one in dataset.inputs] == ["light"]
    assert dataset.trajectories[0].derivatives == pytest.approx(rates)
    assert dataset.trajectories[0].weights == pytest.approx(np.ones((400, 1)))
    model.step()
    assert model.equations() == ["d x0 / d t = 1 light - 0.5 x0"]
    assert model.predict([[2.0]], u=[3.0]) == pytest.approx(np.array([[2.0]]))
    with pytest.raises(DataError, match=r"inputs \(light\)"):
        model.predict([[2.0]])
    driven = model.simulate([1.0], [0.0, 1.0, 2.0], u=[1.0, 1.0, 1.0])[:, 0]
    assert driven == pytest.approx(2.0 - np.exp(-0.5 * np.arange(3.0)))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"t": None}, "Give an array of times"),
        ({"t": T[:5]}, "5 rows for 400 samples"),
        ({"t": T[::-1]}, "time must increase"),
        ({"t": T, "feature_names": ["a"]}, "1 names for 2 columns"),
        ({"t": T, "feature_names": ["a", "t"]}, "one stands for two columns"),
        ({"t": T, "weights": np.ones((400, 3))}, "3 columns for 2 states"),
        ({"t": T, "units": ["m"]}, "1 for 2 columns"),
        ({"t": T, "run": "trial"}, "Give a list of arrays"),
    ],
)
def test_data_of_no_use_are_refused_with_a_way_out(given, said):
    with pytest.raises(DataError, match=said):
        DoLQ().fit(path(), **given)


def test_where_nothing_is_claimed_it_says_so_and_warns():
    noise = np.random.default_rng(0).normal(size=(60, 1))
    model = DoLQ(max_iterations=1).fit(noise, 0.1)
    assert model.equations() == ["d x0 / d t: no law found"]
    assert model.status == {"x0": "none"}
    with pytest.warns(UserWarning, match="No law is claimed for x0"):
        model.predict(noise)


def test_before_a_fit_it_asks_for_one():
    with pytest.raises(StoreError, match="Call fit"):
        DoLQ().equations()
    assert DoLQ()._repr_html_() is None


def test_a_copy_goes_its_own_way():
    for same in (pickle.loads(pickle.dumps(hares())), copy.deepcopy(hares())):
        assert same.equations() == LAW
        assert same.veto("lynx", "lynx").run_.state.bans
        assert not hares().run_.state.bans


def test_a_run_in_a_database_is_opened_again_and_goes_on(database):
    model = DoLQ(max_iterations=2, database=database, name="hunt").fit(path(), T, feature_names=NAMES)
    again = DoLQ.open(model.run_.id, database)
    assert (again.equations(), again.name, again.n_iter_) == (LAW, "hunt", 1)
    assert again.step().run_.entries == runs.load(runs.open_store(database), model.run_.id).entries
    assert pickle.loads(pickle.dumps(again)).step().n_iter_ == 3


def test_a_notebook_shows_equations_without_markup_from_names():
    model = DoLQ().fit(path(), T, feature_names=["<b>$x$</b>", "y"])
    shown = model._repr_html_()
    assert "&lt;b&gt;$x$&lt;/b&gt;" in shown
    assert "<b>$x$" not in shown
    assert "mathjax_ignore" in shown
    assert model._repr_latex_().startswith("$$\\begin{aligned}")
    assert model.export("python").startswith(b"# A system")
