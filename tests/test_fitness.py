"""Before the first step: what the data allow, said by what the fits themselves will use."""

import time
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.bundled import bundled, generate, load_bundled
from dolq_core.data import read_table, understand
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.runs import bench_of
from dolq_core.views.fitness import fitness
from tests.export.laws import heated

RANDOM = np.random.default_rng(0)
T = np.arange(200.0)
DECAY = np.exp(-T / 50.0)[:, None]


def problem(*tables, names=("a", "b"), inputs=()):
    """A problem of runs (t, x) or (t, x, inputs)."""
    states = tuple(Variable(name, f"x{j}") for j, name in enumerate(names[: tables[0][1].shape[1]]))
    return Problem(Dataset("d", Variable("t", "t"), states, tuple(_run(*table) for table in tables), inputs))


def _run(t, x, inputs=None):
    return Trajectory(frozen(t), frozen(x), None if inputs is None else frozen(inputs))


def checks(of, settings=None):
    return {check.code: check for check in fitness(of, settings).checks}


def verdicts(of):
    return {code: check.verdict for code, check in checks(of).items()}


@pytest.mark.parametrize(
    ("name", "kind"), [*((one.id, "auto") for one in bundled()), ("yeast", "gradient"), ("system-2", "savgol")]
)
def test_the_recommended_target_is_the_one_that_a_run_takes_when_it_may_choose(name, kind):
    given, settings = load_bundled(name), Settings(target=kind)
    aim = fitness(given, settings).target
    assert aim.kind == bench_of(given.dataset, replace(settings, target="auto")).info.kind
    said = checks(given, settings)["target"]
    assert said.verdict == ("good" if kind == "auto" else "mind")
    assert aim.reason in said.meaning


def test_few_samples_of_alpha_pinene_are_to_be_fitted_on_trajectories():
    aim = fitness(load_bundled("alpha-pinene")).target
    assert (aim.kind, aim.trajectories) == ("integral", True)
    assert "integrals of the terms" in aim.reason


def test_what_is_only_bounded_is_not_said_to_be_about_that():
    said = checks(load_bundled("system-1"))
    assert said["slopes"].meaning.startswith("Off by <0.1 % (x")
    assert said["slopes"].meaning.endswith(" as in the fit.")
    assert said["noise"].meaning.startswith("<0.1 % (x")
    assert checks(load_bundled("lynx-hare"))["noise"].meaning.startswith("At most about ")


def test_clean_benchmarks_need_no_trajectories_and_noisy_ones_do():
    clean, noisy = fitness(generate(2)), fitness(generate(2, noise=0.02, relative=True))
    assert [found.target.trajectories for found in (clean, noisy)] == [False, True]
    assert "refitted to whole runs" in noisy.target.reason


def test_those_who_lie_in_bed_alone_are_moved_by_something_hidden():
    flu = load_bundled("flu")
    (run,) = flu.dataset.trajectories
    alone = replace(flu.dataset, states=flu.dataset.states[:1], trajectories=(_run(run.t, run.x[:, :1]),))
    hidden, slopes = (checks(Problem(alone))[code] for code in ("hidden", "slopes"))
    assert hidden.verdict == "bad"
    assert slopes.verdict != "good", "no tick for slopes that no law of the columns has"
    assert "no law in in_bed alone" in hidden.meaning
    assert "hidden" not in checks(load_bundled("yeast"))


def test_what_the_description_says_was_not_measured_is_told():
    assert "can still be infected was not recorded" in checks(load_bundled("flu"))["hidden"].meaning


@pytest.mark.parametrize("number", range(1, 9))
def test_clean_benchmarks_are_fit_but_for_their_single_run(number):
    wanting = {code for code, verdict in verdicts(generate(number)).items() if verdict != "good"}
    assert wanting == {"runs"}


def test_more_noise_is_a_worse_verdict():
    found = [verdicts(generate(2, noise=level, relative=True, points=200)) for level in (0.01, 0.1, 1.0)]
    assert [one["noise"] for one in found] == ["good", "mind", "bad"]
    assert [one["slopes"] for one in found] == ["good", "mind", "bad"]


@pytest.mark.parametrize("n", [20, 200])
def test_pure_noise_is_much_noise(n):
    found = verdicts(problem((T[:n], RANDOM.normal(size=(n, 2)))))
    assert found["noise"] == "bad"
    assert found["slopes"] == ("mind" if n < 50 else "bad")


def test_six_points_are_too_few():
    found = checks(problem((T[:6], DECAY[:6]), names=["temp (°C)"]))
    assert (found["points"].verdict, found["points"].finding) == ("bad", "6 points to fit, 1 run")
    assert "temp (°C)" in found["sampling"].meaning


def test_what_cannot_be_fitted_at_all_is_said_and_not_raised():
    gone = np.full((40, 1), np.nan)
    gone[:2] = 1.0
    found = fitness(problem((T[:40], gone)))
    assert found.target is None
    (only,) = found.checks
    assert only.verdict == "bad"
    assert "four samples" in only.meaning


def test_a_run_to_hold_out_that_does_not_exist_is_an_error():
    with pytest.raises(DataError, match="no such run"):
        fitness(problem((T, DECAY)), Settings(held_out_runs=("7",)))


@pytest.mark.parametrize(
    ("tables", "finding"),
    [
        (((T, DECAY),), "One run only"),
        (((T, DECAY), (T, DECAY + 0.01 * np.sin(T / 9.0)[:, None])), "All runs start alike"),
        (((T, DECAY), (T, 0.3 * DECAY)), "Runs from different starts"),
    ],
)
def test_runs_tell_more_where_they_start_apart(tables, finding):
    assert checks(problem(*tables))["runs"].finding == finding


def test_runs_that_are_held_out_whole_or_without_data_do_not_count():
    two = problem((T, DECAY), (T, 0.3 * DECAY))
    assert checks(two, Settings(held_out_runs=("2",)))["runs"].finding == "One run only"
    blind = checks(problem((T, DECAY), (T, np.full_like(DECAY, np.nan))))
    assert blind["left out"].finding == "1 run cannot be used"
    assert blind["runs"].finding == "One run only"


@pytest.mark.parametrize(
    ("t", "finding"),
    [
        (T, "Times are even"),
        (np.array([float(f"{0.0940439 * k:.6g}") for k in range(200)]), "Times are even"),
        (np.array([float(f"{0.0940439 * k + 0.002 * (k % 3):.6g}") for k in range(200)]), "Times are uneven"),
        (np.delete(T, slice(50, 80)), "1 gap in time"),
        (np.delete(T, slice(50, 150)), "1 long gap in time"),
        (np.round(np.arange(200) / 3.0, 2), "Times are even but for rounding"),
        (np.sort(RANDOM.random(200)) * 200.0, "Times are uneven"),
    ],
)
def test_spacing_is_even_or_has_gaps_or_is_irregular(t, finding):
    assert checks(problem((t, np.exp(-t / 50.0)[:, None])))["spacing"].finding == finding


@pytest.mark.parametrize(
    ("step", "unit", "said"), [(1.0, "day", "every day."), (0.5, "day", "every 0.5 days."), (1.0, "s", "every 1 s.")]
)
def test_a_step_is_said_as_people_say_it(step, unit, said):
    even = problem((step * np.arange(60.0), DECAY[:60]))
    timed = replace(even, dataset=replace(even.dataset, time=replace(even.dataset.time, unit=unit)))
    assert checks(timed)["spacing"].meaning == f"A sample {said}"


@pytest.mark.parametrize(
    ("x", "verdict"),
    [(np.sin(T / 9.0), "good"), (np.sin(T / 2.0), "mind"), (np.tanh((T - 80.3) / 0.5), "mind")],
    ids=["slow wave", "fast wave", "one jump"],
)
def test_sampling_is_measured_against_the_fastest_change(x, verdict):
    assert verdicts(problem((T, x[:, None])))["sampling"] == verdict


def test_a_state_that_crosses_its_range_between_two_samples_is_named():
    found = checks(load_bundled("alpha-pinene"))["sampling"]
    assert found.verdict == "bad"
    assert found.meaning.startswith("allo_ocimene can cross its range in 1")


def test_a_state_that_never_changes_is_named():
    found = checks(problem((T, np.hstack((DECAY, 0.0 * DECAY + 3.0))), names=["E", "I"]))
    assert (found["constant"].verdict, found["constant"].finding) == ("bad", "I never changes")
    assert "(E)" in found["noise"].meaning
    assert "(I)" not in found["noise"].meaning
    assert "constant" not in checks(problem((T, DECAY)))


def test_missing_cells_are_counted_where_they_are_fitted():
    x = DECAY.copy()
    x[3:60:6] = np.nan
    found = checks(problem((T, x)))["missing"]
    assert (found.verdict, found.finding, found.meaning[:3]) == ("mind", "10 cells are missing", "6 %")
    assert found.meaning == "6 % of the states' values that are fitted, bridged by a curve."
    x[-2:] = np.nan  # in what is held out
    assert checks(problem((T, x)))["missing"].finding == "10 of 12 missing cells in what is fitted"


def test_inputs_are_named_and_excuse_a_state_that_turns():
    wave = np.sin(T / 9.0)[:, None]
    found = checks(problem((T, wave, np.cos(T / 9.0)[:, None]), inputs=(Variable("light", "u0"),)))
    assert "light" in found["inputs"].meaning
    assert "hidden" not in found
    assert "hidden" in checks(problem((T, wave)))


def test_a_thousand_rows_are_checked_in_seconds_and_remembered():
    given = generate(8, noise=0.01)
    begun = time.process_time()
    found = fitness(given)
    assert time.process_time() - begun < 10.0
    assert fitness(given) is found
    assert fitness(given, Settings(held_out=0.3)) is not found


def test_an_input_of_two_levels_is_said_to_tell_no_line_from_a_curve():
    heater = np.where((T % 40.0) < 20.0, 60.0, 0.0)
    rows = "".join(f"{t},{20 + heater[i] / 3 + i % 7},{heater[i]}\n" for i, t in enumerate(T))
    dataset = understand(read_table(f"t,T,heater\n{rows}".encode())).dataset
    assert [one.name for one in dataset.inputs] == ["heater"]
    found = {check.code: check for check in fitness(Problem(dataset)).checks}["inputs"]
    assert (found.verdict, found.finding) == ("mind", "heater has two levels only")
    assert found.meaning.endswith(" heater is held between samples, switched halfway.")


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("auto", "heater is held until the next sample: there the states bend."),
        ("next", "outside is held since the sample before, as the settings say."),
        ("linear", "A third level would tell a line from a curve."),
    ],
)
def test_where_an_input_switches_is_said_with_who_says_so(inputs, said):
    run = heated()
    settings = Settings(inputs=inputs, held_out=0.0)
    checks = fitness(run.state.problem, settings).checks
    assert {check.code: check for check in checks}["inputs"].meaning.endswith(said)


def test_slopes_are_not_trusted_across_a_long_gap():
    t = np.delete(T, slice(50, 150))
    assert checks(problem((t, np.exp(-t / 50.0)[:, None])))["slopes"].finding == "Slopes can be trusted outside the gap"


@pytest.mark.parametrize(
    ("points", "noise", "said"),
    [
        (20, 0.05, "Few in a run: a law must beat a random walk."),
        (40, 0.05, "Enough to compare whole runs; a law must beat a random walk."),
        (40, 0.0, "Few in a run: a law must beat a random walk."),
        (60, 0.05, "Enough to average out noise."),
    ],
)
def test_what_so_many_samples_are_enough_for_is_said(points, noise, said):
    t = np.linspace(0.0, 10.0, points)
    x = np.exp(-t / 3.0) + noise * np.random.default_rng(0).normal(size=points)
    assert checks(problem((t, x[:, None])))["points"].meaning == said


HEATER = np.repeat([0.0, 50.0, 0.0, 120.0, 200.0, 120.0, 0.0, 50.0, 200.0, 0.0], 20)


def test_a_state_that_is_held_and_jumps_is_suggested_as_an_input():
    check = checks(problem((T, np.column_stack((DECAY, HEATER))), names=("temp", "heater")))["held"]
    assert (check.verdict, check.finding) == ("bad", "heater may be an input")
    assert "It keeps its value for 20 samples on average, then jumps" in check.meaning
    assert "Input on the page Data, --input on the command line" in check.meaning


def test_a_column_of_few_levels_that_are_held_long_is_suggested_as_an_input_though_it_passes_over_none():
    torque = np.repeat([0.0, 1.0, 0.0, -0.5], [30, 60, 50, 60])
    check = checks(problem((T, np.column_stack((DECAY, torque))), names=("angle", "torque")))["held"]
    assert check.finding == "torque may be an input"
    assert "It keeps its value for 50 samples on average, then jumps" in check.meaning


@pytest.mark.parametrize(
    "column",
    [
        np.repeat([0.0, 1.0, 2.0, 3.0], 50),  # one way only: it may count something
        np.tile(np.repeat([0.0, 1.0, 2.0, 1.0], 5), 10),  # held for five samples
        np.round(3.0 * np.sin(T / 40.0)),  # rounded: it goes on to the value beside it
        np.floor(T / 30.0) ** 2,  # a count of what happened so far
        np.round(HEATER + RANDOM.normal(size=200)),
    ],
)
def test_what_is_read_coarsely_counted_or_noisy_is_not(column):
    assert "held" not in checks(problem((T, np.column_stack((DECAY, column)))))


def substrate(unit="µmol/L/h", of="µmol/L", sign=0.0, factor=1.0):
    """S with its rate v, read with noise of 1 %, as measured in hours."""
    t = np.linspace(0.0, 8.0, 81)
    s, v = 90.0 * np.exp(-t / 3.0) + 90.0 + sign * np.sin(t), -30.0 * np.exp(-t / 3.0) + sign * np.cos(t)
    x = np.column_stack((s, factor * v)) * (1.0 + 0.01 * np.random.default_rng(3).normal(size=(81, 2)))
    states = (Variable("S", "S", of), Variable("v", "v", unit))
    return Problem(Dataset("d", Variable("t", "t", "h"), states, (_run(t, x),)))


def test_a_column_that_is_the_rate_of_another_is_suggested_as_its_derivative():
    check = checks(substrate())["rate"]
    assert (check.verdict, check.finding) == ("bad", "v may be the rate of S")
    assert "Derivative on the page Data, --derivative on the command line" in check.meaning


@pytest.mark.parametrize(
    "other",
    [
        substrate(unit="µmol/L/min"),
        substrate(unit="m/h", of="m"),  # a place has a velocity, which is a state
        substrate(unit=""),
        substrate(factor=1.5),
        substrate(sign=90.0),  # S alone has no law with rates of both signs
    ],
)
def test_what_has_another_unit_or_size_or_is_a_velocity_is_not(other):
    assert "rate" not in checks(other)


def test_where_nothing_moves_besides_no_input_is_suggested():
    assert "held" not in checks(problem((T, HEATER[:, None])))
