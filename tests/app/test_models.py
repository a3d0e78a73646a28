"""Language models in the app: chosen on Settings, asked on Discover, on record in History; the key nowhere."""

import pytest

from dolq_core import runs
from dolq_core.agents.llm import asking
from dolq_core.bundled import load_bundled
from dolq_core.errors import THIN
from dolq_core.records import Budget, ModelChoice, Models
from tests.agents.llm.replies import SYSTEM_2
from tests.agents.llm.server import error, serving
from tests.app.scenes import app, press, read, shown

KEY = "sk-marked-0123456789"


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr(asking.LiveLine, "wait", lambda self, seconds: None)
    monkeypatch.setattr(asking.LiveLine, "known", {})


def run_at(url, **chosen):
    choice = ModelChoice("openai", "m", url)
    models = Models(choice, choice, **chosen)
    return runs.start(runs.open_store(), load_bundled("system-2"), agents="models", models=models)


def choose(at, url):
    at.radio(key="agents.who").set_value("models").run()
    at.text_input(key="sampler.model").set_value("m").run()
    return at.text_input(key="sampler.address").set_value(url).run()


def test_a_model_is_chosen_and_the_next_run_uses_it():
    with serving(*SYSTEM_2) as server:
        at = choose(app("settings"), f"{server.url}/v1")
        at.text_input(key="sampler.key.openai").set_value(KEY).run()
        assert f"Each call sends to {server.url}/v1 (model m)" in read(at)
        assert at.text_input(key="sampler.key.openai").value == ""
        at.switch_page("pages/start/page.py").run()
        at = press(at, "Try it on yeast")
        assert "Nothing has been sent yet" in at.info[0].value
        assert "m proposes and grades" in read(at)
        press(at.switch_page("pages/discover/page.py").run(), "Step")
    assert server.asked[0][1]["authorization"] == f"Bearer {KEY}"


def test_a_test_of_the_connection_says_what_the_server_takes():
    answer = '{"answer": "5"}'
    with serving(error(400, "no tools"), error(400, "no json_schema"), answer, answer) as server:
        at = press(choose(app("settings"), f"{server.url}/v1"), "Test connection")
    text = read(at)
    assert "m-2026 answers" in text
    assert ":material/close: Asked by a function" in text
    assert ":material/close: Asked by a schema" in text
    assert ":material/check: Asked by any JSON: answers as asked" in text


def test_a_connection_that_fails_says_why():
    with serving(error(401, f"Incorrect key {KEY}")) as server:
        at = press(choose(app("settings"), f"{server.url}/v1"), "Test connection")
    assert "No key was sent" in read(at)
    assert KEY not in shown(at)


def test_a_key_that_is_refused_is_said_to_be():
    with serving(error(401, f"Incorrect key {KEY}")) as server:
        at = choose(app("settings"), f"{server.url}/v1")
        at.text_input(key="sampler.key.openai").set_value(KEY).run()
        at = press(at, "Test connection")
    assert "The key was not accepted" in read(at)
    assert KEY not in shown(at)


def test_a_tab_without_the_key_says_so_before_the_call_and_takes_it():
    models = Models(*[ModelChoice("openai", "m", "https://models.example/v1")] * 2)
    at = app("discover", runs.start(runs.open_store(), load_bundled("system-2"), agents="models", models=models))
    assert "This run asks https://models.example/v1 (model m), and this tab has no key for it" in read(at)
    at = next(field for field in at.text_input if field.label == "Key").set_value(KEY).run()
    assert "this tab has no key" not in read(at)
    assert KEY not in shown(at)


def test_a_server_here_is_asked_without_a_key_until_it_wants_one():
    with serving(error(401, "who?"), *SYSTEM_2[:2]) as server:
        run = run_at(f"{server.url}/v1")
        at = app("discover", run)
        assert "this tab has no key" not in read(at)
        at = press(at, "Step")
        assert "No key was sent" in read(at)
        at = next(field for field in at.text_input if field.label == "Key").set_value(KEY).run()
        press(at, "Step")
    assert "authorization" not in server.asked[0][1]
    assert server.asked[1][1]["authorization"] == f"Bearer {KEY}"


def test_an_iteration_shows_its_calls_with_prompt_and_reply():
    with serving(*SYSTEM_2[:2]) as server:
        run = run_at(f"{server.url}/v1")
        runs.step_once(runs.open_store(), run)
    at = app("history", run)
    at.session_state[f"iteration·{run}·1"] = True
    at.run()
    assert f"2 calls of language models, 24{THIN}000 tokens" in read(at).replace("**", "")
    chosen = next(group for group in at.button_group if "what was sent" in group.label)
    chosen.set_value(1).run()
    codes = [code.value for code in at.code]
    assert SYSTEM_2[1] in codes
    assert any("# The terms to grade" in code for code in codes)


def test_a_pause_says_why_and_a_budget_can_be_doubled():
    with serving(*SYSTEM_2) as server:
        run = run_at(f"{server.url}/v1", budget=Budget(calls=2))
        runs.step_once(runs.open_store(), run)
        at = press(app("discover", run), "Step")
        assert "2 of 2 calls are used" in read(at)
        at = press(at, "Double the budget")
        assert "Paused" not in read(at)
        at = press(at, "Step")
        assert runs.load(runs.open_store(), run).state.iteration == 2
    assert "4 of 4 calls" in read(at)


def test_a_key_of_the_server_is_used_for_the_providers_own_address_only(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    at = app("settings")
    at.radio(key="agents.who").set_value("models").run()
    assert "Uses OPENAI_API_KEY of this server." in read(at)
    at.text_input(key="sampler.address").set_value("http://127.0.0.1:9/v1").run()
    assert "Uses OPENAI_API_KEY of this server." not in read(at)
    assert KEY not in shown(at)


def test_an_answer_that_cannot_be_used_is_told_with_the_way_out():
    with serving("I think it is x0.", "I think it is x0.") as server:
        run = run_at(f"{server.url}/v1")
        runs.step_once(runs.open_store(), run)
    text = read(app("discover", run))
    assert "m gave no answer that can be used: there is no JSON object in the reply" in text
    assert "Settings tests the connection" in text
    assert "Not fitted yet" in text
    assert "No law" not in text
    assert "no answer that can be used" in app("history", run).expander[0].label


def test_grades_that_cannot_be_read_are_told_once():
    with serving(SYSTEM_2[0], "Fine.", "Fine.") as server:
        run = run_at(f"{server.url}/v1")
        runs.step_once(runs.open_store(), run)
    text = read(app("discover", run))
    assert text.count("gave no grades that can be used") == 1
    assert "no grade" in text
    assert "Nothing is understood yet" not in text
    assert "The Scientist gave no grade." not in text
