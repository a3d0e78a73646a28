"""How often a fit of whole runs comes to the best numbers."""

from dataclasses import replace

import pytest

from dolq_core.fitting import whole_runs
from lab.benchmarks import fits
from tests.every import every

BY_NAME = {kind.name: kind for kind in fits.KINDS}
EASY = BY_NAME["enzyme"]


def test_a_fit_from_numbers_that_are_nearly_right_comes_to_the_best_ones():
    assert every(fits._comes_to_the_best(replace(EASY, wrong=0.05), seed) for seed in range(4))


def test_one_from_numbers_that_are_far_off_does_not():
    assert not fits._comes_to_the_best(replace(EASY, wrong=8.0), 0)


@pytest.mark.parametrize(
    ("law", "seeds"), [("round tank", (1, 2, 3)), ("Lorenz", (0, 1, 3)), ("prey, predator", (3, 4))]
)
def test_steps_that_cannot_be_taken_or_open_gaps_are_damped(law, seeds):
    """The tank's when gaps open; the others begin on the numbers that leave the narrowest gaps along the samples."""
    assert every(fits._comes_to_the_best(BY_NAME[law], seed) for seed in seeds)


@pytest.mark.parametrize(
    ("law", "seed"), [("round tank", 6), ("round tank", 7), ("the same, short", 0), ("chemostat", 14)]
)
def test_a_fit_that_runs_out_of_steps_begins_again_on_stretches(monkeypatch, law, seed):
    assert fits._comes_to_the_best(BY_NAME[law], seed)
    monkeypatch.setattr(whole_runs, "PARTS", ())
    assert not fits._comes_to_the_best(BY_NAME[law], seed)


@pytest.mark.parametrize("change", [{"chi2": 1e6}, {"gap": 1.0}])
def test_a_fit_that_ends_elsewhere_is_not_the_best(monkeypatch, change):
    fit = fits.fit_in_steps

    def changed(*of, looks):
        found = fit(*of, looks=looks)
        assert found is not None
        return replace(found, **(change if looks == fits.MOST_LOOKS else {}))

    monkeypatch.setattr(fits, "fit_in_steps", changed)
    assert not fits._comes_to_the_best(EASY, 0)


def test_the_page_adds_up_all_laws():
    rows = [{"law": name, "wrong": 0.3, "fits": 10, "best": best, "cpu_s": 2.0} for name, best in (("a", 4), ("b", 7))]
    (table,) = fits.page(rows)
    assert table.splitlines()[-1].split("|")[3:5] == [" 20 ", " 11 "]
