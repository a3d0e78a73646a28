"""What a column is and becomes goes from the file to the fit, the store, the plot and the exported program."""

import csv

import numpy as np
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.cli import main
from dolq_core.cli.codes import USAGE
from dolq_core.data import read_preparation
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.pieces import Driven
from dolq_core.records import Given, Settings
from dolq_core.views.files import export
from dolq_core.views.fitness import fitness
from dolq_core.views.summary import provenance, result
from dolq_core.views.trajectories import curves
from tests.app.scenes import alts, app
from tests.stored import fitted

K, G = 0.8, 1.5


@pytest.fixture(scope="module")
def driven(tmp_path_factory):
    """x' = -K x + G heater in g and minutes from 10 on; a gross error has no weight."""
    t = np.linspace(0.0, 12.0, 121)
    u = np.where((t > 2.0) & (t < 5.0), 1.0, 0.0) + 0.5 * np.sin(2.0 * t)
    rhs = Driven(lambda s, v: [-K * v[0] + G * v[1]], t, u[:, None])
    x = simulate(rhs, np.array([0.3]), t, np.array([1e3]), rtol=1e-10).x[:, 0]
    x[60] += 50.0
    path = tmp_path_factory.mktemp("driven") / "driven.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["minute", "x", "heater", "counts"])
        table.writerows(zip(t + 10.0, 1000.0 * x, u, ["" if i == 60 else 1 for i in range(121)], strict=True))
    return path


@pytest.fixture(scope="module")
def run(driven):
    return learned(driven)


def learned(driven):
    """The law is fitted on columns that were scaled, shifted, weighed, and on an input."""
    how = read_preparation((), ["x=0.001 kg"], -10.0)
    problem, _ = runs.find_problem(str(driven), inputs=["heater"], weights={"counts": "x"}, preparation=how)
    return fitted(problem, [["x", "heater"]], Settings(held_out=0.2))


def test_the_law_is_in_the_new_units_and_the_gross_error_does_not_count(run):
    document = result(run)
    found = {term["text"]: term["coefficient"] for term in document["equations"]["x"]["terms"]}
    assert found == {"x": pytest.approx(-K, abs=0.01), "heater": pytest.approx(G, abs=0.02)}
    assert document["preparation"]["scaled"] == [{"column": "x", "factor": 0.001, "unit": "kg"}]
    assert document["weights"] == [{"column": "counts", "state": "x"}]
    assert document["equations"]["x"]["scores"]["held_out_nmse"] < 1e-3


def test_the_store_gives_back_every_role_and_what_was_done(driven):
    run = learned(driven)
    data = runs.load(runs.open_store(), run.id).state.problem.dataset
    assert data == run.state.problem.dataset
    assert data.weights == (Given("counts", "x"),)
    assert data.trajectories[0].t[0] == 0.0
    assert provenance(run) == (
        "x is the column of the table times 0.001, in kg.",
        "minute is the time of the table plus -10.0.",
        "Samples of x count by the column 'counts'.",
    )
    shown = CliRunner().invoke(main, ["show", run.id]).output
    assert "x is the column of the table times 0.001, in kg." in shown


def test_the_curve_and_its_error_leave_out_what_has_no_weight(run):
    (curve,) = curves(run)
    assert curve.data[60, 0] > 40.0
    assert curve.nmse[0] < 1e-3


def test_the_exported_program_follows_the_input_and_says_what_was_done(run):
    text = export(run, "python").content.decode()
    assert "# x is the column of the table times 0.001, in kg." in text
    space = {"__name__": "exported"}
    exec(compile(text, "exported.py", "exec"), space)  # noqa: S102  what is tested is that this text is code
    (own,) = space["RUNS"]
    times, states = space["simulate"](own)
    (model,) = curves(run)
    at_data = np.interp(model.t, times, states[:, 0])
    followed = model.model[np.searchsorted(model.model_t, model.t), 0]
    assert np.max(np.abs(at_data - followed)) < 0.02 * np.ptp(followed)


def test_the_input_is_drawn_below_the_states(driven):
    (alt,) = [
        alt for alt in alts(app("discover", learned(driven).id)) if alt.startswith("Measured data and the best model")
    ]
    assert "Known inputs: heater between" in alt


def test_the_checks_before_the_first_step_name_the_columns(run):
    found = {check.code: check for check in fitness(run.state.problem).checks}
    assert found["given"].finding == "Samples have weights"
    assert "times 0.001" in found["prepared"].meaning


def test_the_command_line_takes_every_role(driven, tmp_path):
    clean = tmp_path / "clean.csv"
    said = [
        "--input", "heater", "--weight", "counts=x", "--scale", "x=0.001 kg", "--shift-time", "-10",
        "--derive", "y = 2*x", "--derivative", "y=x", "--clean", str(clean),
    ]  # fmt: skip
    done = CliRunner().invoke(main, ["inspect", str(driven), *said])
    assert done.exit_code == 0, done.output
    assert "time: minute (min); states: x (kg); inputs: heater" in done.output
    assert "given derivatives: y of x" in done.output
    assert clean.read_text().splitlines()[:2] == ["minute,x (kg),heater,counts,y", "0.0,0.3,0.0,1.0,0.6"]


def test_a_derivative_without_its_state_is_refused(driven):
    done = CliRunner().invoke(main, ["inspect", str(driven), "--derivative", "heater"])
    assert done.exit_code == USAGE
    assert "heater=STATE" in done.output


def test_the_missing_state_of_the_flu_has_an_equation():
    problem, _ = runs.find_problem("flu", preparation=read_preparation(["S = 763 - in_bed - convalescent"]))
    run = fitted(problem, [["S*in_bed", "in_bed"], ["in_bed", "convalescent"], ["S*in_bed"]], Settings(held_out=0.0))
    (loss,) = run.state.best[2].fit.terms
    assert (loss.skeleton, loss.coefficient < 0.0) == ("S_*in_bed", True)  # S holds those back in class too
    assert provenance(run) == ("S is made of other columns: S = 763 - in_bed - convalescent.",)
