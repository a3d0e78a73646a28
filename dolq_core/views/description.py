"""What to mind in a description: mechanisms may be told, formulas may not, and it should speak of the variables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from dolq_core.agents.builtin import unmeasured
from dolq_core.records import Dataset

NoteKind: TypeAlias = Literal["formula", "no variable", "not measured", "from outside", "empty"]

MOST: Final = 3
"""Formulas that are named, of all that stand in a text."""
SHOWN: Final = 60
"""Letters of a formula that are quoted."""
SHORTEST, STEM = 4, 5
"""Letters that a word must have, and by which it is known again at most."""

_INSIDE: Final = re.compile(r"(?<=[\w,;] )A\b")
_UNIT: Final = (
    r"(?:[pnuµμmckMGdh]?(?:s|m|g|l|L|mol|M|V|A|W|J|N|Pa|Hz|F|Ω|bar|K|C)|min|h|hr|d|day|days|yr|year|years|week|weeks|"
    r"hour|hours|minute|minutes|second|seconds|°[CFK]?|%|rpm|ppm|rad|deg|cells?|counts?|individuals?|units?)"
)
_POWER: Final = r"(?:\^?[-−]?\d|\^?\([-−]?\d\)|[⁻¹²³]+)?"
_NUMBER: Final = r"\d[\d.,]*"
_TIMES: Final = r"\s?[*·×x]\s?"
_QUANTITY: Final = re.compile(
    rf"(?<!\w){_NUMBER}(?:{_TIMES}10\^?\(?[-−]?\d+\)?)?(?:\s?(?:-|–|−|to|±|x|×|\*|/)\s?{_NUMBER})*"
    rf"(?:\s?(?:1/)?{_UNIT}{_POWER}(?:\s?[·*/ ]\s?\(?{_UNIT}{_POWER}\)?)*(?![\w(]))?"
)
_BARE_UNIT: Final = re.compile(
    rf"(?<![\w*^]){_UNIT}{_POWER}(?:\s?[·*/]\s?\(?{_UNIT}{_POWER}(?:\s?[·*/]\s?{_UNIT}{_POWER})*\)?)+(?![\w*^(])"
    rf"|(?<=[/(\[]){_UNIT}[\^⁻¹²³][-−]?\d?(?![\w*^])|(?<=\bper )(?:square |cubic )?{_UNIT}{_POWER}(?![\w*^])"
    rf"|(?<=\bin ){_UNIT}(?:\^[-−]?\d|[⁻¹²³]+)(?![\w*^])"
)
_OPERAND: Final = r"[A-Za-z_Ͱ-Ͽ]\w*(?:\[\d+\])?"
_FACTOR: Final = rf"(?:{_OPERAND}|{_NUMBER}|\([^()\n]*\))"
_CALL: Final = r"(?:np\.|math\.)?(?:sin|cos|tan|exp|log|ln|sqrt|tanh|sinh|cosh|abs|arctan|atan|arcsin|arccos|erfc?)"
_OPERATOR: Final = r"(?:\s?\*\*?\s?|\s?\^\s?|\s?[·×]\s?|\s?\+\s?|\s[-−–]\s|\s/\s|(?<=[\w)])/(?=[\w(]))"
_FORMULAS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # dx/dt, d[A]/dt, d(x)/dt, d/dt, with what they equal; x' =, x'' =; a letter with a dot on it
        rf"\b[d∂](?:\s?(?:{_OPERAND}|\[\w+\]|\(\w+\)))?\s?/\s?[d∂]\s?t\b(?:\s?=[^\n.;]*)?",
        rf"\b{_OPERAND}['′’]{{1,2}}(?:\(t\))?\s?=[^\n.;]*",
        r"[ẋẏẍÿż]|[a-zA-Z]\u0307",
        # an equals sign with operators behind it or before it
        rf"\b{_FACTOR}\s?=\s?[-−+]?{_FACTOR}(?:{_OPERATOR}[-−]?(?:{_CALL}\()?{_FACTOR}\)?)+",
        rf"\b{_FACTOR}(?:{_OPERATOR}{_FACTOR})+\s?=\s?[-−]?{_FACTOR}",
        # powers and products; sides alike in spaces: *emphasis* has none on one side
        rf"\b{_OPERAND}(?:\*\*|\s\*\*\s|\^|\s\^\s)(?:[-−]?\d[\d.]*|{_OPERAND}|\([^()\n]*\)|\{{[^}}\n]*\}})",
        r"(?<![\w.])[xyzuv]\d?[²³](?!\w)",
        rf"\b{_FACTOR}(?:(?:\*|\s\*\s){_FACTOR})+(?!\*)",
        rf"\b{_OPERAND}\s?·\s?{_FACTOR}|\b{_NUMBER}\s?·\s?{_OPERAND}",
        rf"\b{_FACTOR}\s?/\s?\([^()\n]*(?:[+*^]|\s[-−]\s)[^()\n]*\)",
        rf"\b{_CALL}\((?!s\))[^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)",
        # LaTeX
        r"\\(?:frac|dot|ddot|cdot|times|partial|mathrm|mathbf|left|right|sqrt|begin|sin|cos|tan|exp|log|ln)\b[^\n.;$]*",
        r"\$[^$\n]*[\\^_=][^$\n]*\$|\\\([^\n]*?\\\)|\\\[[^\n]*?\\\]",
    )
)
_OUTSIDE: Final = (
    r"(?:external(?:ly)?|applied|imposed|ambient|outdoor|outside|forcing|prescribed|commanded|exogenous|set[- ]?point)"
)
_FROM: Final = "".join(
    rf"(?<!\b{word} )(?<!\b{word} the )" for word in ("above", "below", "over", "from", "to", "than")
)
_SET: Final = (
    r"(?:applied|imposed|prescribed|commanded|set|varied|controlled|changed)\s+"
    r"(?:from outside|externally|by hand|by us|by (?:the |an? )?(?:operator|experimenter|controller|program|schedule))"
)


@dataclass(frozen=True, slots=True)
class Note:
    """What to mind in a description.

    Attributes:
        place: where a formula stands, first and last letter as in a slice; None for a remark on the whole.
    """

    kind: NoteKind
    text: str
    place: tuple[int, int] | None = None


def description_notes(text: str, dataset: Dataset | None = None) -> tuple[Note, ...]:
    """Return a warning per formula (at most three), and hints.

    A hint where the text is empty, where it says that something was not measured, and for a data set, if one is given,
    where a state is called what is set from outside, and where no variable is named.
    """
    if not text.strip():
        return (Note("empty", "Empty: only the numbers count."),)
    found = tuple(_formula(text, start, end) for start, end in _apart(_formulas(text)))[:MOST]
    said = unmeasured(text)
    if said:
        told = f"Something was not measured: “{said}” A law without it may be a stopgap."
        found = (*found, Note("not measured", told))
    found = (*found, *(Note("from outside", text) for text in _from_outside(text, dataset)))
    return found if dataset is None or _names_one(text, dataset) else (*found, _nameless(dataset))


def _from_outside(text: str, dataset: Dataset | None) -> Iterator[str]:
    """Yield a hint for each state that a name, a meaning or the text calls applied, external or ambient."""
    states = dataset.states if dataset is not None else ()
    for state in states if len(states) > 1 else ():
        name, meaning = re.escape(state.name), re.escape(state.meaning.strip()) or r"(?!)"
        patterns = (
            rf"\b{_OUTSIDE}\s+(?:\w+\s+)?(?:{name}|(?i:{meaning}))(?!\w)",
            rf"(?<!\w)(?:{name}|(?i:{meaning}))\s+(?:is|are|was|were)\s+(?:\w+\s+)?{_SET}\b",
        )
        named = re.search(rf"(?<![^\W_]){_FROM}{_OUTSIDE}(?![^\W_])", f"{state.name} {state.meaning}", re.IGNORECASE)
        if found := named or next((one for one in (re.search(p, text) for p in patterns) if one), None):
            yield f"“{found[0]}”: if {state.name} is set from outside and has no law here, make it an input."


def _formula(text: str, start: int, end: int) -> Note:
    end = start + len(text[start:end].rstrip(" ,:.;"))
    quote = " ".join(text[start:end].split())
    quote = quote if len(quote) <= SHOWN else quote[: SHOWN - 3] + "..."
    line = text.count("\n", 0, start) + 1
    where = f" in line {line}" if "\n" in text.strip() else ""
    return Note("formula", f"“{quote}”{where} reads as a formula. Say what happens instead.", (start, end))


def _formulas(text: str) -> Iterator[tuple[int, int]]:
    """Yield where formulas stand; numbers with units and units alone count as one number."""
    masked = _BARE_UNIT.sub(_masked, _QUANTITY.sub(_masked, text))
    for pattern in _FORMULAS:
        for found in pattern.finditer(masked):
            if re.search(r"[^\W\d_]", found[0]):
                yield found.span()


def _masked(found: re.Match[str]) -> str:
    return "1" * len(found[0])


def _apart(places: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join places that overlap."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _names_one(text: str, dataset: Dataset) -> bool:
    """Whether a word of the text is a variable's name, or begins as a word of its name or meaning does."""
    words = re.findall(r"[^\W_]+(?:_\w+)*", text)
    inside = _INSIDE.findall(text)  # "Two A join", where A begins no sentence
    for name in (variable.name.strip("[](){} ") for variable in dataset.variables):
        if name in words and (name not in ("I", "A", "a") or (name == "A" and name in inside)):
            return True
    told = " ".join(f"{variable.name} {variable.meaning}" for variable in dataset.variables).replace("_", " ")
    return any(_alike(known, word) for known in re.findall(r"[^\W\d_]+", told) for word in words)


def _alike(known: str, word: str) -> bool:
    """Whether two words of four letters and more begin alike: "hare" and "Hares", "infected" and "infection"."""
    letters = min(len(known), len(word), STEM)
    return letters >= SHORTEST and known.lower()[:letters] == word.lower()[:letters]


def _nameless(dataset: Dataset) -> Note:
    named = ", ".join(variable.name for variable in dataset.states[:3])
    more = " ..." if len(dataset.states) > 3 else ""
    return Note("no variable", f"It names none of the variables ({named}{more}): say what each does.")
