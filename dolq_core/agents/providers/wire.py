"""The line to a model server: bounded in size and in time, and it leads to the address that was asked, nowhere else.

Both SDKs send through it, so that no limit depends on theirs: they read a reply to its end, whatever its size, count
silence only, and follow where a server sends them, with the prompt and, one of them, with the key.
"""

import socket
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from typing import Any, Final

import httpx2

from dolq_core.errors import ChatError

MOST_BYTES: Final = 4 * 2**20
"""Size of a whole reply, unpacked: ten times that of the longest which a run can ask for (100,000 tokens)."""
_GZIP: Final = 16 + zlib.MAX_WBITS
_PACKING: Final = ("content-encoding", "content-length", "transfer-encoding")


_NEEDED: Final = frozenset(
    "host content-type content-length accept accept-encoding connection authorization x-goog-api-key user-agent".split()
)
"""Headers that an address gets which is not the provider's own."""


class Wire(httpx2.Client):
    """One request and its reply.

    key: the only one that an address gets which is not the provider's own (`is_own`). From the environment the SDKs
    take more than we hand them: the organisation, the project, headers of one's own.
    """

    def __init__(self, thing: str, seconds: float, key: str = "", *, is_own: bool = True) -> None:
        super().__init__(timeout=seconds)
        self._thing = thing
        self._key = None if is_own else key
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._sockets: list[socket.socket] = []
        self._is_cut = False

    def send(self, request: httpx2.Request, **_: Any) -> httpx2.Response:
        """Return the reply with all of its content; raise ChatError where it goes beyond a limit or leads elsewhere."""
        if self._key is not None:
            request.headers = _plain(request.headers, self._key)
        request.headers["accept-encoding"] = "gzip"
        request.extensions = {**request.extensions, "trace": self._opened}
        with closing(super().send(request, stream=True, follow_redirects=False)) as reply:
            if reply.is_redirect:
                self._refuse_redirect(reply)
            content = self._whole(reply.iter_raw(), reply.headers)
        headers = [(name, value) for name, value in reply.headers.multi_items() if name.lower() not in _PACKING]
        return httpx2.Response(reply.status_code, headers=headers, content=content, request=request)

    def cut(self) -> None:
        """Hang up, from any thread: whoever reads or waits is told at once."""
        self._is_cut = True
        for one in self._sockets:
            with suppress(OSError):  # it has been closed already
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def _opened(self, event: str, info: Mapping[str, Any]) -> None:
        """Note each connection, for `cut` (the "trace" extension of httpcore)."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            if self._is_cut:
                self.cut()

    def _whole(self, parts: Iterable[bytes], headers: httpx2.Headers) -> bytes:
        packing = headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", "gzip"):
            self._refuse(f"the reply is packed as {packing[:40]!r}, which was not asked for")
        unpacking = zlib.decompressobj(_GZIP) if packing == "gzip" else None
        found = bytearray()
        for part in parts:
            try:
                found += part if unpacking is None else unpacking.decompress(part, MOST_BYTES + 1 - len(found))
            except zlib.error:
                self._refuse("the reply is packed and damaged")
            if len(found) > MOST_BYTES:
                self._refuse(f"the reply is larger than {MOST_BYTES / 2**20:.0f} MB")
            if time.monotonic() > self._until:
                reason = f"no whole reply within {self._seconds:g} s"
                raise ChatError("timeout", self._thing, reason, "Try again, or choose a faster model.")
        return bytes(found)

    def _refuse(self, reason: str) -> None:
        raise ChatError("reply", self._thing, reason, "Check the address, and whether a model answers there.")

    def _refuse_redirect(self, reply: httpx2.Response) -> None:
        where = " ".join(reply.headers.get("location", "").split())[:200]
        reason = f"the server sends on to {where!r}, and nothing is sent there"
        raise ChatError("missing", self._thing, reason, "If you trust that place, give it as the address.")


def _plain(headers: httpx2.Headers, key: str) -> httpx2.Headers:
    """Return what a request needs, with no other key than this one."""
    needed = {name: value for name, value in headers.items() if name.lower() in _NEEDED}
    if needed.get("authorization") != f"Bearer {key}":
        needed.pop("authorization", None)
    return httpx2.Headers(needed)
