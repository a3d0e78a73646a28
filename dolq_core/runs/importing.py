"""A run that comes as a file, from anywhere: looked at from all sides before a line of it is stored."""

import keyword
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import numpy as np

from dolq_core import loop
from dolq_core.agents import MODELS, build_agents, recorded
from dolq_core.agents.providers import preset_of
from dolq_core.arrays import Floats
from dolq_core.data.sandbox import tried
from dolq_core.errors import AgentError, DolqError, ExportError, TermError
from dolq_core.export.bundle import size_of_log, unpack
from dolq_core.ports import RunInfo, Store
from dolq_core.records import (
    Budget,
    Dataset,
    Entry,
    EquationFit,
    EquationNote,
    FamilyKey,
    FittedTerm,
    Iteration,
    ModelCall,
    ModelChoice,
    Models,
    Problem,
    RunState,
    Settings,
    Start,
    Term,
    TermKey,
    Trajectory,
    Variable,
    VariableNote,
    Verdict,
)
from dolq_core.runs.naming import run_name
from dolq_core.runs.running import ASLEEP, load, store_log
from dolq_core.store.files import run_of
from dolq_core.terms import Skeleton, count_params, variables

THING: Final = "The bundle"
ROOT: Final = Path(__file__).resolve().parents[2]
SMALL: Final = 2**20
"""Bytes of a file and of the log in it that cost little, whatever they hold."""
MOST_MEMORY: Final = 2**30
MOST_SECONDS: Final = 60
MOST_NAME: Final = 1000
LOOKED: Final = 24
"""Runs that are held against another one, the last changed first: no list is read from end to end."""
MANY: Final = 10.0**6
LARGE: Final = 1e100
"""Beyond it a law cannot be simulated, nor printed so that somebody reads it."""
_TOKENS: Final = dict.fromkeys(("tokens_in", "tokens_out", "tokens_reasoning", "max_tokens"), (0, 1e8))
WITHIN: Final[Mapping[type[Any], Mapping[str, tuple[float, float]]]] = {
    Start: {"seed": (0, 2**63 - 1)},
    Problem: {"version": (0, MANY)},
    Iteration: {"number": (1, MANY), "seconds": (0, 1e9)},
    ModelCall: {**_TOKENS, "seconds": (0, 1e9), "retry_after": (0, 1e9), "temperature": (0, 100)},
    Models: {"proposals": (0, MANY), "price_in": (0, 1e9), "price_out": (0, 1e9), "rows": (0, 500)},
    Budget: dict.fromkeys(("calls", "tokens", "seconds", "money"), (0, 1e15)),
    FittedTerm: {"coefficient": (-LARGE, LARGE), "inner": (-LARGE, LARGE), "std_error": (0, 1e300)},
    EquationFit: {"held_out": (0, float("inf"))},
    Verdict: {"strikes": (0, MANY)},
    Settings: Settings.ranges(),
}
"""What the numbers of a log can be; a number that is not named may be anything."""
_SYMBOL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a log that no program of ours wrote may raise when it is folded."""


def import_run(store: Store, content: bytes) -> str:
    """Store the run of a bundle, or of a file of `record`, as a new run, and return its id; raise DolqError.

    All of it is checked before: the new log equals the old one, entry by entry. Where language models took part it has
    one entry more: they wait until they are chosen again, for it was a stranger who named their address.
    """
    if len(content) > SMALL or size_of_log(content) > SMALL:
        _try_apart(content)
    name, entries, state = read(content)
    first = cast(Start, entries[0])
    log = (*entries, ASLEEP) if state.agents == MODELS else entries
    return store_log(store, log, run_name(name) or run_name(first.problem.dataset.name) or "run")


def twin_of(store: Store, run: str) -> RunInfo | None:
    """Return another run with the same log, whether it was imported or copied; None where a log stands alone.

    Of what is imported with language models the entry that puts them to sleep counts for nothing; nor does a run on
    which nothing was done.
    """
    here = _own(load(store, run).entries)
    every = {one.id: one for one in store.runs()}
    own = every.pop(run)
    alike = [one for one in every.values() if (one.dataset, one.iterations) == (own.dataset, own.iterations)]
    near = [one for one in alike if abs(one.entries - len(here)) <= 1][: LOOKED if len(here) > 1 else 0]
    return next((one for one in near if _own(load(store, one.id).entries) == here), None)


def _own(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(entries[:-1] if entries[-1] == ASLEEP else entries)


def read(content: bytes) -> tuple[str, tuple[Entry, ...], RunState]:
    """Return the name, the log and the state of a file; raise DolqError for what is no run of ours."""
    name, entries = run_of(unpack(content) if content[:2] == b"PK" else content, THING)
    return name, entries, check(entries)


def _try_apart(content: bytes) -> None:
    """Refuse a file that cannot be read within MOST_MEMORY and MOST_SECONDS, in a process of its own."""
    command = [sys.executable, "-m", "dolq_core.runs.sandboxed", str(MOST_MEMORY), str(MOST_SECONDS)]
    if tried(command, content, 2 * MOST_SECONDS, ROOT) != 0:
        _refuse(f"to read it takes more than {MOST_MEMORY / 2**30:g} GB of memory or {MOST_SECONDS} s, the limits")


def check(entries: Sequence[Entry]) -> RunState:
    """Return what a log folds to; raise ExportError for one that the program could not have written.

    Columns, terms, places and the fold are looked at.
    """
    start = cast(Start, entries[0])
    dataset = start.problem.dataset
    try:
        build_agents(start.agents, start.models, start.settings, recorded(()))
    except AgentError as error:
        _refuse(str(error))
    _check_columns(dataset)
    for number, run in enumerate(dataset.trajectories, 1):
        _check_run(dataset, run, number)
    symbols = {v.symbol for v in dataset.variables}
    for entry in entries:
        for record in _records(entry):
            _check_record(record, len(dataset.states), symbols)
    try:
        return loop.replay(entries)
    except (DolqError, *_MALFORMED) as error:
        raise ExportError(THING, f"its log does not fold to a state ({error})", "It is damaged, or not ours.") from None


def _check_columns(dataset: Dataset) -> None:
    """Symbols stand in programs that are exported, so each must be a plain name and nothing else."""
    symbols = [v.symbol for v in dataset.variables]
    for symbol in symbols:
        if not _SYMBOL.fullmatch(symbol) or len(symbol) > MOST_NAME or keyword.iskeyword(symbol) or symbol == "t":
            _refuse(f"a column has the symbol {symbol[:40]!r}, which is no plain name")
    if len(set(symbols)) < len(symbols) or dataset.time.symbol != "t":
        _refuse("its columns share a symbol")
    if dataset.holds and len(dataset.holds) != len(dataset.inputs):
        _refuse("it says of other inputs than it has what they do between samples")
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
    if any(values is not None and np.isinf(values).any() for values, _ in shapes):
        _refuse(f"a value of run {number} is infinite")
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
    _check_numbers(record)
    if isinstance(record, ModelChoice):
        _check_choice(record)
    if isinstance(record, Variable | VariableNote) and max(len(record.name), len(record.unit)) > MOST_NAME:
        _refuse(f"a column's name or unit has over {MOST_NAME} letters")
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


def _check_numbers(record: Any) -> None:
    """Refuse a number that no run of ours has: it would buy a budget, end a page, or print as nothing."""
    for name, (least, most) in WITHIN.get(cast(type[Any], type(record)), {}).items():
        for one in _numbers(getattr(record, name)):
            if one is not None and not least <= one <= most:
                _refuse(f"{type(record).__name__}.{name} is {one!r}, and can be from {least:g} to {most:g}")


def _numbers(value: Any) -> tuple[float | None, ...]:
    if isinstance(value, Mapping):
        return tuple(cast(Mapping[str, float], value).values())
    return cast(tuple[float, ...], value) if isinstance(value, tuple) else (value,)


def _check_choice(choice: ModelChoice) -> None:
    try:
        preset_of(choice)
    except AgentError as error:
        _refuse(str(error))


def _check_term(skeleton: Skeleton, symbols: set[str]) -> None:
    try:
        unknown = variables(skeleton) - symbols - {"t"}
    except TermError as error:
        _refuse(str(error))
    if unknown:
        _refuse(f"the term {skeleton[:60]!r} names {', '.join(sorted(unknown))}, which the data do not have")


def _refuse(reason: str) -> NoReturn:
    raise ExportError(THING, reason, "It is damaged, or DoLQ did not write it; nothing was stored.")
