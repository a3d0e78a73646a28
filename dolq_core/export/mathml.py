"""Equations as MathML, which every browser of today sets by itself: no font, no script and no network is needed."""

import re
from collections.abc import Collection, Sequence
from html import escape
from typing import Final

from dolq_core.export.latex import PRINTED, SMALL
from dolq_core.export.law import ATTEMPT
from dolq_core.records import EquationFit
from dolq_core.terms import GREEK, Names, Skeleton, Syntax, is_sum, read
from dolq_core.terms.expr import Add, Call, Expr, Num, Param, Pow, Sym
from dolq_core.terms.show import Writer, name_parts, plain_first, short_name, with_numbers

NAMED: Final = {"log": "ln", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
_SMALL: Final = {name: chr(0x3B1 + k + (k > 16)) for k, name in enumerate(GREEK)}
_GREEK: Final = _SMALL | {name.capitalize(): char.upper() for name, char in _SMALL.items()}
_TIMES: Final = '<mspace width="0.2em"/>'


def system(fits: Sequence[EquationFit], names: Names, refused: Collection[int] = ()) -> str:
    """Return all equations, one below the other at their equals signs; numbers as they are: see `latex.as_printed`.

    refused: the equations that are no law, which say so.
    """
    rows = [
        f'<mtr><mtd style="text-align:right">{_left(names, fit.equation)}</mtd>'
        f"<mtd><mo>{'≈' if fit.equation in refused else '='}</mo></mtd>"
        f'<mtd style="text-align:left">{_right(fit, names)}'
        f"{f'{_TIMES}<mtext>({ATTEMPT})</mtext>' * (fit.equation in refused)}</mtd></mtr>"
        for fit in fits
    ]
    return f'<math display="block"><mtable>{"".join(rows)}</mtable></math>'


def term(skeleton: Skeleton, names: Names, inner: Sequence[float] = ()) -> str:
    """Return one term, with numbers inside as they are."""
    return f"<math>{_term(skeleton, names, inner)}</math>"


def _left(names: Names, equation: int) -> str:
    state = _name(names.short_of[names.symbols[equation]])
    return f"<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>{_TIMES}{state}"


def _right(fit: EquationFit, names: Names) -> str:
    parts: list[str] = []
    for one in fit.terms:
        sign = "<mo>−</mo>" if one.coefficient < 0.0 else ("<mo>+</mo>" if parts else "")
        number = _number(abs(one.coefficient))
        if one.skeleton == "1":
            parts.append(sign + number)
            continue
        body = _term(one.skeleton, names, one.inner)
        bracketed = _bracketed(body) if is_sum(one.skeleton) else body
        parts.append(sign + number + _TIMES + bracketed)
    return f"<mrow>{''.join(parts) or '<mo>?</mo>'}</mrow>"


def _term(skeleton: Skeleton, names: Names, inner: Sequence[float]) -> str:
    def leaf(node: Sym | Param) -> str:
        if isinstance(node, Param):
            return f"<msub><mi>p</mi><mn>{node.index + 1}</mn></msub>"
        return _name(short_name(node, names))

    return _Math(leaf, Syntax()).write(with_numbers(read(skeleton), inner))


def _number(value: float) -> str:
    text = f"{value:.{PRINTED}g}"
    if 0.0 < abs(value) < SMALL:
        text = re.sub(r"\.?0*e", "e", f"{value:.{PRINTED - 1}e}")
    if "e" not in text:
        return f"<mn>{text.replace('-', '−')}</mn>"
    digits, power = text.split("e")
    ten = f"<msup><mn>10</mn><mn>{str(int(power)).replace('-', '−')}</mn></msup>"
    return f"<mrow><mn>{digits.replace('-', '−')}</mn><mo>×</mo>{ten}</mrow>"


def _name(name: str) -> str:
    letter, subscript = name_parts(name)
    if not letter:
        return f"<mtext>{escape(''.join(char if char.isprintable() else ' ' for char in name))}</mtext>"
    shown = f"<mi>{_GREEK.get(letter, letter)}</mi>"
    below = f"<mn>{subscript}</mn>" if subscript.isdigit() else f"<mtext>{subscript}</mtext>"
    return f"<msub>{shown}{below}</msub>" if subscript else shown


class _Math(Writer):
    """Sets trees as presentation MathML."""

    def number(self, value: float) -> str:
        return _number(value)

    def sum(self, parts: tuple[Expr, ...]) -> str:
        text = "<mo>+</mo>".join(map(self.write, plain_first(parts)))
        text = text.replace("<mo>+</mo><mn>−", "<mo>−</mo><mn>")
        return f"<mrow>{text}</mrow>".replace("<mo>+</mo><mrow><mo>−</mo>", "<mrow><mo>−</mo>")

    def product(self, parts: tuple[Expr, ...]) -> str:
        text = super().product(parts)
        return f"<mrow><mo>−</mo>{text[1:]}</mrow>" if text.startswith("-") else text

    def quotient(self, above: list[Expr], below: list[Expr], *, first: bool) -> str:
        return f"<mfrac>{self.row(above)}{self.row(below)}</mfrac>" if below else self.row(above)

    def row(self, parts: list[Expr]) -> str:
        """Return factors side by side; a lone one needs no brackets."""
        if len(parts) < 2:
            return self.write(parts[0]) if parts else "<mn>1</mn>"
        shown = [_bracketed(self.write(part)) if isinstance(part, Add) else self.write(part) for part in parts]
        return f"<mrow>{_TIMES.join(shown)}</mrow>"

    def power(self, node: Pow) -> str:
        base, exponent = self.write(node.base), self.write(node.exponent)
        if node.exponent == Num(0.5):
            return f"<msqrt>{base}</msqrt>"
        plain = isinstance(node.base, Sym | Param) or (isinstance(node.base, Num) and node.base.value >= 0.0)
        return f"<msup>{base if plain else _bracketed(base)}{exponent}</msup>"

    def call(self, node: Call) -> str:
        inside = self.write(node.arg)
        if node.name == "exp":
            return f"<msup><mi>e</mi>{inside}</msup>"
        if node.name == "abs":
            return f"<mrow><mo>|</mo>{inside}<mo>|</mo></mrow>"
        return f"<mrow><mi>{NAMED.get(node.name, node.name)}</mi>{_bracketed(inside)}</mrow>"


def _bracketed(inside: str) -> str:
    return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"
