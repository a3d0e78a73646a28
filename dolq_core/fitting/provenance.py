"""What was done to the data before they were fitted, and what the table itself gives: in sentences."""

from collections.abc import Iterator
from typing import Final

from dolq_core.mechanisms.words import listed
from dolq_core.numerics.holding import Hold
from dolq_core.records import Dataset


def given_words(dataset: Dataset) -> str:
    """Say which derivatives are given and what samples count by, as sentences; empty where there is neither."""
    rates = [f"The derivative of {one.state} is that of the column {one.column!r}." for one in dataset.derivatives]
    weights = [
        f"{f'Samples of {one.state}' if one.state else 'Samples'} count by the column {one.column!r}."
        for one in dataset.weights
    ]
    return "".join(f" {sentence}" for sentence in (*rates, *weights, *filter(None, [uneven_words(dataset)])))


def uneven_words(dataset: Dataset) -> str:
    """Say which states have noise that grows with the value, as a sentence; empty where none has."""
    pairs = zip(dataset.states, dataset.noise, strict=False)  # none while it was not looked for
    grown = [(state.name, f"{100.0 * own.share:.2g} %") for state, own in pairs if own.share > 0.0]
    if not grown:
        return ""
    names, shares = (listed(list(part)) for part in zip(*grown, strict=True))
    return f"The noise of {names} grows with the value (about {shares} of it); each sample counts by its own."


HELD: Final[dict[Hold, str]] = {
    "nearest": "held between samples, switched halfway",
    "previous": "held until the next sample",
    "next": "held since the sample before",
    "placed": "switched between two samples, where the whole runs of the table fit best",
}


def held_words(dataset: Dataset) -> str:
    """Say what inputs do between samples, as sentences; empty where all are straight lines."""
    pairs = zip(dataset.inputs, dataset.holds, strict=False)  # no holds while they were not looked for
    return "".join(f" {one.name} is {HELD[hold]}." for one, hold in pairs if hold != "linear")


def prepared_words(dataset: Dataset) -> tuple[str, ...]:
    """Say how columns were scaled, shifted and made of others, a sentence for each."""
    return tuple(_prepared(dataset))


def _prepared(dataset: Dataset) -> Iterator[str]:
    how = dataset.preparation
    for one in how.scaled:
        unit = f", in {one.unit}" if one.unit else ""
        yield f"{one.column} is the column of the table times {one.factor!r}{unit}."
    if how.time_shift:
        yield f"{dataset.time.name} is the time of the table plus {how.time_shift!r}."
    for new in how.derived:
        yield f"{new.name} is made of other columns: {new.name} = {new.formula}."
