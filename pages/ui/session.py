"""What lives as long as the browser tab: which run and lesson are open, what is asked for, what a widget holds.

The store is the truth. With `drafts` and `new_run` the only files that name keys of `st.session_state`.
"""

import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from dolq_core import lessons, runs
from dolq_core.errors import StoreError
from dolq_core.jobs import Mode
from dolq_core.store.standby import Standby
from pages.ui import identity

_ASKED, _SAID, _ENDS, _EDITORS = "dolq.asked", "dolq.said", "dolq.ends", "dolq.editors"
_BEGAN, _PAGE, _COMES_FROM = "dolq.began", "dolq.page", "dolq.comes_from"
_LESSON, _WAYS = "dolq.lesson", "dolq.ways"
TABLE = "table.view"


def store() -> Standby:
    """Return the store as the person who is asking sees it.

    There is one for all sessions: each rerun is another thread, and gets a connection of its own.
    """
    owner, room = identity.owner(), identity.room()
    place = lessons.class_of(room).database if room else runs.default_database()
    return _opened(str(place)).seen_by(owner)


@st.cache_resource(show_spinner=False)
def _opened(path: str) -> Standby:
    """Open a database once: what it does not take waits here, so it is kept for as long as the server lives."""
    return runs.open_standby(Path(path))


# --- what is open: here and in the address, so that a reload finds it again ----------------------------


def _keep(name: str, value: str) -> None:
    """Keep what is open; empty for nothing."""
    st.session_state[f"dolq.{name}"] = value
    if not value:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def _kept(name: str) -> str:
    """Return what the address says, else what was open before; empty if nothing was."""
    return st.query_params.get(name) or st.session_state.get(f"dolq.{name}", "")


def run_id() -> str:
    """Return the id of the open run; empty if none."""
    return _kept("run")


def open_run(run: str) -> None:
    """Make `run` the open one; empty for none."""
    _keep("run", run)


def shelved(what: str) -> str:
    """Return the name under which `pages.ui.shelf` keeps what this tab holds; empty where it keeps nothing."""
    return _kept(what)


def name_shelved(what: str, name: str) -> None:
    """Say this name, here and in the address; empty for none."""
    _keep(what, name)


# --- which lesson is open ---------------------------------------------------------------------------


def lesson_id() -> str:
    """Return the id of the way through a lesson that is open: what the address says, else what was open before.

    An address that lost it on this page was gone back to: the list of lessons is meant.
    """
    return st.query_params.get("lesson") or _before(_LESSON)


def _before(key: str) -> str:
    """Return what was open when another page was gone to."""
    return st.session_state.get(key, "") if is_another_page() else ""


def open_lesson(way: str, step: int) -> None:
    """Make a way through a lesson the open one, here and in the address, at a step from 0."""
    st.session_state[_LESSON] = way
    st.session_state[_WAYS] = (way, *(other for other in own_ways() if other != way))
    now = {"lesson": way, "step": str(step + 1)}
    if any(st.query_params.get(key) != value for key, value in now.items()):
        st.query_params.update(now)


def lesson_step(way: str) -> int | None:
    """Return the step, from 0, at which the address opens this way: the browser's Back comes to an earlier one."""
    said = st.query_params.get("step", "")
    return int(said) - 1 if st.query_params.get("lesson") == way and said.isdecimal() and len(said) < 4 else None


def own_ways() -> tuple[str, ...]:
    """Return the ways through lessons that were opened in this tab, the last one first."""
    return st.session_state.get(_WAYS, ())


def close_lesson() -> None:
    """Go back to the list of lessons; what was answered is kept."""
    st.session_state.pop(_LESSON, None)
    for key in ("lesson", "step"):
        st.query_params.pop(key, None)


def taught() -> str:
    """Return the id of the class whose teacher's page is open; empty if none."""
    return st.query_params.get("teach") or _before("dolq.teach")


def teach(room: str) -> None:
    """Open the teacher's page of a class; empty to close it."""
    _keep("teach", room)


def is_presenting() -> bool:
    """Whether the screen is a room's."""
    return _kept("present") == "1"


def present(on: bool) -> None:
    """Make the screen a room's, or take that back."""
    _keep("present", "1" if on else "")


def clicked(widget: str) -> str:
    """Return what the point of a chart that was clicked carries; empty if none was."""
    points = st.session_state[widget].selection.points if widget in st.session_state else ()
    return str(points[0].get("customdata", [""])[0]) if points else ""


def seed(widget: str, value: Any) -> None:
    """Give a keyed widget its first value, unless the person already changed it."""
    st.session_state.setdefault(widget, value)


def fields(of: Collection[str]) -> dict[str, Any]:
    """Return what the fields hold whose key, "what·of·..." or "group·what·of", names one of these; buttons aside."""
    said = {str(key): held for key, held in st.session_state.items() if not isinstance(held, bool)}
    return {key: held for key, held in said.items() if not set(of).isdisjoint(key.split("·")[1:3])}


def follow(widget: str, now: str) -> None:
    """Let a field show what holds now, as long as the person has not written in it.

    It is written only where it differs: a value that is written goes to the browser, over a newer choice there.
    """
    base, held = f"{widget}·base", st.session_state.get(f"{widget}·held")
    if held not in (None, st.session_state.get(base)) and widget not in st.session_state:
        st.session_state[widget] = held
    shown = st.session_state.get(widget)
    if shown != now and shown in (None, st.session_state.get(base)):
        st.session_state[widget] = now
    st.session_state[base] = now


def hold(widget: str, typed: str) -> str:
    """Keep what is typed in a field for `follow`, and return it: Streamlit forgets what another page does not draw."""
    st.session_state[f"{widget}·held"] = typed
    return typed


def value(widget: str) -> Any:
    """Return what a keyed widget holds now."""
    return st.session_state.get(widget)


def drop(widget: str) -> None:
    """Forget what a keyed widget holds."""
    st.session_state.pop(widget, None)


def reset(widget: str, to: Any) -> None:
    """Set a keyed widget that is not drawn yet in this rerun."""
    st.session_state[widget] = to


def reset_all(values: Mapping[str, Any]) -> None:
    """Set several keyed widgets, from a callback."""
    for widget, to in values.items():
        reset(widget, to)


# --- what a person has open -----------------------------------------------------------------------------


def no_editors() -> None:
    """Forget which editors the page has; it names them anew while it is drawn."""
    st.session_state[_EDITORS] = frozenset[str]()


def editor(key: str) -> str:
    """Note that the page has an editor that opens and closes; return its key."""
    st.session_state[_EDITORS] = st.session_state.get(_EDITORS, frozenset[str]()) | {key}
    return key


def begin(at: float, page: str) -> None:
    """Note which page is being drawn, and since when on the machine's monotonic clock."""
    st.session_state[_BEGAN] = at
    st.session_state[_COMES_FROM], st.session_state[_PAGE] = st.session_state.get(_PAGE, ""), page
    if is_presenting():
        present(True)
    identity.stay()


def is_another_page() -> bool:
    """Whether the page that is being drawn takes the place of another one."""
    return st.session_state.get(_COMES_FROM) != st.session_state.get(_PAGE)


def drawing_s() -> float:
    """Return for how many seconds the page has been drawn so far."""
    return time.monotonic() - st.session_state.get(_BEGAN, time.monotonic())


def is_editing() -> bool:
    """Whether a person has an editor open: then the page must not be drawn anew under their hands."""
    return any(st.session_state.get(key) is True for key in st.session_state.get(_EDITORS, ()))


# --- what is asked for in the next rerun, and what is said in it -----------------------------------------


def ask_step(run: str, iteration: int, mode: Mode = "step") -> None:
    """Ask for one iteration after `iteration`, or for auto mode; asking twice from the same place is asking once."""
    st.session_state[_ASKED] = (run, iteration, mode)


def step_asked(run: str, iteration: int) -> Mode | None:
    """Return what is asked for from exactly here."""
    asked = st.session_state.get(_ASKED)
    return asked[2] if asked is not None and asked[:2] == (run, iteration) else None


def forget_step() -> None:
    """Take the question for a step back."""
    st.session_state.pop(_ASKED, None)


def say(message: str) -> None:
    """Keep a message for the next rerun."""
    st.session_state[_SAID] = message


def said() -> str:
    """Return the message that was kept, once."""
    return st.session_state.pop(_SAID, "")


def has_gone_on(run: runs.Run) -> bool:
    """Whether the store has more of a run than a page that was drawn, or no longer has it."""
    try:
        return bool(store().entries(run.id, len(run.entries)))
    except StoreError:
        return True


# --- why the last job ended ------------------------------------------------------------------------------


def keep_end(run: runs.Run, words: str) -> None:
    """Keep why a job on the run ended, for as long as the run stands where it stands."""
    st.session_state[_ENDS] = {**st.session_state.get(_ENDS, {}), run.id: (len(run.entries), words)}


def end_of(run: runs.Run) -> str:
    """Return why the last job of this tab on the run ended; empty when the run went on since."""
    at, words = st.session_state.get(_ENDS, {}).get(run.id, (0, ""))
    return words if at == len(run.entries) else ""
