"""A thousand iterations of one run in auto mode: what the process that computes holds, and the one that watches.

White noise, one state, in which the search goes on as often as it is asked. The watching process is what a server does:
it looks at the job and reads what came since.
"""

import tempfile
import time
from pathlib import Path

from dolq_core import runs
from dolq_core.jobs import Board, Limits
from dolq_core.records import Settings
from lab.benchmarks.reliability import processes
from lab.benchmarks.reliability.page import ReliabilityPart
from tests.agents.problems import noise

GROWS_MB = 100.0
"""For a thousand iterations: the log of the run itself is in both."""


def measure(iterations: int) -> ReliabilityPart:
    """Let the run go on for so long; return the part of the page."""
    with tempfile.TemporaryDirectory() as folder:
        store = runs.open_standby(Path(folder) / "runs.db")
        run = runs.start(store, noise(40, 1, 1), Settings(iterations=iterations, patience=iterations))
        board = Board()
        board.start(store, run, 1, "auto", limits=Limits(iterations=iterations))
        seen: dict[int, tuple[float, float]] = {}
        while not (now := board.snapshot(run)) or not now.ended:
            if now and now.iteration:
                runs.load(store, run)
                seen[now.iteration] = processes.megabytes(now.pid), processes.megabytes(processes.OWN)
            time.sleep(0.2)
        board.close()
        done, held = runs.load(store, run), sum(len(entry) for entry in _bodies(Path(folder) / "runs.db"))
    marks = [min(seen, key=lambda n, share=share: abs(n - share * iterations)) for share in (0.1, 0.25, 0.5, 1.0)]
    rows = [(f"{n:,}", f"{seen[n][0]:.0f}", f"{seen[n][1]:.0f}") for n in marks]
    early, late = seen[marks[0]], seen[marks[-1]]
    grown = max(late[0] - early[0], late[1] - early[1])
    lost = iterations - done.state.iteration
    return ReliabilityPart(
        "many", "A thousand iterations", " ".join((__doc__ or "").split()),
        ("iterations done", "the process that computes, MB", "the process that watches, MB"), rows,
        iterations, done.state.iteration if grown < GROWS_MB else 0, lost,
        memory=f"{early[0]:.0f} to {late[0]:.0f} MB", note=f"The log itself takes {held / 2**20:.1f} MB as text.",
    )  # fmt: skip


def _bodies(database: Path) -> list[bytes]:
    return [path.read_bytes() for path in database.parent.glob("runs.db*") if not path.name.endswith("-shm")]
