"""Laws set for the screen: where a line is too short they break before the sign of a summand."""

import re
from collections.abc import Sequence
from math import ceil

from dolq_core.views.equations import Panel
from pages.ui.presenting import in_a_line
from pages.ui.words import letters, tex

_MARKS = re.compile(r"\\(?:[A-Za-z]+|.)|[{}()+-]")
"""What tells where a sum in LaTeX can break."""
WIDE = 34
"""Letters of a summand that a phone has room for."""
LINE, SMALLER = 21, 30
"""Letters that a line of a card in a room has room for, in its large type and in the smaller one."""
MANY = 9
"""Lines of all laws together above which a room reads them in the smaller type."""
_BRACKET = re.compile(r"\\left\(|\\right\)")
_APART = re.compile(r"(?<!\d)\\,")
"""Between two factors: a number stays with the first."""
_SMALL = re.compile(r"([_^])(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\w))")


def law(latex: str) -> str:
    """Return an equation for Markdown; where its line is too short it breaks before the sign of a summand.

    A summand wider than a phone breaks between its factors too. Left alone an equation would break after the sign, and
    within a power of ten.
    """
    return tex(r"\displaystyle " + r"\allowbreak ".join(map(_summand, _summands(latex))))


def best(panel: Panel) -> str:
    """Return the law of a panel as LaTeX, with ≈ where it is none but the best that was tried."""
    latex = panel.latex or f"{panel.lhs} = ?"
    return latex.replace("=", r"\approx", 1) if panel.terms and panel.status == "none" else latex


def is_long(laws: Sequence[str]) -> bool:
    """Whether laws as LaTeX are more than a room's screen holds in its large type."""
    return sum(ceil(letters(summand) / LINE) for one in laws for summand in _summands(one)) > MANY


def room(latex: str, *, small: bool) -> str:
    """Return an equation for a card in a room: no summand of it, no fraction and no bracket is wider than its line.

    small: in the smaller type, which has no still smaller letters in it.
    """
    most, every = (SMALLER, _summands(in_a_line(latex))) if small else (LINE, _summands(latex))
    whole = r"\allowbreak ".join(_narrow(part) if letters(part) > most else _summand(part) for part in every)
    if small:
        whole = _SMALL.sub(lambda found: rf"{found[1]}{{\textstyle {found[2] or found[3]}}}", whole)
    return tex(rf"\displaystyle {whole}")


def _narrow(latex: str) -> str:
    """Return a summand that breaks between its factors, at the slash of a fraction, and between what it adds."""
    *left, own = re.split(r"(.*(?:=|\\approx))", latex)
    own = _BRACKET.sub(lambda found: found[0][-1], in_a_line(own)).replace("/(", r"\allowbreak /(")
    own = re.sub(
        r" ([+-]) ", r" \\allowbreak \1\\nobreak ", re.sub(r"^([+-])|\\times", r"\g<0>\\nobreak ", own.strip())
    )
    number, *factors = own.split(r"\,", 1)
    return "".join(left) + r"\,".join([number, *(_APART.sub(r"\\,\\allowbreak ", factor) for factor in factors)])


def _summands(latex: str) -> list[str]:
    """Return the parts of an equation that end where the sign of a summand begins, its left side with the first."""
    parts, begins, depth = list[str](), 0, 0
    for found in _MARKS.finditer(latex):
        mark, before = found[0], latex[begins : found.start()].rstrip()
        depth += (mark in ("{", "(", r"\left")) - (mark in ("}", ")", r"\right"))
        if not depth and mark in ("+", "-") and before and not before.endswith(("=", r"\approx")):
            parts.append(latex[begins : found.start()])
            begins = found.start()
    return [*parts, latex[begins:]]


def _summand(latex: str) -> str:
    """Keep the sign with what follows, and the number in one piece with the first factor."""
    *left, own = re.split(r"(.*(?:=|\\approx))", re.sub(r"^[+-]|\\times", lambda sign: rf"{sign[0]}\nobreak ", latex))
    number, *factors = own.split(r"\,", 1)
    wide = [factor.replace(r"\,", r"\,\allowbreak ") if letters(own) > WIDE else factor for factor in factors]
    return "".join(left) + r"\,".join([number, *wide])
