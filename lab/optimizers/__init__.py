"""The paper's optimizers: BFGS, differential evolution, and one after the other, over all coefficients at once."""

from lab.optimizers.by_search import fit_by_search

__all__ = ["fit_by_search"]
