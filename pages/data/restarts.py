"""Time that starts again: asked, and never guessed."""

import streamlit as st

from dolq_core.inspection import Inspection
from pages.ui import session, words

ANSWERS = {"runs": "separate runs", "error": "errors in the table"}


def answer(mark: str) -> str:
    """Return what the person said: runs, error, or nothing yet."""
    return session.value(_key(mark)) or ""


def asks(found: Inspection, mark: str) -> bool:
    """Whether there is something to ask, or it was answered."""
    return bool(answer(mark)) or any(one.code == "time-restart" for one in found.findings)


def ask(found: Inspection, mark: str) -> None:
    """Draw the question with the rows where time starts again; once it is answered, only the answer."""
    where = next((one for one in found.findings if one.code == "time-restart"), None)
    with st.container(key="restarts" if answer(mark) else "disagree"):
        if where is not None and not answer(mark):
            more = f" and {where.count - len(where.rows)} more" if where.count > len(where.rows) else ""
            rows = f"{'rows' if where.count > 1 else 'row'} {', '.join(map(str, where.rows))}{more}"
            st.markdown(f":orange[:material/help:] Time starts over in {words.plain(rows)}.")
        st.segmented_control(
            "These are", list(ANSWERS), format_func=ANSWERS.__getitem__, key=_key(mark),
            persist_state="session",
        )  # fmt: skip


def _key(mark: str) -> str:
    return f"restarts·{mark}"
