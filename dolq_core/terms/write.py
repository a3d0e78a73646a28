"""From a tree to plain text in Python's syntax, with as few brackets as it takes."""

from collections.abc import Callable

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, inverse, is_divisor

Leaf = Callable[[Sym | Param], str]


def number(value: float) -> str:
    """Return `value` so that it reads back exactly; whole numbers without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def symbol(leaf: Sym | Param) -> str:
    """Return a variable as its symbol, a parameter as params[k]."""
    return leaf.name if isinstance(leaf, Sym) else f"params[{leaf.index}]"


def write(node: Expr, leaf: Leaf = symbol) -> str:
    """Return `node` as text; `leaf` writes variables and parameters."""
    match node:
        case Num(value):
            return number(value)
        case Add(parts):
            return _sum([write(part, leaf) for part in parts])
        case Mul():
            return _product(node, leaf)
        case Pow():
            return _quotient("1", [node], leaf) if is_divisor(node) else _power(node, leaf)
        case Call(name, arg):
            return f"{name}({write(arg, leaf)})"
        case _:
            return leaf(node)


def _sum(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _product(node: Mul, leaf: Leaf) -> str:
    sign, parts = "", node.parts
    if parts[0] == Num(-1.0):
        sign, parts = "-", parts[1:]
    above = [part for part in parts if not is_divisor(part)]
    below = [part for part in parts if is_divisor(part)]
    numerator = "*".join(_factor(part, leaf, first=not k and not sign) for k, part in enumerate(above))
    return sign + (_quotient(numerator or "1", below, leaf) if below else numerator)


def _quotient(numerator: str, below: list[Expr], leaf: Leaf) -> str:
    divisors = [_factor(inverse(part), leaf) for part in below]
    return f"{numerator}/{divisors[0]}" if len(divisors) == 1 else f"{numerator}/({'*'.join(divisors)})"


def _factor(node: Expr, leaf: Leaf, *, first: bool = False) -> str:
    text = write(node, leaf)
    bare = not isinstance(node, Add | Mul) and (first or not text.startswith("-"))
    return text if bare else f"({text})"


def _power(node: Pow, leaf: Leaf) -> str:
    if node.exponent == Num(0.5):
        return f"sqrt({write(node.base, leaf)})"
    return f"{_tight(node.base, leaf)}**{_tight(node.exponent, leaf)}"


def _tight(node: Expr, leaf: Leaf) -> str:
    """Return `node` as base or exponent: in brackets unless it is a single word."""
    text = write(node, leaf)
    is_root = isinstance(node, Pow) and node.exponent == Num(0.5)
    bare = isinstance(node, Sym | Param | Call | Num) or is_root
    return f"({text})" if text.startswith("-") or not bare else text
