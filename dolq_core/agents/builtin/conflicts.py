"""Where the words of a description and the data disagree: on one term, or on what the system is at all."""

import re
from collections.abc import Collection, Sequence

from dolq_core.mechanisms import FAMILIES, listed, read, suggests

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
IN_A_SENTENCE = 2
"""Words that suggest mechanisms, from which a sentence is held against equations that have none of them, where another
sentence fits."""
IN_ALL = 4
ANSWERED = 0.25
"""Share of those words, in the whole description, up to which it speaks of another system."""


def unanswered(description: str, found: Collection[str]) -> str:
    """Say that a description, or a sentence of it, speaks of mechanisms of which none is among those found.

    Args:
        description: as the person wrote it.
        found: names of the families of all terms that the data need.
    """
    said = read(description)[0]
    suggesting = [word for word in said if _families(word)]
    without = [word for word in suggesting if not _families(word) & set(found)]
    if len(suggesting) >= IN_ALL and len(suggesting) - len(without) <= ANSWERED * len(suggesting):
        return (
            f"Words and data disagree: the description speaks of {_some(without)}, and the equations that the data "
            "need have next to nothing of that."
        )
    if len(without) == len(suggesting):
        return ""
    for sentence in SENTENCE.split(description):
        mechanisms = [word for word in read(sentence)[0] if _families(word)]
        if len(mechanisms) >= IN_A_SENTENCE and not any(_families(word) & set(found) for word in mechanisms):
            return (
                f"Words and data disagree: “{_short(sentence)}” speaks of {_some(mechanisms)}, and the equations "
                "that the data need have nothing of that."
            )
    return ""


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
