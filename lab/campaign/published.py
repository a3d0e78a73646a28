"""What the paper prints of itself and of the methods it compares with: facts of `published.toml`, none of them ours."""

import tomllib
from functools import cache
from math import isfinite, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

FILE = Path(__file__).resolve().parent / "published.toml"


@cache
def published() -> Any:
    """Return the facts; each part of the file is an attribute, a table in it a tuple of records."""
    return _facts(tomllib.loads(FILE.read_text(encoding="utf-8")))


def _facts(said: Any) -> Any:
    if isinstance(said, dict):
        return SimpleNamespace(**{name: _facts(value) for name, value in cast(dict[str, Any], said).items()})
    return tuple(map(_facts, cast(list[Any], said))) if isinstance(said, list) else said


def mean(fact: Any, kind: str) -> float:
    """Return what is printed of an NMSE ("residual_id" ...), averaged over the states; nan where one is missing."""
    printed: Any = getattr(fact, kind)
    values: list[float] = np.atleast_1d(printed).tolist()
    return sum(values) / len(values) if all(map(isfinite, values)) else nan
