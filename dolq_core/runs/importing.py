"""A run that comes as a file, from anywhere: looked at from all sides before a line of it is stored."""

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, NoReturn, cast

import numpy as np

from dolq_core import loop
from dolq_core.agents import MODELS
from dolq_core.arrays import Floats
from dolq_core.errors import DolqError, ExportError, TermError
from dolq_core.export.bundle import unpack
from dolq_core.ports import Store
from dolq_core.records import (
    Dataset,
    Entry,
    EquationFit,
    EquationNote,
    FamilyKey,
    FittedTerm,
    Iteration,
    RunState,
    Start,
    Term,
    TermKey,
    Trajectory,
)
from dolq_core.runs.naming import run_name
from dolq_core.runs.running import ASLEEP, store_log
from dolq_core.store.files import run_of
from dolq_core.terms import Skeleton, count_params, variables

THING: Final = "The bundle"
_SYMBOL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a log that no program of ours wrote may raise when it is folded."""


def import_run(store: Store, content: bytes) -> str:
    """Store the run of a bundle, or of a file of `record`, as a new run, and return its id; raise DolqError.

    All of it is checked before: the new log equals the old one, entry by entry. Where language models took part it has
    one entry more: they wait until they are chosen again, for it was a stranger who named their address.
    """
    log = unpack(content) if content[:2] == b"PK" else content
    name, entries = run_of(log, THING)
    state = check(entries)
    first = cast(Start, entries[0])
    log = (*entries, ASLEEP) if state.agents == MODELS else entries
    return store_log(store, log, run_name(name) or run_name(first.problem.dataset.name) or "run")


def check(entries: Sequence[Entry]) -> RunState:
    """Return what a log folds to; raise ExportError for one that the program could not have written.

    Columns, terms, places and the fold are looked at.
    """
    dataset = cast(Start, entries[0]).problem.dataset
    _check_columns(dataset)
    for number, run in enumerate(dataset.trajectories, 1):
        _check_run(dataset, run, number)
    symbols = {v.symbol for v in (*dataset.states, *dataset.inputs)}
    for entry in entries[1:]:
        for record in _records(entry):
            _check_record(record, len(dataset.states), symbols)
    try:
        return loop.replay(entries)
    except (DolqError, *_MALFORMED) as error:
        raise ExportError(THING, f"its log does not fold to a state ({error})", "It is damaged, or not ours.") from None


def _check_columns(dataset: Dataset) -> None:
    """Symbols stand in programs that are exported, so each must be a plain name and nothing else."""
    symbols = [v.symbol for v in (*dataset.states, *dataset.inputs)]
    for symbol in symbols:
        if not _SYMBOL.fullmatch(symbol) or keyword.iskeyword(symbol) or symbol == "t":
            _refuse(f"a column has the symbol {symbol[:40]!r}, which is no plain name")
    if len(set(symbols)) < len(symbols) or dataset.time.symbol != "t":
        _refuse("its columns share a symbol")
    if not dataset.states or not dataset.trajectories:
        _refuse("it has no state or no run of data")


def _check_run(dataset: Dataset, run: Trajectory, number: int) -> None:
    n, d, u = len(run.t), len(dataset.states), len(dataset.inputs)
    shapes: tuple[tuple[Floats | None, tuple[int, ...]], ...] = (
        (run.t, (n,)),
        (run.x, (n, d)),
        (run.inputs, (n, u)),
        (run.weights, (n, d)),
        (run.derivatives, (n, d)),
    )
    fits = all(values is None or values.shape == shape for values, shape in shapes)
    if n == 0 or not fits or (u and run.inputs is None):
        _refuse(f"the arrays of run {number} do not fit its columns")
    if not np.isfinite(run.t).all() or np.any(np.diff(run.t) <= 0.0):
        _refuse(f"time does not increase in run {number}")


def _records(value: Any) -> Iterator[Any]:
    """Yield every record inside a value, from the top down."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if is_dataclass(one):
            yield one
            waiting += [getattr(one, field.name) for field in fields(one)]
        elif isinstance(one, tuple):
            waiting += cast(tuple[Any, ...], one)
        elif isinstance(one, Mapping):
            waiting += cast(Mapping[Any, Any], one).values()


def _check_record(record: Any, states: int, symbols: set[str]) -> None:
    if isinstance(record, TermKey | EquationFit | EquationNote | FamilyKey) and not 0 <= record.equation < states:
        _refuse(f"it speaks of equation {record.equation + 1}, and its data have {states}")
    if isinstance(record, Iteration) and len(record.attempt) != states:
        _refuse(f"iteration {record.number} has {len(record.attempt)} equations, and the data have {states} states")
    if isinstance(record, TermKey | Term | FittedTerm):
        _check_term(record.skeleton, symbols)
    if isinstance(record, EquationNote):
        for skeleton in record.skeletons:
            _check_term(skeleton, symbols)
    if isinstance(record, FittedTerm) and len(record.inner) != count_params(record.skeleton):
        _refuse(f"the term {record.skeleton[:60]!r} has {len(record.inner)} numbers inside, not as many as it names")


def _check_term(skeleton: Skeleton, symbols: set[str]) -> None:
    try:
        unknown = variables(skeleton) - symbols - {"t"}
    except TermError as error:
        _refuse(str(error))
    if unknown:
        _refuse(f"the term {skeleton[:60]!r} names {', '.join(sorted(unknown))}, which the data do not have")


def _refuse(reason: str) -> NoReturn:
    raise ExportError(THING, reason, "It is damaged, or DoLQ did not write it; nothing was stored.")
