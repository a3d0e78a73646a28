"""Start: what the app is in ten seconds, and two ways in."""

import streamlit as st

from dolq_core import runs
from pages.start import yeast
from pages.ui import cards, frame, identity, session, words

STEPS = (
    (
        ":material/lightbulb: It proposes",
        "New terms come with a reason, from your description and from what is still unexplained.",
    ),
    (
        ":material/balance: It grades",
        "Each term gets two grades: does it make sense, and does the error grow without it.",
    ),
    (":material/person: You decide", "Keep, hold, remove or pin any term. What you ban never comes back by itself."),
)
OTHERS = ("lynx-hare", "coffee", "system-2", "noise")  # measured, computed, and nothing at all


def page() -> None:
    """Draw the promise beside a law that was found, the three steps, and other data to try."""
    _continue()
    left, right = st.columns([1.08, 1], gap="large", vertical_alignment="center")
    with left:
        _promise()
    place = right.container()
    st.space("medium")
    for column, (heading, text) in zip(st.columns(3, gap="large"), STEPS, strict=True):
        column.subheader(heading, anchor=False)
        column.markdown(text)
    st.space("medium")
    st.subheader("Or start from another data set", anchor=False)
    cards.cards([one for one in runs.bundled() if one.id in OTHERS])
    if st.button(f"All {len(runs.bundled())} data sets", type="tertiary", icon=":material/apps:", key="all_sets"):
        session.choose_bundled("")
        st.switch_page("pages/data/page.py")
    with place:  # last: the first time on a server it takes a moment, and the rest of the page is there already
        yeast.figure()


def _continue() -> None:
    found = runs.list_runs(session.store())
    if not found:
        return
    last = found[0]
    label = f"Continue {words.plain(last.name)} · iteration {last.iterations}"
    if st.button(label, type="tertiary", icon=":material/history:", key="continue"):
        session.open_run(last.id)
        st.switch_page("pages/discover/page.py", query_params={"run": last.id})


def _promise() -> None:
    with st.container(key="promise"):
        st.title("Find the equations behind your measurements", anchor=False)
    st.subheader("You have the last word.", anchor=False)
    with st.container(key="lead"):
        st.markdown(
            "Upload a table of how things change over time and say in plain words what they are. DoLQ proposes a "
            "differential equation term by term, fits it, grades every term, and asks you before it goes on."
        )
    with st.container(horizontal=True):
        if st.button("Try it on yeast", type="primary", icon=":material/play_arrow:", key="yeast"):
            frame.start_bundled("yeast")
        if st.button("Use your own data", icon=":material/upload:", key="own"):
            session.choose_bundled("")
            st.switch_page("pages/data/page.py")
        if st.button("Take a lesson", type="tertiary", icon=":material/school:", key="lessons"):
            session.close_lesson()
            st.switch_page("pages/lessons/page.py")
    local = "No account, no key, nothing leaves this computer."
    st.caption(local if identity.is_local() else "No key needed. Other people on this server do not see your runs.")


page()
