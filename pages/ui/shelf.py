"""What a tab holds that no store has yet, in this server's memory: a reload of the page finds it again.

By owner and a random name, which the address says. Nobody else finds it, and a name that nothing lies under makes no
room for itself. What waits on a run lies under the run too, for its owner: an address of another page says no name.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final, Literal

import streamlit as st

from dolq_core import runs
from pages.ui import identity, session

What = Literal["table", "draft"]
MOST: Final[Mapping[What, int]] = {"table": 6, "draft": 200}
"""Tabs whose table before its run, and whose choices that wait for a step, outlive a reload."""
RUNS: Final = 400
"""Runs on which choices wait, whichever tab they were made in."""


@st.cache_resource(show_spinner=False)
def _places(what: What) -> runs.Recent[tuple[str, str], Any]:
    return runs.Recent(MOST[what])


def put(what: What, held: Any) -> None:
    """Keep what the tab holds now, under its name in the address."""
    name = session.shelved(what) or secrets.token_urlsafe(12)
    _places(what).put((identity.owner(), name), held)
    session.name_shelved(what, name)


def found(what: What) -> Any:
    """Return what lies under the name that the address says; None where nothing does."""
    name = session.shelved(what)
    return _places(what).get((identity.owner(), name)) if name else None


def forget(what: What) -> None:
    """Let go what the tab held, here and in the address."""
    if name := session.shelved(what):
        _places(what).drop((identity.owner(), name))
    session.name_shelved(what, "")


def show(what: What) -> None:
    """Name it in the address of this page too, where the tab holds something."""
    session.name_shelved(what, session.shelved(what))


@st.cache_resource(show_spinner=False)
def _runs() -> runs.Recent[tuple[str, str], Any]:
    return runs.Recent(RUNS)


def wait(run: str, held: Any) -> None:
    """Keep what waits on a run, made in whichever tab; nothing where that is empty."""
    if held:
        _runs().put((identity.owner(), run), held)
    else:
        _runs().drop((identity.owner(), run))


def waiting(run: str) -> Any:
    """Return what waits on a run, made in whichever tab; None where nothing does."""
    return _runs().get((identity.owner(), run))
