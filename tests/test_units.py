"""Units of terms: they inform where they are known, and say nothing where they are not."""

from dataclasses import replace
from functools import partial

import pytest

from dolq_core.bundled import bundled, load_bundled
from dolq_core.records import EquationFit, FittedTerm, TermKey, Variable, Visited
from dolq_core.runs import Run
from dolq_core.terms import Names, parse_term
from dolq_core.units import is_unit, read_unit, unit_of, without_unit
from dolq_core.views.terms import unit_badge, unit_text
from tests.loop.states import state_of


def badge(text, first="thousand pelts", second="m", time="year", equation=0, law=()):
    """What the units say of a term in x' or y', of a best law with these terms."""
    state = state_of()
    states = (Variable("x", "x0", first), Variable("y", "x1", second))
    dataset = replace(state.problem.dataset, states=states, time=Variable("t", "t", time))
    given = replace(state, problem=replace(state.problem, dataset=dataset))
    read = partial(parse_term, names=Names(("x", "y"), ("x0", "x1"), "t"))
    if law:
        terms = tuple(FittedTerm(read(one).skeleton, 1.0, 0.1) for one in law)
        given = replace(given, best=(Visited(EquationFit(0, terms, 0.1, 0.1, 0.1, 1.0, 1.0), 1), None))
    skeleton = read(text).skeleton
    return unit_badge(Run("units", "", (), given), TermKey(equation, skeleton))


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("x", "1/year"),
        ("x**2", "1/(thousand pelts·year)"),
        ("x*y", "1/(m·year)"),
        ("y", "thousand pelts/(m·year)"),
        ("1", "thousand pelts/year"),
        ("sqrt(x)", "thousand pelts⁰·⁵/year"),
        ("x/(params[0] + x)", "thousand pelts/year"),
        ("x*exp(params[0]*y)", "1/year"),
        ("sign(y)*x", "1/year"),
        ("abs(x)", "1/year"),
        ("x*sin(params[0]*t)", "1/year"),
    ],
)
def test_the_coefficient_has_the_unit_that_is_left(text, unit):
    found = badge(text)
    assert (found.kind, found.coefficient) == ("constant", unit)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exp(x)", "exp of something in thousand pelts"),
        ("log(y)", "log of something in m"),
        ("y*sin(t)", "sin of something in year"),
        ("1/(1 + x)", "adds a plain number and thousand pelts"),
        ("(x + y)**0.5", "adds"),
    ],
)
def test_a_function_of_something_with_a_unit_is_impossible(text, why):
    found = badge(text)
    assert found.kind == "impossible"
    assert why in found.words


@pytest.mark.parametrize(
    ("term", "others", "coefficient"),
    [("x*log(x)", ["x"], "1/year"), ("log(x)", ["1"], "thousand pelts/year"), ("x*log(y)", ["x", "y"], "1/year")],
)
def test_the_term_beside_takes_up_the_unit_of_a_logarithm(term, others, coefficient):
    found = badge(term, law=[term, *others])
    assert (found.kind, found.coefficient, found.inside) == ("constant", coefficient, {})
    assert found.words.endswith(f"; {others[0]} takes up that of the logarithm.")
    assert badge(term, law=[term, "x**2"]).kind == "impossible"


def test_a_power_of_a_logarithm_needs_more_than_the_term_beside_it():
    assert badge("x*log(x)**2", law=["x*log(x)**2", "x"]).kind == "impossible"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("x/(params[0] + x)", {0: "thousand pelts"}),
        ("x**2/(params[0] + x**2)", {0: "thousand pelts²"}),
        ("x*exp(params[0]*t)", {0: "1/year"}),
        ("sin(params[0] + params[1]*t)", {0: "", 1: "1/year"}),
        ("exp(params[0]*y)/(params[1] + x)", {0: "1/m", 1: "thousand pelts"}),
        ("x/(params[0] + x + params[1]*x**2)", {0: "thousand pelts", 1: "1/thousand pelts"}),
        ("x**params[0]", {0: ""}),
        ("params[0]*params[1]*x", {}),
    ],
)
def test_a_number_inside_a_term_has_the_unit_that_its_place_leaves_it(text, inside):
    assert badge(text).inside == inside


def test_kelvins_are_degrees_celsius_and_a_number():
    assert badge("(x + 273.15)**4", first="°C").kind == "constant"
    assert badge("y*exp(params[0]*x/(x + 273.15))", first="°C").inside == {0: ""}
    assert badge("x + 20", first="°C").kind == "impossible"
    assert badge("x + 273.15", first="m").kind == "impossible"


def test_an_inner_number_takes_the_unit():
    assert badge("exp(params[0]*x)").coefficient == "thousand pelts/year"
    assert badge("1/(params[0] + params[1]*x)").kind == "constant"


def test_a_law_without_a_constant_is_consistent():
    assert badge("y", first="m", second="m/s", time="s").kind == "consistent"
    assert badge("sin(x)*y", first="rad", second="m/s", time="s", equation=1).coefficient == "1/s"


@pytest.mark.parametrize(("first", "time"), [("", "year"), ("thousand pelts", ""), ("a.u.", "year"), ("m^9^9", "s")])
def test_there_is_no_badge_where_a_unit_is_unknown(first, time):
    assert badge("x", first=first, time=time) is None


def test_units_of_variables_outside_the_term_do_not_matter():
    assert badge("x", second="").coefficient == "1/year"
    assert badge("exp(y)", first="").kind == "impossible"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("g/(m²·d)", "gram/(day·meter²)"),
        ("mg l^-1", "milligram/liter"),
        ("pupils", "pupils"),
        ("1", ""),
        ("%", "percent"),
    ],
)
def test_a_unit_is_read_as_it_is_written(text, said):
    assert unit_text(read_unit(text), {}) == said


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "__import__('os')", "m**9**9", "OD600", "1e999", "(((", "m/", "°s^0", "/s", "hm/secc", "x" * 500,
        "9",
    ],
)  # fmt: skip
def test_what_is_no_unit_is_not_read(text):
    assert read_unit(text) is None


def test_every_unit_that_comes_with_the_program_is_known_or_absent():
    for one in bundled():
        dataset = load_bundled(one.id).dataset
        for variable in (dataset.time, *dataset.states):
            assert (read_unit(variable.unit) is None) == (not variable.unit), (one.id, variable.unit)


@pytest.mark.parametrize(
    "text", ["s", "mg/l", "°C", "kJ/mol", "m3/s", "s-1", "OD600", "Stunden", "cells", "%", "ppb", "U"]
)
def test_a_unit_as_instruments_write_it_is_known(text):
    assert is_unit(text)


@pytest.mark.parametrize("text", ["", "x", "time", "good", "c", "e", "-", "12", "9**9", "__import__('os')", "(" * 40])
def test_a_word_a_constant_and_code_are_no_units(text):
    assert not is_unit(text)


@pytest.mark.parametrize(
    ("own", "time", "term", "said"),
    [
        ("g/L", "h", "x", "1/h"),
        ("g/L", "h", "x**2", "L/(g·h)"),
        ("g/l", "hours", "1", "g/(hours·l)"),
        ("mg/mL", "min", "x**2", "mL/(mg·min)"),
        ("m/s", "yr", "1", "m/(s·yr)"),
        ("J/K", "year", "1", "J/(K·year)"),
    ],
)
def test_a_unit_of_a_product_is_shown_as_it_was_typed(own, time, term, said):
    assert badge(term, first=own, time=time).coefficient == said


@pytest.mark.parametrize(("text", "same"), [("m3", "m^3"), ("g/m3", "g/m^3"), ("s-1", "1/s"), ("m/s2", "m/s**2")])
def test_a_power_may_be_written_without_its_sign(text, same):
    assert read_unit(text) is not None
    assert read_unit(text) == read_unit(same.replace("**", "^"))


@pytest.mark.parametrize(
    ("name", "bare", "unit"),
    [
        ("v m/s", "v", "m/s"),
        ("speed [m/s]", "speed", "m/s"),
        ("speed (m/s)", "speed", "m/s"),
        ("acceleration m/s^2", "acceleration", "m/s^2"),
        ("glucose mg/L", "glucose", "mg/L"),
        ("cells 1/mL", "cells", "1/mL"),
        ("oxygen mM", "oxygen", "mM"),
        ("energy kW·h", "energy", "kW·h"),
        ("area m^2", "area", "m^2"),
        ("bath °C", "bath", "°C"),
        ("humidity %", "humidity", "%"),
        ("rotifers per ml", "rotifers", "1/ml"),
        ("cells per litre", "cells", "1/L"),
        ("cells /ml", "cells", "1/ml"),
        ("glucose mg per ml", "glucose", "mg/ml"),
        ("calls per person per day", "calls per person", "1/day"),
        ("t / min", "t", "min"),
        ("Zeit / Minuten", "Zeit", "min"),
        ("[A] / mM", "[A]", "mM"),
        ("T / °C", "T", "°C"),
        ("T / K", "T", "K"),
        ("x_1 / mm", "x_1", "mm"),
        ("v / m / s", "v", "m/s"),
        ("v / (m/s)", "v", "m/s"),
        ("v / m s^-1", "v", "m s^-1"),
        ("c / mol L⁻¹", "c", "mol L⁻¹"),
        ("volume / mL", "volume", "mL"),
        ("cells / mL", "cells", "1/mL"),
        ("rain / day", "rain", "1/day"),
        ("glucose mg / L", "glucose", "mg/L"),
    ],
)
def test_a_unit_behind_a_name_is_its_unit(name, bare, unit):
    assert (without_unit(name), unit_of(name)) == (bare, unit)


@pytest.mark.parametrize(
    "name",
    ["sample A", "Vitamin C", "temp min", "ratio a/b", "ratio C/N", "lynx and/or hare", "foo/bar", "m/s", "x y", "x 2",
     "Group B", "pressure bar", "speed_mps", "signal S/N", "x m/m", "rate x/s",
     "mRNA per cell", "mg per ml", "per ml", "S/X", "S / X", "mg/L", "km/h", "km / h", "dR/dt", "dR / dt", "C / N",
     "N / N0", "V / V1", "mRNA / cell", "foo / bar", "prey / predators"],
)  # fmt: skip
def test_what_may_be_a_name_or_a_word_is_no_unit(name):
    assert (without_unit(name), unit_of(name)) == (name, "")


@pytest.mark.parametrize(("name", "unit"), [("flow (m3/s)", "m3/s"), ("x (2)", ""), ("hours", "")])
def test_a_name_tells_its_unit_in_brackets(name, unit):
    assert unit_of(name) == unit
    assert unit_of("elapsed hours", time=True) == "h"
