"""The unit of a term from the units of its variables: exponents are added up, without any table of units."""

from collections.abc import Mapping
from dataclasses import dataclass

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym
from dolq_core.terms.parse import read

SAME_AS_ARGUMENT = frozenset({"abs"})
WITHOUT = frozenset({"sign"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of powers: of units by name, and of what they measure, which decides what may be added."""

    powers: frozenset[tuple[str, float]] = frozenset()
    measures: frozenset[tuple[str, float]] = frozenset()

    def times(self, other: "Unit", exponent: float = 1.0) -> "Unit":
        """Return self * other**exponent."""
        return Unit(_joined(self.powers, other.powers, exponent), _joined(self.measures, other.measures, exponent))


class NoUnit(Exception):
    """A term to which no unit can be given: `outer` is taken of something in `unit`, or `other` is added to it."""

    def __init__(self, outer: str, unit: Unit, other: Unit | None = None) -> None:
        super().__init__(outer)
        self.outer, self.unit, self.other = outer, unit, other


def unit_of_term(skeleton: Skeleton, units: Mapping[str, Unit]) -> Unit | None:
    """Return the unit of a term, by the units of its symbols; None where its inner numbers may take any.

    Raises:
        NoUnit: for a function of something with a unit, or a sum of unlike things, that no inner number mends.
    """
    return _unit(read(skeleton), units)


def _unit(node: Expr, units: Mapping[str, Unit]) -> Unit | None:
    match node:
        case Num():
            return Unit()
        case Param():
            return None
        case Sym(name):
            return units[name]
        case Add(parts):
            return _sum([_unit(part, units) for part in parts])
        case Mul(parts):
            return _product([_unit(part, units) for part in parts])
        case Pow(base, exponent):
            return _power(_unit(base, units), exponent, units)
        case Call(name, arg):
            return _call(name, _unit(arg, units))


def _sum(found: list[Unit | None]) -> Unit | None:
    known = [unit for unit in found if unit is not None]
    for unit in known[1:]:
        if unit.measures != known[0].measures:
            raise NoUnit("a sum", known[0], unit)
    return known[0] if known else None


def _product(found: list[Unit | None]) -> Unit | None:
    whole = Unit()
    for unit in found:
        if unit is None:
            return None
        whole = whole.times(unit)
    return whole


def _power(base: Unit | None, exponent: Expr, units: Mapping[str, Unit]) -> Unit | None:
    if isinstance(exponent, Num):
        return None if base is None else Unit().times(base, exponent.value)
    above = _unit(exponent, units)
    if above is not None and above.measures:
        raise NoUnit("a power by the amount", above)
    if base is None or not base.measures or above is None:  # a fitted exponent: the coefficient takes what is left
        return None if base is None or base.measures else Unit()
    raise NoUnit("a power that varies", base)


def _call(name: str, arg: Unit | None) -> Unit | None:
    if name in SAME_AS_ARGUMENT:
        return arg
    if arg is not None and arg.measures and name not in WITHOUT:
        raise NoUnit(name, arg)
    return Unit()


def _joined(
    one: frozenset[tuple[str, float]], other: frozenset[tuple[str, float]], exponent: float
) -> frozenset[tuple[str, float]]:
    found = dict(one)
    for name, power in other:
        found[name] = found.get(name, 0.0) + exponent * power
    return frozenset((name, power) for name, power in found.items() if power)
