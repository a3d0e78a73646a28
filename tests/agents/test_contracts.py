"""Every Sampler and every Scientist keeps to one contract."""

import json

import pytest

from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist
from dolq_core.agents.llm import MixedSampler, ModelSampler, ModelScientist
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.bundled import load_bundled
from dolq_core.fitting import Workbench
from dolq_core.loop.advance import begin
from dolq_core.records import ModelChoice, Models, Settings, Start
from lab.methods.sampler import LawSampler
from tests.agents.llm.replies import TRUE_2, grades, proposal
from tests.contracts.agents_contract import SamplerContract, ScientistContract
from tests.scripted import ScriptedSampler, ScriptedScientist

CHOICE = ModelChoice("scripted", "script")
MODELS = Models(CHOICE, CHOICE)
REPLIES = [proposal(TRUE_2)] * 3
RIVAL = json.dumps(
    {"systems": [{"equations": [{"variable": "x0", "law": "x0**2"}, {"variable": "x1", "law": "cos(x1)/x0"}]}]}
)
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


class TestRivals(SamplerContract):
    """The loops that the paper compares itself with ask for laws, not for reasons."""

    test_every_term_has_a_reason_and_a_source = None

    @pytest.fixture
    def fresh(self):
        return lambda: LawSampler(ScriptedModel([RIVAL]), MODELS, lambda *_: "")

    @pytest.fixture
    def sampler(self, fresh):
        return fresh()


class TestScientists(ScientistContract):
    @pytest.fixture
    def terms(self, bench):
        return [("sin(x1)", "x0**2"), ("cos(x1)/x0", "x0")]

    @pytest.fixture(params=["builtin", "model", "scripted"])
    def fresh(self, request):
        return {
            "builtin": BuiltinScientist,
            "model": lambda: ModelScientist(ScriptedModel(GRADES), MODELS),
            "scripted": lambda: ScriptedScientist(insight="So."),
        }[request.param]
