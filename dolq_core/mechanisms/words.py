"""The words of a description: those that are said, and those that are denied ("without drag", "frictionless")."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dolq_core.records import Problem, Variable
from dolq_core.units import is_celsius, is_kelvin, is_none

WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
STAGE = re.compile(
    r"\b(stationary|lag|growth|log|exponential|steady|death|decline|gas|liquid|solid|aqueous|vapou?r|organic|mobile)"
    r"[- ]phases?\b"
)
"""What is no angle of a rhythm: a stage of growth, a state of matter."""
WEIGHED = re.compile(r"\b(?:dry|wet|fresh|body)[- ](?:cell[- ])?(?:weight|mass|matter)s?\b")
"""What is no force of gravity, and no dry friction."""
SWAYS = re.compile(r"\bswings?\s+(?:\w+ly\s+)?(?=(?:with|as|over|around|between|up)\b)", re.IGNORECASE)
"""What is no angle: a demand that swings with the season, around its mean, as a sine."""
DISTANT = re.compile(r"(?<!fall )(?<!falls )(?<!falling )(?<!breaks )(?<!break )\bapart\b", re.IGNORECASE)
"""What is no decay: phases that are far apart."""
CLAUSE = re.compile(r"[.,;:!?()\[\]\"“”\n–—]+|\b(?:but|while|whereas|although|though|however|yet)\b", re.IGNORECASE)
ANGLES = (
    "angle", "phase", "theta", "phi.", "psi.", "heading", "azimuth", "bearing", "yaw.", "pitch.", "longitude",
    "latitude",
)  # fmt: skip
"""Beginnings of the words of variables that are angles."""
NO_ANGLES = (
    "speed", "veloc", "distanc", "radius", "height", "altitud", "depth", "width", "mass.", "weight", "concentr", "temp",
    "pressur", "number", "populat", "density", "volume", "energy", "charge", "current", "voltage", "share.", "fraction",
)  # fmt: skip
"""Of those that are none, though the description speaks of angles: no force goes with the sine of a radius."""
_ANGULAR_UNIT = re.compile(r"^\s*(rad|radians?|deg|degrees?|°)\s*$", re.IGNORECASE)
REACH = 4
"""Words after a negation that it may deny: "without any strong air resistance"."""
FORWARD = frozenset(
    "no not without never neither nor nobody nothing none cannot lacks lacking hardly scarcely barely".split()
)
BOTH_WAYS = frozenset("negligible neglected ignored absent".split())
"""Words that deny what stands before them, and the next word: "drag is negligible", "negligible drag"."""
NOT_A_NEGATION = frozenset("only just merely longer matter".split())
"""Words after "no" or "not" that take the negation away: "not only"."""
STOPS = frozenset(
    "by from in into at through with on under because that which who when where if so than between during as to".split()
)
BEGINNINGS = frozenset("the a an its their his her this these those it they he she we".split())
"""Words that begin another part of the sentence, unless they follow the negation itself, or "of" or "on"."""
DENIED_WHOLE = {
    f"un{rest}": rest for rest in "limited forced driven coupled damped bounded saturated inhibited".split()
}


@dataclass(frozen=True, slots=True)
class Denied:
    """A word that the description denies, and how it says so."""

    word: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a problem in lower case: of its description, and of its variables' names and meanings.

    Attributes:
        said: words that are not denied, in the order of the text, each once.
        denied: words that a negation in the same clause denies.
        clauses: the description clause by clause, in lower case.
        celsius: own names of the variables in degrees Celsius; cold: of those in a unit that measures no heat.
        straight: of those that are no angles, by their names, meanings or units.
    """

    said: tuple[str, ...] = ()
    denied: tuple[Denied, ...] = ()
    clauses: tuple[str, ...] = ()
    celsius: tuple[str, ...] = ()
    cold: tuple[str, ...] = ()
    straight: tuple[str, ...] = ()

    def suggesting(self, stems: Iterable[str]) -> str:
        """Return the first word that is said and begins with a stem, by the order of the stems; else empty."""
        return _suggesting(self.said, tuple(stems))

    def denying(self, stems: Sequence[str]) -> str:
        """Return the phrase that denies a stem; empty where none does, or where the same stems are said as well."""
        if self.suggesting(stems):
            return ""
        return next((d.phrase for stem in stems for d in self.denied if begins(d.word, stem)), "")


@lru_cache(maxsize=8192)
def _suggesting(said: tuple[str, ...], stems: tuple[str, ...]) -> str:
    return next((word for stem in stems for word in said if begins(word, stem)), "")


def begins(word: str, stem: str) -> bool:
    """Whether a word begins with a stem; a stem that ends with a dot is a whole word, also in the plural."""
    if stem.endswith("."):
        return word in (stem[:-1], f"{stem[:-1]}s")
    return word.startswith(stem)


def words_of(problem: Problem) -> Words:
    """Return the words of the description and of the variables' names and meanings."""
    variables = (*problem.dataset.states, *problem.dataset.inputs)
    said, denied = read(problem.description)
    named = [word for v in variables for word in words_in(f"{v.name} {v.meaning}")]
    celsius = tuple(v.name for v in variables if _is_warm(v))
    cold = tuple(v.name for v in variables if not (_is_warm(v) or is_kelvin(v.unit) or is_none(v.unit)))
    straight = tuple(v.name for v in variables if _is_straight(v))
    return Words(tuple(dict.fromkeys((*said, *named))), denied, clauses(problem.description), celsius, cold, straight)


def is_angle(variable: Variable) -> bool:
    """Whether a variable is an angle, by its unit, name or meaning."""
    return bool(_ANGULAR_UNIT.search(variable.unit)) or _is_called(variable, ANGLES)


def is_in_degrees(variable: Variable) -> bool:
    """Whether the unit of a variable is the degree of an angle."""
    return bool(_ANGULAR_UNIT.search(variable.unit)) and "rad" not in variable.unit.lower()


def _is_straight(variable: Variable) -> bool:
    """Whether a variable is no angle: of another unit, or called so."""
    return not is_angle(variable) and (not is_none(variable.unit) or _is_called(variable, NO_ANGLES))


def _is_called(variable: Variable, stems: Sequence[str]) -> bool:
    return any(begins(word, stem) for word in words_in(f"{variable.name} {variable.meaning}") for stem in stems)


def _is_warm(variable: Variable) -> bool:
    """Whether a variable is in degrees Celsius; in C, where it is called a temperature."""
    of_heat = any(word.startswith("temp") for word in words_in(f"{variable.name} {variable.meaning}"))
    return is_celsius(variable.unit, of_heat=of_heat)


def speaks_of_another(
    words: Words, word: str, variables: Sequence[Variable], own: Collection[int], *, surely: bool = False
) -> bool:
    """Whether each clause with a word, or else each name with it, is of other variables than the `own` ones alone.

    By whom something is done is not what it is done to: in "recruited by the tumour and die" no tumour dies.
    surely: not of a state called A, which may be named wherever an article stands.
    """
    called = [{*words_in(f"{v.name} {v.meaning}")} - BEGINNINGS - STOPS for v in variables]
    if surely and not all(called[k] for k in own):
        return False
    mine = {name for k in own for name in called[k]}
    others = {name for k, names in enumerate(called) if k not in own for name in names} - mine

    def names_one(text: set[str], names: set[str]) -> bool:
        return any(begins(token, f"{name}.") for token in text for name in names)

    every = {name for names in called for name in names}
    texts = [{*_without_doers(tokens, every)} for clause in words.clauses if word in (tokens := clause.split())]
    texts = texts or [names for names in called if word in names]
    return bool(texts) and all(names_one(text, others) and not names_one(text, mine) for text in texts)


def _without_doers(tokens: Sequence[str], names: Collection[str]) -> list[str]:
    """Return the words of a clause without the names that stand behind "by"."""
    kept: list[str] = []
    is_doer = False
    for token in tokens:
        named = any(begins(token, f"{name}.") for name in names)
        is_doer = token == "by" or (is_doer and (named or token in BEGINNINGS))
        kept += [] if is_doer and named else [token]
    return kept


def clauses(description: str) -> tuple[str, ...]:
    """Return each clause in lower case, with one space between words and hyphens as spaces."""
    texts = (" ".join(words_in(clause)).replace("-", " ") for clause in CLAUSE.split(description))
    return tuple(filter(None, texts))


def read(description: str) -> tuple[tuple[str, ...], tuple[Denied, ...]]:
    """Return (words that are said, words that are denied), clause by clause."""
    said: dict[str, None] = {}
    denied: dict[Denied, None] = {}
    for clause in CLAUSE.split(DISTANT.sub("", SWAYS.sub("varies ", description))):
        tokens = words_in(clause)
        where = _denied(tokens)
        for i, token in enumerate(tokens):
            whole = _denied_in_itself(token)
            if i in where:
                denied[Denied(token, " ".join(tokens[min(i, where[i]) : max(i, where[i]) + 1]))] = None
            elif whole:
                denied[Denied(whole, token)] = None
            else:
                said[token] = None
    return tuple(said), tuple(denied)


def words_in(text: str) -> list[str]:
    """Return the words of a text in lower case; digits and signs are no part of a word."""
    plain = unicodedata.normalize("NFC", text).replace("’", "'").lower()
    plain = WEIGHED.sub("mass", STAGE.sub(r"\1", plain)).replace("magnetic stir", "stir")
    return [part for token in WORD.findall(plain) for part in _parts(token)]


def _parts(token: str) -> list[str]:
    """A contraction as two words: "isn't" is "is not"."""
    if token.endswith("n't"):
        return [token[:-3], "not"]
    return [token.removesuffix("'s")]


def _denied(tokens: Sequence[str]) -> dict[int, int]:
    """Return the place of each denied word and that of its negation; two negations in a row deny nothing."""
    found: dict[int, int] = {}
    void: set[int] = set()
    for i, token in enumerate(tokens):
        after = tokens[i + 1] if i + 1 < len(tokens) else ""
        if i in void or after in NOT_A_NEGATION:
            continue
        if token in FORWARD or (token == "free" and after == "of"):
            if after in FORWARD or after in BOTH_WAYS:
                void.add(i + 1)
            else:
                found.update(dict.fromkeys(_reached(tokens, i), i))
        elif token in BOTH_WAYS:
            found.update({j: i for j in range(max(0, i - REACH), i) if not {*tokens[j:i]} & FORWARD})
            found.update({i + 1: i} if after and after not in STOPS else {})
    return {j: i for j, i in found.items() if tokens[j] not in FORWARD}


def _reached(tokens: Sequence[str], start: int) -> list[int]:
    """Places that a negation at `start` reaches: REACH words, anew after "or", after "without" also after "and"."""
    places: list[int] = []
    left = REACH
    for j in range(start + 1, len(tokens)):
        again = tokens[j] in ("or", "nor") or (tokens[j] == "and" and tokens[start] == "without")
        begins_anew = tokens[j] in BEGINNINGS and j > start + 1 and tokens[j - 1] not in ("of", "on")
        ends = tokens[j] == "and" or (tokens[j] in STOPS and not tokens[j - 1].startswith("depend"))
        if not again and (ends or begins_anew or not left):
            break
        left = 1 if again else left - 1
        places.append(j)
    return places


def _denied_in_itself(token: str) -> str:
    """Return what a word like "frictionless", "drag-free", "non-linear" or "unforced" denies; else empty."""
    for ending in ("less", "-free"):
        if token.endswith(ending) and len(token) > len(ending) + 2:
            return token.removesuffix(ending).rstrip("-")
    return token[4:] if token.startswith("non-") else DENIED_WHOLE.get(token, "")


def listed(names: Sequence[str], quote: str = "") -> str:
    """Return "a", "a and b" or "a, b and c", each between the quotes."""
    quoted = [f"{quote}{name}{quote}" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
