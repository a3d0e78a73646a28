"""How large the house is: `python -m lab house [--since REVISION]`, from the history of the tree, in seconds.

Two revisions beside each other, the earlier first. Lines are those of Python files, blank ones and comments included.
Public names: what the `__init__.py` of the core's rooms name in `__all__`. An importer of a file is another file that
imports it or a name of it; the tests are not asked.
"""

import ast
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

ROOMS = ("dolq_core", "benchmarks", "lab", "pages", "tests")
LONG = 400


def measure(since: str) -> Iterator[Row]:
    """Count both revisions; raise SystemExit where the tree has no history."""
    for revision in (since, "HEAD"):
        with tempfile.TemporaryDirectory() as folder:
            _unpacked(revision, folder)
            name = _git("log", "-1", "--format=%h of %cs", revision).decode().strip()
            yield {"revision": name, **_counted(Path(folder))}


def _git(*words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=report.ROOT, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.decode().strip()}")
    return done.stdout


def _unpacked(revision: str, folder: str) -> None:
    subprocess.run(["tar", "-x", "-C", folder], input=_git("archive", revision), check=True)


def _counted(tree: Path) -> Row:
    files = {room: sorted((tree / room).rglob("*.py")) for room in ROOMS}
    counts = {f"{room}: lines in files": _lines(files[room]) for room in ROOMS if files[room]}
    core = {_module(tree, path): ast.parse(path.read_text(encoding="utf-8")) for path in files["dolq_core"]}
    rest = [
        ast.parse(path.read_text(encoding="utf-8")) for room in ("lab", "benchmarks", "pages") for path in files[room]
    ]
    known = [{name for name in core if name in imported and name != own} for own, imported in _imports(core, rest)]
    importers = [sum(name in one for one in known) for name in core if not name.endswith("__")]
    return {
        **counts,
        f"files of more than {LONG} lines": sum(_length(path) > LONG for room in ROOMS for path in files[room]),
        "public names of the core's rooms": sum(_public(tree) for name, tree in core.items() if name.count(".") == 1),
        "importers of a file of the core, median": f"{median(importers):g}",
        "files of the core with one importer or none": sum(count <= 1 for count in importers),
    }


def _lines(files: Sequence[Path]) -> str:
    return f"{sum(map(_length, files)):,} in {len(files)}"


def _length(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def _module(tree: Path, path: Path) -> str:
    return ".".join(path.relative_to(tree).with_suffix("").parts).removesuffix(".__init__")


def _imports(core: dict[str, ast.Module], rest: Sequence[ast.Module]) -> Iterator[tuple[str, set[str]]]:
    """Yield of each file its own name, empty outside of the core, and what it may import: modules and their names."""
    for own, tree in [*core.items(), *(("", tree) for tree in rest)]:
        found = set[str]()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        yield own, found


def _public(tree: ast.Module) -> int:
    """Return how many names `__all__` has."""
    return sum(
        len(node.value.elts)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.List)
        and ast.unparse(node.targets[0]) == "__all__"
    )


def page(rows: Sequence[Row]) -> list[str]:
    """Return one table, a column for each revision."""
    whats = dict.fromkeys(what for row in rows for what in row if what != "revision")
    head = ("", *(row["revision"] for row in rows))
    return [report.table(head, [(what, *(row.get(what, "-") for row in rows)) for what in whats])]


BENCHMARK = Benchmark("house", "The house", __doc__, measure, page, {"since": "23592a6"})
