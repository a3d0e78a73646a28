"""Everything in words: the insight so far, the person's remark and description, what was refused and why."""

import streamlit as st

from dolq_core import runs
from dolq_core.loop import ungraded
from dolq_core.records import Dataset, Intervention, TargetInfo, TermKey, VariableNote, derivative
from dolq_core.views import history
from dolq_core.views.history import is_insight_older
from dolq_core.views.terms import text_of
from pages.discover import versions
from pages.ui import frame, session, words


@st.fragment
def insight(run: runs.Run) -> None:
    """Draw what the Scientist has understood, the person's remark under it, and the editor of both."""
    state = run.state
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Insight before your word**" if is_insight_older(run) else "**Insight so far**", width="stretch")
        told = "Correct it, or add a remark"
        with frame.editor(run.id, "Edit", "insight", type="tertiary", icon=":material/edit:", help=told):
            _edit_insight(run)
    frame.says(_understood(run) or _no_insight(run))
    if state.remark:
        st.markdown("**Your remark**")
        frame.says(state.remark)


def _no_insight(run: runs.Run) -> str:
    last = run.state.last
    silent = last is not None and bool(ungraded(last))
    return "None: the answer of the Scientist could not be used." if silent else "Nothing is understood yet."


def _understood(run: runs.Run) -> str:
    """Return the insight without the conflict, which stands at the top of the page."""
    conflict = run.state.last.evaluation.review.conflict if run.state.last else ""
    return run.state.insight.removesuffix(conflict).strip()


def _edit_insight(run: runs.Run) -> None:
    state = run.state
    known = _understood(run)
    session.follow(f"insight·{run.id}", known)
    session.follow(f"remark·{run.id}", state.remark)
    insight = session.hold(f"insight·{run.id}", st.text_area("Insight", key=f"insight·{run.id}")).strip()
    st.caption("The Scientist rewrites this each time. What must stay belongs in the remark.")
    typed = st.text_area("Your remark, for both agents", key=f"remark·{run.id}")
    remark = session.hold(f"remark·{run.id}", typed).strip()
    changed = insight != known or remark != state.remark
    if st.button("Save", key="save.insight", disabled=not changed):
        new = Intervention(
            insight=insight if insight != known else None, remark=remark if remark != state.remark else None
        )
        frame.say(run, new)
    versions.drawn(run, "insight")
    versions.drawn(run, "remark")


def conflict(run: runs.Run) -> None:
    """Draw where the description and the data disagree, first of all that is said."""
    if told := history.conflict(run):
        with st.container(key="disagree"):
            st.markdown(f":orange[:material/balance:] {words.plain(told)}")


@st.fragment
def description(run: runs.Run) -> None:
    """Draw the description and the columns, all editable; an edit counts from the next iteration on."""
    problem = run.state.problem
    with st.expander(f"Description, meanings and units (version {problem.version})", icon=":material/description:"):
        key = f"description·{run.id}·{problem.version}"
        session.follow(key, problem.description)
        text = session.hold(key, st.text_area("What is this system, in plain words?", key=key)).strip()
        notes = _columns(run)
        changed = text != problem.description or bool(notes)
        what = st.container(horizontal=True, vertical_alignment="center")
        with what:
            save = st.button("Save the words", disabled=not changed)
            st.caption(f"{'Not saved yet. ' if changed else ''}Counts from iteration {run.state.iteration + 1} on.")
        if save:
            said = Intervention(description=text if text != problem.description else None, variables=notes)
            frame.say(run, said)
        versions.drawn(run, "description")
        versions.drawn(run, "columns")
        if problem.dataset.source:
            frame.says(f"Source: {problem.dataset.source}", muted=True)


def _columns(run: runs.Run) -> tuple[VariableNote, ...]:
    """Draw unit and meaning of every column as fields; return what differs from what holds now."""
    problem = run.state.problem
    notes: list[VariableNote] = []
    for variable in (problem.dataset.time, *problem.dataset.states, *problem.dataset.inputs):
        name, place = words.label(variable.name), f"{run.id}·{problem.version}·{variable.name}"
        with st.container(key=f"column_{variable.symbol}"):
            unit, meaning = st.columns([1, 4])
            session.follow(f"unit·{place}", variable.unit)
            session.follow(f"meaning·{place}", variable.meaning)
            typed = unit.text_input(f"Unit of {name}", key=f"unit·{place}")
            told = meaning.text_input(f"Meaning of {name}", key=f"meaning·{place}")
            new = VariableNote(
                variable.name,
                session.hold(f"unit·{place}", typed).strip(),
                session.hold(f"meaning·{place}", told).strip(),
            )
        if (new.unit, new.meaning) != (variable.unit, variable.meaning):
            notes.append(new)
    return tuple(notes)


def aim(run: runs.Run) -> None:
    """Offer how the coefficients are fitted, and how exact the data are, on demand."""
    last = run.state.last
    if last is None:
        return
    dataset, target = run.state.problem.dataset, last.target
    with st.container(key="heading_aim"):
        with st.popover("How it is fitted", type="tertiary", icon=":material/help:"):
            noise = words.noise(dataset.states, target.noise)
            st.markdown(f"**{words.AIMS.get(target.kind, target.kind)}.** {noise}")
            _exactness(dataset, target)


def _exactness(dataset: Dataset, target: TargetInfo) -> None:
    st.markdown(words.plain(target.reason))
    st.markdown("The rates are estimated from the samples: no law can be judged more finely than their error.")
    table = {
        "State": [words.plain(state.name) for state in dataset.states],
        "Noise of one sample": [
            words.plain(words.with_unit(value, state.unit))
            for value, state in zip(target.noise, dataset.states, strict=True)
        ],
        "Error of the rate": [
            words.plain(words.with_unit(value, words.per(state.unit, dataset.time.unit).removeprefix("1 ")))
            for value, state in zip(target.floor, dataset.states, strict=True)
        ],
    }
    frame.table(table)


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
    rates = [derivative(variable.name) for variable in run.state.problem.dataset.states]
    with st.expander(f"{', '.join(counts)} in iteration {last.number}", icon=":material/filter_alt:"):
        for no in last.proposal.refused:
            where = "" if no.equation is None else f" ({words.plain(rates[no.equation])})"
            st.markdown(f"**{words.plain(no.text)}**{where}: {words.plain(no.reason)}")
        for hypothesis, fit in failed:
            terms = ", ".join(text_of(run, TermKey(fit.equation, term.skeleton)) for term in fit.terms)
            where = f"{rates[fit.equation]}, hypothesis {hypothesis + 1}"
            st.markdown(f"**{words.plain(terms or 'Not fitted')}** ({words.plain(where)}): {words.plain(fit.failure)}")
