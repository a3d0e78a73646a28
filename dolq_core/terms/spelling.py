"""What scientists write and Python does not: x^2, x², 2x, x·y, |x|, sin x, x(t). Read where it can mean one thing only.

| written            | read as         | not where                                      |
|--------------------|-----------------|------------------------------------------------|
| x^2, x², x⁻¹       | x**2, x**(-1)   |                                                |
| x·y, x×y, −x, x÷y  | x*y, -x, x/y    |                                                |
| 2x, 3(x + 1)       | 2*x, 3*(x + 1)  | 0x10, 2e: they may be numbers                  |
| abs bars: |x|      | abs(x)          | more than two bars: they may nest              |
| sin x              | sin(x)          | sin x*y, sin 2x: the argument may end anywhere |
| x(t)               | x               | x(t - 1): a delay is no term                   |
"""

import re
from collections.abc import Container
from typing import Final

from dolq_core.terms.vocabulary import ONE_ARGUMENT

_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SIGNS: Final = {
    "^": "**",
    **dict.fromkeys("×·⋅∗•", "*"),
    **dict.fromkeys("−–—‐‑", "-"),
    **dict.fromkeys("÷∕⁄", "/"),
    "√": "sqrt",
}
_ODD: Final = re.compile(
    r"(?P<own>`[^`]*`)"
    r"|(?P<sign>[\^×·⋅∗•−–—‐‑÷∕⁄]|√(?=\())"
    r"|(?P<power>(?<=[\w)\]`|])⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
    r"|(?P<factor>(?<![\w.])(?!0[^\W\d])(?>\d++(?:\.\d*+)?|\.\d++)(?>[eE][+-]?\d++)?+(?![eE]\b)(?=\s?[^\W\d]|\())"
    r"|(?P<bar>\|)"
    r"|(?P<of_time>(?<!\w)[^\W\d]\w*+)\(\s?t\s?\)"
    r"|(?P<function>(?<!\w)[a-z]++[0-9]*+)\s++(?P<argument>[^\W\d]\w*+)(?=\s*+(?:$|[-+)]))"
)


def spelled(text: str, names: Container[str]) -> tuple[str, tuple[int, ...]]:
    """Return the text in the language of terms, and for each of its characters the index in `text` that it is from."""
    if _ODD.search(text) is None:
        return text, ()
    bars = text.count("|")
    pieces: list[str] = []
    origins: list[int] = []
    end = opened = 0
    for match in _ODD.finditer(text):
        opened += match["bar"] is not None
        said = _said(match, names, opened if bars == 2 else 0)
        if said is not None:
            pieces += [text[end : match.start()], said]
            origins += [*range(end, match.start()), *([match.start()] * len(said))]
            end = match.end()
    origins += range(end, len(text))
    return "".join([*pieces, text[end:]]), tuple(origins)


def _said(match: re.Match[str], names: Container[str], bar: int) -> str | None:
    """Return what a piece is read as; None where it stays."""
    match match.lastgroup:
        case "sign":
            return _SIGNS[match[0]]
        case "power":
            return f"**({match[0].translate(_DIGITS)})"
        case "factor":
            return f"{match[0]}*"
        case "bar":
            return {1: "abs(", 2: ")"}.get(bar)
        case "of_time":
            return match["of_time"] if match["of_time"] in names and match["of_time"] != "t" else None
        case "argument":
            known = match["function"] in ONE_ARGUMENT and match["argument"] not in ONE_ARGUMENT
            return f"{match['function']}({match['argument']})" if known and match["function"] not in names else None
        case _:
            return None
