"""Families made concrete: every term that a mechanism explains in an equation, with what it means there."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from types import MappingProxyType

from dolq_core import clock
from dolq_core.mechanisms.families import FAMILIES
from dolq_core.mechanisms.family import SUBJECTS, Family, suggests
from dolq_core.mechanisms.heat import is_meant
from dolq_core.mechanisms.shapes import shaped
from dolq_core.mechanisms.words import Words, words_of
from dolq_core.records import Problem
from dolq_core.terms import Names, Skeleton, count_params, read_form

WAVE = Skeleton("sin(params[0] + params[1]*t)")
"""A rhythm whose phase is free; that is also how it stands in a term that it modulates, mostly."""
RATE = "exp(params[0]*sin(params[1] + params[2]*t))"
"""A rate that follows a rhythm exponentially, as that of a soil's decay follows the temperature of the season."""
_WAVY = re.compile(r"\b(?:sin|cos)\(|\bt\b")
"""What is no term for a rhythm to modulate: another one, and time itself."""
_TURN = re.compile(r"\b(?:sin|cos|tan)\(([^()]*)")
_SCALED = re.compile(r"params\[\d+\]\*\{?\w+")
_NAME = re.compile(r"[A-Za-z_]\w*")
COMMON = 3
"""Stage up to which a mechanism needs no word of its own to be looked at in a rhythm."""
CROWDED = 6
"""Variables from which third-order terms of three partners are left out."""


GIVEN = Family("given term", (), "one of the terms that were given for this equation", stage=1, plain=True)
"""What a person's library has and no mechanism explains."""
OWN_FORMS = ("{}({{x}})", "{}({{y}})", "{{x}}*{}({{x}})", "{{x}}*{}({{y}})", "{{y}}*{}({{x}})", "{{y}}*{}({{y}})")
"""What a function of a person's own is tried as: x is the state of the equation, y another variable."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A term that may be tried, with the mechanism it stands for.

    Attributes:
        skeleton: the term.
        family: its mechanism.
        meaning: the mechanism in words with the variables' own names, without a full stop.
        word: the word of the description that suggests the family, or the words that name the shape of the term; empty
            when there is none.
        denial: the phrase of the description that denies it, such as "without drag"; empty when there is none.
        simpler: what the term becomes where an inner parameter has a special value or none at all.
        is_named: whether the description names the very shape of the term, as "with the square of".
        is_untold: whether the word is looked for, but is no reason: "driven" of what drives, no spring.
    """

    skeleton: Skeleton
    family: Family
    meaning: str
    word: str
    denial: str = ""
    simpler: tuple[Skeleton, ...] = ()
    is_named: bool = False
    is_untold: bool = False

    @property
    def words(self) -> str:
        """What of the description speaks for it: the word 'drag', the words 'square of'; empty when nothing does."""
        return "" if self.is_untold or not self.word else f"the word{'s' if ' ' in self.word else ''} '{self.word}'"

    @property
    def sentence(self) -> str:
        """What the term means, as a sentence; a name at its end may bring the full stop (`Plasma conc.`)."""
        return f"{self.meaning.removesuffix('.')}."

    @property
    def reason(self) -> str:
        """Why the term is proposed, as a sentence."""
        return f"{self.meaning}; suggested by {self.words}." if self.words else self.sentence


def explanations(problem: Problem, names: Names, equation: int) -> Mapping[Skeleton, Entry]:
    """Return every term that some family explains in this equation, with the best supported explanation."""
    words, given, dataset = words_of(problem), given_terms(problem, equation), problem.dataset
    known = _explained(names, len(dataset.states), equation, words, given)
    return _of_a_rate(known, names, equation, tuple(dataset.rates.items())) if dataset.unmeasured else known


def given_terms(problem: Problem, equation: int) -> tuple[Skeleton, ...]:
    """Return the terms of which an equation has to be made, where a person gave such a library."""
    own = next((one for one in problem.blocks.equations if one.equation == equation), None)
    return own.terms or () if own is not None else ()


def _of_a_rate(
    known: Mapping[Skeleton, Entry], names: Names, equation: int, rates: tuple[tuple[int, int], ...]
) -> Mapping[Skeleton, Entry]:
    """Return the entries of x' = v, which is a definition, and of the law of v, into which no x turns."""
    own, found = names.own, {**known}
    for j, rate in rates:
        definition, force = (known.get(Skeleton(names.symbols[k])) for k in (rate, j))
        if j == equation and definition is not None:
            said = f"{own[rate]} is the rate of {own[j]} by definition"
            return {definition.skeleton: replace(definition, meaning=said, word="", denial="", simpler=())}
        if rate == equation and force is not None:
            said = f"{own[j]} drives {own[rate]} in proportion, as a spring does"
            found[force.skeleton] = replace(force, meaning=said)
    return found


@lru_cache(maxsize=64)
def _explained(
    names: Names, d: int, equation: int, words: Words, given: tuple[Skeleton, ...]
) -> Mapping[Skeleton, Entry]:
    known: dict[Skeleton, Entry] = {}
    for entry in entries(names, d, equation, words, given):
        other = known.get(entry.skeleton)
        if other is None or _support(entry) > _support(other):
            known[entry.skeleton] = entry
    for entry in tuple(known.values()):
        for skeleton in entry.simpler:
            known.setdefault(skeleton, replace(entry, skeleton=skeleton, simpler=()))
    return MappingProxyType(known)


def spoken_for(problem: Problem, names: Names, equation: int) -> set[Skeleton]:
    """Return the terms for which the description or a variable's name speaks in this equation."""
    return {skeleton for skeleton, entry in explanations(problem, names, equation).items() if entry.word}


def _support(entry: Entry) -> int:
    return 4 * entry.is_named + 2 * bool(entry.word) + entry.family.plain


@lru_cache(maxsize=64)
def entries(names: Names, d: int, equation: int, words: Words, given: tuple[Skeleton, ...] = ()) -> tuple[Entry, ...]:
    """Return all families made concrete for one equation, the simplest first; unreadable terms are left out.

    given: terms of a person's own library; those that no family explains come first, as a family of their own.
    """
    found: dict[Skeleton, Entry] = {}
    lives = bool(words.suggesting(SUBJECTS["living things"]))
    for family in (*sorted(FAMILIES, key=lambda f: f.stage), *map(_own_function, names.functions)):
        suggested, denial = words.suggesting(family.stems), words.denying(family.stems)
        for form in family.forms:
            for binding in _bindings(form, names, equation):
                clock.check()
                own = {slot: names.own[names.symbols.index(symbol)] for slot, symbol in binding.items()}
                if not is_meant(form, own, words):
                    continue
                word = "" if {own[slot] for slot in turned(form)} & {*words.straight} else suggested
                skeleton = read_form(form.format(**binding), names)
                if skeleton is None or (skeleton in found and (found[skeleton].word or not word)):
                    continue
                by_input = binding.get("y") in names.symbols[d:]
                meaning = _meaning(by_input and family.of_input or family.meaning, own, names.own[equation])
                untold = suggests(word, (*family.only_of_inputs * (not by_input), *family.of_life * (not lives)))
                simpler = _simpler(family, form, binding, names)
                found[skeleton] = Entry(skeleton, family, meaning, word, denial, simpler, is_untold=untold)
    for phrase, named in shaped(words.clauses):
        for skeleton in (read_form(f.format(**b), names) for f in named for b in _bindings(f, names, equation)):
            entry = found.get(skeleton) if skeleton is not None else None
            if entry is not None and not entry.denial:
                found[entry.skeleton] = replace(entry, word=phrase, is_named=True, is_untold=False)
    own_terms = [Entry(skeleton, GIVEN, GIVEN.meaning, "") for skeleton in given if skeleton not in found]
    return (*own_terms, *found.values(), *_modulated(found, names))


def _modulated(found: Mapping[Skeleton, Entry], names: Names) -> list[Entry]:
    """Return common terms with numbers inside, and those that words speak for, in a rhythm that words speak for."""
    rhythm = found.get(WAVE)
    if rhythm is None or not rhythm.word:
        return []
    made: dict[Skeleton, Entry] = {}
    for skeleton, entry in found.items():
        count = count_params(skeleton)
        if not count or not (entry.word or entry.family.stage <= COMMON) or _WAVY.search(skeleton):
            continue
        waves = ("sin(params[{0}]*t + params[{1}])", "sin(params[{0}]*t)", "cos(params[{0}]*t)")
        texts = [f"({skeleton})*{wave.format(count, count + 1)}" for wave in waves]
        forms = [s for text in texts if (s := read_form(text, names)) is not None]
        if len(forms) == len(texts) and forms[0] not in found:
            meaning = f"{entry.meaning}, and a rhythm in time modulates it"
            made.setdefault(forms[0], Entry(forms[0], rhythm.family, meaning, rhythm.word, simpler=tuple(forms[1:])))
    return [*made.values(), *_rates(found, names, rhythm)]


def _rates(found: Mapping[Skeleton, Entry], names: Names, rhythm: Entry) -> list[Entry]:
    """Return flows in proportion to a variable whose rate depends exponentially on the rhythm."""
    made: list[Entry] = []
    for symbol, own in zip(names.symbols, names.own, strict=True):
        skeleton = read_form(f"{symbol}*{RATE}", names)
        alone = (f"{symbol}*exp(params[0]*{wave}(params[1]*t))" for wave in ("sin", "cos"))
        simpler = [read_form(text, names) for text in (*alone, f"{symbol}*{WAVE}", symbol)]
        if skeleton is not None and skeleton not in found:
            meaning = (
                f"A flow in proportion to {own}, at a rate that depends exponentially on a rhythm, as decay on warmth"
            )
            kept = tuple(s for s in simpler if s is not None)
            made.append(Entry(skeleton, rhythm.family, meaning, rhythm.word, simpler=kept))
    return made


def _own_function(function: tuple[str, str]) -> Family:
    """Return a function of a person's own as a mechanism: of each variable, and times another one."""
    name, body = function
    forms = tuple(form.format(name) for form in OWN_FORMS)
    return Family(f"{name}, a function of yours", forms, f"{name} is a function of yours, {body}", stage=1, plain=True)


def _bindings(form: str, names: Names, equation: int) -> Iterable[dict[str, str]]:
    """Ways to fill the slots of a form: {x} is the equation's own state, {y}, {z} and {w} are others."""
    slots = _slots(form)
    own = names.symbols[equation]
    others = [symbol for symbol in names.symbols if symbol != own]
    if len(names.symbols) > CROWDED and ("w" in slots or {"x", "z"} <= {*slots}):
        return
    free = [slot for slot in slots if slot != "x"]
    for chosen in permutations(others, len(free)):
        yield {**({"x": own} if "x" in slots else {}), **dict(zip(free, chosen, strict=True))}


def turned(form: str) -> set[str]:
    """Return the variables, or slots of a form, of which it takes a sine or cosine as they are: angles, if anything."""
    bare = (_NAME.findall(_SCALED.sub("", argument)) for argument in _TURN.findall(form))
    return {name for names in bare for name in names} - {"t", "params"}


def _slots(form: str) -> list[str]:
    return [slot for slot in "xyzw" if "{" + slot + "}" in form]


def _simpler(family: Family, form: str, binding: Mapping[str, str], names: Names) -> tuple[Skeleton, ...]:
    """The family's simpler terms for this binding: with inner parameters those of the same variables only."""
    if "params[" not in form:
        return ()
    slots = set(_slots(form))
    fitting = [
        other
        for other in family.simpler
        if set(_slots(other)) == slots
        or (set(_slots(other)) <= slots and ("params[" not in other or other in family.forms and other != form))
    ]
    return tuple(dict.fromkeys(s for other in fitting if (s := read_form(other.format(**binding), names)) is not None))


def _meaning(meaning: str, own: Mapping[str, str], equation: str) -> str:
    """The mechanism as the beginning of a sentence; a name is never written with another first letter."""
    slots = {"x": equation, "y": "another variable", "z": "a third", **own}
    said = meaning.format(**slots)
    named = meaning.startswith("{") and meaning[1] in ("x", *own)
    return said if named else said[0].upper() + said[1:]
