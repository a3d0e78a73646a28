"""The page `docs/results/reliability.md`: each part keeps the rows that it measured, and the page is made of them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lab.benchmarks import report

FILE = "reliability.json"
Row = tuple[str, ...]


@dataclass(frozen=True)
class ReliabilityPart:
    """What one part measured. head, rows: its table; note: what else belongs to it; lost: entries, of all faults."""

    name: str
    title: str
    how: str
    head: Row
    rows: Sequence[Row]
    faults: int
    survived: int
    lost: int
    p95: str = ""
    memory: str = ""
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether every fault was survived and nothing was lost."""
        return self.survived == self.faults and self.lost == 0


def keep(part: ReliabilityPart, command: str, seconds: float, folder: Path = report.RUNS) -> None:
    """Store the rows of a part beside those of the others."""
    stored = read(folder)
    made = {"command": command, "seconds": round(seconds), **report.now()}
    stored[part.name] = {**asdict(part), **made}
    path = folder / FILE
    path.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    print(report.table(part.head, part.rows))
    print(f"{part.title}: {part.survived} of {part.faults} survived, {part.lost} lost. {part.note}".rstrip())


def read(folder: Path) -> dict[str, dict]:
    """Return what each part has stored."""
    path = folder / FILE
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def text(stored: dict[str, dict]) -> str:
    """Return the page: one line for each part, then the table of each."""
    head = ("", "tried", "survived", "lost", "clicks, 95th percentile", "memory")
    rows = [
        (f"[{one['title']}](#{_anchor(one['title'])})", f"{one['faults']:,}", f"{one['survived']:,}",
         f"{one['lost']:,}", one["p95"] or "-", one["memory"] or "-")
        for one in stored.values()
    ]  # fmt: skip
    parts = [
        "\n\n".join(
            [f"## {one['title']}", one["how"], report.table(one["head"], one["rows"])]
            + [one["note"]] * bool(one["note"])
            + [report.made(one)]
        )
        for one in stored.values()
    ]
    how = (
        "What the product promises of a run, tried under faults and load. Each part names the command that measured it."
    )
    return "\n\n".join(["# Nothing is lost", how, report.table(head, rows), *parts]) + "\n"


def _anchor(title: str) -> str:
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter == "-")
