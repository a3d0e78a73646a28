"""Every ChatModel keeps to one contract."""

import json
from contextlib import contextmanager

import pytest

from dolq_core.agents.providers import connect
from dolq_core.agents.providers.scripted import RecordedModel, ScriptedModel
from dolq_core.errors import ChatError
from dolq_core.ports import ChatReply, told
from dolq_core.records import Look, ModelCall, ModelChoice
from dolq_core.runs.allowance import Metered
from dolq_core.store.memory import MemoryStore
from tests.agents.llm.server import Text, error, serving
from tests.contracts.model_contract import FAILS, ChatModelContract

DOWN = ChatError("server", "The model 'm'", "it answered 500", "Try again later.")


def scripted(*answers):
    def reply(answer):
        if answer is FAILS:
            return DOWN
        text, asks = (answer, ()) if isinstance(answer, str) else told("", [answer])
        return ChatReply(text, asks=asks)

    return ScriptedModel([reply(answer) for answer in answers])


def recorded(*answers):
    def call(answer):
        if answer is FAILS:
            return ModelCall("sampler", "openai", "m", "what?", "", error=str(DOWN), failure="server", way_out="Wait.")
        reply = scripted(answer).send(None)
        looks = tuple(Look(ask.name, ask.arguments, "") for ask in reply.asks)
        return ModelCall("sampler", "openai", "m", "what?", reply.text, form="tools", looks=looks)

    return RecordedModel(ModelChoice("openai", "m"), [call(answer) for answer in answers])


def served(answer):
    if answer is FAILS:
        return error(500)
    return Text(answer) if isinstance(answer, str) else Text(None, calls=((answer.name, json.loads(answer.arguments)),))


class TestChatModels(ChatModelContract):
    @pytest.fixture(params=["scripted", "recorded", "metered", "openai", "gemini"])
    def answering(self, request):
        @contextmanager
        def answers(*given):
            if request.param in ("openai", "gemini"):
                with serving(*map(served, given)) as server:
                    path = "/v1" if request.param == "openai" else ""
                    yield connect(ModelChoice(request.param, "m", server.url + path), "sk-0123456789")
            else:
                yield {
                    "scripted": scripted,
                    "recorded": recorded,
                    "metered": lambda *given: Metered(scripted(*given), MemoryStore()),
                }[request.param](*given)

        return answers
