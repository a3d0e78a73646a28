"""The unit of a term from the units of its variables, by pint's arithmetic of exponents, without its table of units."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym
from dolq_core.terms.reader import read

if TYPE_CHECKING:
    from pint.util import UnitsContainer


class Unit(NamedTuple):
    """A product of powers: of units by name, and of what they measure, which decides what may be added."""

    powers: "UnitsContainer"
    measures: "UnitsContainer"

    def times(self, other: "Unit", exponent: float = 1.0) -> "Unit":
        """Return self * other**exponent."""
        return Unit(self.powers * other.powers**exponent, self.measures * other.measures**exponent)


class NoUnit(Exception):
    """A term to which no unit can be given: `outer` is taken of something in `unit`, or `other` is added to it."""

    def __init__(self, outer: str, unit: Unit, other: Unit | None = None) -> None:
        super().__init__(outer)
        self.outer, self.unit, self.other = outer, unit, other


def own_unit(name: str = "") -> Unit:
    """Return a unit that measures nothing but itself, such as "pupils"; without a name, that of a plain number."""
    from pint.util import UnitsContainer  # noqa: PLC0415 - it takes most of a second to load, and only units need it

    powers = UnitsContainer({name: 1.0} if name else {})
    return Unit(powers, powers)


def unit_of_term(skeleton: Skeleton, units: Mapping[str, Unit]) -> Unit | None:
    """Return the unit of a term, by the units of its symbols; None where its inner numbers may take any.

    Raises:
        NoUnit: for a function of something with a unit, or a sum of unlike things, that no inner number mends.
    """
    return _unit(read(skeleton), units)


def units_inside(skeleton: Skeleton, units: Mapping[str, Unit]) -> dict[int, Unit]:
    """Return the units of a term's inner numbers, by their index, where those of its symbols leave no choice.

    In S/(p + S) the number is an amount as S is, in exp(-p*t) it is one over a time. Raises NoUnit as `unit_of_term`.
    """
    found: dict[int, Unit] = {}
    _hand_down(read(skeleton), None, units, found)
    return found


def _hand_down(node: Expr, wanted: Unit | None, units: Mapping[str, Unit], found: dict[int, Unit]) -> None:
    """Give what a node has to be in, None for anything, to the numbers in it."""
    match node:
        case Param(index) if wanted is not None:
            found.setdefault(index, wanted)
        case Add(parts):
            own = _unit(node, units)
            for part in parts:
                _hand_down(part, wanted if own is None else own, units, found)
        case Mul(parts):
            known = [_unit(part, units) for part in parts]
            left = _left(wanted, known)
            for part, unit in zip(parts, known, strict=True):
                _hand_down(part, left if unit is None else None, units, found)
        case Pow(base, Num(value)):
            _hand_down(
                base, None if wanted is None or not value else own_unit().times(wanted, 1.0 / value), units, found
            )
        case Pow(base, exponent):
            _hand_down(exponent, own_unit(), units, found)
            _hand_down(base, None, units, found)
        case Call(name, arg):
            same = {"abs": wanted, "sign": None}
            _hand_down(arg, same[name] if name in same else own_unit(), units, found)
        case _:
            pass


def _left(wanted: Unit | None, known: Sequence[Unit | None]) -> Unit | None:
    """Return what is left for the one factor of a product whose unit is open; None where there are more, or none."""
    if wanted is None or known.count(None) != 1:
        return None
    left = wanted
    for unit in known:
        left = left if unit is None else left.times(unit, -1.0)
    return left


def _unit(node: Expr, units: Mapping[str, Unit]) -> Unit | None:
    match node:
        case Num():
            return own_unit()
        case Param():
            return None
        case Sym(name):
            return units[name]
        case Add(parts):
            return _sum([unit for part in parts if (unit := _unit(part, units)) is not None])
        case Mul(parts):
            return _product([_unit(part, units) for part in parts])
        case Pow(base, exponent):
            return _power(_unit(base, units), exponent, units)
        case Call(name, arg):
            return _call(name, _unit(arg, units))


def _sum(known: list[Unit]) -> Unit | None:
    for unit in known[1:]:
        if unit.measures != known[0].measures:
            raise NoUnit("a sum", known[0], unit)
    return known[0] if known else None


def _product(found: list[Unit | None]) -> Unit | None:
    whole = own_unit()
    for unit in found:
        if unit is None:
            return None
        whole = whole.times(unit)
    return whole


def _power(base: Unit | None, exponent: Expr, units: Mapping[str, Unit]) -> Unit | None:
    if isinstance(exponent, Num):
        return None if base is None else own_unit().times(base, exponent.value)
    above = _unit(exponent, units)
    if above is not None and above.measures:
        raise NoUnit("a power by the amount", above)
    if base is None or not base.measures or above is None:  # a fitted exponent: the coefficient takes what is left
        return None if base is None or base.measures else own_unit()
    raise NoUnit("a power that varies", base)


def _call(name: str, arg: Unit | None) -> Unit | None:
    if name == "abs":
        return arg
    if arg is not None and arg.measures and name != "sign":
        raise NoUnit(name, arg)
    return own_unit()
