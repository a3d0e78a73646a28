"""What a partner finds is told from what it recalls."""

import pytest

from dolq_core.ports import ChatRequest
from lab import campaign
from lab.benchmarks import recall
from lab.benchmarks.beginner import Beginner
from lab.campaign.laws import true_law
from lab.campaign.looping import OWN_KEY, reached
from tests.agents.llm.server import Text, error, serving
from tests.every import every

ORIGINALS, TWINS = map(campaign.read_suite, recall.SUITES)


def rows(original, changed, partner="a model"):
    return [
        {"partner": partner, "suite": suite, "system": str(n), "right": n in right, "failure": ""}
        for suite, right in zip(recall.SUITES, (original, changed), strict=True)
        for n in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("original", "changed", "expected"),
    [
        ({1, 2, 3, 4}, {2, 5}, (3, 4)),  # 5 matches no success: neither 2 of 4, nor 3 of 8
        ({1, 2}, {1, 2, 3}, (0, 2)),
        ({1, 2}, set(), (2, 2)),
        (set(), {1}, (0, 0)),
    ],
)
def test_recall_is_what_of_the_successes_on_originals_the_twins_do_not_match(original, changed, expected):
    found = rows(original, changed)
    assert recall.recalled(found) == expected
    assert recall.recalled(found[::-1]) == expected


def test_the_page_says_the_share_with_its_interval():
    by_partner, by_system = recall.page([*rows({1, 2, 3, 4}, {2, 5}), *rows(set(), {1}, "another")])
    assert "| a model | 4 of 8 | 2 of 8 | 3 of 4 | 75% (30% to 95%) |" in by_partner  # Wilson: 0.301 to 0.954
    assert "| another | 0 of 8 | 1 of 8 | 0 of 0 | none to share |" in by_partner
    assert "| a model | 5 | not right | right |" in by_system


def test_a_twin_differs_from_its_original_in_the_law_alone():
    for original, twin in zip(ORIGINALS, TWINS, strict=True):
        same = ("id", "description", "states", "initial", "t", "t_ext", "points")
        assert every(getattr(original, name) == getattr(twin, name) for name in same)
        terms = [[[part[0] for part in own] for own in true_law(case)] for case in (original, twin)]
        assert terms[0] != terms[1]


def test_the_table_tells_who_recites_from_who_reads_figures():
    pairs = [(suite, case) for suite, cases in zip(recall.SUITES, (ORIGINALS, TWINS), strict=True) for case in cases]
    some = [(suite, case) for suite, case in pairs if case.id == "1"]
    reciter = [recall.played("reciter", suite, case, recall.Reciter()) for suite, case in some]
    beginner = [recall.played("beginner", suite, case, Beginner()) for suite, case in some]
    assert (recall.recalled(reciter), recall.recalled(beginner)) == ((1, 1), (0, 1))


def test_a_model_is_named_by_its_provider_and_its_own_name():
    one, other = recall.choices("openrouter/meta/llama openai/m", "http://here/v1")
    assert (one.provider, one.model, one.base_url) == ("openrouter", "meta/llama", "http://here/v1")
    assert (other.provider, other.model) == ("openai", "m")
    with pytest.raises(SystemExit, match="PROVIDER/MODEL"):
        recall.choices("gpt")


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_model_behind_the_real_client_is_measured_as_a_script_is(provider, monkeypatch):
    """A server that is first out of order, then answers in prose, then recites."""
    monkeypatch.setenv(OWN_KEY, "sk-marked-0123456789")
    reciter = recall.Reciter()

    def recited(body):
        if provider == "openai":
            prompt = body["messages"][-1]["content"]
        else:
            prompt = body["contents"][-1]["parts"][0]["text"]
        role = "scientist" if "# The terms to grade" in prompt else "sampler"
        return Text(reciter.send(ChatRequest("", prompt, 0.0, 9, "plain", role, {}, 1.0)).text)

    with serving(error(500), Text("I remember that one."), *[recited] * 9) as server:
        (choice,) = recall.choices(f"{provider}/m", server.url + ("/v1" if provider == "openai" else ""))
        row = recall.played("openai/m", "paper", ORIGINALS[0], reached("", choice))
    assert (row["right"], row["failure"], row["iterations"]) == (True, "", 1)
    assert row["calls"] > 2
    assert len(server.asked) >= row["calls"]


def test_a_model_without_an_answer_is_no_success_and_the_row_says_why():
    with serving(*[error(401)] * 3) as server:
        (choice,) = recall.choices("openai/m", f"{server.url}/v1")
        row = recall.played("openai/m", "paper", ORIGINALS[0], reached("", choice))
    assert not row["right"]
    assert "401" in row["failure"]
    assert "no answer: " in recall.page([row])[1]
