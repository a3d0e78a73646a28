"""The page of a class says which one fits."""

from lab.benchmarks.classes import page


def rows(count: int, seconds: float) -> list[dict]:
    waited = {"class": count, "what": "the first picture", "places": count, "median_s": 1.0, "longest_s": seconds}
    load = {"troubles": [], "load_before": 0.5, "load_after": 1.0, "processors": 2}
    return [{**waited, "browsers": True}, {**waited, "browsers": False, "longest_s": 1.0}, {"class": count, **load}]


def test_the_largest_class_in_which_nobody_waited_too_long_fits():
    said = page([*rows(20, 3.4), *rows(10, 2.9)])
    assert said[0] == "A class of 10 fits: nobody waited longer than is promised."
    assert said[1] == "Class of 20. LONGER than promised: the first picture 3.4 s (browser)"
    assert said[4] == "Class of 10. Nobody waited longer than is promised."


def test_where_none_fits_the_page_says_so():
    assert page(rows(20, 3.01))[0] == "No class of these fits."
