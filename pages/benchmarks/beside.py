"""The campaigns that work beside the app: one table of processes for all sessions of this server."""

import atexit
from pathlib import Path

import streamlit as st

from lab import small
from lab.processes import Campaigns
from pages.ui import identity


@st.cache_resource(show_spinner=False)
def campaigns() -> Campaigns:
    """Return the campaigns that this server has started."""
    found = Campaigns()
    atexit.register(found.close)
    return found


def folder() -> Path:
    """Return the folder of the campaigns of the person who is asking."""
    return small.folder(identity.owner())
