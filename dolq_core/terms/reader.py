"""From text in Python's characters to the tree of a term, by an allow-list. Text is never evaluated."""

import ast
import difflib
import math
import re
from collections.abc import Container
from functools import lru_cache
from typing import Final

from dolq_core.errors import TermError
from dolq_core.terms import limits
from dolq_core.terms.calls import ONE_ARGUMENT, SHOWN, TWO_ARGUMENTS
from dolq_core.terms.expr import (
    Expr,
    Num,
    Param,
    Skeleton,
    Sym,
    add,
    invert,
    multiply,
    negate,
    params_in,
    power,
    powers,
    walk,
)
from dolq_core.terms.limits import Unfit, Unknown, check_number
from dolq_core.terms.names import RESERVED

MODULES: Final = frozenset({"np", "numpy", "math"})
CONSTANTS: Final = {"pi": math.pi, "e": math.e}
RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
SIGNS: Final = {"^": "**", **dict.fromkeys("×·⋅∙∗•", "*"), **dict.fromkeys("−–—‐‑", "-"), **dict.fromkeys("÷∕⁄", "/")}
LOOK_ALIKES: Final = {
    **{char: f"Write {sign}" for char, sign in SIGNS.items()},
    **dict.fromkeys(RAISED, "Write a power with **, as in x**2"),
    **{"√": "Write sqrt(...)", "∛": "Write cbrt(...)", "½": "Write 0.5", "¼": "Write 0.25", "¾": "Write 0.75"},
    **dict.fromkeys("≤≥≠≈<>", "Write max(...), min(...) or step(...) for a threshold"),
    **dict.fromkeys("∫∂∑'′’", "Write a term of the right-hand side, without derivatives, integrals and sums"),
}
COMMA: Final = "Write decimal numbers with a point, as in 1.5, and one term at a time"
LANGUAGE: Final = "Use names, numbers, + - * / ** and functions"
_TOKENS: Final = re.compile(
    r"(?>(?:[A-Za-z_][A-Za-z_0-9]*+"
    r"|(?>[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?>(?:[eE][+-]?[0-9]++)?)(?![\w.])"
    r"|[-+*/()\[\], %.])*)"  # not (...)*+: Python 3.11.2 keeps the part of a group that did not match
)
_SIDE_BY_SIDE: Final = re.compile(r"[\w\])](?=\s+[\w(])|[\])](?=\s*[\w(])")
_LETTER: Final = re.compile(r"params\[(\d+)\]")
_SHOWN_PARAM: Final = re.compile(r"p([1-9]\d?)")
_REFUSED: Final[dict[type[ast.AST], str]] = {
    ast.FloorDiv: "//", ast.Mod: "%", ast.Tuple: "a list of terms", ast.List: "a list",
    ast.Starred: "a starred argument",
}  # fmt: skip


class _Symbols(dict[str, str]):
    """Every symbol stands for itself: for text that is canonical already."""

    def __contains__(self, name: object) -> bool:
        return name == "t" or name not in RESERVED

    def __missing__(self, name: str) -> str:
        return name


SYMBOLS: Final = _Symbols()


@lru_cache(maxsize=4096)
def read(skeleton: Skeleton) -> Expr:
    """Return the tree of a skeleton. The same limits hold as for any text.

    Raises:
        TermError: for text that is no skeleton.
    """
    longest = 10 * limits.MAX_LENGTH  # the program's own: numbers stand in the place of parameters
    if len(skeleton) > longest:
        raise TermError(skeleton, f"it has {len(skeleton)} characters, and {longest} is the limit", "")
    try:
        return read_tree(skeleton, SYMBOLS)
    except Unfit as fault:
        raise TermError(skeleton, fault.reason, fault.way_out, fault.position) from None


@lru_cache(maxsize=4096)
def count_params(skeleton: Skeleton) -> int:
    """Return the number of inner parameters."""
    return len(set(params_in(read(skeleton))))


@lru_cache(maxsize=4096)
def variables(skeleton: Skeleton) -> frozenset[str]:
    """Return the symbols that occur, `t` among them."""
    return frozenset(node.name for node in walk(read(skeleton)) if isinstance(node, Sym))


def read_tree(text: str, names: dict[str, str]) -> Expr:
    """Return the tree of `text`; `names` gives the symbol for every known name.

    Raises:
        Unfit: with the position in `text`.
    """
    expr = _Reader(names).read(_syntax_tree(text))
    check_degree(expr, max(text.find("**"), 0))
    return expr


def check_degree(expr: Expr, position: int | None = None) -> None:
    """Raise Unfit when the degree of `expr`, above its line or below it, is over MAX_EXPONENT."""
    if max(powers(expr)) > limits.MAX_EXPONENT:
        way_out = f"Use powers up to {limits.MAX_EXPONENT} in all, above a line and below it"
        raise Unfit(f"its degree is over {limits.MAX_EXPONENT}", way_out, position)


# --- Python's syntax tree: length, characters and nesting are checked before Python sees the text ---


def nothing() -> Unfit:
    """Return what is said of an empty text."""
    return Unfit("there is nothing in it", "Write a term such as x0*x1", 0)


def _syntax_tree(text: str) -> ast.expr:
    """Return Python's syntax tree of `text`.

    Raises:
        Unfit: for characters outside the language, deep nesting and bad syntax; position in `text`.
    """
    if not text:
        raise nothing()
    tokens = _TOKENS.match(text)
    end = tokens.end() if tokens else 0
    if end < len(text):
        raise _bad_character(text[end], end)
    if text.count("(") + text.count("[") > limits.MAX_BRACKETS:
        raise Unfit(f"it has more than {limits.MAX_BRACKETS} brackets", "Split it into separate terms", 0)
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise _bad_syntax(text, error) from None
    except (MemoryError, RecursionError, ValueError):
        raise Unfit("it is nested too deeply", "Split it into separate terms", 0) from None


def _bad_character(char: str, position: int) -> Unfit:
    if char == "`":
        return Unfit("a backtick is not closed", "Write a name as `name`", position)
    if char == "=":
        reason = f"'{char}' makes it an equation, not a term"
        return Unfit(reason, "Write a single term of the right-hand side", position)
    if char in "0123456789.":
        return Unfit("a number runs into what follows it", "Write * between a number and a name, as in 2*x0", position)
    if char in "\r\n":
        return Unfit("it has more than one line", "Write one term in one line", position)
    shown = "a quotation mark" if char in "'\"" else f"'{char}'" if char.isprintable() else f"'\\x{ord(char):02x}'"
    return Unfit(f"{shown} is not a sign of the language", LOOK_ALIKES.get(char, LANGUAGE), position)


def _bad_syntax(text: str, error: SyntaxError) -> Unfit:
    position = min(max((error.offset or 1) - 1, 0), len(text) - 1)
    if "never closed" in error.msg or "unmatched" in error.msg:
        return Unfit(error.msg, "Close every bracket that is opened", position)
    gap = _SIDE_BY_SIDE.search(text)
    if gap:
        return Unfit("an operator is missing", "Write * between two factors", gap.end())
    way_out = "Write columns, numbers and functions of them with a sign between each two"
    if text[-1] in "+-*/(,":
        position, way_out = len(text) - 1, f"Write what follows {text[-1]}, or take it out"
    return Unfit("it is not a complete expression", way_out, position)


# --- the tree of a term -----------------------------------------------------------------------------


class _Reader:
    """Reads one term; counts nodes and depth while it goes down."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self._nodes = self._depth = self._free = 0

    def read(self, node: ast.expr) -> Expr:
        self._nodes += 1
        self._depth += 1
        try:
            if self._nodes > limits.MAX_NODES or self._depth > limits.MAX_DEPTH:
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
                return _constant(node.value)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp(op=ast.USub()):
                return negate(self.read(node.operand))
            case ast.UnaryOp(op=ast.UAdd()):
                return self.read(node.operand)
            case ast.Call():
                return self._call(node)
            case ast.Attribute():
                name, position = _member(node)
                if name in CONSTANTS:
                    return Num(CONSTANTS[name])
                raise Unfit(f"'{name}' is not a known constant", "Use pi or np.e, or write the number", position)
            case ast.Subscript():
                return _parameter(node)
            case _:
                what = _REFUSED.get(type(node), type(node).__name__)
                comma = isinstance(node, ast.Tuple)
                raise Unfit(f"{what} is not part of the language", COMMA if comma else LANGUAGE)

    def _name(self, name: str) -> Expr:
        if name in self._names:
            symbol = self._names[name]
            letter = _LETTER.fullmatch(symbol)
            return Param(int(letter[1])) if letter else Sym(symbol)
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
        names = list(self._names)
        product = as_product(name, self._names)
        if product:
            raise Unfit(f"'{name}' is not known", product)
        known = ", ".join([one if one.isidentifier() else f"`{one}`" for one in names[:12]])
        more = " ..." if len(names) > 12 else ""
        raise Unknown(name, _nearest(name, names), f"Known are {known}{more}; a number to be fitted is params[0]")

    def _binary(self, node: ast.BinOp) -> Expr:
        apart = self._apart(node)
        if apart is not None:
            return apart
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
                try:
                    return power(left, right)
                except Unfit as fault:
                    fault.position = node.right.col_offset
                    raise
            case _:
                sign = _REFUSED.get(type(node.op), type(node.op).__name__)
                raise Unfit(f"{sign} is not part of the language", "Use + - * / **", node.left.end_col_offset)

    def _apart(self, node: ast.BinOp) -> Expr | None:
        """Return what sin^2(x) and x(1 - x)^2 mean: powers of the function, and of the last bracket; else None."""
        if isinstance(node.op, ast.Div | ast.Pow) and self._is_product(node.right):
            raise Unfit("an operator is missing before the bracket", "Write * between factors", node.right.col_offset)
        match node:
            case ast.BinOp(ast.Name(name), ast.Pow(), ast.Call(ast.Constant(int(times)), [argument])):
                known = name in ONE_ARGUMENT and name not in self._names and times > 0
                return power(ONE_ARGUMENT[name](self.read(argument)), Num(float(times))) if known else None
            case ast.BinOp(ast.Call(first, [second]) as product, ast.Pow(), exponent) if self._is_product(product):
                return multiply(self.read(first), power(self.read(second), self.read(exponent)))
            case _:
                return None

    def _is_product(self, node: ast.expr) -> bool:
        """Whether a bracket follows a factor: (x + 1)(y - 1), N(1 - N/k); x(y) and x(t - 1) may be functions."""
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            return False
        if not isinstance(node.func, ast.Name):
            return isinstance(node.func, ast.BinOp) or self._is_product(node.func)
        is_sum = isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Add | ast.Sub)
        in_time = any(isinstance(part, ast.Name) and self._names.get(part.id) == "t" for part in ast.walk(node.args[0]))
        return node.func.id in self._names and is_sum and not in_time

    def _call(self, node: ast.Call) -> Expr:
        if self._is_product(node):
            return multiply(self.read(node.func), self.read(node.args[0]))
        name, position = self._function(node.func)
        if node.keywords:
            raise Unfit("a named argument is not part of the language", f"Write {name}(...) with plain arguments")
        arguments = [self.read(argument) for argument in node.args]
        if name.lower() in ONE_ARGUMENT or name.lower() in TWO_ARGUMENTS:
            name = name.lower()
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
        if isinstance(func, ast.Name):
            is_function = func.id in ONE_ARGUMENT or func.id in TWO_ARGUMENTS
            if is_function or not (func.id in self._names or func.id in CONSTANTS or func.id == "C"):
                return func.id, func.col_offset
        raise Unfit("an operator is missing before the bracket", "Write * between factors", func.end_col_offset)


def _member(node: ast.Attribute) -> tuple[str, int]:
    """Return the name after the point and its position."""
    position = (node.end_col_offset or 0) - len(node.attr)
    if isinstance(node.value, ast.Name) and node.value.id in MODULES:
        return node.attr, position
    reason = f"'.{node.attr}' is not part of the language"
    raise Unfit(reason, "Only np. and math. may stand before a point", position - 1)


def _constant(value: object) -> Expr:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit(f"{value!r} is not a number of the language", "Use real numbers")
    check_number(value)
    return Num(float(value))


def _parameter(node: ast.Subscript) -> Expr:
    if not isinstance(node.value, ast.Name) or node.value.id != "params":
        raise Unfit("square brackets only follow params", "Write variables as x0, x1 and parameters as params[0]")
    index = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(index, int) or isinstance(index, bool) or index > limits.MAX_INDEX:
        raise Unfit("params takes a whole number", "Write params[0], params[1] ...", node.slice.col_offset)
    return Param(index)


def as_product(name: str, known: Container[str]) -> str:
    """Return the way out for two known names without a sign between them; empty where it is something else."""
    cuts = [k for k in range(1, len(name)) if name[:k] in known and name[k:] in known]
    return f"For a product write {name[: cuts[0]]}*{name[cuts[0] :]}" if cuts else ""


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"Did you mean '{near[0]}'? " if near else ""
