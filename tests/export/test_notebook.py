"""The notebook is one by its format, runs from top to bottom, and its figures and numbers are those of the app."""

import json
import subprocess
import sys
from dataclasses import replace

import nbformat
import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.errors import ExportError
from dolq_core.export.notebook import escaped, notebook
from dolq_core.records import Given, Settings
from dolq_core.views import diagnostics
from dolq_core.views.files import export, why_not_exported
from dolq_core.views.system import law
from tests.export.laws import LAWS, NASTY, by_hand, simulated
from tests.golden import is_golden
from tests.stored import fitted
from tests.test_residuals import RIGHT, noisy
from tests.waiting import LONGEST_S

FIT = "fit = least_squares("
TAIL = """
import json
found = {"nmse": nmse.tolist(), "figures": len(plt.get_fignums())}
if "again" in globals():
    found |= {"again": again.tolist(), "errors": errors.tolist()}
found["paths"] = [simulate(run, np.linspace(run["t"][0], run["t"][-1], 400)).tolist() for run in RUNS]
open("found.json", "w").write(json.dumps(found))
"""


def cells(text: str, kind: str) -> list[str]:
    return [cell.source for cell in nbformat.reads(text, 4).cells if cell.cell_type == kind]


def executed(run: runs.Run, place, *, fit: bool = True) -> dict:
    """What the code cells of the notebook leave behind, run in one fresh process without a display."""
    found = cells(export(run, "notebook").content.decode(), "code")
    assert sum(FIT in cell for cell in found) == 1
    code = "\n\n".join(cell for cell in found if fit or FIT not in cell)
    (place / "cells.py").write_text(code + TAIL, encoding="utf-8")
    command = [sys.executable, "-I", "-W", "error", "cells.py"]
    subprocess.run(command, cwd=place, env={"MPLBACKEND": "Agg", "HOME": str(place)}, check=True, timeout=LONGEST_S)
    return json.loads((place / "found.json").read_text())


def goes_where_the_app_goes(found: dict, run: runs.Run) -> bool:
    differences = [
        np.max(np.abs(np.array(path) - x) / np.max(np.abs(x), axis=0))
        for path, (_, x) in zip(found["paths"], simulated(run), strict=True)
    ]
    return bool(np.max(differences) < 1e-6)


def test_its_cells_run_and_go_where_the_app_goes(tmp_path):
    run = LAWS["growth"]()
    found = executed(run, tmp_path)
    assert found["figures"] == 2
    assert goes_where_the_app_goes(found, run)
    assert found["again"] == pytest.approx([1.0, -1.0], rel=1e-6)


def test_it_stands_inputs_time_odd_names_and_numbers_inside(tmp_path):
    run = LAWS["awkward"]()
    assert goes_where_the_app_goes(executed(run, tmp_path, fit=False), run)


def test_on_noisy_data_it_finds_the_reported_coefficients_and_their_errors_again(tmp_path):
    run = fitted(noisy(80), RIGHT, Settings(held_out=0.0))
    terms = law(run).terms
    found = executed(run, tmp_path)
    assert found["again"] == pytest.approx([term.coefficient for term in terms], rel=1e-3)
    assert found["errors"] == pytest.approx([term.std_error for term in terms], rel=0.1)
    (residuals,) = diagnostics.residuals(run)
    assert np.sqrt(found["nmse"][0]) * np.std(run.state.problem.dataset.trajectories[0].x) == pytest.approx(
        residuals.size, rel=0.02
    )


def test_it_is_a_notebook_and_its_text_is_the_golden_one():
    text = notebook(by_hand())
    nbformat.validate(nbformat.reads(text, 4))
    assert is_golden("export_notebook.txt", "\n\n".join(cells(text, "code")[1:3] + cells(text, "markdown")[:1]))


def test_strange_words_are_shown_as_they_stand():
    assert escaped("<b> $x$ *a* `c` [l](u) &amp;") == (r"\<b\> \$x\$ \*a\* \`c\` \[l\]\(u\) \&amp\;")
    first, *_ = cells(notebook(by_hand()), "markdown")
    assert "\\$\\(exit\\)" in first
    assert NASTY.splitlines()[0] not in first


def test_more_samples_than_a_notebook_can_hold_are_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr("dolq_core.export.law.MOST_SAMPLES", 2)
    with pytest.raises(ExportError, match=r"3 samples, and 2 is the limit. Take the program and the data"):
        notebook(by_hand())
    monkeypatch.setattr("dolq_core.export.law.MOST_SAMPLES", 50)
    said = "Not for this law: it would hold 100 samples, and 50 is the limit."
    assert why_not_exported(LAWS["growth"](), "notebook") == said


def test_its_refit_counts_samples_as_their_weights_say(tmp_path):
    problem = noisy(80)
    (run,) = problem.dataset.trajectories
    weights = np.linspace(0.1, 4.0, 80)[:, None]
    x, spoiled = run.x.copy(), slice(10, 80, 14)
    x[spoiled], weights[spoiled] = 5.0, 0.0
    run = replace(run, x=frozen(x), weights=frozen(weights))
    dataset = replace(problem.dataset, trajectories=(run,), weights=(Given("w"),))
    found = fitted(replace(problem, dataset=dataset), RIGHT, Settings(held_out=0.0))
    terms, told = law(found).terms, executed(found, tmp_path)
    assert told["again"] == pytest.approx([term.coefficient for term in terms], rel=1e-3)
    assert told["errors"] == pytest.approx([term.std_error for term in terms], rel=0.1)
    assert told["nmse"][0] < 0.1
