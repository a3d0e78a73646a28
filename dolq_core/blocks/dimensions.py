"""Units as a rule: a term whose units cannot agree, whatever its coefficient, is not tried."""

from functools import lru_cache

from dolq_core.records import Dataset
from dolq_core.terms import Skeleton, variables
from dolq_core.units import NoUnit, Unit, read_unit, unit_of_term

CURVES = frozenset({"exp", "tanh", "sin", "cos", "tan"})
"""Functions that another unit of what they are taken of would make another function: a logarithm it only shifts."""


def units_of(dataset: Dataset) -> dict[str, Unit]:
    """Return the units that are known, by symbol."""
    return {v.symbol: unit for v in dataset.columns if (unit := read_unit(v.unit)) is not None}


def unit_fault(dataset: Dataset, skeleton: Skeleton) -> str:
    """Return why the units of a term do not agree; empty where they do, and where one that it needs is not known."""
    return _fault(skeleton, tuple((v.symbol, v.unit) for v in dataset.columns))


def curve_of_amount(dataset: Dataset, skeleton: Skeleton) -> str:
    """Return the curve, such as exp, that a term takes of something with a unit; empty where it takes none so.

    exp(length) would be another law in another unit, and exp(p*length) is not; log(length) differs by a constant.
    """
    none = _no_unit(skeleton, tuple((v.symbol, v.unit) for v in dataset.columns))
    return none.outer if none is not None and none.outer in CURVES else ""


def adds_unlike(dataset: Dataset, skeleton: Skeleton) -> bool:
    """Whether a term adds what measures unlike things, such as a temperature and a density, with no number between."""
    none = _no_unit(skeleton, tuple((v.symbol, v.unit) for v in dataset.columns))
    if none is None or none.other is None:
        return False
    one, other = (dict(unit.measures) for unit in (none.unit, none.other))
    return bool(one and other) and one != other and all(kind.startswith("[") for kind in (*one, *other))


def _fault(skeleton: Skeleton, said: tuple[tuple[str, str], ...]) -> str:
    none = _no_unit(skeleton, said)
    if none is None:
        return ""
    what = f"takes {none.outer} of something with a unit" if none.other is None else "adds what has unlike units"
    return f"its units do not agree: it {what}"


@lru_cache(maxsize=16384)
def _no_unit(skeleton: Skeleton, said: tuple[tuple[str, str], ...]) -> NoUnit | None:
    known = {symbol: unit for symbol, text in said if (unit := read_unit(text)) is not None}
    if not known.keys() >= (inside := variables(skeleton)) or not inside:  # the units of numbers alone agree
        return None
    try:
        unit_of_term(skeleton, known)
    except NoUnit as none:
        return none.with_traceback(None)
    return None
