"""A table of the person's own: the role, unit and meaning of each column, checked as they are chosen."""

import hashlib
from typing import Literal, TypeAlias

import streamlit as st

from dolq_core import runs
from dolq_core.errors import DataError
from dolq_core.runs import Reading, Table
from pages.data import parts
from pages.ui import session, words

LabelVisibility: TypeAlias = Literal["visible", "collapsed"]
ROLES = ("Time", "Run", "State", "Ignore")
COLUMNS = [1.1, 1.1, 0.8, 1.6]


def table(given: session.Upload) -> None:
    """Draw the table that was given, or why it is none."""
    try:
        read = runs.read_table(given.content, given.name)
    except DataError as error:
        _refused(given.name, error)
        return
    mark = hashlib.sha256(given.content).hexdigest()[:12]
    place = st.container()
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        answer = _columns(read, mark)
    with place:
        ready = ":blue-badge[:material/check: Ready to start]"
        fault = ":orange-badge[:material/error: Not ready]"
        good = isinstance(answer, Reading)
        start = parts.header(given.name, ready if good else fault, answer.dataset if good else None)
    if not isinstance(answer, Reading):
        with right:
            st.error(words.plain(str(answer)), icon=":material/error:")
        return
    with left:
        _notes(answer)
        parts.fitness(answer.dataset, mark)
    with right:
        held = parts.preview(answer.dataset, mark)
        description = parts.description(mark, "", answer.dataset)
    if start:
        parts.start(answer.dataset, description, given.name.rsplit(".", 1)[0], held)


def _refused(name: str, error: DataError) -> None:
    parts.header(name, ":orange-badge[:material/error: Cannot be read]", None)
    st.error(words.plain(str(error)), icon=":material/error:")


def _columns(read: Table, mark: str) -> Reading | DataError:
    """Draw role, unit and meaning per column; return how the table is understood with them, or why not."""
    guesses = _guesses(read)
    with st.container(key="panel_columns"):
        st.subheader("What is each column?", anchor=False)
        for number, name in enumerate(read.columns):
            _column(read, mark, number, name, guesses.get(name, ("Ignore", "")))
    return _understood(read, mark)


def _column(read: Table, mark: str, number: int, name: str, guess: tuple[str, str]) -> None:
    shown = words.plain(name)
    first = number == 0
    seen: LabelVisibility = "visible" if first else "collapsed"
    session.seed(_key(mark, number, "role"), guess[0])
    session.seed(_key(mark, number, "unit"), guess[1])
    with st.container(key=f"col_{number}"):
        cells = st.columns(COLUMNS, gap="small", vertical_alignment="bottom" if first else "center")
        cells[0].markdown(f"**{shown}**  \n:gray[:small[{_range(read, name)}]]")
        cells[1].selectbox(
            "Role" if first else f"Role of {shown}", ROLES, key=_key(mark, number, "role"), label_visibility=seen,
            persist_state="session",
        )  # fmt: skip
        cells[2].text_input(
            "Unit" if first else f"Unit of {shown}", key=_key(mark, number, "unit"), label_visibility=seen,
            persist_state="session",
        )  # fmt: skip
        cells[3].text_input(
            "Meaning" if first else f"Meaning of {shown}", key=_key(mark, number, "meaning"), label_visibility=seen,
            placeholder="in plain words", persist_state="session",
        )  # fmt: skip


def _understood(read: Table, mark: str) -> Reading | DataError:
    names = list(read.columns)
    said = {what: [session.value(_key(mark, i, what)) or "" for i in range(len(names))] for what in ("unit", "meaning")}
    roles = [session.value(_key(mark, i, "role")) for i in range(len(names))]
    by_role = {role: [name for name, mine in zip(names, roles, strict=True) if mine == role] for role in ROLES}
    for role in ("Time", "Run"):
        if len(by_role[role]) > 1:
            twice = " and ".join(f"'{name}'" for name in by_role[role])
            return DataError(f"Role {role}", f"it is given to {twice}", "Give it to one column only.")
    if not by_role["Time"]:
        return DataError("Role Time", "no column has it", "Choose the column that holds the times.")
    try:
        return runs.understand(
            read,
            by_role["Time"][0],
            by_role["State"],
            by_role["Run"][0] if by_role["Run"] else "",
            units=dict(zip(names, said["unit"], strict=True)),
            meanings=dict(zip(names, said["meaning"], strict=True)),
        )
    except DataError as error:
        return error


def _guesses(read: Table) -> dict[str, tuple[str, str]]:
    """Return role and unit by column, as far as they can be guessed."""
    try:
        dataset = runs.understand(read).dataset
    except DataError:
        return _roles(read)
    units = {variable.name: variable.unit for variable in (dataset.time, *dataset.states)}
    return {name: (role, units.get(name, "")) for name, (role, _) in _roles(read).items()}


def _roles(read: Table) -> dict[str, tuple[str, str]]:
    try:
        guess = runs.guess_roles(read)
    except DataError:
        return {}
    found = {guess.time: ("Time", ""), **{name: ("State", "") for name in guess.states}}
    return {**found, guess.run: ("Run", "")} if guess.run else found


def _range(read: Table, name: str) -> str:
    column = read.columns[name]
    if column.numbers is not None:
        return words.plain(words.span(column.numbers))
    return words.plain(f"text: {next(iter(column.written.values()), 'none')}")


def _key(mark: str, number: int, what: str) -> str:
    return f"{what}·{mark}·{number}"


def _notes(reading: Reading) -> None:
    if reading.notes:
        with st.container(key="panel_notes"):
            st.subheader("What was assumed", anchor=False)
            for note in reading.notes:
                st.markdown(f":material/info: {words.plain(note)}")
