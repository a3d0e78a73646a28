r"""From what a person or a model writes to the characters that `reader` knows, with the place of each in the original.

Names of columns become symbols. What scientists write and Python does not is read where it can mean one thing only:

| written            | read as         | not where                                      |
|--------------------|-----------------|------------------------------------------------|
| x^2, x², x^{2}     | x**2            |                                                |
| x·y, −x, x÷y, x.^2 | x*y, -x, x/y    |                                                |
| 2x, 3(x + 1), x²y  | 2*x, x**2*y     | 0x10, 2e; 1/2x, e^2x: it may end anywhere      |
| (x + 1)(x - 1)     | with a *        | 1/(x + 1)(x - 1)                               |
| N(1 - N)           | N*(1 - N)       | x(t - 1): a delay is no term; x(y)             |
| abs bars: |x|      | abs(x)          | more than two bars: they may nest              |
| sin x, √x          | sin(x), sqrt(x) | sin x*y, sin 2x: the argument may end anywhere |
| sin²(x), sin^2(x)  | sin(x)**2       | sin⁻¹(x): the inverse or the reciprocal        |
| x(t), [x]          | x               |                                                |
| 2πt, \lambda·x      | 2*pi*t          | where a column's name has a π                  |
| Yeast, Algae Density | the column yeast | capitals tell two columns apart; under 3 letters |

Products of brackets and powers of functions are read by `reader`, from Python's tree.
"""

import keyword
import re
import unicodedata
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, repeat
from typing import Final

from dolq_core.terms.calls import ONE_ARGUMENT
from dolq_core.terms.limits import MAX_LENGTH, Unfit, Unknown
from dolq_core.terms.names import GREEK
from dolq_core.terms.reader import LANGUAGE, LOOK_ALIKES, RAISED, SIGNS, as_product, nothing

_DIGITS: Final = str.maketrans(RAISED + "⁻", "0123456789-")
_ODD: Final = re.compile(
    r"(?P<own>`[^`]*`)"
    r"|(?P<brace>\^\{|\})"
    rf"|(?P<sign>[\{''.join(SIGNS)}]|√(?=\())"
    r"|√(?P<root>[^\W\d]\w*+)(?=\s*+(?:$|[-+*/·)]))"
    rf"|(?P<power>(?<=[\w)\]`|])⁻?[{RAISED}]+)"
    r"|(?P<factor>(?<![\w.])(?!0[^\W\d])"
    r"(?>\d++(?:\.\d*+)?|\.\d++)(?>(?:[eE][+-]?\d++)?)(?![eE]\b)(?=\s?[^\W\d]|[(\[]))"
    r"|(?P<each>(?<=[\w)\]])\.(?=[*/^]))"
    r"|(?P<pi>(?<![^\W\d])π)"
    r"|(?<!params)\[(?P<amount>[^\W\d]\w*+)\]"
    r"|(?P<bar>\|)"
    r"|(?P<of_time>(?<!\w)[^\W\d]\w*+)\(\s?t\s?\)"
    r"|(?P<function>(?<!\w)[a-z]++[0-9]*+)\s++(?P<argument>[^\W\d]\w*+)(?=\s*+(?:$|[-+)]))"
)
_LATEX: Final = re.compile(r"\\([A-Za-z]++)")
_LAST_WORD: Final = re.compile(r"[A-Za-z]+[0-9]*$")
_COMMANDS: Final = {"cdot": "*", "times": "*", "left": "", "right": ""}
_SPECIAL: Final = re.compile(
    r"`[^`]*`|\b(?:" + "|".join(keyword.kwlist) + r")\b|(?<!\w)[^\W\d]*[^\x00-\x7f]\w*|\w*[^\W\x00-\x7f]\w*"
)
_HEADING: Final = re.compile(r"\w\s*+[(\[][^()\[\]]*+[)\]]$|\w\s++\w")
"""A column's heading with a unit in brackets, or of several words."""
_NAME: Final = re.compile(r"`[^`]*`|(?<![^\W\d])(?<![.\\])[^\W\d]\w{2,}+")
"""What may be a column in other capitals; of one or two letters it is a number sooner: R0 and r0 are two things."""
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

    A column's heading with a unit or a blank, such as temp (°C), is that column where it stands as it is written.

    Raises:
        Unfit: for a text that is empty or too long, and a name that is not in `names`; position in the original.
    """
    if len(text) > MAX_LENGTH:
        way_out = "Split it into separate terms"
        raise Unfit(f"it has {len(text)} characters, and {MAX_LENGTH} is the limit", way_out, MAX_LENGTH)
    half = _HALF.search(text)
    if half:
        raise Unfit(f"'\\u{ord(half[0]):04x}' is half of a letter", "Write the letter again", half.start())
    said = _without_headings(Source(text, range(len(text))), names, asked=True)
    said = _replaced(said, _NAME, lambda match: _in_other_capitals(match[0], said.origins[match.start()], names))
    said = _replaced(said, _LATEX, lambda match: _command(match[1], names))
    pairs = {"|": iter(("abs(", ")") if said.text.count("|") == 2 else ())}
    if said.text.count("{") == said.text.count("^{"):
        pairs |= {"^{": repeat("**("), "}": repeat(")")}
    said = _replaced(said, _ODD, lambda match: _spelled(match, names, pairs))
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


def without_headings(text: str, names: dict[str, str]) -> str:
    """Return `text` with each column's heading, such as temp (°C), as its symbol: a unit in it is no letter."""
    return _without_headings(Source(text, range(len(text))), names).text


def _without_headings(source: Source, names: dict[str, str], *, asked: bool = False) -> Source:
    """Return the text without headings. asked: raise Unfit where one may be several columns; else it stays."""
    headings = [re.escape(name) for name in sorted(names, key=len, reverse=True) if _HEADING.search(name)]
    if not headings:
        return source
    written = re.compile(rf"(?<![^\W\d])(?<!`)(?:{'|'.join(headings)})(?![\w`])", re.IGNORECASE)
    return _replaced(source, written, lambda match: _called(match[0], match.start(), names, asked=asked))


def _called(word: str, position: int, names: dict[str, str], *, asked: bool) -> str | None:
    """Return the symbol of the only column that is called so but for capitals; raise Unfit where it may be several."""
    if word in names:
        return names[word]
    called = {own: symbol for own, symbol in names.items() if own.casefold() == word.casefold()}
    if len({*called.values()}) == 1:
        return next(iter(called.values()))
    if not called or not asked:
        return None
    those = " and ".join(f"'{own}'" for own in sorted(called))
    raise Unfit(f"'{word}' may be {those}, which differ in capitals", "Write it as the column is called", position)


def _in_other_capitals(word: str, position: int, names: dict[str, str]) -> str | None:
    """Return the symbol of the column that a word is in other capitals; None for what is no such word, and stays."""
    name = word.strip("`")
    if name in names or (name == word and (name == "params" or name.lower() in ONE_ARGUMENT)):
        return None
    return _called(name, position, names, asked=True)


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


def _command(word: str, names: Container[str]) -> str | None:
    """Return what a command of LaTeX stands for: a sign, or the function or letter that it is called; else None."""
    known = word in ONE_ARGUMENT or word in GREEK or word in names
    return _COMMANDS.get(word, word if known else None)


def _spelled(match: re.Match[str], names: Container[str], pairs: Mapping[str, Iterator[str]]) -> str | None:
    """Return what a piece is read as; None where it stays."""
    before = match.string[: match.start()]
    match match.lastgroup:
        case "sign":
            return SIGNS.get(match[0], "sqrt")
        case "power":
            return _power(match)
        case "factor":
            return None if before.rstrip().endswith(("/", "÷", "^", "**")) else f"{match[0]}*"
        case "root":
            return f"sqrt({match['root']})"
        case "each":
            return ""
        case "brace":
            return next(pairs.get(match[0], iter(())), None)
        case "bar" | "amount":
            return _enclosed(match, before, names, pairs)
        case "pi":
            return None if "pi" in names or "π" in names else "pi*" if _goes_on(match) else "pi"
        case _:
            return _argument(match, names)


def _enclosed(
    match: re.Match[str], before: str, names: Container[str], pairs: Mapping[str, Iterator[str]]
) -> str | None:
    """Return what |x| and [x] begin with, as a factor of what stands before; None in 1/x|y|, which may be 1/(x*|y|)."""
    sign = "*" if before[-1:].isalpha() or before.endswith((")", "]")) else ""
    if match["amount"]:
        said = f"({match['amount']})" if match["amount"] in names else None
    else:
        said = next(pairs.get("|", iter(())), None)
    if said is None or said == ")":
        return said
    return None if sign and ("/" in before or "÷" in before) else f"{sign}{said}"


def _argument(match: re.Match[str], names: Container[str]) -> str | None:
    """Return the variable of x(t), and sin x with its brackets."""
    if match["of_time"]:
        return match["of_time"] if match["of_time"] in names and match["of_time"] != "t" else None
    function, argument = match["function"], match["argument"]
    known = function in ONE_ARGUMENT and argument not in ONE_ARGUMENT and function not in names
    return f"{function}({argument})" if known else None


def _power(match: re.Match[str]) -> str:
    """Return a raised number, with the sign of the product where a factor follows: no function's argument is one."""
    word = _LAST_WORD.search(match.string[max(0, match.start() - 12) : match.start()])
    power = f"**({match[0].translate(_DIGITS)})"
    return f"{power}*" if _goes_on(match) and (word is None or word[0] not in ONE_ARGUMENT) else power


def _goes_on(match: re.Match[str]) -> bool:
    """Whether a name or a bracket follows at once."""
    after = match.string[match.end() : match.end() + 1]
    return after.isalpha() or after in ("(", "_")


def _symbol(word: str, position: int, names: dict[str, str]) -> str:
    name = word.strip("`")
    among = f"Use {', '.join(names)}" if len(names) <= 12 else "Use the names of the columns"
    if name in names:
        return names[name]
    if word.startswith("`") and word.isascii():
        raise Unfit(f"no column is called '{name}'", among, position)
    if word == "lambda" and "λ" in names:
        return names["λ"]
    if word.isascii():
        raise Unfit(f"'{word}' is a word of Python, not of terms", LANGUAGE, position)
    folded = unicodedata.normalize("NFKC", name)
    for own, symbol in names.items():
        if not own.isascii() and unicodedata.normalize("NFKC", own) == folded:
            return symbol
    for offset, char in enumerate(word):
        if char in LOOK_ALIKES:
            raise Unfit(f"'{char}' is not a sign of the language", LOOK_ALIKES[char], position + offset)
    if product := as_product(name, names):
        raise Unfit(f"'{name}' is not known", product, position)
    raise Unknown(name, "", among, position)


# --- functions of a person's own: text in the language of terms, in the place of each call ----------

ARGUMENT: Final = "x"
"""What the argument is called in a body."""
_LONGEST: Final = 4000
"""Characters from which nothing more is put in: the limits on terms refuse that text."""


def written_out(text: str, functions: Sequence[tuple[str, str]]) -> str:
    """Return a text with the body in the place of each call; a call that is not closed stays as it is."""
    for name, body in functions:
        call = re.compile(rf"(?<![\w.`]){re.escape(name)}\s*\(")
        at = 0
        while (found := call.search(text, at)) and len(text) < _LONGEST:
            depths = accumulate((char == "(") - (char == ")") for char in text[found.end() :])
            length = next((k for k, depth in enumerate(depths) if depth < 0), None)
            if length is None:
                break
            argument, rest = text[found.end() :][:length], text[found.end() + length + 1 :]
            inside = re.sub(rf"(?<![\w.]){ARGUMENT}(?!\w)", lambda _, a=argument: f"({a})", body)
            text = f"{text[: found.start()]}({inside}){rest}"
            at = found.start() + 1
    return text
