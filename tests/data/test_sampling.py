"""Computed sets are drawn as asked, and say how."""

import numpy as np
import pytest

from dolq_core.bundled import SamplePlan, generate, load_bundled
from dolq_core.errors import DataError

NOTHING = ("noise", "random-walk")


def test_the_usual_sampling_is_the_benchmark_itself():
    assert load_bundled("system-2").dataset.trajectories == generate(2).dataset.trajectories


def test_noise_is_a_share_of_the_spread_of_each_state():
    (clean,), (noisy,) = (load_bundled("system-8", SamplePlan(noise=x)).dataset.trajectories for x in (0.0, 0.05))
    np.testing.assert_allclose((noisy.x - clean.x).std(axis=0), 0.05 * clean.x.std(axis=0), rtol=0.1)


def test_a_second_run_goes_from_another_start_with_noise_of_its_own():
    how = SamplePlan(points=100, noise=0.1, starts=2, seed=3)
    first, second = load_bundled("system-5", how).dataset.trajectories
    clean = load_bundled("system-5", SamplePlan(points=100, starts=2)).dataset.trajectories
    assert (first.label, second.label) == ("first", "second")
    assert not np.allclose(clean[0].x[0], clean[1].x[0])
    drawn = [(run.x - bare.x) / bare.x.std(axis=0) for run, bare in zip((first, second), clean, strict=True)]
    assert not np.allclose(*drawn)


@pytest.mark.parametrize("set_id", ["system-4", "random-walk"])
def test_the_same_choices_draw_the_same_and_another_seed_does_not(set_id):
    noise = 0.02 if set_id == "system-4" else 0.0
    one, again, other = (load_bundled(set_id, SamplePlan(50, noise, seed=seed)) for seed in (1, 1, 2))
    assert one == again
    assert one.dataset.trajectories != other.dataset.trajectories


@pytest.mark.parametrize(
    ("set_id", "how", "name", "source"),
    [
        ("system-4", SamplePlan(), "", "1000 samples of one run, no noise."),
        ("system-4", SamplePlan(200, 0.02, 1, 3), ", 2 % noise, 200 points, seed 3", "200 samples of one run, noise"),
        ("system-4", SamplePlan(200, 0.0, 2, 3), ", 200 points, 2 runs", "200 samples of each of 2 runs, no noise."),
        ("noise", SamplePlan(), "", "1000 samples of one run, seed 0."),
        ("noise", SamplePlan(seed=7), ", seed 7", "1000 samples of one run, seed 7."),
    ],
)  # fmt: skip
def test_name_and_source_tell_how_it_was_drawn(set_id, how, name, source):
    title, data = load_bundled(set_id).dataset.name, load_bundled(set_id, how).dataset
    assert data.name == title + name
    assert f"As drawn: {source}" in data.source


def test_noise_forgets_and_a_walk_remembers():
    white, walk = (load_bundled(one).dataset.trajectories[0].x for one in NOTHING)
    after = [np.corrcoef(x[:-1, 0], x[1:, 0])[0, 1] for x in (white, walk)]
    assert abs(after[0]) < 0.1
    assert after[1] > 0.9


@pytest.mark.parametrize(
    ("set_id", "how", "part"),
    [
        ("yeast", SamplePlan(), "was measured"),
        ("noise", SamplePlan(noise=0.1), "noise already"),
        ("noise", SamplePlan(points=1), "1 points make no trajectory"),
        ("system-1", SamplePlan(starts=3), "Choose 1 or 2"),
        ("system-1", SamplePlan(seed=-1), "-1 is no seed"),
    ],
)
def test_what_cannot_be_drawn_is_refused(set_id, how, part):
    with pytest.raises(DataError, match=part):
        load_bundled(set_id, how)
