"""The teacher's page of a class: its link, the answers as they come in, the reveal, what is kept and cleared."""

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

import plotly.graph_objects as go
import segno
import streamlit as st

from dolq_core import lessons, runs
from dolq_core.errors import DolqError
from dolq_core.lessons import Attempt, Class, Tally
from pages.lessons import asking, writing
from pages.ui import charts, frame, guard, identity, layout, presenting, session, words
from pages.ui.colours import colours

EVERY_S: Final = 2.0
"""Seconds between two looks at the answers."""
LETTERS: Final = 46
"""Of an option beside its bar."""


def open_class(file: str, content: bytes) -> None:
    """Begin a class on a lesson and go to its page."""
    if frame.attempt(lambda: session.teach(lessons.open_class(file, content, identity.owner()).id)):
        st.rerun()


def classes() -> None:
    """List the classes that go on, with a way to each."""
    found = lessons.taught_by(identity.owner())
    if found:
        st.header("Your classes", anchor=False)
    for room in found:
        with st.container(key=f"run_{room.id}", horizontal=True, vertical_alignment="center", gap="small"):
            label = words.label(room.lesson.title)
            if st.button(label, key=f"class_{room.id}", type="tertiary", icon=":material/groups:"):
                session.teach(room.id)
                st.rerun()
            st.caption(words.plural(len(lessons.ways(room)), "place"))


def classroom(name: str) -> None:
    """Draw the class, for who teaches it."""
    try:
        room = lessons.class_of(name)
        if room.owner != identity.owner():
            raise PermissionError
    except (DolqError, PermissionError):
        session.teach("")
        st.warning("There is no such class.", icon=":material/info:")
        return
    buttons = frame.header(room.lesson.title, ":blue-badge[:material/groups: Class]", [])
    with buttons:
        presenting.switch()
        if st.button("All lessons", icon=":material/apps:"):
            session.teach("")
            st.rerun()
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        _link(room)
        st.fragment(_here, run_every=EVERY_S)(room)
        _keep(room)
    with right:
        st.fragment(_answers, run_every=EVERY_S)(room)


def link(room: Class) -> str:
    """Return the address that takes a place: under the name by which others reach the server, where it has one."""
    here = urlsplit(st.context.url or "http://localhost")
    names = guard.names()
    port = f":{here.port}" if here.port else ""
    host = f"{names[-1]}{port}" if here.hostname in guard.HERE and names else here.netloc
    return f"{here.scheme}://{host}/lessons?class={room.id}&key={room.key}"


def _link(room: Class) -> None:
    address = link(room)
    picture = io.BytesIO()
    segno.make(address, error="m").save(picture, kind="png", scale=8, border=2)
    st.image(picture.getvalue(), width=300, caption="One link for everybody", alt="The link below as a QR code")
    st.code(address, language=None, wrap_lines=True)
    if urlsplit(address).hostname in guard.HERE:
        st.caption(
            "This address works on this computer only. For a room, start the server with `--server.address=0.0.0.0` "
            "and `DOLQ_HOSTS` set to this computer's name or address; see the documentation on lessons."
        )


def _here(room: Class) -> None:
    """Say how many have a place; their names only where the teacher opens them, and never on a screen for the room."""
    found = [place.name for place in lessons.places(room)]
    st.caption(f"Here: {len(found) or 'nobody yet'}.")
    named = sorted(name for name in found if name)
    if named and not presenting.is_on():
        with st.expander("Names, for you alone", icon=":material/visibility_off:", key=f"names·{room.id}"):
            rest = [f"{len(found) - len(named)} without a name"] if len(found) > len(named) else []
            st.caption(words.plain(f"{', '.join([*named, *rest])}."))


def _keep(room: Class) -> None:
    """Draw what can be taken along, and the end of the class, which asks first and offers it again."""
    _downloads(room)
    with st.popover("End the class and clear it", icon=":material/delete:", key=f"end·{room.id}"):
        count = words.plural(len(lessons.places(room)), "place")
        st.markdown(f"**{count}** with all answers and runs, for good. Learners lose their page at once.")
        st.caption("Download first what you want to keep.")
        _downloads(room, 2)
        st.button("End it for good", icon=":material/delete_forever:", key="class.clear", on_click=_clear, args=(room,))


def _downloads(room: Class, most: int = 4) -> None:
    """Draw what can be taken along, two and two; the first are gone with the class."""
    every: list[tuple[str, Callable[[], str | bytes], str, str, str]] = [
        ("Answers", lambda: lessons.answers_table(room), "answers.csv", "text/csv",
         "A row for each place, without names"),
        ("Runs", lambda: lessons.runs_archive(room), "runs.zip", "application/zip",
         "A bundle for each run, numbered, without names"),
        ("Worksheet", lambda: lessons.worksheet(room.lesson), "worksheet.html", "text/html", "A page to print"),
        ("Answer key", lambda: lessons.answer_key(room.lesson, room.file, writing.number), "key.html", "text/html",
         "With figures, answers and common mistakes"),
    ]  # fmt: skip
    for pair in (every[:2], every[2:most]):
        with st.container(horizontal=True, gap="small"):
            for label, make, file, media, told in pair:
                icon = ":material/print:" if media == "text/html" else ":material/download:"
                st.download_button(
                    label, make, f"{runs.download_name(room.lesson.title, 'lesson')} {file}", media, icon=icon,
                    on_click="ignore", help=told, key=f"take.{most}.{label}",
                )  # fmt: skip


def _clear(room: Class) -> None:
    lessons.clear(room)
    session.teach("")


def _answers(room: Class) -> None:
    """Draw one question: who has answered, how, and the button that tells the answer."""
    room = lessons.class_of(room.id)
    now = lessons.ways(room)
    asked = [number for number, step in enumerate(room.lesson.steps) if step.ask is not None]
    at = st.segmented_control(
        "Question", asked, default=asked[0], format_func=lambda step: f"Step {step + 1}", required=True,
        key=f"class.step·{room.id}",
    )  # fmt: skip
    step = asked[0] if at is None else at
    found = lessons.tally(room, step, now)
    ask = room.lesson.steps[step].ask
    st.markdown(f"**{writing.line(ask.question if ask else '')}**")
    said = sum(found.answers.values())
    st.caption(f"{words.plural(found.present, 'place')}, {said} answered")
    is_told = step in room.revealed
    figure = _bars(room, found, _right(room, step, now) if is_told else "")
    charts.show(figure, f"class·{room.id}·{step}", _alt(room, found))
    label = "Revealed" if is_told else "Reveal the answer"
    st.button(
        label, type="primary", disabled=is_told, icon=":material/visibility:", key=f"class.reveal·{step}",
        on_click=_reveal, args=(room, step), shortcut=presenting.ON if presenting.is_on() and not is_told else None,
    )  # fmt: skip


def _reveal(room: Class, step: int) -> None:
    frame.attempt(lambda: lessons.reveal(room, step))


def _labels(room: Class, found: Tally) -> dict[str, str]:
    """Return what stands beside each bar, by the answer: all options, and whatever else was said."""
    ask = room.lesson.steps[found.step].ask
    options = {str(k): option.text for k, option in enumerate(ask.options, 1)} if ask else {}
    others = sorted((one for one in found.answers if one and one not in options), key=asking.in_order)
    named = {one: asking.SIGNS.get(one, writing.number(float(one)) if asking.is_number(one) else one) for one in others}
    return {**options, **named, "": "I do not know"}


def _right(room: Class, step: int, now: Sequence[Attempt]) -> str:
    """Return the right answer as it is stored; empty while nobody has got as far."""
    for way in now:
        if step in way.answers:
            store = runs.open_store(room.database, way.owner)
            asked = lessons.stand(store, replace(way, step=step), writing.number).asked
            return str(asked.right) if asked is not None else ""
    return ""


def _bars(room: Class, found: Tally, right: str) -> go.Figure:
    palette, labels = colours(), _labels(room, found)
    names = [words.in_chart(text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…") for text in labels.values()]
    counts = [found.answers.get(value, 0) for value in labels]
    names = [f"<b>{name}</b>" if right and value == right else name for name, value in zip(names, labels, strict=True)]
    colour = [palette.lines[0] if value == right or not right else palette.stream for value in labels]
    top = {"range": [0, max([*counts, 4])], "dtick": max(1, max(counts) // 5), "title": {"text": "answers"}}
    figure = layout.blank(palette, 90 + 44 * len(names), xaxis=top, yaxis={"autorange": "reversed", "automargin": True})
    return figure.add_bar(y=names, x=counts, orientation="h", marker={"color": colour}, hoverinfo="skip")


def _alt(room: Class, found: Tally) -> str:
    return "; ".join(f"{text}: {found.answers.get(value, 0)}" for value, text in _labels(room, found).items())
