"""What one person may use of a server that several share: runs, rows, seconds of computing, tokens."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from dolq_core.errors import DolqError
from dolq_core.loop import calls_of
from dolq_core.ports import RunInfo, Store
from dolq_core.records import Dataset, Entry, Iteration
from dolq_core.runs.recent import Recent


@dataclass(frozen=True, slots=True)
class Allowance:
    """The most that each owner may have; None where there is no limit, as on one's own computer.

    Attributes:
        runs: that are stored.
        rows: samples of one data set, all its runs together.
        seconds: of computing, of all runs together.
        tokens: of language models, read and written, of all runs together.
    """

    runs: int | None = None
    rows: int | None = None
    seconds: int | None = None
    tokens: int | None = None


class AllowanceError(DolqError):
    """More was asked for than a person may use of this server."""


VARIABLES = {name: f"DOLQ_MAX_{name.upper()}" for name in ("runs", "rows", "seconds", "tokens")}
"""The variable of the environment that sets each limit."""
ASK = "Ask whoever runs this server for more."


def allowance(environment: Mapping[str, str] | None = None) -> Allowance:
    """Return the limits that the server's environment sets; raise AllowanceError where one is no whole number."""
    given = os.environ if environment is None else environment
    return Allowance(**{name: _limit(variable, given.get(variable, "")) for name, variable in VARIABLES.items()})


def _limit(variable: str, text: str) -> int | None:
    if not text.strip():
        return None
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise AllowanceError(variable, f"{text!r} is not a whole number from 0 on", "Set it right, or leave it out.")
    return number


def allow_run(store: Store, dataset: Dataset) -> None:
    """Raise AllowanceError where the owner may not store another run, or none with so many rows."""
    most = allowance()
    rows = sum(len(run.t) for run in dataset.trajectories)
    if most.rows is not None and rows > most.rows:
        way_out = f"Thin or cut the table. {ASK}"
        raise AllowanceError("The data", f"they have {rows:,} rows, and this server takes {most.rows:,}", way_out)
    if most.runs is not None and len(store.runs()) >= most.runs:
        raise AllowanceError("A new run", f"you have all {most.runs:,} runs that each may have on this server", ASK)


def allow_step(store: Store) -> None:
    """Raise AllowanceError where the owner has used the seconds or the tokens that each may use."""
    most = allowance()
    if most.seconds is None and most.tokens is None:
        return
    used = [_used(store, info) for info in store.runs()]
    seconds, tokens = sum(one[1] for one in used), sum(one[2] for one in used)
    if most.seconds is not None and seconds >= most.seconds:
        _refuse(f"{seconds:,.0f} of {most.seconds:,} seconds of computing")
    if most.tokens is not None and tokens >= most.tokens:
        _refuse(f"{tokens:,} of {most.tokens:,} tokens")


def _refuse(used: str) -> None:
    way_out = f"What is stored stays, and can be looked at and taken along. {ASK}"
    raise AllowanceError("Another iteration", f"you have used {used} that each may use on this server", way_out)


_known: Recent[str, tuple[int, float, int]] = Recent(4096)


def _used(store: Store, info: RunInfo) -> tuple[int, float, int]:
    """Return the length of a run's log, and the seconds and tokens in it; only what came since is read."""
    entries, seconds, tokens = _known.get(info.id) or (0, 0.0, 0)
    if info.entries > entries:
        news = store.entries(info.id, since=entries)
        entries += len(news)
        seconds += sum(map(_seconds, news))
        tokens += sum(call.tokens_in + call.tokens_out for entry in news for call in calls_of(entry))
        _known.put(info.id, (entries, seconds, tokens))
    return entries, seconds, tokens


def _seconds(entry: Entry) -> float:
    return sum(entry.seconds.values()) if isinstance(entry, Iteration) else 0.0
