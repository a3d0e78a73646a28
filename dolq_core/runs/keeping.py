"""A run whose database does not take it is kept as a file where there is room."""

from collections.abc import Sequence
from pathlib import Path

from dolq_core.runs.exporting import export, file_name
from dolq_core.runs.running import Run


def keep_elsewhere(run: Run, folders: Sequence[Path]) -> Path | None:
    """Write the bundle of a run into the first of the folders that takes it; return the file, None when none does."""
    made = export(run, "bundle")
    for folder in folders:
        place = _free(folder / file_name(run, "bundle"))
        try:
            place.write_bytes(made.content)
        except OSError:
            place.unlink(missing_ok=True)  # half of it, where the disk filled up
            continue
        return place
    return None


def _free(place: Path) -> Path:
    """Return a name that no file has, so that nothing is written over."""
    number = 1
    found = place
    while found.exists():
        number += 1
        found = place.with_stem(f"{place.stem}-{number}")
    return found
