"""Every target of every bundled set, used as its reader would use it: `python -m lab exports [--only ID]`.

Each set is run in auto mode with its description, two iterations at most, and its law is exported. Python: the program
is run by itself and its table compared with the app's own simulation. MATLAB: the same in GNU Octave. SymPy: its rates
at 20 points against the app's. Notebook: all cells in Jupyter. LaTeX: pdfLaTeX, to a PDF. SBML: read and checked by
libSBML; not every law is a network of reactions. Julia: read by a parser of the language, not run. Report and tables:
read again. Bundle: imported again as the same log. Figures are the largest difference, in sizes of each state.
"""

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import libsbml
import nbformat
import numpy as np
import tree_sitter_julia
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tree_sitter import Language, Parser

from dolq_core import runs
from dolq_core.bundled import bundled, load_bundled
from dolq_core.records import Settings
from dolq_core.views import system
from dolq_core.views.files import export, why_not_exported
from dolq_core.views.system import own_start, path_from, rates_at
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

CLOSE: Final = 1e-5
"""Difference from which a target does not say what the app says: solvers differ by less."""


_RATES: Final = """
import json, sys
space = {"__name__": "exported"}
exec(open(sys.argv[1]).read(), space)
names = [space["t"], *space["states"], *space["inputs"]]
points = json.loads(sys.argv[2])
print(json.dumps([[float(rate.subs(dict(zip(names, at)))) for rate in space["rates"]] for at in points]))
"""


class Wrong(Exception):
    """A target that does not do what it is for."""


def measure(only: str) -> Iterator[Row]:
    """Export and check: a row for each set, or for `only` that one."""
    names = [only] if only else [one.id for one in bundled() if one.kind != "nothing"]
    for name in names:
        yield {"set": name, **dict(zip(CHECKS, checked(name), strict=True))}


def page(rows: Sequence[Row]) -> list[str]:
    """Return how many are wrong, and what became of each."""
    cells = [str(row[target]) for row in rows for target in CHECKS]
    table = report.table(["set", *CHECKS], [[row["set"], *(row[target] for target in CHECKS)] for row in rows])
    return [f"Wrong: {_wrong(rows)} of {sum(cell != '' for cell in cells)}.", table]


def _wrong(rows: Sequence[Row]) -> int:
    return sum(str(row[target]).startswith("**") for row in rows for target in CHECKS)


def checked(name: str) -> list[str]:
    """Return what became of each target of one set, in the order of CHECKS."""
    store = runs.memory_store()
    run = runs.auto(store, runs.start(store, load_bundled(name), Settings(iterations=2), name=name))
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for target, check in CHECKS.items():
            why = why_not_exported(run, target)
            found.append(why or _tried(check, run, target, Path(folder)))
            print(f"{name} {target}: {found[-1]}", flush=True)
    return found


def _tried(check: "Check", run: runs.Run, target: str, folder: Path) -> str:
    made = export(run, target)
    place = folder / made.name
    place.write_bytes(made.content)
    try:
        return check(run, place)
    except (Wrong, subprocess.SubprocessError, CellExecutionError) as error:
        return f"**{type(error).__name__}: {' '.join(str(error).split())[:200]}**"


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise Wrong((done.stderr or done.stdout)[-300:])
    return done.stdout


def _compared(run: runs.Run, paths: list[np.ndarray]) -> str:
    """Return the largest difference of paths (m, d) at even times from the app's own; raise Wrong where it is large.

    The bundled sets have no inputs.
    """
    worst = 0.0
    data = run.state.problem.dataset.trajectories
    known = [(own.t, start) for n, own in enumerate(data) if (start := own_start(run, n))]
    for (t, start), path in zip(known, paths, strict=True):
        times = np.linspace(t[0], t[-1], len(path))
        own = path_from(run, np.array(start), times, np.empty((len(path), 0)))
        if own.failure:
            return "the app cannot follow it either"
        worst = max(worst, float(np.max(np.abs(path - own.x) / np.max(np.abs(own.x), axis=0))))
    if not worst < CLOSE:
        raise Wrong(f"differs by {worst:.1e}")
    return f"{worst:.0e}"


def _python(run: runs.Run, place: Path) -> str:
    table = list(csv.reader(io.StringIO(_run([sys.executable, "-I", place.name], place.parent))))[1:]
    labels = list(dict.fromkeys(row[0] for row in table))
    return _compared(run, [np.array([row[2:] for row in table if row[0] == one], dtype=float) for one in labels])


def _matlab(run: runs.Run, place: Path) -> str:
    octave = shutil.which("octave-cli")
    if octave is None:
        return "not checked: no Octave here"
    show = "printf('%.17g ', [f(k).t f(k).x]'); printf('\\n'); end"
    said = _run([octave, "--norc", "--eval", f"f = {place.stem}(400); for k = 1:numel(f), {show}"], place.parent)
    d = len(run.state.problem.dataset.states)
    return _compared(run, [np.array(line.split(), dtype=float).reshape(-1, d + 1)[:, 1:] for line in said.splitlines()])


def _sympy(run: runs.Run, place: Path) -> str:
    law = system.law(run)
    first = law.runs[0]
    size = np.array([float(first.t[-1]), *law.largest, *np.max(np.abs(first.inputs), axis=0)])
    points = np.random.default_rng(0).uniform(0.2, 1.0, (20, len(size))) * size
    command = [sys.executable, "-c", _RATES, place.name, json.dumps(points.tolist())]
    found = np.array(json.loads(_run(command, place.parent)))
    d = len(law.fits)
    own = rates_at(run, points[:, 1 : d + 1], points[:, 0], points[:, d + 1 :])
    worst = float(np.max(np.abs(found - own) / np.max(np.abs(own), axis=0)))
    if not worst < CLOSE:
        raise Wrong(f"differs by {worst:.1e}")
    return f"{worst:.0e}"


def _latex(_: runs.Run, place: Path) -> str:
    if shutil.which("pdflatex") is None:
        return "not checked: no pdfLaTeX here (texlive-latex-base)"
    _run(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", place.name], place.parent)
    return f"PDF, {place.with_suffix('.pdf').stat().st_size // 1024} KB"


def _notebook(_: runs.Run, place: Path) -> str:
    notebook: Any = nbformat.read(place, 4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(place.parent)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    figures = sum("image/png" in out.get("data", {}) for cell in cells for out in cell.outputs)
    if figures < 2:
        raise Wrong(f"{figures} figures")
    return f"{len(cells)} cells, {figures} figures"


def _sbml(_: runs.Run, place: Path) -> str:
    document = libsbml.readSBMLFromFile(str(place))
    document.checkConsistency()
    errors = [document.getError(k) for k in range(document.getNumErrors())]
    worst = [e.getMessage() for e in errors if e.getSeverity() >= libsbml.LIBSBML_SEV_ERROR]
    if worst:
        raise Wrong(worst[0])
    return f"{document.getModel().getNumReactions()} reactions"


def _julia(_: runs.Run, place: Path) -> str:
    if Parser(Language(tree_sitter_julia.language())).parse(place.read_bytes()).root_node.has_error:
        raise Wrong("the parser found an error")
    return "read"


def _report(_: runs.Run, place: Path) -> str:
    HTMLParser().feed(place.read_text(encoding="utf-8"))
    return f"{place.stat().st_size // 1024} KB"


def _bundle(run: runs.Run, place: Path) -> str:
    store = runs.memory_store()
    again = runs.load(store, runs.import_run(store, place.read_bytes()))
    if again.entries != run.entries:
        raise Wrong("another log came back")
    return "the same log"


def _tables(run: runs.Run, place: Path) -> str:
    rows = list(csv.reader(io.StringIO(place.read_text(encoding="utf-8"))))
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise Wrong("rows of unequal length, or none")
    return f"{len(rows) - 1} rows"


def _result(run: runs.Run, place: Path) -> str:
    found = json.loads(place.read_text(encoding="utf-8"))
    for equation in found["equations"].values():
        compile(equation["expression"], "expression", "eval")
    return f"{len(found['equations'])} equations"


Check = Callable[[runs.Run, Path], str]
CHECKS: Final[dict[str, Check]] = {
    "python": _python,
    "matlab": _matlab,
    "sympy": _sympy,
    "julia": _julia,
    "notebook": _notebook,
    "latex": _latex,
    "sbml": _sbml,
    "report": _report,
    "bundle": _bundle,
    "result": _result,
    "model": _tables,
    "data": _tables,
    "decisions": _tables,
}


BENCHMARK = Benchmark("exports", "Exports, used", __doc__, measure, page, {"only": ""})


def main() -> None:
    """Measure, write the page, and end with 1 where an export is wrong."""
    BENCHMARK.main()
    sys.exit(bool(_wrong(BENCHMARK.rows(report.RUNS))))
