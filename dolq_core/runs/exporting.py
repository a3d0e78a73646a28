"""A run in another form: the targets, and what each of them holds."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dolq_core.errors import ExportError
from dolq_core.export.law import too_many_inputs
from dolq_core.export.targets import LANGUAGES, Language
from dolq_core.panels.system import MISSING, reported
from dolq_core.runs.running import Run
from dolq_core.runs.views import copies, law, result, table
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
    if target not in LANGUAGES:
        return ""
    fits = reported(run.state)
    if not fits:
        return MISSING
    why = too_many_inputs(fits, run.state.problem.dataset) if LANGUAGES[target].simulates else ""
    return why and f"Not for these data: {why}."


def file_name(run: Run, target: str) -> str:
    """Return what the file of a target is called."""
    chosen = TARGETS[target]
    return f"{_stem(run, target)}.{chosen.ending}"


def _stem(run: Run, target: str) -> str:
    """Return a file name that is a name in every language too: ASCII letters, digits and underscores."""
    (symbol,) = safe_names([run.name], "").symbols
    name = symbol[:40].strip("_") or "run"
    return name if target in ALONE else f"{name}_{target}"


ALONE: Final = frozenset({"latex", "julia", "text", "result"})
"""Targets whose ending says what they are."""


def _language(name: str, language: Language) -> Target:
    def make(run: Run) -> str:
        return language.write(law(run), _stem(run, name))

    return Target(name, language.label, "Equations", language.ending, language.media, make)


def _text(run: Run) -> str:
    return copies(run).text


def _result(run: Run) -> str:
    return json.dumps(result(run), indent=2, ensure_ascii=False) + "\n"


TARGETS: Final[dict[str, Target]] = {
    target.id: target
    for target in (
        *(_language(name, language) for name, language in LANGUAGES.items()),
        Target("text", "Plain text", "Equations", "txt", "text/plain", _text),
        Target("result", "Result (JSON)", "Tables", "json", "application/json", _result),
        Target("model", "Trajectories (CSV)", "Tables", "csv", "text/csv", table),
    )
}
"""All targets by id, in the order of a menu."""
