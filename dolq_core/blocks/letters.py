"""Letters that a person writes for one number in several equations: each equation fits its own unless a rule ties them.

A letter stands for a number to be fitted only while a term is read; a skeleton knows no letters.
"""

from collections.abc import Iterable, Mapping

from dolq_core.blocks.reading import read_asked
from dolq_core.terms import Names, letters_in

TIE = "to make it one number, start a new run with a tie (“Building blocks” in the documentation)"


def apart(text: str, names: Names) -> str:
    """Return a sentence on the letters that stand in several equations of building blocks in TOML; raise DataError.

    Empty where there are none, and where a rule joins equations.
    """
    several = _in_several(read_asked(text), names)
    if not several:
        return ""
    listed = ", ".join(several)
    return f"{listed}: written in several equations and fitted separately in each; {TIE}."


def alone(text: str, names: Names) -> str:
    """Return a sentence on the letters in what a person types for one of several equations; empty without any."""
    found = letters_in(text, names)
    what = "no columns, so numbers" if len(found) > 1 else "no column, so a number"
    return f"{', '.join(found)}: {what}, fitted separately in each equation; {TIE}." if found else ""


def _in_several(written: Mapping[str, Iterable[str]], names: Names) -> list[str]:
    own = [{letter for text in texts for letter in letters_in(text, names)} for texts in written.values()]
    return sorted(letter for letter in set[str]().union(*own) if sum(letter in one for one in own) > 1)
