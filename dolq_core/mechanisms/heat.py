"""Mechanisms that go by the absolute temperature, for a variable in kelvin and for one in degrees Celsius.

In degrees Celsius exp(-E/T) becomes exp(E0*T/(T + 273.15)): its coefficient is the rate at 0 °C, and E0 the energy of
activation over that of heat there, so that both have the size of what is measured.
"""

import re
from collections.abc import Collection, Mapping

from dolq_core.mechanisms.family import Family, forms, stems
from dolq_core.mechanisms.words import Words
from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Call, Num, Pow, Sym, walk
from dolq_core.units import ZERO_CELSIUS

WARM = re.compile(r"\{(\w)\} \+ " + re.escape(str(ZERO_CELSIUS)))
"""A slot for a variable in degrees Celsius, in a form that makes kelvins of it."""
HOT = re.compile(r"exp\(-params\[\d\]/\{(\w)\}\)")
"""A slot for an absolute temperature."""
_SETS_IN = "a rate that sets in with heat: few partners have the energy that it takes"
_TURNS = "what has not turned over yet does so, to an open order, the faster the hotter it is"
_CONVERTS = stems("cure. cured curing resin epoxy cement concrete hydration conversion exotherm")
_SPEAK = stems("arrhenius reactor combust burn ignit exotherm heater heats heated heating")

HEAT = (
    Family(
        "activation by heat",
        forms(
            "exp(-params[0]/{x}); exp(-params[0]/{y}); {x}*exp(-params[0]/{x}); {x}*exp(-params[0]/{y}); "
            "{y}*exp(-params[0]/{x})"
        ),
        _SETS_IN,
        _SPEAK,
        stage=4,
        simpler=("1", "{x}", "{y}", "1/{x}", "1/{y}"),
    ),
    Family(
        "activation by heat, on a scale of its own",
        forms(
            "{x}*exp({y}/(1 + params[0]*{y})); {y}*exp({x}/(1 + params[0]*{x})); exp({x}/(1 + params[0]*{x})); "
            "(1 - {x})*exp({y}/(1 + params[0]*{y})); (1 - {y})*exp({x}/(1 + params[0]*{x}))"
        ),
        _SETS_IN,
        (*_SPEAK, "scaled", "dimensionless"),
        stage=5,
        simpler=forms("{x}*exp({y}); {y}*exp({x}); exp({x})"),
    ),
    Family(
        "activation by heat, in degrees Celsius",
        forms(
            "exp(params[0]*{x}/({x} + 273.15)); exp(params[0]*{y}/({y} + 273.15)); "
            "{x}*exp(params[0]*{x}/({x} + 273.15)); {x}*exp(params[0]*{y}/({y} + 273.15)); "
            "{y}*exp(params[0]*{x}/({x} + 273.15)); {y}*exp(params[0]*{z}/({z} + 273.15)); "
            "{x}*{y}*exp(params[0]*{z}/({z} + 273.15))"
        ),
        _SETS_IN,
        (*_SPEAK, "warmer", "hotter", "warmth", "degrees"),
        stage=4,
        simpler=("1", "{x}", "{y}", "{x}*{y}"),
    ),
    Family(
        "conversion that heat drives",
        forms("(1 - {x})**params[0]*exp(-params[1]/{y}); (1 - {y})**params[0]*exp(-params[1]/{x})"),
        _TURNS,
        _CONVERTS,
        stage=5,
        simpler=forms(
            "(1 - {x})*exp(-params[0]/{y}); (1 - {x})**2*exp(-params[0]/{y}); (1 - {y})*exp(-params[0]/{x}); "
            "(1 - {y})**2*exp(-params[0]/{x}); (1 - {x})**params[0]; (1 - {y})**params[0]"
        ),
    ),
    Family(
        "conversion that heat drives, in degrees Celsius",
        forms(
            "(1 - {x})**params[0]*exp(params[1]*{y}/({y} + 273.15)); "
            "(1 - {y})**params[0]*exp(params[1]*{x}/({x} + 273.15))"
        ),
        _TURNS,
        _CONVERTS,
        stage=5,
        simpler=forms(
            "(1 - {x})*exp(params[0]*{y}/({y} + 273.15)); (1 - {x})**2*exp(params[0]*{y}/({y} + 273.15)); "
            "(1 - {y})*exp(params[0]*{x}/({x} + 273.15)); (1 - {y})**2*exp(params[0]*{x}/({x} + 273.15)); "
            "(1 - {x})**params[0]; (1 - {y})**params[0]"
        ),
    ),
    Family(
        "radiation, in degrees Celsius",
        forms("({x} + 273.15)**4; ({y} + 273.15)**4"),
        "radiation, with the fourth power of the absolute temperature",
        stems("radiat emissiv stefan boltzmann glow"),
        stage=3,
    ),
)


def is_meant(form: str, own: Mapping[str, str], words: Words) -> bool:
    """Whether every variable that a form takes for a temperature may be one. own: slot -> own name."""
    kelvins, celsius = HOT.findall(form), WARM.findall(form)
    unlike = any(own[slot] in (*words.celsius, *words.cold) for slot in kelvins)
    return not unlike and all(own[slot] in words.celsius for slot in celsius)


def counts_from_zero(skeleton: Skeleton, celsius: Collection[str]) -> str:
    """Return the variable in degrees Celsius that a term takes for an amount; empty where it takes none so.

    A quotient by it, a root, an open power and a logarithm mean nothing where 0 °C is only a mark on a scale; sums,
    products and exponentials of it do. celsius: symbols.
    """
    for node in walk(read(skeleton)) if celsius else ():
        match node:
            case Pow(Sym(name), Num(power)) if power > 0.0 and power.is_integer():
                pass
            case Pow(Sym(name), _) | Call("log", Sym(name)) if name in celsius:
                return name
            case _:
                pass
    return ""
