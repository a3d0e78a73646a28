"""What stands around every attempt: limits of time and size, a reply that can be used, no key in what comes back."""

import queue
import re
import threading
from collections.abc import Callable
from dataclasses import replace

from dolq_core.agents.providers import LETTERS
from dolq_core.agents.providers.wire import Wire
from dolq_core.errors import ChatError
from dolq_core.ports import Ask, ChatReply, ChatRequest

HIDDEN = "[the key]"
NO_KEY = "No key was sent: type it in (a reload of the page forgets it), or set the variable of the provider."
SHORTEST_KEY = 6
"""Characters from which a key can be told from common words."""


MOST_TOKENS = 10**8


def guarded(
    request: ChatRequest, key: str, thing: str, work: Callable[[Wire], ChatReply], *, is_own: bool
) -> ChatReply:
    """Return the reply of `work` or raise its ChatError, without the key; raise ChatError when it takes longer.

    The line is cut at the deadline, and the thread ends with it. Whatever a server says ends in a reply that can be
    stored and counted, or in a ChatError. is_own: whether the address is the provider's own.
    """
    wire = Wire(thing, request.deadline_s, key, is_own=is_own)
    try:
        reply = _sound(_within(request.deadline_s, thing, work, wire), request, thing)
    except ChatError as error:
        way_out = NO_KEY if error.kind == "key" and not key else error.way_out
        parts = (without(text, key) for text in (error.thing, error.reason, way_out))
        raise ChatError(error.kind, *parts, retry_after=error.retry_after) from None
    asks = tuple(Ask(without(one.name, key), without(one.arguments, key)) for one in reply.asks)
    return replace(reply, text=without(reply.text, key), model=without(reply.model, key), asks=asks)


def without(text: str, key: str) -> str:
    """Return the text with the key blotted out: servers quote it in their errors, as it is or with letters escaped.

    What is read from a reply is JSON, and pages read addresses and entities: each of these would bring it back.
    """
    return re.sub("".join(map(_written, key)), HIDDEN, text) if len(key) >= SHORTEST_KEY else text


def _written(letter: str) -> str:
    """Return a pattern for a letter as it is, or escaped as in JSON, in an address or in HTML."""
    units = letter.encode("utf-16-be").hex()
    json = "".join(rf"\\{{1,8}}u(?i:{units[k : k + 4]})" for k in range(0, len(units), 4))
    address = "".join(f"%(?i:{byte:02x})" for byte in letter.encode())
    html = rf"&#0{{0,8}}{ord(letter)};|&#[xX]0{{0,8}}(?i:{ord(letter):x});"
    return rf"(?:\\{{0,8}}{re.escape(letter)}|{json}|{address}|{html})"


def _sound(reply: ChatReply, request: ChatRequest, thing: str) -> ChatReply:
    """Return the reply with counts that are possible: no server's own word makes it free, or dearer than any."""
    asked = [text for ask in reply.asks for text in (ask.name, ask.arguments)]
    if {type(text) for text in (reply.text, reply.model, reply.finish, *asked)} != {str}:
        raise no_reply(thing, "its text, its model or its end is no text")
    return replace(
        reply,
        tokens_in=_counted(reply.tokens_in, len(request.system) + len(request.prompt)),
        tokens_out=_counted(reply.tokens_out, len(reply.text) + sum(len(one.arguments) for one in reply.asks)),
        tokens_reasoning=_counted(reply.tokens_reasoning, 0),
    )


def _counted(said: object, letters: int) -> int:
    told = said if type(said) is int and 0 <= said <= MOST_TOKENS else 0
    return max(told, letters // LETTERS)


def no_reply(thing: str, why: str) -> ChatError:
    """Return that what came back is no reply."""
    return ChatError("reply", thing, f"what came back is no reply: {why}", "Check the address: many end in /v1.")


def _within(seconds: float, thing: str, work: Callable[[Wire], ChatReply], wire: Wire) -> ChatReply:
    answers: queue.SimpleQueue[ChatReply | ChatError] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(work(wire))
        except ChatError as error:
            answers.put(error)
        except Exception as error:  # noqa: BLE001  an SDK meets what no server should say with any error at all
            answers.put(no_reply(thing, f"it cannot be read ({type(error).__name__})"))
        finally:
            wire.close()

    threading.Thread(target=run, daemon=True, name="asks a model").start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        wire.cut()
        reason = f"no whole reply within {seconds:g} s"
        raise ChatError("timeout", thing, reason, "Try again, or choose a faster model.") from None
    if isinstance(answer, ChatError):
        raise answer
    return answer
