"""Where a run stands: in one line for a list, as equations to read, and as the result document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dolq_core import loop
from dolq_core.agents.llm import cost
from dolq_core.blocks import in_words
from dolq_core.errors import grouped
from dolq_core.export import latex
from dolq_core.export.result import as_read, readable
from dolq_core.export.result import result as result_document
from dolq_core.fitting import names_of
from dolq_core.fitting.limits import is_explained
from dolq_core.fitting.provenance import given_words, held_words, prepared_words
from dolq_core.loop.status import FOUND
from dolq_core.ports import RunInfo, Store
from dolq_core.records import AT_FLOOR, STANDS, TAKEN, RunState, Status, TermKey
from dolq_core.records.state import AWAITED
from dolq_core.runs import Run, load
from dolq_core.runs.recent import Recent
from dolq_core.terms import to_words
from dolq_core.views import printed
from dolq_core.views.constants import Shared, shared
from dolq_core.views.labels import called, in_text, spoken
from dolq_core.views.system import driven, hidden_of, statuses

WAITING = "Waiting for you"
STANDS_ANYWAY = "The law stands unless you choose otherwise."
"""Where a law is settled and something of it in dispute."""
MOST_NAMED = 2
"""States that a verdict names; of more it gives the number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in one line.

    Attributes:
        status: how many equations stand where: "settled 2 of 2", "settled 1 of 2, no law 1 of 2"; of a system of one
            "settled"; "no iteration yet".
        settled: whether every equation is.
        terms: of all best equations together.
        error: integral NMSE of the worst state; inf where the simulation failed, None before there is a system, and
            where no iteration has simulated the one that a person's word has put first.
        held_out: the same on the held-out part; None without one.
        tokens: read and written by language models; None where none takes part.
        laws: LaTeX of the equations that have a law.
    """

    status: str
    settled: bool
    terms: int
    error: float | None
    held_out: float | None
    tokens: int | None
    laws: tuple[str, ...] = ()


def summary_of(state: RunState) -> Summary:
    """Return where a run stands, in one line."""
    stands: list[Status] = [status for status, _ in statuses(state)]
    scores = state.trajectory
    return Summary(
        status=_counted(state) if state.iteration else "no iteration yet",
        settled=bool(state.iteration) and set(stands) == {"settled"},
        terms=sum(len(visited.fit.terms) for visited in state.best if visited is not None),
        error=max(scores.nmse) if scores else None,
        held_out=max(scores.held_out) if scores and scores.held_out else None,
        tokens=None if state.models is None else state.spent.tokens_in + state.spent.tokens_out,
        laws=tuple(
            latex.equation(visited.reported, names_of(state.problem.dataset))
            for one, visited in zip(stands, state.best, strict=True)
            if one != "none" and visited is not None and visited.fit.terms
        ),
    )


def stands(state: RunState) -> tuple[tuple[Status, bool, float], ...]:
    """Return of each equation its verdict, whether it explains the samples to their noise, and an NMSE.

    The last is what a simulation misses where it misses noise alone: AT_FLOOR times that of a sample, squared.
    """
    noise = state.last.target.noise if state.last else (0.0,) * len(state.best)
    runs = [one.x for one in state.problem.dataset.trajectories]
    # as the errors are: each run is measured by how it varies itself, not by how far it lies from the others
    spread = np.average([np.nanvar(x, axis=0) for x in runs], axis=0, weights=[len(x) for x in runs]).tolist()
    return tuple(
        (
            stands,
            best is not None and is_explained(best),
            (AT_FLOOR * noise[j]) ** 2 / spread[j] if spread[j] > 0.0 else 0.0,
        )
        for j, (best, (stands, _)) in enumerate(zip(state.best, statuses(state), strict=True))
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the whole system stands: the weakest verdict of its equations, and the words for it."""

    status: Status
    words: str


def verdict(state: RunState) -> Outcome:
    """Return the verdict on the whole system: settled only where every equation is."""
    if not state.iteration:
        return Outcome("none", "No iteration yet")
    said = statuses(state)
    stands: list[Status] = [status for status, _ in said]
    weakest: Status = next(one for one in reversed(STANDS) if one in stands)
    weak = [j for j, one in enumerate(stands) if one == weakest]
    awaited = [j for j in weak if loop.is_awaited(state, j)]
    weak, words = (awaited, waiting(*(said[j][1] for j in awaited))) if awaited else (weak, STANDS[weakest])
    if len(weak) == len(stands):
        return Outcome(weakest, words.capitalize())
    names = [state.problem.dataset.states[j].name for j in weak]
    where = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} of {len(stands)} equations"
    return Outcome(weakest, f"{words.capitalize()} in {where}")


def asked(state: RunState) -> str:
    """Return what a person is asked of the law, as a badge beside the verdict says it; empty where nothing is.

    Where every equation is settled a disputed term waits for nobody; words that speak of something else do. A term that
    was only tried is none of the law's.
    """
    last = state.last
    if last is None or not loop.asks_person(state):
        return ""
    laws = [best.fit if best else tried for best, tried in zip(state.best, last.attempt, strict=True)]
    own = {TermKey(fit.equation, term.skeleton) for fit in laws if fit for term in fit.terms}
    count = sum(verdict.conflict and verdict.key in own for verdict in last.verdicts)
    if not count:
        return WAITING if last.evaluation.review.conflict else ""
    if not loop.is_found(state):
        return WAITING
    return f"{grouped(count)} {'term' if count == 1 else 'terms'} in dispute"


def found(state: RunState) -> str:
    """Return what a run that ended because all was found says, with what of it is in dispute."""
    said = asked(state)
    if not said:
        return FOUND
    return f"{FOUND} Words and data disagree." if said == WAITING else f"{FOUND} {said}. {STANDS_ANYWAY}"


def waiting(*reasons: str) -> str:
    """Return what stands in the place of "no law", by the reasons of the equations that wait for an iteration."""
    return TAKEN.lower() if all(reason.startswith(TAKEN) for reason in reasons) else AWAITED


def record(run: Run) -> str:
    """Return how often laws with this much evidence were the true law in tests; empty where none is alike."""
    return loop.record_in_words(run.state)


def _counted(state: RunState) -> str:
    """Say how many equations stand where, the settled ones first; of a single one, where it stands."""
    said = [
        (list(STANDS).index(stands), waiting(reason) if loop.is_awaited(state, j) else STANDS[stands])
        for j, (stands, reason) in enumerate(statuses(state))
    ]
    if len(said) == 1:
        return said[0][1]
    return ", ".join(f"{words} {said.count((rank, words))} of {len(said)}" for rank, words in sorted({*said}))


_summaries: Recent[tuple[str, str, int], Summary] = Recent(1000)


def summary(store: Store, info: RunInfo) -> Summary:
    """Return a run in one line; its log is read only when it has grown since."""
    place = store.owner, info.id, info.entries
    return _summaries.once(place, lambda: summary_of(load(store, info.id).state))


def result(run: Run) -> dict[str, Any]:
    """Return the result document, `dolq-result/1`."""
    return _document(run, [one.document() for one in constants(run)])


def constants(run: Run) -> tuple[Shared, ...]:
    """Return the numbers of a law that are one in several places; none while an equation has no law."""
    has_law = bool(run.state.iteration) and all(status != "none" for status, _ in statuses(run.state))
    return shared(run) if has_law else ()


def _document(run: Run, equal: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    names = names_of(run.state.problem.dataset)
    stopped = loop.reason_to_stop(run.state) or run.state.paused
    known = loop.record(run.state)
    record = None if known is None else (known.right, known.tests, known.right_unseen, known.unseen)
    entries = loop.standing(run.entries)
    return result_document(entries, run.state, names, statuses(run.state), stopped, record, equal)


def equations(run: Run, digits: int | None = None) -> list[str]:
    """Return one line per equation for a person to read, in the columns' own names, numbers rounded.

    digits: of every number; None: those of `read`.
    """
    known = called(names_of(run.state.problem.dataset))
    return readable(read(run, _document(run)), known) if digits is None else readable(_document(run), known, digits)


def read(run: Run, document: dict[str, Any]) -> dict[str, Any]:
    """Return a result document with the law as the pages print it, and as many digits as its simulation takes."""
    fits = [visited.reported if visited else None for visited in run.state.best]
    return as_read(document, fits, in_text(names_of(run.state.problem.dataset)), printed.digits(run))


def provenance(run: Run) -> tuple[str, ...]:
    """Return what was done to the data before they were fitted, what the table gives besides, and what is allowed.

    And what inputs were taken to do between samples, and what of a hidden state is a convention.
    """
    problem = run.state.problem
    data = driven(run)
    said = (given_words(data).strip(), held_words(data).strip())
    allowed = in_words(
        problem.blocks, spoken(names_of(problem.dataset)), lambda term, own: to_words(term, in_text(own))
    )
    hidden = (hidden_of(run.state, j) for j in problem.dataset.hidden)
    return (*prepared_words(problem.dataset), *filter(None, said), *allowed, *hidden)


def spent_money(state: RunState) -> float:
    """Return what the calls of a run have cost, by the prices that the person gave."""
    return cost(state.models, state.spent.tokens_in, state.spent.tokens_out) if state.models else 0.0
