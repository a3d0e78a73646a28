"""A model server that answers anything: bounded in size, time and tokens, and every malformed reply is a sentence."""

import gzip
import itertools
import json
import threading
import time
import tracemalloc

import pytest

from dolq_core.agents.llm.extract import MOST_PARTS, extract
from dolq_core.agents.llm.schemas import SamplerReply, usable
from dolq_core.agents.providers import connect
from dolq_core.errors import THIN, ChatError
from dolq_core.ports import ChatReply, ChatRequest
from dolq_core.records import ModelChoice
from tests.attacks.servers import endless, saying, silent, trickling_head, whole
from tests.waiting import until

KEY = "sk-marked-0123456789"
BOTH = pytest.mark.parametrize("provider", ["openai", "gemini"])


def send(url, provider="openai", deadline_s=20.0):
    model = connect(ModelChoice(provider, "m", url), KEY)
    return model.send(ChatRequest("be brief", "what is it? " * 20, 0.9, 300, "plain", "sampler", {}, deadline_s))


def refused(script, provider="openai", deadline_s=20.0) -> ChatError:
    """Ask a server that attacks, and return the sentence in which that ends."""
    with saying(script) as server, pytest.raises(ChatError) as caught:
        send(server.url, provider, deadline_s)
    assert "The model 'm'" in caught.value.thing
    assert caught.value.reason
    assert caught.value.way_out
    return caught.value


def askers() -> int:
    return sum(thread.name == "asks a model" for thread in threading.enumerate())


@BOTH
@pytest.mark.parametrize("part", [b" " * 2**20, b"1," * 2**19])
def test_a_reply_without_an_end_is_given_up_at_its_size(provider, part):
    tracemalloc.start()
    said = refused(endless(part), provider)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "larger than" in said.reason
    assert most < 100e6
    until(lambda: askers() == 0)


@BOTH
def test_a_packed_reply_that_grows_is_given_up_at_its_size(provider):
    packed = gzip.compress(b" " * 2**28)
    assert len(packed) < 2**19
    tracemalloc.start()
    said = refused(whole(packed, "Content-Encoding: gzip"), provider)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "larger than" in said.reason
    assert most < 100e6


@BOTH
def test_a_packed_reply_of_a_usual_size_is_read(provider):
    body = completion("fine") if provider == "openai" else candidates("fine")
    with saying(whole(gzip.compress(body), "Content-Encoding: gzip")) as server:
        assert send(server.url, provider).text == "fine"


TRICKLES = {
    "body": endless(b" ", 0.05),
    "head": trickling_head(0.05),
    "silence": silent,
    "a line now and then": endless(b" ", 1.5, "Content-Length: 1000000"),
}


@BOTH
@pytest.mark.parametrize("kind", TRICKLES)
def test_what_trickles_ends_at_the_deadline_and_so_does_its_thread(provider, kind):
    began = time.monotonic()
    said = refused(TRICKLES[kind], provider, deadline_s=0.4)
    assert said.kind == "timeout"
    until(lambda: askers() == 0)
    assert time.monotonic() - began < 4.0


def completion(content, usage=None, **parts) -> bytes:
    message = {"role": "assistant", "content": content}
    made = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
    made |= {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
    return json.dumps(made | parts).encode()


def candidates(text, usage=None) -> bytes:
    content = {"parts": [{"text": text}], "role": "model"}
    return json.dumps({"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}).encode()


DEEP = 1_000_000
MALFORMED = {
    "choices [null]": completion("a", choices=[None]),
    "choices 5": completion("a", choices=5),
    "choices {}": completion("a", choices={"a": 1}),
    "choices [5]": completion("a", choices=[5]),
    "choices []": completion("a", choices=[]),
    "a choice without a message": completion("a", choices=[{"index": 0}]),
    "message 5": completion("a", choices=[{"message": 5}]),
    "message null": completion("a", choices=[{"message": None}]),
    "message []": completion("a", choices=[{"message": []}]),
    "content as a list": completion([{"type": "text", "text": "a"}]),
    "content 5": completion(5),
    "content true": completion(True),
    "content {}": completion({"text": "a"}),
    "refusal 5": completion("", choices=[{"message": {"content": None, "refusal": 5}}]),
    "finish 5": completion("a", choices=[{"message": {"content": "a"}, "finish_reason": 5}]),
    "model 5": completion("a", model=5),
    "model []": completion("a", model=["m"]),
    "usage 5": completion("a", usage=5),
    "usage []": completion("a", usage=[1]),
    "tokens as text": completion("a", usage={"prompt_tokens": "many"}),
    "tokens as a list": completion("a", usage={"prompt_tokens": [1]}),
    "tokens 1.5": completion("a", usage={"prompt_tokens": 1.5}),
    "tokens 10**400": completion("a", usage={"prompt_tokens": 10**400, "completion_tokens": 1}),
    "tokens 10**5000": b'{"choices": [], "usage": {"prompt_tokens": 1' + b"0" * 5000 + b"}}",
    "tokens -1": completion("a", usage={"prompt_tokens": -1_000_000_000, "completion_tokens": -5}),
    "tokens true": completion("a", usage={"prompt_tokens": True}),
    "details 5": completion("a", usage={"prompt_tokens": 1, "completion_tokens_details": 5}),
    "reasoning -5": completion("a", usage={"completion_tokens_details": {"reasoning_tokens": -5}}),
    "error 5": completion("a", choices=None, error=5),
    "error with a list": completion("a", choices=None, error={"code": [], "message": []}),
    "error with a code of 10**400": completion("a", choices=None, error={"code": 10**400, "message": "no"}),
    "error with a code of -1": completion("a", choices=None, error={"code": -1}),
    "invalid UTF-8": b'{"choices": [{"message": {"content": "\xff\xfe"}}]}',
    "UTF-16": '{"choices": []}'.encode("utf-16"),
    "a lone surrogate": completion("\ud800 {}"),
    "NUL bytes": b"\x00" * 1000,
    "nothing": b"",
    "null": b"null",
    "5": b"5",
    "[]": b"[]",
    "a text": b'"choices"',
    "a list of lists": b"[" * DEEP + b"]" * DEEP,
    "an object a million deep": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "a million brackets": b"[" * DEEP,
    "choices a million deep": b'{"choices": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "NaN": completion("a", created=float("nan")),
    "a key twice": b'{"choices": 5, "choices": []}',
    "two documents": b"{}{}",
    "candidates [null]": b'{"candidates": [null]}',
    "candidates 5": b'{"candidates": 5}',
    "parts 5": b'{"candidates": [{"content": {"parts": 5}}]}',
    "parts [5]": b'{"candidates": [{"content": {"parts": [5]}}]}',
    "a part's text 5": b'{"candidates": [{"content": {"parts": [{"text": 5}]}}]}',
    "Gemini's tokens 10**400": candidates("a", {"promptTokenCount": 10**400}),
    "Gemini's tokens -5": candidates("a", {"promptTokenCount": -5, "thoughtsTokenCount": -7}),
    "Gemini's tokens as text": candidates("a", {"promptTokenCount": "many"}),
    "a finish of nobody": b'{"candidates": [{"finishReason": {"a": 1}}]}',
}


def sound(reply: ChatReply) -> bool:
    """Whether a reply can be stored, counted and shown."""
    counts = (reply.tokens_in, reply.tokens_out, reply.tokens_reasoning)
    texts = (reply.text, reply.model, reply.finish)
    return all(type(n) is int and 0 <= n < 10**9 for n in counts) and all(type(text) is str for text in texts)


NAMES = list(MALFORMED)
UNREADABLE = [*NAMES[NAMES.index("error 5") : NAMES.index("candidates [null]")], "tokens 10**5000"]
"""What is no object, or no plain one, and errors: where the status refuses, nothing else of a body is looked at."""
REFUSALS = zip(UNREADABLE, itertools.cycle(("400 Bad Request", "500 Oh")), strict=False)


@BOTH
@pytest.mark.parametrize(("name", "status"), [*((name, "200 OK") for name in MALFORMED), *REFUSALS])
def test_a_malformed_completion_is_a_sound_reply_or_a_sentence(name, status, provider):
    with saying(whole(MALFORMED[name], status=status)) as server:
        try:
            ended = send(server.url, provider)
        except ChatError as error:
            ended = error
    assert ended.way_out and str(ended).encode("utf-8") if isinstance(ended, ChatError) else sound(ended)


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": -5, "completion_tokens": 10**400}, {"prompt_tokens": 0}])
def test_a_server_that_tells_no_tokens_or_wrong_ones_is_not_free(usage):
    with saying(whole(completion("word " * 100, usage))) as server:
        reply = send(server.url)
    assert reply.tokens_in >= 30
    assert reply.tokens_out >= 60


LONG = 1_000_000
WRAPPED = {
    "brackets": "{" * LONG,
    "brackets with keys": '{"a":' * (LONG // 5),
    "brackets with texts": '{"' * (LONG // 2),
    "fences": "```\n" * (LONG // 4),
    "a fence and blank lines": "```" + "\n" * LONG,
    "fences and letters": "```a" * (LONG // 4),
    "commas": ", " * (LONG // 2),
    "commas and blanks": "," + " " * LONG + "{",
    "thoughts": "<think>" * (LONG // 7),
    "thoughts that end": "<think></think>" * (LONG // 15),
    "objects": "{}" * (LONG // 2),
    "objects with commas": '{"a": [1,],}' * (LONG // 12),
    "deep, with a long leaf": '{"a":' * 900 + "[" + "1," * (LONG // 2),
    "deep, again and again": ('{"a":' * 3000 + "1") * (LONG // 15_001),
    "lists, then brackets": '{"a":[' + "1," * (LONG // 4) + "{" * (LONG // 2),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_a_reply_is_taken_apart_in_time_that_grows_with_its_length(name):
    began = time.process_time()
    found = extract(WRAPPED[name], {"hypotheses"})
    assert time.process_time() - began < 4.0
    assert isinstance(found, str | dict)


FAULTY = {
    "numbers for hypotheses": {"hypotheses": [1] * (MOST_PARTS - 1)},
    "numbers for terms": {"hypotheses": [{"equations": [{"variable": "x", "terms": [1] * (MOST_PARTS - 9)}]}]},
    "empty objects": {"hypotheses": [{"equations": [{}] * (MOST_PARTS - 5)}]},
}


@pytest.mark.parametrize("name", FAULTY)
def test_what_is_usable_of_a_faulty_reply_is_found_in_bounded_time(name):
    plain = extract(json.dumps(FAULTY[name]), {"hypotheses"})
    assert isinstance(plain, dict)
    began = time.process_time()
    reply, said = usable(SamplerReply, plain)
    assert time.process_time() - began < 2.0
    assert reply is None
    assert said


def test_a_reply_of_too_many_parts_is_refused_in_words():
    assert (
        extract(json.dumps({"hypotheses": [1] * MOST_PARTS}), {"hypotheses"}) == f"it has more than 20{THIN}000 parts"
    )
