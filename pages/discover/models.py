"""Where language models take part: what is sent, before the first call; why a run is paused, and the way on."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Budget, Intervention, Models
from pages.ui import frame, jobs, words


def first_word(run: runs.Run) -> None:
    """Say what leaves this machine, before the first call."""
    if run.state.models is None or run.state.spent.calls:
        return
    told = " ".join(runs.disclosure(run.state.models))
    st.info(words.plain(f"Nothing has been sent yet. {told}"), icon=":material/outgoing_mail:")


def paused(run: runs.Run) -> None:
    """Say why the last step did not end, and offer more budget where that is the reason."""
    state = run.state
    if not state.paused or state.models is None:
        return
    with st.container(key="panel_paused", gap="small"):
        st.markdown(f":material/pause_circle: **Paused.** {words.plain(state.paused)}")
        st.caption("Nothing is lost. Press Step to try again, or change something first.")
        if state.paused.startswith("The budget"):
            _raise(run, state.models)


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
        said = Intervention(reason="More budget for the language models.", budget=more)
        frame.attempt(lambda: jobs.intervene(run, said))
        st.rerun()
