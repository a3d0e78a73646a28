"""A stranger's bundle or server that wants the key: it goes where the person at the program said, nowhere else."""

import json
from dataclasses import replace
from functools import partial

import pytest

from dolq_core import runs
from dolq_core.agents.llm import asking
from dolq_core.agents.providers import PRESETS, connect
from dolq_core.bundled import load_bundled
from dolq_core.cli.codes import PAUSED
from dolq_core.errors import AgentError, ChatError, StoreError
from dolq_core.ports import ChatRequest
from dolq_core.records import IMPORTED, AgentsNote, Intervention, ModelChoice, Models
from dolq_core.store.memory import MemoryStore
from dolq_core.views.files import export
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import Fault, serving
from tests.agents.llm.test_command_line import here
from tests.app.scenes import app, press, read
from tests.attacks.servers import saying, whole

KEY = "sk-marked-0123456789"
VARIABLES = {"OPENAI_API_KEY": KEY, "GEMINI_API_KEY": KEY, "GOOGLE_API_KEY": KEY}
dolq = partial(here, **VARIABLES)
BOTH = pytest.mark.parametrize("provider", ["openai", "gemini"])


def models_at(url, provider="openai"):
    choice = ModelChoice(provider, "m", url)
    return Models(choice, choice)


def bundle_of(url, provider="openai", steps=0):
    """A bundle of a run whose language model answers at the attacker's address."""
    store = MemoryStore()
    models = models_at(url, provider)
    run = runs.start(store, load_bundled("system-2"), agents="models", models=models)
    for _ in range(steps):
        runs.step_once(store, run, keys=lambda _: "")
    return export(runs.load(store, run), "bundle").content


@BOTH
def test_an_imported_run_asks_no_model_until_one_is_chosen_again(tmp_path, provider):
    database = ("--db", str(tmp_path / "runs.db"))
    with serving(*SYSTEM_2) as attacker, serving(*SYSTEM_2) as chosen:
        (tmp_path / "run.zip").write_bytes(bundle_of(attacker.url, provider))
        brought = dolq("import", str(tmp_path / "run.zip"), *database)
        assert attacker.url in brought.stdout
        run = brought.stdout.split()[1].strip(":")
        went_on = dolq("resume", run, *database)
        assert went_on.returncode == PAUSED
        assert "chosen again" in went_on.stderr
        assert attacker.url in went_on.stderr
        assert "--agents" in went_on.stderr
        assert attacker.asked == []
        address = ("--base-url", chosen.url + ("/v1" if provider == "openai" else ""))
        again = dolq("resume", run, "--agents", provider, "--model", "m", *address, "--iterations", "1", *database)
        assert again.returncode == 0, again.stderr
        assert chosen.url in again.stderr
    assert attacker.asked == []
    assert KEY in "".join(chosen.asked[0][1].values())


def test_an_imported_run_goes_on_with_the_built_in_agents_where_these_are_chosen(tmp_path):
    database = ("--db", str(tmp_path / "runs.db"))
    with serving(*SYSTEM_2) as attacker:
        (tmp_path / "run.zip").write_bytes(bundle_of(attacker.url))
        run = dolq("import", str(tmp_path / "run.zip"), *database).stdout.split()[1].strip(":")
        again = dolq("resume", run, "--agents", "builtin", "--iterations", "1", *database)
    assert again.returncode == 0, again.stderr
    assert attacker.asked == []


def test_neither_a_fork_nor_an_undo_nor_another_bundle_wakes_the_models_of_a_stranger():
    with serving(*SYSTEM_2) as attacker:
        bundle = bundle_of(attacker.url, steps=1)
        asked = len(attacker.asked)
        store = MemoryStore()
        run = runs.import_run(store, bundle)
        assert len(runs.load(store, run).entries) == 3
        with pytest.raises(StoreError, match="came with the file"):
            runs.take_back(store, run)
        again = runs.import_run(store, export(runs.load(store, run), "bundle").content)
        forks = [runs.fork(store, run, at) for at in (1, 2, 3)]
        runs.intervene(store, run, Intervention(agents=AgentsNote("models", models_at("http://127.0.0.1:9/v1"))))
        forks.append(runs.fork(store, run, 2))
        for one in (again, *forks):
            with pytest.raises(AgentError, match="chosen again"):
                runs.step_once(store, one)
    assert len(attacker.asked) == asked == 2


def test_a_bundle_cannot_say_that_its_models_were_chosen_here():
    with serving(*SYSTEM_2) as attacker:
        store = MemoryStore()
        run = runs.start(store, load_bundled("system-2"))
        models = models_at(attacker.url)
        runs.intervene(store, run, Intervention(by=IMPORTED, agents=AgentsNote("models", None)))
        runs.intervene(store, run, Intervention(agents=AgentsNote("models", models)))
        bundle = export(runs.load(store, run), "bundle").content
        brought = runs.import_run(store, bundle)
        with pytest.raises(AgentError, match="chosen again"):
            runs.step_once(store, brought)
    assert attacker.asked == []


@BOTH
def test_a_run_of_ones_own_sends_the_key_to_a_typed_address_only_where_it_is_named_again(tmp_path, provider):
    database = ("--db", str(tmp_path / "runs.db"))
    with serving(*SYSTEM_2) as server:
        url = server.url + ("/v1" if provider == "openai" else "")
        store = runs.open_store(tmp_path / "runs.db")
        run = runs.start(store, load_bundled("system-2"), agents="models", models=models_at(url, provider))
        done = dolq("resume", run, "--iterations", "1", *database)
        assert f"is not sent to {url}" in done.stderr
        assert f"--base-url {url}" in done.stderr
        assert KEY not in json.dumps(server.asked)
    with serving(*SYSTEM_2) as server:
        url = server.url + ("/v1" if provider == "openai" else "")
        run = runs.start(store, load_bundled("system-2"), agents="models", models=models_at(url, provider))
        done = dolq("resume", run, "--iterations", "1", "--base-url", url, *database)
        assert done.returncode == 0, done.stderr
        assert KEY in json.dumps(server.asked)
        assert url in done.stderr


def test_an_address_that_only_looks_like_the_provider_gets_no_key(monkeypatch):
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    own = PRESETS["openai"].base_url
    for address in (f"{own}@evil.example", f"{own}.evil.example", f"http{own[5:]}", f"{own}/../x", f" {own}?", "//x"):
        assert runs.environment_key(ModelChoice("openai", "m", address)) == ""
    assert runs.environment_key(ModelChoice("openai", "m", own)) == KEY


@BOTH
def test_without_a_key_no_client_takes_one_of_the_environment(monkeypatch, provider):
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    with serving("{}") as server:
        connect(ModelChoice(provider, "m", server.url), "").send(request())
    assert KEY not in json.dumps(server.asked)


MARKED = "marked-account"
ACCOUNT = {"OPENAI_ORG_ID": MARKED, "OPENAI_PROJECT_ID": MARKED, "OPENAI_ADMIN_KEY": MARKED}
OWN_HEADERS = f"Authorization: Bearer {MARKED}\nX-Secret: {MARKED}"


@pytest.mark.parametrize("provider", ["openai", "openrouter", "deepseek", "ollama", "gemini"])
def test_nothing_of_ones_account_goes_to_another_address(monkeypatch, provider):
    for name, value in {**ACCOUNT, "OPENAI_CUSTOM_HEADERS": OWN_HEADERS, "GOOGLE_CLOUD_PROJECT": MARKED}.items():
        monkeypatch.setenv(name, value)
    with serving("{}") as server:
        connect(ModelChoice(provider, "m", server.url), KEY).send(request())
    (asked,) = server.asked
    assert MARKED not in json.dumps(asked)
    assert "x-stainless-os" not in {name.lower() for name in asked[1]}


def test_the_account_goes_to_the_providers_own_address(monkeypatch):
    for name, value in ACCOUNT.items():
        monkeypatch.setenv(name, value)
    with serving("{}") as server:
        monkeypatch.setitem(PRESETS, "openai", replace(PRESETS["openai"], base_url=server.url))
        connect(ModelChoice("openai", "m"), KEY).send(request())
    headers = {name.lower(): value for name, value in server.asked[0][1].items()}
    assert (headers["openai-organization"], headers["openai-project"]) == (MARKED, MARKED)


def request():
    return ChatRequest("be brief", "the prompt", 0.9, 300, "plain", "sampler", {}, 20.0)


REDIRECTS = ("301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect")


@BOTH
@pytest.mark.parametrize("status", REDIRECTS)
def test_where_a_server_sends_on_to_another_neither_key_nor_prompt_follows(status, provider):
    with saying(whole(b"{}")) as thief:
        answer = whole(b"", f"Location: {thief.url}/v1/chat/completions", status=status)
        with saying(answer) as server, pytest.raises(ChatError, match=f"sends on to '{thief.url}") as caught:
            connect(ModelChoice(provider, "m", server.url), KEY).send(request())
    assert caught.value.kind == "missing"
    assert thief.heard == []


# --- on the pages ------------------------------------------------------------------------------------------


def test_the_page_of_an_imported_run_names_the_address_and_asks_nobody(monkeypatch):
    monkeypatch.setattr(asking.LiveLine, "wait", lambda self, seconds: None)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    with serving(*SYSTEM_2) as attacker, serving(*SYSTEM_2) as chosen:
        bundle = bundle_of(attacker.url, steps=1)
        asked = len(attacker.asked)
        run = runs.import_run(runs.open_store(), bundle)
        at = app("discover", run)
        assert attacker.url in read(at)
        at = press(at, "Step")
        assert "chosen again" in read(at)
        assert len(attacker.asked) == asked
        at.switch_page("pages/settings/page.py").run()
        at.radio(key="agents.who").set_value("models").run()
        at.text_input(key="sampler.model").set_value("m").run()
        at.text_input(key="sampler.address").set_value(f"{chosen.url}/v1").run()
        at = at.switch_page("pages/discover/page.py").run()
        at = press(at, "Use the models of Settings")
        assert f"sends to {chosen.url}" in read(at)
        press(at, "Step")
    assert len(attacker.asked) == asked
    assert chosen.asked


def test_what_a_server_answers_is_no_redirect_where_it_only_looks_like_one():
    with serving(Fault(200, b"{}", {"location": "http://127.0.0.1:9/"})) as server, pytest.raises(ChatError) as caught:
        connect(ModelChoice("openai", "m", server.url), KEY).send(request())
    assert caught.value.kind == "reply"
