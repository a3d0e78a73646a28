"""Names of columns and the safe symbols that stand for them in terms."""

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Final

GREEK: Final = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
).split()
RESERVED: Final = frozenset(
    word
    for line in (files("dolq_core.terms") / "reserved.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for word in line.split()
)
"""Words that are no symbols: those of terms, Python, SymPy, C and Julia."""

MOST_LISTED: Final = 12

_POSITIONAL: Final = re.compile(r"x\d+")
_UNIT: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
SEVERAL: Final = re.compile(r"[^\W\d_]{2,}\w*(?: \w{2,})+")
"""Names of several words alone, which are plain beside the signs of a formula; x y would be a product."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Names:
    """The variables of a system: states first, then inputs.

    Attributes:
        own: the names of the columns as the person wrote them.
        symbols: for each its safe symbol: an ASCII identifier that no language of ours or of the export knows.
        time: the person's name of time, for display; in terms time is `t`.
        functions: a person's own, (name, body in x): where a term calls one, its body is read.
        titles: the same columns as charts name them, with their units: they may be typed so.
        units: of the same columns: a name with its unit behind it, as in a heading, may be typed so.
        told: what each stands for, in a person's words, and its unit: shown to a person who types a name that is none.
    """

    own: tuple[str, ...]
    symbols: tuple[str, ...]
    time: str = "t"
    functions: tuple[tuple[str, str], ...] = ()
    titles: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @cached_property
    def symbol_of(self) -> dict[str, str]:
        """Symbols by own name; of equal own names the first counts."""
        pairs = dict[str, str]()
        for name, symbol in zip(self.own, self.symbols, strict=True):
            pairs.setdefault(name, symbol)
        return pairs

    @cached_property
    def own_of(self) -> dict[str, str]:
        """Own names by symbol."""
        return dict(zip(self.symbols, self.own, strict=True))

    @cached_property
    def short_of(self) -> dict[str, str]:
        """Own names by symbol, without their units where no other column is called so: what formulas show."""
        bare = [without_unit(name) for name in self.own]
        taken = Counter((*bare, *self.own, self.time))
        names = [name if name and taken[name] == 1 else own for name, own in zip(bare, self.own, strict=True)]
        return dict(zip(self.symbols, names, strict=True))

    @cached_property
    def listed(self) -> str:
        """The variables as they are typed, with what they stand for; of many the first twelve."""
        typed = [*(own if own.isidentifier() else f"`{own}`" for own in self.own), "t"]
        told = [*(self.told or [""] * len(self.own)), "" if self.time == "t" else self.time]
        every = [f"{one} ({words})" if words else one for one, words in zip(typed, told, strict=True)]
        return ", ".join(every[:MOST_LISTED]) + (" ..." if len(every) > MOST_LISTED else "")

    @cached_property
    def known(self) -> dict[str, str]:
        """What every plain name in a term stands for.

        Own names, symbols, `t`; own names without unit, then also without case and signs, where only one column is
        called so; x0, x1 ... by position where no column is called like that.

        `t` is always time, also beside a column called t (its symbol is t_): skeletons must read the same again.
        """
        known = {**self.symbol_of, **{symbol: symbol for symbol in self.symbols}}
        bare = [without_unit(name) for name in self.own]
        for name, symbol in zip(bare, self.symbols, strict=True):
            readable = (_IDENTIFIER.fullmatch(name) and not keyword.iskeyword(name)) or _is_of_words(name)
            if readable and bare.count(name) == 1 and name != "pi":  # which is a number where no column is called so
                known.setdefault(name, symbol)
        plain = [_plain(name) for name in self.own]
        called = Counter(plain)
        for own, name, symbol in zip(self.own, plain, self.symbols, strict=True):
            if name and called[name] == 1:
                known.setdefault(_transliterate(own), symbol)
                if name not in RESERVED:
                    known.setdefault(name, symbol)
        names = (*self.own, *self.symbols, self.time)
        if not any(_POSITIONAL.fullmatch(one) for name in names for one in (name, _plain(name))):
            known |= {f"x{k}": symbol for k, symbol in enumerate(self.symbols)}
        known.setdefault(self.time, "t")
        for symbol, short in self.short_of.items():
            if not _IDENTIFIER.fullmatch(short):  # as `2nd speed`, between backquotes
                known.setdefault(short, symbol)
        for title, symbol in (*zip(self.titles, self.symbols, strict=False), *self._headings(known)):
            known.setdefault(title, symbol)
        return known | {"t": "t"}

    def _headings(self, known: Container[str]) -> Iterator[tuple[str, str]]:
        """Yield each name with its unit behind it, as headings have it, and its symbol; x s is a product beside s."""
        for own, symbol, unit in zip(self.own, self.symbols, self.units, strict=False):
            for form in ("{} {}", "{} / {}", "{} ({})", "{} [{}]") if unit and unit not in known else ():
                yield form.format(own, unit), symbol


def safe_names(own: Sequence[str], time: str = "t") -> Names:
    """Return `own` with a safe symbol for each: itself where it can be, else transliterated and made unique.

    | own name                                | symbol             |
    |-----------------------------------------|--------------------|
    | ASCII identifier, not reserved          | itself             |
    | followed by a unit in brackets          | as without it      |
    | reserved by a language (E, lambda, t)   | with _ at the end  |
    | Greek letter, accent                    | spelled, stripped  |
    | starts with a digit, empty              | with x_ in front   |
    | taken                                   | with a number      |
    """
    return _safe_names(tuple(own), time)


@lru_cache(maxsize=256)
def _safe_names(own: tuple[str, ...], time: str) -> Names:
    symbols = [name if _is_safe(name) and name not in own[:k] else "" for k, name in enumerate(own)]
    taken = {*own, time}
    short = [_transliterate(without_unit(name)) for name in own]
    called = Counter(short)
    for k, name in enumerate(own):
        if not symbols[k]:
            is_free = without_unit(name) and called[short[k]] == 1 and short[k] not in taken
            symbols[k] = short[k] if is_free else _free(_transliterate(name), taken)
            taken.add(symbols[k])
    return Names(own, tuple(symbols), time)


def without_unit(name: str) -> str:
    """Return a name without its unit: 'S' for 'S (mM)'."""
    return _UNIT.sub("", name).strip()


def _plain(name: str) -> str:
    """Return a name without unit, case and signs: x1 for 'X1', 'x.1' and 'x1 (m)'; '' where none is left."""
    plain = re.sub(r"[\W_]", "", without_unit(name)).casefold()
    return plain if _IDENTIFIER.fullmatch(plain) else ""


def _is_of_words(name: str) -> bool:
    """Whether a name consists of several words, none of which is one of a language of ours: sin x is a term."""
    return bool(SEVERAL.fullmatch(name)) and RESERVED.isdisjoint(name.split())


def _is_safe(name: str) -> bool:
    return bool(_IDENTIFIER.fullmatch(name)) and not keyword.iskeyword(name) and name not in RESERVED


def _transliterate(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "_", "".join(map(_spell, name))).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"x_{plain}".rstrip("_")
    return plain if _is_safe(plain) else f"{plain}_"


def _spell(char: str) -> str:
    """Return ASCII for one character: Greek by name, accents dropped, others `_`."""
    decomposed = unicodedata.normalize("NFKD", char)[0]
    if decomposed.isascii():
        return decomposed if decomposed.isalnum() else "_"
    greek = re.fullmatch(r"GREEK (CAPITAL|SMALL) LETTER (?:FINAL )?(\w+)", unicodedata.name(decomposed, ""))
    if not greek:
        return "_"
    letter = greek[2].lower().replace("lamda", "lambda")
    return letter.capitalize() if greek[1] == "CAPITAL" else letter


def _free(symbol: str, taken: Container[str]) -> str:
    """Return `symbol`, or the first symbol_2, symbol_3 ... that is not taken."""
    number, free = 2, symbol
    while free in taken:
        free, number = f"{symbol.rstrip('_')}_{number}", number + 1
    return free
