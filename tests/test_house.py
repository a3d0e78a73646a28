"""Rules of the house that no linter holds: import-linter sees packages, and app.py is a file of its own."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def imported(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_the_router_imports_streamlit_and_pages_only():
    assert {name.split(".")[0] for name in imported(ROOT / "app.py")} == {"streamlit", "pages"}


def test_no_test_asks_something_of_every_one_of_nothing():
    """`all` of an empty generator holds, `any` of one does not; `tests.every` looks whether there is anything."""
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert) and is_of_none(node.test)
    ]
    assert found == []


def is_of_none(test):
    call, name = (test.operand, "any") if isinstance(test, ast.UnaryOp) else (test, "all")
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == name
        and isinstance(call.args[0], ast.GeneratorExp)
    )


def test_all_folders_of_pages_are_seen_by_the_layer_check():
    """It skips a folder without __init__.py as soon as one above it has one."""
    assert not (ROOT / "pages" / "__init__.py").exists()
