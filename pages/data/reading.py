"""How the files were read: one line, the choices that read them otherwise, and what was understood as files."""

import hashlib
import json

import streamlit as st

from dolq_core import runs
from dolq_core.data import AS_FOUND, DELIMITERS, MARKS, Dialect
from dolq_core.inspection import Inspection, OpenedFiles, clean, report
from pages.ui import session, words

FOUND, NONE = "found", "none"
COMMENTS = ("#", "%", "//", "!", ";", "*")
HEADER_ROWS = 40  # that can be chosen as the row of names
WHAT = ("delimiter", "decimal", "header", "comment", "sheet")


def how(mark: str) -> Dialect:
    """Return what the person says of the way the files are written."""
    said = {what: session.value(_key(mark, what)) or FOUND for what in WHAT}
    own = {what: "" if value == FOUND else value for what, value in said.items()}
    header = None if said["header"] == FOUND else 0 if said["header"] == NONE else int(said["header"])
    comment = None if said["comment"] == FOUND else "" if said["comment"] == NONE else said["comment"]
    return Dialect(own["delimiter"], own["decimal"], header, comment, own["sheet"])


def mark_of(mark: str, chosen: Dialect) -> str:
    """Return what tells the files, read in this way, from all others."""
    return mark if chosen == AS_FOUND else hashlib.sha256(f"{mark}{chosen!r}".encode()).hexdigest()[:12]


def line(opened: OpenedFiles, mark: str, found: Inspection | None) -> None:
    """Draw in one line how the files were read; beside it what changes that, and what can be kept."""
    with st.container(key="reading", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/description: {words.plain(opened.manner)}", width="stretch")
        if opened.kind != "parquet":
            with st.popover("Read it differently", type="tertiary", icon=":material/tune:"):
                choices(opened, mark, 1)
                _head(opened)
        if found is not None:
            with st.popover("Download", type="tertiary", icon=":material/download:"):
                _files(found)


def otherwise(opened: OpenedFiles, mark: str) -> None:
    """Draw the way back from a file that cannot be read: the choices at once, and how it begins."""
    if opened.kind != "parquet":
        with st.container(key="panel_reading"):
            st.header("Read it differently", anchor=False)
            choices(opened, mark, 4)
            _head(opened)


def choices(opened: OpenedFiles, mark: str, columns: int) -> None:
    """Draw what can be said of the way the files are written; each choice reads the same bytes anew."""
    cells = st.columns(columns, gap="medium")
    of = _options(opened)
    for place, what in enumerate(of):
        label, options = of[what]
        session.seed(_key(mark, what), FOUND)
        cells[place % columns].selectbox(
            label, list(options), key=_key(mark, what), format_func=lambda one, own=options: own.get(one, str(one)),
            persist_state="session", accept_new_options=what == "comment",
        )  # fmt: skip
    changed = {_key(mark, what): FOUND for what in WHAT if session.value(_key(mark, what)) not in (None, FOUND)}
    if changed:
        st.button(
            "Read it as found", icon=":material/undo:", key=f"as_found·{mark}", on_click=session.reset_all,
            args=(changed,),
        )  # fmt: skip


def _options(opened: OpenedFiles) -> dict[str, tuple[str, dict[str, str]]]:
    """Return label and options by what can be said; the first option is to let it be found.

    An option keeps its words whatever the file is read as: a browser sends the words that it shows, and those of
    the last reading would be no option of this one.
    """
    rows = {str(row): f"row {row}" for row in range(1, HEADER_ROWS + 1)}
    sheets = {name: words.label(name) for name in opened.sheets}
    comments = {mark: mark for mark in COMMENTS}
    found = {FOUND: "as found"}
    every = {
        "sheet": ("Sheet", {**found, **sheets}),
        "delimiter": ("Columns are separated by", {**found, **DELIMITERS}),
        "decimal": ("Decimal marks are", {**found, **MARKS}),
        "header": ("Names of the columns are in", {**found, NONE: "no row", **rows}),
        "comment": ("A comment begins with", {**found, NONE: "nothing", **comments}),
    }
    apart = ("delimiter", "comment") if opened.kind != "text" else ()
    apart = apart if len(sheets) > 1 else (*apart, "sheet")
    return {what: one for what, one in every.items() if what not in apart}


def _head(opened: OpenedFiles) -> None:
    if opened.head:
        st.caption("The file begins")
        st.code("\n".join(f"{row:2d}  {text}" for row, text in enumerate(opened.head, 1)), language=None)


def _files(found: Inspection) -> None:
    name = found.name.rsplit(".", 1)[0]
    if found.reading is not None:
        data, run = found.reading.dataset, found.reading.roles.run
        st.download_button(
            "Table as understood (CSV)", lambda: clean(data, run),
            f"{runs.download_name(name, 'table')} clean.csv", "text/csv",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
    st.download_button(
        "Report (JSON)", lambda: json.dumps(report(found), indent=2, ensure_ascii=False),
        f"{runs.download_name(name, 'table')} report.json", "application/json",
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _key(mark: str, what: str) -> str:
    return f"how·{what}·{mark}"
