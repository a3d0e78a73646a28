"""Terms as text: in the syntax of Python or of a language like it, in own names for people, and as LaTeX."""

import keyword
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from dolq_core.terms.expr import (
    Add,
    Call,
    Expr,
    Mul,
    Num,
    Param,
    Pow,
    Skeleton,
    Sym,
    inverse,
    is_divisor,
    negate,
    scaled,
    with_params,
)
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.terms.names import GREEK, SEVERAL, Names
from dolq_core.terms.reader import read

Leaf: TypeAlias = Callable[[Sym | Param], str]
COEFFICIENTS: Final = "ckab"
"""Letters for coefficients that are still to be fitted."""
_HALF: Final = Num(0.5)
_PARAMETER: Final = re.compile(r"params\[(\d+)\]")


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


def to_text(
    skeleton: Skeleton, names: Names, inner: Sequence[float] = (), digits: int = 4, *, in_sentence: bool = False
) -> str:
    """Return the term for a person to read and to type again, with p1, p2 ... or the numbers in `inner`.

    Names are the person's own where they can be typed, else symbols; in a sentence also those of several words.
    Numbers in `inner` are rounded to so many digits; the structure keeps its own.
    """

    def leaf(node: Sym | Param) -> str:
        if isinstance(node, Param):
            return f"p{node.index + 1}"
        name = short_name(node, names)
        if names.known.get(name) != node.name:
            return node.name  # `t` beside a column t, the second of two equal names
        readable = name.isidentifier() or (in_sentence and SEVERAL.fullmatch(name))
        return name if readable and not keyword.iskeyword(name) else node.name

    numbers = [float(f"{value:.{digits}g}") for value in inner]
    return Readable(leaf, Syntax()).write(with_numbers(read(skeleton), numbers))


def to_words(skeleton: Skeleton, called: Mapping[str, str], inner: Sequence[float] = (), digits: int = 4) -> str:
    """Return the term to be read only, each variable as it is `called`, with the numbers in `inner` if any."""
    numbers = [float(f"{value:.{digits}g}") for value in inner]
    return Readable(
        lambda node: f"p{node.index + 1}" if isinstance(node, Param) else called.get(node.name, node.name), Syntax()
    ).write(with_numbers(read(skeleton), numbers))


def to_python(skeleton: Skeleton, inner: Sequence[float] = ()) -> str:
    """Return the term in symbols and plain functions, numbers in full precision; read alike by Python and SymPy."""
    return write(with_numbers(read(skeleton), inner))


def to_code(
    skeleton: Skeleton,
    inner: Sequence[float],
    identifiers: Mapping[str, str],
    syntax: Syntax | None = None,
    parameter: Callable[[int], str] = "params[{}]".format,
) -> str:
    """Return the term as a factor in a program, numbers in full precision: in brackets where it is a sum or negative.

    identifiers: what stands for each symbol; a symbol that is not there stands for itself.
    parameter: writes the inner parameters that `inner` has no number for.
    """

    def leaf(node: Sym | Param) -> str:
        return identifiers.get(node.name, node.name) if isinstance(node, Sym) else parameter(node.index)

    tree = with_numbers(read(skeleton), inner)
    text = write(tree, leaf, syntax)
    return f"({text})" if isinstance(tree, Add) or text.startswith("-") else text


def to_latex(skeleton: Skeleton, names: Names, inner: Sequence[float] = (), digits: int = 4) -> str:
    """Return the term as LaTeX in own names, without dollars; params[k] as p_{k+1} or the numbers in `inner`.

    digits: of every number.
    """

    def leaf(node: Sym | Param) -> str:
        return f"p_{{{node.index + 1}}}" if isinstance(node, Param) else latex_name(short_name(node, names))

    return _Latex(leaf, digits).write(with_numbers(read(skeleton), inner))


def open_sum(skeletons: Sequence[Skeleton], names: Names) -> str:
    """Return a right-hand side whose numbers are still to be fitted, each under a name of its own: c1*x + c2/(p1 + x).

    Another letter stands for the coefficients where a column is called like one of them.
    """
    taken = {name.casefold() for name in names.known}
    free = (letter for letter in COEFFICIENTS if not {f"{letter}{k + 1}" for k in range(len(skeletons))} & taken)
    letter, inside = next(free, COEFFICIENTS[0]), 0
    parts: list[str] = []
    for k, skeleton in enumerate(skeletons, 1):
        text = to_text(_shifted(skeleton, inside), names)
        inside += len({*_PARAMETER.findall(skeleton)})
        own = f"{letter}{k}"
        parts.append(own if skeleton == "1" else f"{own}*({text})" if is_sum(skeleton) else f"{own}*{text}")
    return " + ".join(parts)


def _shifted(skeleton: Skeleton, by: int) -> Skeleton:
    return Skeleton(_PARAMETER.sub(lambda found: f"params[{int(found[1]) + by}]", skeleton))


def is_sum(skeleton: Skeleton) -> bool:
    """Whether the term is a sum, so that a factor before it needs brackets."""
    return isinstance(read(skeleton), Add)


def with_numbers(node: Expr, inner: Sequence[float]) -> Expr:
    """Return `node` with params[k] replaced by inner[k]; those beyond its length stay."""
    if not inner:
        return node
    return with_params(node, lambda p: Num(float(inner[p.index])) if 0 <= p.index < len(inner) else p, _folded)


def filled(skeleton: Skeleton, inner: Sequence[float]) -> Skeleton:
    """Return a term with numbers in the place of its parameters: nothing in it is fitted any more."""
    return Skeleton(write(with_numbers(read(skeleton), inner)))


def _folded(parts: Sequence[Expr]) -> Expr:
    """Return the product with its numbers made one, in front."""
    scale = math.prod([part.value for part in parts if isinstance(part, Num)])
    return scaled(scale, [part for part in parts if not isinstance(part, Num)])


def short_name(node: Sym, names: Names) -> str:
    """Return what a formula shows for a variable: its own name without the unit, where no other is called so."""
    return names.time if node.name == "t" else names.short_of.get(node.name, node.name)


# --- plain text, with as few brackets as it takes ---------------------------------------------------


def write(node: Expr, leaf: Leaf | None = None, syntax: Syntax | None = None) -> str:
    """Return `node` as text; `leaf` writes variables and parameters, else they are symbols and params[k]."""
    return Writer(leaf or _symbol, syntax or Syntax()).write(node)


def _symbol(leaf: Sym | Param) -> str:
    return leaf.name if isinstance(leaf, Sym) else f"params[{leaf.index}]"


class Writer:
    """Writes trees in one syntax; LaTeX and MathML override a part."""

    def __init__(self, leaf: Leaf, syntax: Syntax) -> None:
        self.leaf, self.syntax = leaf, syntax

    def write(self, node: Expr) -> str:
        """Return any tree."""
        match node:
            case Num(value):
                return self.number(value)
            case Sym() | Param():
                return self.leaf(node)
            case Add(parts):
                return self.sum(parts)
            case Mul(parts):
                return self.product(parts)
            case Pow():
                return self.product((node,)) if is_divisor(node) else self.power(node)
            case Call():
                return self.call(node)

    def number(self, value: float) -> str:
        """Return `value` so that it reads back exactly; whole numbers without a point."""
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)

    def sum(self, parts: tuple[Expr, ...]) -> str:
        """Return a sum."""
        text = self.write(parts[0])
        for part in parts[1:]:
            shown = self.write(part)
            text += f" - {shown[1:]}" if shown.startswith("-") else f" + {shown}"
        return text

    def product(self, parts: tuple[Expr, ...]) -> str:
        """Return a product, its sign in front."""
        sign = ""
        if isinstance(parts[0], Num) and parts[0].value < 0:
            value, sign = -parts[0].value, "-"
            parts = parts[1:] if value == 1.0 else (Num(value), *parts[1:])
        above = [part for part in parts if not is_divisor(part)]
        below = [inverse(part) for part in parts if is_divisor(part)]
        return sign + self.quotient(above, below, first=not sign)

    def quotient(self, above: list[Expr], below: list[Expr], *, first: bool) -> str:
        """Return factors over factors; `first`: nothing stands before it."""
        numerator = "*".join([self.factor(part, first=first and not k) for k, part in enumerate(above)]) or "1"
        divisors = "*".join([self.factor(part) for part in below])
        return f"{numerator}/({divisors})" if len(below) > 1 else f"{numerator}/{divisors}" if below else numerator

    def factor(self, node: Expr, *, first: bool = False) -> str:
        """Return one factor, in brackets where it needs them."""
        text = self.write(node)
        bare = not isinstance(node, Add | Mul) and (first or not text.startswith("-"))
        return text if bare else f"({text})"

    def power(self, node: Pow) -> str:
        """Return a power that is no divisor."""
        base, exponent = node.base, node.exponent
        if exponent == _HALF:
            return f"{self.syntax.functions.get('sqrt', 'sqrt')}({self.write(base)})"
        if self.syntax.real_power and not (isinstance(exponent, Num) and exponent.value.is_integer()):
            return f"{self.syntax.real_power}({self.write(base)}, {self.write(exponent)})"
        return f"{self.tight(base)}{self.syntax.power}{self.tight(exponent)}"

    def tight(self, node: Expr) -> str:
        """Return `node` as base or exponent: in brackets unless it is a single word."""
        text = self.write(node)
        bare = isinstance(node, Sym | Param | Call | Num) or (isinstance(node, Pow) and node.exponent == _HALF)
        return f"({text})" if text.startswith("-") or not bare else text

    def call(self, node: Call) -> str:
        """Return a function with its argument."""
        return f"{self.syntax.functions.get(node.name, node.name)}({self.write(node.arg)})"


class Readable(Writer):
    """Writes a sum as people do: x - 2 for -2 + x, and for -(2 - x) in a function or under a power."""

    def write(self, node: Expr) -> str:
        """Return any tree."""
        match node:
            case Pow(base, exponent):
                return super().write(Pow(_turned(base), exponent))
            case Call(name, arg):
                return super().write(Call(name, _turned(arg)))
            case _:
                return super().write(node)

    def sum(self, parts: tuple[Expr, ...]) -> str:
        """Return a sum."""
        return super().sum(plain_first(parts))


def _turned(node: Expr) -> Expr:
    """Return a difference with a minus sign in front as the opposite difference."""
    match node:
        case Mul((Num(-1.0), Add(parts))):
            return Add(tuple(map(negate, parts)))
        case _:
            return node


def plain_first(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return the parts of a sum, the first one that has no minus sign in front."""
    first = next((part for part in parts if not _is_negative(part)), parts[0])
    return first, *(part for part in parts if part is not first)


def _is_negative(node: Expr) -> bool:
    number = node.parts[0] if isinstance(node, Mul) else node
    return isinstance(number, Num) and number.value < 0.0


# --- LaTeX, for KaTeX in a web page and for papers: what a column is called cannot break out of it ---

_CAPITALS: Final = frozenset("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split())
_LETTERS: Final = {chr(0x3B1 + k): name for k, name in enumerate([*GREEK[:17], "", *GREEK[17:]]) if name}
_WORDS: Final = re.compile(r"\\text\{.*[ /].*\}")  # a name that a power would seem to stand on the end of
_ESCAPES: Final = {
    **{char: f"\\{char}" for char in "{}#%&_"}, "\\": r"\textbackslash{}", "$": r"\textdollar{}", "`": "'",
    "<": r"\textless{}", ">": r"\textgreater{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
}  # fmt: skip
_INDEXED: Final = re.compile(r"([A-Za-z]|[A-Za-z]{2,7}?)_?(\d+)")
_SUBSCRIPT: Final = re.compile(r"([A-Za-z])_([A-Za-z][A-Za-z0-9]*)")


class _Latex(Readable):
    """Typesets trees."""

    def __init__(self, leaf: Leaf, digits: int) -> None:
        super().__init__(leaf, Syntax())
        self.digits = digits

    def number(self, value: float) -> str:
        return latex_number(value, self.digits)

    def quotient(self, above: list[Expr], below: list[Expr], *, first: bool) -> str:
        return rf"\frac{{{self.row(above)}}}{{{self.row(below)}}}" if below else self.row(above)

    def row(self, parts: list[Expr]) -> str:
        """Return factors side by side; a lone one needs no brackets.

        Between two stands a dot if the second begins with a digit, a thin space beside words, else a space.
        """
        if len(parts) < 2:
            return self.write(parts[0]) if parts else "1"
        shown = [self.factor(part) for part in parts]
        text = shown[0]
        for before, after in zip(shown, shown[1:], strict=False):
            words = any(word in before + after for word in (r"\mathrm", r"\text"))
            text += (r" \cdot " if after[0].isdigit() else r"\," if words else " ") + after
        return text

    def factor(self, node: Expr, *, first: bool = False) -> str:
        text = self.write(node)
        return _bracketed(text) if isinstance(node, Add) or text.startswith("-") else text

    def power(self, node: Pow) -> str:
        base, exponent = node.base, self.write(node.exponent)
        if node.exponent == _HALF:
            return rf"\sqrt{{{self.write(base)}}}"
        if isinstance(base, Call) and FUNCTIONS[base.name].latex and node.exponent in (Num(2.0), Num(3.0)):
            return f"{FUNCTIONS[base.name].latex}^{{{exponent}}}{_bracketed(self.write(base.arg))}"
        text = self.write(base)
        plain = isinstance(base, Sym | Param) and not _WORDS.fullmatch(text)
        plain = plain or (isinstance(base, Call) and base.name == "abs")
        plain = plain or (isinstance(base, Num) and bool(re.fullmatch(r"[\d.]+", text)))
        return f"{text if plain else _bracketed(text)}^{{{exponent}}}"

    def call(self, node: Call) -> str:
        inside = self.write(node.arg)
        if node.name == "exp":
            return f"e^{{{inside}}}"
        if node.name == "abs":
            return rf"\left\lvert {inside} \right\rvert"
        return f"{FUNCTIONS[node.name].latex}{_bracketed(inside)}"


def _bracketed(text: str) -> str:
    return rf"\left({text}\right)"


def latex_name(name: str) -> str:
    r"""Return the name of a variable: x0 as x_{0}, theta as \theta, words upright, the rest as escaped text."""
    letter, subscript = name_parts(name)
    if not letter:
        command = "mathrm" if re.fullmatch(r"\w+", name, re.ASCII) else "text"
        return rf"\{command}{{{latex_text(name)}}}"
    shown = letter if len(letter) == 1 else "o" if letter == "omicron" else f"\\{letter}"
    below = subscript if subscript.isdigit() else rf"\mathrm{{{subscript}}}"
    return f"{shown}_{{{below}}}" if subscript else shown


def name_parts(name: str) -> tuple[str, str]:
    """Return the letter that a name is, a Greek one spelled, and its subscript; two empty texts for words."""
    name = _LETTERS.get(name.replace("µ", "μ"), name)
    indexed = _INDEXED.fullmatch(name) or _SUBSCRIPT.fullmatch(name)
    letter, subscript = (indexed[1], indexed[2]) if indexed else (name, "")
    is_letter = bool(re.fullmatch(r"[A-Za-z]", letter)) or letter in GREEK or letter in _CAPITALS
    return (letter, subscript) if is_letter else ("", "")


def latex_number(value: float, digits: int = 4) -> str:
    r"""Return a number with four digits, or so many, powers of ten as 1.5 \times 10^{-7}."""
    text = f"{value:.0f}" if digits == 4 and 1e4 <= abs(value) < 1e6 else f"{value:.{digits}g}"
    if digits == 4 and float(f"{value:.5g}") == value and "e" not in f"{value:.5g}":  # it is known so: 273.15
        text = f"{value:.5g}"
    if "e" not in text:
        return text
    mantissa, exponent = text.split("e")
    power = f"10^{{{int(exponent)}}}"
    return {"1": power, "-1": f"-{power}"}.get(mantissa, rf"{mantissa} \times {power}")


def latex_text(text: str) -> str:
    """Return any text so that LaTeX and KaTeX set it as text: nothing in it is a command."""
    return "".join(_ESCAPES.get(char, char if char.isprintable() else " ") for char in text)
