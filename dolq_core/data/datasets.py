"""The data sets that come with the program: measured ones from assets/datasets, and the paper's systems."""

from typing import Final

from dolq_core.data.about import Bundled, about, folder, ids
from dolq_core.data.benchmarks import SYSTEMS, generate
from dolq_core.data.csv import read_table
from dolq_core.data.dataset import to_dataset
from dolq_core.records import Dataset, Problem

_FIRST: Final = ("yeast", "lynx-hare", "coffee", "flu", "alpha-pinene", "gause-competition", "didinium")


def bundled() -> tuple[Bundled, ...]:
    """Return all sets in words, in the order to offer them: measured ones first, then systems 1 to 8."""
    order = {set_id: place for place, set_id in enumerate(_FIRST)}
    return tuple(sorted(map(about, ids()), key=lambda one: (one.kind != "real", order.get(one.id, len(order)), one.id)))


def load_bundled(set_id: str) -> Problem:
    """Return a set with its description, ready for the first step; raise DataError when there is none of that id."""
    words = about(set_id)
    if words.kind == "generated":
        return generate(next(system.id for system in SYSTEMS if system.key == set_id))
    columns = (words.time, *words.states)
    data = to_dataset(
        read_table(folder(set_id) / "data.csv"),
        time=words.time.name,
        states=[state.name for state in words.states],
        run=words.run,
        name=words.title,
        units={column.name: column.unit for column in columns},
        meanings={column.name: column.meaning for column in columns},
    )
    named = Dataset(data.name, data.time, data.states, data.trajectories, data.inputs, words.source)
    return Problem(named, words.description)
