"""A state that nobody measured: nothing is made up with time in it, and what is known of it makes a law of it."""

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.integrate import solve_ivp

from dolq_core import DoLQ, runs
from dolq_core.cli import main
from dolq_core.errors import DataError
from dolq_core.fitting import Workbench
from dolq_core.fitting.hidden import is_crossing
from dolq_core.records import Dataset, FittedTerm, Given, Problem, Trajectory, Variable
from tests.test_fitness import checks

T = np.linspace(0.0, 60.0, 200)
ACTS = "infected: infected*healthy"


def sick(noise=0.02):
    """The sick of an epidemic; who can fall ill was not counted."""
    path = solve_ivp(
        lambda _, x: [-5e-4 * x[0] * x[1], 5e-4 * x[0] * x[1] - 0.12 * x[1]], (0.0, 60.0), [990.0, 10.0], t_eval=T,
        rtol=1e-9,
    )  # fmt: skip
    x = path.y[1:].T
    return x + noise * np.std(x) * np.random.default_rng(1).standard_normal(x.shape)


def problem(x, names=("infected",)):
    states = tuple(Variable(name, name) for name in names)
    return Problem(Dataset("epidemic", Variable("day", "t"), states, (Trajectory(T, x),)))


def test_the_sick_alone_have_no_law_and_what_helps_is_said():
    model = DoLQ(max_iterations=2).fit(sick(), T, feature_names=["infected"])
    with pytest.warns(UserWarning, match="No law is claimed for infected"):
        model.predict([[1.0]])
    assert model.status == {"infected": "none"}
    assert model.equations() == ["d infected / d t: no law found"]
    for offered in ("second-order law of infected", "hidden state", "--hidden", "in the description"):
        assert offered in model.reasons["infected"]


def test_the_state_that_was_not_counted_is_found_from_what_it_does(tmp_path):
    table = tmp_path / "sick.csv"
    np.savetxt(table, np.column_stack((T, sick())), delimiter=",", header="day,infected", comments="")
    told = ["discover", str(table), "-q", "--db", str(tmp_path / "runs.db")]
    done = CliRunner().invoke(main, [*told, "--hidden", ACTS])
    assert done.exit_code == 0, done.output
    (run,) = runs.list_runs(runs.open_store(tmp_path / "runs.db"))
    found = runs.load(runs.open_store(tmp_path / "runs.db"), run.id)
    sicken, deplete = (best.refined or best.fit for best in found.state.best)
    assert {t.skeleton: t.coefficient for t in sicken.terms} == {"healthy*infected": 1.0}
    assert {t.skeleton: t.coefficient for t in deplete.terms} == {
        "healthy*infected": pytest.approx(-5e-4, rel=0.03),
        "infected": pytest.approx(-6e-5, rel=0.03),  # "healthy" is the net growth of the sick: contagion less recovery
    }
    assert done.output.count("settled:") == 2


def test_a_predator_that_nobody_counted_is_found_from_its_noisy_prey():
    t, x = hunt()
    prey = x[t <= 20.0, :1]
    prey = prey + 0.02 * prey.std() * np.random.default_rng(1).standard_normal(prey.shape)
    allow = 'hidden = ["prey: prey*growth"]'  # its net growth, 0.8 less 0.4 times the predators
    model = DoLQ(max_iterations=1).fit(prey, t[t <= 20.0], feature_names=["prey"], allow=allow)
    assert model.status == {"prey": "settled", "growth": "settled"}
    found = model.coefficients.set_index(["equation", "term"])["coefficient"]
    assert found["prey"].to_dict() == {"growth*prey": 1.0}
    true = {"1": 0.48, "growth": -0.6, "growth*prey": 0.3, "prey": -0.24}
    assert found["growth"].to_dict() == {term: pytest.approx(value, rel=0.03) for term, value in true.items()}


def test_no_fit_is_compared_with_the_values_of_a_hidden_state():
    told = runs.with_blocks(problem(sick()), f'hidden = ["{ACTS}"]')
    law = (
        (FittedTerm("healthy*infected", 1.0),),
        (FittedTerm("healthy*infected", -4e-4), FittedTerm("infected", -5e-5)),
    )
    judged = Workbench.of(told.dataset, blocks=told.blocks).likelihoods[0].judged(law)
    left = sick()[: len(judged.x), 0] - judged.x[:, 0]
    assert judged.misfit[1] == 0.0
    assert np.std(left) == pytest.approx(0.02 * np.std(sick(0.0)), rel=0.1)
    assert judged.system[1][0].coefficient == pytest.approx(-5e-4, rel=0.03)


@pytest.mark.parametrize(
    ("text", "terms"),
    [('hidden = ["x: x*z"]', ("x*z",)), ('hidden = ["x: y*z"]', ("y*z", "x")), ('hidden = ["x: z"]', ("z",)),
     ('hidden = ["x: y*z"]\n[equations.x]\nterms = ["x*y"]', ("y*z", "x*y"))],
)  # fmt: skip
def test_the_term_of_a_hidden_state_is_fixed_and_what_it_could_hold_does_not_stand_beside_it(text, terms):
    x = np.column_stack((2.0 + np.sin(T), 2.0 + np.cos(T)))
    told = runs.with_blocks(problem(x, ("x", "y")), text)
    assert told.dataset.unmeasured == (Given("z", "x", text.split(": ")[1].split('"')[0]),)
    (rule,) = told.blocks.equations
    assert rule.terms == terms
    assert rule.fixed == ((terms[0], 1.0),)


def test_the_curve_of_a_hidden_state_passes_where_its_factor_is_zero():
    t, x = lorenz()
    states = tuple(Variable(name, name) for name in "xy")
    data = Dataset("Lorenz", Variable("t", "t"), states, (Trajectory(t, x[:, :2]),))
    told = runs.with_second_order(Problem(data), (), ["y: x*z"])
    z, true = told.dataset.trajectories[0].x[:, 2], 28.0 - x[:, 2]
    assert np.sqrt(np.mean((z - true) ** 2)) < 0.01 * np.std(true)


@pytest.mark.parametrize(
    ("said", "why"),
    [("cured: infected*S", "'cured' is no state"), ("infected: infected**2", "has 0"), ("infected: R*S", "has 2"),
     ("infected: infected*S**2", "not in proportion"), ("infected: S*sin(t)", "time in it"), ("infected: S*(", "")],
)  # fmt: skip
def test_a_hidden_state_that_cannot_be_used_is_refused_in_words(said, why):
    with pytest.raises(DataError, match=f"The hidden state '{said[:8]}.*{why}"):
        runs.with_second_order(problem(sick()), (), [said])


def lorenz():
    path = solve_ivp(
        lambda _, x: [10.0 * (x[1] - x[0]), x[0] * (28.0 - x[2]) - x[1], x[0] * x[1] - 8.0 / 3.0 * x[2]],
        (0.0, 20.0), [1.0, 1.0, 1.0], t_eval=np.linspace(0.0, 20.0, 1000), rtol=1e-10, atol=1e-10,
    )  # fmt: skip
    return path.t, path.y.T


def hunt():
    rates = lambda _, x: [0.8 * x[0] - 0.4 * x[0] * x[1], 0.3 * x[0] * x[1] - 0.6 * x[1]]  # noqa: E731
    path = solve_ivp(rates, (0.0, 40.0), [2.0, 1.0], t_eval=np.linspace(0.0, 40.0, 300), rtol=1e-9)
    return path.t, path.y.T


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.1])
def test_a_path_that_crosses_itself_proves_a_state_that_was_not_measured_and_a_cycle_does_not(noise):
    rng = np.random.default_rng(0)
    for (t, x), crosses in ((lorenz(), True), (hunt(), False)):
        level = noise * x[:, :2].std(axis=0)
        assert is_crossing(t, x[:, :2] + level * rng.standard_normal((len(t), 2)), level) == crosses


def test_where_paths_cross_it_is_said_with_what_helps_and_a_law_of_one_state_stands():
    t, x = lorenz()
    states = tuple(Variable(name, name) for name in "xy")
    data = Dataset("two of three", Variable("t", "t"), states, (Trajectory(t, x[:, :2]),))
    assert "The path of x and y crosses itself" in checks(Problem(data))["hidden"].meaning
    info = Workbench.of(data).info
    assert info.hidden == ""
    assert "--hidden" in info.crossing
