"""What the loop needs from the outside, as Protocols: agents, a language model, a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from dolq_core.records import Ablation, Entry, EquationFit, Review, RunState, Sampling, Start

if TYPE_CHECKING:
    from dolq_core.fitting import Workbench  # a store knows this file and has no use for SciPy


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
    """A language model that answers one prompt with one text."""

    def ask(self, system: str, prompt: str) -> str:
        """Return the reply; raise AgentError when there is none."""
        ...


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A line of the list of runs. created and changed are ISO 8601 times in UTC."""

    id: str
    name: str
    dataset: str
    agents: str
    created: str
    changed: str
    iterations: int
    interventions: int


class Store(Protocol):
    """Append-only logs of runs."""

    def create(self, start: Start, name: str) -> str:
        """Store a new run with its first entry and return its id."""
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
