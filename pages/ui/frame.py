"""What every page stands in: the sidebar with the run picker, the header line, messages."""

import html
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import DolqError
from dolq_core.ports import RunInfo
from dolq_core.records import Intervention
from dolq_core.views import summary
from dolq_core.views.equations import Panel
from dolq_core.views.files import TARGETS, export, file_name
from dolq_core.views.history import last_word_of
from dolq_core.views.summary import spent_money
from dolq_core.views.veto import costs
from pages.ui import jobs, new_run, progress, session, words

MOST_NAMED = 3
UNDOES = "Undo it; the log keeps it"


def run_picker() -> DeltaGenerator | None:
    """Draw the list of runs and where the open one stands; return the place for the progress of its job."""
    infos = {info.id: info for info in runs.list_runs(session.store())}
    here = session.run_id()
    if not infos:
        return None
    session.reset("picker", here if here in infos else None)
    with st.sidebar:
        st.selectbox(
            "Run", list(infos), format_func=labels(infos).__getitem__, key="picker", on_change=_picked,
            placeholder="Choose a run",
        )  # fmt: skip
        if here in infos:
            _used(here)
        return st.empty()


def labels(infos: Mapping[str, RunInfo]) -> dict[str, str]:
    """Return a label for each run that no other has: the browser answers with the label, not with the id."""
    names = [info.name for info in infos.values()]
    return {
        run: info.name if names.count(info.name) == 1 else f"{info.name} ({run[:4]})" for run, info in infos.items()
    }


def verdict(run: runs.Run) -> str:
    """Return the verdict on the whole system as a badge, for the header."""
    found = summary.verdict(run.state)
    return words.verdict(found.status, found.words)


def standing(panel: Panel) -> str:
    """Return the verdict on one equation as a badge; where a person's choice waits to be fitted it is no verdict."""
    return words.verdict(panel.status, summary.waiting(panel.status_reason).capitalize() if panel.awaited else "")


def work(place: DeltaGenerator) -> None:
    """Say how far the job on the open run is, where the page has no line of its own.

    Drawn last: the clock that looks at the job starts with it, and a look in the middle of a page that is being drawn
    could overtake a click on a link.
    """
    run = session.run_id()
    if jobs.is_working(run):
        with place:
            progress.watch(runs.load(session.store(), run), beside=True)


def _used(run: str) -> None:
    """Say how much of its iterations a run has used; who proposes and grades, and what that has used."""
    state = runs.load(session.store(), run).state
    st.caption(words.iterations(state.iteration, state.settings.iterations))
    if state.models is None:
        st.caption("Built-in agents")
        return
    st.caption(words.plain(words.models(state.models)))
    st.caption(words.plain(words.spent(state.models, state.spent, spent_money(state))))


def _picked() -> None:
    if session.value("picker"):
        session.open_run(session.value("picker"))


def header(name: str, badge: str, facts: Sequence[str]) -> DeltaGenerator:
    """Draw a page's first line; return the place for its buttons."""
    with st.container(key="head", horizontal=True, vertical_alignment="center", gap="small"):
        st.title(words.plain(name), anchor=False, width="content")
        state = st.empty() if badge else st.container(width="content")
        state.markdown(badge) if badge else None
        st.caption(" · ".join(facts), width="stretch")
        return st.container(horizontal=True, width="content", gap="small", vertical_alignment="center")


def editor(run: str, label: str, name: str, **options: Any) -> DeltaGenerator:
    """Return a popover in which a person edits; while it is open, a job does not redraw the page under it."""
    key = session.editor(f"open·{run}·{name}")
    named = f"{key}·label"  # Streamlit knows a popover by its label too: with another one it would close
    shown = session.value(named) if session.value(key) is True else label
    session.reset(named, shown)
    return st.popover(shown, key=key, on_change="rerun" if jobs.is_working(run) else "ignore", **options)


def says(text: str, muted: bool = False) -> None:
    """Show a stranger's text as it stands, line breaks included."""
    st.html(f'<p class="dolq-said{" dolq-muted" if muted else ""}">{html.escape(text)}</p>')


def part() -> DeltaGenerator:
    """Return a place for what a page shows at times only.

    The browser knows elements by their position: without a place of its own, what comes and goes would have everything
    after it built anew, and a click on a button that is being replaced is lost. An empty place takes no room.
    """
    return st.container()


def database() -> bool:
    """Whether the database can be used, if only in memory for now; else say why not, in the place of the page."""
    try:
        session.store()
    except DolqError as error:
        st.error(f"{words.plain(str(error))} Set DOLQ_DB to use another place.", icon=":material/database_off:")
        return False
    return True


def unstored() -> None:
    """Say what the database does not take, with a way to keep it; drawn on every page until all is stored."""
    with part():
        found = session.store().unstored()
        if found is None:
            return
        waiting = [runs.load(session.store(), run) for run in found.waiting]
        with st.container(key="unstored", gap="small"):
            st.warning(words.plain(f"{found.error}. {_goes_on(waiting)}"), icon=":material/save:")
            for run in waiting:
                told = "The whole run as one file; History imports it again."
                take(run, "bundle", f"Download {words.plain(run.name)}", key=f"keep_{run.id}", help=told)


def _goes_on(waiting: Sequence[runs.Run]) -> str:
    if not waiting:
        return "Your work is in memory, and stored as soon as possible."
    names = " and ".join(f"'{run.name}'" for run in waiting[:MOST_NAMED])
    return f"{names} cannot be stored: kept in memory for now. Download it before this program ends."


def take(run: runs.Run, target: str, label: str, **options: Any) -> None:
    """Draw the button that downloads the run in the format of an export."""
    st.download_button(
        label, lambda: export(run, target).content, file_name(run, target), TARGETS[target].media,
        icon=":material/download:", on_click="ignore", **options,
    )  # fmt: skip


def message() -> None:
    """Show what an earlier rerun had to say."""
    text = session.said()
    with part():
        if text:
            st.warning(text, icon=":material/info:")


def table(cells: Mapping[str, Sequence[str]] | Sequence[Sequence[str]], heads: Sequence[str] = ()) -> None:
    """Draw a table of Markdown, given by its columns, or by its rows under `heads`."""
    st.table(pd.DataFrame(cells, columns=list(heads) or None), border="horizontal", hide_index=True)


def fault(text: str) -> None:
    """Say in a line what is wrong."""
    st.markdown(f":orange[:material/error:] {words.plain(text)}")


def attempt(work: Callable[[], object]) -> bool:
    """Do the work; show an error that is meant for people as it stands. Return whether it went well."""
    try:
        work()
    except DolqError as error:
        session.say(words.plain(str(error)))
        return False
    return True


def say(run: runs.Run, said: Intervention) -> None:
    """Store a person's word on the run, and draw the page anew."""
    attempt(lambda: jobs.intervene(run, said))
    st.rerun()


def enter(make: Callable[[], str], *, is_new: bool = False) -> None:
    """Open the run that `make` stores and go to it; where it cannot be made, say why and stay.

    is_new: nothing was done on it, and its first iteration starts by itself.
    """
    if attempt(lambda: session.open_run(make())):
        if is_new:
            attempt(lambda: jobs.begin(session.run_id()))
        discover()
    st.rerun()


def discover() -> None:
    """Go to the run that is open."""
    st.switch_page("pages/discover/page.py", query_params={"run": session.run_id()})


def last_word(run: runs.Run) -> None:
    """Draw what the person said last, as long as nothing came after it, and the button that takes it back.

    And what a veto, a pin or a stated sign has cost, as long as the law is the worse for it.
    """
    _said_last(run)
    if cost := " ".join(costs(run)):
        st.caption(words.plain(cost))


def _said_last(run: runs.Run) -> None:
    last = last_word_of(run)
    if not last or jobs.is_working(run.id):
        return
    with st.container(key="last_word", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/person: You: {words.plain(last)}.")
        if st.button("Undo", key="undo_word", type="tertiary", icon=":material/undo:", help=UNDOES):
            take_back(run)


def take_back(run: runs.Run) -> None:
    """Take the last entry back, and draw the page anew."""
    attempt(lambda: runs.take_back(session.store(), run.id, at=len(run.entries)))
    st.rerun()


def opened() -> runs.Run | None:
    """Return the run that is open, as the store has it now; None when there is none."""
    here = session.run_id()
    if not here:
        return None
    try:
        run = runs.load(session.store(), here)
    except DolqError as error:
        session.open_run("")
        st.warning(words.plain(str(error)), icon=":material/info:")
        return None
    session.open_run(here)
    return run


def empty(text: str) -> None:
    """Draw what a page without a run says, and the two ways to one."""
    st.markdown(text)
    with st.container(horizontal=True):
        if st.button("Try it on yeast", type="primary", icon=":material/play_arrow:"):
            start_yeast()
        if st.button("Use your own data", icon=":material/upload:"):
            st.switch_page("pages/data/page.py")


def start_yeast() -> None:
    """Start a run on the yeast data and go to it."""
    enter(lambda: new_run.start(load_bundled("yeast")), is_new=True)
