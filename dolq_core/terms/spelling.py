"""From what a person or a model writes to the characters that `reader` knows, with the place of each in the original.

Names of columns become symbols. What scientists write and Python does not is read where it can mean one thing only:

| written            | read as         | not where                                      |
|--------------------|-----------------|------------------------------------------------|
| x^2, x², x⁻¹       | x**2, x**(-1)   |                                                |
| x·y, x×y, −x, x÷y  | x*y, -x, x/y    |                                                |
| 2x, 3(x + 1)       | 2*x, 3*(x + 1)  | 0x10, 2e: they may be numbers                  |
| abs bars: |x|      | abs(x)          | more than two bars: they may nest              |
| sin x              | sin(x)          | sin x*y, sin 2x: the argument may end anywhere |
| x(t)               | x               | x(t - 1): a delay is no term                   |
"""

import keyword
import re
import unicodedata
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.terms.limits import MAX_LENGTH, Unfit
from dolq_core.terms.reader import LANGUAGE, LOOK_ALIKES, ONE_ARGUMENT, RAISED, SIGNS, nothing

_DIGITS: Final = str.maketrans(RAISED + "⁻", "0123456789-")
_ODD: Final = re.compile(
    r"(?P<own>`[^`]*`)"
    rf"|(?P<sign>[\{''.join(SIGNS)}]|√(?=\())"
    rf"|(?P<power>(?<=[\w)\]`|])⁻?[{RAISED}]+)"
    r"|(?P<factor>(?<![\w.])(?!0[^\W\d])(?>\d++(?:\.\d*+)?|\.\d++)(?>[eE][+-]?\d++)?+(?![eE]\b)(?=\s?[^\W\d]|\())"
    r"|(?P<bar>\|)"
    r"|(?P<of_time>(?<!\w)[^\W\d]\w*+)\(\s?t\s?\)"
    r"|(?P<function>(?<!\w)[a-z]++[0-9]*+)\s++(?P<argument>[^\W\d]\w*+)(?=\s*+(?:$|[-+)]))"
)
_SPECIAL: Final = re.compile(
    r"`[^`]*`|\b(?:" + "|".join(keyword.kwlist) + r")\b|(?<!\w)[^\W\d]*[^\x00-\x7f]\w*|\w*[^\W\x00-\x7f]\w*"
)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
"""Half of a letter (a lone surrogate), as broken replies have it: it can be neither stored nor shown."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text as Python reads it: ASCII; backticked, Greek and reserved names replaced by symbols.

    origins: index in the original of each character.
    """

    text: str
    origins: Sequence[int]


def as_source(text: str, names: dict[str, str]) -> Source:
    """Return `text` with every name that is no plain identifier replaced by its symbol.

    Raises:
        Unfit: for a text that is empty or too long, and a name that is not in `names`; position in the original.
    """
    if len(text) > MAX_LENGTH:
        way_out = "Split it into separate terms"
        raise Unfit(f"it has {len(text)} characters, and {MAX_LENGTH} is the limit", way_out, MAX_LENGTH)
    half = _HALF.search(text)
    if half:
        raise Unfit(f"'\\u{ord(half[0]):04x}' is half of a letter", "Write the letter again", half.start())
    bars = iter(("abs(", ")") if text.count("|") == 2 else ())
    said = _replaced(Source(text, range(len(text))), _ODD, lambda match: _spelled(match, names, bars))
    body = said.text.strip()
    if not body:
        raise nothing()
    lead = said.text.index(body[0])
    said = Source(body, said.origins[lead : lead + len(body)])
    try:
        said = _replaced(said, _SPECIAL, lambda match: f" {_symbol(match[0], match.start(), names)} ")
    except Unfit as fault:
        fault.position = None if fault.position is None else said.origins[fault.position]
        raise
    shift = len(said.text) - len(said.text.lstrip())  # Python takes a leading space for an indent
    return Source(said.text[shift:], said.origins[shift:])


def _replaced(source: Source, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str | None]) -> Source:
    """Return the text with each match replaced by `new(match)`, unless that is None."""
    text, origins = source.text, source.origins
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    for match in pattern.finditer(text):
        said = new(match)
        if said is not None:
            pieces += [text[end : match.start()], said]
            places += [*origins[end : match.start()], *[origins[match.start()]] * len(said)]
            end = match.end()
    return Source("".join([*pieces, text[end:]]), [*places, *origins[end:]]) if pieces else source


def _spelled(match: re.Match[str], names: Container[str], bars: Iterator[str]) -> str | None:
    """Return what a piece is read as; None where it stays."""
    match match.lastgroup:
        case "sign":
            return SIGNS.get(match[0], "sqrt")
        case "power":
            return f"**({match[0].translate(_DIGITS)})"
        case "factor":
            return f"{match[0]}*"
        case "bar":
            return next(bars, None)
        case "of_time":
            return match["of_time"] if match["of_time"] in names and match["of_time"] != "t" else None
        case "argument":
            known = match["function"] in ONE_ARGUMENT and match["argument"] not in ONE_ARGUMENT
            return f"{match['function']}({match['argument']})" if known and match["function"] not in names else None
        case _:
            return None


def _symbol(word: str, position: int, names: dict[str, str]) -> str:
    name = word.strip("`")
    among = f"Use {', '.join(names)}" if len(names) <= 12 else "Use the names of the columns"
    if name in names:
        return names[name]
    if word.startswith("`") and word.isascii():
        raise Unfit(f"no column is called '{name}'", among, position)
    if word.isascii():
        raise Unfit(f"'{word}' is a word of Python, not of terms", LANGUAGE, position)
    folded = unicodedata.normalize("NFKC", name)
    for own, symbol in names.items():
        if not own.isascii() and unicodedata.normalize("NFKC", own) == folded:
            return symbol
    for offset, char in enumerate(word):
        if char in LOOK_ALIKES:
            raise Unfit(f"'{char}' is not a sign of the language", LOOK_ALIKES[char], position + offset)
    raise Unfit(f"'{name}' is not known", among, position)
