"""Everything in words: the insight so far, the person's remark and description, what was refused and why."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Intervention
from pages.ui import frame, session, words


def insight(run: runs.Run) -> None:
    """Draw what the Scientist has understood, the person's remark under it, and the editor of the remark."""
    state = run.state
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Insight so far**", width="stretch")
        with st.popover("Edit", type="tertiary", icon=":material/edit:", help="Add a remark of your own"):
            key = f"remark·{run.id}·{len(run.entries)}"
            text = st.text_area("Your remark; both agents read it", state.remark, key=key)
            if st.button("Save the remark"):
                _save(run, Intervention(remark=text.strip()))
    frame.says(state.insight or "Nothing is understood yet.")
    if state.remark:
        st.markdown("**Your remark**")
        frame.says(state.remark)


def description(run: runs.Run) -> None:
    """Draw the description and the meaning of the columns; an edit counts from the next iteration on."""
    problem = run.state.problem
    with st.expander(f"Description, meanings and units (version {problem.version})", icon=":material/description:"):
        key = f"description·{run.id}·{problem.version}"
        text = st.text_area("What is this system? Plain words; they guide the proposals.", problem.description, key=key)
        if st.button("Save the description", disabled=text.strip() == problem.description):
            _save(run, Intervention(description=text.strip()))
        for variable in (problem.dataset.time, *problem.dataset.states, *problem.dataset.inputs):
            said = [f"**{words.plain(variable.name)}**", words.plain(variable.meaning), words.plain(variable.unit)]
            st.markdown(" · ".join(part for part in said if part))
        if problem.dataset.source:
            frame.says(f"Source: {problem.dataset.source}", muted=True)


def refused(run: runs.Run) -> None:
    """Draw what the last iteration did not take, with the reasons."""
    last = run.state.last
    if last is None or not last.proposal.refused:
        return
    names = [variable.name for variable in run.state.problem.dataset.states]
    count = words.plural(len(last.proposal.refused), "proposal")
    with st.expander(f"{count} refused in iteration {last.number}", icon=":material/filter_alt:"):
        for no in last.proposal.refused:
            where = "whole hypothesis" if no.equation is None else f"change of {names[no.equation]}"
            st.markdown(f"**{words.plain(no.text)}** ({words.plain(where)}): {words.plain(no.reason)}")


def _save(run: runs.Run, said: Intervention) -> None:
    frame.attempt(lambda: runs.intervene(session.store(), run.id, said, at=len(run.entries)))
    st.rerun()
