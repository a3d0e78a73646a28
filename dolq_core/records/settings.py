"""The knobs of the loop, each with the source of its default."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

TargetKind: TypeAlias = Literal["auto", "weak", "integral", "spline", "savgol", "gradient"]
Optimizer: TypeAlias = Literal["linear", "bfgs", "de", "hybrid", "best of three"]


def _knob(default: Any, source: str) -> Any:
    return field(default=default, metadata={"source": source})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every knob of the loop; `Settings.source(name)` says where the default comes from."""

    iterations: int = _knob(10, "enough for all systems measured with the built-in agents")
    hypotheses: int = _knob(3, "paper, appendix: hypotheses per iteration")
    max_terms: int = _knob(10, "paper, appendix: terms per equation")
    max_params: int = _knob(8, "paper, Table 5: parameters per term")
    max_good: int = _knob(3, "paper, Scientist prompt: at most 3 good per equation")
    max_holds: int = _knob(2, "paper, decision table of the appendix")
    strikes: Literal["evidence", "paper"] = _knob("evidence", "docs/decisions/001")
    ablation: Literal["refit", "paper"] = _knob("refit", "docs/decisions/002")
    ablation_threshold: float = _knob(0.05, "paper, Algorithm 1: delta")
    best_by: Literal["score", "mse"] = _knob("score", "docs/decisions/003")
    forget_probability: float = _knob(0.01, "paper, Table 5")
    target: TargetKind = _knob("auto", "docs/decisions/004")
    inputs: Literal["auto", "linear", "nearest", "previous", "next"] = _knob("auto", "docs/method.md")
    optimizer: Optimizer = _knob("linear", "docs/decisions/005")
    held_out: float = _knob(0.2, "docs/decisions/006; share of each run at its end, to test coefficients on")
    held_out_runs: tuple[str, ...] = _knob(
        (), "docs/decisions/006; whole runs that only the test sees, by label or number"
    )
    time_limit_s: float = _knob(240.0, "paper, Table 5: per iteration; only stops, never decides")
    patience: int = _knob(3, "iterations without a better equation before auto mode stops")
    sampler_temperature: float = _knob(0.9, "paper, Table 5; used by language models only")
    scientist_temperature: float = _knob(0.6, "paper, Table 5; used by language models only")
    max_tokens: int = _knob(3000, "paper, Table 5: per reply of either agent; used by language models only")

    @classmethod
    def paper(cls) -> "Settings":
        """Return the configuration of the paper; what is not named here is the paper's by default."""
        return cls(
            iterations=100,
            strikes="paper",
            ablation="paper",
            best_by="mse",
            target="gradient",
            optimizer="best of three",
            held_out=0.0,  # "on the given training trajectory rather than on a separate validation set"
            patience=100,
        )

    @classmethod
    def source(cls, name: str) -> str:
        """Return where the default of the knob `name` comes from."""
        return next(f.metadata["source"] for f in fields(cls) if f.name == name)
