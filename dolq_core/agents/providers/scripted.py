"""A language model that answers from a list: the same ChatModel port, no network."""

from collections.abc import Iterable

from dolq_core.errors import AgentError


class ScriptedModel:
    """Answers with the next reply of a list and keeps what it was asked.

    Attributes:
        asked: (system, prompt) of every call so far.
    """

    def __init__(self, replies: Iterable[str]) -> None:
        self._replies = iter(replies)
        self.asked: list[tuple[str, str]] = []

    def ask(self, system: str, prompt: str) -> str:
        """Return the next reply; raise AgentError when there is none left."""
        self.asked.append((system, prompt))
        try:
            return next(self._replies)
        except StopIteration:
            reason = f"it has no reply left for call {len(self.asked)}"
            raise AgentError("The scripted model", reason, "Give it one reply for each call.") from None
