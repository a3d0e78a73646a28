"""Two people at one server, on the real pages: what one has, the other neither sees nor opens."""

import pytest
from streamlit.testing.v1 import AppTest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from tests.app.scenes import PAGES, ROOT, press, read, scripted
from tests.waiting import LONGEST_S

ANN = {"is_logged_in": True, "iss": "https://id.example", "sub": "1", "name": "Ann <b>Lee</b>"}
BOB = {"is_logged_in": True, "iss": "https://id.example", "sub": "2", "name": "Bob"}
NOBODY = {"is_logged_in": False}
SECRETS = {"auth": {"client_id": "dolq", "other <i>": {"client_id": "o"}}}
TABLE = b"hours,hares\n" + b"".join(b"%d,%f\n" % (i, 10 * 1.1**i) for i in range(30))


def asked(user: dict[str, object], page: str, run: str = "") -> AppTest:
    """Open a page of the app as somebody."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    at.user = user
    at.secrets = SECRETS
    if run:
        at.query_params["run"] = run
    at.run()
    return at if page == "start" else at.switch_page(f"pages/{page}/page.py").run()


@pytest.fixture
def secret() -> str:
    """A run of Ann's with a name that is found nowhere else."""
    store = runs.open_store(owner="https://id.example 1")
    return scripted(store, runs.start(store, load_bundled("yeast"), name="Ann's secret")).id


def test_the_owner_sees_the_run_and_is_named_as_text(secret):
    at = asked(ANN, "discover", secret)
    assert not at.exception
    assert "Ann's secret" in read(at)
    assert "Logged in as Ann <b>Lee</b>" in read(at)
    assert "\\<b\\>" in "\n".join(one.value for one in at.caption)


@pytest.mark.parametrize("page", PAGES)
def test_a_neighbour_with_the_address_of_the_run_sees_nothing_of_it(page, secret):
    at = asked(BOB, page, secret)
    assert not at.exception
    assert "secret" not in read(at)
    assert not [one for one in at.selectbox if one.label == "Run"]
    if page in ("discover", "equations"):
        assert "there is no such run" in read(at)
    assert len(runs.list_runs(runs.open_store(owner="https://id.example 1"))) == 1


def test_a_table_that_waits_for_its_run_is_found_again_by_its_owner_alone():
    at = asked(ANN, "data")
    at.file_uploader[0].set_value(("secret.csv", TABLE, "text/csv")).run()
    for user, finds in ((ANN, True), (BOB, False)):
        again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
        again.user, again.secrets = user, SECRETS
        again.query_params["table"] = at.query_params["table"]
        again.run().switch_page("pages/data/page.py").run()
        assert not again.exception
        assert ("secret" in read(again)) is finds


def test_before_the_login_nothing_is_drawn(secret):
    at = asked(NOBODY, "start", secret)
    assert not at.exception
    assert "Log in to see your runs" in read(at)
    assert "secret" not in read(at)
    assert [one.label for one in at.button] == ["Log in", "Log in with other \\<i\\>"]


def test_what_a_person_starts_is_theirs():
    press(asked(BOB, "discover"), "Try it on yeast")
    assert [info.dataset for info in runs.list_runs(runs.open_store(owner="https://id.example 2"))] == [
        "Yeast in a culture"
    ]
    assert runs.list_runs(runs.open_store()) == ()


def test_without_a_login_everything_is_local():
    at = asked({}, "discover")
    press(at, "Try it on yeast")
    assert len(runs.list_runs(runs.open_store())) == 1
    assert "Log" not in [one.label for one in at.button]
