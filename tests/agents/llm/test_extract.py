"""The JSON object in a reply, however it is wrapped."""

import pytest

from dolq_core.agents.llm.extract import extract
from dolq_core.agents.llm.schemas import SamplerReply, ScientistReply, schema_of, usable

WRAPPED = {
    "alone": '{"a": 1}',
    "fenced": 'Here it is:\n```json\n{"a": 1}\n```\nGood luck!',
    "after thoughts": '<think>maybe {"a": 2}?</think>{"a": 1}',
    "thoughts that never end": '{"a": 1}<think>and',
    "in prose": 'I answer {"a": 1} as asked.',
    "a trailing comma": '{"a": 1,}',
    "after another object": '{"note": {"a": 3}} {"a": 1}',
    "twice": '{"a": 1} {"a": 2}',
    "with comments": '{"a": 1 // one, see http://x.org\n /* and no more */}',
}


@pytest.mark.parametrize("how", WRAPPED)
def test_the_object_is_found(how):
    assert extract(WRAPPED[how], {"a"}) == {"a": 1}


@pytest.mark.parametrize("text", ["", "   ", "<think>only thoughts", "no object at all", '{"a": [1, 2', "{" * 5000])
def test_where_there_is_none_it_says_so(text):
    assert isinstance(extract(text, {"a"}), str)


def test_a_cut_reply_is_not_completed():
    assert "no whole JSON object" in str(extract('{"hypotheses": [{"equations": [', {"hypotheses"}))


@pytest.mark.parametrize("shape", [SamplerReply, ScientistReply])
def test_schemas_are_ready_for_strict_modes(shape):
    def check(schema):
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert set(schema["required"]) == set(schema["properties"])
        for value in schema.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    check(one)

    check(schema_of(shape))


def grades(*some):
    return {"grades": list(some), "insight": "so"}


GOOD = {"variable": "x0", "term": "x0", "grade": "good", "reason": "why"}


def test_one_bad_grade_does_not_sink_the_others():
    reply, dropped = usable(ScientistReply, grades(GOOD, {**GOOD, "grade": "superb"}, {"term": "x1"}))
    assert [one.term for one in reply.grades] == ["x0"]
    assert len(dropped) == 2


def test_a_reply_without_a_usable_part_is_none():
    reply, dropped = usable(ScientistReply, {"grades": "all good", "insight": 3})
    assert reply is None
    assert dropped


def test_a_bare_text_is_a_term_without_a_reason():
    said = {"hypotheses": [{"equations": [{"variable": "x0", "terms": ["x0", {"term": "x1", "reason": "why"}]}]}]}
    terms = SamplerReply.model_validate(said).hypotheses[0].equations[0].terms
    assert [(t.term, t.reason) for t in terms] == [("x0", ""), ("x1", "why")]


def test_what_looks_like_a_comment_in_a_text_is_none():
    assert extract('{"a": "see http://x.org",}', {"a"}) == {"a": "see http://x.org"}


@pytest.mark.parametrize("text", ['[{"b": 1}, {"b": 2}]', 'Here: [ {"b": 1}, {"b": 2}, ] // done'])
def test_a_bare_list_is_taken_for_what_was_asked(text):
    assert extract(text, {"a"}, "a") == {"a": [{"b": 1}, {"b": 2}]}


def test_a_list_inside_the_object_is_no_bare_list():
    assert extract('{"a": [{"b": 1}]}', {"a"}, "a") == {"a": [{"b": 1}]}


def test_a_term_and_a_grade_without_a_reason_are_kept():
    said = {"hypotheses": [{"equations": [{"variable": "x0", "terms": [{"term": "x1"}]}]}]}
    assert SamplerReply.model_validate(said).hypotheses[0].equations[0].terms[0].reason == ""
    assert ScientistReply.model_validate({"grades": [{"number": 1, "grade": "Good"}]}).grades[0].grade == "good"


def test_the_schema_asks_for_a_grade_by_its_number_alone():
    assert set(schema_of(ScientistReply)["$defs"]["GradeReply"]["properties"]) == {"number", "grade", "reason"}
