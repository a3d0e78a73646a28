"""What an estimator is given, as a problem: arrays, lists of arrays, data frames, a file, or a problem itself."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from dolq_core.data import More, Table, read_table, understand
from dolq_core.errors import DataError
from dolq_core.estimator.arrays import Described, Words, is_several, read_arrays, table_of_frames
from dolq_core.records import Dataset, Problem


def is_frame(data: object) -> bool:
    """Whether these are data frames: one, or a list of them."""
    one = cast("list[object]", data)[0] if is_several(data) else data
    return hasattr(one, "columns") and hasattr(one, "iloc")


def problem_of(data: Any, told: Described, description: str, name: str) -> Problem:
    """Return the problem; raise DataError where the data cannot be used."""
    if isinstance(data, Problem):
        return replace(data, description=description or data.description)
    if isinstance(data, Dataset):
        return Problem(data, description)
    if isinstance(data, str | PathLike):
        path = Path(cast("str | PathLike[str]", data))
        table = read_table(path)
        return Problem(_of_table(table, told, name or path.stem, told.run), description)
    if is_frame(data):
        table, parts, units = table_of_frames(data, name)
        return Problem(_of_table(table, told, name or "data", told.run or parts, units), description)
    return Problem(read_arrays(data, told, name or "data"), description)


def like(old: Dataset, data: Any, t: Any, said: Mapping[str, Any]) -> Dataset:
    """Return other data of the same columns; raise DataError where these are not there."""
    if isinstance(data, Problem | Dataset):
        return problem_of(data, Described(), "", "").dataset
    states, inputs = [one.name for one in old.states], [one.name for one in old.inputs]
    if isinstance(data, str | PathLike) or is_frame(data):
        known: dict[str, Any] = {"t": old.time.name if t is None else t, "feature_names": states, "u": inputs or None}
    else:
        known = {"t": t, "feature_names": states, "input_names": inputs or None, "time_name": old.time.name}
    return problem_of(data, Described(**(known | dict(said))), "", "").dataset


def _of_table(
    table: Table, told: Described, name: str, run: str | None, known: Mapping[str, str] = MappingProxyType({})
) -> Dataset:
    """Return the data set of a table: t, u, x_dot and weights are names of its columns there."""
    said = {"t": told.t, "run": run}
    for what, own in said.items():
        if own is not None and not isinstance(own, str):
            raise DataError(what, "a table has its own columns", "Give the name of one of them.")
    more: More = {}
    if told.u is not None:
        more["inputs"] = [told.u] if isinstance(told.u, str) else list(told.u)
    if told.weights is not None:
        more["weights"] = _mapped(told.weights, "weights")
    if told.x_dot is not None:
        more["derivatives"] = _mapped(told.x_dot, "x_dot")
    words = [_by_name(given, told, what) for given, what in ((told.units, "units"), (told.meanings, "meanings"))]
    words[0] = {**known, **words[0]}
    states = None if told.feature_names is None else list(told.feature_names)
    return understand(table, told.t, states, run, name, *words, **more).dataset


def _mapped(given: Any, what: str) -> Mapping[str, str]:
    if isinstance(given, Mapping):
        return cast("Mapping[str, str]", given)
    if what == "weights" and isinstance(given, str):
        return {given: ""}
    raise DataError(what, "a table has its own columns", "Say of which state a column speaks: {column: state}.")


def _by_name(words: Words, told: Described, what: str) -> Mapping[str, str]:
    if isinstance(words, Mapping):
        return words
    if words and (told.feature_names is None or len(words) != len(told.feature_names)):
        raise DataError(what, "they do not stand beside names", "Give them by name: {column: word}.")
    return dict(zip(told.feature_names or (), words, strict=False))
