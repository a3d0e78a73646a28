"""Somebody who wants more than each may have: every road leads through one gate, and the server counts by itself."""

import signal

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import THIN, DolqError
from dolq_core.jobs import Board
from dolq_core.records import Intervention, Iteration, ModelCall, ModelChoice, Models, Pause, Settings
from dolq_core.runs import try_model
from dolq_core.runs.allowance import SERVERS, AllowanceError
from dolq_core.store.files import run_text
from lab.processes import Campaigns
from pages.start import yeast
from pages.ui import jobs
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import Text, serving
from tests.app.scenes import app, press, read
from tests.loop.states import logistic_problem
from tests.waiting import until

EVE = "https://id.example eve"


@pytest.fixture
def store(tmp_path):
    return runs.open_standby(tmp_path / "runs.db", EVE)


def started(store, iterations=50):
    return runs.start(store, logistic_problem(), Settings(iterations=iterations, patience=iterations))


def test_entries_that_came_with_a_file_buy_nothing(store, monkeypatch):
    run = started(store)
    runs.step_once(store, run)
    entries = runs.load(store, run).entries
    assert isinstance(entries[1], Iteration)
    call = ModelCall(role="sampler", provider="openai", model="m", prompt="", reply="", tokens_in=10**7)
    before = store.used()
    brought = runs.import_run(store, run_text("", (*entries, Pause("", (call,)))).encode())
    assert runs.load(store, brought).state.spent.tokens_in == 10**7
    assert store.used() == before
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "0")
    with pytest.raises(AllowanceError):
        runs.step_once(store, brought)


def test_forks_count_nothing_again_and_take_nothing_back(store):
    run = started(store)
    runs.step_once(store, run)
    before = store.used()
    assert before.seconds > 0
    runs.fork(store, run, 2)
    runs.take_back(store, run)
    assert store.used() == before


def test_a_model_server_that_tells_no_tokens_is_counted_here(store, monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_TOKENS", "1000")
    free = [Text(reply, tokens=(0, 0, 0)) for reply in SYSTEM_2]
    with serving(*free) as server:
        monkeypatch.setenv(SERVERS, f"{server.url}/v1")
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        run = runs.start(store, load_bundled("system-2"), agents="models", models=Models(choice, choice))
        with pytest.raises(AllowanceError, match=f"of 1{THIN}000 tokens that each may use"):
            runs.auto(store, run, 3, keys=lambda _: "")
        assert store.used().tokens >= 1000
        assert len(server.asked) < 6


def test_a_test_of_the_connection_is_counted_and_limited(store, monkeypatch):
    with serving(*['{"answer": "5"}'] * 6) as server:
        monkeypatch.setenv(SERVERS, f"{server.url}/v1")
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        try_model(store, choice, "")
        asked = len(server.asked)
        assert asked >= 3
        assert store.used().tokens == asked * 12_000
        monkeypatch.setenv("DOLQ_MAX_TOKENS", str(asked * 12_000))
        with pytest.raises(AllowanceError):
            try_model(store, choice, "")
        assert len(server.asked) == asked


def test_who_stops_each_iteration_before_its_end_pays_for_it_all_the_same(store):
    board = Board(1)
    try:
        run = started(store)
        board.start(store, run, 1, "auto")
        until(lambda: board.snapshot(run, EVE).phase not in ("", "wait"))
        board.stop(run, EVE)
        until(lambda: board.snapshot(run, EVE).ended)
    finally:
        board.close()
    assert store.used().seconds > 0


@pytest.fixture(params=["in the foreground", "behind a shell"])
def ctrl_c(request):
    """How the app was started: what a shell starts behind it ignores Ctrl-C, and hands that on."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if request.param == "behind a shell" else None
    yield
    if before is not None:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_a_campaign_counts_and_ends_at_the_limit(store, monkeypatch, tmp_path):
    campaigns, folder = Campaigns(), tmp_path / "campaign"
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "2")
    try:
        campaigns.start(folder, ["--suite", "paper", "--seeds", "20"], store)
        until(lambda: not campaigns.is_running(folder))
        assert "of 2 seconds of computing" in campaigns.failure(folder)
        with pytest.raises(AllowanceError):
            campaigns.start(tmp_path / "another", ["--suite", "paper"], store)
    finally:
        campaigns.close()
    assert store.used().seconds >= 2
    assert not (tmp_path / "another").exists()


INSIDE = (
    "http://127.0.0.1:9/v1", "http://169.254.169.254/latest", "http://[::1]/v1", "http://intranet/", "file:///etc",
)  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
@pytest.mark.parametrize("provider", ["openai", "gemini", "ollama"])
def test_who_is_logged_in_reaches_no_address_of_the_servers_network(store, monkeypatch, address, provider):
    monkeypatch.setenv(SERVERS, "https://models.example.org/v1")
    for where in (address, "https://models.example.org/v1@127.0.0.1", "https://models.example.org/v1/../x"):
        with pytest.raises(AllowanceError, match="not among the model servers"):
            try_model(store, ModelChoice(provider, "m", where), "sk-0123456789")
    with pytest.raises(AllowanceError):
        try_model(store, ModelChoice("ollama", "m"), "")


def test_an_address_on_the_list_is_reached_and_so_is_one_typed_on_ones_own_computer(store, monkeypatch, tmp_path):
    with serving(*['{"answer": "5"}'] * 6) as server:
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        monkeypatch.setenv(SERVERS, f"https://models.example.org, {server.url}/v1/")
        assert try_model(store, choice, "").ok
        monkeypatch.delenv(SERVERS)
        with pytest.raises(DolqError):
            try_model(store, choice, "")
        assert try_model(runs.open_store(tmp_path / "own.db"), choice, "").ok


@pytest.mark.parametrize("limit", ["DOLQ_MAX_SECONDS", "DOLQ_MAX_RUNS", "DOLQ_MAX_ROWS", "DOLQ_MAX_TOKENS"])
def test_a_limit_of_nothing_leaves_the_front_page(monkeypatch, limit):
    yeast._found.clear()
    monkeypatch.setenv(limit, "0")
    at = app("start")
    assert not at.exception
    assert "Found on this computer in" in read(at)
    if limit in ("DOLQ_MAX_RUNS", "DOLQ_MAX_ROWS"):
        at = press(at, "Try it on yeast")
        assert not at.exception
        assert "on this server" in read(at) or "this server takes" in read(at)
    jobs.board().close()  # its workers have the limit in their environment


def test_a_word_of_a_person_costs_nothing_and_is_taken_at_the_limit(store, monkeypatch):
    run = started(store)
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "0")
    assert runs.intervene(store, run, Intervention(remark="so")).state.remark == "so"


def test_no_field_of_the_pages_goes_beyond_what_each_may_have(monkeypatch):
    monkeypatch.setenv("DOLQ_MAX_SECONDS", "60")
    monkeypatch.setenv("DOLQ_MAX_TOKENS", "1000")
    monkeypatch.setenv("DOLQ_MAX_ROWS", "450")
    at = app("settings")
    most = {"knob.time_limit_s": 60.0, "knob.max_tokens": 1000}
    for key, limit in most.items():
        assert (at.number_input(key=key).max, at.number_input(key=key).value) == (limit, limit)
    at.radio(key="agents.who").set_value("models").run()
    assert at.number_input(key="agents.tokens").max == 1000
    at = app("data").button(key="open_system-2").click().run()
    assert at.select_slider(key="points·system-2").options == ["20", "50", "100", "200"]


def test_no_limit_of_nothing_ends_the_page_of_settings(monkeypatch):
    for name in ("SECONDS", "TOKENS", "ROWS", "RUNS"):
        monkeypatch.setenv(f"DOLQ_MAX_{name}", "0")
    at = app("settings")
    assert not at.exception
    assert at.number_input(key="knob.max_tokens").value == 1
