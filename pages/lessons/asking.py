"""The question of a step: asked, answered once, and then told."""

import streamlit as st

from dolq_core import lessons
from dolq_core.lessons import Asked, Standing
from pages.lessons import writing
from pages.ui import frame, presenting, words

SIGNS = {
    "keep": words.choice_label("keep"),
    "hold": words.choice_label("hold"),
    "remove": words.choice_label("remove"),
    "good": "good",
    "neutral": "neutral",
    "bad": "bad",
    "settled": "settled: it may be claimed",
    "provisional": "provisional: the best so far, with doubts",
    "none": "none: there is nothing to claim",
}
KNOWN = {"keep": "keep it", "hold": "hold it", "remove": "remove it", "none": "none"}


def question(now: Standing, asked: Asked, *, is_told: bool = True) -> None:
    """Draw the question; until it is answered the fields and two buttons, then what was said and what is so.

    is_told: whether the answer may be told; in a class the teacher says when.
    """
    with st.container(key="lesson_question", gap="small"):
        st.markdown(f"**{writing.line(asked.question)}**")
        if asked.said is None:
            _open(now, asked)
        elif is_told:
            _told(asked)
        else:
            st.markdown(":material/how_to_vote: Your answer is in. The teacher tells the right one.")


def is_number(said: str) -> bool:
    """Whether an answer is a number."""
    try:
        float(said)
    except ValueError:
        return False
    return True


def in_order(said: str) -> tuple[float, str]:
    """Return what puts answers in order: numbers by their size, before words."""
    return (float(said), "") if is_number(said) else (float("inf"), said)


def _open(now: Standing, asked: Asked) -> None:
    key = f"answer·{now.attempt.id}·{now.number}"
    said = _number(key, asked) if asked.kind == "number" else _choice(key, asked)
    with st.container(horizontal=True, gap="small"):
        told = {"on_click": _answer, "args": (now, said)}
        st.button("Answer", key=f"{key}·go", type="primary", disabled=not said, **told)
        large = presenting.is_on()
        label, shortcut = ("Show the answer", presenting.ON) if large else ("I do not know", None)
        st.button(label, key=f"{key}·pass", type="tertiary", on_click=_answer, args=(now, ""), shortcut=shortcut)


def _choice(key: str, asked: Asked) -> str:
    labels = {value: SIGNS.get(value, writing.line(text)) for value, text in asked.options}
    chosen = st.radio(
        words.label(asked.question.replace("`", "")), list(labels), index=None, key=key, persist_state="session",
        format_func=labels.__getitem__, label_visibility="collapsed",
    )  # fmt: skip
    return chosen or ""


def _number(key: str, asked: Asked) -> str:
    typed = st.number_input(
        words.label(asked.question.replace("`", "")), value=None, key=key, format="%g", persist_state="session",
        label_visibility="collapsed", placeholder="A number", width=320,
    )  # fmt: skip
    return "" if typed is None else repr(float(typed))


def _answer(now: Standing, said: str) -> None:
    frame.attempt(lambda: lessons.answer(now.attempt, said))


def _told(asked: Asked) -> None:
    icon = ":green-badge[:material/check: right]" if asked.is_right else ":orange-badge[:material/close: not quite]"
    if not asked.said:
        icon = ":gray-badge[:material/visibility: shown]"
    texts = dict(asked.options)
    said = f"You said: {_shown(asked.said or '', texts)}. " if asked.said else ""
    right = "" if asked.is_right else f" It is: **{_shown(asked.right, texts)}**."
    st.markdown(f"{icon} {said}{right}".replace("  ", " "))
    for text in (asked.reply, asked.reveal):
        if text:
            st.markdown(writing.text(text))


def _shown(value: object, texts: dict[str, str]) -> str:
    if isinstance(value, str) and value in texts:
        return KNOWN.get(value) or writing.line(texts[value])
    return writing.number(float(value)) if isinstance(value, float | str) else ""
