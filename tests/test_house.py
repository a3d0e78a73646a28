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


def test_all_folders_of_pages_are_seen_by_the_layer_check():
    """It skips a folder without __init__.py as soon as one above it has one."""
    assert not (ROOT / "pages" / "__init__.py").exists()
