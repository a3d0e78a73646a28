"""A run in another form: the targets, and what each of them holds."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dolq_core import loop
from dolq_core.errors import ExportError
from dolq_core.export import tables
from dolq_core.export.bundle import LOG, pack
from dolq_core.export.comments import one_line
from dolq_core.export.figures import Figure
from dolq_core.export.freeze import frozen_requirements, read_me
from dolq_core.export.law import too_many_inputs, too_many_samples
from dolq_core.export.report import report
from dolq_core.export.result import versions
from dolq_core.export.sbml import why_no_network
from dolq_core.export.targets import LANGUAGES, Language
from dolq_core.fitting import names_of
from dolq_core.panels.system import MISSING, reported
from dolq_core.runs.naming import not_a_device
from dolq_core.runs.running import Run
from dolq_core.runs.views import copies, curves, law, result, table
from dolq_core.store.files import run_text
from dolq_core.terms import safe_names


@dataclass(frozen=True, slots=True)
class Target:
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


def export(run: Run, target: str) -> Exported:
    """Return a run in one of TARGETS; raise ExportError for another name, and where the run does not have it yet."""
    chosen = TARGETS.get(target)
    if chosen is None:
        raise ExportError(f"The target {target!r}", "there is none of this name", f"Choose from {', '.join(TARGETS)}.")
    made = chosen.make(run)
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
        return MISSING
    if target not in LANGUAGES:
        return ""
    dataset = run.state.problem.dataset
    why = too_many_inputs(fits, dataset) if LANGUAGES[target].simulates else ""
    why = too_many_samples(dataset) if target == "notebook" else why
    why = why_no_network(fits, dataset) if target == "sbml" else why
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


def _language(name: str, language: Language) -> Target:
    def make(run: Run) -> str:
        return language.write(law(run), _stem(run, name))

    return Target(name, language.label, "Equations", language.ending, language.media, make)


def _text(run: Run) -> str:
    return copies(run).text


def _result(run: Run) -> str:
    return json.dumps(result(run), indent=2, ensure_ascii=False) + "\n"


def _data(run: Run) -> str:
    return tables.data(run.state.problem.dataset)


def _decisions(run: Run) -> str:
    return tables.decisions(run.entries, loop.taken_back(run.entries), names_of(run.state.problem.dataset))


def _calls(run: Run) -> str:
    return tables.calls([(number, call) for number, entry in enumerate(run.entries) for call in loop.calls_of(entry)])


def _report(run: Run) -> str:
    figures = [
        Figure(one.label or str(n), one.t, one.data, one.model_t, one.model, one.held_from, one.failure)
        for n, one in enumerate(curves(run), 1)
    ]
    return report(law(run), result(run), figures)


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
    return pack(run.name, files, versions())


TARGETS: Final[dict[str, Target]] = {
    target.id: target
    for target in (
        Target("report", "Report (HTML)", "The whole run", "html", "text/html", _report),
        Target("bundle", "Bundle to import again (zip)", "The whole run", "zip", "application/zip", _bundle),
        *(_language(name, language) for name, language in LANGUAGES.items()),
        Target("text", "Plain text", "Equations", "txt", "text/plain", _text),
        Target("result", "Result (JSON)", "Tables", "json", "application/json", _result),
        Target("model", "Trajectories (CSV)", "Tables", "csv", "text/csv", table),
        Target("data", "Data (CSV)", "Tables", "csv", "text/csv", _data),
        Target("decisions", "Decisions (CSV)", "Tables", "csv", "text/csv", _decisions),
        Target("calls", "Calls of models (CSV)", "Tables", "csv", "text/csv", _calls),
    )
}
"""All targets by id, in the order of a menu."""
