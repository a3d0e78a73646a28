"""A small provider of OpenID Connect on this machine: several issuers, each with its own key and people.

It does what the specification asks of the authorization code flow (OpenID Connect Core 1.0, section 3.1), and refuses
what it forbids: a code is good once, for the client and the address that asked, with the verifier of RFC 7636.
"""

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "dolq", "known to the provider and to the app"


@dataclass(frozen=True)
class Asked:
    """What a code stands for: who, and what the app had said when it asked."""

    sub: str
    query: Mapping[str, str]


class Issuer:
    """One issuer: people by their `sub`, a key, and the codes that were not used yet."""

    def __init__(self, url: str, people: Mapping[str, str]) -> None:
        self.url, self.people = url, people
        self.key = RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})
        self.codes: dict[str, Asked] = {}
        self.tokens: dict[str, str] = {}

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def jwks(self) -> dict[str, Any]:
        return dict(KeySet([self.key]).as_dict(private=False))

    def choice(self, query: Mapping[str, str]) -> str:
        """Return the page on which a person says who they are."""
        assert (query["response_type"], query["client_id"], query["code_challenge_method"]) == ("code", CLIENT, "S256")
        assert "openid" in query["scope"].split()
        assert all((query["state"], query["nonce"]))
        links = []
        for sub, name in self.people.items():
            code = secrets.token_urlsafe()
            self.codes[code] = Asked(sub, query)
            back = f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
            links.append(f'<p><a href="{html.escape(back)}">{html.escape(name)}</a></p>')
        return f"<!doctype html><title>Who are you?</title><h1>Who are you?</h1>{''.join(links)}"

    def token(self, form: Mapping[str, str], header: str) -> dict[str, Any]:
        """Return the tokens for a code; raise KeyError or AssertionError when it is not good."""
        said = base64.b64decode(header.removeprefix("Basic ")).decode()
        assert tuple(map(unquote, said.split(":", 1))) == (CLIENT, SECRET)
        asked = self.codes.pop(form["code"])
        assert (form["grant_type"], form["redirect_uri"]) == ("authorization_code", asked.query["redirect_uri"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked.query["code_challenge"]
        now, access = int(time.time()), secrets.token_urlsafe()
        self.tokens[access] = asked.sub
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked.query["nonce"]}
        head = {"alg": "RS256", "kid": self.key.kid}
        signed = jwt.encode(head, claims | self.about(asked.sub), self.key)
        return {"access_token": access, "token_type": "Bearer", "expires_in": 300, "id_token": signed}

    def about(self, sub: str) -> dict[str, str]:
        return {"sub": sub, "name": self.people[sub]}


class Handler(BaseHTTPRequestHandler):
    """Hands a request to the issuer that the first part of the path names."""

    issuers: Mapping[str, Issuer]

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        self._answer({key: values[0] for key, values in parse_qs(body).items()})

    def _answer(self, form: Mapping[str, str]) -> None:
        try:
            said = self._said(form)
        except (AssertionError, KeyError, ValueError) as error:
            self._send(400, json.dumps({"error": "invalid_request", "error_description": repr(error)}))
        else:
            self._send(200, said if isinstance(said, str) else json.dumps(said))

    def _said(self, form: Mapping[str, str]) -> str | dict[str, Any]:
        parts = urlsplit(self.path)
        _, name, endpoint = parts.path.split("/", 2)
        issuer = self.issuers[name]
        authorization = self.headers.get("authorization", "")
        if endpoint == "authorize":
            return issuer.choice({key: values[0] for key, values in parse_qs(parts.query).items()})
        if endpoint == "token":
            return issuer.token(form, authorization)
        if endpoint == "userinfo":
            return issuer.about(issuer.tokens[authorization.removeprefix("Bearer ")])
        return {"jwks": issuer.jwks, ".well-known/openid-configuration": issuer.discovery}[endpoint]()

    def _send(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("content-type", "text/html" if text.startswith("<") else "application/json")
        self.end_headers()
        self.wfile.write(text.encode())


@contextmanager
def providing(people: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Serve issuers, by name, with their people, names by `sub`; yield the address before their names."""
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    address = f"http://127.0.0.1:{httpd.server_port}"
    issuers = {name: Issuer(f"{address}/{name}", known) for name, known in people.items()}
    httpd.RequestHandlerClass = type("Bound", (Handler,), {"issuers": issuers})
    httpd.daemon_threads = True
    threading.Thread(target=httpd.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield address
    finally:
        httpd.shutdown()
        httpd.server_close()


def secrets_for(address: str, names: Mapping[str, str]) -> str:
    """Return a secrets.toml that offers issuers under labels; Streamlit writes its own port into the address."""
    shared = {"redirect_uri": "http://127.0.0.1:{port}/oauth2callback", "cookie_secret": secrets.token_hex()}
    lines = ["[auth]", *(f"{key} = {json.dumps(value)}" for key, value in shared.items())]
    for label, name in names.items():
        where = f"{address}/{name}/.well-known/openid-configuration"
        client = {"client_id": CLIENT, "client_secret": SECRET, "server_metadata_url": where}
        lines += [f"[auth.{json.dumps(label)}]", *(f"{key} = {json.dumps(value)}" for key, value in client.items())]
    return "\n".join(lines) + "\n"
