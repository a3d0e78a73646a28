"""Where the words of a description and the data disagree: on one term, or on what the system is at all."""

import re
from collections.abc import Callable, Collection, Sequence
from math import exp, log

from dolq_core.errors import grouped
from dolq_core.mechanisms import FAMILIES, listed, read, suggests

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
IN_A_SENTENCE = 3
"""Words that suggest mechanisms, from which a sentence is held against equations that have none of them, where another
sentence fits: with two it was a true sentence ("Phosphorus in the water of a shallow lake, scaled, by year.")."""
SHORT = 4
"""Words up to which a sentence is a name ("A heated vessel."), and says of no mechanism that it acts."""
IN_ALL = 4
LOST = 3.0
"""Nats behind the law beyond which a mechanism has lost: odds of 20 to 1."""
AT_MOST = log(1e6)
"""Nats up to which odds are a figure."""
ANSWERED = 0.17
"""Share of those words, in the whole description, up to which it speaks of another system: one in six, by what
`python -m lab accused` says of the right words.
"""


def unanswered(
    description: str,
    found: Collection[str],
    behind: Callable[[Collection[str]], float],
    driven_by: Sequence[str] = (),
    named: Collection[str] = (),
) -> str:
    """Say that a description, or a sentence of it, speaks of mechanisms that were tried and lost, and by how much.

    Args:
        description: as the person wrote it.
        found: names of the families of all terms that the data need.
        behind: the nats by which the best law with a term of some families is behind the law. Up to LOST of them the
            words have not lost.
        driven_by: names of the inputs that act in the laws: a word for one of them is answered by it.
        named: phrases that name the very shape of a term of the laws, as "square of": their sentences are answered.
    """
    known = {part for name in driven_by for part in read(name)[0]}
    for words in (read(sentence)[0] for sentence in SENTENCE.split(description)):
        known |= {*words} if any({*phrase.split()} <= {*words} for phrase in named) else set()
    said = read(description)[0]
    suggesting = [word for word in said if _families(word)]
    without = [word for word in suggesting if word not in known and not _families(word) & set(found)]
    if len(suggesting) >= IN_ALL and len(suggesting) - len(without) <= ANSWERED * len(suggesting):
        nats = _lost(without, behind)
        return f"Words and data disagree: the description speaks of {_some(without)}{_by(nats)}" if nats else ""
    if len(without) == len(suggesting):
        return ""
    for sentence in SENTENCE.split(description):
        words = read(sentence)[0]
        mechanisms = [word for word in words if _families(word)]
        if (
            len(words) > SHORT
            and len(mechanisms) >= IN_A_SENTENCE
            and not any(word in known or _families(word) & set(found) for word in mechanisms)
        ):
            nats = _lost(mechanisms, behind)
            if nats:
                return f"Words and data disagree: “{_short(sentence)}” speaks of {_some(mechanisms)}{_by(nats)}"
    return ""


def _lost(words: Sequence[str], behind: Callable[[Collection[str]], float]) -> float:
    """Return the nats by which the mechanisms of these words have lost; 0 where they have not."""
    nats = behind({name for word in words for name in _families(word)})
    return nats if nats > LOST else 0.0


def _by(nats: float) -> str:
    odds = grouped(float(f"{exp(nats):.1g}"), ".0f") if nats < AT_MOST else "over a million"
    return f". With a term that these words suggest the best law describes the samples worse: odds of {odds} to 1."


def disputed(terms: Sequence[tuple[str, str]], *, again: bool) -> str:
    """Say on which terms words and numbers disagree, and who is believed.

    Args:
        terms: (the term, the state in whose equation it stands).
        again: they disagreed in the iteration before as well.
    """
    if not terms:
        return ""
    named = [f"{term} in the equation of {own}" for term, own in terms[:2]]
    more = [f"{len(terms) - 2} more"] if len(terms) > 2 else []
    if again:
        return f"Words and numbers disagree again on {listed([*named, *more])}: now the numbers are believed."
    return f"Words and numbers disagree on {listed([*named, *more])}: the next iteration looks again."


def _families(word: str) -> set[str]:
    return {family.name for family in FAMILIES if suggests(word, family.stems)}


def _some(words: Sequence[str]) -> str:
    return listed(list(words[:3]), "'")


def _short(sentence: str) -> str:
    plain = " ".join(sentence.split())
    return plain if len(plain) <= 80 else f"{plain[:77].rsplit(' ', 1)[0]} …"
