"""Everything in words: the insight so far, the person's remark and description, what was refused and why."""

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.records import Dataset, Intervention, TargetInfo, TermKey
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
    conflict = state.last.evaluation.review.conflict if state.last else ""
    frame.says(state.insight.removesuffix(conflict).strip() or "Nothing is understood yet.")
    if state.remark:
        st.markdown("**Your remark**")
        frame.says(state.remark)


def conflict(run: runs.Run) -> None:
    """Draw where the description and the data disagree, first of all that is said."""
    last = run.state.last
    if last is not None and last.evaluation.review.conflict:
        with st.container(key="disagree"):
            st.markdown(f":orange[:material/balance:] {words.plain(last.evaluation.review.conflict)}")


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


def aim(run: runs.Run) -> None:
    """Draw what the fits aimed at in one line; why, and how exact it is, on demand."""
    last = run.state.last
    if last is None:
        return
    dataset, target = run.state.problem.dataset, last.target
    with st.container(key="heading_aim", horizontal=True, vertical_alignment="top", wrap=False):
        noise = words.noise(dataset.states, target.noise)
        st.markdown(f"**What the fits aim at.** {words.AIMS.get(target.kind, target.kind)}. {noise}", width="stretch")
        with st.popover("Why", type="tertiary", icon=":material/help:", help="Why this aim, and how exact it is"):
            _exactness(dataset, target)


def _exactness(dataset: Dataset, target: TargetInfo) -> None:
    st.markdown(words.plain(target.reason))
    st.markdown(
        "Rates of change are not measured; they are estimated, and the estimate has an error of its own: the noise "
        "floor. A law whose error is no larger explains all that these data can tell."
    )
    table = {
        "State": [words.plain(state.name) for state in dataset.states],
        "Noise of one sample": [
            words.plain(words.with_unit(value, state.unit))
            for value, state in zip(target.noise, dataset.states, strict=True)
        ],
        "Floor of the rate": [
            words.plain(words.with_unit(value, words.per(state.unit, dataset.time.unit)))
            for value, state in zip(target.floor, dataset.states, strict=True)
        ],
    }
    st.table(pd.DataFrame(table), border="horizontal", hide_index=True)


def not_taken(run: runs.Run) -> None:
    """Draw what the last iteration refused or could not fit, with the reasons."""
    last = run.state.last
    if last is None:
        return
    failed = [(done.hypothesis, fit) for done in last.fits for fit in done.equations if fit.failure]
    counts = [words.plural(len(last.proposal.refused), "proposal") + " refused"] if last.proposal.refused else []
    counts += [words.plural(len(failed), "fit") + " failed"] if failed else []
    if not counts:
        return
    names = [variable.name for variable in run.state.problem.dataset.states]
    with st.expander(f"{', '.join(counts)} in iteration {last.number}", icon=":material/filter_alt:"):
        for no in last.proposal.refused:
            where = "whole hypothesis" if no.equation is None else f"change of {names[no.equation]}"
            st.markdown(f"**{words.plain(no.text)}** ({words.plain(where)}): {words.plain(no.reason)}")
        for hypothesis, fit in failed:
            terms = ", ".join(runs.text_of(run, TermKey(fit.equation, term.skeleton)) for term in fit.terms)
            where = f"change of {names[fit.equation]}, hypothesis {hypothesis + 1}"
            st.markdown(f"**{words.plain(terms or 'Not fitted')}** ({words.plain(where)}): {words.plain(fit.failure)}")


def _save(run: runs.Run, said: Intervention) -> None:
    frame.attempt(lambda: session.intervene(run, said))
    st.rerun()
