"""Where language models take part: what is sent, before the first call; why a run is paused, and the way on."""

import hashlib
from urllib.parse import urlsplit

import streamlit as st

from dolq_core import runs
from dolq_core.agents.llm.disclosure import disclosure, place_of
from dolq_core.agents.providers import PRESETS
from dolq_core.loop import calls_of, unanswered, ungraded
from dolq_core.records import AgentsNote, Budget, Intervention, ModelChoice, Models, Pause
from pages.ui import frame, guard, new_run, session, words


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


def no_key(run: runs.Run) -> None:
    """Say which model is asked without a key, before the call, and take the key here: a reload has forgotten it."""
    state = run.state
    if state.models is None or state.asleep or runs.reason_to_stop(run):
        return
    for choice in dict.fromkeys(one for one in (state.models.sampler, state.models.scientist) if one is not None):
        if not new_run.key_of(choice) and (not _is_local(choice) or _is_refused(run)):
            _ask_key(choice)


def _ask_key(choice: ModelChoice) -> None:
    place = hashlib.sha256(f"{choice.provider} {choice.base_url}".encode()).hexdigest()[:10]
    with st.container(key=f"panel_key_{place}", gap="small"):
        said = f"This run asks {place_of(choice)}, and this tab has no key for it. A reload forgets keys."
        st.markdown(f":orange[:material/key_off:] {words.plain(said)}")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = f"key·{place}"
            st.text_input("Key", "", type="password", key=name, width=320, on_change=_take, args=(choice, name))
            st.page_link("pages/settings/page.py", label="Settings", icon=":material/settings:", width="content")


def _take(choice: ModelChoice, widget: str) -> None:
    """Keep the key that was typed and empty the field: what is drawn again does not hold it."""
    new_run.keep_key(choice, str(session.value(widget)))
    session.reset(widget, "")


def _is_local(choice: ModelChoice) -> bool:
    address = choice.base_url or (PRESETS[choice.provider].base_url if choice.provider in PRESETS else "")
    return urlsplit(address).hostname in guard.HERE


def _is_refused(run: runs.Run) -> bool:
    """Whether the last call asked for a key."""
    last = run.entries[-1]
    return isinstance(last, Pause) and bool(last.calls) and last.calls[-1].failure == "key"


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
        st.caption(
            "Step asks again. Settings tests the connection and has the model of new runs; History has the reply."
        )
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
