"""The page `docs/results/reliability.md`: each part keeps the rows that it measured, and the page is made of them."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from benchmarks import report

STORED = report.RESULTS / "runs" / "reliability.json"
Row = tuple[str, ...]


@dataclass(frozen=True)
class Part:
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


def keep(part: Part, order: Sequence[str]) -> None:
    """Store the rows of a part beside those of the others, and write the page of all."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    made = f"on {datetime.now(UTC).date()}, {os.cpu_count()} cores"
    stored[part.name] = {**asdict(part), "made": made}
    stored = {name: stored[name] for name in order if name in stored}
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write(stored)
    print(*report.table(part.head, part.rows).splitlines(), sep="\n")
    print(f"{part.title}: {part.survived} of {part.faults} survived, {part.lost} lost. {part.note}".rstrip())


def write(stored: dict[str, dict]) -> None:
    """Write the page: one line for each part, then the table of each."""
    head = ("", "faults tried", "survived", "entries lost", "clicks, 95th percentile", "memory")
    rows = [
        (f"[{one['title']}](#{_anchor(one['title'])})", f"{one['faults']:,}", f"{one['survived']:,}",
         f"{one['lost']:,}", one["p95"] or "-", one["memory"] or "-")
        for one in stored.values()
    ]  # fmt: skip
    parts = [
        f"## {one['title']}\n\n{one['how']}\n\n{report.table(one['head'], one['rows'])}\n\n"
        f"{one['note']} `python -m benchmarks.reliability {name}`, {one['made']}.".replace("\n\n ", "\n\n")
        for name, one in stored.items()
    ]
    how = "What the product promises of a run, tried under faults and load. Every figure is measured by the command."
    report.write("reliability", "Nothing is lost", how, report.table(head, rows), *parts)


def _anchor(title: str) -> str:
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter == "-")
