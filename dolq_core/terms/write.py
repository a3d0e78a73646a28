"""From a tree to plain text in the syntax of Python or of a language like it, with as few brackets as it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, inverse, is_divisor

Leaf = Callable[[Sym | Param], str]


@dataclass(frozen=True, slots=True)
class Syntax:
    """How a language writes what languages write differently.

    Attributes:
        power: the sign of the power.
        functions: its names for our functions, sqrt among them, where they are others.
        real_power: its function of two arguments for powers that may have no real value; empty where the sign does.
    """

    power: str = "**"
    functions: Mapping[str, str] = field(default_factory=dict[str, str])
    real_power: str = ""


PYTHON = Syntax()


def number(value: float) -> str:
    """Return `value` so that it reads back exactly; whole numbers without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def symbol(leaf: Sym | Param) -> str:
    """Return a variable as its symbol, a parameter as params[k]."""
    return leaf.name if isinstance(leaf, Sym) else f"params[{leaf.index}]"


def write(node: Expr, leaf: Leaf = symbol, syntax: Syntax = PYTHON) -> str:
    """Return `node` as text; `leaf` writes variables and parameters."""
    match node:
        case Num(value):
            return number(value)
        case Add(parts):
            return _sum([write(part, leaf, syntax) for part in parts])
        case Mul():
            return _product(node, leaf, syntax)
        case Pow():
            return _quotient("1", [node], leaf, syntax) if is_divisor(node) else _power(node, leaf, syntax)
        case Call(name, arg):
            return f"{syntax.functions.get(name, name)}({write(arg, leaf, syntax)})"
        case _:
            return leaf(node)


def _sum(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _product(node: Mul, leaf: Leaf, syntax: Syntax) -> str:
    sign, parts = "", node.parts
    if parts[0] == Num(-1.0):
        sign, parts = "-", parts[1:]
    above = [part for part in parts if not is_divisor(part)]
    below = [part for part in parts if is_divisor(part)]
    numerator = "*".join(_factor(part, leaf, syntax, first=not k and not sign) for k, part in enumerate(above))
    return sign + (_quotient(numerator or "1", below, leaf, syntax) if below else numerator)


def _quotient(numerator: str, below: list[Expr], leaf: Leaf, syntax: Syntax) -> str:
    divisors = [_factor(inverse(part), leaf, syntax) for part in below]
    return f"{numerator}/{divisors[0]}" if len(divisors) == 1 else f"{numerator}/({'*'.join(divisors)})"


def _factor(node: Expr, leaf: Leaf, syntax: Syntax, *, first: bool = False) -> str:
    text = write(node, leaf, syntax)
    bare = not isinstance(node, Add | Mul) and (first or not text.startswith("-"))
    return text if bare else f"({text})"


def _power(node: Pow, leaf: Leaf, syntax: Syntax) -> str:
    base, exponent = node.base, node.exponent
    if exponent == Num(0.5):
        return f"{syntax.functions.get('sqrt', 'sqrt')}({write(base, leaf, syntax)})"
    if syntax.real_power and not _is_whole(exponent):
        return f"{syntax.real_power}({write(base, leaf, syntax)}, {write(exponent, leaf, syntax)})"
    return f"{_tight(base, leaf, syntax)}{syntax.power}{_tight(exponent, leaf, syntax)}"


def _tight(node: Expr, leaf: Leaf, syntax: Syntax) -> str:
    """Return `node` as base or exponent: in brackets unless it is a single word."""
    text = write(node, leaf, syntax)
    is_root = isinstance(node, Pow) and node.exponent == Num(0.5)
    bare = isinstance(node, Sym | Param | Call | Num) or is_root
    return f"({text})" if text.startswith("-") or not bare else text


def _is_whole(exponent: Expr) -> bool:
    return isinstance(exponent, Num) and exponent.value.is_integer()
