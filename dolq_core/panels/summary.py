"""A run in one line: where it stands, how well it fits, what it took."""

from collections.abc import Sequence
from dataclasses import dataclass

from dolq_core.loop import status
from dolq_core.records import RunState, Status

WORDS: dict[Status, str] = {"settled": "settled", "provisional": "provisional", "none": "no law"}


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in one line.

    Attributes:
        status: how many equations stand where: "settled 2 of 2", "settled 1 of 2, no law 1 of 2", "not started".
        settled: whether every equation is.
        terms: of all best equations together.
        error: integral NMSE of the worst state, of the system that the last iteration simulated; inf where the
            simulation failed, None before there is a system.
        held_out: the same on the held-out part; None without one.
        tokens: read and written by language models; None where none takes part.
    """

    status: str
    settled: bool
    terms: int
    error: float | None
    held_out: float | None
    tokens: int | None


def summary(state: RunState) -> Summary:
    """Return where a run stands, in one line."""
    stands: list[Status] = [status(state, j)[0] for j in range(len(state.best))]
    scores = state.last.trajectory if state.last else None
    return Summary(
        status=_counted(stands) if state.iteration else "not started",
        settled=bool(state.iteration) and set(stands) == {"settled"},
        terms=sum(len(visited.fit.terms) for visited in state.best if visited is not None),
        error=max(scores.nmse) if scores else None,
        held_out=max(scores.held_out) if scores and scores.held_out else None,
        tokens=None if state.models is None else state.spent.tokens_in + state.spent.tokens_out,
    )


def _counted(stands: Sequence[Status]) -> str:
    """Say how many equations stand where, the settled ones first."""
    found = [(WORDS[word], stands.count(word)) for word in WORDS if word in stands]
    return ", ".join(f"{word} {count} of {len(stands)}" for word, count in found)
