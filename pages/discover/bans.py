"""The ban list: what may not come back, by whom and why; ban a term, or lift a ban."""

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.records import Intervention, TermNote
from dolq_core.runs import BanRow
from pages.discover.trying import typed
from pages.ui import frame, session, words

BY = {"human": ":material/lock: you", "scientist": "Scientist", "numbers": "numbers"}


def ban_list(run: runs.Run) -> None:
    """Draw the list under its heading, and the popover that changes it."""
    rows = runs.bans(run)
    with st.container(key="heading_bans", horizontal=True, vertical_alignment="center"):
        st.subheader("Banned terms", anchor=False, width="stretch")
        with st.popover("Ban or unban", icon=":material/block:"):
            _ban(run)
            if rows:
                st.divider()
                _unban(run, rows)
    if not rows:
        st.caption("Nothing is banned. Remove a term, or ban one before it is proposed.")
        return
    table = {
        "Change of": [words.plain(row.equation_name) for row in rows],
        "Term": [words.tex(row.latex) for row in rows],
        "By": [BY[row.by] for row in rows],
        "Since": [f"{row.since}" for row in rows],
        "Why": [words.plain(row.reason) for row in rows],
    }
    st.table(pd.DataFrame(table), border="horizontal", hide_index=True)


def _ban(run: runs.Run) -> None:
    key, reason = typed(run, "ban")
    if st.button("Ban this term", disabled=key is None, key="ban.go") and key is not None:
        _say(run, Intervention(reason=reason, ban=(TermNote(key, reason),)))


def _unban(run: runs.Run, rows: tuple[BanRow, ...]) -> None:
    listed = {row.key: f"{row.text} in the change of {row.equation_name}" for row in rows}
    key = st.selectbox("Banned term", list(listed), format_func=lambda key: listed[key], key="unban.term")
    if st.button("Lift the ban", key="unban.go"):
        _say(run, Intervention(unban=(key,)))


def _say(run: runs.Run, said: Intervention) -> None:
    if frame.attempt(lambda: session.intervene(run, said)):
        for field in ("ban.term", "ban.reason"):
            session.drop(field)
    st.rerun()
