"""Every Sampler and every Scientist keeps to one contract."""

import pytest

from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist
from dolq_core.agents.llm import MixedSampler, ModelSampler, ModelScientist
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.agents.scripted import ScriptedSampler, ScriptedScientist
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import begin
from dolq_core.records import ModelChoice, Models, Settings, Start
from tests.agents.llm.replies import TRUE_2, grades, proposal
from tests.contracts.agents_contract import SamplerContract, ScientistContract

CHOICE = ModelChoice("scripted", "script")
MODELS = Models(CHOICE, CHOICE)
REPLIES = [proposal(TRUE_2)] * 3
GRADES = [grades(x0={"x0**2": "good", "sin(x1)": "neutral"}, x1={"x0": "good", "cos(x1)/x0": "bad"})]


@pytest.fixture(scope="module")
def problem():
    return load_bundled("system-2")


@pytest.fixture(scope="module")
def bench(problem):
    return Workbench.of(problem.dataset)


@pytest.fixture
def state(problem):
    return begin(Start(problem, Settings(), models=MODELS))


class TestSamplers(SamplerContract):
    @pytest.fixture(params=["builtin", "model", "mixed", "scripted"])
    def fresh(self, request):
        def asked():
            return ModelSampler(ScriptedModel(REPLIES), MODELS, 1)

        return {
            "builtin": BuiltinSampler,
            "model": asked,
            "mixed": lambda: MixedSampler(asked(), BuiltinSampler(), 1),
            "scripted": lambda: ScriptedSampler([[[["x0**2"], ["x0"]]]]),
        }[request.param]

    @pytest.fixture
    def sampler(self, fresh):
        return fresh()


class TestScientists(ScientistContract):
    @pytest.fixture
    def terms(self, bench):
        return [("sin(x1)", "x0**2"), ("cos(x1)/x0", "x0")]

    @pytest.fixture(params=["builtin", "model", "scripted"])
    def scientist(self, request):
        return {
            "builtin": BuiltinScientist(),
            "model": ModelScientist(ScriptedModel(GRADES), MODELS),
            "scripted": ScriptedScientist(insight="So."),
        }[request.param]
