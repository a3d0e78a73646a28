"""Whether two entries of a log say the same, and where they differ most.

No floating-point program gives the same last digit on every processor: sums are added in another order, functions are
approximated otherwise. What can be kept is less, and all that matters: the same decisions and structures in the same
order, and numbers that agree to TOLERANCE. Each is compared on the scale to which it is known:

| number                     | a difference is taken over                              |
|----------------------------|---------------------------------------------------------|
| coefficient                | itself, or its standard error where that is larger      |
| NMSE of any kind           | itself, or ROUNDING                                     |
| score                      | itself, or one nat                                      |
| correlation                | one                                                     |
| array of samples           | the largest value of the array                          |
| number in a sentence       | itself, or half a unit of its last printed digit        |
| any other                  | itself                                                  |
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from math import inf, isfinite
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.records import Entry, FittedTerm

TOLERANCE = 1e-2
"""Relative difference up to which numbers agree; `python -m lab machines` measures what five kernels need."""
ROUNDING = 1e-9
"""NMSE that counts as none: how far below it an exact law stands hangs on rounding, and chaos makes that larger."""
LEAST = {
    "nmse": ROUNDING, "cv_nmse": ROUNDING, "held_out": ROUNDING, "score": 1.0, "null_score": 1.0, "walk_score": 1.0,
    "correlation": 1.0,
}  # fmt: skip
"""Field -> what its differences are taken over at least."""
BESIDE = {"seconds", "machine", "mse"}
"""Fields that no decision depends on, and an error in units of the data that stands beside as NMSE."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")

Sameness: TypeAlias = Literal["identical", "alike", "different"]
_Found: TypeAlias = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How one entry compares with another.

    Attributes:
        same: identical to the last bit; alike: no decision differs, and no number by more than TOLERANCE; or different.
        largest: the largest relative difference of a number; inf where a decision differs.
        place: where that is, as the path of its field; empty where nothing differs.
    """

    same: Sameness
    largest: float = 0.0
    place: str = ""


def compared(one: Entry, other: Entry) -> Likeness:
    """Compare two entries; times and the machine they were made on do not count."""
    largest, place = max(_differences(one, other, type(one).__name__.lower(), 0.0), default=(0.0, ""))
    same: Sameness = "identical" if not place else "alike" if largest <= TOLERANCE else "different"
    return Likeness(same, largest, place)


def alike(one: tuple[Entry, ...], other: tuple[Entry, ...]) -> bool:
    """Whether two logs have as many entries, and each is at least alike."""
    return len(one) == len(other) and all(
        compared(a, b).same != "different" for a, b in zip(one, other, strict=True) if a is not b
    )


def _differences(a: Any, b: Any, place: str, least: float) -> Iterator[_Found]:
    """Yield (difference, place) wherever two values differ at all; inf where it is no number."""
    if type(a) is not type(b):
        yield inf, place
    elif isinstance(a, np.ndarray):
        yield from _of_arrays(cast(Floats, a), cast(Floats, b), place)
    elif isinstance(a, float):
        yield from _of_numbers(a, b, place, least)
    elif isinstance(a, str):
        yield from _of_texts(a, b, place)
    elif is_dataclass(a) or isinstance(a, Mapping | tuple):
        yield from _of_parts(_parts(a), _parts(b), place, least)
    elif a != b:
        yield inf, place


def _parts(a: Any) -> dict[Any, Any]:
    """What a record, a table or a tuple holds, by name; a coefficient that is hardly known may move by its error."""
    if isinstance(a, Mapping):
        return dict(cast(Mapping[Any, Any], a))
    if isinstance(a, tuple):
        return dict(enumerate(cast(tuple[Any, ...], a)))
    found = {field.name: getattr(a, field.name) for field in fields(a) if field.name not in BESIDE}
    return {**found, "coefficient": _Known(a.coefficient, a.std_error or 0.0)} if isinstance(a, FittedTerm) else found


@dataclass(frozen=True, slots=True)
class _Known:
    """A number with its standard error."""

    value: float
    error: float


def _of_parts(ones: dict[Any, Any], others: dict[Any, Any], place: str, least: float) -> Iterator[_Found]:
    if list(ones) != list(others):
        yield inf, place
        return
    for key, a in ones.items():
        b, where = others[key], f"{place}.{key}" if isinstance(key, str) else f"{place}[{key}]"
        if isinstance(a, _Known):
            yield from _of_numbers(a.value, b.value, where, max(a.error, b.error))
        else:
            yield from _differences(a, b, where, LEAST.get(key, least) if isinstance(key, str) else least)


def _of_numbers(a: float, b: float, place: str, least: float) -> Iterator[_Found]:
    if a == b:
        return
    if not (isfinite(a) and isfinite(b)):
        yield inf, place
        return
    yield abs(a - b) / max(abs(a), abs(b), least), place


def _of_arrays(a: Floats, b: Floats, place: str) -> Iterator[_Found]:
    if a.shape != b.shape or not np.array_equal(np.isnan(a), np.isnan(b)):
        yield inf, place
    elif not np.array_equal(a, b, equal_nan=True):
        size = float(np.nanmax(np.abs((a, b))))
        yield float(np.nanmax(np.abs(a - b))) / size, place


def _of_texts(a: str, b: str, place: str) -> Iterator[_Found]:
    """Two sentences may print another last digit of a number; a word that differs is another decision."""
    if a == b:
        return
    numbers = _NUMBER.findall(a), _NUMBER.findall(b)
    if _NUMBER.sub("#", a) != _NUMBER.sub("#", b) or any("." not in n and "e" not in n for n in _changed(*numbers)):
        yield inf, place
        return
    for one, other in zip(*numbers, strict=True):
        if one != other:
            apart = abs(float(one) - float(other)) - max(_unit(one), _unit(other))
            yield max(apart, 0.0) / max(abs(float(one)), abs(float(other)), 1e-300), place


def _changed(ones: list[str], others: list[str]) -> list[str]:
    return [text for pair in zip(ones, others, strict=True) if pair[0] != pair[1] for text in pair]


def _unit(number: str) -> float:
    """One unit of the last printed digit."""
    digits, _, power = number.partition("e")
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
