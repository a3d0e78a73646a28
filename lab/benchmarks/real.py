"""What the built-in agents make of the measured sets that come with the program: `python -m lab real`.

Each set is run in auto mode with its description and without, default settings. NMSE: the whole system simulated
against the samples, over the variance of each state; an equation that is not claimed takes part with the best terms
there were. No set has 50 samples in a run, so nothing is held out. The literature's law is quoted from the set's own
page, with its source; whether the terms agree with it is for the reader.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite

from dolq_core import runs
from dolq_core.bundled import bundled, load_bundled
from dolq_core.export.result import expression
from dolq_core.store.memory import MemoryStore
from dolq_core.views.summary import result
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.tables.common import readable


def measure() -> Iterator[Row]:
    """Run every measured set with its words and without."""
    for one in (one for one in bundled() if one.kind == "real"):
        about = {"title": one.title, "law": one.law.strip(), "source": one.source.strip(), "caveat": one.caveat.strip()}
        for words in ("given", "none"):
            yield {"set": one.id, **about, "words": words, **discovered(one.id, silent=words == "none")}


def discovered(set_id: str, *, silent: bool) -> Row:
    """Run one set in auto mode."""
    problem = load_bundled(set_id)
    store = MemoryStore()
    run = runs.start(store, replace(problem, description="") if silent else problem)
    before = time.process_time()
    done = runs.auto(store, run)
    cpu_s = time.process_time() - before
    path = done.state.trajectory
    best = [visited and visited.reported for visited in done.state.best]
    told = result(done)["equations"].items()
    nmse = path.nmse if path is not None else [float("inf")] * len(best)
    return {
        "iterations": done.state.iteration,
        "cpu_s": cpu_s,
        "insight": done.state.insight,
        "equations": [
            {
                "state": name,
                "status": said["status"],
                "reason": said["reason"],
                "best": expression(fit) if fit else "",
                "nmse": error if isfinite(error) else None,
            }
            for (name, said), fit, error in zip(told, best, nmse, strict=True)
        ],
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, then what is known of each set and what was said of each equation."""
    head = ("set", "description", "state", "status", "law", "NMSE", "iterations", "CPU s")
    lines = [line for row in rows for line in _lines(row)]
    sets = {row["set"]: [one for one in rows if one["set"] == row["set"]] for row in rows}
    return [report.table(head, lines), *(_about(those) for those in sets.values())]


def _lines(row: Row) -> list[tuple[object, ...]]:
    return [
        (
            row["set"],
            row["words"],
            one["state"],
            one["status"],
            f"`{readable(one['best'])}`" if one["status"] != "none" else "",
            "failed" if one["nmse"] is None else f"{one['nmse']:.2g}",
            row["iterations"],
            f"{row['cpu_s']:.1f}",
        )
        for one in row["equations"]
    ]


def _about(rows: Sequence[Row]) -> str:
    first = rows[0]
    lines = [f"## {first['title']}", "", f"Literature: {first['law']} Source: {first['source']}", ""]
    lines.append(f"Caveat of the set: {first['caveat']}")
    for row in rows:
        words = "With its description" if row["words"] == "given" else "Without"
        lines += ["", f"{words}: {row['insight']}", ""]
        for one in row["equations"]:
            tried = f" Best terms: `{readable(one['best'])}`." if one["status"] == "none" and one["best"] else ""
            lines.append(f"- {one['state']}: {one['status']}. {one['reason']}{tried}")
    return "\n".join(lines)


BENCHMARK = Benchmark("real", "Measured data", __doc__, measure, page)
