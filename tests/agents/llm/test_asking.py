"""One question: the form the server takes, patience, one repair, budgets, and every attempt on record."""

import json

import pytest

from dolq_core.agents.llm.allowance import Allowance
from dolq_core.agents.llm.asking import LONGEST_WAIT_S, Asker, Question
from dolq_core.agents.llm.schemas import ScientistReply
from dolq_core.agents.providers.scripted import RecordedModel, ScriptedModel
from dolq_core.errors import AgentError, ChatError
from dolq_core.ports import ChatReply
from dolq_core.records import Budget, ModelChoice, Models, Spent

CHOICE = ModelChoice("scripted", "script")
QUESTION = Question("scientist", "system", "prompt", 0.6, 3000)
GOOD = json.dumps({"grades": [{"variable": "x0", "term": "x0", "grade": "good", "reason": "r"}], "insight": "i"})


class Line:
    """Counts the waits instead of waiting."""

    def __init__(self):
        self.waits, self.at = [], 0

    def form(self):
        return ("json_schema", "json_object", "plain")[self.at]

    def step_down(self, form):
        self.at += 1
        return self.at < 3

    def wait(self, seconds):
        self.waits.append(seconds)

    def elapsed(self, since):
        return 1.0


def ask(*replies, budget=None, spent=None, line=None):
    model = ScriptedModel(replies, CHOICE)
    models = Models(CHOICE, CHOICE, budget=budget or Budget(), price_in=2.0, price_out=10.0)
    asker = Asker(model, Allowance(models, spent or Spent()), line or Line())
    return asker.ask(QUESTION, ScientistReply), model


def fault(kind, retry_after=None):
    return ChatError(kind, "The model", kind, "Do something.", retry_after=retry_after)


def test_a_good_reply_is_one_call():
    answer, model = ask(ChatReply(GOOD, "script-2026", "stop", 10, 5, 2))
    assert answer.reply.insight == "i"
    (call,) = answer.calls
    assert (call.role, call.provider, call.model, call.answered_by) == (
        "scientist",
        "scripted",
        "script",
        "script-2026",
    )
    assert (call.system, call.prompt, call.reply, call.form) == ("system", "prompt", GOOD, "json_schema")
    assert (call.tokens_in, call.tokens_out, call.tokens_reasoning, call.finish) == (10, 5, 2, "stop")
    assert (call.temperature, call.max_tokens, call.seconds, call.failure) == (0.6, 3000, 1.0, "")
    assert model.asked[0].deadline_s > 0


def test_a_server_that_takes_no_schema_is_asked_more_plainly():
    answer, model = ask(fault("format"), fault("format"), GOOD)
    assert answer.reply is not None
    assert [request.form for request in model.asked] == ["json_schema", "json_object", "plain"]
    assert [call.failure for call in answer.calls] == ["format", "format", ""]


def test_a_setting_that_is_not_taken_is_left_out_by_the_provider_and_asked_again():
    answer, model = ask(fault("parameter"), GOOD)
    assert answer.reply is not None
    assert len(model.asked) == 2


def test_waits_double_unless_the_server_says():
    line = Line()
    answer, _ = ask(fault("busy"), fault("server"), fault("busy", 7.0), GOOD, line=line)
    assert answer.reply is not None
    assert line.waits == [1.0, 2.0, 7.0]


@pytest.mark.parametrize("kind", ["busy", "server", "connection", "timeout", "reply"])
def test_what_passes_is_tried_four_times(kind):
    with pytest.raises(AgentError, match="4 attempts") as caught:
        ask(*[fault(kind)] * 9)
    assert [call.failure for call in caught.value.calls] == [kind] * 4


@pytest.mark.parametrize("kind", ["key", "quota", "missing", "refused"])
def test_what_does_not_pass_is_tried_once(kind):
    with pytest.raises(AgentError, match=kind) as caught:
        ask(fault(kind), GOOD)
    assert [call.failure for call in caught.value.calls] == [kind]


def test_a_wait_that_is_too_long_is_not_waited_for():
    line = Line()
    with pytest.raises(AgentError):
        ask(fault("busy", LONGEST_WAIT_S + 1), GOOD, line=line)
    assert line.waits == []


@pytest.mark.parametrize("bad", ["", "I cannot", '{"grades": [', '{"grades": "x", "insight": "y"}', "{}"])
def test_a_reply_that_cannot_be_used_is_asked_for_once_more(bad):
    answer, model = ask(bad, GOOD)
    assert answer.reply is not None
    assert len(answer.calls) == 2
    assert model.asked[1].prompt.startswith("prompt\n\nYour last reply could not be used: ")
    assert json.dumps(bad) in model.asked[1].prompt


def test_what_still_fails_is_said_and_nothing_is_raised():
    answer, model = ask("no", "still no", GOOD)
    assert answer.reply is None
    assert len(model.asked) == 2
    assert "no JSON object" in answer.notes[0]


def test_what_is_usable_of_a_faulty_reply_is_used():
    said = json.loads(GOOD)
    said["grades"].append({"variable": "x1", "term": "x1", "grade": "superb", "reason": "r"})
    answer, _ = ask(json.dumps(said), json.dumps(said))
    assert [one.term for one in answer.reply.grades] == ["x0"]
    assert "superb" in answer.notes[0] or "good" in answer.notes[0]


@pytest.mark.parametrize("finish", ["refusal", "safety", "content_filter"])
def test_a_model_that_declines_is_not_asked_again(finish):
    answer, model = ask(ChatReply("I must not.", finish=finish), GOOD)
    assert answer.reply is None
    assert len(model.asked) == 1
    assert "declined" in answer.notes[0]


def test_a_reply_that_was_cut_is_told_to_be_brief():
    _, model = ask(ChatReply('{"grades": [', finish="length"), GOOD)
    assert "cut after 3000 tokens" in model.asked[1].prompt


USED_UP = {
    "calls": (Budget(calls=2), Spent(calls=2)),
    "tokens": (Budget(tokens=100), Spent(tokens_in=60, tokens_out=40)),
    "seconds": (Budget(seconds=5.0), Spent(seconds=5.0)),
    "money": (Budget(money=0.01), Spent(tokens_in=4000, tokens_out=200)),
}


@pytest.mark.parametrize("what", USED_UP)
def test_a_budget_that_is_used_up_stops_before_the_call(what):
    budget, spent = USED_UP[what]
    with pytest.raises(AgentError, match="budget") as caught:
        ask(GOOD, budget=budget, spent=spent)
    assert caught.value.calls == ()


def test_a_budget_counts_failed_attempts_and_repairs():
    with pytest.raises(AgentError, match="2 of 2 calls") as caught:
        ask(fault("server"), "no", GOOD, budget=Budget(calls=2))
    assert len(caught.value.calls) == 2


def test_a_recorded_conversation_is_answered_as_it_was():
    answer, _ = ask(fault("format"), fault("busy", 3.0), ChatReply("no", "m", "stop", 1, 2, 0), GOOD)
    model = RecordedModel(CHOICE, answer.calls)
    again = Asker(model, Allowance(Models(CHOICE, CHOICE), Spent())).ask(QUESTION, ScientistReply)
    assert again == answer


def test_a_record_that_ends_is_said():
    model = RecordedModel(CHOICE, ())
    with pytest.raises(AgentError, match="record ends"):
        Asker(model, Allowance(Models(CHOICE, CHOICE), Spent())).ask(QUESTION, ScientistReply)
