"""The names of a data set, for the language of terms."""

from dolq_core.records import Dataset
from dolq_core.terms import Names


def names_of(dataset: Dataset) -> Names:
    """Return the names of states and inputs, as `dolq_core.terms` reads and writes them."""
    variables = (*dataset.states, *dataset.inputs)
    return Names(
        tuple(v.name for v in variables),
        tuple(v.symbol for v in variables),
        dataset.time.name,
        dataset.functions,
        tuple(v.title for v in variables),
    )
