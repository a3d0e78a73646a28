"""A short word with a model, to learn whether it answers and in which forms."""

import time
from dataclasses import dataclass

from dolq_core.agents.llm.asking import FORMS
from dolq_core.agents.llm.extract import extract
from dolq_core.agents.llm.schemas import Shape, schema_of
from dolq_core.errors import ChatError
from dolq_core.ports import ChatModel, ChatRequest

DEADLINE_S = 30.0
TOKENS = 400
SYSTEM = "You answer with one JSON object and nothing else."
PROMPT = 'What is two plus three? The form of the answer: {"answer": "the number in digits"}'


class _Sum(Shape):
    answer: str | int


@dataclass(frozen=True, slots=True)
class FormTried:
    """One way of asking: `ok` with the seconds it took, or what went wrong as a sentence."""

    form: str
    ok: bool
    words: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Connection:
    """What a test of a model showed. answered_by: the model's name in its reply; tokens: what the test has used."""

    server: str
    answered_by: str
    tried: tuple[FormTried, ...]
    tokens: int

    @property
    def ok(self) -> bool:
        """Whether the model can be used."""
        return any(one.ok for one in self.tried)


def connection(model: ChatModel) -> Connection:
    """Ask a small sum in every form, once each; a failure that all forms share ends the test."""
    tried: list[FormTried] = []
    name, tokens = "", 0
    for form in FORMS:  # the first offers nothing to look at, only the function of the reply
        request = ChatRequest(SYSTEM, PROMPT, 0.0, TOKENS, form, "sum", schema_of(_Sum), DEADLINE_S)
        began = time.perf_counter()
        try:
            reply = model.send(request)
        except ChatError as error:
            tried.append(FormTried(form, False, str(error), time.perf_counter() - began))
            if error.kind not in ("format", "parameter"):
                break
            continue
        name, tokens = reply.model or name, tokens + reply.tokens_in + reply.tokens_out
        found = extract(reply.text, {"answer"})
        right = isinstance(found, dict) and "5" in str(found.get("answer"))
        words = "answers as asked" if right else f"answers something else: {reply.text[:80]!r}"
        tried.append(FormTried(form, right, words, time.perf_counter() - began))
    return Connection(model.server, name, tuple(tried), tokens)
