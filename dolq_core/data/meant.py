"""Columns by the names that a person gives: as they stand in the table, or without their units."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from dolq_core.data.findings import quoted
from dolq_core.errors import did_you_mean
from dolq_core.records import Preparation
from dolq_core.units import without_unit


def meant(name: str, columns: Collection[str]) -> str:
    """Return the column called so, else the only one called so without a unit; the name itself where none is."""
    if name in columns or not name:
        return name
    found = [one for one in columns if without_unit(one) == name or one == without_unit(name)]
    return found[0] if len(found) == 1 else name


def all_meant(named: Mapping[str, str], columns: Collection[str]) -> dict[str, str]:
    """Return what is said of columns by the columns that are meant."""
    return {meant(name, columns): said for name, said in named.items()}


def both_meant(named: Mapping[str, str], columns: Collection[str]) -> dict[str, str]:
    """Return pairs of columns as the columns that are meant."""
    return {name: meant(other, columns) for name, other in all_meant(named, columns).items()}


def scaled_meant(how: Preparation, columns: Collection[str]) -> Preparation:
    """Return a preparation that scales the columns that are meant."""
    return replace(how, scaled=tuple(replace(one, column=meant(one.column, columns)) for one in how.scaled))


def none_meant(name: str, columns: Collection[str]) -> str:
    """Return the way out from a name that no column has: the nearest, and all there are."""
    near = did_you_mean(name, [*columns, *map(without_unit, columns)])
    return f"{near} The columns are {quoted(columns)}.".strip()
