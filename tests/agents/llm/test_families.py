"""A mechanism without its form: the search chooses the member, the same in all equations, and says so."""

import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core import runs
from dolq_core.agents.llm.families import MEMBERS, chosen, written
from dolq_core.records import Dataset, ModelChoice, Models, Problem, ProposedTerm, Trajectory, Variable
from dolq_core.runs import bench_of
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term, safe_names
from tests.agents.llm.replies import grades
from tests.agents.llm.server import serving
from tests.agents.llm.test_runs_with_models import KEY, _no_waiting
from tests.every import every

__all__ = ["_no_waiting"]


def chemostat(uptake, noise=0.0):
    """A vessel with a feed: cells eat by `uptake`, and both are washed out."""

    def rate(t, x):
        return [0.2 * (8.0 - x[0]) - 2.0 * uptake(x[0]) * x[1], 0.8 * uptake(x[0]) * x[1] - 0.2 * x[1]]

    t = np.linspace(0.0, 30.0, 400)
    x = solve_ivp(rate, (0.0, 30.0), [8.0, 0.1], t_eval=t, rtol=1e-11, atol=1e-11).y.T
    x = x + noise * x.std(axis=0) * np.random.default_rng(0).standard_normal(x.shape)
    states = (Variable("S", "S_"), Variable("X", "X"))
    return Problem(Dataset("vessel", Variable("t", "t"), states, (Trajectory(t, x),)), "")


HYPOTHESIS = tuple(
    tuple(ProposedTerm(text, "why", source="model") for text in texts)
    for texts in (("1", "S", "saturating(S)*X"), ("saturating(S)*X", "X"))
)


@pytest.mark.parametrize(
    ("uptake", "noise", "member"),
    [
        (lambda s: s / (1.5 + s), 0.0, "S/(@0 + S)"),
        (lambda s: 1.0 - np.exp(-0.5 * s), 0.0, "(1 - exp(-@0*S))"),
        (lambda s: s**2 / (4.0 + s**2), 0.0, "S**2/(@0 + S**2)"),
        (lambda s: s / (1.5 + s), 0.01, "S/(@0 + S)"),
    ],
)
def test_the_member_that_fits_is_chosen_for_all_equations(uptake, noise, member):
    problem = chemostat(uptake, noise)
    store = MemoryStore()
    state = runs.load(store, runs.start(store, problem)).state
    told, which = chosen(HYPOTHESIS, state, bench_of(problem.dataset, state.settings))
    assert which == {"saturating(S)": member}
    uptakes = {one.text for terms in told for one in terms if "X" in one.text and one.text != "X"}
    assert len(uptakes) == 1
    assert every("saturating(S): the best of 6 forms" in one.reason for one in (told[0][2], told[1][0]))
    assert told[0][0] == HYPOTHESIS[0][0]


@pytest.mark.parametrize("name", MEMBERS)
def test_every_member_is_a_term(name):
    names = safe_names(["S", "X"])
    read = [parse_term(written("fam*X", {"fam": form.format(u="S", v="X")}), names).skeleton for form in MEMBERS[name]]
    assert len(set(read)) == len(MEMBERS[name])


def test_numbers_of_the_text_and_of_the_member_are_told_apart():
    assert written("params[0]*fam", {"fam": "S/(@0 + S)"}) == "params[0]*(S/(params[1] + S))"


def test_the_choice_goes_from_the_wire_to_the_record_and_statements_follow_it():
    said = {
        "hypotheses": [
            {
                "equations": [
                    {"variable": "S", "terms": ["1", "S", {"term": "saturating(S)*X", "reason": "uptake"}]},
                    {"variable": "X", "terms": [{"term": "saturating(S)*X", "reason": "growth"}, "X"]},
                ],
                "statements": ["shared: saturating(S)*X in S, saturating(S)*X in X"],
            }
        ]
    }
    with serving(json.dumps(said), grades("Uptake saturates.")) as server:
        choice = ModelChoice("openai", "m", server.url + "/v1")
        store, problem = MemoryStore(), chemostat(lambda s: s / (1.5 + s))
        run = runs.start(store, problem, agents="models", models=Models(choice, choice))
        last = runs.step_once(store, run, keys=lambda choice: KEY).state.last
        prompt = server.asked[0][2]["messages"][1]["content"]
    assert "saturating(u)" in prompt
    (fit,) = [one for one in last.fits if one.stated]
    assert [sorted(t.skeleton for t in own.terms) for own in fit.equations] == [
        ["1", "S_", "S_*X/(params[0] + S_)"], ["S_*X/(params[0] + S_)", "X"],
    ]  # fmt: skip
    assert every(one.holds for one in fit.stated)
    assert last.proposal.refused == ()
