"""How numbers are said, and that a stranger's text cannot dress up."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dolq_core.export.latex import rounded
from dolq_core.records import Variable
from dolq_core.views import amounts
from pages.ui import formulas, goodness, words


def test_a_small_number_is_written_one_way_everywhere():
    """In a table, alone, in a sentence of the core, and in a law."""
    for value, said, in_law in ((0.0059, "0.0059", "0.0059"), (5.9e-4, "5.9×10⁻⁴", r"5.9\times 10^{-4}")):
        assert words.number(value, 2) == said
        assert amounts.figure(value) == said
        assert words.coefficient(value, None) == said
        assert rounded(value) == in_law
    assert words.coefficient(0.0059, 0.0002) == "0.00590 ±\N{NO-BREAK SPACE}0.00020"
    assert words.interval(0.0059, 0.0002) == "0.0055 to 0.0063"
    assert amounts.with_unit(5.9e-5, "mM") == "5.9×10⁻⁵ mM"


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (-0.2, 0.002, "−0.2000 ± 0.0020"),
        (-0.2, 0.0012, "−0.2000 ± 0.0012"),
        (1234.5, 25.0, "1\N{NARROW NO-BREAK SPACE}234 ± 25"),
        (-0.000827, 0.000014, "(−8.27 ± 0.14)×10⁻⁴"),
        (-9.81, 1e-13, "−9.81 ± 1.0×10⁻¹³"),
        (251.3274122871, 6.1e-8, "251.327412287 ± 6.1×10⁻⁸"),
        (-441768.0, 368465.0, "−440\N{NARROW NO-BREAK SPACE}000 ± 370\N{NARROW NO-BREAK SPACE}000"),
        (-28847.0, 115136.0, "−29\N{NARROW NO-BREAK SPACE}000 ± 120\N{NARROW NO-BREAK SPACE}000"),
        (7886.0, 1.7e11, "7\N{NARROW NO-BREAK SPACE}900 ± (1.7×10¹¹)"),
        (-3.096, 1.1e7, "−3.1 ± (1.1×10⁷)"),
        (-4744.0, 1695.0, "−4\N{NARROW NO-BREAK SPACE}700 ± 1\N{NARROW NO-BREAK SPACE}700"),
        (11.24, 4.02, "11.2 ± 4.0"),
        (0.5, None, "0.5"),
        (0.001, 0.005, "0.0010 ± 0.0050"),
        (0.0059, 0.0002, "0.00590 ± 0.00020"),
        (1.873e6, 1.2e8, "1.9×10⁶ ± (1.2×10⁸)"),
        (3.873e7, 1.2e8, "(0.39 ± 1.2)×10⁸"),
        (0.001, 3.0, "0.0010 ± 3.0"),
        (0.0, 3.0, "0 ± 3.0"),
    ],
)
def test_a_coefficient_is_cut_where_its_error_begins(value, error, said):
    assert words.coefficient(value, error).replace("\N{NO-BREAK SPACE}", " ").replace(words.BREAK, "") == said


def test_an_error_may_go_below_its_coefficient_and_a_power_of_ten_below_both():
    assert words.coefficient(-0.2, 0.0012) == "−0.2000 ±\N{NO-BREAK SPACE}0.0012"
    assert words.coefficient(-8.27e-4, 1.4e-5) == (
        "(−8.27\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.14)\N{ZERO WIDTH SPACE}×10⁻⁴"
    )


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (-0.9992, 0.0008, "−1.0008 to −0.9976"),
        (-0.001, 0.004, "−0.009 to 0.007"),
        (-28847.0, 115136.0, "−250\N{NARROW NO-BREAK SPACE}000 to 200\N{NARROW NO-BREAK SPACE}000"),
        (2e-7, 1e-8, "1.804×10⁻⁷ to 2.196×10⁻⁷"),
        (3.0, None, "not known"),
    ],
)
def test_an_interval_has_the_digits_that_mean_something(value, error, said):
    assert words.interval(value, error).replace("\N{NO-BREAK SPACE}", " ") == said


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(min_value=0, allow_infinity=False))
def test_every_interval_can_be_said(value, error):
    assert words.interval(value, error)


@example(0.0, 5e-324)
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(min_value=0, allow_infinity=False))
def test_every_coefficient_can_be_said(value, error):
    assert words.coefficient(value, error)


@pytest.mark.parametrize(("ratio", "said"), [(175.2, "×175"), (6.98, "×6.98"), (3e16, "×10¹⁶"), (math.inf, "×∞")])
def test_a_ratio_is_short(ratio, said):
    assert words.times(ratio) == said


@pytest.mark.parametrize("sign", "*_`$<>[]|\\~#:!&")
def test_no_sign_of_markup_goes_unescaped(sign):
    shown = words.plain(f"a{sign}b")
    assert f"\\{sign}" in shown


@pytest.mark.parametrize("text", [":material/check:", "www.example.org", "https://example.org", "me@example.org"])
def test_icons_links_and_addresses_are_broken_up(text):
    assert words.JOINER in words.plain(text)


def test_a_dollar_inside_latex_does_not_end_it():
    assert words.tex(r"\text{a\$b}") == r"$\text{a\textdollar b}$"


@pytest.mark.parametrize(
    ("latex", "least", "most"),
    [
        ("x", 1, 1),
        (r"x_{0}^{2}", 2, 3),
        (r"\mathrm{hare\_thousands}", 13, 15),
        (r"\tanh\left(\text{Effect}\right)", 12, 13),
    ],
)
def test_the_width_of_latex_is_about_right(latex, least, most):
    assert least <= words.letters(latex) <= most


def test_another_system_is_told_by_its_figure_and_no_yes():
    assert goodness.other("Tried now", [2.5e-3], [None], "part") == "Tried now: off by 5 % of the spread."
    assert goodness.other("Tried now", [2.5e-3], [0.2], "part").endswith("spread; held-out part: not yet, 45 %.")
    assert goodness.other("Tried now", [0.04], [], "part") == "Tried now: roughly, off by 20 % of the spread."
    assert goodness.other("With it", [None], [], "part") == "With it: not known."


def test_what_was_held_out_is_answered_apart():
    states = (Variable("x", "x"), Variable("y", "y"))
    said = goodness.answer([1e-6, 4e-4], states, [], [0.09, 0.04])
    assert said == "Yes: off by 2 % of the spread, most in y. Held-out part: roughly, 30 %, most in x."
    assert "held-out" not in goodness.answer([1e-6, 4e-4], states, [], [None, None])
    named = (Variable("Plasma conc.", "p"), Variable("y", "y"))
    assert goodness.answer([4e-4, 1e-6], named, []) == "Yes: off by 2 % of the spread, most in Plasma conc."


X = (Variable("x", "x"),)
LONG = r"\mathrm{sugar\ left\ in\ the\ first\ vessel\ of\ both\ rows}"


@pytest.mark.parametrize(
    ("nmse", "stands", "said"),
    [
        (0.04, ("provisional", True, 0.05), "Yes, to within the noise: off by 20 % of the spread."),
        (0.04, ("provisional", True, 0.01), "Roughly: off by 20 % of the spread."),
        (1.0, ("settled", True, 0.01), "From sample to sample, not over whole runs, where small differences grow: "),
        (1.0, ("provisional", False, 0.01), "Not yet: off by 100 % of the spread."),
        (1e-4, ("provisional", False, 1e-5), "Close, but not to within the noise: off by 1 % of the spread."),
        (1e-9, ("settled", False, 0.0), "Yes: off by under 1 % of the spread."),  # clean, to a millionth of the rate
        (1e-4, ("provisional", False, 1e-3), "Yes: off by 1 % of the spread."),
        (1e-4, ("none", True, 0.01), "Yes: off by 1 % of the spread. A good fit is not yet a law."),
        (1.0, ("none", True, 1.0), "No: off by 100 % of the spread."),
    ],
)
def test_the_answer_to_whether_it_fits_does_not_contradict_the_verdict(nmse, stands, said):
    assert goodness.answer([nmse], X, [], stands=[stands]).startswith(said)


@pytest.mark.parametrize(
    ("latex", "broken"),
    [
        (r"\dot{x} = 1.2\,x - 3\,x^{2}", r"\dot{x} = 1.2\,x \allowbreak -\nobreak  3\,x^{2}"),
        (r"\dot{x} = - 3\,x + y", r"\dot{x} = - 3\,x \allowbreak +\nobreak  y"),
        (r"\dot{x} = 0.5\,\left(x - y\right)", r"\dot{x} = 0.5\,\left(x - y\right)"),
        (r"\dot{x} = \textcolor{red}{\underline{x - 1}}", r"\dot{x} = \textcolor{red}{\underline{x - 1}}"),
        (r"\dot{x} = 2\times 10^{-4}\,x", r"\dot{x} = 2\times\nobreak  10^{-4}\,x"),
        (
            rf"\tfrac{{d}}{{dt}}\,p = - 3\,{LONG}\,p + p\,q",
            rf"\tfrac{{d}}{{dt}}\,p = - 3\,{LONG}\,\allowbreak p \allowbreak +\nobreak  p\,q",
        ),
    ],
)
def test_a_law_breaks_before_the_sign_of_a_summand_only(latex, broken):
    assert formulas.law(latex) == rf"$\displaystyle {broken}$"


def test_a_long_name_is_cut_in_its_middle():
    assert words.shortened("glucose (mmol/L)", 16) == "glucose (mmol/L)"
    assert words.shortened("glucose concentration (mmol/L)", 16) == "glucose …mmol/L)"


@pytest.mark.parametrize(
    ("text", "cell", "label"),
    [
        ("x**2*y/(1 + x**2)", "x²·y/(1 + x²)", "x<sup>2</sup>·y/(1 + x<sup>2</sup>)"),
        ("x**0.681", "x^(0.681)", "x<sup>0.681</sup>"),
        ("2*x**(2/3)", "2·x^(2/3)", "2·x<sup>2/3</sup>"),
        ("x**-1", "x⁻¹", "x<sup>-1</sup>"),
        ("x**p1", "x^p1", "x^p1"),
    ],
)
def test_powers_of_all_kinds_are_set_in_grids_and_charts(text, cell, label):
    assert words.cell_term(text) == cell
    assert words.chart_term(text) == label


@pytest.mark.parametrize(
    ("unit", "said"), [("10^6/ml", "3.1 × 10^6/ml"), ("kg", "3.1 kg"), ("day", "3.1 days"), ("", "3.1")]
)
def test_a_unit_that_begins_with_a_number_is_told_from_the_number_before_it(unit, said):
    assert words.with_unit(3.131, unit) == said
