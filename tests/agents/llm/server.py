"""A small server on this machine that speaks the wire formats of chat.completions and of Gemini, and misbehaves."""

import json
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    """Something else than a good reply: a status with headers and body, or a way to break off."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "json"  # json, html, cut, trickle
    seconds: float = 0.0


def is_sampler(body: dict[str, Any]) -> bool:
    """Whether the Sampler asks, and not the Scientist, whatever form of reply is asked for."""
    said = [message["content"] for message in body["messages"] if isinstance(message.get("content"), str)]
    return any('"hypotheses"' in text for text in said)


def error(status: int, message: str = "no", code: str = "", param: str = "", **headers: str) -> Fault:
    said = {"error": {"message": message, "code": code or status, "param": param, "type": "x", "status": code}}
    return Fault(status, json.dumps(said).encode(), {k.replace("_", "-"): v for k, v in headers.items()})


@dataclass(frozen=True)
class Text:
    """A reply of the model."""

    text: str | None
    finish: str = "stop"
    refusal: str | None = None
    tokens: tuple[int, int, int] = (10_000, 2_000, 0)
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()  # functions with their arguments


class ChatServer:
    """Answers one after the other; `asked` holds (path, headers, body) of every request."""

    def __init__(self, answers: Iterable[Any]) -> None:
        self._answers = iter(answers)
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self._lock = threading.Lock()
        self.url = ""

    def next(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Any:
        with self._lock:
            self.asked.append((path, headers, body))
            answer = next(self._answers, error(404, "this test has no further answer"))
        return answer(body) if isinstance(answer, Callable) else answer


class Handler(BaseHTTPRequestHandler):
    """Answers with what comes next, as the wire format of the path wants it."""

    protocol_version = "HTTP/1.1"
    chat: ChatServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        answer = self.chat.next(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
        if isinstance(answer, str):
            answer = Text(answer)
        if isinstance(answer, Text):
            made = gemini(answer) if "generateContent" in self.path else completion(answer, body["model"])
            answer = Fault(200, json.dumps(made).encode())
        try:
            self.give(answer)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def give(self, fault: Fault) -> None:
        self.send_response(fault.status)
        self.send_header("content-type", "text/html" if fault.kind == "html" else "application/json")
        for key, value in fault.headers.items():
            self.send_header(key, value)
        self.send_header("content-length", str(len(fault.body) + (500 if fault.kind == "cut" else 0)))
        self.end_headers()
        pieces = [bytes([byte]) for byte in fault.body] if fault.kind == "trickle" else [fault.body]
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            time.sleep(fault.seconds / len(pieces))
        self.close_connection = fault.kind == "cut"


@contextmanager
def serving(*answers: Any):
    """Serve the answers at `server.url` (chat.completions under /v1, Gemini at the root)."""
    server = ChatServer(answers)
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"chat": server}))
    httpd.daemon_threads = True
    threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True).start()
    server.url = f"http://127.0.0.1:{httpd.server_port}"
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()


def completion(said: Text, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call_{k}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for k, (name, arguments) in enumerate(said.calls)
        ]
    tokens_in, tokens_out, thought = said.tokens
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": f"{model}-2026",
        "choices": [{"index": 0, "message": message, "finish_reason": said.finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
            "completion_tokens_details": {"reasoning_tokens": thought},
        },
    }


def gemini(said: Text) -> dict[str, Any]:
    tokens_in, tokens_out, thought = said.tokens
    usage = {
        "promptTokenCount": tokens_in,
        "candidatesTokenCount": tokens_out - thought,
        "thoughtsTokenCount": thought,
        "totalTokenCount": tokens_in + tokens_out,
    }
    finish = {"stop": "STOP", "length": "MAX_TOKENS", "safety": "SAFETY"}[said.finish]
    content: dict[str, Any] = (
        {"parts": [{"text": said.text}], "role": "model"} if said.text is not None else {"role": "model"}
    )
    if said.calls:
        content["parts"] = [{"functionCall": {"name": name, "args": arguments}} for name, arguments in said.calls]
    return {
        "candidates": [{"content": content, "finishReason": finish, "index": 0}],
        "usageMetadata": usage,
        "modelVersion": "gemini-test-2026",
    }
