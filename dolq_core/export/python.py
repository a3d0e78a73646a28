"""The law as Python: a function for a solver, and a program of its own that needs NumPy and SciPy alone."""

from collections.abc import Collection
from typing import Any

from dolq_core.export.expressions import equations, followed, program_parts
from dolq_core.export.law import Law
from dolq_core.export.templates import render
from dolq_core.terms import Syntax

SYNTAX = Syntax(
    functions={name: f"np.{name}" for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "sign")}
    | {name: f"np.{name}" for name in ("sinh", "cosh", "tanh")}
    | {name: f"np.arc{name[1:]}" for name in ("asin", "acos", "atan")}
    | {"erf": "scipy.special.erf"},
    real_power="np.power",
)
"""NumPy's functions answer NaN where there is no real value, as the app does; Python's own raise or go complex."""
RESERVED = frozenset({"np", "scipy", "state", "inputs"})


def function(law: Law) -> str:
    """Return `rates(t, state, inputs)` with its import, to paste into a program."""
    parts = _parts(law)
    special = "import scipy.special\n" if parts["special"] else ""
    return f"import numpy as np\n{special}\n\n" + render("rates.py.j2", **parts)


def program(law: Law, file: str = "law.py") -> str:
    """Return a program that simulates every run of the data from the start that the law has there."""
    return render("program.py.j2", **_parts(law), file=file, runs=followed(law))


def _parts(law: Law) -> dict[str, Any]:
    written = equations(law, RESERVED, SYNTAX, "#")
    parts = program_parts(law, RESERVED, "#", quoted)
    return {**parts, "equations": written, "special": special(parts["used"])}


def special(used: Collection[str]) -> bool:
    """Whether any of the functions is one of `scipy.special`."""
    return any(SYNTAX.functions.get(name, "").startswith("scipy.special.") for name in used)


def quoted(text: str) -> str:
    """Return a string of Python, between double quotes where it has none."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in text else written
