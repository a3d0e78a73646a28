"""One step of a lesson: words and question at the left, what is to be seen at the right."""

from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import lessons, runs
from dolq_core.errors import DolqError
from dolq_core.lessons import Attempt, Standing
from pages.lessons import asking, views, writing
from pages.ui import frame, identity, jobs, presenting, progress, session, words

SHOWN: Final = "All answers were shown."
"""In the place of a score, where a teacher shows what is so."""
EVERY_S: Final = 2.0
"""Seconds between two looks whether the teacher has told the answer."""


def walk(way: Attempt) -> None:
    """Draw the open step, and do what its button wants done."""
    try:
        now = lessons.stand(session.store(), way, writing.number)
    except DolqError as error:  # such as a run that is not in this database
        _lost(way, error)
        return
    is_told = _is_told(now)
    if not is_told:
        now = replace(now, then=(), is_free=False)
    _header(now)
    with st.container(key="lesson"):
        strip = st.container(key="strip") if presenting.is_on() else None
        left, right = st.columns([1, 1.15], gap="large") if strip is None else st.columns(2, gap="medium")
        with left, st.container(key="lesson_left"):
            place = _left(now, is_told=is_told)
        with right, st.container(key="stage"):
            views.staged(now, strip) if strip is not None else views.views(now)
        if strip is None:
            _end(now)
        _ways(now)
    with place:
        _working(now)
    _arrive(now)
    if not is_told:
        st.fragment(_await, run_every=EVERY_S)(now)


def _is_told(now: Standing) -> bool:
    """Whether what the question reveals may be shown: always, but in a class, where the teacher says when."""
    if now.asked is None or now.asked.said is None or not identity.room():
        return True
    return now.number in lessons.class_of(identity.room()).revealed


def _await(now: Standing) -> None:
    """Look whether the teacher has told the answer meanwhile."""
    if _is_told(now):
        st.rerun()


def _lost(way: Attempt, error: DolqError) -> None:
    frame.header(way.lesson.title, "", [])
    st.warning(words.plain(str(error)), icon=":material/info:")
    with st.container(horizontal=True):
        _anew(way)
        _all()


def _anew(way: Attempt) -> None:
    if identity.room():  # a class has one place for each
        return
    if st.button("Begin it anew", icon=":material/replay:"):
        frame.attempt(lambda: session.open_lesson(lessons.begin(way.file, way.source.encode(), identity.owner()).id, 0))
        st.rerun()


def _all() -> None:
    if identity.room():
        return
    if st.button("All lessons", icon=":material/apps:"):
        session.close_lesson()
        st.rerun()


def _header(now: Standing) -> None:
    facts = [f"Step {now.number + 1} of {now.count}"]
    facts += [f"by {words.plain(now.lesson.by)}"] if now.lesson.by else []
    buttons = frame.header(now.lesson.title, "", facts)
    with buttons:
        if presenting.is_on():  # below the text it would take the room of the question
            _words(now)
        if not identity.room():
            presenting.switch()
        _all()
    done = now.number + int(now.is_free)
    st.html(progress.line(done, now.count, "Steps done"))


def _arrive(now: Standing) -> None:
    """Begin a step at its top, with the focus on its heading; on its question once there is one to read.

    The button that was pressed is gone or switched off by then, and the focus with it. A script runs only where its
    text is another one than before.
    """
    asked = now.asked is not None and (now.act is not None or now.asked.said is not None)
    place = ".st-key-lesson_question" if asked else ".st-key-lesson_left h2"
    mark = f"{now.attempt.id} {now.number} {asked} {bool(now.asked and now.asked.said is not None)}"
    top = "" if asked else "document.querySelector('[data-testid=stMain]').scrollTo(0, 0);"
    focus = f"{{ const to = document.querySelector('{place}'); to.tabIndex = -1; to.focus({{preventScroll: true}}) }}"
    if now.asked is not None and now.asked.said is not None:  # on a phone it moves above the pictures that it reveals
        scroll = f"document.querySelector('{place}').scrollIntoView()"
        focus += f"if (matchMedia('(max-width: 640px)').matches) {scroll};"
    if presenting.is_on():  # whoever has no mouse scrolls words and views with the arrow keys
        focus += f"document.querySelector('{place}').scrollIntoView({{block: 'nearest'}});"
        focus += "document.querySelectorAll('.st-key-lesson [data-testid=stColumn]').forEach(e => { e.tabIndex = 0 });"
    with st.container(key="lesson_top"):
        st.html(f"<script>/* {mark} */ {top} {focus}</script>", unsafe_allow_javascript=True)


def _left(now: Standing, *, is_told: bool) -> DeltaGenerator:
    """Draw words, button and question; return the place for what is said while the machine computes."""
    st.header(writing.line(now.title), anchor=False)
    with st.container(key="lesson_text"):
        st.markdown(writing.text(now.text))
    if not presenting.is_on():
        _words(now)
    if now.act is not None and not (now.acted and presenting.is_on()):
        _act(now)
    place = st.container(key="lesson_work")
    if now.asked is not None:
        asking.question(now, now.asked, is_told=is_told)
    return place


def _words(now: Standing) -> None:
    """Say what the program's own words mean on the step that first uses them; for a room behind a button."""
    found = lessons.new_words(now.lesson, now.number)
    if found and presenting.is_on():
        with st.popover(words.plural(len(found), "new word"), icon=":material/dictionary:", key="lesson_glossary"):
            for word, meant in found.items():
                st.markdown(f"**{word}**: {meant}")
    elif found:
        with st.container(key="lesson_words"):
            st.caption(" · ".join(f"**{word}**: {meant}" for word, meant in found.items()))


def _act(now: Standing) -> None:
    """Draw the button of the step; once it was pressed it stays, and says that it is done."""
    assert now.act is not None
    pressed = now.acted or bool(now.waits)
    st.button(
        words.label(now.act.button), key=f"act·{now.attempt.id}·{now.number}", disabled=pressed,
        type="secondary" if pressed else "primary", icon=":material/check:" if now.acted else ":material/play_arrow:",
        on_click=_press, args=(now,), shortcut=None if pressed else _key(presenting.ON),
    )  # fmt: skip


def _press(now: Standing) -> None:
    frame.attempt(lambda: lessons.press(session.store(), now.attempt))


def _working(now: Standing) -> None:
    """Compute what waits, in a process of its own; where that failed, say so and offer it again."""
    if not now.waits:
        return
    run = runs.load(session.store(), now.waits)
    failed = session.end_of(run)
    if failed and not jobs.is_working(run.id):
        st.warning(words.plain(failed), icon=":material/info:")
        if not st.button("Try again", icon=":material/refresh:"):
            return
    if not jobs.is_working(run.id):
        frame.attempt(lambda: jobs.start(run, "step"))
    progress.watch(run, beside=True)


def _ways(now: Standing) -> None:
    """Draw the ways back and on."""
    last = now.number + 1 == now.count
    with st.container(
        key="lesson_ways", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        back = st.button(
            "Back", icon=":material/arrow_back:", disabled=now.number == 0, key="lesson.back",
            shortcut=_key(presenting.BACK),
        )  # fmt: skip
        if back:
            _go(now, now.number - 1)
        if last:
            if presenting.is_on() and now.is_free:  # below the answer it would be cut off
                _score(now)
                _onwards(now)
            return
        told = None if now.is_free else "Answer first; “I do not know” is an answer too."
        on = st.button(
            "Next", icon=":material/arrow_forward:", icon_position="right", disabled=not now.is_free, key="lesson.next",
            type="primary", help=told, shortcut=_key(presenting.ON) if now.is_free else None,
        )  # fmt: skip
        if on:
            _go(now, now.number + 1)


def _key(name: str) -> str | None:
    """Return the key that stands for a button where the screen is a room's."""
    return name if presenting.is_on() else None


def _go(now: Standing, step: int) -> None:
    if frame.attempt(lambda: lessons.move(now.attempt, step)):
        session.open_lesson(now.attempt.id, step)
    st.rerun()


def _end(now: Standing) -> None:
    """Draw what came of the lesson on its last step, and where to go from there."""
    if now.number + 1 < now.count or not now.is_free:
        return
    with st.container(key="panel_end", gap="small"):
        _score(now)
        if now.lesson.sources:
            st.caption("Sources: " + " ".join(map(writing.line, now.lesson.sources)))
        with st.container(horizontal=True):
            _onwards(now)
            st.download_button(
                "Download this lesson", now.attempt.source,
                f"{runs.download_name(now.attempt.file.removesuffix('.toml'), 'lesson')}.toml", "application/toml",
                icon=":material/download:", on_click="ignore",
            )  # fmt: skip


def _score(now: Standing) -> None:
    right, of = lessons.score(session.store(), now.attempt)
    if of:
        said = SHOWN if presenting.is_on() and not any(now.attempt.answers.values()) else f"{right} of {of} right."
        st.markdown(f":material/flag: **{said}**", width="content")


def _onwards(now: Standing) -> None:
    """Draw the ways on from the end."""
    if now.attempt.runs and st.button("Go on in Discover", icon=":material/science:", help="With a copy of the run"):
        _copy(now)
    if now.lesson.sources and presenting.is_on():
        with st.popover("Sources", icon=":material/menu_book:"):
            for source in now.lesson.sources:
                st.markdown(writing.line(source))
    _anew(now.attempt)


def _copy(now: Standing) -> None:
    run = lessons.run_for(session.store(), now.attempt, now.name)
    name = f"{now.lesson.title}, my own"
    frame.enter(lambda: runs.fork(session.store(), run.id, len(run.entries), name))
