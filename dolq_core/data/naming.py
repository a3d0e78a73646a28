"""Names of columns: each its own, where a file leaves one blank or writes it twice."""

from collections.abc import Container, Sequence
from itertools import chain, count

from dolq_core.data.findings import Said
from dolq_core.data.layout import Layout


def names_of(layout: Layout, columns: Sequence[Sequence[str]], said: Said) -> list[str]:
    """Return a name for each column that none of the others has; empty for one without name and cells."""
    names: list[str] = []
    for number, (written, cells) in enumerate(zip(layout.names, columns, strict=True), 1):
        names.append(written or _for_blank(number, cells, layout, said))
    taken = set(names)
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name and name in seen:
            names[i] = free_name(name, taken)
            taken.add(names[i])
            found, assumed = f"the name '{name}' stands above more than one column", f"the later one is '{names[i]}'"
            said.add("duplicate-name", found, assumed, "Rename one of them.", [layout.row], name)
        seen.add(name)
    return names


def _for_blank(number: int, cells: Sequence[str], layout: Layout, said: Said) -> str:
    if not any(cells):
        hint = "Give it a name and values if it is a column."
        found = f"column {number} has neither a name nor values"
        said.add("blank-name", found, "left out", hint, [layout.row], severity="left out")
        return ""
    first = 0 if cells[0] == "0" else 1
    counts = list(cells) == [str(first + i) for i in range(len(cells))]
    name = free_name("index" if counts else f"column {number}", layout.names)
    hint = "Give it a name; pandas writes such a column unless it is told index=False."
    said.add("blank-name", f"column {number} has no name", f"named '{name}'", hint, [layout.row], name)
    return name


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, or "name (2)" and so on where it is taken."""
    numbered = (f"{name} ({number})" for number in count(2))
    return next(one for one in chain([name], numbered) if one not in taken)
