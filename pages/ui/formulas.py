"""Laws set for the screen: where a line is too short they break before the sign of a summand."""

import re

from dolq_core.views.equations import Panel
from pages.ui.words import letters, tex

_MARKS = re.compile(r"\\(?:[A-Za-z]+|.)|[{}()+-]")
"""What tells where a sum in LaTeX can break."""
WIDE = 34
"""Letters of a summand that a phone has room for."""


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
