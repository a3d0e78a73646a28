"""What stands before the server: it is reached under its own names, from its own pages, by who was let in.

Streamlit answers to every name and every page of this machine. So a site whose name is turned to 127.0.0.1 (DNS
rebinding), another program's page on another port, or a frame around the app could drive it.
"""

import hmac
import os
import secrets
import sys
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

HOSTS: Final = "DOLQ_HOSTS"
"""The variable that lists the names under which others reach the server, with blanks between."""
TOKEN: Final = "DOLQ_TOKEN"
"""The variable that sets the token of the address; without it one is drawn at each start."""
HERE: Final = ("localhost", "127.0.0.1", "[::1]")
COOKIE: Final = "dolq_token"
OF_CLASS: Final = "dolq_class"
"""The cookie of a browser that the key of a class has let in: the class's id, a dot, the key."""
_asked: Final[list[str]] = []
"""The token that this server asks for, once it has started; empty where it asks for none."""
OPEN: Final = ("/_stcore/health", "/_stcore/script-health-check")
CLOSED: Final = "/_stcore/metrics"
OF_PEOPLE: Final = ("/media/", "/_stcore/upload_file/")
"""What Streamlit serves and takes from anybody, also where it asks for a login."""
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # the token of an address goes nowhere
}


def guards() -> list[Middleware]:
    """Return what each request passes, the first one first; say the address where it needs a token."""
    address = str(config.get_option("server.address") or "")
    hosted = [*HERE, *names()]
    is_here = address in ("localhost", "::1") or address.startswith("127.")
    token = "" if is_here or _said("auth") else _said(TOKEN) or secrets.token_urlsafe(24)
    _asked[:] = [token] if token else []
    if token:
        port = config.get_option("server.port")
        line = f"Others can reach this server. Open it as http://{hosted[-1]}:{port}/?token={token}\n"
        sys.stderr.write(line)
        sys.stderr.flush()
    hosts = [
        name.strip("[]") if name != "[::1]" else "[" for name in hosted
    ]  # Starlette cuts a host at its first colon
    return [
        Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        Middleware(Guard, token=token, login=bool(_said("auth"))),
    ]


def confined(cookies: Mapping[str, str]) -> str:
    """Return the class that a browser is confined to, having its key and no token; empty where it is free."""
    if not _asked or hmac.compare_digest(cookies.get(COOKIE, "").encode(), _asked[0].encode()):
        return ""
    return cookies.get(OF_CLASS, "").partition(".")[0]


def _has_key(said: str) -> bool:
    """Whether this is the id of a class that is going on, a dot and its key."""
    from dolq_core.lessons import has_key  # noqa: PLC0415  # a server without classes starts without it

    name, _, key = said.partition(".")
    return bool(key) and has_key(name, key)


def names() -> list[str]:
    """Return the names under which others reach the server."""
    return _said(HOSTS).replace(",", " ").split()


def _said(name: str) -> str:
    """Return what the environment or the server's secrets say."""
    try:
        return os.environ.get(name, "").strip() or str(st.secrets.get(name) or "").strip()
    except (FileNotFoundError, StreamlitSecretNotFoundError):
        return ""


class Guard:
    """Refuses what comes from other sites' pages, and who has no token or login where one is asked for."""

    def __init__(self, app: ASGIApp, token: str = "", *, login: bool = False) -> None:
        self._app = app
        self._token = token
        self._login = login

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        refused = self._refused(asked)
        if refused is None:
            await self._app(scope, receive, _with_headers(send, asked))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refused(scope, receive, _with_headers(send, asked))

    def _refused(self, asked: HTTPConnection) -> Response | None:
        reads = asked.scope["type"] == "http" and asked.scope["method"] in ("GET", "HEAD")
        if not reads and not is_own(asked.headers):
            return PlainTextResponse("This page of another site may not use the server.", 403)
        path = asked.scope["path"]
        if path.endswith(CLOSED):
            return PlainTextResponse("Not here.", 404)
        if self._login and any(part in path for part in OF_PEOPLE) and not _is_logged_in(asked):
            return PlainTextResponse("Log in first.", 403)
        if not self._token or path.endswith(OPEN) or self._has_token(asked.headers):
            return None
        if (kept := SimpleCookie(asked.headers.get("cookie", "")).get(OF_CLASS)) and _has_key(kept.value):
            return None
        of_class = f"{asked.query_params.get('class', '')}.{asked.query_params.get('key', '')}"
        if reads and _has_key(of_class):
            return self._let_in(asked, "key", OF_CLASS, of_class)
        if reads and hmac.compare_digest(asked.query_params.get("token", "").encode(), self._token.encode()):
            return self._let_in(asked, "token", COOKIE, self._token)
        return PlainTextResponse("Open the address with the token that the server printed at its start.", 403)

    def _has_token(self, headers: Headers) -> bool:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        return found is not None and hmac.compare_digest(found.value.encode(), self._token.encode())

    def _let_in(self, asked: HTTPConnection, said: str, cookie: str, value: str) -> Response:
        """Keep what was said in a cookie, and take it out of the address."""
        rest = urlencode([(key, value) for key, value in parse_qsl(asked.url.query) if key != said])
        path = "/" + asked.url.path.lstrip("/\\")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(cookie, value, httponly=True, samesite="lax")
        return answer


def is_own(headers: Headers) -> bool:
    """Whether a request comes from a page of this server: browsers name the page's origin, programs none."""
    origin = headers.get("origin")
    if origin is None or origin in config.get_option("server.corsAllowedOrigins"):
        return True
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _is_logged_in(asked: HTTPConnection) -> bool:
    """Whether a request has the cookie that Streamlit signed at a login; the first part of a long one is signed too."""
    signed = asked.cookies.get(USER_COOKIE_NAME, "").encode("latin-1", "ignore")
    return decode_signed_value(get_cookie_secret(), USER_COOKIE_NAME, signed) is not None


def _with_headers(send: Send, asked: HTTPConnection) -> Send:
    """Add what a browser is to mind; behind a proxy with TLS, cookies go back over TLS alone."""
    over_tls = "https" in (asked.url.scheme, asked.headers.get("x-forwarded-proto"))

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            message["headers"] = [
                (name, value + b"; Secure")
                if over_tls and name == b"set-cookie" and b"secure" not in value.lower()
                else (name, value)
                for name, value in message["headers"]
            ]
        await send(message)

    return sending
