"""Who is asking: the only file that reads `st.user`.

Without a login in the server's secrets everything belongs to the local owner. With one (`st.login`, OpenID Connect)
nothing is drawn before it, and runs belong to whom the provider names.
"""

from collections.abc import Mapping

import streamlit as st

from dolq_core import runs
from pages.ui import words


def owner() -> str:
    """Return who is asking, for the core: the provider and its own unchanging name for the person, never an address.

    Raises PermissionError before the login, so that a page that forgets to ask for it shows nothing.
    """
    user = st.user.to_dict()
    if "is_logged_in" not in user:
        return runs.LOCAL
    if user["is_logged_in"] is not True or not user.get("iss") or not user.get("sub"):
        raise PermissionError("Nobody is logged in.")
    return f"{user['iss']} {user['sub']}"


def is_known() -> bool:
    """Whether it is known who is asking: somebody logged in, or no login is asked for."""
    try:
        owner()
    except PermissionError:
        return False
    return True


def ask() -> None:
    """Draw the way in, and end the page there."""
    st.title("DoLQ", anchor=False)
    st.markdown("Runs on this server belong to the person who started them. Log in to see yours.")
    for name in _providers():
        label = f"Log in with {words.label(name)}" if name else "Log in"
        st.button(
            label,
            type="primary",
            icon=":material/login:",
            on_click=st.login,
            args=(name or None,),
            key=f"log_in {name}",
        )
    st.stop()


def leave() -> None:
    """Draw who is logged in, and the way out; nothing where no login is asked for."""
    user = st.user.to_dict()
    if "is_logged_in" in user:
        with st.sidebar, st.container(key="who"):
            st.caption(words.plain(f"Logged in as {user.get('name') or user.get('email') or user['sub']}"))
            st.button("Log out", icon=":material/logout:", on_click=st.logout, key="log_out")


def _providers() -> list[str]:
    """Return the providers by the names of their sections; an empty name for the one that needs none."""
    found = st.secrets["auth"] if "auth" in st.secrets else {}
    named = [name for name, value in found.items() if isinstance(value, Mapping)]
    return [*([""] if "client_id" in found else []), *named]
