"""Servers of an attacker: they speak the wire formats of the real clients, and note what reached them."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Script = Callable[[socket.socket], None]


class Raw:
    """A server that says any bytes at all; `heard` holds what each visitor sent."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.heard: list[bytes] = []
        self.closed = False
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(visitor,), daemon=True).start()

    def _answer(self, visitor: socket.socket) -> None:
        with visitor:
            self.heard.append(_request(visitor))
            with contextlib.suppress(OSError):
                self._script(visitor)

    def close(self) -> None:
        self.closed = True
        self._listening.close()


@contextmanager
def saying(script: Script) -> Iterator[Raw]:
    server = Raw(script)
    try:
        yield server
    finally:
        server.close()


def _request(visitor: socket.socket) -> bytes:
    """Read a request with its body."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += (part := visitor.recv(65_536))
        if not part:
            return heard
    head, _, body = heard.partition(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-l")), 0
    )
    while len(body) < length:
        body += visitor.recv(65_536)
    return head + b"\r\n\r\n" + body


def whole(body: bytes, *headers: str, status: str = "200 OK") -> Script:
    """A plain answer."""
    lines = (f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers)
    head = "\r\n".join((*lines, "Connection: close", "", "")).encode()
    return lambda visitor: visitor.sendall(head + body)


def endless(part: bytes, pause_s: float = 0.0, *headers: str) -> Script:
    """An answer that never ends: the same part again and again, as long as somebody listens."""
    head = "\r\n".join(("HTTP/1.1 200 OK", "Content-Type: application/json", *headers, "", "")).encode()

    def script(visitor: socket.socket) -> None:
        visitor.sendall(head)
        while True:
            visitor.sendall(part)
            time.sleep(pause_s)

    return script


def trickling_head(pause_s: float) -> Script:
    """Headers that never end."""

    def script(visitor: socket.socket) -> None:
        visitor.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
        while True:
            visitor.sendall(b"a")
            time.sleep(pause_s)

    return script


def silent(visitor: socket.socket) -> None:
    """Nothing at all, for as long as somebody listens."""
    while visitor.recv(1):
        pass
