"""No table yet: upload one, or take one that comes with the app."""

import streamlit as st

from dolq_core.bundled import bundled
from pages.ui import cards, frame, session

KINDS = ["csv", "tsv", "txt", "dat", "gz", "xlsx", "xls", "ods", "parquet"]
GROUPS = (
    ("real", "Measured", "Published numbers, each with a trap of its own."),
    ("generated", "The paper's systems", "Computed from known laws; noise, samples and starts are yours to choose."),
    ("nothing", "Nothing to find", "Chance alone: the right answer is that there is no law."),
)


def choose() -> None:
    """Draw the uploader and the bundled data sets."""
    frame.header("Data", "", ["A table with a column of times and at least one of measured values"])
    files = st.file_uploader(
        "Upload a table; several files are several runs",
        type=KINDS, key="uploader", accept_multiple_files=True,
    )  # fmt: skip
    if files:
        session.keep_upload(session.upload_of([(file.name, file.getvalue()) for file in files]))
        st.rerun()
    sets = bundled()
    for kind, heading, said in GROUPS:
        st.header(heading, anchor=False)
        st.caption(said)
        cards.cards([one for one in sets if one.kind == kind])
