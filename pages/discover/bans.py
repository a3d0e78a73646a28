"""The ban list: what may not come back, by whom and why; ban a term or a kind of terms, or lift a ban."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import FamilyKey, FamilyNote, Intervention, TermNote, derivative
from dolq_core.views import terms
from dolq_core.views.terms import BanRow, bans, covered, latex_of
from pages.discover.trying import equation_of, one_of, typed
from pages.ui import frame, jobs, session, words

WHAT = {"term": "A term", "family": "A kind of terms"}
BY = {"human": ":material/lock: you", "scientist": "Scientist", "numbers": "numbers"}


@st.fragment
def ban_list(run: runs.Run) -> None:
    """Draw the list under its heading, and the popover that changes it."""
    rows = bans(run)
    with st.container(key="heading_bans", horizontal=True, vertical_alignment="center"):
        st.header("Banned terms", anchor=False, width="stretch")
        popover = frame.editor(run.id, "Ban or unban", "ban", icon=":material/block:")
        with popover, st.container(key="editor_ban"):
            _ban(run)
            if rows:
                st.divider()
                _unban(run, rows)
    if not rows:
        st.caption("None. Remove a term, or ban one in advance.")
        return
    table = {
        "Equation": [words.plain(derivative(row.equation_name)) for row in rows],
        "Term": [words.tex(row.latex) if row.latex else words.plain(row.text) for row in rows],
        "By": [BY[row.by] for row in rows],
        "Since": [f"{row.since}" for row in rows],
        "Why": [words.plain(row.reason) for row in rows],
    }
    frame.table(table)


def _ban(run: runs.Run) -> None:
    if one_of("Ban", WHAT, "ban.what") == "family":
        _ban_family(run)
        return
    key, reason = typed(run, "ban")
    if st.button("Ban this term", disabled=key is None, key="ban.go") and key is not None:
        _say(run, Intervention(reason=reason, ban=(TermNote(key, reason),)))


def _ban_family(run: runs.Run) -> None:
    """Draw the kinds of terms; which of the terms so far would go is said before it is done."""
    equation = equation_of(run, "kind")
    families = terms.families(run, equation)
    key = st.selectbox(
        "Kind of terms", list(families), format_func=lambda key: families[key], index=None,
        placeholder="Type to search", key=f"kind.of·{equation}",
    )  # fmt: skip
    reason = st.text_input("Your reason", key="kind.reason").strip()
    if key is not None:
        hit = ", ".join(words.tex(latex_of(run, term)) for term in covered(run, key))
        st.caption(f"Bans {hit} of the terms so far." if hit else "No term so far is of this kind.")
    if st.button("Ban this kind", disabled=key is None, key="kind.go") and key is not None:
        _say(run, Intervention(reason=reason, ban_families=(FamilyNote(key, reason),)))


def _unban(run: runs.Run, rows: tuple[BanRow, ...]) -> None:
    listed = {row.key: f"{row.text} in {derivative(row.equation_name)}" for row in rows}
    key = st.selectbox("Banned term", list(listed), format_func=lambda key: listed[key], key="unban.term")
    if st.button("Lift the ban", key="unban.go"):
        if isinstance(key, FamilyKey):
            _say(run, Intervention(unban_families=(key,)))
        else:
            _say(run, Intervention(unban=(key,)))


def _say(run: runs.Run, said: Intervention) -> None:
    if frame.attempt(lambda: jobs.intervene(run, said)):
        for field in ("ban.term", "ban.reason", "kind.reason"):
            session.drop(field)
    st.rerun()
