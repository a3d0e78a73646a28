"""What lives as long as the browser tab: the only file that names keys of `st.session_state`.

The store is the truth. Here is only what was not decided yet (the draft), what is asked for in the next
rerun, and which run is open.
"""

import hashlib
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from dolq_core import lessons, runs
from dolq_core.agents.providers import PRESETS, key_for
from dolq_core.jobs import Mode
from dolq_core.records import (
    Choice,
    EquationNote,
    ModelChoice,
    Models,
    Override,
    Preparation,
    Problem,
    Settings,
    TermKey,
    TermNote,
)
from dolq_core.store.standby import Standby
from pages.ui import identity

_RUN, _DRAFTS, _ASKED, _SAID, _UPLOAD, _NEW, _BUNDLED, _KEYS, _ENDS, _EDITORS = (
    "dolq.run", "dolq.drafts", "dolq.asked", "dolq.said", "dolq.upload", "dolq.new", "dolq.bundled", "dolq.keys",
    "dolq.ends", "dolq.editors",
)  # fmt: skip


_MADE = "dolq.made"
_BEGAN = "dolq.began"
_PAGE, _COMES_FROM = "dolq.page", "dolq.comes_from"
_LESSON = "dolq.lesson"
_PRESENT, _TEACH = "dolq.present", "dolq.teach"
_WAYS = "dolq.ways"
_PARTS = re.compile(r"(\d+)")
_WITHDRAWN = "dolq.withdrawn"  # how often: a table of edits has no other way to forget them
TABLE = "table.view"


@dataclass(frozen=True)
class Pending:
    """A choice for one term that was made and not applied yet; seen: what was said of the term when it was made."""

    choice: Choice
    reason: str = ""
    seen: Override | None = None


@dataclass(frozen=True)
class Draft:
    """What the person chose since the last iteration and did not apply yet."""

    wishes: Mapping[TermKey, Pending] = field(default_factory=dict[TermKey, Pending])
    proposals: tuple[TermNote, ...] = ()
    pins: tuple[TermNote, ...] = ()
    equations: tuple[EquationNote, ...] = ()

    def __len__(self) -> int:
        """Return the number of changes that wait."""
        return len(self.wishes) + len(self.proposals) + len(self.pins) + len(self.equations)


@dataclass(frozen=True)
class Upload:
    """The files that the person gave: names and bytes, read once; `mark` tells them from all others."""

    files: tuple[tuple[str, bytes], ...]
    mark: str

    @property
    def name(self) -> str:
        """Return what the files are called together."""
        more = len(self.files) - 1
        return f"{self.files[0][0]} and {more} more" if more else self.files[0][0]


def _in_order(name: str) -> list[str | tuple[int, str]]:
    """Return what sorts 10 behind 2: a number by its length first, since a name may be thousands of digits."""
    parts = _PARTS.split(name)  # a number at every second place
    return [(len(part.lstrip("0")), part.lstrip("0")) if at % 2 else part for at, part in enumerate(parts)]


def upload_of(files: Sequence[tuple[str, bytes]]) -> Upload:
    """Return files that the person gave, in the order of their names: run 2 before run 10."""
    own = sorted(files, key=lambda file: _in_order(file[0]))
    mark = hashlib.sha256()
    for name, content in own:
        mark.update(hashlib.sha256(name.encode("utf-8", "replace")).digest() + hashlib.sha256(content).digest())
    return Upload(tuple(own), mark.hexdigest())


@dataclass(frozen=True)
class NewRun:
    """What a new run starts with. models: None for the built-in agents."""

    settings: Settings = Settings()
    seed: int = 0
    models: Models | None = None


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


# --- which run is open -------------------------------------------------------------------------------


def run_id() -> str:
    """Return the id of the open run: what the address says, else what was open before; empty if none."""
    return st.query_params.get("run") or st.session_state.get(_RUN, "")


def open_run(run: str) -> None:
    """Make `run` the open one, here and in the address, so that a reload finds it again."""
    st.session_state[_RUN] = run
    if st.query_params.get("run") != run:
        st.query_params["run"] = run


def close_run() -> None:
    """Forget which run is open."""
    st.session_state.pop(_RUN, None)
    st.query_params.pop("run", None)


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
    return st.query_params.get("teach") or _before(_TEACH)


def teach(room: str) -> None:
    """Open the teacher's page of a class, or close it, here and in the address."""
    st.session_state[_TEACH] = room
    if room:
        st.query_params["teach"] = room
    else:
        st.query_params.pop("teach", None)


def is_presenting() -> bool:
    """Whether the screen is a room's: what the address says, else what was chosen before."""
    return st.query_params.get("present") == "1" or st.session_state.get(_PRESENT, False)


def present(on: bool) -> None:
    """Make the screen a room's or take that back, here and in the address, so that a reload finds it again."""
    st.session_state[_PRESENT] = on
    if on:
        st.query_params["present"] = "1"
    else:
        st.query_params.pop("present", None)


# --- what was chosen and not applied -------------------------------------------------------------------


def draft(run: str, iteration: int) -> Draft:
    """Return what waits for `iteration` of `run`: choices of another iteration never show up here."""
    return st.session_state.get(_DRAFTS, {}).get((run, iteration), Draft())


def keep_draft(run: str, iteration: int, new: Draft) -> None:
    """Replace what waits for `iteration` of `run`."""
    drafts = {place: old for place, old in st.session_state.get(_DRAFTS, {}).items() if place != (run, iteration)}
    st.session_state[_DRAFTS] = {**drafts, (run, iteration): new} if len(new) else drafts


def wish(run: str, iteration: int, key: TermKey, new: Pending | None) -> None:
    """Note the wish for one term, or withdraw it."""
    old = draft(run, iteration)
    others = {other: kept for other, kept in old.wishes.items() if other != key}
    keep_draft(run, iteration, replace(old, wishes={**others, key: new} if new else others))


def propose(run: str, iteration: int, note: TermNote, *, pin: bool = False) -> None:
    """Note a term of the person's own for the next iteration, or for every one from then on."""
    old = draft(run, iteration)
    proposals = tuple(other for other in old.proposals if other.key != note.key)
    pins = tuple(other for other in old.pins if other.key != note.key)
    added = replace(old, proposals=proposals, pins=(*pins, note)) if pin else None
    keep_draft(run, iteration, added or replace(old, proposals=(*proposals, note), pins=pins))


def propose_equation(run: str, iteration: int, note: EquationNote) -> None:
    """Note a whole equation of the person's own for the next iteration."""
    old = draft(run, iteration)
    others = tuple(other for other in old.equations if replace(other, reason=note.reason) != note)
    keep_draft(run, iteration, replace(old, equations=(*others, note)))


def carry(run: str, iteration: int) -> Draft:
    """Move what waited at other iterations of `run` to this one; return it, empty where nothing did.

    A choice names its term, so it means the same beside other numbers; only a person takes it back.
    """
    drafts = st.session_state.get(_DRAFTS, {})
    stale = sorted(place for place in drafts if place[0] == run and place[1] != iteration)
    moved = reduce(_merged, (drafts[place] for place in stale), Draft())
    if stale:
        st.session_state[_DRAFTS] = {place: kept for place, kept in drafts.items() if place not in stale}
        keep_draft(run, iteration, _merged(moved, draft(run, iteration)))
    return moved


def _merged(old: Draft, new: Draft) -> Draft:
    return Draft(
        {**old.wishes, **new.wishes},
        tuple(dict.fromkeys((*old.proposals, *new.proposals))),
        tuple(dict.fromkeys((*old.pins, *new.pins))),
        tuple(dict.fromkeys((*old.equations, *new.equations))),
    )


def withdraw(run: str, iteration: int | None = None) -> None:
    """Forget everything that waits, for one iteration or for whichever, the widgets that show it included."""
    for key in [key for key in st.session_state if str(key).startswith((f"choice·{run}·", f"reason·{run}·"))]:
        del st.session_state[key]
    st.session_state[_WITHDRAWN] = st.session_state.get(_WITHDRAWN, 0) + 1
    drafts = st.session_state.get(_DRAFTS, {})
    st.session_state[_DRAFTS] = {
        place: kept for place, kept in drafts.items() if place[0] != run or iteration not in (None, place[1])
    }


def table_widget(run: str, iteration: int) -> str:
    """Return the key of the table of terms: an edit belongs to an iteration, and ends when everything is withdrawn."""
    return f"table·{run}·{iteration}·{st.session_state.get(_WITHDRAWN, 0)}"


def edited_rows(widget: str) -> dict[int, dict[str, Any]]:
    """Return what was edited in a table: per position of a row, the new cells by the names of their columns."""
    found = st.session_state.get(widget) or {}
    return {int(position): cells for position, cells in found.get("edited_rows", {}).items()}


def term_widget(what: str, run: str, key: TermKey, holds: str) -> str:
    """Return the key of a term's widget: by run and term, so that no edit lands on another term.

    It is the same in every iteration: what a person has open stays open while the run goes on. It is another one
    after everything was withdrawn: a closed popover would send its old choice with the next click. And it is another
    one when something else holds for the term: the browser sends what it shows with every click and every look, and
    what held before would be taken for a choice of the person's.
    """
    return f"{what}·{run}·{st.session_state.get(_WITHDRAWN, 0)}·{key.equation}·{key.skeleton}·{holds}"


def clicked(widget: str) -> str:
    """Return what the point of a chart that was clicked carries; empty if none was."""
    points = st.session_state[widget].selection.points if widget in st.session_state else ()
    return str(points[0].get("customdata", [""])[0]) if points else ""


def seed(widget: str, value: Any) -> None:
    """Give a keyed widget its first value, unless the person already changed it."""
    st.session_state.setdefault(widget, value)


def follow(widget: str, now: str) -> None:
    """Let a field show what holds now, as long as the person has not written in it.

    It is written only where it differs: a value that is written goes to the browser, over a newer choice there.
    """
    base = f"{widget}·base"
    shown = st.session_state.get(widget)
    if shown != now and shown in (None, st.session_state.get(base)):
        st.session_state[widget] = now
    st.session_state[base] = now


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


# --- what a new run is made of ---------------------------------------------------------------------------


def upload() -> Upload | None:
    """Return the files that the person gave, or None."""
    return st.session_state.get(_UPLOAD)


def keep_upload(new: Upload | None) -> None:
    """Keep the files across pages: the uploader itself forgets it."""
    st.session_state[_UPLOAD] = new


def preparation(mark: str) -> Preparation:
    """Return what the person does to the columns of a table before they get their roles."""
    return st.session_state.get(_MADE, {}).get(mark, Preparation())


def keep_preparation(mark: str, new: Preparation) -> None:
    """Keep what is done to the columns of a table."""
    st.session_state[_MADE] = {**st.session_state.get(_MADE, {}), mark: new}


def bundled() -> str:
    """Return the id of the bundled data set that is chosen; empty if none."""
    return st.session_state.get(_BUNDLED, "")


def choose_bundled(name: str) -> None:
    """Choose a bundled data set, instead of a file."""
    st.session_state[_BUNDLED] = name
    keep_upload(None)


def new_run() -> NewRun:
    """Return the settings that a new run starts with."""
    return st.session_state.get(_NEW, NewRun())


def keep_new_run(new: NewRun) -> None:
    """Keep the settings for the runs to come."""
    st.session_state[_NEW] = new


def start(problem: Problem, name: str = "", settings: Settings | None = None) -> str:
    """Store a new run with what was chosen for the runs to come, and return its id."""
    new = new_run()
    agents = "builtin" if new.models is None else "models"
    return runs.start(store(), problem, settings or new.settings, new.seed, agents, name, new.models)


# --- why the last job ended ------------------------------------------------------------------------------


def keep_end(run: runs.Run, words: str) -> None:
    """Keep why a job on the run ended, for as long as the run stands where it stands."""
    st.session_state[_ENDS] = {**st.session_state.get(_ENDS, {}), run.id: (len(run.entries), words)}


def end_of(run: runs.Run) -> str:
    """Return why the last job of this tab on the run ended; empty when the run went on since."""
    at, words = st.session_state.get(_ENDS, {}).get(run.id, (0, ""))
    return words if at == len(run.entries) else ""


# --- keys of language models: in this session and nowhere else ---------------------------------------------


def keep_key(choice: ModelChoice, key: str) -> None:
    """Keep a key that the person typed for as long as this tab lives; an empty one is forgotten."""
    others = {place: kept for place, kept in st.session_state.get(_KEYS, {}).items() if place != _place(choice)}
    st.session_state[_KEYS] = {**others, _place(choice): key.strip()} if key.strip() else others


def typed_key(choice: ModelChoice) -> str:
    """Return the key that was typed for this provider and address; empty if none."""
    return st.session_state.get(_KEYS, {}).get(_place(choice), "")


def key_of(choice: ModelChoice) -> str:
    """Return the key for a call: typed, else of this server, for the provider's own address only."""
    return key_for(choice, typed_key(choice), {**os.environ, **_secrets()})


def _secrets() -> dict[str, str]:
    """The keys in `.streamlit/secrets.toml`, by the names that the environment would give them."""
    wanted = {preset.key_variable for preset in PRESETS.values()}
    try:
        return {name: str(st.secrets[name]) for name in wanted if name in st.secrets}
    except (FileNotFoundError, StreamlitSecretNotFoundError):
        return {}


def _place(choice: ModelChoice) -> tuple[str, str]:
    return choice.provider, choice.base_url.strip().rstrip("/")
