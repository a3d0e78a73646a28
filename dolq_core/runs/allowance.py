"""What one person may use of a server that several share: runs, rows, seconds of computing, tokens."""

import os
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from dolq_core import clock
from dolq_core.agents import connected
from dolq_core.agents.providers import LETTERS, is_own, preset_of
from dolq_core.errors import DolqError, grouped
from dolq_core.ports import LOCAL, PROGRAM, ChatModel, ChatReply, ChatRequest, Store
from dolq_core.records import Dataset, ModelChoice


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that each owner may have; None where there is no limit, as on one's own computer.

    Attributes:
        runs: that are stored.
        rows: samples of one data set, all its runs together.
        seconds: of computing, of runs and campaigns together, counted here while it is done.
        tokens: of language models, read and written, of all calls together.
    """

    runs: int | None = None
    rows: int | None = None
    seconds: int | None = None
    tokens: int | None = None


class AllowanceError(DolqError):
    """More was asked for than a person may use of this server."""


VARIABLES = {name: f"DOLQ_MAX_{name.upper()}" for name in ("runs", "rows", "seconds", "tokens")}
"""The variable of the environment that sets each limit."""
SERVERS = "DOLQ_MODEL_SERVERS"
"""The variable that lists the addresses of model servers which people may use, besides the providers' own."""
ASK = "Ask whoever runs this server for more."


def allowed(environment: Mapping[str, str] | None = None) -> Quota:
    """Return the limits that the server's environment sets; raise AllowanceError where one is no whole number."""
    given = os.environ if environment is None else environment
    return Quota(**{name: _limit(variable, given.get(variable, "")) for name, variable in VARIABLES.items()})


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
    if store.owner == PROGRAM:
        return
    most = allowed()
    rows = sum(len(run.t) for run in dataset.trajectories)
    if most.rows is not None and rows > most.rows:
        way_out = f"Thin or cut the table. {ASK}"
        raise AllowanceError(
            "The data", f"they have {grouped(rows)} rows, and this server takes {grouped(most.rows)}", way_out
        )
    if most.runs is not None and len(store.runs()) >= most.runs:
        raise AllowanceError(
            "A new run", f"you have all {grouped(most.runs)} runs that each may have on this server", ASK
        )


def allow(store: Store, what: str) -> None:
    """Raise AllowanceError where the owner has used the seconds or the tokens that each may use."""
    if store.owner == PROGRAM:
        return
    most = allowed()
    if most.seconds is None and most.tokens is None:
        return
    used = store.used()
    if most.seconds is not None and used.seconds >= most.seconds:
        _refuse(what, f"{grouped(used.seconds, '.0f')} of {grouped(most.seconds)} seconds of computing")
    if most.tokens is not None and used.tokens >= most.tokens:
        _refuse(what, f"{grouped(used.tokens)} of {grouped(most.tokens)} tokens")


def _refuse(what: str, used: str) -> None:
    way_out = f"What is stored stays, and can be looked at and taken along. {ASK}"
    raise AllowanceError(what, f"you have used {used} that each may use on this server", way_out)


@contextmanager
def computing(store: Store, what: str) -> Generator[None]:
    """Allow something that computes, and count its seconds, however it ends; raise AllowanceError.

    It ends, too, where the seconds are used up meanwhile: a search with what it has found by then.
    """
    allow(store, what)
    most = None if store.owner == PROGRAM else allowed().seconds
    began = time.monotonic()
    try:
        with clock.limited(None if most is None else most - store.used().seconds):
            yield
    except clock.OutOfTime:
        if most is None or clock.is_late():  # by a limit around this one
            raise
        _refuse(what, f"all {grouped(most)} seconds of computing")
    finally:
        store.spend(time.monotonic() - began, 0)


class Metered:
    """A language model as one owner may use it: each call is allowed, and counted whatever becomes of its answer."""

    def __init__(self, model: ChatModel, store: Store) -> None:
        self.choice = model.choice
        self.server = model.server
        self._model = model
        self._store = store

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the reply; raise ChatError when there is none, AllowanceError where the owner may have none."""
        allow(self._store, "Another call of a language model")
        least = (len(request.system) + len(request.prompt)) // LETTERS
        self._store.spend(0.0, least)
        reply = self._model.send(request)
        self._store.spend(0.0, max(reply.tokens_in - least, 0) + reply.tokens_out)
        return reply


def reached(store: Store, choice: ModelChoice, key: str) -> ChatModel:
    """Return a language model for the owner of a store; raise AgentError, or AllowanceError for a foreign address.

    The server's own network must not be reached by whoever can type an address: with a login only what it lists, and
    what the providers have on the open network.
    """
    listed = {_plain(one) for one in os.environ.get(SERVERS, "").replace(",", " ").split()}
    preset, shared = preset_of(choice), store.owner not in (LOCAL, PROGRAM)
    address = choice.base_url or preset.base_url
    open_to_all = is_own(choice) and not preset.local
    if (listed or shared) and not open_to_all and _plain(address) not in listed:
        reason = "it is not among the model servers that this server lets people use"
        way_out = f"Choose a provider's own address, or ask whoever runs this server to add it to {SERVERS}."
        raise AllowanceError(f"The address {address[:200]!r}", reason, way_out)
    return Metered(connected(choice, key), store)


def _plain(address: str) -> str:
    return address.strip().rstrip("/").lower()
