"""What is drawn of a run and takes time to make: made once for each state of its log, in each theme.

A log only grows, so a run's id and the length of its log say which state it is. What the person decided lives in the
store, what they have not decided yet in `session`, and for a reload of the page in `shelf`.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

import streamlit as st

from dolq_core import runs

Made = TypeVar("Made")


def once(run: runs.Run, what: str, make: Callable[[], Made], waits: str = "") -> Made:
    """Return what `make` returns for the run as it stands; it draws nothing, and its result is never changed.

    what: tells it from all else that is kept of a run; waits: what a person reads while it takes its time.
    """
    with st.spinner(waits) if waits else nullcontext():
        return _made(what, run.id, len(run.entries), str(st.context.theme.type), make)


@st.cache_resource(max_entries=256, show_spinner=False)
def _made(what: str, run: str, entries: int, theme: str, _make: Callable[[], Any]) -> Any:
    with runs.one_thread():
        return _make()
