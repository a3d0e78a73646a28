"""Who proposes and grades in the runs to come: the built-in agents, language models, or both."""

import streamlit as st

from dolq_core import runs
from dolq_core.agents.llm import disclosure
from dolq_core.agents.providers import PRESETS
from dolq_core.errors import DolqError
from dolq_core.records import Budget, Method, ModelChoice, Models
from dolq_core.runs import try_model
from pages.ui import new_run, session, words

WHO = {
    "builtin": "Built-in: rules, not a language model. No key.",
    "models": "Language models: one proposes (Sampler), one grades (Scientist).",
    "mixed": "Both: some hypotheses from a language model, the rest from the built-in search.",
}
JUDGES = {"same": "the same model", "other": "another model", "none": "nobody"}
METHODS: dict[Method, str] = {
    "dolq": "DoLQ: Sampler and Scientist",
    "icsr": "ICSR (Merler et al.): the best laws as examples",
    "llm-sr": "LLM-SR (Shojaee et al.): programs on islands",
    "lasr": "LaSR (Grayeli et al.): a library of concepts",
    "edl": "EDL (Du et al.): self-improvement and a genetic algorithm in words",
}
FORMS = {"tools": "a function", "json_schema": "a schema", "json_object": "any JSON", "plain": "the prompt alone"}


def agents(now: Models | None, hypotheses: int) -> Models | None:
    """Draw the choice and return it; None for the built-in agents."""
    kind = "builtin" if now is None else ("mixed" if now.proposals < hypotheses else "models")
    with st.container(key="panel_agents"):
        st.header("Agents", anchor=False)
        who = st.radio(
            "Who proposes and grades", list(WHO), list(WHO).index(kind), format_func=WHO.get, key="agents.who"
        )
        if who == "builtin":
            return None
        return _models(now or Models(ModelChoice("openai", ""), ModelChoice("openai", "")), hypotheses, who == "mixed")


def _models(now: Models, hypotheses: int, mixed: bool) -> Models:
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Sampler**")
        sampler = _choice(now.sampler, "sampler")
    with right:
        st.markdown("**Scientist**")
        scientist = _scientist(now, sampler)
        budget = _budget(now.budget)
        read, written = _prices(now)
        portrait, rows, looks = _told(now)
    proposals = hypotheses
    if mixed:
        most = max(hypotheses - 1, 1)
        given = min(now.proposals, most)
        proposals = int(st.number_input("Hypotheses from the language model", 1, most, given, key="agents.proposals"))
    known = list(METHODS)
    method = st.selectbox(
        "Method", known, known.index(now.method), format_func=METHODS.__getitem__, key="agents.method"
    )  # fmt: skip
    chosen = Models(sampler, scientist, proposals, budget, read, written, portrait, rows, looks, method)
    st.caption(words.plain(" ".join(disclosure(chosen))))
    return chosen


def _scientist(now: Models, sampler: ModelChoice) -> ModelChoice | None:
    kind = "none" if now.scientist is None else ("same" if now.scientist == now.sampler else "other")
    asked = st.radio("Who grades", list(JUDGES), list(JUDGES).index(kind), format_func=JUDGES.get, key="agents.judge")
    if asked == "same":
        return sampler
    return _choice(now.scientist or sampler, "scientist") if asked == "other" else None


def _choice(now: ModelChoice, role: str) -> ModelChoice:
    """One model: provider, name, address, key, and a test of it."""
    known = list(PRESETS)
    provider = st.selectbox(
        "Provider",
        known,
        known.index(now.provider),
        format_func=lambda p: PRESETS[p].title,
        key=f"{role}.provider",
    )
    preset = PRESETS[provider]
    model = st.text_input("Model", now.model, key=f"{role}.model", placeholder="its name at the provider")
    address = st.text_input(
        "Address", now.base_url, key=f"{role}.address", placeholder=preset.base_url or "the provider's own"
    )
    choice = ModelChoice(provider, model.strip(), address.strip())
    key = f"{role}.key.{provider}"
    kept = "kept in this tab; type to replace" if new_run.typed_key(choice) else ""
    st.text_input("Key", "", type="password", key=key, placeholder=kept, on_change=_take, args=(choice, key))
    st.caption(words.plain(_where(choice)))
    if st.button("Test connection", key=f"{role}.test", icon=":material/cable:", disabled=not choice.model):
        _test(choice)
    return choice


def _take(choice: ModelChoice, widget: str) -> None:
    """Keep the key that was typed and empty the field: what is drawn again does not hold it."""
    new_run.keep_key(choice, str(session.value(widget)))
    session.reset(widget, "")


def _where(choice: ModelChoice) -> str:
    preset = PRESETS[choice.provider]
    if new_run.typed_key(choice):
        return "Kept in this tab until it is reloaded: never stored, shown or exported."
    if new_run.key_of(choice):
        return f"Uses {preset.key_variable} of this server."
    if preset.local or choice.base_url:
        return "Most local servers need no key."
    return f"Type a key (kept in this tab until it is reloaded), or set {preset.key_variable} before the app starts."


def _test(choice: ModelChoice) -> None:
    with st.spinner(f"Asking {choice.model} a small sum"):
        try:
            found = try_model(session.store(), choice, new_run.key_of(choice))
        except DolqError as error:
            st.warning(words.plain(str(error)), icon=":material/info:")
            return
    with st.container(gap="xxsmall"):
        if found.ok:
            name = words.plain(found.answered_by or choice.model)
            st.markdown(f"**{name} answers.** The test used {found.tokens} tokens.")
        for one in found.tried:
            mark = ":material/check:" if one.ok else ":material/close:"
            spent = f"({words.number(one.seconds, 2)} s)"
            st.markdown(f"{mark} Asked by {FORMS[one.form]}: {words.plain(one.words)} {spent}")


def _budget(now: Budget) -> Budget:
    st.markdown("**Budget of a run.** Pauses before the call that would exceed it; empty: no limit.")
    with st.container(horizontal=True):
        calls = _limit("Calls", now.calls, "agents.calls")
        tokens = _limit("Tokens", now.tokens, "agents.tokens", runs.allowed().tokens)
        seconds = _limit("Seconds", now.seconds, "agents.seconds")
        money = st.number_input("Money", 0.0, None, now.money, key="agents.money", width=120)
    return Budget(calls, tokens, None if seconds is None else float(seconds), money)


def _limit(label: str, value: float | None, key: str, most: int | None = None) -> int | None:
    """most: that each person has on this server."""
    most = None if most is None else max(1, most)
    now = None if value is None else min(int(value), most or int(value))
    found = st.number_input(label, 1, most, now, 1, key=key, width=120)
    return None if found is None else int(found)


def _prices(now: Models) -> tuple[float, float]:
    with st.container(horizontal=True):
        read = st.number_input("Price per million tokens in", 0.0, None, now.price_in, key="agents.in", width=250)
        written = st.number_input("Price per million tokens out", 0.0, None, now.price_out, key="agents.out", width=250)
    return read, written


def _told(now: Models) -> tuple[bool, int, int]:
    portrait = st.checkbox(
        "Send figures of the data: ranges, signs, correlations, periods, misses of a law",
        now.portrait,
        key="agents.portrait",
    )
    rows = int(st.number_input("Samples to send", 0, 500, now.rows, 1, key="agents.rows", width=240))
    looks = int(
        st.number_input("Queries of each role before it answers", 0, 20, now.looks, 1, key="agents.looks", width=240)
    )
    return portrait, rows, looks
