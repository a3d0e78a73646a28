"""Where language models take part: what is sent, before the first call; why a run is paused, and the way on."""

import streamlit as st

from dolq_core import runs
from dolq_core.agents.llm import disclosure
from dolq_core.loop import calls_of, unanswered, ungraded
from dolq_core.records import AgentsNote, Budget, Intervention, Models
from pages.ui import frame, new_run, session, words


def first_word(run: runs.Run) -> None:
    """Say what leaves this machine, before the first call; of a run that came as a file, what would."""
    if run.state.models is None:
        return
    told = " ".join(disclosure(run.state.models))
    if run.state.asleep:
        _choose(run, told)
    elif not _has_asked(run):
        st.info(words.plain(f"Nothing has been sent yet. {told}"), icon=":material/outgoing_mail:")


def _has_asked(run: runs.Run) -> bool:
    """Whether the models of now have been asked: those of before say nothing of where these are."""
    chosen = [n for n, said in enumerate(run.entries) if isinstance(said, Intervention) and said.agents is not None]
    return any(calls_of(entry) for entry in run.entries[max(chosen, default=0) :])


def _choose(run: runs.Run, told: str) -> None:
    """Offer the agents that a person chose here in the place of those that came with the file."""
    said = f"This run came as a file: choose its language models again. As it came: {told}"
    st.info(words.plain(said), icon=":material/front_hand:")
    chosen = new_run.new_run().models
    label = "Go on with the built-in agents" if chosen is None else "Use the models of Settings"
    if chosen is None:
        st.caption("Or choose others in Settings first.")
    if st.button(label, icon=":material/group:", key=f"agents.{len(run.entries)}"):
        note = AgentsNote("builtin" if chosen is None else "models", chosen)
        frame.say(run, Intervention(agents=note))


def paused(run: runs.Run) -> None:
    """Say why the last step did not end, and offer more budget where that is the reason."""
    state = run.state
    if not state.paused or state.models is None:
        return
    with st.container(key="panel_paused", gap="small"):
        st.markdown(f":material/pause_circle: **Paused.** {words.plain(state.paused)}")
        st.caption("Nothing is lost. Step tries again.")
        if state.paused.startswith("The budget"):
            _raise(run, state.models)


def unused(run: runs.Run) -> None:
    """Say that the last answer of a language model could not be used, and the way out; not what the end says anyway."""
    last = run.state.last
    if last is None or run.state.models is None:
        return
    found = [said for said in (unanswered(last), ungraded(last)) if said and said not in session.end_of(run)]
    if not found:
        return
    with st.container(key="panel_unused", gap="small"):
        st.markdown(f":orange[:material/warning:] **Iteration {last.number}.** {words.plain(' '.join(found))}")
        st.caption("Step asks again. Settings tests the connection and chooses another model; History has the reply.")
        with st.container(horizontal=True):
            st.page_link("pages/settings/page.py", label="Settings", icon=":material/settings:", width="content")
            st.page_link(
                "pages/history/page.py", label="History", icon=":material/history:",
                query_params={"run": session.run_id()}, width="content",
            )  # fmt: skip


def _raise(run: runs.Run, models: Models) -> None:
    """Twice of every limit, in one click."""
    if st.button("Double the budget", icon=":material/add:", key=f"budget.{len(run.entries)}"):
        now = models.budget
        more = Budget(
            now.calls and 2 * now.calls,
            now.tokens and 2 * now.tokens,
            now.seconds and 2 * now.seconds,
            now.money and 2 * now.money,
        )
        frame.say(run, Intervention(reason="More budget for the language models.", budget=more))
