"""What both roles are told of where a run stands: all of it, true, and short however long the run is."""

import json
import re
from dataclasses import replace

import pytest

from dolq_core.agents import build_agents
from dolq_core.agents.llm import sampler_prompt, scientist_prompt
from dolq_core.agents.llm.account import account_part
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import advance, begin
from dolq_core.loop.step import Setup, step
from dolq_core.records import Ban, Iteration, ModelChoice, Models, Settings, Start, TermKey
from dolq_core.store import codec
from dolq_core.views.model_usage import model_usage
from tests.agents.llm.replies import grades, proposal
from tests.every import every

CHOICE = ModelChoice("openai", "m")
LETTERS_A_TOKEN = 3.5
"""Of formulas and figures; plain English has four and more."""


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(load_bundled("system-2").dataset, "gradient")


class Conversation:
    """A run whose models say what they are told to."""

    def __init__(self, bench, sampler, scientist, **chosen):
        self.bench = bench
        models = Models(CHOICE, CHOICE, **chosen)
        settings = Settings(target="gradient")
        self.models = {"sampler": ScriptedModel(sampler), "scientist": ScriptedModel(scientist)}
        agents = build_agents("models", models, settings, lambda role, _: self.models[role])
        self.setup = Setup(*agents, bench)
        self.state = begin(Start(load_bundled("system-2"), settings, agents="models", models=models))

    def go(self, iterations=1):
        for _ in range(iterations):
            self.state = advance(self.state, step(self.state, self.setup))
        return self.state

    def asked(self, role):
        return self.models[role].asked[-1].prompt


LAW = {"x0": ["x0**2", "sin(x1)"], "x1": ["x0"]}
FAR = {"x0": ["x0"], "x1": ["x1", "1"]}
JUDGED = grades(x0={"x0**2": "good", "sin(x1)": "good"}, x1={"x0": "good"})


def structures(k):
    """Hypotheses that no other iteration has."""
    return proposal(*({"x0": [f"x0**{k}", f"x1**{n}"], "x1": [f"x1**{k}", f"x0**{n}"]} for n in (1, 2, 3)))


def test_every_hypothesis_reaches_both_roles_with_signs_errors_and_what_each_term_costs(bench):
    talk = Conversation(bench, [proposal(FAR, LAW)], [JUDGED])
    state = talk.go()
    sampler = sampler_prompt.prompt(state, bench, 3)
    for told in (sampler, talk.asked("scientist")):
        assert "- best: -0.2(+-6e-07)*(x0**2)[x>1e6] -1(+-9e-06)*sin(x1)[x>1e6]; NMSE 4.1" in told
        rivals = [line for line in told.splitlines() if line.startswith("- +")]
        assert len(rivals) == 2
        assert every("nats: " in line and "*" in line and "[" in line and "NMSE" in line for line in rivals)


def test_the_scientist_sees_the_rival_that_is_not_graded(bench):
    talk = Conversation(bench, [proposal(LAW, {**LAW, "x1": ["x0", "cos(x1)/x0"]})], [JUDGED])
    talk.go()
    assert "x0, cos(x1)/x0" in talk.asked("scientist") or "*(cos(x1)/x0)" in talk.asked("scientist")
    assert "Equations are ranked one by one" in talk.asked("scientist")


def test_a_reason_reaches_the_scientist_in_the_iteration_in_which_it_is_given(bench):
    talk = Conversation(bench, [proposal(LAW)], [JUDGED])
    talk.go()
    assert "Proposed because <<<sin(x1) may act on x0.>>>" in talk.asked("scientist")


def test_of_two_reasons_for_a_term_the_one_of_the_graded_hypothesis_is_told_and_stays_when_it_was_stored(bench):
    worse = proposal({"x0": ["sin(x1)"], "x1": ["x0"]}).replace("sin(x1) may act on x0", "it grows by itself")
    both = f'{{"hypotheses": {proposal(LAW)[15:-2]}, {worse[16:-2]}]}}'
    talk = Conversation(bench, [both], [JUDGED])
    before, after = talk.state, talk.go()
    assert len(after.last.proposal.candidates) == 2
    assert "it grows by itself" not in talk.asked("scientist")
    assert after.reasons[TermKey(0, "sin(x1)")] == "sin(x1) may act on x0."
    stored = codec.from_json(Iteration, codec.to_json(after.last))
    assert advance(before, stored).reasons == after.reasons


def test_where_the_best_law_misses_is_said_with_time_values_and_sign(bench):
    talk = Conversation(bench, [proposal(LAW)], [JUDGED])
    line = next(line for line in account_part(talk.go(), bench, 1).splitlines() if "misses" in line)
    assert "x0 0." in line
    assert "below the law's" in line


def test_the_account_is_bounded_however_long_the_run_is(bench):
    talk = Conversation(bench, [structures(k) for k in range(1, 9)], ["{}"] * 16)
    lengths = [len(account_part(talk.go(), bench, k)) / LETTERS_A_TOKEN for k in range(1, 9)]
    assert lengths[4] < 1500
    assert max(lengths[5:]) < 1.1 * max(lengths[:5])
    assert "worse ones, tried before" in account_part(talk.state, bench, 8)


def test_the_whole_prompt_after_five_iterations_is_mostly_about_this_run(bench):
    talk = Conversation(bench, [structures(k) for k in range(1, 7)], ["{}"] * 12)
    told = sampler_prompt.prompt(talk.go(5), bench, 3)
    task = told[told.index("# Your task") :]
    assert len(task) < 0.3 * len(told)
    assert len(told) / LETTERS_A_TOKEN < 2500


def test_a_repeat_is_told_as_one(bench):
    talk = Conversation(bench, [proposal(LAW), proposal(LAW)], [JUDGED] * 2)
    talk.go(2)
    assert "hypothesis 1: every equation of it was tried before" in sampler_prompt.prompt(talk.state, bench, 3)


def test_a_sign_that_the_fit_turns_is_told(bench):
    talk = Conversation(bench, [proposal({"x0": ["0.8*x0**2", "-sin(x1)"], "x1": ["x0"]})], [JUDGED])
    talk.go()
    assert [t.stated for t in talk.state.last.proposal.candidates[0].terms[0]] == [0.8, -1.0]
    told = sampler_prompt.prompt(talk.state, bench, 3)
    assert "<<<+0.8*x0**2 in the equation of hypothesis 1>>>: its sign came out the other way" in told
    assert "sin(x1) in the equation of" not in told


def test_an_iteration_whose_replies_could_not_be_read_is_told_as_that(bench):
    talk = Conversation(bench, ["no", "no again"], [])
    told = sampler_prompt.prompt(talk.go(), bench, 3)
    assert "# What was said of iteration 1\nNot used:" in told
    assert "there is no JSON object in the reply" in told
    assert "no hypothesis was left to fit" in told


def test_a_term_that_is_let_in_again_is_not_called_banned(bench):
    judged = grades(x0={"x0**2": "good", "sin(x1)": "bad"}, x1={"x0": "good"})
    talk = Conversation(bench, [proposal(LAW)], [judged])
    state = talk.go()
    key = TermKey(0, "sin(x1)")
    assert key in state.bans
    told = sampler_prompt.prompt(replace(state, bans={}), bench, 3)
    assert "sin(x1): removed by the Scientist, and let in again for a second look" in told


def test_words_against_data_are_told_once_the_data_are_explained():
    bench = Workbench.of(load_bundled("system-2").dataset, "auto")
    talk = Conversation(bench, [], [])
    said = (
        "The speed of a glider falls through drag; gravity bends its path by the angle of flight. A cloud supplies ice "
        "at a constant rate, and it melts in proportion."
    )
    problem = replace(talk.state.problem, description=said)
    right = proposal({"x0": ["x0**2", "sin(x1)"], "x1": ["x0", "cos(x1)/x0"]})
    talk = Conversation(bench, [right], [grades(x0={"x0**2": "neutral", "sin(x1)": "neutral"})])
    talk.state = replace(talk.state, problem=problem)
    state = talk.go()
    assert state.last.evaluation.review.conflict.startswith("Words and data disagree")
    assert "Words and data disagree" in sampler_prompt.prompt(state, bench, 3)


def test_bans_are_told_with_whose_they_are_and_why(bench):
    talk = Conversation(bench, [proposal(LAW)], [JUDGED])
    state = talk.go()
    bans = {
        TermKey(0, "x0"): Ban(TermKey(0, "x0"), "human", 1, "no creeping flow"),
        TermKey(0, "x1"): Ban(TermKey(0, "x1"), "numbers", 1, "it does nothing"),
    }
    told = scientist_prompt.prompt(
        replace(state, bans=bans), state.last.attempt, state.last.evaluation.ablations, bench
    )
    assert "x0 (by the person, because <<<no creeping flow>>>)" in told
    assert "x1 (by the numbers, because <<<it does nothing>>>)" in told


def test_a_term_that_is_copied_with_its_numbers_is_the_one_it_was(bench):
    gate = {"x0": ["x0", "1/(1 + exp(params[0]*x1 + params[1]))"], "x1": ["x0"]}
    talk = Conversation(bench, [proposal(gate)], [JUDGED])
    state = talk.go()
    shown = account_part(state, bench, 1)
    copied = re.search(r"\*\((1/\(.*?exp.*?\)\))\)\[", shown)[1]
    assert "params" not in copied
    again = {
        "sampler": ScriptedModel([proposal({"x0": ["x0**2", copied], "x1": ["x0"]})]),
        "scientist": ScriptedModel([]),
    }
    sampler, _ = build_agents("models", state.models, state.settings, lambda role, _: again[role])
    (hypothesis,) = sampler.propose(state, bench, None).hypotheses
    assert hypothesis[0][1].text == next(t.skeleton for t in state.best[0].fit.terms if "exp" in t.skeleton)


def test_proposals_of_the_search_and_of_the_model_stand_in_one_ranking(bench):
    talk = Conversation(bench, [proposal({"x0": ["x0"], "x1": ["x1"]})], [JUDGED], proposals=1)
    state = talk.go()
    told = talk.asked("scientist")
    first = next(line for line in told.splitlines() if line.startswith("- best"))
    assert "sin(x1)" in first  # of the search: it leads
    assert "nats: +" in told or "nats: -" in told  # the model's own, behind it
    assert {t.source for c in state.last.proposal.candidates for terms in c.terms for t in terms} == {
        "model",
        "builtin",
    }
    graded = {v.key for v in state.last.verdicts}
    assert {TermKey(v.fit.equation, t.skeleton) for v in state.best for t in v.fit.terms} <= graded


def test_a_ban_that_the_scientist_lifts_is_told_and_shown(bench):
    lifting = json.loads(JUDGED) | {"lift": [{"variable": "x0", "term": "x1", "reason": "its partner is here"}]}
    talk = Conversation(bench, [proposal(LAW)], [json.dumps(lifting)])
    ban = Ban(TermKey(0, "x1"), "scientist", 0, "alone it means nothing", ("x0",))
    talk.state = replace(talk.state, bans={ban.key: ban})
    state = talk.go()
    assert ban.key not in state.bans
    assert "x0: the Scientist lets in x1 again. <<<its partner is here>>>" in sampler_prompt.prompt(state, bench, 3)
    assert "The Scientist let in x1 again after iteration 1: its partner is here" in model_usage([state.last])
