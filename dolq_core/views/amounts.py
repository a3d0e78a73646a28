"""Shares and amounts in words."""

from math import sqrt
from typing import Final

from dolq_core.errors import grouped
from dolq_core.export.latex import RAISED, SMALL
from dolq_core.export.latex import borne as borne

MINUS: Final = "\N{MINUS SIGN}"
_PLURAL: Final = frozenset("second minute hour day week month year".split())


def percent(share: float) -> str:
    """Return a share in per cent."""
    if share < 1e-3:
        return "<0.1 %"
    return f"{100 * share:.1f} %" if share < 0.01 else f"{100 * share:.0f} %"


def of_spread(nmse: float) -> str:
    """Return the root of a normalised squared error as a share of the spread."""
    share = 100.0 * sqrt(nmse)
    return f"{share:.0f} %" if share >= 1.0 else "under 1 %"


def rounded(value: float) -> str:
    """Return a number with as many digits as a count needs."""
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")


def figure(value: float, digits: int = 3) -> str:
    """Return a number to so many digits, with a power of ten as people write it where it is very small or large."""
    text = f"{value:.{digits}g}"
    if 0.0 < abs(value) < SMALL and "e" not in text:
        text = f"{value:.{digits - 1}e}"
    mantissa, by, power = text.partition("e")
    if "." in mantissa and by:
        mantissa = mantissa.rstrip("0").rstrip(".")
    raised = str(int(power)).translate(RAISED) if by else ""
    return f"{mantissa}×10{raised}".replace("-", MINUS) if by else text.replace("-", MINUS)


def with_unit(value: float, unit: str) -> str:
    """Return a number with its unit."""
    number = grouped(value, ".0f") if 1e4 <= value < 1e7 else figure(value)
    return f"{number} {in_words(1.0 if number == '1' else value, unit)}".rstrip()


def every(step: float, unit: str) -> str:
    """Return a step of time behind the word "every": 0.5 days, 1 s, and day alone for 1 day."""
    text = with_unit(step, unit)
    return unit if unit in _PLURAL and text == f"1 {unit}" else text


def in_words(value: float, unit: str) -> str:
    """Return the unit as it stands behind an amount: 24.8 months, 1 month, 3 kg, 2 × 10^6/ml."""
    if unit[:1].isdigit():
        return f"× {unit}"
    return f"{unit}s" if unit in _PLURAL and value != 1.0 else unit


def moment(name: str, shown: str, value: float, unit: str) -> str:
    """Return a point in time, with its number as it is shown: "t = 12 h"; of a time called as its unit: "week 37.5"."""
    if name == unit:
        return f"{name} {shown}" if unit in _PLURAL else f"{name} = {shown}"
    return f"{name} = {shown} {in_words(value, unit)}".rstrip()
