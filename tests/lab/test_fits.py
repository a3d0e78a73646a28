"""How often a fit of whole runs comes to the best numbers."""

from dataclasses import replace

from lab.benchmarks import fits
from tests.every import every

EASY = next(kind for kind in fits.KINDS if kind.name == "enzyme")


def test_a_fit_from_numbers_that_are_nearly_right_comes_to_the_best_ones():
    assert every(fits._comes_to_the_best(replace(EASY, wrong=0.05), seed) for seed in range(4))


def test_one_from_numbers_that_are_far_off_does_not():
    assert not fits._comes_to_the_best(replace(EASY, wrong=8.0), 0)


def test_the_page_adds_up_all_laws():
    rows = [{"law": name, "wrong": 0.3, "fits": 10, "best": best, "cpu_s": 2.0} for name, best in (("a", 4), ("b", 7))]
    (table,) = fits.page(rows)
    assert table.splitlines()[-1].split("|")[3:5] == [" 20 ", " 11 "]
