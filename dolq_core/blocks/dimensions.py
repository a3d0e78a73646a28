"""Units as a rule: a term whose units cannot agree, whatever its coefficient, is not tried."""

from functools import lru_cache

from dolq_core.records import Dataset
from dolq_core.terms import Skeleton, variables
from dolq_core.units import NoUnit, Unit, read_unit, unit_of_term


def units_of(dataset: Dataset) -> dict[str, Unit]:
    """Return the units that are known, by symbol."""
    return {v.symbol: unit for v in dataset.columns if (unit := read_unit(v.unit)) is not None}


def unit_fault(dataset: Dataset, skeleton: Skeleton) -> str:
    """Return why the units of a term do not agree; empty where they do, and where one that it needs is not known."""
    return _fault(skeleton, tuple((v.symbol, v.unit) for v in dataset.columns))


@lru_cache(maxsize=16384)
def _fault(skeleton: Skeleton, said: tuple[tuple[str, str], ...]) -> str:
    known = {symbol: unit for symbol, text in said if (unit := read_unit(text)) is not None}
    if not variables(skeleton) <= known.keys():
        return ""
    try:
        unit_of_term(skeleton, known)
    except NoUnit as none:
        what = f"takes {none.outer} of something with a unit" if none.other is None else "adds what has unlike units"
        return f"its units do not agree: it {what}"
    return ""
