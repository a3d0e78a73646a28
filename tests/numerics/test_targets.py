import numpy as np
import pytest

from dolq_core.errors import FitError
from dolq_core.numerics.least_squares import least_squares
from dolq_core.numerics.targets import choose_target
from tests.numerics.known import logistic, lotka

KINDS = ("weak", "integral", "spline", "savgol", "gradient")


def prey_fit(target):
    """Coefficients of x' = a x + b x y and the error over the floor."""
    columns = target.apply(np.array([target.x[0], target.x[0] * target.x[1]]))
    fit = least_squares(columns, target.b[0])
    return fit.coefficients, np.sqrt(fit.mse) / target.floor[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_target_gives_the_known_coefficients_on_clean_data(kind):
    t, x, _ = lotka(1000)
    coefficients, _ = prey_fit(choose_target([(t, x)], kind))
    assert coefficients == pytest.approx([0.5, -0.025], rel=1e-3)


def test_the_weak_form_is_exact_on_clean_data():
    t, x, _ = lotka(1000)
    coefficients, over_floor = prey_fit(choose_target([(t, x)]))
    assert coefficients == pytest.approx([0.5, -0.025], rel=1e-8)
    assert over_floor < 1.0


@pytest.mark.parametrize("noise", [1e-3, 1e-2, 1e-1])
def test_the_true_law_stands_at_the_floor_whatever_the_noise(noise):
    t, x, _ = lotka(1000, noise)
    _, over_floor = prey_fit(choose_target([(t, x)]))
    assert 0.3 < over_floor < 2.0


def test_the_weak_form_resists_noise_better_than_differences():
    t, x, dx = lotka(1000, 0.02)
    error = {}
    for kind in ("weak", "gradient"):
        target = choose_target([(t, x)], kind)
        truth = target.apply(np.ascontiguousarray(dx.T))
        error[kind] = np.sqrt(np.mean((target.b - truth) ** 2) / np.var(truth))
    assert error["weak"] < 0.05 * error["gradient"]


@pytest.mark.parametrize(
    ("t", "kind", "word"),
    [
        (np.linspace(0.0, 8.0, 200), "weak", "samples themselves"),
        (np.sort(np.random.default_rng(0).uniform(0.0, 8.0, 200)), "weak", "uneven"),
        (np.linspace(0.0, 8.0, 20), "integral", "too few"),
        (np.geomspace(0.1, 8.0, 9), "integral", "too few"),
    ],
)
def test_the_choice_follows_the_data_and_says_why(t, kind, word):
    times, x, _ = logistic(t=t)
    target = choose_target([(times, x)])
    assert target.kind == kind
    assert word in target.reason
    assert target.x.flags.c_contiguous
    assert target.b.shape == (1, len(target.blocks))


def test_runs_with_their_own_starts_share_one_law():
    t, x, _ = lotka(300)
    runs = [(t[:120], x[:120]), (t[100:260] + 50.0, x[100:260])]
    coefficients, over_floor = prey_fit(choose_target(runs))
    assert coefficients == pytest.approx([0.5, -0.025], rel=1e-5)
    assert over_floor < 10.0


def test_a_run_that_never_saw_a_state_is_left_out_and_named():
    t, x, _ = lotka(300)
    blind = x.copy()
    blind[:, 1] = np.nan
    target = choose_target([(t, x), (t, blind)])
    assert "1 run was left out" in target.reason
    assert target.b == pytest.approx(choose_target([(t, x)]).b)


def test_no_usable_run_is_an_error_with_a_way_out():
    with pytest.raises(FitError, match="Add samples"):
        choose_target([(np.arange(3.0), np.ones((3, 1)))])


def test_missing_cells_inside_a_run_are_bridged():
    t, x, _ = lotka(400)
    holes = x.copy()
    holes[50::40, 0] = np.nan
    coefficients, _ = prey_fit(choose_target([(t, holes)]))
    assert coefficients == pytest.approx([0.5, -0.025], rel=1e-4)


def test_long_data_are_averaged_first():
    t, x, _ = logistic(50_000, noise=0.05)
    target = choose_target([(t, x)])
    assert target.x.shape[1] <= 4000
    fit = least_squares(target.apply(np.array([target.x[0], target.x[0] ** 2])), target.b[0])
    assert fit.coefficients == pytest.approx([1.0, -1.0], rel=5e-3)
