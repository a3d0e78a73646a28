"""What language models have used in a run, and what of their replies was not used, in sentences."""

from collections.abc import Sequence

from dolq_core.errors import grouped
from dolq_core.loop import calls_of
from dolq_core.records import Entry, Iteration

MOST = 20
"""Refusals that are listed."""


def model_usage(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return a sentence on calls, tokens and looks, one on each refusal and each lifted ban; empty without models."""
    calls = [call for entry in entries for call in calls_of(entry)]
    if not calls:
        return ()
    tokens = sum(call.tokens_in + call.tokens_out for call in calls)
    failed = sum(bool(call.failure) for call in calls)
    looks = sum(len(call.looks) for call in calls)
    refused = [sentence for entry in entries if isinstance(entry, Iteration) for sentence in _refused(entry)]
    counted = f"{len(calls)} calls" + (f" ({failed} failed)" if failed else "")
    head = f"Language models: {counted}, {grouped(tokens)} tokens, {looks} looks, {len(refused)} things not used."
    more = [f"... and {len(refused) - MOST} more, in the history of the run."] if len(refused) > MOST else []
    lifted = [sentence for entry in entries if isinstance(entry, Iteration) for sentence in _lifted(entry)]
    return (head, *refused[:MOST], *more, *lifted)


def _refused(done: Iteration) -> list[str]:
    said = [f"{one.text}: {one.reason}" for one in done.proposal.refused]
    return [f"Not used in iteration {done.number}: {text}" for text in (*said, *done.evaluation.review.notes)]


def _lifted(done: Iteration) -> list[str]:
    return [
        f"The Scientist let in {lift.key.skeleton} again after iteration {done.number}: {lift.reason}"
        for lift in done.evaluation.review.lifts
    ]
