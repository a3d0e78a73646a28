"""Data as people have it: files, bundled sets and the paper's benchmarks, all as `Problem` or `Dataset`."""

from dolq_core.data.about import Bundled
from dolq_core.data.benchmarks import System, generate, paper_systems, system
from dolq_core.data.csv import Column, Table, read_table
from dolq_core.data.dataset import MIN_SAMPLES, Reading, to_dataset, understand
from dolq_core.data.datasets import bundled, load_bundled
from dolq_core.data.roles import Roles, guess_roles

__all__ = [
    "MIN_SAMPLES",
    "Bundled",
    "Column",
    "Reading",
    "Roles",
    "System",
    "Table",
    "bundled",
    "generate",
    "guess_roles",
    "load_bundled",
    "paper_systems",
    "read_table",
    "system",
    "to_dataset",
    "understand",
]
