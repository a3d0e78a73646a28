"""Kinds of terms."""

from typing import get_args

import pytest

from dolq_core.terms import KINDS, Kind, is_of_kind, parse_term, safe_names

NAMES = safe_names(["x", "y"])

MEMBERS = {
    "any": ["1", "x", "sin(y)"],
    "constant": ["1"],
    "linear": ["x", "y"],
    "power": ["x**2", "y**3"],
    "product": ["x*y", "x**2*y"],
    "third order": ["x**3", "x*y**2"],
    "ratio": ["1/x", "x/y", "x/(1 + y)", "1/(params[0] + x**2)"],
    "root": ["sqrt(x)", "x**1.5", "x**params[0]"],
    "angle": ["sin(x)", "x*cos(y)", "atan(x)"],
    "exponential": ["exp(-x)", "tanh(x)", "y*exp(params[0]*x)"],
    "logarithm": ["log(x)", "x*log(y)"],
    "size": ["abs(x)", "x*abs(y)", "sign(x)"],
    "time": ["t", "sin(t)", "x*t"],
    "fitted": ["sin(params[0]*x)", "x/(params[0] + x)"],
}
STRANGERS = {
    "constant": ["x"],
    "linear": ["2", "x**2", "t*x"],
    "power": ["x", "x*y", "1/x", "sqrt(x)", "(x + y)**2"],
    "product": ["x", "x/y", "x**2", "x*sin(y)"],
    "third order": ["x*y", "x**2", "sin(x)**3"],
    "ratio": ["x", "exp(-x)", "x**2/3"],
    "root": ["x", "1/x", "x**2"],
    "angle": ["exp(x)", "x"],
    "exponential": ["sin(x)", "x**2"],
    "logarithm": ["exp(x)"],
    "size": ["x**2"],
    "time": ["tan(x)"],
    "fitted": ["x/(2 + x)"],
}


def key(text: str):
    return parse_term(text, NAMES).skeleton


def test_every_kind_has_words_and_an_example():
    assert set(KINDS) == set(get_args(Kind)) == set(MEMBERS)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in MEMBERS.items() for text in texts])
def test_a_member_is_of_its_kind(kind, text):
    assert is_of_kind(key(text), kind)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in STRANGERS.items() for text in texts])
def test_a_stranger_is_not(kind, text):
    assert not is_of_kind(key(text), kind)


def test_a_variable_narrows_a_kind():
    assert is_of_kind(key("x**2"), "power", "x")
    assert not is_of_kind(key("x**2"), "power", "y")
    assert is_of_kind(key("sin(x)*y"), "any", "y")
