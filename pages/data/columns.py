"""The panel of columns: role, unit and meaning of each, and how the table is understood with them."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dolq_core import inspection
from dolq_core.data import Table
from dolq_core.errors import DataError
from dolq_core.inspection import ROLES, Guess, Inspection, inspect_table, short_names
from pages.data import asked, making
from pages.data.making import key_of
from pages.ui import new_run, session, words

COLUMNS = [1.5, 1.0, 0.8, 1.3]
WIDE = [1.5, 1.0, 2.1]
EVERY = "every state"
ONCE = ("Time", "Run")
OF = ("Derivative", "Weight")
UNSAID = ("Run", "Ignore")


def panel(table: Table, mark: str) -> Table | DataError:
    """Draw role, unit and meaning per column, with the guesses filled in, and what makes or changes columns.

    Returns the table with those columns, or why they cannot be made.
    """
    with st.container(key="panel_columns"):
        st.header("What is each column?", anchor=False)
        _heads()
        place = st.container(key="all_columns")
        prepared = making.prepared(table, mark, time_of(table, mark))
        shown = table if isinstance(prepared, DataError) else prepared
        with place:
            _rows(shown, mark)
        making.editor(table, mark, time_of(table, mark))
    return prepared


def time_of(table: Table, mark: str) -> str:
    """Return the column that is the time by now: as chosen, else as guessed; empty where there is none."""
    guesses = inspection.guesses(table)
    roles = {name: session.value(key_of(mark, name, "role")) or guesses[name].role for name in table.columns}
    return next((name for name, role in roles.items() if role == "Time"), "")


def label_of_runs(table: Table, mark: str) -> str:
    """Return the column that changes wherever time starts over, where no other one has the role Run; else nothing."""
    label = inspection.label_of_restarts(table, time_of(table, mark))
    others = [name for name in table.columns if session.value(key_of(mark, name, "role")) == "Run"]
    return label if others in ([], [label]) else ""


def _rows(table: Table, mark: str) -> None:
    guesses = inspection.guesses(table)
    many = inspection.many_words(sum(guess.role == "State" for guess in guesses.values()))
    for name, guess in guesses.items():
        _seed(mark, name, replace(guess, role="Ignore") if many and guess.role == "State" else guess)
    for name, short in short_names(table).items():
        session.seed(key_of(mark, name, "called"), short)
    if many:
        _choice(table, mark, many)
    for number, name in enumerate(table.columns):
        if many and session.value(key_of(mark, name, "role")) == "Ignore":
            continue
        with st.container(key=f"col_{number}"):
            _column(table, mark, name, guesses[name].why)


def _choice(table: Table, mark: str, said: str) -> None:
    """Draw the choice of a few columns among many: no row is drawn for the others."""
    key = f"chosen·{mark}"
    free = [name for name in table.columns if session.value(key_of(mark, name, "role")) not in ONCE]
    session.reset(key, [name for name in free if session.value(key_of(mark, name, "role")) != "Ignore"])
    st.multiselect(
        said, free, key=key, format_func=words.label, placeholder="none yet", on_change=_chosen, args=(mark, free)
    )


def _chosen(mark: str, free: Sequence[str]) -> None:
    """Give the columns that were chosen the role State, and take that of the others."""
    chosen = set(session.value(f"chosen·{mark}"))
    for name in free:
        role = key_of(mark, name, "role")
        if name not in chosen:
            session.reset(role, "Ignore")
        elif session.value(role) == "Ignore":
            session.reset(role, "State")


def understood(table: Table, prepared: Table, mark: str) -> Inspection | DataError:
    """Return how the table is understood with what the panel says, or what of it cannot be."""
    names = list(prepared.columns)
    called = {name: (session.value(key_of(mark, name, "called")) or "").strip() for name in names}
    said = {
        what: [session.value(key_of(mark, name, what)) or "" for name in names]
        for what in ("role", "unit", "meaning", "of")
    }
    by_role = {role: [name for name, mine in zip(names, said["role"], strict=True) if mine == role] for role in ROLES}
    for role in ONCE:
        if len(by_role[role]) > 1:
            twice = " and ".join(f"'{name}'" for name in by_role[role])
            return DataError(f"Role {role}", f"it is given to {twice}", "Give it to one column only.")
    if not by_role["Time"]:
        return DataError("Role Time", "no column has it", "Choose the column of times.")
    of = dict(zip(names, said["of"], strict=True))
    return inspect_table(
        table,
        by_role["Time"][0],
        by_role["State"],
        by_role["Run"][0] if by_role["Run"] else "",
        units=dict(zip(names, said["unit"], strict=True)),
        meanings=dict(zip(names, said["meaning"], strict=True)),
        inputs=by_role["Input"],
        weights={name: "" if of[name] == EVERY else of[name] for name in by_role["Weight"]},
        derivatives={name: of[name] for name in by_role["Derivative"]},
        preparation=new_run.preparation(mark),
        restarting=asked.answer("restarts", mark) == "runs",
        averaging=asked.answer("repeats", mark) == "mean",
        sorting=asked.answer("order", mark) == "sort",
        called=called,
    )


def _seed(mark: str, name: str, guess: Guess) -> None:
    for what, value in (("role", guess.role), ("unit", guess.unit), ("of", guess.of or None)):
        if value is not None:
            session.seed(key_of(mark, name, what), value)


def _heads() -> None:
    with st.container(key="hd_columns"):
        for cell, head in zip(st.columns(COLUMNS, gap="small"), ("Column", "Role", "Unit", "Meaning"), strict=True):
            cell.markdown(head)


def _column(table: Table, mark: str, name: str, why: str) -> None:
    role = session.value(key_of(mark, name, "role"))
    shown = words.label(name)
    cells = st.columns(WIDE if role in OF else COLUMNS, gap="small")
    in_file = "" if session.value(key_of(mark, name, "called")) == name else f"{words.plain(name)}: "
    cells[0].text_input(
        f"Name of {shown}", key=key_of(mark, name, "called"), label_visibility="collapsed", placeholder=name,
        persist_state="session",
    )  # fmt: skip
    left_out = f". Left out: {words.plain(why)}." if why and role == "Ignore" else ""
    st.caption(f"{in_file}{_range(table, name)}{left_out}")
    cells[1].selectbox(
        f"Role of {shown}", ROLES, key=key_of(mark, name, "role"), label_visibility="collapsed",
        persist_state="session",
    )  # fmt: skip
    if role in OF:
        states = [other for other in table.columns if session.value(key_of(mark, other, "role")) == "State"]
        cells[2].selectbox(
            f"State that {shown} belongs to", [EVERY, *states] if role == "Weight" else states,
            key=key_of(mark, name, "of"), label_visibility="collapsed", persist_state="session",
            format_func=lambda one: f"of {words.label(one)}",
        )  # fmt: skip
    elif role not in UNSAID:
        for cell, what, hint in ((cells[2], "unit", "unit"), (cells[3], "meaning", "in plain words")):
            cell.text_input(
                f"{what.capitalize()} of {shown}", key=key_of(mark, name, what), label_visibility="collapsed",
                placeholder=hint, persist_state="session",
            )  # fmt: skip


def _range(table: Table, name: str) -> str:
    if table.sources and name == table.parts:
        return words.plain("file names")
    column = table.columns[name]
    if column.numbers is not None:
        return words.plain(words.span(column.numbers))
    return words.plain(f"text: {next(iter(column.written.values()), 'none')}")
