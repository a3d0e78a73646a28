"""Data as people have it: files, bundled sets and the paper's benchmarks, all as `Problem` or `Dataset`."""

from dolq_core.data.about import Bundled
from dolq_core.data.benchmarks import System, generate, paper_systems, system
from dolq_core.data.cleaned import Rows, clean, first_cells, first_rows
from dolq_core.data.cleaned import names as clean_names
from dolq_core.data.columns import Column, Table
from dolq_core.data.csv import read_table
from dolq_core.data.dataset import MIN_SAMPLES, More, Reading, to_dataset, understand
from dolq_core.data.datasets import bundled, load_bundled
from dolq_core.data.dialect import AS_FOUND, DELIMITERS, Dialect
from dolq_core.data.findings import Finding, TableError
from dolq_core.data.guesses import ROLES, Guess, guesses
from dolq_core.data.in_memory import Columns, as_runs, is_several, read_arrays, table_of_frames
from dolq_core.data.inspection import Inspection, inspect_table, lines, report
from dolq_core.data.listing import Listed, listed
from dolq_core.data.manner import MARKS
from dolq_core.data.opening import Opened, open_files
from dolq_core.data.preparation import prepare, read_preparation
from dolq_core.data.roles import Roles, guess_roles
from dolq_core.data.sampling import Sampling
from dolq_core.data.several import read_tables

__all__ = [
    "AS_FOUND",
    "DELIMITERS",
    "MARKS",
    "MIN_SAMPLES",
    "Bundled",
    "Column",
    "Columns",
    "Dialect",
    "Finding",
    "Guess",
    "Inspection",
    "More",
    "Listed",
    "Opened",
    "Reading",
    "ROLES",
    "Roles",
    "Rows",
    "Sampling",
    "System",
    "Table",
    "TableError",
    "as_runs",
    "bundled",
    "clean",
    "clean_names",
    "first_cells",
    "first_rows",
    "generate",
    "guess_roles",
    "guesses",
    "inspect_table",
    "is_several",
    "lines",
    "listed",
    "load_bundled",
    "open_files",
    "paper_systems",
    "prepare",
    "read_arrays",
    "read_preparation",
    "read_table",
    "read_tables",
    "report",
    "system",
    "table_of_frames",
    "to_dataset",
    "understand",
]
