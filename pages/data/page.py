"""Data: choose a table, say what its columns are, describe the system, start."""

from pages.data import bundled, choosing, upload
from pages.ui import new_run


def page() -> None:
    """Draw the choice of a table until there is one, then that table."""
    given = new_run.upload()
    chosen = new_run.bundled()
    if given is not None:
        upload.tables(given)
    elif chosen:
        bundled.data_set(chosen)
    else:
        choosing.choose()


page()
