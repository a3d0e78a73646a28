"""Rows that have more or fewer cells than there are names."""

from collections import Counter
from collections.abc import Sequence

from dolq_core.data.dialect import DELIMITERS
from dolq_core.data.findings import Said, counted, refusal


def trimmed(row: Sequence[str]) -> Sequence[str]:
    """Return a row without the empty cells at its end."""
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


def check_widths(body: Sequence[tuple[int, list[str]]], header: tuple[int, int], delimiter: str, said: Said) -> None:
    """Refuse rows with more cells than names; say which rows end early, and take what they lack as missing.

    body: rows as the file counts them, with their cells; header: its row and how many names it has. Between blanks
    a missing cell has no place, so that a short row is refused there.
    """
    row, wanted = header
    wrong = [(at, len(trimmed(cells))) for at, cells in body if len(cells) > wanted and any(cells[wanted:])]
    short = [(at, len(cells)) for at, cells in body if len(cells) < wanted]
    if wrong or (short and (delimiter == " " or len(short) > len(body) / 2)):
        raise _width_error(row, wanted, len(body), wrong or short, delimiter)
    if short:
        found, assumed = f"fewer cells than the {wanted} names", "what is missing was taken to be missing at the end"
        hint = "Fill in the rows if cells are missing further left."
        said.add("missing-cell", found, assumed, hint, [at for at, _ in short])


def _width_error(row: int, wanted: int, rows: int, wrong: Sequence[tuple[int, int]], delimiter: str) -> Exception:
    ((common, count),) = Counter(found for _, found in wrong).most_common(1)
    code = "extra-cell" if common > wanted else "missing-cell"
    if count > rows / 2:
        reason = f"as the header it has {counted(wanted, 'cell')}, but {count} of {rows} rows have {common}"
        hint = "Put one name above each column, and lines of explanation behind #."
        if delimiter == "," and common == 2 * wanted > 2:
            hint = "If these are decimal commas, separate the columns by semicolons or tabs."
        return refusal(code, "", reason, hint, (row,))
    found = wrong[0][1]
    more = f" ({counted(len(wrong) - 1, 'more row')} like it)" if len(wrong) > 1 else ""
    reason = f"it has {counted(found, 'cell')}, but the header has {wanted}{more}"
    hint = "Remove the extra cell" if found > wanted else "Fill in what is missing, or leave the cell empty"
    hint = f"{hint}; text that holds {DELIMITERS.get(delimiter, 'a delimiter')} needs quotation marks."
    return refusal("extra-cell" if found > wanted else "missing-cell", "", reason, hint, [at for at, _ in wrong])
