"""One question to a language model: the form it understands, retries, one repair, every attempt on record."""

import json
import time
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, cast

from pydantic import ValidationError
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.extract import extract
from dolq_core.agents.llm.looks import Looker
from dolq_core.agents.llm.schemas import Shape, faults, looking, schema_of, usable
from dolq_core.agents.providers.scripted import RecordedModel
from dolq_core.errors import AgentError, ChatError
from dolq_core.ports import Ask, ChatModel, ChatReply, ChatRequest, Form
from dolq_core.records import DECLINED, UNREAD, Look, ModelCall

ATTEMPTS = 4
"""Attempts at one request before it is given up."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
DEADLINE_S = 120.0
FORMS: Final[tuple[Form, ...]] = ("tools", "json_schema", "json_object", "plain")
"""How replies are asked for, the first that a server takes; functions only where there is something to look at."""
QUOTED = 1500
"""Characters of an unusable reply that are quoted back."""
MOST_LOOKS = 12
"""Looks that one reply may ask for."""
SILENT = ("refusal", "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")
"""Reasons to stop with which a model declines; asking again is of no use."""

Reply = TypeVar("Reply", bound=Shape)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, in which role, how the model is to sample, and what it may look at first."""

    role: str
    system: str
    prompt: str
    temperature: float
    max_tokens: int
    looker: Looker | None = None


@dataclass(frozen=True, slots=True)
class Answered(Generic[Reply]):
    """What came of a question: a reply, or None; every attempt; and what had to be left out, in words."""

    reply: Reply | None
    calls: tuple[ModelCall, ...]
    notes: tuple[str, ...] = ()


class LiveLine:
    """What stands between a question and a model: time, patience, and the form that its server understands.

    Forms are remembered per server and model for as long as the program runs.
    """

    known: dict[tuple[str, str], Form] = {}

    def __init__(self, model: ChatModel) -> None:
        self._key = (model.server, model.choice.model)

    def form(self) -> Form:
        """Return the form that this server took last, at first the strictest."""
        return self.known.get(self._key, FORMS[0])

    def step_down(self, form: Form) -> bool:
        """Remember that the server does not take this form; return whether there is a plainer one."""
        at = FORMS.index(form) + 1
        if at < len(FORMS):
            self.known[self._key] = FORMS[at]
        return at < len(FORMS)

    def wait(self, seconds: float) -> None:
        """Wait before the next attempt."""
        time.sleep(seconds)

    def elapsed(self, since: float) -> float:
        """Return the seconds since `since` (`time.perf_counter`)."""
        return round(time.perf_counter() - since, 3)

    def looked(self, since: float, number: int) -> float:
        """Return the seconds of the look with that number of the last reply."""
        return self.elapsed(since)


class RecordedLine(LiveLine):
    """The line of a run that is played again: nothing waits, and forms and times are as they were."""

    def __init__(self, model: RecordedModel) -> None:
        super().__init__(model)
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

    def looked(self, since: float, number: int) -> float:
        """Return how long the recorded look took."""
        return self._model.look_seconds(number)


class Asker:
    """Asks one model in one role."""

    def __init__(self, model: ChatModel, allowance: Allowance, line: LiveLine | None = None) -> None:
        self.model = model
        self._allowance = allowance
        self._line = line or (RecordedLine(model) if isinstance(model, RecordedModel) else LiveLine(model))
        self._calls: list[ModelCall] = []

    def ask(self, question: Question, shape: type[Reply]) -> Answered[Reply]:
        """Return the reply in its shape, or what is usable of it; raise AgentError when no reply can be had.

        While it may look, a model may ask for looks in place of its reply; it is asked again with what they show.
        """
        self._calls = []
        text, why, plain = "", "", None
        seen: list[Look] = []
        while True:
            parts = [question.prompt, _seen(seen) if seen else "", _again(text, why) if why else ""]
            prompt = "\n\n".join(part for part in parts if part)
            got = self._sent(replace(question, prompt=prompt), shape)
            if got.finish in SILENT:
                return Answered(None, tuple(self._calls), (f"{DECLINED} ({got.finish}){_words(got.text)}.",))
            asks = self._asks(got, question.looker)
            if asks and question.looker is not None:
                seen += self._looked(asks, question.looker)
                continue
            was_asked_again, text = bool(why), got.text
            plain = extract(text, _needed(shape), next(iter(shape.model_fields)))
            why = plain if isinstance(plain, str) else _faults(shape, plain)
            if not why:
                return Answered(shape.model_validate(plain), tuple(self._calls))
            if got.finish in ("length", "max_tokens"):
                why += f" (it was cut after {question.max_tokens} tokens: be brief)"
            if was_asked_again:
                break
        reply, dropped = (None, [why]) if isinstance(plain, str) else usable(shape, plain)
        notes = [f"{UNREAD}{one}." for one in dropped]
        return Answered(reply, tuple(self._calls), tuple(notes))

    def _asks(self, got: ChatReply, looker: Looker | None) -> list[Ask]:
        """Return the looks that a reply asks for, by functions or in its JSON; none when no more may be taken."""
        if looker is None or not looker.left:
            return []
        if got.asks:
            return list(got.asks)
        plain = extract(got.text, {"looks"}) if '"looks"' in got.text else ""
        looks = plain.get("looks") if isinstance(plain, dict) else None
        some = cast(list[object], looks) if isinstance(looks, list) else []
        asked = [cast(dict[str, Any], one) for one in some if isinstance(one, dict)]
        return [Ask(str(one.get("look", "")), json.dumps(one, ensure_ascii=False)) for one in asked]

    def _looked(self, asks: list[Ask], looker: Looker) -> list[Look]:
        """Take the looks and put them on record with the call that asked for them."""
        looks: list[Look] = []
        for number, ask in enumerate(asks[:MOST_LOOKS]):
            began = time.perf_counter()
            answer = looker.take(ask)
            looks.append(Look(ask.name, ask.arguments, answer, self._line.looked(began, number)))
        self._calls[-1] = replace(self._calls[-1], looks=tuple(looks))
        return looks

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
        form, tools = self._line.form(), ()
        looker = question.looker if question.looker is not None and question.looker.left else None
        if looker is None:
            form = FORMS[max(FORMS.index(form), 1)]
        elif form == "tools":
            question, tools = replace(question, prompt=f"{question.prompt}\n\n{looker.count}"), looker.tools
        else:
            question, shape = replace(question, prompt=f"{question.prompt}\n\n{looker.offer}"), looking(shape)
        request = ChatRequest(
            question.system,
            question.prompt,
            question.temperature,
            question.max_tokens,
            form,
            question.role,
            schema_of(shape),
            DEADLINE_S,
            tools,
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


def _seen(looks: list[Look]) -> str:
    """What was looked at so far."""
    return "\n".join(["# What you have looked at", *(f"{one.name} {one.asked}\n{one.answer}" for one in looks)])


def _again(text: str, why: str) -> str:
    """What was wrong with the last reply."""
    quoted = json.dumps(text[:QUOTED] + ("..." if len(text) > QUOTED else ""), ensure_ascii=False)
    return f"Your last reply could not be used: {why}. It was: {quoted}\nAnswer with the JSON object alone."
