"""Language models that answer from a list or from a record: the same ChatModel port, no network."""

from collections.abc import Iterable, Sequence
from typing import cast, get_args

from dolq_core.errors import ChatError, FailureKind
from dolq_core.ports import Ask, ChatReply, ChatRequest, Form
from dolq_core.records import ModelCall, ModelChoice


class ScriptedModel:
    """Answers with the next of a list: a text, a whole reply, or an error to raise.

    Attributes:
        asked: every request so far.
    """

    def __init__(self, replies: Iterable[str | ChatReply | ChatError], choice: ModelChoice | None = None) -> None:
        self._replies = iter(replies)
        self.choice = choice or ModelChoice("scripted", "script")
        self.server = ""
        self.asked: list[ChatRequest] = []

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the next reply; raise ChatError when it is one, or when there is none left."""
        self.asked.append(request)
        answer = next(self._replies, None)
        if answer is None:
            raise ended(len(self.asked))
        if isinstance(answer, ChatError):
            raise answer
        return ChatReply(answer) if isinstance(answer, str) else answer


class RecordedModel:
    """Answers as a model answered in a recorded run, attempt by attempt, failures too."""

    def __init__(self, choice: ModelChoice, calls: Sequence[ModelCall]) -> None:
        self.choice = choice
        self.server = calls[0].server if calls else ""
        self._calls = calls
        self._next = 0

    @property
    def form(self) -> Form | None:
        """How the shape of the next reply was asked for; None when there is none left."""
        here = self._calls[self._next].form if self._next < len(self._calls) else ""
        return cast(Form, here) if here in get_args(Form) else None

    @property
    def seconds(self) -> float:
        """How long the attempt took that was answered last."""
        return self._calls[self._next - 1].seconds if self._next else 0.0

    def look_seconds(self, number: int) -> float:
        """Return how long a look took that the reply asked for which was given last."""
        looks = self._calls[self._next - 1].looks if self._next else ()
        return looks[number].seconds if number < len(looks) else 0.0

    def send(self, request: ChatRequest) -> ChatReply:
        """Return the recorded reply; raise the recorded failure, or ChatError when the record has ended."""
        if self._next == len(self._calls):
            raise ended(self._next + 1)
        call = self._calls[self._next]
        self._next += 1
        if call.failure:
            thing, _, reason = call.error.partition(": ")
            kind = cast(FailureKind, call.failure)
            raise ChatError(kind, thing, reason, call.way_out, retry_after=call.retry_after)
        asks = tuple(Ask(look.name, look.asked) for look in call.looks) if call.form == "tools" else ()
        return ChatReply(
            call.reply, call.answered_by, call.finish, call.tokens_in, call.tokens_out, call.tokens_reasoning, asks
        )


def ended(number: int) -> ChatError:
    """Return the error of a script or a record that has no further reply."""
    return ChatError("script", "The recorded replies", f"there is none for call {number}", "The record ends here.")
