"""The rows under the header: which are measurements, which are empty, repeated headers or footers, and the blocks."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from dolq_core.data.dialect import Grid, is_value
from dolq_core.data.findings import Said, counted
from dolq_core.data.layout import Layout
from dolq_core.data.numbers import is_missing

SUMMARY: Final = frozenset(
    "mean average avg median sum total totals std sd stdev stddev sem variance min minimum max maximum count "
    "mittelwert durchschnitt summe gesamt moyenne somme media promedio suma totale".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST: Final = 30  # rows of a footer


def select(grid: Grid, layout: Layout, said: Said) -> list[int]:
    """Return the positions of the rows of measurements; say what was left out."""
    kept = list(_repeats_out(grid, layout, _empty_out(grid, layout, said), said))
    return kept[: len(kept) - _footer(grid, layout, kept, said)]


def _empty_out(grid: Grid, layout: Layout, said: Said) -> list[int]:
    places = range(layout.start, len(grid.cells))
    kept = [i for i in places if any(grid.cells[i])]
    if len(kept) < len(places):
        rows = [grid.rows[i] for i in places if not any(grid.cells[i])]
        said.add("empty-row", counted(len(rows), "empty row"), "left out", "", rows, severity="left out")
    return kept


def _repeats_out(grid: Grid, layout: Layout, places: Sequence[int], said: Said) -> Iterator[int]:
    header = {row for row in layout.header if any(map(_is_word, row))}
    repeats = [i for i in places if header and tuple(grid.cells[i]) in header]
    if repeats:
        hint = "If a new run begins there, name a column that tells runs apart, or give every run a file."
        rows = [grid.rows[i] for i in repeats]
        said.add("repeated-header", "the header stands here again", "left out", hint, rows, severity="left out")
    gone = set(repeats)
    return (i for i in places if i not in gone)


def _is_word(cell: str) -> bool:
    return bool(cell) and not is_value(cell)


def _footer(grid: Grid, layout: Layout, kept: Sequence[int], said: Said) -> int:
    """Return how many rows at the end begin with a word where numbers stand above, or with one for a summary."""
    count = 0
    for i in reversed(kept[-_MOST:]):
        if not _is_footer(grid.cells[i], layout):
            break
        count += 1
    if count in (0, len(kept)):
        return 0
    rows = [grid.rows[i] for i in kept[len(kept) - count :]]
    shown = grid.cells[kept[len(kept) - count]][0][:40]
    hint = "Give the row a number in its first column if it is a measurement."
    said.add("footer", f"'{shown}' at the end of the table", "left out", hint, rows, severity="left out")
    return count


def _is_footer(row: Sequence[str], layout: Layout) -> bool:
    first = row[0].strip(":= ") if row else ""
    words = _WORD.findall(first.lower())
    if not words or is_missing(first) or is_value(first) or not first[0].isalpha():
        return False
    if layout.numeric[0]:
        return not any(letter.isdigit() for letter in first.split(" ")[0])  # 1O and x5 are slips, not words
    return words[0] in SUMMARY


def blocks(grid: Grid, layout: Layout, kept: Sequence[int]) -> list[int]:
    """Return the number of the block of each kept row: from 1, a new one after blank lines or a repeated header."""
    found: list[int] = []
    block, before = 1, layout.start - 1
    for place, i in enumerate(kept):
        apart = i - before > 1 or i in grid.breaks
        block += bool(place) and apart
        found.append(block)
        before = i
    return found
