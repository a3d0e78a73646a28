"""Files that a person gave: opened once for each way in which they are to be read."""

from collections.abc import Sequence

from dolq_core.data import AS_FOUND, Dialect
from dolq_core.inspection import Opened, open_files
from dolq_core.runs.recent import Recent

_opened: Recent[tuple[str, Dialect], Opened] = Recent(2)  # a large table takes as much memory as its file


def opened(files: Sequence[tuple[str, bytes]], mark: str, how: Dialect = AS_FOUND) -> Opened:
    """Return what `open_files` makes of the files; mark tells them apart from all others. The last are remembered."""
    found = _opened.get((mark, how))
    if found is None:
        found = open_files(files, how)
        _opened.put((mark, how), found)
    return found
