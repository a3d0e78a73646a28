"""Temperatures in degrees Celsius: rates go by kelvins, and 0 °C is a mark on a scale."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.objections import ReviewCase, objections
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import FOREIGN, ODD, UNSAID, Prior
from dolq_core.fitting.score import complexity
from dolq_core.fitting.starts import starts
from dolq_core.mechanisms import counts_from_zero, entries, explanations, words_of
from dolq_core.terms import Names, Skeleton, parse_term
from dolq_core.units import is_celsius, is_kelvin
from tests.agents.problems import law, noisy, run, simulated

WARMED = "exp(params[0]*T/(273.15 + T))"


def in_units(given, *units):
    states = tuple(replace(v, unit=unit) for v, unit in zip(given.dataset.states, units, strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


def named(given, *names):
    states = tuple(replace(v, name=name, symbol=name) for v, name in zip(given.dataset.states, names, strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


def spoils(t, x):
    rate = np.exp(18.0 - 5400.0 / (x[1] + 273.15))
    return [-x[0] * rate, 0.3 * (31.0 - x[1])]


def test_a_rate_that_heat_activates_is_found_in_degrees_celsius():
    given = named(simulated(spoils, [2.0, 3.0], 12.0, "Vitamin is lost faster the warmer the juice is.", 400), "v", "T")
    done = run(in_units(given, "mg/L", "°C"))
    assert law(done) == {f"v*{WARMED}": pytest.approx(-np.exp(18.0 - 5400.0 / 273.15), rel=1e-3)}
    assert law(done, 1) == {"1": pytest.approx(9.3, rel=1e-3), "T": pytest.approx(-0.3, rel=1e-3)}


def test_radiation_goes_by_the_fourth_power_of_kelvins_under_noise():
    def cools(t, x):
        return [-3e-10 * ((x[0] + 273.15) ** 4 - 295.0**4) - 0.01 * (x[0] - 21.85)]

    given = noisy(cools, [700.0], 60.0, 0.02, 400, "A bar radiates and gives heat to the air.", ("T",), seed=3)
    assert set(law(run(in_units(given, "degC")))) == {"1", "T", "(273.15 + T)**4"}


def test_two_equations_with_one_rate_of_reaction_are_found_under_noise():
    def tank(t, x):
        rate = x[0] * np.exp(17.0 - 6000.0 / (x[1] + 273.15))
        return [1.0 - x[0] - rate, 92.0 - 2.5 * x[1] + 120.0 * rate]

    words = "Stirred tank with an exothermic reaction and a cooling jacket; the rate follows Arrhenius."
    given = in_units(named(noisy(tank, [0.95, 80.0], 8.0, 0.02, 500, words, seed=5), "c", "T"), "mol/L", "°C")
    done = run(given)
    assert [set(law(done, j)) for j in (0, 1)] == [{"1", "c", f"c*{WARMED}"}, {"1", "T", f"c*{WARMED}"}]


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("c/T", "T"), ("sqrt(T)", "T"), ("log(T)", "T"), ("T**params[0]", "T"), ("c*exp(-params[0]/T)", "T"),
        ("T", ""), ("c*T**2", ""), ("exp(params[0]*T)", ""), ("1/(4 + T)", ""), ("c/(273.15 + T)", ""), ("T/c", ""),
    ],
)  # fmt: skip
def test_what_means_nothing_where_zero_is_a_mark_on_a_scale(text, variable):
    skeleton = parse_term(text, Names(("c", "T"), ("c", "T"))).skeleton
    assert counts_from_zero(skeleton, {"T"}) == variable
    assert counts_from_zero(skeleton, ()) == ""


@pytest.mark.parametrize(
    ("units", "offered", "not_offered"),
    [
        (("mol/L", "°C"), "c*exp(params[0]*T/(273.15 + T))", "c*exp(-params[0]/T)"),
        (("mol/L", "K"), "c*exp(-params[0]/T)", "c*exp(params[0]*T/(273.15 + T))"),
        (("", ""), "T*exp(-params[0]/c)", "(273.15 + T)**4"),
        (("mol/L", "°C"), "(273.15 + T)**4", "exp(-params[0]/c)"),
        (("-", "1"), "c*exp(-params[0]/T)", "(273.15 + T)**4"),
        (("a.u.", "°F"), "exp(-params[0]/c)", "c*exp(-params[0]/T)"),
        (("-", "°C"), f"(1 - c)**params[0]*{WARMED.replace('0', '1', 1)}", "(1 - c)**params[0]*exp(-params[1]/T)"),
        (("-", "K"), "(1 - c)**params[0]*exp(-params[1]/T)", f"(1 - c)**params[0]*{WARMED.replace('0', '1', 1)}"),
    ],
)
def test_only_what_may_be_a_temperature_activates_or_radiates(units, offered, not_offered):
    given = in_units(named(simulated(spoils, [2.0, 3.0], 1.0, points=20), "c", "T"), *units)
    names = Names(("c", "T"), ("c", "T"))
    known = {entry.skeleton for j in (0, 1) for entry in entries(names, 2, j, words_of(given))}
    assert offered in known
    assert not_offered not in known
    assert offered in explanations(given, names, 0) or offered in explanations(given, names, 1)


def test_a_quotient_by_degrees_celsius_costs_more_and_is_objected_to():
    plain = named(simulated(spoils, [2.0, 3.0], 6.0, points=200), "c", "T")
    warm = in_units(plain, "mol/L", "°C")
    term = Skeleton("c/T")
    assert Prior(warm).name(0, term) == Prior(plain).name(0, term) + FOREIGN - UNSAID[2]
    for given, said in ((warm, True), (plain, False)):
        bench = Workbench.of(given.dataset)
        fits = [bench.fit(0, [term]), bench.fit(1, [Skeleton("1"), Skeleton("T")])]
        case = ReviewCase(given, bench, words_of(given), fits)
        found = objections(case, fits[0], fits[0].terms[0], explanations(given, bench.names, 0).get(term), {term})
        assert any("T is in degrees Celsius, whose zero is no absence of heat" in text for text in found) == said


def test_c_alone_is_degrees_celsius_of_what_is_called_a_temperature():
    given = in_units(named(simulated(spoils, [2.0, 3.0], 1.0, points=20), "charge", "temp"), "C", "C")
    words = words_of(given)
    assert (words.celsius, words.cold) == (("temp",), ("charge",))


def test_the_number_inside_begins_with_the_size_of_all_that_it_is_times():
    warm = np.linspace(5.0, 45.0, 50)
    found = starts("c*exp(params[0]*T/(273.15 + T))", {"T": warm, "c": warm})
    assert max(abs(one[0]) for one in found) * np.std(warm / (273.15 + warm)) == pytest.approx(3.0)


def test_how_far_above_zero_by_its_kelvins_is_one_variable():
    assert complexity("c*exp(params[0]*T/(273.15 + T))") == complexity("c*exp(params[0]*T)")


def test_an_exponential_of_degrees_celsius_is_no_odd_function():
    plain = named(simulated(spoils, [2.0, 3.0], 1.0, points=20), "c", "T")
    warm = in_units(plain, "mol/L", "°C")
    for text, less in (("c*exp(params[0]*T)", ODD["exp"]), ("c*exp(params[0]*c)", 0.0)):
        term = Skeleton(text)
        assert Prior(warm).name(0, term) == pytest.approx(Prior(plain).name(0, term) - less)


@pytest.mark.parametrize("text", ["°C", "degC", "deg C", "degrees Celsius", "celsius", " °C ", "ºC"])
def test_degrees_celsius_as_people_write_them(text):
    assert is_celsius(text)
    assert not is_kelvin(text)


@pytest.mark.parametrize("text", ["K", "kelvin", "°K", "Kelvin"])
def test_kelvins_as_people_write_them(text):
    assert is_kelvin(text)
    assert not is_celsius(text)


@pytest.mark.parametrize("text", ["", "C", "°F", "cC", "kg", "km", "rad"])
def test_what_is_neither(text):
    assert not is_celsius(text)
    assert not is_kelvin(text)
