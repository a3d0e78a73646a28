"""Where pages give HTML or scripts to the browser: each place was looked at, and a new one fails until it was, too."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
REVIEWED = {
    ("pages/data/bundled.py", "data_set", "html"): "a script of ours",
    ("pages/discover/versions.py", "drawn", "html"): "escaped, or marked() of escaped pieces",
    ("pages/equations/fanned.py", "_law", "html"): "a line of our own: a colour of the theme and a number",
    ("pages/history/compare.py", "_description", "html"): "marked() of escaped pieces",
    ("pages/lessons/walk.py", "_arrive", "html"): "a script of ours: an id of ours, a number and two truth values",
    ("pages/lessons/walk.py", "_header", "html"): "a line of our own, made of two numbers",
    ("pages/ui/look.py", "first_of_server", "html"): "a script of ours",
    ("pages/ui/look.py", "keys", "html"): "a script of ours",
    ("pages/ui/look.py", "look", "markdown"): "the style sheet, a file of ours",
    ("pages/ui/presenting.py", "begin", "markdown"): "the style sheet, a file of ours",
    ("pages/ui/frame.py", "says", "html"): "escaped",
    ("pages/ui/identity.py", "ask", "html"): "a script of ours",
    ("pages/ui/identity.py", "go_on", "html"): "a script of ours: it goes to an address that this tab had before",
    ("pages/ui/progress.py", "_look", "html"): "a line of our own: the phases are the loop's words",
    ("pages/ui/progress.py", "watch", "html"): "an empty line of our own",
}


def raw(path: Path) -> set[tuple[str, str, str]]:
    """Return the calls of a file that take HTML: file, function, what is called."""
    found = set()
    for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(outer, ast.FunctionDef):
            continue
        for call in ast.walk(outer):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            unsafe = any((word.arg or "").startswith("unsafe_allow") for word in call.keywords)
            if call.func.attr in ("html", "iframe", "component", "declare_component") or unsafe:
                found.add((path.relative_to(ROOT).as_posix(), outer.name, call.func.attr))
    return found


def test_every_place_that_gives_html_to_the_browser_was_reviewed():
    files = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
    found = set().union(*(raw(path) for path in files))
    assert found == set(REVIEWED)
