"""Every call of a language model: what was sent, what came back, what it used."""

from collections.abc import Sequence

import streamlit as st

from dolq_core.errors import grouped
from dolq_core.records import ModelCall
from pages.ui import words


def calls(made: Sequence[ModelCall], place: str) -> None:
    """Draw the calls of one entry: a line each, prompt and reply of the chosen one."""
    if not made:
        return
    tokens = sum(call.tokens_in + call.tokens_out for call in made)
    st.markdown(f"**{words.plural(len(made), 'call')} of language models**, {grouped(tokens)} tokens")
    st.markdown("\n".join(_line(number, call) for number, call in enumerate(made, 1)))
    shown = st.segmented_control(
        "Show what was sent and what came back",
        range(len(made)),
        format_func=lambda k: f"Call {k + 1}, {made[k].role}",
        key=f"call.{place}",
    )
    if shown is not None:
        _whole(made[shown])


def _line(number: int, call: ModelCall) -> str:
    name = words.plain(call.answered_by or call.model)
    used = f"{grouped(call.tokens_in)} tokens in, {grouped(call.tokens_out)} out"
    looked = f"; asked for {words.plural(len(call.looks), 'look')}" if call.looks else ""
    thought = f" ({grouped(call.tokens_reasoning)} of them thought)" if call.tokens_reasoning else ""
    end = (
        f"failed: {words.plain(call.error)}"
        if call.failure
        else f"{used}{thought}, ended with {words.plain(call.finish)}{looked}"
    )
    return f"{number}. {call.role.capitalize()}, {name}: {end}, {words.number(call.seconds, 2)} s"


def _whole(call: ModelCall) -> None:
    asked = [f"temperature {call.temperature:g}", f"at most {call.max_tokens} tokens", f"asked for as {call.form}"]
    st.caption(words.plain(f"Sent to {call.server or call.provider}; {', '.join(asked)}."))
    for name, text in (("Rules", call.system), ("Prompt", call.prompt), ("Reply", call.reply)):
        st.markdown(f"**{name}**")
        st.code(text or "nothing", language=None, wrap_lines=True, height=360 if len(text) > 1500 else "content")
    if call.looks:
        st.markdown("**What it asked to see**")
        shown = "\n\n".join(f"{look.name} {look.asked}\n{look.answer}" for look in call.looks)
        st.code(shown, language=None, wrap_lines=True, height=360 if len(shown) > 1500 else "content")
