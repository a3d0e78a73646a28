"""What other programs go on with: a model of PySINDy, and a start for PySR."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp

from dolq_core.views import system
from dolq_core.views.files import export
from tests.export.laws import LAWS


def loaded(run, target):
    space = {"__name__": "exported"}
    exec(compile(export(run, target).content, "exported.py", "exec"), space)  # noqa: S102  what is tested is code
    return space


@pytest.fixture(params=LAWS)
def run(request):
    return LAWS[request.param]()


def points(run, rng):
    law = system.law(run)
    return rng.uniform(0.3, 2.0, (5, len(law.fits))), rng.uniform(0.3, 2.0, (5, len(law.dataset.inputs)))


class Model:
    """As much of a `pysindy.SINDy` as a script uses."""

    def __init__(self, feature_library, optimizer):
        self.functions, self.names = feature_library
        self.optimizer = optimizer

    def fit(self, x, t, x_dot, feature_names, u=None):
        self.seen, self.feature_names = (x, u), feature_names


def test_the_model_of_pysindy_has_the_rates_of_the_law(run, monkeypatch):
    fake = SimpleNamespace(
        CustomLibrary=lambda functions, names, interaction_only: (functions, [name() for name in names]),
        SINDy=Model,
        STLSQ=lambda threshold: SimpleNamespace(coef_=None),
    )
    monkeypatch.setitem(sys.modules, "pysindy", fake)
    space, python = loaded(run, "pysindy"), loaded(run, "python")["rates"]
    model, rng = space["model"], np.random.default_rng(0)
    assert model.feature_names[: len(space["STATES"])] == space["STATES"]
    assert model.names == space["TERMS"]
    timed = "t" in model.feature_names
    for states, inputs in zip(*points(run, rng), strict=True):
        columns = [*states, *inputs, *([0.7] if timed else [])]
        assert len(columns) == len(model.feature_names)
        values = np.array([function(*columns) for function in model.functions])
        assert model.optimizer.coef_ @ values == pytest.approx(python(0.7, states, inputs), rel=1e-12)


def test_pysindy_itself_takes_the_model(run):
    space, python = loaded(run, "pysindy"), loaded(run, "python")["rates"]
    states, inputs = points(run, np.random.default_rng(1))
    driven = np.hstack((inputs, np.full((5, 1), 0.7))) if "t" in space["model"].feature_names else inputs
    found = space["model"].predict(states, u=driven if driven.shape[1] else None)
    assert found == pytest.approx(np.array([python(0.7, *pair) for pair in zip(states, inputs, strict=True)]), rel=1e-9)


def test_a_search_of_pysr_begins_with_the_rates_of_the_law(run, monkeypatch):
    space, python = loaded(run, "pysr"), loaded(run, "python")["rates"]
    x = sp.symbols(f"x:{len(space['COLUMNS'])}")
    read = [sp.sympify(text.replace("^", "**"), {"abs": sp.Abs}) for (text,) in space["GUESSES"]]
    for states, inputs in zip(*points(run, np.random.default_rng(2)), strict=True):
        at = dict(zip(x, (*states, *inputs, 0.7), strict=False))
        assert [float(one.subs(at)) for one in read] == pytest.approx(python(0.7, states, inputs), rel=1e-12)
    used = {type(node).__name__.lower() for one in read for node in one.atoms(sp.Function)}
    assert used <= {*space["UNARY"]}
    asked = {}
    monkeypatch.setitem(sys.modules, "pysr", SimpleNamespace(PySRRegressor=lambda **said: asked.update(said)))
    space["regressor"](niterations=3)
    assert asked["niterations"] == 3
    assert asked["guesses"] == (space["GUESSES"] if len(read) > 1 else space["GUESSES"][0])
