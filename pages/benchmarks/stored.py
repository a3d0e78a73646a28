"""Results: of the campaigns on this machine, and those that were measured for this version of the program."""

import re
from pathlib import Path

import streamlit as st

from dolq_core import runs
from lab import small
from pages.ui import frame, identity, session, words

FEW = 3  # parts that are drawn below each other; of more, one is chosen
CELLS = re.compile(r"(?<!\\)\|")  # what stands between the cells of a Markdown table
FIGURE = re.compile(r"-?[\d.]+(?:e[-+]\d+)?")
PICTURE = re.compile(r"!\[(.*?)\]\((\S+?)\)")  # a line of Markdown: what it shows, and its file beside the page
OF_THE_CODE = {"index", "clicks", "crash", "house", "mutants", "newcomer", "package"}  # say nothing of a law
MEASURED = Path(__file__).parents[2] / "docs" / "results"


def stored() -> None:
    """Draw the choice of a result, and its tables."""
    here = {info.name: info for info in small.stored(identity.owner())}
    found = sorted(MEASURED.glob("*.md"), key=lambda path: (path.name != "paper.md", path.name))  # the paper's first
    pages = {path.name: path for path in found if path.stem not in OF_THE_CODE}
    if not here and not pages:
        st.caption("No results yet.")
        return
    named = {name: _of(info) for name, info in here.items()}
    named |= {name: _heading(path) for name, path in pages.items()}
    st.header("Results", anchor=False)
    if session.value("results") not in named:
        session.reset("results", next(iter(named)))
    chosen = st.selectbox(
        "Result", list(named), format_func=named.__getitem__, key="results", label_visibility="collapsed"
    )
    if chosen in here:
        _logs(chosen)
    _drawn(
        small.tables(chosen, identity.owner()) if chosen in here else pages[chosen].read_text(encoding="utf-8"),
        chosen,
    )


def _logs(name: str) -> None:
    """Draw the choice of a run of a campaign that is to be opened as one's own are."""
    logs = small.logs(name, identity.owner())
    if not logs:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="open_log"):
        task = st.selectbox("One of its runs", list(logs), format_func=logs.__getitem__, key=f"log·{name}")
        opened = st.button("Open", icon=":material/open_in_new:", key="log.open", help="As a run of your own")
    if opened:
        frame.enter(lambda: small.open_run(session.store(), name, task))


def _of(info: small.Info) -> str:
    left = info.total - info.done
    return f"{info.name}: {words.plural(info.done, 'run')}" + (f", {left} left to do" if left else "")


def _heading(path: Path) -> str:
    """Return the first heading of a page, or its name."""
    with path.open(encoding="utf-8") as lines:
        return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), path.stem)


def _drawn(text: str, name: str) -> None:
    """Draw a page of Markdown: its parts under headings of this page."""
    first, *parts = text.split("\n## ")
    with st.container(key="tables_first"):
        for block in first.split("\n", 1)[-1].strip().split("\n\n"):
            _block(block)
    for title, body in _shown({title: body for title, _, body in (part.partition("\n") for part in parts)}, name):
        st.markdown(f"### {title}")
        with st.container(key=f"tables_{title}"):
            for block in body.strip().split("\n\n"):
                _block(block)
    st.download_button(
        "Download (Markdown)",
        text,
        f"{runs.download_name(name.removesuffix('.md'), 'results')}.md",
        key="results.md",
    )


def _block(block: str) -> None:
    """Draw a paragraph, pictures, or a table so that it scrolls within itself where it is wider than the page."""
    pictures = PICTURE.findall(block)
    for about, path in pictures:
        st.image(MEASURED / path, caption=about)
    if pictures:
        return
    if not block.startswith("|"):
        st.markdown(block)
        return
    head, _, *rows = ([_cell(cell) for cell in CELLS.split(line.strip("|"))] for line in block.splitlines())
    frame.table(rows, head)


def _cell(text: str) -> str:
    """Return what stands in a cell: a hyphen alone would be a list, and one in a figure would let it break there."""
    text = text.strip()
    return "–" if text == "-" else text.replace("-", "−") if FIGURE.fullmatch(text) else text


def _shown(parts: dict[str, str], name: str) -> list[tuple[str, str]]:
    """Draw a choice where there are many parts; return those that are to be drawn."""
    if len(parts) <= FEW:
        return list(parts.items())
    titles = list(parts)
    chosen = st.pills(
        "Table", titles, default=titles[0], required=True, key=f"part·{name}", label_visibility="collapsed"
    )  # fmt: skip
    return [(chosen, parts[chosen])] if chosen else []
