"""Settings: the knobs of the runs to come, each with the source of its default."""

from dataclasses import replace
from typing import Any, get_args, get_type_hints

import streamlit as st

from dolq_core import runs
from dolq_core.records import Settings
from pages.settings import agents
from pages.ui import frame, knobs, new_run, session, words

GROUPS = {
    "Length": ("iterations", "patience", "time_limit_s"),
    "Proposals": ("hypotheses", "max_terms", "max_params"),
    "Decisions": ("strikes", "max_holds", "max_good", "forget_probability"),
    "Fits": ("target", "inputs", "noise", "optimizer", "held_out", "held_out_runs"),
    "Evidence": ("ablation", "ablation_threshold", "best_by"),
    "Language models": ("sampler_temperature", "scientist_temperature", "max_tokens"),
}
NOTES = {"Language models": "Not used by the built-in agents."}
LEAST = {"iterations": 1, "hypotheses": 1, "max_terms": 1, "max_tokens": 1}
MOST = {"held_out": 0.5, "forget_probability": 1.0, "sampler_temperature": 2.0, "scientist_temperature": 2.0}
HINTS = get_type_hints(Settings)


def page() -> None:
    """Draw the knobs; what is chosen applies to the next run that starts."""
    buttons = frame.header("Settings", "", ["For new runs; a run keeps its own"])
    with buttons:
        st.button("Our defaults", on_click=_preset, args=(Settings(),))
        st.button("The paper's settings", on_click=_preset, args=(Settings.paper(),))
    new = new_run.new_run()
    models = agents.agents(new.models, new.settings.hypotheses)
    seed = st.number_input("Random seed", 0, 2**31 - 1, new.seed, 1, key="seed", width=280)
    left, right = st.columns(2, gap="medium")
    values: dict[str, Any] = {}
    for number, (heading, names) in enumerate(GROUPS.items()):
        with (left, right)[number % 2], st.container(key=f"panel_{number}"):
            st.header(heading, anchor=False)
            if heading in NOTES:
                st.caption(NOTES[heading])
            for name in names:
                with st.container(gap="xxsmall"):
                    values[name] = _knob(name, getattr(new.settings, name))
    new_run.keep_new_run(new_run.NewRun(replace(new.settings, **values), int(seed), models))


def _knob(name: str, value: Any) -> Any:
    options = get_args(HINTS[name])
    key = f"knob.{name}"
    if isinstance(value, tuple):
        st.markdown(f":small[{knobs.LABELS[name]}: chosen on the Data page.]", help=_why(name))
    elif options:
        value = st.selectbox(
            knobs.LABELS[name],
            options,
            options.index(value),
            format_func=lambda option: knobs.word(name, option),
            key=key,
            help=_why(name),
        )
    elif isinstance(value, int):
        least = LEAST.get(name, 0)
        most = max(least, int(_most(name, 100_000)))
        value = int(st.number_input(knobs.LABELS[name], least, most, min(value, most), 1, key=key, help=_why(name)))
    else:
        top = _most(name, None)
        value = min(float(value), top if top is not None else float(value))
        value = st.number_input(knobs.LABELS[name], 0.0, top, value, key=key, format="%g", help=_why(name)) or 0.0
    if value != _default(name):
        st.caption(words.plain(f"Default: {knobs.word(name, _default(name))}."))
    return value


def _why(name: str) -> str:
    """Return what a knob does, its default and where that comes from; of a decision of ours what it says."""
    source = Settings.source(name)
    if source.startswith("docs/"):
        source = source.partition("; ")[2] or "our choice"
    return words.plain(f"{knobs.DOES[name]} Default: {knobs.word(name, _default(name))} ({source}).")


def _most(name: str, usual: float | None) -> Any:
    """Return the most that a knob may be: on a shared server no more than each person has there."""
    limits = runs.allowed()
    own = {"time_limit_s": limits.seconds, "max_tokens": limits.tokens}.get(name)
    most = MOST.get(name, usual)
    return most if own is None else float(own) if most is None else min(own, most)


def _default(name: str) -> Any:
    return getattr(Settings(), name)


def _preset(settings: Settings) -> None:
    new_run.keep_new_run(replace(new_run.new_run(), settings=settings))
    for name in knobs.LABELS:
        session.drop(f"knob.{name}")


page()
