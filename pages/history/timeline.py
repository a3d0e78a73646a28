"""What happened in a run, the newest entry first; older ones when they are asked for."""

import streamlit as st

from dolq_core import runs
from dolq_core.loop import taken_back
from dolq_core.records import Entry, Intervention, Iteration, Pause, Start, Undo
from dolq_core.views import history
from pages.history import calls, iteration, said
from pages.ui import frame, session, words

SHOWN, MORE = 10, 20  # entries that are drawn at first, and with each "Show older"


@st.fragment
def timeline(run: runs.Run) -> None:
    """Draw the last entries of the log, each with its forks."""
    key = f"entries·{run.id}"
    most = session.value(key) or SHOWN
    gone = taken_back(run.entries)
    last = max(number for number in range(len(run.entries)) if number not in gone)
    for number, entry in reversed(list(enumerate(run.entries))[-most:]):
        with st.container(gap="xxsmall"):
            if number in gone and not isinstance(entry, Undo):
                st.caption(":material/undo: Taken back later.")
            _entry(run, number, entry)
            _ways_on(run, number, entry, last=number == last)
    left = len(run.entries) - most
    if left > 0:
        older = f"Show older ({words.plural(left, 'entry', 'entries')} more)"
        st.button(older, icon=":material/expand_more:", on_click=session.reset, args=(key, most + MORE))


def _entry(run: runs.Run, number: int, entry: Entry) -> None:
    match entry:
        case Start():
            _start(entry)
        case Iteration():
            iteration.iteration(run, number, entry)
        case Intervention():
            said.said(run, number, entry)
        case Pause():
            _pause(number, entry)
        case Undo():
            with st.container(key=f"panel_{number}", gap="xsmall"):
                why = f" · {words.plain(entry.reason)}" if entry.reason else ""
                what = words.plain(history.taken_back_by(run, number))
                st.markdown(f":material/undo: **You** took back {what}{why}")


def _ways_on(run: runs.Run, number: int, entry: Entry, *, last: bool) -> None:
    """Offer a new run that has the log up to here, or up to before a person's word; and the way back for the last."""
    with st.container(key=f"fork_{number}", horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(f"Entry {number + 1}", width="content")  # as forks and comparisons name it
        if number + 1 < len(run.entries):
            told = f"A new run with entries 1 to {number + 1}; this one stays"
            if _small("Fork from here", f"fork.{number}", ":material/fork_right:", told):
                name = f"{run.name}, from entry {number + 1}"
                frame.enter(lambda: runs.fork(session.store(), run.id, number + 1, name))
        if isinstance(entry, Intervention) and number:
            told = "A new run from before this word, to see whether it helped"
            if _small("Fork without it", f"without.{number}", ":material/call_split:", told):
                name = f"{run.name}, without entry {number + 1}"
                frame.enter(lambda: runs.fork(session.store(), run.id, number, name))
        if last and number:
            if _small("Take it back", f"back.{number}", ":material/undo:", frame.UNDOES):
                frame.take_back(run)


def _small(label: str, key: str, icon: str, told: str) -> bool:
    return st.button(label, key=key, type="tertiary", icon=icon, help=told)


def _start(entry: Start) -> None:
    with st.container(key="panel_0", gap="xsmall"):
        st.markdown(":material/flag: **Started**")
        agents = "built-in agents" if entry.models is None else words.plain(words.models(entry.models))
        st.caption(f"{words.plain(entry.problem.dataset.name)} · seed {entry.seed} · {agents}")
        if entry.problem.description:
            frame.says(entry.problem.description)


def _pause(number: int, pause: Pause) -> None:
    with st.container(key=f"panel_{number}", gap="xsmall"):
        st.markdown(f":material/pause_circle: **Paused** · {words.plain(pause.reason)}")
        calls.calls(pause.calls, f"pause.{number}")
