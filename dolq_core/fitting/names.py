"""The names of a data set, for the language of terms."""

from textwrap import shorten
from typing import Final

from dolq_core.records import Dataset, Variable
from dolq_core.terms import Names

LONGEST: Final = 60
"""Letters of a meaning that stand behind a name."""


def names_of(dataset: Dataset, *, told: bool = False) -> Names:
    """Return the names of states and inputs, as `dolq_core.terms` reads and writes them.

    told: with what they stand for, for a person who types; in a prompt these words would stand outside their marks.
    """
    variables = (*dataset.states, *dataset.inputs)
    return Names(
        tuple(v.name for v in variables),
        tuple(v.symbol for v in variables),
        dataset.time.name,
        dataset.functions,
        tuple(v.title for v in variables),
        tuple(v.unit for v in variables),
        tuple(_words(v) for v in variables) if told else (),
    )


def _words(variable: Variable) -> str:
    """What a column stands for, in a few words, and its unit."""
    return ", ".join(filter(None, (shorten(variable.meaning, LONGEST, placeholder="..."), variable.unit)))
