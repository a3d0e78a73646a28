"""What the loop needs from the outside, as Protocols: agents, a language model, a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

import numpy as np

from dolq_core.records import Ablation, Entry, EquationFit, ModelChoice, Review, RunState, Sampling, Start

if TYPE_CHECKING:
    from dolq_core.fitting import Workbench  # a store knows this file and has no use for SciPy


Form: TypeAlias = Literal["tools", "json_schema", "json_object", "plain"]


class Sampler(Protocol):
    """Proposes hypotheses for the whole system."""

    def propose(self, state: RunState, bench: "Workbench", rng: np.random.Generator) -> Sampling:
        """Return `state.settings.hypotheses` hypotheses or fewer; raise AgentError when there is no answer."""
        ...


class Scientist(Protocol):
    """Grades every term of the current attempt and sums up what is known."""

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: "Workbench",
        rng: np.random.Generator,
    ) -> Review:
        """Return a grade per term, by skeleton, and the insight so far; raise AgentError when there is no answer."""
        ...


class ChatModel(Protocol):
    """A language model: one request, one attempt. Who asks retries, counts and records.

    Attributes:
        choice: which model this is; server: the address it is reached at, for the record.
    """

    choice: ModelChoice
    server: str

    def send(self, request: "ChatRequest") -> "ChatReply":
        """Return the reply; raise ChatError when there is none."""
        ...


ANSWER: Final = "answer"
"""The function by which a model gives its reply where it may call others too."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call: its name, what it does, and the JSON schema of its arguments."""

    name: str
    does: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """A model's call of a function: its name, and its arguments as JSON."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent in one attempt.

    Attributes:
        form: how the shape of the reply is asked for: as the arguments of a function beside others, by a schema, as
            any JSON object, or by the prompt alone.
        schema: JSON schema of the reply, and `name`: what it is called.
        deadline_s: seconds until the whole reply must be there.
        tools: functions that may be called instead, where `form` is "tools".
    """

    system: str
    prompt: str
    temperature: float
    max_tokens: int
    form: Form
    name: str
    schema: Mapping[str, Any]
    deadline_s: float
    tools: tuple[Tool, ...] = ()

    @property
    def functions(self) -> tuple[Tool, ...]:
        """All functions to offer, that of the reply last."""
        return (*self.tools, Tool(ANSWER, "Give your reply. This ends your turn.", self.schema))


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What came back: text (empty when the model gave none) and what it cost; `finish` is the provider's word.

    asks: functions that the model called; where it called ANSWER, the arguments are the text.
    """

    text: str
    model: str = ""
    finish: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_reasoning: int = 0
    asks: tuple[Ask, ...] = ()


def told(text: str, asks: Sequence[Ask]) -> tuple[str, tuple[Ask, ...]]:
    """Return a reply's text and the calls of functions in it: a reply given by ANSWER is text like any other."""
    answers = [ask.arguments for ask in asks if ask.name == ANSWER]
    return (answers[0], ()) if answers else (text, tuple(asks))


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A line of the list of runs. created and changed are ISO 8601 times in UTC; entries: the length of the log."""

    id: str
    name: str
    dataset: str
    agents: str
    created: str
    changed: str
    iterations: int
    interventions: int
    entries: int


LOCAL: Final = "local"
"""The owner of what is made without a login: whoever can read the database."""


PROGRAM: Final = "program"
"""The owner of what the program computes for itself, such as the law of the start page: nobody's limits hold for it."""


@dataclass(frozen=True, slots=True)
class Used:
    """What an owner has used of a server so far: seconds of computing, tokens of language models."""

    seconds: float = 0.0
    tokens: int = 0

    def plus(self, seconds: float, tokens: int) -> "Used":
        """Return what is used with more; it never becomes less."""
        return Used(self.seconds + max(seconds, 0.0), self.tokens + max(tokens, 0))


@dataclass(frozen=True, slots=True)
class Waiting:
    """Entries of a run that could not be stored yet: number `first` and those after it, of the run called `name`."""

    name: str
    first: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Unstored:
    """What a store holds in memory because its place takes nothing: why, and what waits, by run."""

    error: str
    waiting: Mapping[str, Waiting]


class Store(Protocol):
    """Append-only logs of runs as one owner sees them: to anybody else a run does not exist.

    A run is removed whole or not at all.
    """

    @property
    def owner(self) -> str:
        """Return who is asking; what is created belongs to them."""
        ...

    def seen_by(self, owner: str) -> "Store":
        """Return the same store as another owner sees it."""
        ...

    def create(self, start: Start, name: str, rest: Sequence[Entry] = ()) -> str:
        """Store a new run with its log, all of it or nothing, and return its id."""
        ...

    def append(self, run: str, position: int, entry: Entry) -> None:
        """Append the entry as number `position`; raise StoreError when that place is taken or not the next."""
        ...

    def entries(self, run: str, since: int = 0) -> tuple[Entry, ...]:
        """Return the log from entry number `since` on; raise StoreError when there is no such run."""
        ...

    def runs(self) -> tuple[RunInfo, ...]:
        """Return all runs, the last changed first."""
        ...

    def rename(self, run: str, name: str) -> None:
        """Give the run another name."""
        ...

    def remove(self, run: str) -> None:
        """Remove the run with its whole log, for good; raise StoreError when there is no such run."""
        ...

    def spend(self, seconds: float, tokens: int) -> None:
        """Add to what the owner has used; it never becomes less, whatever becomes of the runs."""
        ...

    def used(self) -> Used:
        """Return what the owner has used of this store's server: what was computed here, not what logs say."""
        ...
