"""A run in another form: to paste, as a table, and as a file of every export target."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from dolq_core import loop
from dolq_core.errors import ExportError
from dolq_core.export import latex, tables
from dolq_core.export.bundle import LOG, frozen_requirements, pack, read_me
from dolq_core.export.expressions import one_line
from dolq_core.export.law import Law, too_many_inputs, too_many_samples
from dolq_core.export.python import function
from dolq_core.export.report import Figure, report
from dolq_core.export.result import text
from dolq_core.export.sbml import why_no_sbml
from dolq_core.export.tables import Cell, written
from dolq_core.export.targets import LANGUAGES, Language
from dolq_core.fitting import names_of
from dolq_core.numerics.machine import machine
from dolq_core.runs import Run
from dolq_core.runs.naming import not_a_device
from dolq_core.store.files import run_text
from dolq_core.terms import safe_names
from dolq_core.views.equations import panels
from dolq_core.views.goodness import of_curves
from dolq_core.views.printed import digits
from dolq_core.views.summary import result
from dolq_core.views.system import law, missing, reported
from dolq_core.views.trajectories import curves


@dataclass(frozen=True, slots=True)
class Copies:
    """The system to paste; `latex` and `python` are empty while an equation is missing."""

    latex: str
    text: str
    python: str


def copies(run: Run) -> Copies:
    """Return the best system as LaTeX, text and Python, to paste elsewhere."""
    if not reported(run.state):
        return Copies("", text(result(run)), "")
    found = law(run)
    return Copies(
        latex.system(found.fits, found.names, least=digits(run), refused=found.refused),
        text(result(run)),
        function(found),
    )


def which_coefficients(run: Run) -> str:
    """Say which coefficients the exports hold, where those of the law have seen what is held out; else empty."""
    best = [visited for visited in run.state.best if visited is not None]
    if not any(one.fit.held_out is not None and one.scored.terms != one.reported.terms for one in best):
        return ""
    rows = "all rows of the runs that are fitted" if run.state.settings.held_out_runs else "all rows"
    return (
        f"Equations and programs hold the coefficients of the law, finally fitted on {rows}; {TARGETS['model'].label} "
        "and the curves of the report are of those that have not seen the held-out part."
    )


def table(run: Run) -> str:
    """Return CSV: run (where there are several), time, every state as measured and as simulated; empty where unknown.

    The model is the one that is drawn: where a part of a run is held out, it has not seen that part.
    """
    found, dataset = curves(run), run.state.problem.dataset
    several = len(found) > 1
    titles = [title for state in dataset.states for title in (state.name, f"{state.name} (model)")]
    rows: list[Sequence[Cell]] = [[*(["run"] if several else []), dataset.time.name, *titles]]
    for number, curve in enumerate(found, 1):
        both = np.stack((curve.seen, curve.at_data), axis=2).reshape(len(curve.t), -1)
        named = [curve.label or number] if several else []
        rows += [[*named, t, *values] for t, values in zip(curve.t.tolist(), both.tolist(), strict=True)]
    return written(rows)


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A form that a run can take.

    Attributes:
        label: how a menu calls it; group: the heading it stands under.
        ending, media: of its files.
        make: writes its content.
    """

    id: str
    label: str
    group: str
    ending: str
    media: str
    make: Callable[[Run], str | bytes]


@dataclass(frozen=True, slots=True)
class Exported:
    """A file: its name, its media type and its content."""

    name: str
    media: str
    content: bytes


def export(run: Run, target: str, file: str = "") -> Exported:
    """Return a run in one of TARGETS; raise ExportError for another name, and where the run does not have it yet.

    file: the name without ending under which it will be stored, which programs say of themselves; by default that of
    the run.
    """
    chosen = TARGETS.get(target)
    if chosen is None:
        raise ExportError(f"The target {target!r}", "there is none of this name", f"Choose from {', '.join(TARGETS)}.")
    if target == "matlab" and file and not re.fullmatch("[A-Za-z]\\w*", file, re.ASCII):
        why = "a function of MATLAB has the name of its file, and this is none"
        raise ExportError(f"The file {file}.m", why, "Take letters, digits and underscores, a letter first.")
    made = LANGUAGES[target].write(_law(run, target), file) if file and target in LANGUAGES else chosen.make(run)
    content = made if isinstance(made, bytes) else made.encode("utf-8", "replace")
    return Exported(file_name(run, target), chosen.media, content)


def why_not_exported(run: Run, target: str) -> str:
    """Return why a run does not have a target, as a sentence; empty where it has. Nothing is computed."""
    if target == "calls" and not run.state.spent.calls:
        return "No language model took part."
    if target not in (*LANGUAGES, "report"):
        return ""
    fits = reported(run.state)
    if not fits:
        return missing(run.state)
    if target not in LANGUAGES:
        return ""
    dataset = run.state.problem.dataset
    why = too_many_inputs(fits, dataset) if LANGUAGES[target].simulates else ""
    why = too_many_samples(dataset) if target == "notebook" else why
    why = why_no_sbml(fits, dataset) if target == "sbml" else why
    return why and f"Not for this law: {why}."


def file_name(run: Run, target: str) -> str:
    """Return what the file of a target is called."""
    chosen = TARGETS[target]
    return f"{_stem(run, target)}.{chosen.ending}"


def _stem(run: Run, target: str) -> str:
    """Return a file name that is a name in every language too: ASCII letters, digits and underscores."""
    (symbol,) = safe_names([run.name], "").symbols
    name = symbol[:40].strip("_") or "run"
    return not_a_device(name) if target in ALONE else f"{name}_{target}"


ALONE: Final = frozenset({"latex", "julia", "notebook", "text", "result", "report"})
"""Targets whose ending says what they are."""
READ: Final = frozenset({"latex", "notebook", "report"})
"""Targets with the law for reading."""


def _law(run: Run, target: str) -> Law:
    """Return the law; where numbers are rounded for reading, with the digits that it takes."""
    return replace(law(run), digits=digits(run)) if target in READ else law(run)


def _language(name: str, language: Language) -> ExportTarget:
    def make(run: Run) -> str:
        return language.write(_law(run, name), _stem(run, name))

    return ExportTarget(name, language.label, "Equations", language.ending, language.media, make)


def _result(run: Run) -> str:
    return json.dumps(result(run), indent=2, ensure_ascii=False) + "\n"


def _decisions(run: Run) -> str:
    return tables.decisions(run.entries, loop.taken_back(run.entries), names_of(run.state.problem.dataset))


def _calls(run: Run) -> str:
    return tables.calls([(number, call) for number, entry in enumerate(run.entries) for call in loop.calls_of(entry)])


def _report(run: Run) -> str:
    drawn = curves(run)
    figures = [
        Figure(one.label or str(n), one.t, one.seen, one.model_t, one.model, one.held_from, one.failure)
        for n, one in enumerate(drawn, 1)
    ]
    rows = [row for panel in panels(run) for row in panel.terms if row.graded]
    verdicts = {row.key: (row.action, row.reason) for row in rows}
    return report(_law(run, "report"), result(run), figures, verdicts, of_curves(run, drawn))


def _bundle(run: Run) -> bytes:
    """Everything that the run has: the log, which is all of it, and every other target that it is ready for."""
    parts = {LOG: "the whole log of the run, entry by entry", "requirements.txt": "the versions of the packages"}
    files = {LOG: run_text(run.name, run.entries).encode("ascii"), "requirements.txt": frozen_requirements().encode()}
    for target in TARGETS.values():
        if target.id == "bundle" or why_not_exported(run, target.id):
            continue
        made = export(run, target.id)
        files[made.name], parts[made.name] = made.content, target.label
    files["README.txt"] = read_me(one_line(run.name), parts).encode("utf-8", "replace")
    return pack(run.name, files, machine())


TARGETS: Final[dict[str, ExportTarget]] = {
    target.id: target
    for target in (
        ExportTarget("report", "Report (HTML)", "The whole run", "html", "text/html", _report),
        ExportTarget("bundle", "Bundle to import again (zip)", "The whole run", "zip", "application/zip", _bundle),
        *(_language(name, language) for name, language in LANGUAGES.items()),
        ExportTarget("text", "Plain text", "Equations", "txt", "text/plain", lambda run: text(result(run))),
        ExportTarget("result", "Result (JSON)", "Tables", "json", "application/json", _result),
        ExportTarget("model", "Trajectories (CSV)", "Tables", "csv", "text/csv", table),
        ExportTarget(
            "data", "Data (CSV)", "Tables", "csv", "text/csv", lambda run: tables.data(run.state.problem.dataset)
        ),
        ExportTarget("decisions", "Decisions (CSV)", "Tables", "csv", "text/csv", _decisions),
        ExportTarget("calls", "Calls of models (CSV)", "Tables", "csv", "text/csv", _calls),
    )
}
"""All targets by id, in the order of a menu."""


def keep_elsewhere(run: Run, folders: Sequence[Path]) -> Path | None:
    """Write the bundle of a run into the first of the folders that takes it; return the file, None when none does."""
    made = export(run, "bundle")
    for folder in folders:
        place = _free(folder / file_name(run, "bundle"))
        try:
            place.write_bytes(made.content)
        except OSError:
            place.unlink(missing_ok=True)  # half of it, where the disk filled up
            continue
        return place
    return None


def _free(place: Path) -> Path:
    """Return a name that no file has, so that nothing is written over."""
    number = 1
    found = place
    while found.exists():
        number += 1
        found = place.with_stem(f"{place.stem}-{number}")
    return found
