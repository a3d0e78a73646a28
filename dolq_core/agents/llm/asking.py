"""One question to a language model: the form it understands, retries, one repair, every attempt on record."""

import json
import time
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from pydantic import ValidationError
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.extract import extract
from dolq_core.agents.llm.schemas import Shape, faults, schema_of, usable
from dolq_core.agents.providers.scripted import RecordedModel
from dolq_core.errors import AgentError, ChatError
from dolq_core.ports import ChatModel, ChatReply, ChatRequest, Form
from dolq_core.records import ModelCall

ATTEMPTS = 4
"""Attempts at one request before it is given up."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
DEADLINE_S = 120.0
FORMS: tuple[Form, ...] = ("json_schema", "json_object", "plain")
QUOTED = 1500
"""Characters of an unusable reply that are quoted back."""
SILENT = ("refusal", "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")
"""Reasons to stop with which a model declines; asking again is of no use."""

Reply = TypeVar("Reply", bound=Shape)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in which role, and how the model is to sample."""

    role: str
    system: str
    prompt: str
    temperature: float
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Answer(Generic[Reply]):
    """What came of a question: a reply, or None; every attempt; and what had to be left out, in words."""

    reply: Reply | None
    calls: tuple[ModelCall, ...]
    notes: tuple[str, ...] = ()


class Line(Protocol):
    """What stands between a question and a model: time, patience, and the form that its server understands."""

    def form(self) -> Form:
        """Return how to ask for the shape of the next reply."""
        ...

    def step_down(self, form: Form) -> bool:
        """Remember that the server does not take this form; return whether there is a plainer one."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait before the next attempt."""
        ...

    def elapsed(self, since: float) -> float:
        """Return the seconds since `since` (`time.perf_counter`)."""
        ...


class LiveLine:
    """The real thing; forms are remembered per server and model for as long as the program runs."""

    known: dict[tuple[str, str], Form] = {}

    def __init__(self, model: ChatModel) -> None:
        self._key = (model.server, model.choice.model)

    def form(self) -> Form:
        """Return the form that this server took last, at first the strictest."""
        return self.known.get(self._key, FORMS[0])

    def step_down(self, form: Form) -> bool:
        """Remember the next plainer form; return whether there is one."""
        at = FORMS.index(form) + 1
        if at < len(FORMS):
            self.known[self._key] = FORMS[at]
        return at < len(FORMS)

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)

    def elapsed(self, since: float) -> float:
        """Return the time on the clock."""
        return round(time.perf_counter() - since, 3)


class RecordedLine:
    """The line of a run that is played again: nothing waits, and forms and times are as they were."""

    def __init__(self, model: RecordedModel) -> None:
        self._model = model

    def form(self) -> Form:
        """Return the form of the next recorded attempt."""
        return self._model.form or FORMS[0]

    def step_down(self, form: Form) -> bool:
        """Return whether there was a plainer form; the record knows which came next."""
        return form != FORMS[-1]

    def wait(self, seconds: float) -> None:
        """Do not wait."""

    def elapsed(self, since: float) -> float:
        """Return how long the recorded attempt took."""
        return self._model.seconds


class Asker:
    """Asks one model in one role."""

    def __init__(self, model: ChatModel, allowance: Allowance, line: Line | None = None) -> None:
        self.model = model
        self._allowance = allowance
        self._line = line or (RecordedLine(model) if isinstance(model, RecordedModel) else LiveLine(model))
        self._calls: list[ModelCall] = []

    def ask(self, question: Question, shape: type[Reply]) -> Answer[Reply]:
        """Return the reply in its shape, or what is usable of it; raise AgentError when no reply can be had."""
        self._calls = []
        text, why, plain = "", "", None
        for prompt in (question.prompt, ""):
            asked = replace(question, prompt=prompt or _again(question.prompt, text, why))
            got = self._sent(asked, shape)
            if got.finish in SILENT:
                return Answer(
                    None, tuple(self._calls), (f"The model declined to answer ({got.finish}){_words(got.text)}.",)
                )
            text = got.text
            plain = extract(text, _needed(shape), next(iter(shape.model_fields)))
            why = plain if isinstance(plain, str) else _faults(shape, plain)
            if not why:
                return Answer(shape.model_validate(plain), tuple(self._calls))
            if got.finish in ("length", "max_tokens"):
                why += f" (it was cut after {question.max_tokens} tokens: be brief)"
        reply, dropped = (None, [why]) if isinstance(plain, str) else usable(shape, plain)
        notes = [f"The reply could not be read as asked, also not when asked again: {one}." for one in dropped]
        return Answer(reply, tuple(self._calls), tuple(notes))

    def _sent(self, question: Question, shape: type[Shape]) -> ChatReply:
        """Send until there is a reply: plainer forms for servers that know no other, patience for busy ones."""
        while True:
            try:
                return self._patiently(question, shape)
            except ChatError as error:
                form: Form = self._calls[-1].form if self._calls else FORMS[0]  # type: ignore[assignment]
                if error.kind == "parameter" or (error.kind == "format" and self._line.step_down(form)):
                    continue
                raise self._given_up(error) from None

    def _patiently(self, question: Question, shape: type[Shape]) -> ChatReply:
        policy = Retrying(
            retry=retry_if_exception(_is_worth_waiting),
            stop=stop_after_attempt(ATTEMPTS),
            wait=_wait,
            sleep=self._line.wait,
            reraise=True,
        )
        return policy(self._once, question, shape)

    def _once(self, question: Question, shape: type[Shape]) -> ChatReply:
        try:
            self._allowance.check(self._calls)
        except AgentError as error:
            error.calls = tuple(self._calls)
            raise
        form = self._line.form()
        request = ChatRequest(
            question.system,
            question.prompt,
            question.temperature,
            question.max_tokens,
            form,
            question.role,
            schema_of(shape),
            DEADLINE_S,
        )
        began = time.perf_counter()
        try:
            reply = self.model.send(request)
        except ChatError as error:
            self._note(question, form, began, ChatReply(""), error)
            raise
        self._note(question, form, began, reply, None)
        return reply

    def _note(self, question: Question, form: Form, began: float, reply: ChatReply, error: ChatError | None) -> None:
        if error is not None and error.kind == "script":
            return
        choice = self.model.choice
        self._calls.append(
            ModelCall(
                role=question.role,
                provider=choice.provider,
                model=choice.model,
                prompt=question.prompt,
                reply=reply.text,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                seconds=self._line.elapsed(began),
                error=f"{error.thing}: {error.reason}" if error else "",
                server=self.model.server,
                answered_by=reply.model,
                system=question.system,
                form=form,
                temperature=question.temperature,
                max_tokens=question.max_tokens,
                finish=reply.finish,
                tokens_reasoning=reply.tokens_reasoning,
                failure=error.kind if error else "",
                way_out=error.way_out if error else "",
                retry_after=error.retry_after if error else None,
            )
        )

    def _given_up(self, error: ChatError) -> AgentError:
        times = f" ({len(self._calls)} attempts)" if error.passing else ""
        said = AgentError(error.thing, error.reason + times, error.way_out)
        said.calls = tuple(self._calls)
        return said


def _is_worth_waiting(error: BaseException) -> bool:
    return isinstance(error, ChatError) and error.passing and (error.retry_after or 0.0) <= LONGEST_WAIT_S


def _wait(state: RetryCallState) -> float:
    """What the server asks for (a minute at most, else it is not waited for), or 1, 2, 4 ... seconds."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, ChatError) else None
    doubled = FIRST_WAIT_S * 2.0 ** (state.attempt_number - 1)
    return min(doubled, LONGEST_WAIT_S) if asked is None else asked


def _faults(shape: type[Shape], plain: dict[str, Any]) -> str:
    try:
        shape.model_validate(plain)
    except ValidationError as error:
        return faults(error)
    return ""


def _needed(shape: type[Shape]) -> set[str]:
    return {name for name, field in shape.model_fields.items() if field.is_required()}


def _words(text: str) -> str:
    return f": {' '.join(text.split())[:300]}" if text.strip() else ""


def _again(prompt: str, text: str, why: str) -> str:
    """The question once more, with what was wrong with the reply."""
    quoted = json.dumps(text[:QUOTED] + ("..." if len(text) > QUOTED else ""), ensure_ascii=False)
    return f"{prompt}\n\nYour last reply could not be used: {why}. It was: {quoted}\nAnswer with the JSON object alone."
