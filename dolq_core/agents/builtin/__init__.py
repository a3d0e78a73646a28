"""Agents without a language model: best subsets over mechanism families, grades by rule. They say so."""

from dolq_core.agents.builtin.beside import rivals
from dolq_core.agents.builtin.sampler import BuiltinSampler
from dolq_core.agents.builtin.scientist import BuiltinScientist
from dolq_core.agents.builtin.unmeasured import unmeasured

__all__ = ["BuiltinSampler", "BuiltinScientist", "rivals", "unmeasured"]
