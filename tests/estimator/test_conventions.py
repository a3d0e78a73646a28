"""What a user of scikit-learn, PySINDy or PySR expects of a model, on a law that is found in one iteration."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import solve_ivp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from dolq_core import DoLQ
from dolq_core.errors import DolqError
from tests.every import every

T = np.linspace(0.0, 4.0, 120)


def decay(x0=2.0, t=T):
    return x0 * np.exp(-0.7 * t)[:, None]


@pytest.fixture(scope="module")
def model():
    return DoLQ(max_iterations=1).fit(decay(), T)


def test_before_a_fit_it_says_so_as_scikit_learn_does():
    fresh = DoLQ()
    for ask in (lambda: fresh.coefficients, lambda: fresh.simulate([1.0], T), lambda: fresh.feature_names_in_):
        with pytest.raises(NotFittedError, match="Call fit"):
            ask()
    with pytest.raises(NotFittedError):
        check_is_fitted(fresh)


@pytest.mark.parametrize(
    "said", [{"max_iterations": -1}, {"max_iterations": "a"}, {"random_state": None}, {"agents": "both"},
             {"max_seconds": 0}, {"verbose": "loud"}],
)  # fmt: skip
def test_a_parameter_that_cannot_be_used_is_named(said):
    (name,) = said
    with pytest.raises(ValueError, match=f"parameter {name}=.* Give"):
        DoLQ(**said).fit(decay(), T)


def test_scikit_learn_copies_scores_and_searches(model):
    assert clone(DoLQ(max_iterations=3, random_state=4)).get_params()["random_state"] == 4
    assert get_tags(model).input_tags.allow_nan
    runs = [decay(x0) for x0 in (1.0, 2.0, 3.0, 4.0)]
    table = pd.concat({str(k): pd.DataFrame({"t": T, "x": x[:, 0]}) for k, x in enumerate(runs)})
    assert DoLQ(max_iterations=1).fit(table).run_.state.problem.dataset.trajectories[3].label == "3"
    scores = cross_val_score(DoLQ(max_iterations=1), decay(), T, cv=2, scoring=lambda found, X, y: found.score(X, y))
    assert scores == pytest.approx([1.0, 1.0], abs=1e-6)
    search = GridSearchCV(DoLQ(), {"max_iterations": [1, 2]}, cv=2).fit(decay(), T)
    assert search.best_score_ == pytest.approx(1.0, abs=1e-6)


def test_what_is_masked_was_not_measured_and_complex_numbers_are_refused():
    x = np.ma.masked_array(decay(), mask=False)
    x[5] = 1e9
    x.mask[5] = True
    found = DoLQ(max_iterations=1).fit(x, T)
    assert np.isnan(found.run_.state.problem.dataset.trajectories[0].x[5, 0])
    with pytest.raises(ValueError, match="Complex data not supported"):
        DoLQ().fit(decay() + 1j, T)


def test_moments_and_spans_of_time_have_their_unit():
    moments = np.datetime64("2024-05-01T00:00") + (T * 3600.0).astype("timedelta64[s]")
    for times in (moments, moments - moments[0]):
        data = DoLQ(max_iterations=1).fit(decay(), times).run_.state.problem.dataset
        assert data.time.unit == "h"
        assert data.trajectories[0].t[-1] == pytest.approx(4.0, rel=1e-3)


def test_it_tells_what_it_does_and_ends_when_it_is_told(capsys):
    seen = []
    DoLQ(verbose=1, max_iterations=5, callback=lambda model: seen.append(model.n_iter_) or True).fit(decay(), T)
    assert seen == [1]
    assert "Iteration 1: " in capsys.readouterr().out


def test_one_structure_in_all_its_forms(model):
    import sympy  # noqa: PLC0415

    assert list(model.terms["term"]) == list(model.coefficients["term"])
    (equation,) = model.sympy()
    x = next(iter(equation.rhs.free_symbols | {s for f in equation.rhs.atoms(sympy.Function) for s in f.free_symbols}))
    assert float(equation.rhs.atoms(sympy.Float).pop()) == pytest.approx(-0.7, abs=1e-5)
    assert str(x)
    assert "0.7" in model.latex()
    assert {"equation", "structure", "terms", "error"} <= set(model.front.columns)
    assert every(count >= 0 for count in model.front["terms"])
    assert "structure" in model.rivals.columns


def test_pysindy_takes_the_law_with_the_library_of_its_terms(model):
    points = np.array([[1.0], [2.0]])
    theirs = model.to_pysindy()
    assert theirs.predict(points) == pytest.approx(model.predict(points), rel=1e-9)
    assert theirs.simulate([2.0], T) == pytest.approx(decay(), abs=1e-4)


def test_several_starts_a_driving_function_and_a_solver_of_choice(model):
    paths = model.simulate([[1.0], [2.0]], T)
    assert paths.shape == (2, len(T), 1)
    assert paths[1] == pytest.approx(decay(), abs=1e-4)
    assert model.simulate([2.0], T, method="DOP853") == pytest.approx(decay(), abs=1e-4)
    with pytest.raises(ValueError, match="no such solver"):
        model.simulate([2.0], T, method="Euler")
    u = np.sin(3.0 * T)[:, None]
    driven = solve_ivp(lambda t, x: -0.5 * x + np.sin(3.0 * t), (0.0, 4.0), [1.0], t_eval=T, rtol=1e-10).y.T
    found = DoLQ(max_iterations=2).fit(driven, T, u=u)
    by_function = found.simulate([1.0], T, u=lambda t: np.sin(3.0 * t))
    assert by_function == pytest.approx(driven, abs=5e-3)


def test_a_path_that_fails_has_its_values_up_to_there_and_one_warning():
    t = np.linspace(0.0, 0.9, 200)
    blown = DoLQ(max_iterations=1).fit((1.0 / (1.0 - t))[:, None], t)
    with pytest.warns(UserWarning, match="blew up near t = 0.99") as told:
        path = blown.simulate([1.0], np.linspace(0.0, 2.0, 50))
    assert np.isfinite(path[:20]).all()
    assert np.isnan(path[-1]).all()
    assert [w.category for w in told] == [UserWarning]


def test_time_is_kept_within_an_iteration_too():
    t = np.linspace(0.0, 10.0, 400)
    rng = np.random.default_rng(0)
    x = np.column_stack([np.sin(t + k) + 0.1 * rng.standard_normal(400) for k in range(4)])
    with pytest.warns(UserWarning, match="the limit of 2 s was reached"):
        DoLQ(max_seconds=2.0).fit(x, t)


def test_errors_are_of_the_program():
    with pytest.raises(DolqError):
        DoLQ(max_iterations=0).fit(decay(), T)
