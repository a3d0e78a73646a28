"""Campaigns for the pages: what can be asked for, which ones are stored on this machine, and their tables."""

from dataclasses import dataclass
from pathlib import Path

from dolq_core.errors import StoreError
from dolq_core.ports import LOCAL, Store
from dolq_core.runs import import_run, owner_folder
from lab.campaign import PUT_ASIDE, Ledger, bundled_suites, name_of, read_suite
from lab.campaign import page as tables_page

MOST_RUNS = 200
"""Runs of a campaign that is started from a page; more are for the command line."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A small campaign: a run of the built-in agents for each combination.

    Attributes:
        systems: ids within the suite. seeds: how many each.
        noise: white, in units of each state's own standard deviation. words: which description the agents get.
    """

    suite: str
    systems: tuple[str, ...]
    noise: tuple[float, ...] = (0.0,)
    words: tuple[str, ...] = ("given",)
    seeds: int = 1

    @property
    def runs(self) -> int:
        """Return how many runs it is."""
        return len(self.systems) * len(self.noise) * len(self.words) * self.seeds

    def arguments(self) -> list[str]:
        """Return what `python -m dolq_core bench run FOLDER` is told."""
        many = {"--system": self.systems, "--noise": self.noise, "--words": self.words}
        listed = [part for option, values in many.items() for value in values for part in (option, f"{value}")]
        return ["--suite", self.suite, "--seeds", str(self.seeds), "--keep-logs", *listed]


@dataclass(frozen=True, slots=True)
class Info:
    """A campaign that is stored here: the name of its folder, how many runs it asks for, has, and has in vain."""

    name: str
    total: int
    done: int
    failed: int


def folder(owner: str = LOCAL) -> Path:
    """Return the folder of an owner's campaigns, beside the database of runs."""
    return owner_folder("campaigns", owner)


def stored(owner: str = LOCAL) -> tuple[Info, ...]:
    """Return the campaigns of an owner that are stored here, the newest first."""
    folders = [path for path in folder(owner).glob("*") if (path / "tasks.jsonl").is_file()]
    return tuple(info(path.name, owner) for path in sorted(folders, key=lambda path: path.name, reverse=True))


def info(name: str, owner: str = LOCAL) -> Info:
    """Return how far a campaign is; one that has stored nothing yet has no runs."""
    ledger = _ledger(name, owner)
    results = ledger.results()
    return Info(name, len(ledger.tasks()), len(results), sum(bool(one.failure) for one in results.values()))


def tables(name: str, owner: str = LOCAL) -> str:
    """Return the tables of a campaign as Markdown."""
    ledger = _ledger(name, owner)
    return tables_page(name, ledger.tasks(), ledger.results())


def logs(name: str, owner: str = LOCAL) -> dict[str, str]:
    """Return the runs of a campaign that can be opened, by the ids of their tasks: what each of them was."""
    ledger = _ledger(name, owner)
    kept = ledger.logs()
    return {task: name_of(asked) for task, asked in ledger.tasks().items() if task in kept}


def open_run(store: Store, name: str, task: str) -> str:
    """Store the run of a campaign among the runs of this machine and return its id; raise DolqError."""
    return import_run(store, _ledger(name, store.owner).logs()[task].read_bytes())


def _ledger(name: str, owner: str) -> Ledger:
    if name in ("", ".", "..") or Path(name).name != name or len(name) > 200 or not name.isprintable():
        raise StoreError(f"The campaign {name!r}", "this is no name of a campaign", "Choose one from the list.")
    return Ledger(folder(owner) / name)


def suites() -> dict[str, dict[str, str]]:
    """Return the suites that come with the program, but for those put aside: titles of their systems by id."""
    names = [name for name in bundled_suites() if name not in PUT_ASIDE]
    return {name: {case.id: case.title for case in read_suite(name)} for name in names}
