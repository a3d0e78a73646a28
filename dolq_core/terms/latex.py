"""Skeletons as LaTeX, for KaTeX in a web page and for papers. What a column is called cannot break out of it."""

import re
from collections.abc import Sequence
from typing import Final

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym, inverse, is_divisor
from dolq_core.terms.names import GREEK, Names
from dolq_core.terms.parse import read
from dolq_core.terms.show import with_numbers

_FUNCTIONS: Final = {
    **{name: rf"\{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "log": r"\ln",
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "sign": r"\operatorname{sign}",
}
_CAPITALS: Final = frozenset("Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split())
_LETTERS: Final = {chr(0x3B1 + k): name for k, name in enumerate([*GREEK[:17], "", *GREEK[17:]]) if name}
_ESCAPES: Final = {
    **{char: f"\\{char}" for char in "{}#%&_"},
    "\\": r"\textbackslash{}",
    "$": r"\textdollar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "`": "'",
}
_INDEXED: Final = re.compile(r"([A-Za-z]|[A-Za-z]{2,7}?)_?(\d+)")
_SUBSCRIPT: Final = re.compile(r"([A-Za-z])_([A-Za-z][A-Za-z0-9]*)")
_DIGITS: Final = 4


def to_latex(skeleton: Skeleton, names: Names, inner: Sequence[float] = ()) -> str:
    """Return the term as LaTeX in own names, without dollars; params[k] as p_{k+1} or the numbers in `inner`."""
    return _Typesetter(names).typeset(with_numbers(read(skeleton), inner))


def latex_name(name: str) -> str:
    r"""Return the name of a variable: x0 as x_{0}, theta as \theta, words upright, the rest as escaped text."""
    letter = _letter(name)
    if letter:
        return letter
    indexed = _INDEXED.fullmatch(name)
    if indexed and _letter(indexed[1]):
        return f"{_letter(indexed[1])}_{{{indexed[2]}}}"
    subscript = _SUBSCRIPT.fullmatch(name)
    if subscript:
        return rf"{subscript[1]}_{{\mathrm{{{subscript[2]}}}}}"
    if re.fullmatch(r"\w+", name, re.ASCII):
        return rf"\mathrm{{{latex_text(name)}}}"
    return rf"\text{{{latex_text(name)}}}"


def latex_number(value: float) -> str:
    r"""Return a number with four digits, powers of ten as 1.5 \times 10^{-7}."""
    text = f"{value:.0f}" if 1e4 <= abs(value) < 1e6 else f"{value:.{_DIGITS}g}"
    if "e" not in text:
        return text
    digits, exponent = text.split("e")
    power = f"10^{{{int(exponent)}}}"
    return {"1": power, "-1": f"-{power}"}.get(digits, rf"{digits} \times {power}")


def latex_text(text: str) -> str:
    """Return any text so that LaTeX and KaTeX set it as text: nothing in it is a command."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return "".join(_ESCAPES.get(char, char) for char in printable)


def _letter(name: str) -> str:
    """Return a single letter or the command of a Greek one; empty for any other name."""
    name = _LETTERS.get(name.replace("µ", "μ"), name)
    if re.fullmatch(r"[A-Za-z]", name):
        return name
    if name == "omicron":
        return "o"
    return f"\\{name}" if name in GREEK or name in _CAPITALS else ""


class _Typesetter:
    """Typesets one tree in the names of one system."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def typeset(self, node: Expr) -> str:
        match node:
            case Num(value):
                return latex_number(value)
            case Sym(name):
                own = self._names.time if name == "t" else self._names.own_of.get(name, name)
                return latex_name(own)
            case Param(index):
                return f"p_{{{index + 1}}}"
            case Add(parts):
                return self._sum(parts)
            case Mul(parts):
                return self._product(parts)
            case Pow():
                return self._product((node,)) if is_divisor(node) else self._power(node)
            case Call():
                return self._call(node)

    def _sum(self, parts: tuple[Expr, ...]) -> str:
        text = self.typeset(parts[0])
        for part in parts[1:]:
            shown = self.typeset(part)
            text += f" - {shown[1:]}" if shown.startswith("-") else f" + {shown}"
        return text

    def _product(self, parts: tuple[Expr, ...]) -> str:
        sign = ""
        if parts[0] == Num(-1.0):
            sign, parts = "-", parts[1:]
        elif isinstance(parts[0], Num) and parts[0].value < 0:
            sign, parts = "-", (Num(-parts[0].value), *parts[1:])
        above = [part for part in parts if not is_divisor(part)]
        below = [inverse(part) for part in parts if is_divisor(part)]
        if below:
            return rf"{sign}\frac{{{self._factors(above)}}}{{{self._factors(below)}}}"
        return sign + self._factors(above)

    def _factors(self, parts: list[Expr]) -> str:
        """Return factors side by side; a lone one needs no brackets."""
        if len(parts) < 2:
            return self.typeset(parts[0]) if parts else "1"
        shown = [self._factor(part) for part in parts]
        text = shown[0]
        for before, after in zip(shown, shown[1:], strict=False):
            text += _joint(before, after) + after
        return text

    def _factor(self, node: Expr) -> str:
        text = self.typeset(node)
        return _bracketed(text) if isinstance(node, Add) or text.startswith("-") else text

    def _power(self, node: Pow) -> str:
        if node.exponent == Num(0.5):
            return rf"\sqrt{{{self.typeset(node.base)}}}"
        exponent = self.typeset(node.exponent)
        base = node.base
        if isinstance(base, Call) and base.name in _FUNCTIONS and node.exponent in (Num(2.0), Num(3.0)):
            return f"{_FUNCTIONS[base.name]}^{{{exponent}}}{_bracketed(self.typeset(base.arg))}"
        text = self.typeset(base)
        plain = isinstance(base, Sym | Param) or (isinstance(base, Call) and base.name == "abs")
        if isinstance(base, Num) and re.fullmatch(r"[\d.]+", text):
            plain = True
        if plain and not re.search(r"_\{", text):
            return f"{text}^{{{exponent}}}"
        return f"{text}^{{{exponent}}}" if plain else f"{_bracketed(text)}^{{{exponent}}}"

    def _call(self, node: Call) -> str:
        inside = self.typeset(node.arg)
        if node.name == "exp":
            return f"e^{{{inside}}}"
        if node.name == "abs":
            return rf"\left\lvert {inside} \right\rvert"
        return f"{_FUNCTIONS[node.name]}{_bracketed(inside)}"


def _bracketed(text: str) -> str:
    return rf"\left({text}\right)"


def _joint(before: str, after: str) -> str:
    """Return what stands between two factors: a dot between numbers, a thin space beside words, else a space."""
    if after[0].isdigit():
        return r" \cdot "
    return r"\," if any(word in before + after for word in (r"\mathrm", r"\text")) else " "
