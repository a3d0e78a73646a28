"""Whether two logs say the same: every entry to the last bit, but for the seconds that things took."""

from collections.abc import Sequence

from dolq_core.records import Entry
from dolq_core.store import codec


def said(entry: Entry) -> str:
    """Return the entry as text, without what a clock said."""
    return codec.dumps(_timeless(codec.to_plain(entry)))


def _timeless(plain: codec.Json) -> codec.Json:
    if isinstance(plain, dict):
        return {key: _timeless(value) for key, value in plain.items() if key != "seconds"}
    return [_timeless(one) for one in plain] if isinstance(plain, list) else plain


def first_difference(one: Sequence[Entry], other: Sequence[Entry]) -> int | None:
    """Return the number of the first entry in which the shorter log differs from the longer; None when none does."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if said(a) != said(b)), None)
