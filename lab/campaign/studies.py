"""Studies: files that say what is varied over which suites.

title = "Noise"

[[grids]]                                    # a run for each combination of what stands here
suite = "paper"                              # bundled, or a file beside this one
systems = ["2"]                              # all where left out
seeds = [0, 1, 2]
noise = [0.01]                               # in units of each state's own standard deviation; sigma: in its unit
runs = [1, 2]                                # how many initial states are measured
words = ["given", "none"]                    # also "partly wrong", "fully wrong", "of the next"
naming = ["own", "anonymous"]                # names and meanings of the columns, or x0, x1 ... and none
agents = ["builtin"]                         # also "pysindy", and "models", where `bench run` is told which
variants = ["default", "without Scientist"]  # also "paper's rules", "best of three", or { name = ..., settings = ... }
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dolq_core.records import Models, Settings
from lab.campaign.records import Agents, CampaignError, Naming, Variant, Words
from lab.campaign.suites import bundled_suites, read_suite
from lab.campaign.tasks import TaskGrid

BUNDLED = Path(__file__).resolve().parent / "studies"
VARIANTS: dict[str, Variant] = {
    "default": Variant(),
    "without Scientist": Variant("without Scientist", scientist=False),
    "paper's rules": Variant("paper's rules", Settings(strikes="paper", ablation="paper", best_by="mse")),
    "best of three": Variant("best of three", Settings(optimizer="best of three", iterations=2)),
}


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Variant(_Closed):
    name: str = Field(min_length=1)
    scientist: bool = True
    settings: dict[str, Any] = {}


class _Grid(_Closed):
    suite: str
    systems: tuple[str, ...] = ()
    agents: tuple[Agents, ...] = ("builtin",)
    seeds: tuple[int, ...] = (0,)
    noise: tuple[float, ...] = (0.0,)
    sigma: tuple[float, ...] = (0.0,)
    runs: tuple[int, ...] = (1,)
    words: tuple[Words, ...] = ("given",)
    naming: tuple[Naming, ...] = ("own",)
    variants: tuple[str | _Variant, ...] = ("default",)
    points: int | None = Field(default=None, ge=10)
    iterations: int | None = Field(default=None, ge=1)


class _Study(_Closed):
    title: str = ""
    grids: list[_Grid] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Study:
    """What a study asks for."""

    title: str
    grids: tuple[TaskGrid, ...]


def bundled_studies() -> tuple[str, ...]:
    """Return the names of the studies that come with the program."""
    return tuple(sorted(path.stem for path in BUNDLED.glob("*.toml")))


def read_study(named: str, models: tuple[Models, ...] = ()) -> Study:
    """Return a bundled study or that of a file; raise CampaignError or DataError.

    models: for the agents "models", each with runs of its own.
    """
    path = BUNDLED / f"{named}.toml" if named in bundled_studies() else Path(named).expanduser()
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        known = ", ".join(bundled_studies())
        raise CampaignError(
            f"The study {named!r}", "there is no such file", f"Name a file, or one of {known}."
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise CampaignError(f"The study {path.name}", f"it is not TOML: {error}", "Correct the line.") from None
    return study_of(said, path, models)


def study_of(said: Mapping[str, Any], path: Path, models: tuple[Models, ...] = ()) -> Study:
    """Return the study that a table says. path: of its file, for messages and for suites beside it."""
    try:
        study = _Study.model_validate(said)
    except ValidationError as error:
        first = error.errors()[0]
        place = ", ".join(str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"])
        reason = "this key is not known" if first["type"] == "extra_forbidden" else first["msg"]
        raise CampaignError(
            f"The study {path.name}, {place}", reason, "See: python -m dolq_core bench run --help"
        ) from None
    return Study(study.title or path.stem, tuple(_grid(path, grid, models) for grid in study.grids))


def _grid(path: Path, said: _Grid, models: tuple[Models, ...]) -> TaskGrid:
    beside = path.parent / said.suite
    named = said.suite if said.suite in bundled_suites() or not beside.is_file() else str(beside)
    cases = tuple(replace(case, points=said.points or case.points) for case in read_suite(named))
    if "models" in said.agents and not models:
        way_out = "Name one: --provider ... --model ..."
        raise CampaignError(f"The study {path.name}", "it asks for a language model, and none is named", way_out)
    variants = tuple(_iterating(_variant(path, one), said.iterations) for one in said.variants)
    alike = said.model_dump(exclude={"suite", "variants", "points", "iterations"})
    return TaskGrid(Path(said.suite).stem, cases, variants=variants, models=models, **alike)


def _iterating(variant: Variant, iterations: int | None) -> Variant:
    settings = variant.settings if iterations is None else replace(variant.settings, iterations=iterations)
    return replace(variant, settings=settings)


def _variant(path: Path, said: str | _Variant) -> Variant:
    if isinstance(said, str):
        if said not in VARIANTS:
            known = ", ".join(VARIANTS)
            raise CampaignError(
                f"The study {path.name}, variant {said!r}", "there is none of this name", f"Use {known}."
            )
        return VARIANTS[said]
    unknown = sorted(set(said.settings) - {field.name for field in fields(Settings)})
    if unknown:
        raise CampaignError(f"The study {path.name}, variant {said.name!r}", f"there is no setting {unknown[0]!r}")
    try:
        settings = TypeAdapter(Settings).validate_python(said.settings)
    except ValidationError as error:
        reason = error.errors()[0]["msg"]
        raise CampaignError(f"The study {path.name}, variant {said.name!r}", reason, "Correct its settings.") from None
    return Variant(said.name, settings, said.scientist)
