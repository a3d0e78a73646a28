"""What stands around every attempt: a limit on the wall clock, and no key in anything that comes back."""

import queue
import threading
from collections.abc import Callable
from dataclasses import replace

from dolq_core.errors import ChatError
from dolq_core.ports import ChatReply

HIDDEN = "[the key]"
SHORTEST_KEY = 6
"""Characters from which a key can be told from common words."""


def guarded(seconds: float, key: str, thing: str, work: Callable[[], ChatReply]) -> ChatReply:
    """Return the reply of `work` or raise its ChatError, without the key; raise ChatError when it takes longer.

    An SDK's own timeout only counts silence: a reply that trickles would go on for ever. The thread that is given up
    ends by that timeout; what it returns then is dropped.
    """
    try:
        reply = _within(seconds, thing, work)
    except ChatError as error:
        parts = (without(text, key) for text in (error.thing, error.reason, error.way_out))
        raise ChatError(error.kind, *parts, retry_after=error.retry_after) from None
    return replace(reply, text=without(reply.text, key), model=without(reply.model, key))


def without(text: str, key: str) -> str:
    """Return the text with the key blotted out: servers quote it in their errors."""
    return text.replace(key, HIDDEN) if len(key) >= SHORTEST_KEY else text


def _within(seconds: float, thing: str, work: Callable[[], ChatReply]) -> ChatReply:
    answers: queue.SimpleQueue[ChatReply | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(work())
        except Exception as error:  # noqa: BLE001  raised again below, in the thread that asked
            answers.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        reason = f"no whole reply within {seconds:g} s"
        raise ChatError("timeout", thing, reason, "Try again, or choose a faster model.") from None
    if isinstance(answer, Exception):
        raise answer
    return answer
