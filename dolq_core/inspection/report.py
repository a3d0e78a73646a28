"""How a table is understood, as a report for people and for programs: what `inspect` prints and writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Unpack

from dolq_core.data import Finding, More, Reading, Table, TableError, understand
from dolq_core.inspection.listing import listed
from dolq_core.inspection.opening import manner
from dolq_core.records import Dataset

FORMAT: Final = "dolq-report/1"


@dataclass(frozen=True, slots=True)
class Inspection:
    """A table as it was understood, or why it was not.

    Attributes:
        reading: None where the table cannot be used; the last finding says why.
        manner: how the file is written, in a sentence; empty where it cannot be read at all.
    """

    name: str
    reading: Reading | None
    findings: tuple[Finding, ...]
    manner: str = ""


def inspect_table(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    **more: Unpack[More],
) -> Inspection:
    """Return how a table is understood with these roles and words; what stops it is a finding, not an error."""
    try:
        reading = understand(table, time, states, run, "", units, meanings, **more)
    except TableError as error:
        before = error.findings if error.findings[: len(table.findings)] == table.findings else None
        return Inspection(table.name, None, before or (*table.findings, *error.findings), manner(table))
    return Inspection(table.name, reading, reading.findings, manner(table))


def lines(found: Inspection) -> Iterator[str]:
    """Yield the report as a person reads it."""
    if found.manner:
        yield found.manner
    for one in listed(found.findings):
        yield f"{one.code} ({one.severity}): {one.text}"
        if one.way_out:
            yield f"    {one.way_out}{f' ({one.option})' if one.option else ''}"
    if found.reading is None:
        yield "This table cannot be used as it is."
        return
    data = found.reading.dataset
    inputs = f"; inputs: {', '.join(one.title for one in data.inputs)}" if data.inputs else ""
    yield f"time: {data.time.title}; states: {', '.join(one.title for one in data.states)}{inputs}"
    yield from _further(data)
    rows = sum(len(run.t) for run in data.trajectories)
    labels = ", ".join(f"{run.label or 'all'} ({len(run.t)})" for run in data.trajectories[:10])
    yield f"{rows} rows in {len(data.trajectories)} run(s): {labels}{' ...' if len(data.trajectories) > 10 else ''}"


def _further(data: Dataset) -> Iterator[str]:
    for what, given in (("given derivatives", data.derivatives), ("weights", data.weights)):
        if given:
            named = ", ".join(f"{one.column} of {one.state or 'all states'}" for one in given)
            yield f"{what}: {named}"


def report(found: Inspection) -> dict[str, Any]:
    """Return the report for programs."""
    plain: dict[str, Any] = {"format": FORMAT, "file": found.name, "usable": found.reading is not None}
    if found.reading is not None:
        roles, data = found.reading.roles, found.reading.dataset
        plain |= {
            "time": {"name": data.time.name, "unit": data.time.unit},
            "run": roles.run,
            "states": [{"name": state.name, "symbol": state.symbol, "unit": state.unit} for state in data.states],
            "inputs": [{"name": one.name, "symbol": one.symbol, "unit": one.unit} for one in data.inputs],
            "weights": [asdict(one) for one in data.weights],
            "derivatives": [asdict(one) for one in data.derivatives],
            "preparation": asdict(data.preparation),
            "ignored": list(roles.ignored),
            "runs": [{"label": run.label, "rows": len(run.t)} for run in data.trajectories],
        }
    return {**plain, "findings": [one.document() for one in found.findings]}
