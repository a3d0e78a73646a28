"""Data: choose a table, say what its columns are, describe the system, start."""

import streamlit as st

from dolq_core.bundled import bundled as sets_that_come_along
from pages.data import bundled, upload
from pages.ui import cards, frame, new_run

KINDS = "CSV, TSV or other text, Excel (xlsx, xls), ODS, Parquet; text also packed (gz)."
GROUPS = (
    ("real", "Measured", "Published data, each with its trap."),
    ("generated", "The paper's systems", "Computed from known laws; you choose noise, samples and starts."),
    ("nothing", "Nothing to find", "Pure chance: the right answer is no law."),
)


def page() -> None:
    """Draw the choice of a table until there is one, then that table."""
    new_run.find_again()
    given = new_run.upload()
    chosen = new_run.bundled()
    if given is not None:
        upload.tables(given)
    elif chosen:
        bundled.data_set(chosen)
    else:
        _choose()


def _choose() -> None:
    """Draw the uploader and the bundled data sets."""
    frame.header("Data", "", ["One column of times, one or more of measurements"])
    # of any type: what is no table is told as what it is, with the way out, by whatever reads it
    files = st.file_uploader("Upload a table, or one file per run", key="uploader", accept_multiple_files=True)
    st.caption(KINDS)
    if files:
        new_run.keep_upload(new_run.upload_of([(file.name, file.getvalue()) for file in files]))
        st.rerun()
    sets = sets_that_come_along()
    for kind, heading, said in GROUPS:
        st.header(heading, anchor=False)
        st.caption(said)
        cards.cards([one for one in sets if one.kind == kind])


page()
