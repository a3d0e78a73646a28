"""Start: what the app is in ten seconds, and two ways in.

What needs no computing is drawn before the core is loaded (`pages.start.rest`).
"""

import streamlit as st

from pages.ui import identity

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


def page() -> None:
    """Draw the promise beside a law that was found, the three steps, and other data to try."""
    top = st.container()
    left, right = st.columns([1.08, 1], gap="large", vertical_alignment="center")
    with left:
        way = _promise()
    picture = right.container()
    st.space("medium")
    for column, (heading, text) in zip(st.columns(3, gap="large"), STEPS, strict=True):
        column.header(heading, anchor=False)
        column.markdown(text)
    st.space("medium")
    st.header("Or start from another data set", anchor=False)
    others = st.container()

    from pages.start import rest  # noqa: PLC0415  it loads the core, and the person reads meanwhile

    rest.draw(way, top, others, picture)


def _promise() -> str:
    """Draw what the app does and the ways in; return the one that was taken, empty if none was."""
    with st.container(key="promise"):
        st.title("Find the equations behind your measurements", anchor=False)
    st.header("You have the last word.", anchor=False)
    with st.container(key="lead"):
        st.markdown(
            "Upload a table of how things change over time and say in plain words what they are. DoLQ proposes a "
            "differential equation term by term, fits it, grades every term, and asks you before it goes on."
        )
    way = ""
    with st.container(horizontal=True):
        if st.button("Try it on yeast", type="primary", icon=":material/play_arrow:", key="yeast"):
            way = "yeast"
        if st.button("Use your own data", icon=":material/upload:", key="own"):
            way = "own"
        if st.button("Take a lesson", type="tertiary", icon=":material/school:", key="lessons"):
            way = "lessons"
    local = "No account, no key, nothing leaves this computer."
    st.caption(local if identity.is_local() else "No key needed. Other people on this server do not see your runs.")
    return way


page()
