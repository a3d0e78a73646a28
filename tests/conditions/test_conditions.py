"""One law for runs under different conditions: the structure, the constants that differ, and what they follow."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from dolq_core import loop
from dolq_core.cli import main
from dolq_core.cli.codes import BAD_DATA
from dolq_core.conditions import Constant, against, compare, lines, verdict
from dolq_core.conditions.following import followed
from dolq_core.conditions.split import split
from dolq_core.errors import DataError
from dolq_core.export.latex import measured
from dolq_core.fitting.by_condition import LawByCondition
from dolq_core.fitting.whole_runs import Laws
from dolq_core.records import Dataset, FittedTerm, Problem, Settings, Start, Trajectory, Variable
from dolq_core.runs import with_blocks
from dolq_core.terms import parse_term
from tests.every import every

KELVIN = (285.0, 300.0, 315.0, 330.0)


def growth(rate, start, t):
    """Logistic growth to 8."""
    return 8.0 / (1.0 + (8.0 / start - 1.0) * np.exp(-rate * t))


def flasks(repeats=1, samples=60):
    rng, t, runs = np.random.default_rng(3), np.linspace(0.0, 20.0, samples), []
    for kelvin in KELVIN:
        for _ in range(repeats):
            x = growth(0.3 * np.exp(0.02 * (kelvin - 285.0)), 0.3, t) + 0.05 * rng.standard_normal(samples)
            runs.append(Trajectory(t, x[:, None], np.full((samples, 1), kelvin), f"flask {len(runs) + 1}"))
    names = Variable("biomass", "biomass"), Variable("kelvin", "kelvin")
    return Problem(
        Dataset("flasks", Variable("hour", "t"), names[:1], tuple(runs), names[1:]), "Cells grow in a flask."
    )


def compared(problem, *heard):
    return compare(loop.begin(Start(problem, Settings())), "", *heard)


@pytest.fixture(scope="module")
def found():
    heard = []
    return compared(flasks(), heard.append), heard


def test_one_structure_is_found_for_all_conditions(found):
    assert found[0].equations == ("d biomass / d hour = k1*biomass + k2*biomass**2",)
    assert found[0].labels == ("flask 1", "flask 2", "flask 3", "flask 4")
    assert found[0].rivals == ()  # the nearest has an open power in place of the square, 7.7 nats behind
    assert against(found[0]).startswith("No other structure")
    open_power = ("d biomass / d hour = k1*biomass + k2*biomass**k3",)
    said = against(replace(found[0], rivals=((open_power, 5.7),)))
    assert said == f"Provisional: another structure explains them about as well: {open_power[0]} (5.7 nats behind)."
    assert found[0].misfit[0] == pytest.approx(1.0, abs=0.2)


def test_constants_that_differ_are_told_with_their_values(found):
    rate = found[0].constants[0]
    true = [0.3 * np.exp(0.02 * (kelvin - 285.0)) for kelvin in KELVIN]
    assert rate.differs
    assert rate.nats > 100.0
    pairs = zip(rate.values, true, rate.errors, strict=True)
    assert every(abs(value - own) < 4.0 * error for value, own, error in pairs)


def test_constants_that_differ_in_proportion_are_one_constant(found):
    (ratio,) = found[0].ratios
    assert (ratio.first, ratio.second) == ("k1", "k2")
    assert abs(ratio.value + 1.0 / 8.0) < 4.0 * ratio.error


def test_a_constant_follows_the_column(found):
    exponential = [form for form in found[0].constants[0].follows if "exp" in form.formula and "/" not in form.formula]
    assert exponential[0].column == "kelvin"
    assert float(exponential[0].formula.split("exp(")[1].split("*")[0]) == pytest.approx(0.02, rel=0.1)


def test_it_says_what_it_is_doing(found):
    assert found[1][0] == "Looking for laws of flask 1 (1 of 4)"
    assert any(one.startswith("Which constants differ") for one in found[1])


def test_a_constant_that_is_the_same_is_shared():
    rng, t, runs = np.random.default_rng(4), np.linspace(0.0, 12.0, 60), []
    for supply in (1.0, 2.0, 3.0):
        x = supply / 0.5 + (0.2 - supply / 0.5) * np.exp(-0.5 * t) + 0.03 * rng.standard_normal(60)
        runs.append(Trajectory(t, x[:, None], None, f"{supply:g}"))
    data = Dataset("tank", Variable("t", "t"), (Variable("level", "level"),), tuple(runs))
    found = compared(Problem(data, "A tank is filled steadily and drains."))
    assert found.equations == ("d level / d t = k1 + k2*level",)
    supplied, drained = found.constants
    assert supplied.differs
    assert supplied.values == pytest.approx((1.0, 2.0, 3.0), rel=0.05)
    assert not drained.differs
    assert set(drained.values) == {drained.values[0]}
    assert drained.values[0] == pytest.approx(-0.5, rel=0.03)
    assert f"  {measured(drained.values[0], drained.errors[0])}" in lines(found)


def test_runs_at_one_level_are_one_condition():
    parts = split(flasks(repeats=2).dataset, "kelvin")
    assert [part.label for part in parts] == ["kelvin = 285", "kelvin = 300", "kelvin = 315", "kelvin = 330"]
    assert every(len(part.dataset.trajectories) == 2 for part in parts)
    assert every(not part.dataset.inputs for part in parts)


@pytest.mark.parametrize(
    ("by", "said"),
    [("dose", "'dose': it is no input of these data"), ("kelvin", "it changes within a run")],
)
def test_a_column_that_is_no_condition_is_refused(by, said):
    problem = flasks()
    first, *rest = problem.dataset.trajectories
    inputs = np.linspace(285.0, 300.0, 60)[:, None]
    moved = Trajectory(first.t, first.x, inputs, first.label)
    data = Dataset("flasks", problem.dataset.time, problem.dataset.states, (moved, *rest), problem.dataset.inputs)
    with pytest.raises(DataError, match=said):
        split(data, by)


def test_one_run_is_no_comparison():
    data = flasks().dataset
    with pytest.raises(DataError, match="there is one condition only"):
        split(Dataset("one", data.time, data.states, data.trajectories[:1], data.inputs))


def test_a_constant_without_a_formula_follows_nothing():
    assert followed((1.0, 5.0, 2.0, 9.0), (0.01,) * 4, {"u": (1.0, 2.0, 3.0, 4.0)}) == ()
    assert followed((1.0, 2.0), (0.01,) * 2, {"u": (1.0, 2.0)}) == ()


def test_formulas_are_ranked_by_what_they_leave():
    first, *_ = followed((2.0, 4.0, 6.0, 8.02), (0.05,) * 4, {"u": (1.0, 2.0, 3.0, 4.0), "v": (4.0, 1.0, 3.0, 2.0)})
    assert (first.column, first.formula.split("*")[1]) == ("u", "u")
    assert float(first.formula.split("*")[0]) == pytest.approx(2.0, abs=0.02)


def test_a_law_takes_the_numbers_of_its_condition():
    base = Laws([(FittedTerm(parse_term("x", ["x"]).skeleton, 1.0),)], ("x",))
    values = np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 1.0]])
    theta, moves = np.array([10.0, 20.0]), np.array([1e-6])
    rates, by_state, by_theta = LawByCondition(base).slopes(values, np.zeros(3), theta, moves)
    assert rates.tolist() == [[10.0, 40.0, 60.0]]
    assert by_state[0, 0] == pytest.approx([10.0, 20.0, 20.0])
    assert by_theta[0].tolist() == [[1.0, 0.0, 0.0], [0.0, 2.0, 3.0]]


def test_what_is_declared_holds_under_every_condition():
    problem = flasks()
    told = with_blocks(
        problem, "[equations.biomass]\nfixed = {'biomass**2' = -0.05}\nterms = ['biomass', 'biomass**2']"
    )
    found = compared(told)
    known = next(one for one in found.constants if one.skeleton == "biomass**2")
    assert set(known.values) == {-0.05}
    assert set(known.errors) == {None}
    assert verdict(known) == "known, and the same in all conditions"
    assert {one.skeleton for one in found.constants} == {"biomass", "biomass**2"}


def test_a_verdict_that_is_not_sure_says_so():
    one = Constant("k1", 0, parse_term("x", ["x"]).skeleton, 0, (1.0, 1.1), (0.1, 0.1), differs=True, nats=2.5)
    assert verdict(one) == (
        "differs from condition to condition; the other way is only 2.5 nats behind, so this is not sure"
    )


def table():
    return pd.concat(
        pd.DataFrame({"flask": run.label, "hour": run.t, "biomass": run.x[:, 0], "kelvin": run.inputs[:, 0]})
        for run in flasks().dataset.trajectories[:3]
    ).to_csv(index=False)


def test_the_command_obeys_what_is_allowed_vetoed_and_pinned(tmp_path):
    (tmp_path / "terms.txt").write_text("1\nbiomass\nbiomass**2\nsqrt(biomass)")
    asked = ["conditions", "-", "--time", "hour", "--run", "flask", "--input", "kelvin", "-q"]
    asked += ["--library", str(tmp_path / "terms.txt"), "--veto", "sqrt(biomass)", "--out", str(tmp_path / "c.json")]
    done = CliRunner().invoke(main, [*asked, "--pin", "biomass: 1"], input=table())
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    found = {one["skeleton"] for one in json.loads((tmp_path / "c.json").read_text())["constants"]}
    assert found == {"1", "biomass", "biomass**2"}
    done = CliRunner().invoke(main, [*asked, "--pin", "biomass: biomass*kelvin"], input=table())
    assert (done.exit_code, "kelvin says the condition" in done.stderr) == (BAD_DATA, True)


def test_the_command_writes_law_and_constants(tmp_path):
    (tmp_path / "flasks.csv").write_text(table())
    asked = ["--time", "hour", "--run", "flask", "--input", "kelvin", "--by", "kelvin", "--out"]
    done = CliRunner().invoke(main, ["conditions", str(tmp_path / "flasks.csv"), *asked, str(tmp_path / "c.json")])
    assert done.exit_code == 0, done.output
    assert "d biomass / d hour = k1*biomass + k2*biomass**2" in done.output
    assert "k1: differs from condition to condition" in done.output
    written = json.loads((tmp_path / "c.json").read_text())
    assert written["format"] == "dolq-conditions/1"
    assert written["labels"] == ["kelvin = 285", "kelvin = 300", "kelvin = 315"]
    assert len(written["constants"]) == 2
