"""Arrays and data frames in memory to a data set or a table."""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data import Table, column_of, free_name, table_from_arrow, understand
from dolq_core.data.dates import unit_of_span
from dolq_core.errors import DataError
from dolq_core.records import Dataset


class InputError(DataError, ValueError):
    """Data in memory of a kind that cannot be used, such as complex numbers."""


PerRun: TypeAlias = Any
"""An array of one run, or a list of arrays, one for each."""
Words: TypeAlias = "Mapping[str, str] | Sequence[str]"
"""A word for each column: by its name, or in the order of the states and then of the inputs."""


@dataclass(frozen=True, slots=True)
class Described:
    """What is said beside the data; the fields are the arguments of `DoLQ.fit`."""

    t: Any = None
    u: Any = None
    x_dot: Any = None
    weights: Any = None
    feature_names: Sequence[str] | None = None
    input_names: Sequence[str] | None = None
    run: str | None = None
    units: Words = ()
    meanings: Words = ()
    time_name: str = "t"


def is_several(values: object) -> bool:
    """Whether these are the arrays of several runs: a list of arrays or data frames, not of numbers or rows."""
    if not isinstance(values, list | tuple):
        return False
    listed = cast("Sequence[object]", values)
    return bool(listed) and all(hasattr(one, "shape") for one in listed)


def as_runs(values: PerRun, shapes: Sequence[tuple[int, ...]], what: str) -> list[Floats]:
    """Return the rows (n, k) of each run; raise DataError where their number is not that of `shapes`.

    A vector is one column. A single array stands for all runs where there is one run only.
    """
    found = [_rows(one, what) for one in (values if is_several(values) else [values])]
    if len(found) != len(shapes):
        raise DataError(what, f"there are {len(found)} arrays for {len(shapes)} runs", "Give one array for each run.")
    for number, (rows, shape) in enumerate(zip(found, shapes, strict=True), 1):
        if len(rows) != shape[0]:
            of = f" of run {number}" if len(shapes) > 1 else ""
            raise DataError(f"{what}{of}", f"{len(rows)} rows for {shape[0]} samples", "Give one row for each sample.")
    return found


def _rows(values: Any, what: str) -> Floats:
    if np.iscomplexobj(values):
        raise InputError(what, "Complex data not supported", "Give real and imaginary parts as columns of their own.")
    if hasattr(values, "tocsr"):
        raise InputError(what, "Sparse data is not supported", "Give a dense array.")
    masked = isinstance(values, np.ma.MaskedArray)  # what is masked was not measured
    try:
        filled: Any = np.ma.filled(values.astype(np.float64), np.nan) if masked else values  # pyright: ignore[reportUnknownArgumentType]
        found = np.asarray(filled, dtype=np.float64)
    except (TypeError, ValueError) as error:
        reason = f"not all of it are numbers ({error})"
        raise InputError(what, reason, "Give numbers, NaN for what is not known.") from None
    found = found[:, None] if found.ndim == 1 else found
    if found.ndim == 2 and found.shape[1] == 0:
        reason = f"0 feature(s) (shape={found.shape}) while a minimum of 1 is required"
        raise InputError(what, reason, "Give a column for each state.")
    if found.ndim != 2:
        raise DataError(what, f"an array of {found.ndim} dimensions", "Give an array (samples, columns) for each run.")
    return found


def read_arrays(x: PerRun, told: Described, name: str = "") -> Dataset:
    """Return the data set of one array (n, d) or of a list of them; raise DataError.

    Times, inputs, weights and derivatives are arrays, too, one for each run; times may be one for all, or the step
    between samples, from 0. All checks are those of a table that is read from a file.
    """
    if told.run is not None:
        raise DataError("run", "arrays have no column of that name", "Give a list of arrays, one for each run.")
    t, time_unit = elapsed_of(told.t)
    time, inputs = told.time_name, told.u
    parts = [_rows(one, "X") for one in (x if is_several(x) else [x])]
    shapes = [part.shape for part in parts]
    if sum(shape[0] for shape in shapes) == 1:
        raise InputError("X", "there is 1 sample only, and a law takes 5 at least", "Measure more often.")
    if len({shape[1] for shape in shapes}) > 1:
        raise DataError("X", "its runs have different numbers of columns", "Give every run the same states.")
    states = _named(told.feature_names, shapes[0][1], "x", "feature_names")
    driven = None if inputs is None else np.concatenate(as_runs(inputs, shapes, "u"))
    names = [] if driven is None else _named(told.input_names, driven.shape[1], "u", "input_names")
    own = [*states, *names]
    if time in own or len(set(own)) < len(own):
        raise DataError("The names", f"one stands for two columns: {', '.join((time, *own))}", "Rename one.")
    values: dict[str, Floats] = {time: np.concatenate(_times(t, shapes))}
    values |= dict(zip(states, np.concatenate(parts).T, strict=True))
    if driven is not None:
        values |= dict(zip(names, driven.T, strict=True))
    weighing = _add(values, told.weights, shapes, "weights", "weight of {}", states)
    rates = _add(values, told.x_dot, shapes, "x_dot", "d{}/d" + time, states)
    run = free_name("run", values)
    values[run] = np.repeat(np.arange(1.0, len(parts) + 1.0), [shape[0] for shape in shapes])
    return understand(
        Table(name, {own: column_of(own, column) for own, column in values.items()}, range(len(values[run]))),
        time=time,
        states=states,
        run=run if len(parts) > 1 else "",
        name=name,
        units={**({time: time_unit} if time_unit else {}), **_by_name(told.units, own, "units")},
        meanings=_by_name(told.meanings, own, "meanings"),
        inputs=names,
        weights=weighing,
        derivatives=rates,
    ).dataset


def elapsed_of(t: Any) -> tuple[Any, str]:
    """Return moments or spans of time as numbers since the first of them, and their unit; other times as they are."""
    several = is_several(t)
    parts = [np.asarray(one) for one in (t if several else [t])]
    if any(one.dtype.kind not in "Mm" for one in parts):
        return t, ""
    moments = [one.astype("datetime64[ns]" if one.dtype.kind == "M" else "timedelta64[ns]") for one in parts]
    first = moments[0].ravel()[0] if parts[0].dtype.kind == "M" else np.timedelta64(0, "ns")
    seconds = [np.where(np.isnat(one), np.nan, (one - first).astype(np.float64) / 1e9) for one in moments]
    known = np.concatenate([one.ravel() for one in seconds])
    span = float(np.nanmax(known) - np.nanmin(known)) or float(np.nanmax(known))
    unit, size = unit_of_span(span)
    found = [one / size for one in seconds]
    return (found if several else found[0]), unit


def _times(t: PerRun | float | None, shapes: Sequence[tuple[int, ...]]) -> list[Floats]:
    if t is None:
        raise DataError("t", "no times are given", "Give an array of times, or the step between samples as a number.")
    if is_several(t):
        return [rows[:, 0] for rows in as_runs(t, shapes, "t")]
    times = _rows(t, "t")[:, 0] if np.ndim(t) else np.asarray(t, dtype=np.float64)
    if times.ndim == 0:
        return [np.arange(shape[0], dtype=np.float64) * float(times) for shape in shapes]
    return [rows[:, 0] for rows in as_runs([times] * len(shapes), shapes, "t")]


def _named(names: Sequence[str] | None, count: int, letter: str, what: str) -> list[str]:
    if names is None:
        return [f"{letter}{k}" for k in range(count)]
    if len(names) != count:
        raise DataError(what, f"{len(names)} names for {count} columns", "Give one name for each column.")
    return [str(name) for name in names]


def _by_name(words: Words, names: Sequence[str], what: str) -> Mapping[str, str]:
    if isinstance(words, Mapping):
        return words
    if words and len(words) != len(names):
        raise DataError(what, f"{len(words)} for {len(names)} columns", "Give one for each, or name the columns.")
    return dict(zip(names, words, strict=False))


def _add(
    values: dict[str, Floats],
    given: PerRun | None,
    shapes: Sequence[tuple[int, ...]],
    what: str,
    title: str,
    states: Sequence[str],
) -> dict[str, str]:
    """Add the columns that speak of states, and return of which one each does; one column alone speaks of all."""
    if given is None:
        return {}
    rows = np.concatenate(as_runs(given, shapes, what))
    if rows.shape[1] not in (1, len(states)) or (rows.shape[1] < len(states) and what != "weights"):
        raise DataError(what, f"{rows.shape[1]} columns for {len(states)} states", "Give one column for each state.")
    alone = rows.shape[1] < len(states)
    found: dict[str, str] = {}
    for column, state in zip(rows.T, ["rows"] if alone else states, strict=True):
        own = free_name(title.format(state), values)
        values[own], found[own] = column, "" if alone else state
    return found


def table_of_frames(frames: Any, name: str = "") -> tuple[Table, str | None, dict[str, str]]:
    """Return the table of a data frame, or of a list of them, the column that tells runs apart, and units of spans.

    An index that counts the rows is none of its columns; any other is. The first row counts as row 2, as in a file.
    """
    import pandas as pd  # noqa: PLC0415  a quarter of a second, only where there are frames
    import pyarrow as pa  # noqa: PLC0415

    run = None
    whole = frames
    if is_several(frames):
        run = free_name("run", {str(own) for frame in frames for own in frame.columns})
        whole = pd.concat([frame.assign(**{run: float(number)}) for number, frame in enumerate(frames, 1)])
    if isinstance(whole.index, pd.MultiIndex) and run is None and None in whole.index.names:
        run = free_name("run", {str(own) for own in whole.columns})  # the keys of pd.concat tell runs apart
        whole = whole.assign(**{run: whole.index.get_level_values(0).astype(str)}).reset_index(drop=True)
    rows = isinstance(whole.index, pd.RangeIndex) or whole.index.dtype.kind in "iu"
    counts = whole.index.name is None and (rows or run is not None)
    whole, units = _without_spans(whole)
    read = pa.Table.from_pandas(whole, preserve_index=not counts)
    return table_from_arrow(read, name, "The data frame"), run, units


def _without_spans(frame: Any) -> tuple[Any, dict[str, str]]:
    """Return a data frame in which spans of time are numbers, and their units by column."""
    spans = {name: elapsed_of(frame[name].to_numpy()) for name in frame.columns if frame[name].dtype.kind == "m"}
    numbers = frame.assign(**{name: values for name, (values, _) in spans.items()})
    return numbers, {str(name): unit for name, (_, unit) in spans.items()}
