"""Agents by name. An implementation is loaded only when a run asks for it."""

from dolq_core.errors import AgentError
from dolq_core.ports import Sampler, Scientist

NAMES = ("builtin",)


def build_agents(name: str) -> tuple[Sampler, Scientist]:
    """Return the Sampler and the Scientist of that name; raise AgentError for a name nobody knows."""
    if name == "builtin":
        from dolq_core.agents.builtin import BuiltinSampler, BuiltinScientist  # noqa: PLC0415  loads SciPy

        return BuiltinSampler(), BuiltinScientist()
    raise AgentError(f"The agents {name!r}", "there are none of this name", f"Use {' or '.join(NAMES)}.")
