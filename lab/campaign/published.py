"""What the paper prints of itself and of the methods it compares with: facts of `published.toml`, none of them ours."""

import tomllib
from functools import cache
from math import isfinite, nan
from pathlib import Path

from pydantic import BaseModel, ConfigDict

FILE = Path(__file__).resolve().parent / "published.toml"


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Equations(_Fact):
    """The right-hand sides that a method found."""

    system: str
    method: str
    law: tuple[str, ...]


class Errors(_Fact):
    """Per-state NMSE of a method's equations; nan where the paper prints none."""

    system: str
    method: str
    residual_id: tuple[float, ...]
    integral_id: tuple[float, ...]
    residual_ext: tuple[float, ...]
    integral_ext: tuple[float, ...]

    def mean(self, kind: str) -> float:
        """Return the mean over the states, nan where one is missing; kind: the name of a field."""
        values: tuple[float, ...] = getattr(self, kind)
        return sum(values) / len(values) if all(map(isfinite, values)) else nan


class Means(_Fact):
    """NMSE averaged over the states."""

    system: str
    method: str
    residual_id: float
    integral_id: float
    residual_ext: float
    integral_ext: float


class Passed(_Fact):
    """The systems on which a method passes a test ("nmse" or "term")."""

    test: str
    method: str
    systems: tuple[str, ...]


class Tokens(_Fact):
    """Thousands of tokens read and written, until the equation was found and in all."""

    system: str
    method: str
    found_in_k: float
    found_out_k: float
    total_in_k: float
    total_out_k: float


class Noisy(_Fact):
    """Residual NMSE on system 2 at one noise level, averaged over states and initial states."""

    method: str
    sigma: float
    residual_id: float
    residual_ext: float


class Misled(_Fact):
    """Residual NMSE of DoLQ with a wrong description."""

    system: str
    words: str
    residual_id: float
    residual_ext: float


class Runtime(_Fact):
    """What a run cost on the paper's machine."""

    system: str
    method: str
    cpu_s: float
    wall_s: float
    elapsed_s: float
    peak_gib: float


class Ablated(_Fact):
    """The iteration at which DoLQ found a system, with its Scientist and without."""

    system: str
    found_with: int
    found_without: int


class Published(_Fact):
    """All of it. tables: where each part stands in the paper."""

    source: str
    methods: tuple[str, ...]
    model: str
    tables: dict[str, str]
    equations: tuple[Equations, ...]
    nmse: tuple[Errors, ...]
    main: tuple[Means, ...]
    shifted: tuple[Means, ...]
    scores: tuple[Passed, ...]
    tokens: tuple[Tokens, ...]
    noise: tuple[Noisy, ...]
    descriptions: tuple[Misled, ...]
    runtime: tuple[Runtime, ...]
    scientist: Ablated


@cache
def published() -> Published:
    """Return the facts."""
    return Published.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))
