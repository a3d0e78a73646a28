"""What is known of each bundled data set: one about.toml per folder of assets/datasets."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dolq_core.errors import DataError, did_you_mean
from dolq_core.records import Dataset, Trajectory, Variable

Kind: TypeAlias = Literal["real", "generated", "nothing"]
Difficulty: TypeAlias = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """A column in words."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Bundled:
    """A data set that comes with the program, in words.

    Attributes:
        hook: why to look at it, in one line.
        story: where it comes from, in three to five sentences.
        why: why it is as easy or hard as it is, in one sentence.
        lookout: what to look out for: the trap it teaches.
        caveat: what not to conclude from it.
        description: what the agents are told: mechanisms, no formulas.
        law: the law that is known or expected; it gives the answer away.
        run: the column that tells runs apart, or None.
    """

    id: str
    title: str
    hook: str
    kind: Kind
    difficulty: Difficulty
    story: str
    why: str
    lookout: str
    source: str
    caveat: str
    description: str
    law: str
    time: ColumnDescription
    states: tuple[ColumnDescription, ...]
    run: str | None = None

    def dataset(self, runs: tuple[Trajectory, ...]) -> Dataset:
        """Return a data set of these runs whose columns are called by their symbols."""
        time = Variable(self.time.name, "t", self.time.unit, self.time.meaning)
        states = tuple(Variable(one.name, one.name, one.unit, one.meaning) for one in self.states)
        return Dataset(self.title, time, states, runs, source=self.source)


def folder(part: str = "") -> Path:
    """Return the folder of the data sets, or a part of it, wherever above this file `assets` stands."""
    for parent in Path(__file__).resolve().parents:
        found = parent / "assets" / "datasets"
        if found.is_dir():
            return found / part
    raise DataError(
        "The folder assets/datasets", "it is not beside the program", "Run DoLQ from its whole source tree."
    )


@cache
def ids() -> tuple[str, ...]:
    """Return the ids of all sets, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in folder().glob("*/about.toml")))


@cache
def describe(set_id: str) -> Bundled:
    """Return what is said about a set; raise DataError when there is none of that id."""
    if set_id not in ids():
        way_out = f"{did_you_mean(set_id, ids())} There are {', '.join(ids())}.".strip()
        raise DataError(f"The data set '{set_id}'", "there is none of that name", way_out)
    said: dict[str, Any] = tomllib.loads(folder(set_id).joinpath("about.toml").read_text(encoding="utf-8"))
    said["time"] = ColumnDescription(**said["time"])
    said["states"] = tuple(ColumnDescription(**state) for state in said["states"])
    return Bundled(id=set_id, **said)
