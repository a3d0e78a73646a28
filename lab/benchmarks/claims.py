"""What is claimed, in one page: `python -m lab tables` writes docs/results/index.md from the rows of the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.benchmarks import accused, chaos, drawn, lost, nothing, once, persuaded, published, report, settled
from lab.benchmarks.report import Benchmark, Row

SOURCES = (
    drawn.BENCHMARK, *reversed(once.PAGES), *settled.PAGES,
    *(one.BENCHMARK for one in (lost, chaos, nothing, persuaded, accused)),
)  # fmt: skip
UNSEEN, TUNED, OWN = "unseen: run once", "tuned on", "of our own, used while it was built"
PUBLISHED = "[published](published.md) by others"
FIELDS = {
    "aside": "of further fields",
    "sealed": "as people bring them",
    "trades-aside": "of the sciences and trades",
    "typed-aside": "described as people type",
    "disciplines-aside": "of further disciplines",
    "notebooks-aside": "from notebooks",
    "practice-aside": "from practice",
    "benchtop-aside": "from the bench",
    "college-aside": "from college",
    "seminar-aside": "from a seminar",
    "bookshelf-aside": "from a bookshelf",
    "examiners-aside": "of an outside examiner",
    "judges-aside": "as a judge picks them",
    "clinic-aside": "as an exacting judge picks them",
    "panel-aside": "of a panel of referees",
    "viva-aside": "of a viva",
    "audit-aside": "of an audit",
    "drawn": "drawn at random",
}
LINKS = """```{toctree}
:glob:
:maxdepth: 1

*
```"""
SAID = """# What was measured

Every figure is a share of runs with its 95 % interval (Wilson), from the rows in `docs/results/runs`, which the
command beside it writes. *Exact*: all terms of all equations and no others, constants inside terms within 5 %.
*Right*: exact, or the same function in other words. Systems that were looked at while the search was built are *tuned
on*: on others the shares are lower, as in the first runs on suites that nobody here had seen (20 textbook systems,
clean: 15 exact; 20 of further fields at 2 % noise: 7 exact; 20 as people bring them at 2 % noise, written by somebody
who had not read the search: 14 right, 4 of 6 settled ones right; docs/scaling.md). The paper's own figure, for language
models on its eight systems without noise, is in [paper](paper.md) beside ours."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The page of claims: nothing is measured for it."""

    name: str = "index"

    def again(self, folder: Path) -> None:
        """Measure nothing."""

    def is_stored(self, folder: Path) -> bool:
        """Whether what it is made of was measured."""
        return all(one.is_stored(folder) for one in SOURCES)

    is_begun = is_stored

    def seconds(self, folder: Path) -> float | None:
        """Return that it takes no time."""
        return 0.0

    def text(self, folder: Path) -> str:
        """Return the page."""
        head = ("claim", "runs", "share", "systems", "command", "measured")
        lines = [line for one in SOURCES for line in _lines(one, folder)]
        if published.BENCHMARK.is_begun(folder):
            found = published.BENCHMARK.claims(folder)
            lines += [(said, *_share(hits), PUBLISHED, f"`{made}`", day) for said, hits, made, day in found]
        again = (
            "`python -m lab again FOLDER` measures every page anew, in hours, and says before each how many are left."
        )
        return "\n\n".join([SAID, report.table(head, lines), again, LINKS]) + "\n"


def _lines(one: Benchmark, folder: Path) -> list[tuple[object, ...]]:
    made = one.read(folder)
    makers = {
        "settled": _settled,
        "redrawn": _redrawn,
        "chaos": _chaos,
        "lost": _lost,
        "nothing": _nothing,
        "persuaded": _persuaded,
        "accused": _accused,
    }
    found = makers.get(one.name, _unseen)(made["rows"])
    return [(said, *_share(hits), systems, f"`{made['command']}`", made["date"]) for said, hits, systems in found]


def _share(hits: Sequence[bool]) -> tuple[str, str]:
    low, high = report.wilson(sum(hits), len(hits))
    return f"{sum(hits)} of {len(hits)}", f"{sum(hits) / len(hits):.0%} ({low:.0%} to {high:.0%})"


def _unseen(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    clean, noisy = [row for row in rows if not row["noise"]], [row for row in rows if row["noise"]]
    what = f"{len({row['system'] for row in rows})} systems {FIELDS[rows[0]['suite']]}"
    return [
        (f"{what}, clean: right", [row["right"] for row in clean], UNSEEN),
        ("The same with 2 % noise: right", [row["right"] for row in noisy], UNSEEN),
        ("Of these, what is called settled: right", [row["right"] for row in noisy if row["settled"]], UNSEEN),
    ]


def _settled(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    clean, noisy = [row for row in rows if not row["noise"]], [row for row in rows if row["noise"]]
    paper = [row["exact"] for row in clean if row["suite"] == "paper"]
    found = [
        ("The paper's eight systems, clean, with words and without: exact", paper, TUNED),
        ("52 systems, clean: exact", [row["exact"] for row in clean], TUNED),
    ]
    for noise in sorted({row["noise"] for row in noisy}):
        alike = [row["right"] for row in noisy if row["noise"] == noise]
        found.append((f"52 systems, {noise:.0%} noise: right", alike, TUNED))
    return [
        *found,
        ("Under noise, of what is called settled: right", [r["right"] for r in noisy if r["settled"]], TUNED),
        ("Under noise, of right laws: called settled", [r["settled"] for r in noisy if r["right"]], TUNED),
        ("Of settled laws: simulate every start of the system to an NMSE of 1e-2",
         [r["worst"] <= settled.RIGHT for r in noisy if r["settled"]], TUNED),
    ]  # fmt: skip


def _redrawn(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    what = "The same, a third draw of noise"
    return [
        (f"{what}: right", [row["right"] for row in rows], TUNED),
        (f"{what}, of what is called settled: right", [row["right"] for row in rows if row["settled"]], TUNED),
    ]


def _lost(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    """Return the share of all runs whose law was lost by the search."""
    known = lost.counted(rows)
    tuned = [known.pop(one.name) for one in settled.PAGES if one.name in known]
    here = sum(count for count, _ in tuned), sum(missed for _, missed in tuned)
    others = sum(count for count, _ in known.values()), sum(missed for _, missed in known.values())
    said = "Under noise, of all runs: wrong though the samples tell the true law"
    return [
        (said, [k < here[1] for k in range(here[0])], TUNED),
        (f"{said}, on the systems above", [k < others[1] for k in range(others[0])], UNSEEN),
    ]


def _chaos(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    return [
        ("Chaos (Lorenz, Rossler), 2 to 20 % noise: exact", [row["exact"] for row in rows], TUNED),
        ("The same at 20 %", [row["exact"] for row in rows if row["noise"] == 0.2], TUNED),
    ]


def _nothing(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    return [("Noise of seven colours: no law is claimed", [not row["claimed"] for row in rows], OWN)]


def _persuaded(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    return [("The same with words that speak for a law: none is claimed", [not row["claimed"] for row in rows], OWN)]


def _accused(rows: Sequence[Row]) -> list[tuple[str, list[bool], str]]:
    own, other = ([bool(row["told"]) for row in rows if row["words"] == words] for words in accused.WORDS)
    return [
        ("Own descriptions of clean data, one of them wrong: not said to disagree", [not told for told in own], TUNED),
        ("Descriptions of another system: said to disagree", other, TUNED),
    ]


BENCHMARK = Claims()
