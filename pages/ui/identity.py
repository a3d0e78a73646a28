"""Who is asking: the only file that reads `st.user`.

Without a login in the server's secrets everything belongs to the local owner. With one (`st.login`, OpenID Connect)
nothing is drawn before it, and runs belong to whom the provider names.
"""

from collections.abc import Mapping
from typing import Any, Final

import streamlit as st

from dolq_core.errors import DolqError
from dolq_core.ports import LOCAL
from pages.ui import guard, words

_ROOM, _PLACE = "class", "place"
MOST_ENDED: Final = 100_000
"""Logins that are remembered as ended, the last ones; each takes some hundred bytes."""


def owner() -> str:
    """Return who is asking, for the core: the provider and its own unchanging name for the person, never an address.

    Raises PermissionError before the login, so that a page that forgets to ask for it shows nothing. Where the person
    has logged out in another tab meanwhile, the page is drawn anew from its top, where the way in is.
    """
    user = st.user.to_dict()
    if room():
        return _placed()
    if is_local():
        return LOCAL
    if user["is_logged_in"] is not True or not user.get("iss") or not user.get("sub"):
        raise PermissionError("Nobody is logged in.")
    if _login(user) in _ended():
        st.rerun()
    return f"{user['iss']} {user['sub']}"


def room() -> str:
    """Return the id of the class that this session is a learner of; empty if none.

    It is what the address says; for a browser that only a class's key has let in, that class and nothing else.
    """
    confined = guard.confined(st.context.cookies)
    said = st.query_params.get(_ROOM) or st.session_state.get(_ROOM, "")
    return confined or said


def may_join() -> bool:
    """Whether this session has the key of its class: the guard has seen it, or the address holds it."""
    from dolq_core.lessons import has_key  # noqa: PLC0415  # the start page does without it

    return bool(guard.confined(st.context.cookies)) or has_key(room(), st.query_params.get("key", ""))


def place() -> str:
    """Return the id of the session's place in its class; empty before one is taken."""
    return st.query_params.get(_PLACE) or st.session_state.get(_PLACE, "")


def take_place(room: str, place: str) -> None:
    """Keep a place, here and in the address, so that a reload finds it again."""
    for key, value in ((_ROOM, room), (_PLACE, place)):
        st.session_state[key] = value
        if st.query_params.get(key) != value:
            st.query_params[key] = value


def stay() -> None:
    """Write the place into the address of the page that is being drawn: another page begins without it."""
    if room() and place():
        take_place(room(), place())


def is_joining() -> bool:
    """Whether this session follows the link of a class and has no place in it yet."""
    if not room():
        return False
    try:
        _placed()
    except PermissionError:
        return True
    return False


def _placed() -> str:
    from dolq_core.lessons import owner_of, place_of  # noqa: PLC0415  # the start page does without it

    try:
        return owner_of(room(), place_of(room(), place()).id)
    except DolqError:
        raise PermissionError("There is no such place in this class.") from None


def is_local() -> bool:
    """Whether this server asks for no login."""
    return "is_logged_in" not in st.user.to_dict()


def is_known() -> bool:
    """Whether it is known who is asking: somebody logged in, or no login is asked for."""
    if _login(st.user.to_dict()) in _ended():
        return False
    try:
        owner()
    except PermissionError:
        return False
    return True


def ask() -> None:
    """Draw the way in, and end the page there."""
    with st.container(key="way_in"):
        with st.container(key="promise"):
            st.title("Find the equations behind your measurements", anchor=False)
        with st.container(key="lead"):
            st.markdown("Log in to see your runs.")
        with st.container(horizontal=True):
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
    st.html("<script>sessionStorage.setItem('dolq.wanted', location.href)</script>", unsafe_allow_javascript=True)
    st.stop()


def go_on() -> None:
    """Go to the page that was asked for before the login: a provider sends everybody back to the first one."""
    if is_local():
        return
    with st.container(key="go_on"):
        st.html(
            """<script>
            const wanted = sessionStorage.getItem('dolq.wanted');
            sessionStorage.removeItem('dolq.wanted');
            if (wanted && wanted !== location.href) location.replace(wanted);
            </script>""",
            unsafe_allow_javascript=True,
        )


def leave() -> None:
    """Draw who is logged in, and the way out; nothing where no login is asked for."""
    user = st.user.to_dict()
    if "is_logged_in" in user:
        with st.sidebar, st.container(key="who"):
            st.caption(words.plain(f"Logged in as {user.get('name') or user.get('email') or user['sub']}"))
            st.button("Log out", icon=":material/logout:", on_click=_log_out, key="log_out")


def _log_out() -> None:
    """End this login in every tab: Streamlit takes the cookie of the browser, and asks no other tab."""
    ended = _ended()
    ended[_login(st.user.to_dict())] = None
    for oldest in list(ended)[:-MOST_ENDED]:
        ended.pop(oldest, None)
    st.logout()


def _login(user: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what all tabs of one login share, and no other login has: the nonce is drawn for each."""
    return tuple(str(user.get(key)) for key in ("iss", "sub", "iat", "nonce"))


@st.cache_resource(show_spinner=False)
def _ended() -> dict[tuple[str, ...], None]:
    return {}


def _providers() -> list[str]:
    """Return the providers by the names of their sections; an empty name for the one that needs none."""
    found = st.secrets["auth"] if "auth" in st.secrets else {}
    named = [name for name, value in found.items() if isinstance(value, Mapping)]
    return [*([""] if "client_id" in found else []), *named]
