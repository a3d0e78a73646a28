"""The loops that the paper compares itself with: what each tells its model, and that a law is found in it."""

import json
import re
from dataclasses import replace

import pytest

from dolq_core import loop
from dolq_core.agents import build_agents
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, FittedTerm, ModelChoice, Models, Settings, Start, Visited
from lab.methods.llm_sr import RESET, island
from lab.methods.sampler import law_text

CHOICE = ModelChoice("scripted", "script")
METHODS = ("icsr", "llm-sr", "lasr", "edl")


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(load_bundled("system-2").dataset, "gradient")


def laws(*systems):
    named = [[{"variable": s, "law": law} for s, law in zip(("x0", "x1"), one, strict=True)] for one in systems]
    return json.dumps({"systems": [{"equations": one} for one in named]})


FIRST = laws(("params[0]*x0 + params[1]", "params[0]*x1"), ("-params[0]*x0**2", "params[0]*x0 - params[1]"))
RIGHT = laws(("params[0]*x0**2 - params[1]*sin(x1)", "params[0]*x0 - params[1]*cos(x1)/x0"))
CONCEPTS = json.dumps({"concepts": ["Resistance grows with the square of the speed."]})


class Played:
    """A run in one of the loops, with what its models were asked."""

    def __init__(self, bench, method, *replies):
        models = Models(CHOICE, CHOICE, method=method)
        self.models = {"sampler": ScriptedModel(replies), "scientist": ScriptedModel([CONCEPTS] * 5)}
        settings = Settings(target="gradient")
        agents = build_agents("models", models, settings, lambda role, _: self.models[role])
        self.state = loop.begin(Start(load_bundled("system-2"), settings, agents="models", models=models))
        for _ in replies:
            self.state = loop.advance(self.state, loop.step(self.state, loop.Setup(*agents, bench)))

    def asked(self, role="sampler"):
        return [request.prompt for request in self.models[role].asked]


@pytest.mark.parametrize("method", METHODS)
def test_a_law_is_found_and_nothing_is_graded_or_pruned(bench, method):
    played = Played(bench, method, FIRST, RIGHT)
    assert [sorted(t.skeleton for t in v.fit.terms) for v in played.state.best] == [
        ["sin(x1)", "x0**2"],
        ["cos(x1)/x0", "x0"],
    ]
    assert {verdict.action for verdict in played.state.last.verdicts} == {"hold"}
    assert len(played.state.last.fits) == 1
    assert not played.state.bans
    assert "A glider flies" in played.asked()[1]


def test_icsr_shows_the_best_laws_last(bench):
    told = Played(bench, "icsr", FIRST, RIGHT).asked()
    shown = re.findall(r"^d x0/dt = .*; error ([\d.e-]+); fitness ([\d.]+)$", told[1], re.MULTILINE)
    assert len(shown) == 2
    assert float(shown[0][1]) < float(shown[1][1])
    assert "error" not in told[0]


def test_llm_sr_shows_programs_without_numbers_and_asks_for_the_next(bench):
    told = Played(bench, "llm-sr", FIRST, FIRST, FIRST, RIGHT).asked()
    assert "def equation_v0(x0, x1, t, params):\n    dx0 = params[0]*" in told[0]
    assert "def equation_v2(" in told[3]  # the first island again, where two laws live
    assert "dx0 = params[0]*(x0**2)" in told[3]
    assert "0.2" not in told[3].split("def equation_v0")[1]


def test_a_skeleton_numbers_its_parameters_through(bench):
    fit = EquationFit(0, (FittedTerm("x0", 2.0), FittedTerm("1/(params[0] + x1)", 3.0, None, (4.0,))), 1, 1, 1, 1, 1)
    assert law_text(fit, numbers=False) == "params[0]*(x0) + params[1]*(1/(params[2] + x1))"
    assert law_text(fit) == "+2*(x0) +3*(1/(4 + x1))"


def test_a_weak_island_begins_again_from_the_best_law_of_another(bench):
    state = Played(bench, "llm-sr", FIRST).state
    errors = {1: 0.1, 2: 0.5, 3: 0.9, 3 * RESET + 3: 0.3}

    def lived(number, error):
        fit = replace(state.best[0].fit, terms=(FittedTerm(f"x0**{number}", 1.0),), nmse=error)
        return Visited(fit, number)

    archive = {(0, (f"x0**{n}",)): lived(n, error) for n, error in errors.items()}
    state = replace(state, archive=archive, iteration=3 * RESET + 3)
    assert [v.iteration for v in island(state, 0, 2)] == [1, 3 * RESET + 3]
    assert [v.iteration for v in island(state, 0, 0)] == [1]
    before = replace(state, iteration=5)
    assert 3 in [v.iteration for v in island(before, 0, 2)]


def test_lasr_keeps_concepts_and_shows_them_with_children(bench):
    played = Played(bench, "lasr", FIRST, FIRST, RIGHT)
    assert played.state.insight == "Resistance grows with the square of the speed."
    assert "Resistance grows with the square of the speed." in played.asked()[1]
    assert "Good laws:" in played.asked("scientist")[0]


def test_edl_improves_and_evolves_in_turns(bench):
    told = Played(bench, "edl", FIRST, FIRST, RIGHT).asked()
    assert "Study which terms" in told[1]
    assert "Play a genetic algorithm" in told[2]
    assert "R2 0." in told[2]


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_read_is_refused_with_the_reason(bench, method):
    played = Played(bench, method, laws(("k*x0", "params[0]*x0"), ("x0", "__import__('os')")))
    reasons = [refusal.reason for refusal in played.state.last.proposal.refused]
    assert len(reasons) == 2
    assert "params[0]" in reasons[0]
    assert len(played.state.last.fits) == 2


@pytest.mark.parametrize("method", METHODS)
def test_the_same_draws_give_the_same_prompts(bench, method):
    first, second = (Played(bench, method, FIRST, FIRST, FIRST, RIGHT).asked() for _ in range(2))
    assert first == second
