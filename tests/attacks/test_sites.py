"""Other sites that want to drive the app: by a name that is turned to this machine, from their pages, in a frame."""

import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import sync_playwright
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from tests.e2e.server import FLAGS, IDLE, served
from tests.every import every, none
from tests.waiting import LONGEST_S, until

HOSTILE = """<!doctype html><title>waiting</title><body>
<iframe id=frame src="http://127.0.0.1:{port}/"></iframe>
<script>
const socket = new WebSocket("ws://{host}:{port}/_stcore/stream", ["streamlit"]);
socket.onopen = () => document.title = "open";
socket.onerror = socket.onclose = () => {{ if (document.title == "waiting") document.title = "refused"; }};
</script>"""
NOTES = """
import json, os, sys
def note(event, args):
    if event in ("socket.getaddrinfo", "socket.connect", "socket.gethostbyname"):
        where = args[1] if event == "socket.connect" else args[0]
        with open(os.environ["NOTES"], "a") as out:
            out.write(json.dumps(str(where)) + "\\n")
sys.addaudithook(note)
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app, and everything that it looks up or connects to."""
    folder = tmp_path_factory.mktemp("sites")
    (folder / "sitecustomize.py").write_text(NOTES, encoding="utf-8")
    notes = folder / "notes"
    notes.touch()
    with served(folder / "runs.db", profile={"PYTHONPATH": str(folder), "NOTES": str(notes)}) as url:
        yield url.removeprefix("http://"), notes


def asked(host: str, path: str = "/", method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    return said(host, path, method, **headers)[0]


def said(host: str, path: str, method: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    """Return the answer and its text."""
    connection = http.client.HTTPConnection(host, timeout=LONGEST_S)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    try:
        answer = connection.getresponse()
        return answer, answer.read().decode(errors="replace")
    finally:
        connection.close()


def upgraded(host: str, **headers: str) -> int:
    """Ask for a WebSocket as a browser does, and return the status."""
    key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13"}
    key |= {"Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Protocol": "streamlit"}
    return asked(host, "/_stcore/stream", **key, **headers).status


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", ""])
def test_a_name_that_is_not_the_servers_is_refused(server, name):
    host, _ = server
    port = host.split(":")[1]
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/media/x", "/discover"):
        assert asked(host, path, Host=f"{name}:{port}").status == 400
    assert upgraded(host, Host=f"{name}:{port}", Origin=f"http://{name}:{port}") in (400, 403)


ORIGINS = (
    "http://evil.example", "http://localhost:1", "http://127.0.0.1:1", "null", "http://0.0.0.0", "https://{host}x",
)  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_page_of_elsewhere_opens_no_socket_and_uploads_nothing(server, origin):
    host, notes = server
    before = notes.read_text()
    named = origin.format(host=host)
    assert upgraded(host, Origin=named) == 403
    assert asked(host, "/_stcore/upload_file/a/b", "PUT", Origin=named).status == 403
    assert asked(host, "/_stcore/upload_file/a/b", "DELETE", Origin=named).status == 403
    assert notes.read_text() == before, "a foreign origin makes the server ask nobody"


def test_the_servers_own_page_opens_its_socket(server):
    host, _ = server
    assert upgraded(host, Origin=f"http://{host}") == 101


def test_nothing_is_looked_up_outside_of_this_machine(server):
    _, notes = server
    places = {json.loads(line) for line in notes.read_text().splitlines()}
    outside = {one for one in places if not re.search(r"127\.0\.0\.1|localhost|::1|^/|None", one)}
    assert outside == set()


def test_what_a_browser_is_to_mind_is_said(server):
    host, _ = server
    answer = asked(host)
    assert answer.headers["content-security-policy"] == "frame-ancestors 'self'"
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert asked(host, "/_stcore/metrics").status == 404


@contextmanager
def site(page: str) -> Iterator[int]:
    """Another program's page on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format, *args):
            pass

        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    try:
        yield httpd.server_port
    finally:
        httpd.shutdown()
        httpd.server_close()


@pytest.fixture(scope="module")
def browser(chromium):
    """A browser for which every name is this machine, as a name server of the attacker's makes it."""
    flags = [*FLAGS, "--host-resolver-rules=MAP * 127.0.0.1", "--disable-features=LocalNetworkAccessChecks"]
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=chromium, args=flags)
        yield found
        found.close()


@pytest.mark.parametrize("name", ["evil.example", "localhost"])
def test_a_hostile_page_drives_nothing_and_frames_nothing(server, browser, name):
    host, _ = server
    port = host.split(":")[1]
    target = "127.0.0.1" if name == "evil.example" else "localhost"
    with site(HOSTILE.format(port=port, host=target)) as at:
        page = browser.new_page()
        page.goto(f"http://{name}:{at}/")
        page.wait_for_function("document.title != 'waiting'", timeout=60_000)
        assert page.title() == "refused"
        framed = [frame for frame in page.frames if frame != page.main_frame]
        until(lambda: none(frame.url in ("", "about:blank") for frame in framed), every=0.05)
        assert every(frame.url.startswith("chrome-error:") for frame in framed), "the browser shows what it got"
        page.close()


def test_a_name_that_is_turned_to_this_machine_shows_no_app(server, browser):
    host, _ = server
    page = browser.new_page()
    answer = page.goto(f"http://evil.example:{host.split(':')[1]}/")
    assert answer is not None
    assert answer.status == 400
    assert page.query_selector("[data-testid=stApp]") is None
    page.close()


SECRET = "known to the server alone"
LOGIN = f"""[auth]
redirect_uri = "http://127.0.0.1/oauth2callback"
cookie_secret = "{SECRET}"
client_id = "dolq"
client_secret = "dolq"
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""


def test_before_the_login_nothing_is_uploaded_and_no_file_of_a_page_is_served(tmp_path):
    (tmp_path / "secrets.toml").write_text(LOGIN, encoding="utf-8")
    forged = [f"_streamlit_user={create_signed_value(key, name, '{}').decode()}" for key, name in (
        ("another", "_streamlit_user"), (SECRET, "_streamlit_xsrf"),
    )]  # fmt: skip
    known = f"_streamlit_user={create_signed_value(SECRET, '_streamlit_user', '{}').decode()}"
    with served(tmp_path / "runs.db", secrets=tmp_path / "secrets.toml") as url:
        host = url.removeprefix("http://")
        for cookie in ("", "_streamlit_user=", "_streamlit_user={}", "_streamlit_user=\xff", *forged):
            for path in ("/media/x", "//media/x", "/%6dedia/x", "/discover/../media/x"):
                assert asked(host, path, Cookie=cookie).status == 403
            assert said(host, "/_stcore/upload_file/a/b", "PUT", Cookie=cookie)[1] == "Log in first."
        assert asked(host, "/media/x", Cookie=known).status == 404
        assert said(host, "/_stcore/upload_file/a/b", "PUT", Cookie=known)[1] != "Log in first."
        assert asked(host, "/").status == 200, "the way in"


@pytest.fixture(scope="module")
def beyond(tmp_path_factory):
    """The app as it listens beyond this machine, without a login."""
    folder = tmp_path_factory.mktemp("beyond")
    with served(folder / "runs.db", profile={"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}) as url:
        yield url.removeprefix("http://"), (folder / "runs.log").read_text(encoding="utf-8")


def test_beyond_this_machine_and_without_a_login_a_token_is_asked_for(beyond):
    host, log = beyond
    (token,) = re.findall(r"\?token=(\S{20,})", log)
    assert asked(host, "/_stcore/health").status == 200
    for path in ("/", "/discover", "/_stcore/host-config", "/media/x", "/?token=x", "/?token="):
        assert asked(host, path).status == 403
    assert upgraded(host, Origin=f"http://{host}") == 403
    assert upgraded(host, Origin=f"http://{host}", Cookie="dolq_token=x") == 403
    kept = [
        asked(host, f"/?token={token}", X_Forwarded_Proto=scheme).headers["set-cookie"] for scheme in ("https", "http")
    ]
    assert [cookie.endswith("; Secure") for cookie in kept] == [True, False]
    answer = asked(host, f"/discover?run=1&token={token}")
    assert (answer.status, answer.headers["location"]) == (303, "/discover?run=1")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    kept = cookie.split(";")[0]
    assert asked(host, "/", Cookie=kept).status == 200
    assert upgraded(host, Origin=f"http://{host}", Cookie=kept) == 101
    assert asked(host, f"//evil.example/?token={token}").headers["location"].startswith("/evil.example")


def test_the_app_works_in_a_browser_that_has_the_token(beyond, browser):
    host, log = beyond
    (token,) = re.findall(r"\?token=(\S{20,})", log)
    page = browser.new_page()
    page.goto(f"http://{host}/?token={token}")
    page.wait_for_selector(IDLE, timeout=120_000)
    assert "token" not in page.url
    page.close()
    other = browser.new_context().new_page()
    answer = other.goto(f"http://{host}/")
    assert answer is not None
    assert answer.status == 403
    assert other.locator("script, [data-testid=stApp]").count() == 0, "nothing that could become the app"
    other.close()
