"""Terms of the program's own, read once for all names of variables."""

from dataclasses import replace
from itertools import permutations

import pytest

from dolq_core.errors import TermError
from dolq_core.mechanisms.families import FAMILIES
from dolq_core.terms import parse_term, read_form, safe_names

NAMES = (
    ("x",), ("E", "I"), ("S", "temp (°C)"), ("u", "t2", "v"), ("x10", "x2", "x1"), ("e", "pi", "t"), ("a0", "x0"),
    ("glucose concentration", "insulin level in plasma", "b"), ("x1", "a1", "zz"),
)  # fmt: skip


def direct(text, names):
    try:
        return parse_term(text, names).skeleton
    except TermError:
        return None


@pytest.mark.parametrize("own", NAMES)
def test_a_form_is_the_term_that_its_text_says(own):
    names = safe_names(own)
    forms = [form for family in FAMILIES for form in (*family.forms, *family.simpler)]
    orders = [dict(zip("xyzw", order * 4, strict=False)) for order in permutations(names.symbols)]
    texts = {form.format(**slots) for form in forms for slots in orders}
    assert len(texts) > 100
    assert {text: read_form(text, names) for text in texts} == {text: direct(text, names) for text in texts}


def test_a_text_that_is_no_term_is_none():
    names = safe_names(["x"])
    assert read_form("x - x", names) is None
    assert read_form("z*x", names) is None


def test_a_column_called_like_a_function_hides_it_from_no_form():
    names = safe_names(["x", "sqrt"])
    assert read_form("x/sqrt(x**2 + sqrt_**2)", names) == "x/sqrt(sqrt_**2 + x**2)"


def test_a_function_of_a_persons_own_is_read_in_a_form():
    names = replace(safe_names(["x", "y"]), functions=(("pull", "x**2"),))
    assert read_form("y*pull(x)", names) == "x**2*y"
