"""Sampler and Scientist as language models: prompts, replies, retries, budgets; everything said is on record."""

from dolq_core.agents.llm.disclosure import disclosure
from dolq_core.agents.llm.sampler import MixedSampler, ModelSampler
from dolq_core.agents.llm.scientist import ModelScientist, NoScientist

__all__ = ["MixedSampler", "ModelSampler", "ModelScientist", "NoScientist", "disclosure"]
