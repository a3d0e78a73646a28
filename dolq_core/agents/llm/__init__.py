"""Sampler and Scientist as language models: prompts, replies, retries, budgets; everything said is on record."""

from dolq_core.agents.llm.allowance import cost
from dolq_core.agents.llm.connection import Connection, connection
from dolq_core.agents.llm.disclosure import disclosure
from dolq_core.agents.llm.sampler import MixedSampler, ModelSampler
from dolq_core.agents.llm.scientist import ModelScientist, NoScientist

__all__ = [
    "Connection", "MixedSampler", "ModelSampler", "ModelScientist", "NoScientist", "connection", "cost", "disclosure",
]  # fmt: skip
