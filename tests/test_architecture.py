"""docs/architecture.md says how the house is: its picture against the imports, and its names against the tree."""

import re
from importlib import import_module
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PICTURE = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)[1]
LINES = [[room.strip() for room in line.split("|")] for line in PICTURE.splitlines()]
DEPTH = {room: depth for depth, rooms in enumerate(LINES) for room in rooms}
NAMED = sorted(set(re.findall(r"`([\w./]+)`", PAGE)))
PATHS = [name for name in NAMED if "/" in name or name.endswith(".py")]
DOTTED = [name for name in NAMED if name.startswith("dolq_core.") and not name.endswith(".py")]


def room_of(module):
    first, *rest = module.split(".")
    return rest[0] if first == "dolq_core" and rest else first


def test_every_room_is_in_the_picture_and_has_its_sentence():
    core = {path.stem for path in (ROOT / "dolq_core").iterdir() if path.name[0] not in "._"}
    assert set(DEPTH) == core | {"pages", "lab"}
    told = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?`) \|", PAGE, re.MULTILINE)))
    assert set(told) == set(DEPTH)


def test_every_import_between_rooms_goes_down_the_picture():
    graph = grimp.build_graph("dolq_core", "lab", "pages")
    between = {
        (room_of(module), room_of(known))
        for module in graph.modules
        for known in graph.find_modules_directly_imported_by(module)
        if {"dolq_core", "__main__"}.isdisjoint({room_of(module), room_of(known)}) and room_of(module) != room_of(known)
    }
    assert len(between) > 60
    assert [(a, b) for a, b in sorted(between) if DEPTH[a] >= DEPTH[b]] == []


@pytest.mark.parametrize("path", PATHS)
def test_what_the_page_calls_by_its_path_is_there(path):
    assert any((place / path).exists() for place in (ROOT, ROOT / "dolq_core")), path


@pytest.mark.parametrize("name", DOTTED)
def test_what_the_page_calls_by_its_name_is_there(name):
    parts, rest = name.split("."), []
    while True:
        try:
            found = import_module(".".join(parts))
            break
        except ModuleNotFoundError:
            rest.insert(0, parts.pop())
    for attribute in rest:
        found = getattr(found, attribute)
