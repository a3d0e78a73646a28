"""The knobs of the loop, each with the source of its default and what it may be."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from numbers import Integral, Real
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from dolq_core.errors import DataError, did_you_mean, grouped

TargetKind: TypeAlias = Literal["auto", "weak", "integral", "spline", "savgol", "gradient"]
NoiseKind: TypeAlias = Literal["auto", "even", "proportional"]
Optimizer: TypeAlias = Literal["linear", "bfgs", "de", "hybrid", "best of three"]


MANY: Final = 10**6
"""Of anything that is counted, at most."""


def _knob(default: Any, source: str, least: float = 0, most: float = MANY) -> Any:
    return field(default=default, metadata={"source": source, "within": (least, most)})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every knob of the loop; `Settings.source(name)` says where the default comes from.

    Raises DataError for a value that a knob does not have.
    """

    iterations: int = _knob(10, "enough for all systems measured with the built-in agents", 1)
    hypotheses: int = _knob(3, "paper, appendix: hypotheses per iteration", 1)
    max_terms: int = _knob(10, "paper, appendix: terms per equation", 1)
    max_params: int = _knob(8, "paper, Table 5: parameters per term")
    max_good: int = _knob(3, "paper, Scientist prompt: at most 3 good per equation")
    max_holds: int = _knob(2, "paper, decision table of the appendix")
    strikes: Literal["evidence", "paper"] = _knob("evidence", "docs/decisions/001")
    ablation: Literal["refit", "paper"] = _knob("refit", "docs/decisions/002")
    ablation_threshold: float = _knob(0.05, "paper, Algorithm 1: delta", 0, 1)
    best_by: Literal["score", "mse"] = _knob("score", "docs/decisions/003")
    forget_probability: float = _knob(0.01, "paper, Table 5", 0, 1)
    target: TargetKind = _knob("auto", "docs/decisions/004")
    inputs: Literal["auto", "linear", "nearest", "previous", "next"] = _knob("auto", "docs/method.md")
    noise: NoiseKind = _knob("auto", "docs/decisions/018")
    optimizer: Optimizer = _knob("linear", "docs/decisions/005")
    held_out: float = _knob(0.2, "docs/decisions/006; share of each run at its end, to test coefficients on", 0, 0.9)
    held_out_runs: tuple[str, ...] = _knob(
        (), "docs/decisions/006; whole runs that only the test sees, by label or number"
    )
    time_limit_s: float = _knob(240.0, "paper, Table 5: per iteration; only stops, never decides", 0, 1e9)
    patience: int = _knob(3, "iterations without a better equation before auto mode stops")
    sampler_temperature: float = _knob(0.9, "paper, Table 5; used by language models only", 0, 100)
    scientist_temperature: float = _knob(0.6, "paper, Table 5; used by language models only", 0, 100)
    max_tokens: int = _knob(3000, "paper, Table 5: per reply of either agent; used by language models only", 0, 10**8)

    def __post_init__(self) -> None:
        """Refuse what a knob cannot be."""
        for name, (least, most) in self.ranges().items():
            value, whole = getattr(self, name), _hints()[name] is int
            fits = type(value) is not bool and isinstance(value, Integral if whole else Real)
            if not (fits and least <= float(value) <= most):
                raise DataError(
                    f"The setting {name}",
                    f"{value!r} is no {'whole ' * whole}number from {grouped(least)} to {grouped(most, '.12g')}",
                )
        if isinstance(out := self.held_out_runs, str):
            raise DataError("The setting held_out_runs", f"{out!r} is one text", f"Put it in a tuple: ({out!r},).")
        for name, known in _choices().items():
            if getattr(self, name) not in known:
                ways = f"Take one of {', '.join(known)}."
                raise DataError(f"The setting {name}", f"{getattr(self, name)!r} is none of its values", ways)

    def with_texts(self, texts: Iterable[tuple[str, str]]) -> "Settings":
        """Return the settings with values as a person types them, by name; the last of a name counts.

        Raises DataError for a name that there is not, and for a value that its knob does not have.
        """
        new: dict[str, Any] = {}
        for name, text in texts:
            if name not in _hints():
                raise DataError(f"The setting {name}", "there is none of this name", did_you_mean(name, _hints()))
            new[name] = _typed(text.strip(), _hints()[name])
        return replace(self, **new)

    @classmethod
    def ranges(cls) -> Mapping[str, tuple[float, float]]:
        """Return the least and the most that each number may be."""
        return {f.name: f.metadata["within"] for f in fields(cls) if _hints()[f.name] in (int, float)}

    @classmethod
    def paper(cls) -> "Settings":
        """Return the configuration of the paper; what is not named here is the paper's by default."""
        return cls(
            iterations=100,
            strikes="paper",
            ablation="paper",
            best_by="mse",
            target="gradient",
            noise="even",
            optimizer="best of three",
            held_out=0.0,  # "on the given training trajectory rather than on a separate validation set"
            patience=100,
        )

    @classmethod
    def source(cls, name: str) -> str:
        """Return where the default of the knob `name` comes from."""
        return next(f.metadata["source"] for f in fields(cls) if f.name == name)


@cache
def _hints() -> Mapping[str, Any]:
    return get_type_hints(Settings)


def _typed(text: str, kind: Any) -> Any:
    """Return a text as what a knob takes; unchanged where it is no number, so that the knob refuses it in its words."""
    if kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return tuple(one.strip() for one in text.split(",") if one.strip()) if get_origin(kind) is tuple else text


@cache
def _choices() -> Mapping[str, tuple[str, ...]]:
    return {name: get_args(kind) for name, kind in _hints().items() if get_origin(kind) is Literal}
