"""Columns that are made of columns, factors, and a shift of time: checked as they are typed, undone by one press."""

from dataclasses import replace

import streamlit as st

from dolq_core.data import Table, prepare
from dolq_core.errors import DataError
from dolq_core.records import Derived, Preparation, Scaled
from pages.ui import new_run, session, words

CELLS = [1, 1.6, 0.8, 0.7]


def prepared(table: Table, mark: str, time: str) -> Table | DataError:
    """Return the table with the columns that the person makes and changes, or why that cannot be."""
    return _made(table, new_run.preparation(mark), time)


def editor(table: Table, mark: str, time: str) -> None:
    """Draw what there is already, and the fields for more; nothing where there is no time yet."""
    if not time:
        return
    now = new_run.preparation(mark)
    with st.expander("Make or change columns"):  # with another label it would close
        with st.container(key="made", gap="xsmall"):
            for one in (*now.scaled, *now.derived):
                _line(one, mark)
        _new(table, mark, time)
        _factor(table, mark, time)
        _shift(mark, time)


def _line(one: Scaled | Derived, mark: str) -> None:
    unit = f" in {one.unit}" if one.unit else ""
    said = f"{one.name} = {one.formula}" if isinstance(one, Derived) else f"{one.column} × {one.factor:g}"
    name = one.name if isinstance(one, Derived) else one.column
    st.button(
        words.label(said + unit), icon=":material/close:", type="tertiary", key=f"undo·{mark}·{name}",
        help="Take it back", on_click=_undo, args=(mark, one),
    )  # fmt: skip


def _new(table: Table, mark: str, time: str) -> None:
    cells = st.columns(CELLS, gap="small", vertical_alignment="bottom")
    name = cells[0].text_input("New column", key=_key(mark, "name"), placeholder="name").strip()
    formula = (
        cells[1]
        .text_input("Formula", key=_key(mark, "formula"), placeholder=_example(table, time), persist_state="session")
        .strip()
    )
    unit = cells[2].text_input("Unit", key=_key(mark, "unit"), persist_state="session").strip()
    wanted = replace(
        new_run.preparation(mark), derived=(*new_run.preparation(mark).derived, Derived(name, formula, unit))
    )
    made = _made(table, wanted, time) if name and formula else None
    cells[3].button(
        "Add", key=_key(mark, "add"), disabled=not isinstance(made, Table), on_click=_keep, args=(mark, wanted),
    )  # fmt: skip
    if isinstance(made, Table):
        st.caption(f"{words.plain(name)}: {words.plain(words.span(made.columns[name].values))}")
    _fault(made)


def _example(table: Table, time: str) -> str:
    """Return a formula in a column of this table."""
    first = next((one.name for one in table.columns.values() if one.name != time and one.numbers is not None), time)
    return f"100 - {first}" if first.isidentifier() else f"100 - `{first}`"


def _factor(table: Table, mark: str, time: str) -> None:
    now = new_run.preparation(mark)
    numeric = [name for name, column in table.columns.items() if column.numbers is not None or name == time]
    free = [name for name in numeric if name not in {one.column for one in now.scaled}]
    if not free:
        return
    cells = st.columns(CELLS, gap="small", vertical_alignment="bottom")
    column = cells[0].selectbox("Multiply", free, key=_key(mark, "column"), format_func=words.label)
    factor = cells[1].number_input("by", value=None, key=_key(mark, "factor"), placeholder="0.001", format="%g")
    unit = cells[2].text_input("New unit", key=_key(mark, "new_unit")).strip()
    wanted = now if factor is None else replace(now, scaled=(*now.scaled, Scaled(column, factor, unit)))
    made = None if factor is None else _made(table, wanted, time)
    cells[3].button(
        "Apply", key=_key(mark, "apply"), disabled=not isinstance(made, Table), on_click=_scale,
        args=(mark, wanted, column, unit),
    )  # fmt: skip
    _fault(made)


def _shift(mark: str, time: str) -> None:
    key = _key(mark, "shift")
    session.seed(key, new_run.preparation(mark).time_shift)
    st.columns(CELLS, gap="small")[0].number_input(
        f"Add to every {words.label(time)}", key=key, format="%g", on_change=_moved, args=(mark,),
        persist_state="session",
    )  # fmt: skip


def _fault(made: Table | DataError | None) -> None:
    if isinstance(made, DataError):
        st.error(words.plain(str(made)), icon=":material/error:")


def _made(table: Table, how: Preparation, time: str) -> Table | DataError:
    if how == Preparation():
        return table
    try:
        return prepare(table, how, time)
    except DataError as error:
        return error


def _keep(mark: str, new: Preparation) -> None:
    new_run.keep_preparation(mark, new)
    session.reset_all({_key(mark, what): "" for what in ("name", "formula", "unit")})


def _scale(mark: str, new: Preparation, column: str, unit: str) -> None:
    new_run.keep_preparation(mark, new)
    session.reset_all({_key(mark, "factor"): None, _key(mark, "new_unit"): ""})
    if unit:
        session.reset(key_of(mark, column, "unit"), unit)


def _undo(mark: str, one: Scaled | Derived) -> None:
    now = new_run.preparation(mark)
    scaled = tuple(other for other in now.scaled if other != one)
    new_run.keep_preparation(mark, replace(now, scaled=scaled, derived=tuple(x for x in now.derived if x != one)))
    session.drop(key_of(mark, one.name if isinstance(one, Derived) else one.column, "unit"))


def _moved(mark: str) -> None:
    new_run.keep_preparation(mark, replace(new_run.preparation(mark), time_shift=session.value(_key(mark, "shift"))))


def key_of(mark: str, column: str, what: str) -> str:
    """Return the key of what is said of a column in the panel."""
    return f"{what}·{mark}·{column}"


def _key(mark: str, what: str) -> str:
    return f"make·{what}·{mark}"
