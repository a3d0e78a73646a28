"""From text to Python's syntax tree: length, characters and nesting are checked before Python sees the text."""

import ast
import keyword
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Final

from dolq_core.terms.arithmetic import Unfit
from dolq_core.terms.spelling import spelled

MAX_LENGTH: Final = 200
MAX_BRACKETS: Final = 40

_TOKENS: Final = re.compile(
    r"(?>[A-Za-z_][A-Za-z_0-9]*+|(?>[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+(?![\w.])|[-+*/()\[\], %.])*+"
)
_SPECIAL: Final = re.compile(
    r"`[^`]*`|\b(?:" + "|".join(keyword.kwlist) + r")\b|(?<!\w)[^\W\d]*[^\x00-\x7f]\w*|\w*[^\W\x00-\x7f]\w*"
)
_HALF: Final = re.compile(r"[\ud800-\udfff]")
"""Half of a letter (a lone surrogate), as broken replies have it: it can be neither stored nor shown."""
_SIDE_BY_SIDE: Final = re.compile(r"[\w\])](?=\s+[\w(])|[\])](?=\s*[\w(])")
_LOOK_ALIKES: Final = {
    **dict.fromkeys("×·⋅∗•", "Write *"),
    **dict.fromkeys("−–—‐‑", "Write -"),
    **dict.fromkeys("÷∕⁄", "Write /"),
    **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", "Write a power with **, as in x**2"),
    "√": "Write sqrt(...)",
}


@dataclass(frozen=True, slots=True)
class Source:
    """The text as Python reads it, and where its pieces stand in the original.

    Attributes:
        text: ASCII; backticked, Greek and reserved names replaced by symbols.
        starts: index in `text` of each piece.
        origins: index of each piece in the original; of a replaced name, the same for all its characters.
        fixed: whether a piece is a replaced name.
        respelled: index in the original of each character before names were replaced; empty where nothing was.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[int, ...]
    fixed: tuple[bool, ...]
    respelled: tuple[int, ...] = ()

    def origin(self, index: int) -> int:
        """Return the index in the original of the character at `index`."""
        piece = bisect_right(self.starts, index) - 1
        found = self.origins[piece] + (0 if self.fixed[piece] else index - self.starts[piece])
        return self.respelled[found] if found < len(self.respelled) else found


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
    said, respelled = spelled(text, names)
    body = said.strip()
    if not body:
        raise _nothing()
    lead = said.index(body[0])
    if _SPECIAL.search(body) is None:
        return Source(body, (0,), (lead,), (False,), respelled)
    try:
        return replace(_replaced(body, lead, names), respelled=respelled)
    except Unfit as fault:
        if fault.position is not None and fault.position < len(respelled):
            fault.position = respelled[fault.position]
        raise


def _replaced(body: str, lead: int, names: dict[str, str]) -> Source:
    pieces: list[tuple[str, int, bool]] = []
    end = 0
    for match in _SPECIAL.finditer(body):
        symbol = _symbol(match[0], lead + match.start(), names)
        pieces += [(body[end : match.start()], lead + end, False), (f" {symbol} ", lead + match.start(), True)]
        end = match.end()
    pieces = [piece for piece in [*pieces, (body[end:], lead + end, False)] if piece[0]]
    starts = [sum(len(piece) for piece, _, _ in pieces[:k]) for k in range(len(pieces))]
    shift = len(pieces[0][0]) - len(pieces[0][0].lstrip())  # Python takes a leading space for an indent
    text = "".join(piece for piece, _, _ in pieces)[shift:]
    starts = [max(0, start - shift) for start in starts]
    return Source(text, tuple(starts), tuple(p[1] for p in pieces), tuple(p[2] for p in pieces))


def _symbol(word: str, position: int, names: dict[str, str]) -> str:
    name = word.strip("`")
    if name in names:
        return names[name]
    if word.isascii():
        if word.startswith("`"):
            raise Unfit(f"no column is called '{name}'", _among(names), position)
        raise Unfit(
            f"'{word}' is a word of Python, not of terms", "Use names, numbers, + - * / ** and functions", position
        )
    folded = unicodedata.normalize("NFKC", name)
    for own, symbol in names.items():
        if not own.isascii() and unicodedata.normalize("NFKC", own) == folded:
            return symbol
    for offset, char in enumerate(word):
        if char in _LOOK_ALIKES:
            raise Unfit(f"'{char}' is not a sign of the language", _LOOK_ALIKES[char], position + offset)
    raise Unfit(f"'{name}' is not known", _among(names), position)


def _among(names: dict[str, str]) -> str:
    return f"Use {', '.join(names)}" if len(names) <= 12 else "Use the names of the columns"


def _nothing() -> Unfit:
    return Unfit("there is nothing in it", "Write a term such as x0*x1", 0)


def syntax_tree(text: str) -> ast.expr:
    """Return Python's syntax tree of `text` (from `Source.text`).

    Raises:
        Unfit: for characters outside the language, deep nesting and bad syntax; position in `text`.
    """
    if not text:
        raise _nothing()
    tokens = _TOKENS.match(text)
    end = tokens.end() if tokens else 0
    if end < len(text):
        raise _bad_character(text, end)
    if text.count("(") + text.count("[") > MAX_BRACKETS:
        raise Unfit(f"it has more than {MAX_BRACKETS} brackets", "Split it into separate terms", 0)
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise _bad_syntax(text, error) from None
    except (MemoryError, RecursionError, ValueError):
        raise Unfit("it is nested too deeply", "Split it into separate terms", 0) from None


def _bad_character(text: str, position: int) -> Unfit:
    char = text[position]
    if char == "^":
        return Unfit("'^' is not the power", "Write ** instead, as in x**2", position)
    if char == "`":
        return Unfit("a backtick is not closed", "Write a name as `name`", position)
    if char in "=<>!":
        return Unfit(
            f"'{char}' makes it an equation, not a term", "Write a single term of the right-hand side", position
        )
    if char in "0123456789.":
        return Unfit("a number runs into what follows it", "Write * between a number and a name, as in 2*x0", position)
    if char in "\r\n":
        return Unfit("it has more than one line", "Write one term in one line", position)
    shown = char if char.isprintable() else f"\\x{ord(char):02x}"
    way_out = _LOOK_ALIKES.get(char, "Use names, numbers, + - * / ** and functions")
    return Unfit(f"'{shown}' is not a sign of the language", way_out, position)


def _bad_syntax(text: str, error: SyntaxError) -> Unfit:
    position = min(max((error.offset or 1) - 1, 0), len(text) - 1)
    if "never closed" in error.msg or "unmatched" in error.msg:
        return Unfit(error.msg, "Close every bracket that is opened", position)
    gap = _SIDE_BY_SIDE.search(text)
    if gap:
        return Unfit("an operator is missing", "Write * between factors, as in x0*x1", gap.end())
    if text[-1] in "+-*/(,":
        position = len(text) - 1
    return Unfit("it is not a complete expression", "Write a term such as x0*sin(x1)", position)
