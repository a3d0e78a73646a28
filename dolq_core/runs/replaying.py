"""What a replay has shown, in words: the same to the last bit, alike, or different, and where."""

from collections.abc import Sequence

from dolq_core.likeness import TOLERANCE, Likeness
from dolq_core.numerics.machine import machine
from dolq_core.records import Entry, Iteration


def likeness_in_words(found: Likeness) -> str:
    """Say how one entry came out."""
    if found.same == "identical":
        return "as recorded, to the last bit"
    if found.largest == float("inf"):
        return f"DIFFERENT from the record: {found.place}"
    apart = f"{found.largest:.1e} apart at most, in {found.place}"
    return f"the same decisions, numbers {apart}" if found.same == "alike" else f"DIFFERENT from the record: {apart}"


def played_in_words(found: Sequence[Likeness]) -> str:
    """Say how a whole run came out that is alike or identical in all entries."""
    worst = max(found, key=lambda one: one.largest, default=Likeness("identical"))
    if all(one.same == "identical" for one in found):
        return "The run came out as it was recorded, to the last bit."
    return (
        "The run came out as it was recorded: the same decisions and structures in the same order. The numbers agree "
        f"to {worst.largest:.1e}, where {TOLERANCE:g} is allowed."
    )


def where_computed(entries: Sequence[Entry]) -> str:
    """Say what differs between the machine of a record and this one, as far as the record tells."""
    known = [entry.machine for entry in entries if isinstance(entry, Iteration) and entry.machine]
    if not known:
        return "The record does not say what it was computed with."
    told, here = known[-1], machine()
    unlike = [f"{name} {told[name]} (here {here.get(name, 'none')})" for name in told if told[name] != here.get(name)]
    return f"Recorded with {'; '.join(unlike)}." if unlike else "Recorded with the same libraries and kernels as here."
