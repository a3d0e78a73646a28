"""What is no term, and what is said about it."""

import time
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dolq_core.errors import TermError
from dolq_core.terms import Names, parse_term, read
from tests.terms.strategies import SYMBOLS


def refusal(text, names=SYMBOLS, **limits):
    with pytest.raises(TermError) as caught:
        parse_term(text, names, **limits)
    return caught.value


def test_a_term_has_150_nodes_at_most():
    def sum_of(minus):
        """75 x in 74 sums are 149 nodes; each minus is one more."""
        signs = ["-x" if k < minus else "x" for k in range(75)]
        return "+".join("(" + "+".join(signs[k::15]) + ")" for k in range(15))

    assert parse_term(sum_of(1), ["x"]).coefficient == 73.0
    assert "too large" in str(refusal(sum_of(2), ["x"]))


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("np.sinc(x0)", 3, "'sinc' is not a known function. Did you mean 'sin'? Use sin, cos,"),
        ("x0*foo", 3, "'foo' is not known. Known are x0, x1, x2, t"),
        ("x0*x3", 3, "'x3' is not known. Known are x0, x1, x2, t"),
        ("sin(x0", 3, "never closed"),
        ("x0)", 2, "unmatched"),
        ("2e", 0, "Write *"),
        ("x0 x1", 2, "an operator is missing"),
        ("x0 (x1)", 2, "an operator is missing"),
        ("sin(x0)cos(x1)", 7, "an operator is missing"),
        ("x0 = 1", 3, "an equation"),
        ("x0*", 2, "not a complete"),
        ("sin", 0, "sin(...)"),
        ("sin(x0, x1)", 0, "one argument"),
        ("power(x0)", 0, "two arguments"),
        ("sin(x=x0)", 5, "equation"),
        ("x0.real", 2, "'.real'"),
        ("np.inf*x0", 3, "'inf' is not a known constant"),
        ("x0[0]", 0, "square brackets"),
        ("params[x0]", 7, "whole number"),
        ("params[-1]", 7, "whole number"),
        ("params[True]", 7, "word of Python"),
        ("x0//2", 2, "//"),
        ("x0 % 2", 2, "%"),
        ("x0, x1", 0, "list of terms"),
        ("x0\nx1", 2, "one line"),
        ("²x0", 0, "**"),
        ("θ*x0²", 0, "'θ' is not known"),
        ("`temp`*x0", 0, "no column is called 'temp'"),
        ("x0*`x1", 3, "backtick"),
        ("х0", 0, "not known"),
        ("x0 if x1 else 2", 3, "'if'"),
        ("x0;", 2, "';' is not a sign"),
        ('x0"', 2, "a quotation mark is not a sign"),
        ("", 0, "nothing in it"),
        ("  ", 0, "nothing in it"),
        ("x0*`\ud83d`", 4, "'\\ud83d' is half of a letter"),
        ("x0 + s\udcd1n", 6, "'\\udcd1' is half of a letter"),
        ("x0 - x0", 0, "zero everywhere"),
        ("0*x0", 0, "zero everywhere"),
        ("sin(0)*params[0]", 0, "zero everywhere"),
        ("x0/0", 3, "divides by zero"),
        ("1/(x0 - x0)", 0, "divides by zero"),
        ("log(-1)*x0", 0, "log(-1)"),
        ("exp(1000)*x0", 0, "exp(1000)"),
        ("1e999*x0", 0, "out of range"),
        ("x0*1e-40", 3, "out of range"),
        ("9**9**9", 3, "over 12"),
        ("x0**13", 4, "over 12"),
        ("x0**(x1 - x1 + 13)", 0, "over 12"),
        ("(x0**4)**4", 3, "degree"),
        ("x0**7*x1**6", 2, "degree"),
        ("x0**8/(1 + x0**13)", 15, "over 12"),
        ("x1/(1 + x0**7)**2", 10, "degree"),
        ("C*x0 + C*x1", 0, "separate terms"),
        ("params[0]*x0 + params[1]*x1", 0, "separate terms"),
        ("C*(params[0]*x0 + params[1])", 0, "separate terms"),
        ("x0" + "+x1" * 100, 200, "200 is the limit"),
        ("(" * 50 + "x0" + ")" * 50, 0, "brackets"),
        ("-" * 150 + "x0", 60, "nested"),
    ],
)
def test_a_refusal_names_place_reason_and_way_out(text, position, said):
    error = refusal(text)
    assert error.position == position
    assert said in str(error)
    assert str(error).startswith("Cannot read the term ")
    assert f" at character {position + 1}: " in str(error)


def test_the_position_counts_characters_of_the_original():
    assert refusal("  `temp (°C)`*µ*foo", ["temp (°C)", "µ"]).position == 16
    assert refusal("µ*`temp (°C)`(2)", ["temp (°C)", "µ"]).position == 2


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "x0.__class__", "().__class__", "lambda: 0", "(x0 := 1)", "[x0 for x0 in x1]", "{x0}",
        "'x0'", "b'x0'", 'f"{x0}"', "...", "True", "None", "1j", "0x10", "1_000", "await x0", "*x0", "x0 and x1",
        "not x0", "x0 < x1", "x0 @ x1", "~x0", "x0;x1", "x0 # x1", "np", "np.linalg", "np.sin", "np.random.rand(3)",
        "os.system(x0)", "eval(x0)", "sin(*x0)", "sin(sin)", "sin(x0)(x1)", "\0", "x0\\\n", "1if x0 else 2", "01*x0",
        "１*x0", "ｓin(x0)",
    ],
)  # fmt: skip
def test_code_is_not_a_term(text):
    assert refusal(text).position is not None


@given(st.text(alphabet="x01 t2.3e()+-*/,[]^`'npsiCθ²\n\0\\=#", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_term_or_a_refusal(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            position = 0 if parse_term(text, SYMBOLS).skeleton else None
        except TermError as error:
            position = error.position
    assert position is not None
    assert 0 <= position <= len(text)


@pytest.mark.parametrize(
    "text", ["9**9**9**9**9", "x0" + "**9" * 60, "(" * 190, "-" * 199 + "1", "cbrt(" * 30 + "x0" + ")" * 30]
)
def test_what_would_explode_is_refused_at_once(text):
    start = time.process_time()
    refusal(text)
    assert time.process_time() - start < 10.0


def test_the_names_that_are_known_are_told_with_what_they_stand_for():
    names = Names(("x0", "temp (°C)"), ("x0", "temp"), "minute", told=("level of the tank, m", ""))
    known = "Known are x0 (level of the tank, m), `temp (°C)`, t (minute); a number to be fitted is "
    error = refusal("k*(feed - x0)", names, letters=True)
    assert (error.reason, error.position) == ("'feed' is not known", 3)
    assert error.way_out == f"{known}a letter, such as k, k1, Km, Ta or alpha (not C, d, e, p, t, x, y or z)"
    assert refusal("feed - x0", names).way_out == f"{known}params[0]"


def test_names_with_no_near_neighbour_get_no_guess():
    assert "Did you mean" not in str(refusal("qqq"))


@pytest.mark.parametrize(("count", "end"), [(11, "x10, t;"), (12, "x10, x11 ...;")])
def test_twelve_known_names_are_listed_at_most(count, end):
    assert f"x9, {end} a number" in refusal("qqq", [f"x{k}" for k in range(count)]).way_out


def test_an_own_name_that_is_no_identifier_is_shown_in_backticks():
    assert "`temp (°C)`" in str(refusal("foo", ["temp (°C)"]))


def test_too_many_inner_parameters_are_refused():
    text = "x0*" + "*".join(f"sin(params[{k}]*x0)" for k in range(4))
    assert parse_term(text, SYMBOLS, max_params=4).params == 4
    assert "4 inner parameters, and 3 is the limit" in str(refusal(text, max_params=3))


def test_a_bad_skeleton_is_refused_when_read():
    for text in ("x0 +", "", "9" * 400, "x0+" * 30_000 + "x0"):
        with pytest.raises(TermError):
            read(text)
