"""What every ChatModel keeps to. A test class derives from this and has the fixture it names."""

import pytest

from dolq_core.errors import ChatError
from dolq_core.ports import ANSWER, Ask, ChatReply, ChatRequest, Tool
from tests.waiting import LONGEST_S

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
LOOK = Tool("gain", "what a term would add", SCHEMA)
FAILS = None
"""An answer of the fixture `answering`: the attempt fails."""


def request(form="plain"):
    tools = (LOOK,) if form == "tools" else ()
    return ChatRequest("be brief", "what?", 0.9, 3000, form, "sampler", SCHEMA, LONGEST_S, tools)


class ChatModelContract:
    """Fixture: answering(*answers), a context with a model that gives them: a text, an Ask, or FAILS."""

    def test_a_reply_is_the_text_and_says_what_it_cost(self, answering):
        with answering("Grün 1 µm") as model:
            reply = model.send(request())
        assert isinstance(reply, ChatReply)
        assert (reply.text, reply.asks) == ("Grün 1 µm", ())
        assert min(reply.tokens_in, reply.tokens_out, reply.tokens_reasoning) >= 0

    def test_one_request_is_one_attempt(self, answering):
        with answering("first", FAILS, "third") as model:
            assert model.send(request()).text == "first"
            with pytest.raises(ChatError):
                model.send(request())
            assert model.send(request()).text == "third"

    def test_a_failure_has_its_kind_the_thing_a_reason_and_a_way_out(self, answering):
        with answering(FAILS) as model, pytest.raises(ChatError) as caught:
            model.send(request())
        assert caught.value.kind == "server"
        assert min(map(len, (caught.value.thing, caught.value.reason, caught.value.way_out))) > 0

    def test_a_call_of_a_function_is_no_text(self, answering):
        with answering(Ask("gain", '{"a": 1}')) as model:
            reply = model.send(request("tools"))
        assert (reply.text, reply.asks) == ("", (Ask("gain", '{"a": 1}'),))

    def test_who_was_asked_stays_the_same(self, answering):
        with answering("one") as model:
            before = model.choice, model.server
            model.send(request())
            assert (model.choice, model.server) == before
        assert model.choice.model

    def test_an_answer_by_the_function_for_answers_is_text_like_any_other(self, answering):
        with answering(Ask(ANSWER, '{"a": 1}')) as model:
            reply = model.send(request("tools"))
        assert (reply.text, reply.asks) == ('{"a": 1}', ())
