"""Agents by name. An implementation is loaded only when a run asks for it."""

from collections.abc import Callable, Sequence

from dolq_core.errors import AgentError, ChatError
from dolq_core.extensions import extension
from dolq_core.ports import ChatModel, Sampler, Scientist
from dolq_core.records import ModelCall, ModelChoice, Models, Settings

BUILTIN = "builtin"
MODELS = "models"
NAMES = (BUILTIN, MODELS)
"""The built-in agents, and language models (`Start.models` says which)."""

Connect = Callable[[str, ModelChoice], ChatModel]
"""How to reach the model of a role (\"sampler\", \"scientist\")."""


def build_agents(
    name: str, models: Models | None = None, settings: Settings | None = None, connect: Connect | None = None
) -> tuple[Sampler, Scientist]:
    """Return the Sampler and the Scientist of that name; raise AgentError when they cannot be had.

    models, settings, connect: for language models which ones, how many hypotheses, and how to reach them.
    """
    if name == BUILTIN:
        from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist  # noqa: PLC0415  loads SciPy

        return BuiltinSampler(), BuiltinScientist()
    if name != MODELS:
        raise AgentError(f"The agents {name!r}", "there are none of this name", f"Use {' or '.join(NAMES)}.")
    if models is None or settings is None:
        raise AgentError("The agents 'models'", "no language model was chosen", "Choose one for the Sampler.")
    return _models(models, settings, connect or (lambda _, choice: connected(choice, "")))


def _models(models: Models, settings: Settings, connect: Connect) -> tuple[Sampler, Scientist]:
    from dolq_core.agents.builtin import BuiltinSampler  # noqa: PLC0415
    from dolq_core.agents.llm import MixedSampler, ModelSampler, ModelScientist, NoScientist  # noqa: PLC0415

    if models.method != "dolq":
        asked, concepts = extension("methods")(models, connect)
        return asked, concepts or NoScientist()
    count = min(models.proposals, settings.hypotheses)
    sampler: Sampler = BuiltinSampler()
    if count > 0:
        asked = ModelSampler(connect("sampler", models.sampler), models, count)
        sampler = asked if count == settings.hypotheses else MixedSampler(asked, sampler, count)
    if models.scientist is None:
        return sampler, NoScientist()
    return sampler, ModelScientist(connect("scientist", models.scientist), models)


def connected(choice: ModelChoice, key: str) -> ChatModel:
    """Return a language model; raise AgentError when the choice or the key cannot be used."""
    from dolq_core.agents.providers import connect  # noqa: PLC0415

    try:
        return connect(choice, key)
    except ChatError as error:
        raise AgentError(error.thing, error.reason, error.way_out) from None


def recorded(calls: Sequence[ModelCall]) -> Connect:
    """Return how to reach models that answer as they did in a recorded run."""
    from dolq_core.agents.providers.scripted import RecordedModel  # noqa: PLC0415

    def connect(role: str, choice: ModelChoice) -> ChatModel:
        return RecordedModel(choice, [call for call in calls if call.role == role])

    return connect
