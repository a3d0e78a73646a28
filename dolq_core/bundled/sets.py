"""Bundled data sets by their ids."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from dolq_core.bundled.descriptions import Bundled, describe, folder, ids
from dolq_core.bundled.sampling import SamplePlan, sample_lawless, sample_system
from dolq_core.bundled.systems import PAPER_SYSTEMS
from dolq_core.data import read_table, understand
from dolq_core.errors import DataError
from dolq_core.records import Preparation, Problem

AS_IT_IS: Final = Preparation()
_KINDS: Final = ("real", "generated", "nothing")
_FIRST: Final = ("yeast", "lynx-hare", "coffee", "flu", "alpha-pinene", "gause-competition", "didinium")


def bundled() -> tuple[Bundled, ...]:
    """Return all sets in words, in the order to offer them: measured ones, systems 1 to 8, those without a law."""
    order = {set_id: place for place, set_id in enumerate(_FIRST)}
    return tuple(
        sorted(map(describe, ids()), key=lambda one: (_KINDS.index(one.kind), order.get(one.id, len(order)), one.id))
    )


def load_bundled(
    set_id: str, how: SamplePlan | None = None, preparation: Preparation = AS_IT_IS, states: Sequence[str] = ()
) -> Problem:  # fmt: skip
    """Return a set with its description, ready for the first step; raise DataError when there is none of that id.

    how: to draw a computed set; measured ones are as they were measured.
    preparation: of a measured set; what it derives are further states.
    states: the columns of a measured set that are states, derived ones among them; empty for all.
    """
    words = describe(set_id)
    if words.kind != "real" and (preparation != AS_IT_IS or states):
        reason = "it was computed: its columns are neither scaled, derived nor chosen"
        raise DataError(f"The data set '{set_id}'", reason, "Take it as it is.")
    if words.kind == "generated":
        return sample_system(next(system.id for system in PAPER_SYSTEMS if system.key == set_id), how or SamplePlan())
    if words.kind == "nothing":
        return sample_lawless(words, how or SamplePlan())
    if how is not None:
        raise DataError(f"The data set '{set_id}'", "it was measured and cannot be drawn anew", "Take it as it is.")
    return _measured(words, preparation, tuple(states))


@lru_cache(maxsize=16)
def _measured(words: Bundled, preparation: Preparation, states: tuple[str, ...]) -> Problem:
    columns = (words.time, *words.states)
    scaled = {one.column: one.unit for one in preparation.scaled}
    units = {column.name: scaled.get(column.name, column.unit) for column in columns}
    data = understand(
        read_table(folder(words.id) / "data.csv"),
        time=words.time.name,
        states=states or [*(state.name for state in words.states), *(new.name for new in preparation.derived)],
        run=words.run,
        name=words.title,
        units=units,
        meanings={column.name: column.meaning for column in columns},
        preparation=preparation,
    ).dataset
    return Problem(replace(data, source=words.source), words.description)
