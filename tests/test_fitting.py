"""Terms and numerics joined: coefficients, evidence, simulations."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dolq_core.arrays import frozen
from dolq_core.errors import FitError
from dolq_core.fitting import Workbench, complexity, description_length, names_of
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import parse_term
from tests.every import every
from tests.numerics.known import logistic, lotka


def dataset(t, x, names, inputs=None):
    states = tuple(Variable(name, name) for name in names)
    known = () if inputs is None else tuple(Variable(f"u{i}", f"u{i}") for i in range(inputs.shape[1]))
    run = Trajectory(frozen(t), frozen(x), None if inputs is None else frozen(inputs))
    return Dataset("known", Variable("t", "t"), states, (run,), known)


def lotka_bench(n=400, noise=0.0):
    t, x, _ = lotka(n, noise)
    return Workbench.of(dataset(t, x, ["prey", "cat"]), "auto")


@pytest.fixture(scope="module")
def bench():
    return lotka_bench()


@pytest.fixture(scope="module")
def noisy():
    return lotka_bench(60, 0.05)


def skeletons(bench, *texts):
    return [parse_term(text, bench.names).skeleton for text in texts]


def truth(bench):
    return (
        bench.fit(0, skeletons(bench, "prey", "prey*cat")),
        bench.fit(1, skeletons(bench, "cat", "prey*cat")),
    )


def test_the_true_terms_get_their_coefficients(bench):
    found = [[term.coefficient for term in fit.terms] for fit in truth(bench)]
    assert found[0] == pytest.approx([0.5, -0.025], rel=1e-6)
    assert found[1] == pytest.approx([-0.9, 0.027], rel=1e-6)


def test_the_same_question_gets_the_same_answer_to_the_last_bit():
    once, again = (truth(lotka_bench(60, 0.05)) for _ in range(2))
    assert once == again


def test_inner_parameters_are_fitted():
    t = np.linspace(0.0, 6.0, 300)
    x = np.empty(300)
    x[0] = 3.0
    fine = np.linspace(0.0, 6.0, 299 * 50 + 1)
    value = 3.0
    for i, h in enumerate(np.diff(fine)):
        value -= h * 2.0 * (m := value - 0.5 * h * 2.0 * value / (0.7 + value)) / (0.7 + m)
        if (i + 1) % 50 == 0:
            x[(i + 1) // 50] = value
    bench = Workbench.of(dataset(t, x[:, None], ["s"]), "auto")
    fit = bench.fit(0, skeletons(bench, "s/(params[0] + s)"))
    assert fit.strategy == "variable projection"
    assert fit.terms[0].coefficient == pytest.approx(-2.0, rel=1e-3)
    assert fit.terms[0].inner[0] == pytest.approx(0.7, rel=1e-3)


@pytest.mark.parametrize("text", ["log(0 - prey)", "exp(exp(prey))", "sqrt(0 - cat)"])
def test_a_term_that_is_not_finite_is_a_failure_in_words(bench, text):
    fit = bench.fit(0, skeletons(bench, "prey", text))
    assert fit.failure
    assert fit.mse == inf
    assert bench.column(skeletons(bench, text)[0]) is None


def test_a_constant_column_is_named():
    t, x, _ = logistic(100)
    bench = Workbench.of(dataset(t, np.column_stack((x, np.full(100, 2.0))), ["x", "y"]), "auto")
    assert bench.why_not(skeletons(bench, "y**2")[0]) == "constant on the data"
    assert bench.why_not(skeletons(bench, "x")[0]) == ""


def test_a_repeated_direction_does_not_sink_the_fit(bench):
    fit = bench.fit(0, skeletons(bench, "prey", "prey*cat", "prey*(1 + cat)"))
    assert not fit.failure
    assert any(term.std_error is None for term in fit.terms)


def test_no_term_is_the_null(bench):
    assert bench.fit(0, []) == bench.null(0)
    assert bench.null(0).score == pytest.approx(0.0, abs=1.0)
    assert bench.info.null_score == (bench.null(0).score, bench.null(1).score)


def test_the_true_structure_has_the_best_score(noisy):
    right = truth(noisy)[0].score
    for wrong in (["prey"], ["prey", "cat"], ["prey", "prey*cat", "1"], ["prey", "prey*cat", "prey**2", "cat**2"]):
        assert right < noisy.fit(0, skeletons(noisy, *wrong)).score


def test_ablation_separates_needed_terms_from_spurious_ones(noisy):
    fit = noisy.fit(0, skeletons(noisy, "prey", "prey*cat", "1"))
    zeroed, refitted = ({s: row[i] for s, *row in noisy.ablate(fit)} for i in range(2))
    assert min(refitted["prey"], refitted[skeletons(noisy, "prey*cat")[0]]) > 2.0
    assert refitted["1"] < 1.05
    assert every(change >= 0.0 for change in zeroed.values())


def test_below_the_floor_no_term_counts_as_needed(bench):
    fit = bench.fit(0, skeletons(bench, "prey", "prey*cat", "cat**2"))
    ratios = {s: refitted for s, _, refitted in bench.ablate(fit)}
    assert ratios[skeletons(bench, "cat**2")[0]] == pytest.approx(1.0, abs=0.05)


def test_failed_fits_have_no_ablation(bench):
    assert bench.ablate(bench.fit(0, skeletons(bench, "log(0 - prey)"))) == ()


def test_the_residual_of_the_truth_is_small(bench):
    assert np.std(bench.residual(truth(bench)[0])) < 1e-3 * np.std(bench.dx[0])
    assert bench.residual(bench.null(0)) == pytest.approx(bench.dx[0])


def test_clean_trajectories_are_followed_and_need_no_refinement(bench):
    fits = truth(bench)
    assert max(bench.trajectory_score(fits).nmse) < 1e-8
    assert bench.refine(fits) == ()


def test_refinement_on_noisy_trajectories_comes_nearer_to_the_truth(noisy):
    fits = truth(noisy)
    refined = noisy.refine(fits)
    error = [abs(f[1].terms[0].coefficient / -0.9 - 1.0) for f in (fits, refined)]
    assert error[1] < 0.02
    assert error[1] < error[0]
    assert {fit.strategy for fit in refined} == {"trajectory"}
    assert max(noisy.trajectory_score(refined).nmse) <= max(noisy.trajectory_score(fits).nmse)


def test_a_simulation_that_blows_up_says_so_and_ends(bench):
    fits = (bench.fit(0, skeletons(bench, "prey")), bench.fit(1, skeletons(bench, "cat**2")))
    wild = tuple(
        type(f)(**{**{k: getattr(f, k) for k in f.__slots__}, "terms": (type(f.terms[0])(f.terms[0].skeleton, 50.0),)})
        for f in fits
    )
    assert "blew up" in bench.simulate(wild, 0).failure
    assert set(bench.trajectory_score(wild).nmse) == {inf}


def test_a_simulation_starts_where_it_is_told_to(bench):
    simulation = bench.simulate(truth(bench), 0, t=np.linspace(0.0, 1.0, 5), start=np.array([10.0, 1.0]))
    assert simulation.x[0] == pytest.approx([10.0, 1.0])
    assert simulation.x.shape == (5, 2)


def test_known_inputs_are_variables_like_states():
    t = np.linspace(0.0, 20.0, 500)
    u = np.sin(t)
    x = 0.5 * (np.sin(t) - np.cos(t)) + np.exp(-t)  # x' = u - x
    bench = Workbench.of(dataset(t, x[:, None], ["x"], u[:, None]), "auto")
    fit = bench.fit(0, skeletons(bench, "u0", "x"))
    assert [term.coefficient for term in fit.terms] == pytest.approx([1.0, -1.0], rel=1e-6)
    assert bench.trajectory_score([fit]).nmse[0] < 1e-4


def test_names_are_states_then_inputs():
    data = dataset(np.arange(9.0), np.ones((9, 2)), ["a", "b"], np.ones((9, 1)))
    assert names_of(data).symbols == ("a", "b", "u0")


@given(st.floats(1e-6, 1e6), st.floats(1e-3, 1e3))
def test_the_score_has_no_unit(mse, unit):
    terms = [("x", 0)]
    one = description_length(mse, 0.1, 2.0, 30.0, terms)
    assert description_length(mse * unit**2, 0.1 * unit, 2.0 * unit**2, 30.0, terms) == pytest.approx(one)


@pytest.mark.parametrize(
    ("plain", "involved"),
    [
        ("1", "x*y"),
        ("x", "x**2"),
        ("x*y", "x*y**2"),
        ("x", "sin(x)"),
        ("sin(x)", "x*sin(y)"),
        ("x", "1/(params[0] + x)"),
    ],
)
def test_plain_terms_cost_less_than_involved_ones(plain, involved):
    assert complexity(plain) < complexity(involved) + involved.count("params")


def test_a_structure_with_more_numbers_than_the_data_can_carry_is_refused():
    assert description_length(0.1, 0.0, 1.0, 3.0, [("x", 0)] * 3) == inf


def test_a_state_that_is_zero_has_no_law_and_no_warning():
    bench = Workbench.of(dataset(np.linspace(0.0, 1.0, 60), np.zeros((60, 1)), ["x"]), "auto")
    fit = bench.fit(0, skeletons(bench, "x"))
    assert fit.score > bench.null(0).score
    assert [ratio for *_, ratio in bench.ablate(fit)] == [1.0]


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_values_out_of_range_ask_for_another_unit(size):
    t, x, _ = logistic(100)
    with pytest.raises(FitError, match="another unit"):
        Workbench.of(dataset(t, size * x, ["x"]), "auto")


def test_an_unmeasured_first_sample_is_estimated(bench):
    t, x, _ = lotka(400)
    holes = x.copy()
    holes[:3, 1] = np.nan
    blind = Workbench.of(dataset(t, holes, ["prey", "cat"]), "auto")
    assert max(blind.trajectory_score(truth(blind)).nmse) < 1e-4
