"""History: every run in the store, and what happened in the open one, entry by entry."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Entry, Intervention, Iteration, Pause, Start, TermKey, Verdict
from pages.discover import plots
from pages.history import calls
from pages.ui import frame, session, words


def page() -> None:
    """Draw the runs, then the log of the open one."""
    found = runs.list_runs(session.store())
    frame.header("History", "", [f"{words.plural(len(found), 'run')} in this store"])
    if not found:
        frame.empty("Nothing has happened yet. Try it on yeast, or upload a table.")
        return
    _runs(found)
    run = frame.opened()
    if run is not None:
        st.subheader(f"What happened in {words.plain(run.name)}", anchor=False)
        if run.state.iteration:
            plots.actions(run)
        for number, entry in reversed(list(enumerate(run.entries))):
            with st.container(gap="xxsmall"):
                _entry(run, number, entry)
                _forks(run, number, entry)


def _runs(found: tuple[runs.RunInfo, ...]) -> None:
    here = session.run_id()
    with st.container(key="panel_runs"):
        for info in found:
            with st.container(key=f"line_{info.id}", horizontal=True, vertical_alignment="center", gap="medium"):
                st.markdown(f"**{words.plain(info.name)}**", width="stretch")
                st.caption(" · ".join(_facts(info)), width="content")
                label = "Open now" if info.id == here else "Open"
                told = f"Open {words.plain(info.name)}"
                if st.button(label, key=f"open_{info.id}", disabled=info.id == here, help=told):
                    session.open_run(info.id)
                    st.rerun()


def _facts(info: runs.RunInfo) -> list[str]:
    stepped = words.plural(info.interventions, "intervention")
    day = info.changed[:16].replace("T", " ")
    return [words.plain(info.dataset), words.plural(info.iterations, "iteration"), stepped, f"last change {day} UTC"]


def _entry(run: runs.Run, number: int, entry: Entry) -> None:
    match entry:
        case Start():
            _start(entry)
        case Iteration():
            _iteration(run, entry)
        case Intervention():
            _intervention(run, number, entry)
        case Pause():
            _pause(number, entry)


def _forks(run: runs.Run, number: int, entry: Entry) -> None:
    """Offer a new run that has the log up to here, or up to before a person's word: did it help?"""
    with st.container(key=f"fork_{number}", horizontal=True, gap="small"):
        if number + 1 < len(run.entries):
            told = f"A new run with entries 1 to {number + 1}; this one stays as it is"
            if _small("Fork from here", f"fork.{number}", ":material/fork_right:", told):
                _fork(run, number + 1, f"{run.name}, from entry {number + 1}")
        if isinstance(entry, Intervention) and number:
            told = "A new run up to before this word: go on in it to see whether the word helped"
            if _small("Fork without it", f"without.{number}", ":material/undo:", told):
                _fork(run, number, f"{run.name}, without your word {number + 1}")


def _small(label: str, key: str, icon: str, told: str) -> bool:
    return st.button(label, key=key, type="tertiary", icon=icon, help=told)


def _fork(run: runs.Run, at: int, name: str) -> None:
    if frame.attempt(lambda: session.open_run(runs.fork(session.store(), run.id, at, name))):
        st.switch_page("pages/discover/page.py", query_params={"run": session.run_id()})
    st.rerun()


def _start(entry: Start) -> None:
    with st.container(key="panel_0", gap="xsmall"):
        st.markdown(":material/flag: **Started**")
        agents = "built-in agents" if entry.models is None else words.plain(words.models(entry.models))
        st.caption(f"{words.plain(entry.problem.dataset.name)} · seed {entry.seed} · {agents}")
        if entry.problem.description:
            frame.says(entry.problem.description)


def _iteration(run: runs.Run, done: Iteration) -> None:
    counts = {action: sum(v.action == action for v in done.verdicts) for action in ("keep", "hold", "remove")}
    said = ", ".join(f"{count} {words.PAST[action]}" for action, count in counts.items() if count) or "nothing to judge"
    seconds = words.number(sum(done.seconds.values()), 2)
    with st.expander(f"**Iteration {done.number}**: {said}", icon=":material/science:"):
        tried = words.plural(len(done.proposal.candidates), "hypothesis", "hypotheses")
        st.caption(f"{tried} fitted, {len(done.proposal.refused)} refused, {seconds} s")
        for verdict in done.verdicts:
            st.markdown(_verdict(run, verdict))
        if done.evaluation.review.insight:
            st.markdown("**Insight**")
            frame.says(done.evaluation.review.insight)
        for note in done.evaluation.review.notes:
            st.caption(words.plain(note))
        calls.calls(runs.calls_of(done), f"{run.id}.{done.number}")


def _pause(number: int, pause: Pause) -> None:
    with st.container(key=f"panel_{number}", gap="xsmall"):
        st.markdown(f":material/pause_circle: **Paused** · {words.plain(pause.reason)}")
        calls.calls(pause.calls, f"pause.{number}")


def _verdict(run: runs.Run, verdict: Verdict) -> str:
    grades = f"Scientist {verdict.semantic}, numbers {verdict.evidence}"
    return _with(f"{words.badge(verdict.action)} {_named(run, verdict.key)} · {grades}", verdict.reason)


def _intervention(run: runs.Run, number: int, said: Intervention) -> None:
    with st.container(key=f"panel_{number}", gap="xsmall"):
        who = "You" if said.by == "human" else words.plain(said.by)
        st.markdown(_with(f":material/person: **{who}**", said.reason))
        for override in said.overrides:
            machine = f"; the machine would {override.machine} it" if override.machine else ""
            told = f"{words.badge(override.choice)} {_named(run, override.key)}{machine}"
            st.markdown(_with(told, override.reason))
        for what, notes in (("Banned", said.ban), ("Pinned", said.pin), ("Proposed", said.propose)):
            for note in notes:
                st.markdown(_with(f"{what} {_named(run, note.key)}", note.reason))
        for what, keys in (("Lifted the ban of", said.unban), ("Unpinned", said.unpin)):
            for key in keys:
                st.markdown(f"{what} {_named(run, key)}")
        if said.budget is not None:
            st.markdown("Changed the budget of the language models")
        for what, text in (("New description", said.description), ("Remark", said.remark)):
            if text is not None:
                st.markdown(f"**{what}**")
                frame.says(text)


def _named(run: runs.Run, key: TermKey) -> str:
    name = words.plain(run.state.problem.dataset.states[key.equation].name)
    return f"{words.tex(runs.latex_of(run, key))} in the change of {name}"


def _with(told: str, reason: str) -> str:
    return f"{told} · {words.plain(reason)}" if reason else told


page()
