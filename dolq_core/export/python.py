"""The equations as a Python function that a solver can call, from the result document."""

import re
from typing import Any

from dolq_core.terms.arithmetic import FUNCTIONS

BUILT_IN = ("abs",)
OF_NUMPY = ("sign",)
"""Functions of terms that `math` does not have."""


def python(document: dict[str, Any]) -> str:
    """Return `def rates(t, state)`, with `inputs` as a third argument where there are any; numbers in full precision.

    Columns have the symbols that stand for them in the expressions.
    """
    symbols: dict[str, str] = document["symbols"]
    equations: dict[str, dict[str, str]] = document["equations"]
    found = [equation["expression"] for equation in equations.values()]
    columns: list[str] = document["inputs"]
    inputs = [symbols.get(own, own) for own in columns]
    lines = [*_imports(" ".join(found)), f"def rates(t, state{', inputs' if inputs else ''}):"]
    lines += [f"    {_unpacked([symbols.get(own, own) for own in equations])} = state"]
    lines += [f"    {_unpacked(inputs)} = inputs"] if inputs else []
    lines += ["    return ["]
    lines += [f"        {text},  # change of {own!r}" for own, text in zip(equations, found, strict=True)]
    return "\n".join([*lines, "    ]", ""])


def _imports(expressions: str) -> list[str]:
    used = sorted(set(re.findall(r"\b([a-z]+)\(", expressions)) & {"sqrt", *FUNCTIONS})
    lines = [
        f"from {module} import {', '.join(names)}"
        for module, names in (
            ("math", [name for name in used if name not in (*BUILT_IN, *OF_NUMPY)]),
            ("numpy", [name for name in used if name in OF_NUMPY]),
        )
        if names
    ]
    return [*lines, "", ""] if lines else []


def _unpacked(names: list[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)
