"""From Python's syntax tree to the tree of a term, by an allow-list of nodes."""

import ast
import difflib
import re
from typing import Final

from dolq_core.terms.arithmetic import MAX_EXPONENT, Unfit
from dolq_core.terms.expr import Expr, Num, Param, Sym, add, degree, invert, multiply, negate, power
from dolq_core.terms.source import syntax_tree
from dolq_core.terms.vocabulary import CONSTANTS, MODULES, ONE_ARGUMENT, SHOWN, TWO_ARGUMENTS

MAX_DEPTH: Final = 60
MAX_NODES: Final = 150
MAX_DEGREE: Final = MAX_EXPONENT
MAX_INDEX: Final = 99
LARGEST: Final = 1e30
SMALLEST: Final = 1e-30
_FLOATS: Final = 1e300  # a whole number of Python may be larger than any float

_SHOWN_PARAM: Final = re.compile(r"p([1-9]\d?)")
_REFUSED: Final[dict[type[ast.AST], str]] = {
    ast.Compare: "a comparison",
    ast.BoolOp: "and/or",
    ast.IfExp: "a condition",
    ast.Lambda: "a function definition",
    ast.Tuple: "a list of terms",
    ast.List: "a list",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Starred: "a starred argument",
}


def read_tree(text: str, names: dict[str, str]) -> Expr:
    """Return the tree of `text` (from `Source.text`); `names` gives the symbol for every known name.

    Raises:
        Unfit: with the position in `text`.
    """
    expr = _Reader(names).read(syntax_tree(text))
    check_degree(expr, max(text.find("**"), 0))
    return expr


def check_degree(expr: Expr, position: int | None = None) -> None:
    """Raise Unfit when the total degree of `expr` is over MAX_DEGREE."""
    if degree(expr) > MAX_DEGREE:
        raise Unfit(f"its degree is over {MAX_DEGREE}", f"Use powers up to {MAX_DEGREE} in all", position)


def check_number(value: float) -> None:
    """Raise Unfit for a number that no data can tell from zero or infinity."""
    if value and not SMALLEST <= abs(value) <= LARGEST:
        shown = f"the number {value:g}" if abs(value) < _FLOATS else f"a number of {len(str(value))} digits"
        raise Unfit(f"{shown} is out of range", f"Use numbers from {SMALLEST:g} to {LARGEST:g}")


class _Reader:
    """Reads one term; counts nodes and depth while it goes down."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self._nodes = 0
        self._depth = 0
        self._free = 0

    def read(self, node: ast.expr) -> Expr:
        self._nodes += 1
        self._depth += 1
        try:
            if self._nodes > MAX_NODES or self._depth > MAX_DEPTH:
                raise Unfit("it is too large or nested too deeply", "Split it into separate terms")
            expr = self._node(node)
        except Unfit as fault:
            if fault.position is None:
                fault.position = node.col_offset
            raise
        self._depth -= 1
        return expr

    def _node(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name():
                return self._name(node.id)
            case ast.Constant():
                return _constant(node)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp(op=ast.USub()):
                return negate(self.read(node.operand))
            case ast.UnaryOp(op=ast.UAdd()):
                return self.read(node.operand)
            case ast.Call():
                return self._call(node)
            case ast.Attribute():
                return Num(self._module_constant(node))
            case ast.Subscript():
                return _parameter(node)
            case _:
                what = _REFUSED.get(type(node), type(node).__name__)
                raise Unfit(f"{what} is not part of the language", "Use names, numbers, + - * / ** and functions")

    def _name(self, name: str) -> Expr:
        if name in self._names:
            return Sym(self._names[name])
        if name in CONSTANTS:
            return Num(CONSTANTS[name])
        if name == "C":
            self._free += 1
            return Param(-self._free)
        shown = _SHOWN_PARAM.fullmatch(name)
        if shown:
            return Param(int(shown[1]) - 1)
        if name in ONE_ARGUMENT or name in TWO_ARGUMENTS:
            raise Unfit(f"'{name}' is a function", f"Write its argument in brackets: {name}(...)")
        raise Unfit(f"'{name}' is not known", f"{_nearest(name, list(self._names))}{_known(list(self._names))}")

    def _binary(self, node: ast.BinOp) -> Expr:
        left, right = self.read(node.left), self.read(node.right)
        match node.op:
            case ast.Add():
                return add(left, right)
            case ast.Sub():
                return add(left, negate(right))
            case ast.Mult():
                return multiply(left, right)
            case ast.Div():
                if right == Num(0.0):
                    raise Unfit("it divides by zero", "Divide by something else", node.right.col_offset)
                return multiply(left, invert(right))
            case ast.Pow():
                return _power(left, right, node.right.col_offset)
            case _:
                sign = _REFUSED.get(type(node.op), type(node.op).__name__)
                position = node.left.end_col_offset
                raise Unfit(f"{sign} is not part of the language", "Use + - * / **", position)

    def _call(self, node: ast.Call) -> Expr:
        name, position = self._function(node.func)
        if node.keywords:
            raise Unfit("a named argument is not part of the language", f"Write {name}(...) with plain arguments")
        arguments = [self.read(argument) for argument in node.args]
        if name in ONE_ARGUMENT and len(arguments) == 1:
            return ONE_ARGUMENT[name](arguments[0])
        if name in TWO_ARGUMENTS and len(arguments) == 2:
            return TWO_ARGUMENTS[name](arguments[0], arguments[1])
        if name in ONE_ARGUMENT or name in TWO_ARGUMENTS:
            wanted = "one argument" if name in ONE_ARGUMENT else "two arguments"
            raise Unfit(f"{name} takes {wanted}, not {len(arguments)}", f"Give {name} {wanted}", position)
        near = _nearest(name, [*ONE_ARGUMENT, *TWO_ARGUMENTS])
        raise Unfit(f"'{name}' is not a known function", f"{near}Use {SHOWN}", position)

    def _function(self, func: ast.expr) -> tuple[str, int]:
        if isinstance(func, ast.Attribute):
            return _member(func)
        if isinstance(func, ast.Name) and (func.id in ONE_ARGUMENT or func.id in TWO_ARGUMENTS):
            return func.id, func.col_offset
        if not isinstance(func, ast.Name) or func.id in self._names or func.id in CONSTANTS or func.id == "C":
            raise Unfit("an operator is missing before the bracket", "Write * between factors", func.end_col_offset)
        return func.id, func.col_offset

    def _module_constant(self, node: ast.Attribute) -> float:
        name, position = _member(node)
        if name not in CONSTANTS:
            raise Unfit(f"'{name}' is not a known constant", "Use pi or np.e, or write the number", position)
        return CONSTANTS[name]


def _member(node: ast.Attribute) -> tuple[str, int]:
    """Return the name after the point and its position."""
    position = (node.end_col_offset or 0) - len(node.attr)
    if not isinstance(node.value, ast.Name) or node.value.id not in MODULES:
        raise Unfit(
            f"'.{node.attr}' is not part of the language", "Only np. and math. may stand before a point", position - 1
        )
    return node.attr, position


def _constant(node: ast.Constant) -> Expr:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit(f"{value!r} is not a number of the language", "Use real numbers")
    check_number(value)
    return Num(float(value))


def _parameter(node: ast.Subscript) -> Expr:
    if not isinstance(node.value, ast.Name) or node.value.id != "params":
        raise Unfit("square brackets only follow params", "Write variables as x0, x1 and parameters as params[0]")
    index = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(index, int) or isinstance(index, bool) or index > MAX_INDEX:
        raise Unfit("params takes a whole number", "Write params[0], params[1] ...", node.slice.col_offset)
    return Param(index)


def _power(base: Expr, exponent: Expr, position: int) -> Expr:
    try:
        return power(base, exponent)
    except Unfit as fault:
        fault.position = position
        raise


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean '{near[0]}'? " if near else ""


def _known(names: list[str]) -> str:
    shown = [name if name.isidentifier() else f"`{name}`" for name in names[:12]]
    return f"Known are {', '.join(shown)}" + (" ..." if len(names) > 12 else "")
