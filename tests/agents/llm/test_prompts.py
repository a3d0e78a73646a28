"""What the models are told, to the letter, and what it holds and does not hold."""

import json
import re
from dataclasses import replace

import pytest

from dolq_core.agents import build_agents
from dolq_core.agents.llm import disclosure, sampler_prompt, scientist_prompt
from dolq_core.agents.llm.schemas import SamplerReply
from dolq_core.agents.llm.telling import quoted
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance, begin, under_review
from dolq_core.loop.step import Setup, step
from dolq_core.records import Intervention, ModelChoice, Models, Override, Settings, Start, TermKey, TermNote
from tests.agents.llm.replies import SYSTEM_2
from tests.golden import is_golden

CHOICE = ModelChoice("openai", "m")
SAID = Intervention(
    ban=(TermNote(TermKey(0, "x0**3"), "no cubic drag"),),
    pin=(TermNote(TermKey(1, "x0"), "lift"),),
    overrides=(Override(TermKey(0, "1"), "hold", "perhaps"),),
    propose=(TermNote(TermKey(1, "cos(x1)"), ""),),
    remark="Mind the lift.",
)


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(load_bundled("system-2").dataset, "gradient")


def at(bench, iterations=0, *, models=None, said=None):
    """The state after some iterations of the conversation of `replies.SYSTEM_2`."""
    models = models or Models(CHOICE, CHOICE)
    settings = Settings(target="gradient")
    state = begin(Start(load_bundled("system-2"), settings, agents="models", models=models))
    sampler_replies, scientist_replies = SYSTEM_2[0::2], SYSTEM_2[1::2]
    replies = {"sampler": ScriptedModel(sampler_replies), "scientist": ScriptedModel(scientist_replies)}
    agents = build_agents("models", models, settings, lambda role, _: replies[role])
    for _ in range(iterations):
        state = advance(state, step(state, Setup(*agents, bench)))
    return advance(state, said) if said else state


def rounded(text):
    """Long numbers cut, so that another machine's last digits do not matter."""
    return re.sub(r"(\d\.\d{2})\d+", r"\1", text)


def test_the_first_prompt_of_the_sampler(bench):
    text = sampler_prompt.prompt(at(bench), bench, 3)
    assert is_golden("sampler_first.txt", f"{sampler_prompt.SYSTEM}\n\n{text}")


def test_a_later_prompt_of_the_sampler(bench):
    assert is_golden("sampler_later.txt", rounded(sampler_prompt.prompt(at(bench, 2, said=SAID), bench, 3)))


def test_what_was_said_of_earlier_words_is_told_as_that(bench):
    state = at(bench, 2)
    review = replace(state.last.evaluation.review, conflict="Words and data disagree: 'lift' speaks for x0**2.")
    state = replace(state, last=replace(state.last, evaluation=replace(state.last.evaluation, review=review)))
    assert sampler_prompt.EARLIER not in sampler_prompt.prompt(advance(state, SAID), bench, 3)
    state = advance(state, Intervention(description="A boat drifts."))
    told = sampler_prompt.prompt(state, bench, 3)
    assert told.index(sampler_prompt.EARLIER) < told.index("Words and data disagree")
    assert f"of iteration 2\n{sampler_prompt.EARLIER}\n" in told
    assert sampler_prompt.EARLIER not in sampler_prompt.prompt(replace(state, words=state.problem.version), bench, 3)


def test_the_prompt_of_a_sampler_without_a_scientist(bench):
    models = Models(CHOICE, None)
    assert is_golden("sampler_alone.txt", rounded(sampler_prompt.prompt(at(bench, 1, models=models), bench, 2)))


def test_a_prompt_of_the_scientist(bench):
    done = at(bench, 2, said=SAID)
    state = under_review(done, done.last.proposal, done.last.fits, done.last.attempt)
    text = scientist_prompt.prompt(state, done.last.attempt, done.last.evaluation.ablations, bench)
    assert is_golden("scientist.txt", rounded(f"{scientist_prompt.SYSTEM}\n\n{text}"))


def test_no_figure_of_the_data_is_told_where_the_person_wants_none(bench):
    state = at(bench, 1, models=replace(Models(CHOICE, CHOICE), portrait=False))
    told = sampler_prompt.prompt(at(bench, 1), bench, 3)
    kept = sampler_prompt.prompt(state, bench, 3)
    for figure in ("# The data in figures", "it misses most", "correlation"):
        assert figure in told
        assert figure not in kept


def test_the_example_has_the_dimension_and_gives_nothing_away(bench):
    example = json.loads(sampler_prompt.prompt(at(bench), bench, 3).splitlines()[-1])
    (hypothesis,) = SamplerReply.model_validate(example).hypotheses
    assert [equation.variable for equation in hypothesis.equations] == ["x0", "x1"]
    assert {term.term for equation in hypothesis.equations for term in equation.terms} == {"one term", "another term"}


@pytest.mark.parametrize("text", ["a >>> b", "<<<<<", "a\x00b\x1b[31m", "x" * 10_000])
def test_no_text_gets_out_of_its_marks(text):
    shown = quoted(text)
    assert shown.startswith("<<<")
    assert shown.endswith(">>>")
    inside = shown[3:-3]
    assert ">>>" not in inside
    assert "<<<" not in inside
    assert "\x1b" not in inside
    assert len(inside) <= 6000


def test_what_leaves_the_machine_is_said():
    both = Models(CHOICE, ModelChoice("ollama", "small"))
    to, figures, looks, rows = disclosure(both)
    assert "https://api.openai.com/v1 (model m)" in to
    assert "http://localhost:11434/v1 (model small)" in to
    assert rows == "No sample of your data is sent."
    assert "ranges" in figures
    assert looks == "Each role may look 4 times before it answers: at fits, residuals and simulations, in figures."
    assert "residuals" not in " ".join(disclosure(replace(both, portrait=False)))
    assert len(disclosure(replace(both, portrait=False, looks=0))) == 2
    assert disclosure(replace(both, rows=50))[-1] == "50 samples of the first run are sent too."
