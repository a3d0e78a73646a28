"""No table yet: upload one, or take one that comes with the app."""

import streamlit as st

from dolq_core.bundled import bundled
from pages.ui import cards, frame, new_run

KINDS = ["csv", "tsv", "txt", "dat", "gz", "xlsx", "xls", "ods", "parquet"]
GROUPS = (
    ("real", "Measured", "Published data, each with its trap."),
    ("generated", "The paper's systems", "Computed from known laws; you choose noise, samples and starts."),
    ("nothing", "Nothing to find", "Pure chance: the right answer is no law."),
)


def choose() -> None:
    """Draw the uploader and the bundled data sets."""
    frame.header("Data", "", ["One column of times, one or more of measurements"])
    files = st.file_uploader(
        "Upload a table, or one file per run",
        type=KINDS, key="uploader", accept_multiple_files=True,
    )  # fmt: skip
    if files:
        new_run.keep_upload(new_run.upload_of([(file.name, file.getvalue()) for file in files]))
        st.rerun()
    sets = bundled()
    for kind, heading, said in GROUPS:
        st.header(heading, anchor=False)
        st.caption(said)
        cards.cards([one for one in sets if one.kind == kind])
