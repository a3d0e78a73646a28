"""Discoveries and replays in a process of its own, under the kernels that its environment names.

python -m lab discovering STARTS LOGS PART OF     discover from files that hold a start alone
python -m lab discovering --replay LOGS FILE      play recorded runs again, one line of JSON for each
"""

import json
import sys
from pathlib import Path
from typing import Any

from dolq_core import loop
from dolq_core.agents import build_agents
from dolq_core.lessons.recorded import folder
from dolq_core.numerics.machine import machine
from dolq_core.records import Entry, Start
from dolq_core.runs import bench_of, play
from dolq_core.store.files import read_run, write_run


def discovered(start: Start) -> list[Entry]:
    """Return the log of a run of the built-in agents, up to where it stops by itself."""
    sampler, scientist = build_agents(start.agents, None, start.settings)
    setup = loop.Setup(sampler, scientist, bench_of(start.problem.dataset, start.settings, start.problem.blocks))
    state, log = loop.begin(start), list[Entry]([start])
    while not loop.reason_to_stop(state):
        log.append(loop.step(state, setup))
        state = loop.replay(log)
    return log


def recordings() -> list[Path]:
    """Return the files of the recorded runs of the bundled lessons."""
    return sorted((folder() / "recorded").glob("*.json"))


def main() -> None:
    """Do what the command line says."""
    if sys.argv[1] == "--replay":
        _replayed(Path(sys.argv[2]))
        return
    starts, logs, part, of = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    logs.mkdir(parents=True, exist_ok=True)
    for path in sorted(starts.glob("*.json"))[part::of]:
        name, (start, *_) = read_run(path)
        if isinstance(start, Start):
            write_run(logs / path.name, name, discovered(start))


def _replayed(out: Path) -> None:
    rows: list[dict[str, Any]] = [{"machine": machine()}]
    for path in recordings():
        _, entries = read_run(path)
        found = [played.likeness for played in play(entries)]
        worst = max(found, key=lambda one: one.largest)
        largest = worst.largest if worst.largest < float("inf") else None
        rows.append({"recording": path.stem, "largest": largest, "place": worst.place})
    out.write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
