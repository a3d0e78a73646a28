"""A whole equation as a person types it."""

import time

import pytest

from dolq_core.errors import TermError
from dolq_core.terms import parse_equation, parse_term, safe_names

NAMES = safe_names(["prey", "temp (°C)"])


def skeletons(text: str, equation: int = 0) -> list[str]:
    return [term.skeleton for term in parse_equation(text, NAMES, equation)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("0.5*prey - 0.01*prey*`temp (°C)`", ["prey", "prey*`temp (°C)`"]),
        ("dprey/dt = prey + 1", ["prey", "1"]),
        ("d prey / d t = -prey", ["prey"]),
        ("prey' = C*prey", ["prey"]),
        ("1e-3*prey - -2*prey**2", ["prey", "prey**2"]),
        ("prey*(1 - params[0]*prey) - sin(prey - t)", ["prey*(1 - params[0]*prey)", "sin(prey - t)"]),
        ("2*prey + 3*prey", ["prey"]),
        ("prey**-1 + t", ["1/prey", "t"]),
    ],
)
def test_an_equation_is_read_summand_by_summand(text, terms):
    assert skeletons(text) == [parse_term(term, NAMES).skeleton for term in terms]


def test_the_coefficients_are_read_off():
    assert [term.coefficient for term in parse_equation("prey - 0.5*prey**2", NAMES, 0)] == [1.0, -0.5]


def test_the_left_side_must_be_the_rate_of_this_state():
    with pytest.raises(TermError, match="not the rate of temp"):
        skeletons("dprey/dt = 1", equation=1)
    assert skeletons("d`temp (°C)`/dt = 1", equation=1) == ["1"]


@pytest.mark.parametrize(
    ("text", "at"), [("prey + wolf", 7), ("dprey/dt = prey - 2*", 19), ("prey +", 5), ("", 0), ("prey = 1", 0)]
)
def test_what_cannot_be_read_is_named_with_its_place_in_the_whole_text(text, at):
    with pytest.raises(TermError) as caught:
        skeletons(text)
    assert caught.value.position == at
    assert caught.value.text == text


@pytest.mark.parametrize("left", [" " * 1999, "d" + " " * 1998, "d x/" * 499, "d /" * 600 + "d", " '" * 900])
def test_no_left_side_takes_long(left):
    """A left side of blanks took seconds when they could be shared out in several ways."""
    began = time.thread_time()
    with pytest.raises(TermError, match="not the rate of prey"):
        parse_equation(left + "=", NAMES, 0)
    assert time.thread_time() - began < 0.25


@pytest.mark.parametrize("left", [" d  prey  /  d  t ", "dprey/dt", "prey  ' ", "d prey/d s"])
def test_blanks_do_not_matter_on_the_left_side(left):
    assert skeletons(left + "= 1") == ["1"]


def test_a_refusal_of_the_left_side_can_be_stored_and_shown():
    with pytest.raises(TermError) as caught:
        parse_equation("`\ud83d' = 1", NAMES, 0)
    assert str(caught.value).encode("utf-8")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("cos(C*t)", "cos(params[0]*t)"),
        ("A*cos(w*t)", "cos(params[0]*t)"),
        ("V*S/(Km + S)", "S_/(params[0] + S_)"),
        ("K*S^2", "S_**2"),
        ("Vmax*S/(K_m + S)", "S_/(params[0] + S_)"),
        ("k*(Tamb - S)", "params[0] - S_"),
        ("k*(T_a - S)", "params[0] - S_"),
        ("k*(S_ref - S)", "params[0] - S_"),
        ("mu_max*S/(beta + S)", "S_/(params[0] + S_)"),
        ("S*exp(-lambda*t)", "S_*exp(-params[0]*t)"),
        ("a_1*sin(ω*t)", "sin(params[0]*t)"),
        ("α*S", "S_"),
    ],
)
def test_a_letter_that_is_no_column_is_a_number_to_be_fitted(typed, read):
    names = safe_names(["S (mM)", "P (mM)"])
    assert parse_term(typed, names, letters=True).skeleton == read
    (term,) = parse_equation(f"dS/dt = {typed}", names, 0, letters=True)
    assert term.skeleton == read


@pytest.mark.parametrize("typed", ["p*y", "N*s", "kT", "theta*S", "Tmax1*S", "alphas*S", "Sin*T"])
def test_a_letter_that_may_be_a_column_is_no_parameter(typed):
    with pytest.raises(TermError):
        parse_term(typed, safe_names(["S", "T", "n"]), letters=True)
