"""Two people and a real login: OpenID Connect from the button to the signed token, and out again."""

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from dolq_core import runs
from tests.e2e.pages import opened, settled
from tests.e2e.provider import providing, secrets_for
from tests.e2e.server import served
from tests.e2e.test_upload import give
from tests.test_deployment import profile

PEOPLE = {"school": {"1": "Ann", "2": "Bob"}, "club": {"1": "Ann"}}
BROKEN = '[auth.Broken]\nclient_id = "known to nobody"\n'  # a provider that was set up by half


@pytest.fixture
def guarded(browser: Browser, tmp_path: Path) -> Iterator[str]:
    """The app as a server runs it for others: with a login, and with the profile of .streamlit/deployment.env."""
    with providing(PEOPLE) as provider:
        secrets = tmp_path / "secrets.toml"
        secrets.write_text(secrets_for(provider, {"School": "school", "Club": "club"}) + BROKEN, encoding="utf-8")
        with served(tmp_path / "runs.db", secrets=secrets, profile=profile()) as address:
            yield address


@pytest.fixture
def somebody(browser: Browser) -> Iterator[Callable[[], Page]]:
    """Another browser at each call, with cookies of its own."""
    with ExitStack() as pages:
        yield lambda: pages.enter_context(opened(browser))


def test_each_person_has_their_own_runs_from_login_to_logout(
    guarded: str, somebody: Callable[[], Page], tmp_path: Path
):
    ann, bob = somebody(), somebody()
    ann.goto(guarded)
    nothing_but_the_way_in(ann)
    log_in(ann, "School", "Ann")
    settled(ann)
    may_bring_a_file_and_take_one(ann, guarded, tmp_path / "masses.csv")
    ann.goto(guarded)
    settled(ann)
    ann.get_by_role("button", name="Try it on yeast").click()
    expect(ann).to_have_url(re.compile("/discover.*run="))
    run = ann.url.split("run=")[1]

    bob.goto(f"{guarded}/discover?run={run}")
    nothing_but_the_way_in(bob)
    log_in(bob, "School", "Bob")
    expect(bob.get_by_text(f"Run '{run}'")).to_be_visible()  # he is where he wanted to go
    has_no_such_run(bob, "Bob", guarded, run, "discover", "equations", "history")

    left = ann.context.new_page()
    left.goto(guarded)
    is_in(left)
    settled(left)
    ann.get_by_role("button", name="Log out").click()
    nothing_but_the_way_in(ann)
    left.get_by_role("button", name="Try it on yeast").click()  # the other tab is not told, and yet is not let in
    nothing_but_the_way_in(left)
    assert keeps_details_of_errors(left, tmp_path / "secrets.toml", tmp_path / "runs.log")

    log_in(ann, "Club", "Ann")  # of the same name, and the same 'sub' at another issuer
    has_no_such_run(ann, "Ann", guarded, run, "discover")
    assert runs_of(tmp_path, "school", "1") == [run]
    assert runs_of(tmp_path, "school", "2") == runs_of(tmp_path, "club", "1") == []


def log_in(page: Page, provider: str, person: str) -> None:
    """Take the way in to a provider, say there who one is, and come back."""
    page.get_by_role("button", name=f"Log in with {provider}").click()
    page.get_by_role("link", name=person).click()
    is_in(page)


def is_in(page: Page) -> None:
    """Wait for the pages' names: they are drawn first, and only for somebody."""
    expect(page.get_by_role("link", name="Discover")).to_be_visible()


def may_bring_a_file_and_take_one(page: Page, address: str, file: Path) -> None:
    file.write_text("t,x\n" + "".join(f"{i},{2**-i}\n" for i in range(20)), encoding="utf-8")
    give(page, address, file)
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as got:
        page.get_by_role("button", name="Table as understood (CSV)").click()
    assert got.value.path().read_text(encoding="utf-8").startswith("t,x")


def nothing_but_the_way_in(page: Page) -> None:
    expect(page.get_by_text("Log in to see your runs.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Discover|History|Lessons"))).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Log in with"))).to_have_count(3)
    expect(page.get_by_text("yeast")).to_have_count(0)
    page.wait_for_function("sessionStorage.getItem('dolq.wanted') === location.href")  # a click may be faster


def has_no_such_run(page: Page, person: str, address: str, run: str, *places: str) -> None:
    for place in places:
        page.goto(f"{address}/{place}?run={run}")
        expect(page.get_by_text(f"Run '{run}': there is no such run")).to_be_visible()
        expect(
            page.get_by_text(f"Logged in as {person}")
        ).to_be_visible()  # the last of the page: it is drawn to its end
        expect(page.get_by_text("Yeast in a culture")).to_have_count(0)
        expect(page.get_by_role("combobox")).to_have_count(0)


def keeps_details_of_errors(page: Page, secrets: Path, log: Path) -> bool:
    """Whether an error that nobody caught, of a login set up by half, stands in the log and not on the page."""
    page.get_by_role("button", name="Log in with Broken").click()
    shown = page.get_by_test_id("stException")
    expect(shown).to_be_visible()
    told = ("StreamlitAuthError", "client_secret", "Traceback", str(secrets.parent), "identity.py")
    known = tomllib.loads(secrets.read_text(encoding="utf-8"))["auth"]["cookie_secret"]
    text = page.content()
    return told[0] in log.read_text(encoding="utf-8") and not [one for one in (*told, known) if one in text]


def runs_of(folder: Path, issuer: str, sub: str) -> list[str]:
    """Return the runs of a person in the database of the app, by the issuer's name and the 'sub'."""
    urls = tomllib.loads((folder / "secrets.toml").read_text(encoding="utf-8"))["auth"]
    url = urls[issuer.capitalize()]["server_metadata_url"].removesuffix("/.well-known/openid-configuration")
    return [info.id for info in runs.list_runs(runs.open_store(folder / "runs.db", owner=f"{url} {sub}"))]
