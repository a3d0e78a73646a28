"""A small campaign: which systems, how noisy, which words; then how far it is."""

import atexit
import time
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from lab import small
from lab.processes import Campaigns
from pages.ui import frame, identity, session, words

EVERY_S = 1.0
WAITS_S = 10.0  # for a campaign that was stopped to end
NOISE = {0.0: "none", 0.001: "0.1 %", 0.01: "1 %", 0.05: "5 %"}
SUITES = {
    "paper": "The paper's eight systems",
    "textbook": "Textbook systems",
    "open": "Systems of many fields",
    "fields": "Systems of more fields",
    "strangers": "Systems as people bring them",
    "trades": "Systems of the sciences and trades",
    "typed": "Systems described as people type",
    "disciplines": "Systems of further disciplines",
    "notebooks": "Systems from notebooks",
    "practice": "Systems from practice",
    "benchtop": "Systems from the bench",
    "college": "Systems from college",
    "seminar": "Systems from a seminar",
    "bookshelf": "Models from a bookshelf",
    "judges": "Systems as a judge picks them",
    "clinic": "Systems as an exacting judge picks them",
    "panel": "Systems of a panel of referees",
    "referees": "Systems of a referee",
    "workshop": "Further systems",
    "changed": "The paper's systems with changed laws",
    "real": "Measured data",
}
SAID = {
    "given": "as given",
    "none": "none",
    "partly wrong": "partly wrong",
    "fully wrong": "fully wrong",
    "of the next": "of another system",
}


@st.cache_resource(show_spinner=False)
def _campaigns() -> Campaigns:
    """Return the campaigns that this server has started: one table of processes for all sessions."""
    found = Campaigns()
    atexit.register(found.close)
    return found


def asking() -> None:
    """Draw the questions, or the campaign that is at work."""
    folder = _campaigns().running()
    if folder is None:
        _ask()
    elif folder.parent != small.folder(identity.owner()):
        st.info("Another campaign is running; yours can start after it.")
    else:
        st.fragment(_look, run_every=EVERY_S)(folder.name)


def _ask() -> None:
    with st.container(key="panel_campaign"):
        st.header("A small campaign", anchor=False)
        wanted = _wanted()
        with st.container(horizontal=True, vertical_alignment="center"):
            many = wanted.runs > small.MOST_RUNS
            if st.button("Start", type="primary", icon=":material/play_arrow:", disabled=many, key="campaign.go"):
                _start(wanted)
            st.caption(_count(wanted, many=many))


def _wanted() -> small.Wanted:
    """Draw the choices; an empty one means all systems, no noise, the words as given."""
    first, second, third, fourth = st.columns([1.3, 2, 1.2, 0.7], gap="medium")
    known = small.suites()
    suite = first.selectbox(
        "Systems of",
        sorted(known, key=lambda name: [*SUITES, name].index(name)),
        format_func=lambda name: str(SUITES.get(name, name)),
        key="campaign.suite",
    )
    titles = known[suite]
    systems = second.multiselect(
        "Systems", list(titles), format_func=lambda name: _titled(name, titles[name]), placeholder="all",
        key=f"campaign.systems·{suite}",
    )  # fmt: skip
    noise = third.multiselect(
        "Noise", list(NOISE), format_func=NOISE.__getitem__, placeholder="none", key="campaign.noise",
        help="White, as a share of each state's standard deviation; none is added to measured data",
    )  # fmt: skip
    seeds = fourth.number_input("Seeds", 1, 20, key="campaign.seeds", help="Runs per system, differently seeded")
    said = st.pills(
        "Description", list(SAID), selection_mode="multi", default=["given"], format_func=SAID.__getitem__,
        key="campaign.words", help="What the agents are told",
    )  # fmt: skip
    return small.Wanted(
        suite, tuple(systems) or tuple(titles), tuple(noise) or (0.0,), tuple(said) or ("given",), int(seeds)
    )


def _titled(name: str, title: str) -> str:
    return title if title == name or not name.isdigit() else f"{name}  {title}"


def _count(wanted: small.Wanted, *, many: bool) -> str:
    if many:
        return (
            f"{wanted.runs} runs; this page takes {small.MOST_RUNS} at most. For more: `python -m dolq_core bench run`."
        )
    return f"{words.plural(wanted.runs, 'run')}. You can leave this page."


def _start(wanted: small.Wanted) -> None:
    name = f"{datetime.now(UTC):%Y-%m-%d %H.%M.%S} {wanted.suite}"
    folder = small.folder(identity.owner()) / name
    frame.attempt(lambda: _campaigns().start(folder, wanted.arguments(), session.store()))
    st.rerun()


def _look(name: str) -> None:
    """Draw how far it is; draw the page anew when it has ended."""
    folder = small.folder(identity.owner()) / name
    at_work, info = _campaigns().is_running(folder), small.info(name, identity.owner())
    with st.container(key="panel_campaign"):
        failed = f", {info.failed} without a result" if info.failed else ""
        said = f"{info.done} of {info.total} runs{failed}" if info.total else "Starting"
        st.progress(info.done / info.total if info.total else 0.0, f"{words.plain(name)}: {said}")
        if st.button("Stop", icon=":material/stop:", key="campaign.stop", help="What is done is kept"):
            _campaigns().stop(folder)
            _wait(folder)
            at_work = False
    if not at_work:
        why = _campaigns().failure(folder)
        if why:
            session.say(words.plain(f"The campaign stopped: {why}"))
        session.reset("results", name)
        st.rerun()


def _wait(folder: Path) -> None:
    end = time.monotonic() + WAITS_S
    while _campaigns().running() == folder and time.monotonic() < end:
        time.sleep(0.1)
