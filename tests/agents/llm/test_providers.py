"""The real clients of `openai` and `google-genai` against a server on this machine that misbehaves."""

import pytest

from dolq_core.agents.providers import PRESETS, connect, key_for
from dolq_core.agents.providers.guarded import without
from dolq_core.errors import AgentError, ChatError
from dolq_core.ports import ChatRequest
from dolq_core.records import ModelChoice
from tests.agents.llm.server import Fault, Text, error, serving
from tests.waiting import LONGEST_S

KEY = "sk-marked-0123456789"
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
BOTH = pytest.mark.parametrize("provider", ["openai", "gemini"])


def model_at(server, provider, model="m"):
    return connect(ModelChoice(provider, model, server.url + ("/v1" if provider == "openai" else "")), KEY)


def request(form="plain", deadline_s=LONGEST_S):
    return ChatRequest("be brief", "what?", 0.9, 3000, form, "sampler", SCHEMA, deadline_s)


@BOTH
def test_a_reply_comes_with_its_tokens_and_its_end(provider):
    with serving(Text("hello", tokens=(100, 20, 5))) as server:
        reply = model_at(server, provider).send(request())
    assert (reply.text, reply.finish) == ("hello", "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_reasoning) == (100, 20, 5)
    assert reply.model.endswith("2026")


def test_what_is_sent_to_chat_completions():
    with serving("{}") as server:
        model_at(server, "openai").send(request("json_schema"))
    path, headers, body = server.asked[0]
    assert (path, headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert body["messages"] == [{"role": "system", "content": "be brief"}, {"role": "user", "content": "what?"}]
    assert (body["temperature"], body["max_tokens"]) == (0.9, 3000)
    assert body["response_format"]["json_schema"] == {"name": "sampler", "strict": True, "schema": SCHEMA}


def test_what_is_sent_to_gemini():
    with serving("{}") as server:
        model_at(server, "gemini").send(request("json_schema"))
    path, headers, body = server.asked[0]
    assert path.endswith("/models/m:generateContent")
    assert headers["x-goog-api-key"] == KEY
    assert body["systemInstruction"]["parts"] == [{"text": "be brief"}]
    settings = body["generationConfig"]
    assert (settings["temperature"], settings["maxOutputTokens"]) == (0.9, 3000)
    assert settings["responseMimeType"] == "application/json"
    assert settings["responseJsonSchema"] == SCHEMA


FAULTS = {
    "401": (error(401), "key"),
    "403": (error(403), "key"),
    "404": (error(404), "missing"),
    "402": (error(402), "quota"),
    "429": (error(429), "busy"),
    "429, account empty": (error(429, "insufficient_quota", code="insufficient_quota"), "quota"),
    "500": (error(500), "server"),
    "503": (error(503), "server"),
    "400 on a plain request": (error(400), "refused"),
    "cut in the middle": (Fault(200, b'{"id": "x", "choi', kind="cut"), "connection"),
    "HTML with status 200": (Fault(200, b"<html>Welcome</html>", kind="html"), "reply"),
    "broken JSON": (Fault(200, b'{"id": '), "reply"),
}


@BOTH
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_kind_and_a_way_out(provider, fault):
    answer, kind = FAULTS[fault]
    with serving(answer) as server, pytest.raises(ChatError) as caught:
        model_at(server, provider).send(request())
    assert caught.value.kind == kind
    assert "The model 'm'" in caught.value.thing
    assert caught.value.way_out


@BOTH
@pytest.mark.parametrize("form", ["json_schema", "json_object"])
def test_a_form_that_the_server_does_not_take_is_told_apart(provider, form):
    with serving(error(400, "response_format is not supported")) as server, pytest.raises(ChatError) as caught:
        model_at(server, provider).send(request(form))
    assert caught.value.kind == "format"


@BOTH
def test_the_server_says_how_long_to_wait(provider):
    with serving(error(429, retry_after="7")) as server, pytest.raises(ChatError) as caught:
        model_at(server, provider).send(request())
    assert caught.value.retry_after == 7.0


@BOTH
def test_a_reply_that_trickles_is_given_up_at_the_deadline(provider):
    slow = Fault(200, b" " * 50, kind="trickle", seconds=3.0)
    with serving(slow) as server, pytest.raises(ChatError, match=r"no whole reply (within 0\.4 s|in time)") as caught:
        model_at(server, provider).send(request(deadline_s=0.4))
    assert caught.value.kind == "timeout"


@BOTH
def test_a_refused_connection_is_said(provider):
    with serving() as server:
        url = server.url
    model = connect(ModelChoice(provider, "m", url), KEY)
    with pytest.raises(ChatError, match="refused") as caught:
        model.send(request())
    assert caught.value.kind == "connection"


@BOTH
def test_no_error_shows_the_key(provider):
    with serving(error(401, f"Incorrect API key provided: {KEY}")) as server, pytest.raises(ChatError) as caught:
        model_at(server, provider).send(request())
    assert KEY not in str(caught.value)
    assert "[the key]" in str(caught.value)


def test_no_reply_shows_the_key():
    with serving(f"your key is {KEY}") as server:
        assert model_at(server, "openai").send(request()).text == "your key is [the key]"


@pytest.mark.parametrize(
    "written",
    [
        KEY.replace("k", r"\u006B").replace("3", r"\u0033"),
        KEY.replace("-", r"\\u002d"),
        KEY.replace("-", r"\-"),
        KEY.replace("s", "%73").replace("0", "%30"),
        KEY.replace("m", "&#109;").replace("e", "&#x65;"),
        "".join(rf"\u{ord(letter):04x}" for letter in KEY),
    ],
)
def test_no_reply_brings_the_key_back_in_escapes(written):
    """A reply is read as JSON, and what is read is shown, stored and exported."""
    with serving(f'{{"insight": "It is {written}, I think"}}') as server:
        assert model_at(server, "openai").send(request()).text == '{"insight": "It is [the key], I think"}'


def test_what_only_begins_like_an_escape_costs_no_time():
    text = "\\" * 100_000 + "sk-" + "&#" + "0" * 100_000
    assert without(text, KEY) == text


def test_an_error_inside_a_good_status_is_an_error():
    body = b'{"error": {"message": "provider down", "code": 502}}'
    with serving(Fault(200, body)) as server, pytest.raises(ChatError, match="provider down") as caught:
        model_at(server, "openai").send(request())
    assert caught.value.kind == "server"


def test_a_model_that_takes_no_temperature_is_asked_without_it():
    with serving(error(400, "Unsupported value", param="temperature"), "hello") as server:
        model = model_at(server, "openai")
        with pytest.raises(ChatError) as caught:
            model.send(request())
        assert caught.value.kind == "parameter"
        assert model.send(request()).text == "hello"
    assert "temperature" in server.asked[0][2]
    assert "temperature" not in server.asked[1][2]


def test_a_model_that_counts_completion_tokens_is_asked_so():
    with serving(error(400, "Use 'max_completion_tokens' instead"), "hello") as server:
        model = model_at(server, "openai")
        with pytest.raises(ChatError):
            model.send(request())
        model.send(request())
    assert server.asked[1][2]["max_completion_tokens"] == 3000


@pytest.mark.parametrize(("text", "finish"), [(None, "safety"), ("", "stop"), ("half", "length")])
def test_gemini_says_why_it_stopped(text, finish):
    with serving(Text(text, finish)) as server:
        reply = model_at(server, "gemini").send(request())
    assert reply.finish == {"length": "max_tokens"}.get(finish, finish)
    assert reply.text == (text or "")


@pytest.mark.parametrize("key", ["schlüssel-0123", "sk-0123\nsk-4567", ""])
def test_a_key_that_can_be_none_is_refused_before_anything_is_sent(key):
    with pytest.raises(ChatError) as caught:
        connect(ModelChoice("openai", "m"), key)
    assert caught.value.kind == "key"


def test_a_local_server_needs_no_key():
    assert connect(ModelChoice("ollama", "m"), "").server == "http://localhost:11434/v1"


def test_a_provider_that_nobody_knows_is_named():
    with pytest.raises(AgentError, match="nobody"):
        connect(ModelChoice("nobody", "m"), KEY)


def test_a_key_of_the_environment_never_goes_to_a_typed_address():
    environment = {"OPENAI_API_KEY": KEY}
    assert key_for(ModelChoice("openai", "m"), "", environment) == KEY
    assert key_for(ModelChoice("openai", "m", PRESETS["openai"].base_url + "/"), "", environment) == KEY
    assert key_for(ModelChoice("openai", "m", "http://elsewhere/v1"), "", environment) == ""
    assert key_for(ModelChoice("openai", "m", "http://elsewhere/v1"), " typed ", environment) == "typed"
