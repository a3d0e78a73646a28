"""Findings as a person reads them: what stops first, then what may be wrong, then the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from dolq_core.data.findings import OPTIONS, SHOWN, Code, Finding, Severity, sentence

Weight: TypeAlias = Literal["stops", "mind", "said"]
_WEIGHTS: Final[tuple[Weight, ...]] = ("stops", "mind", "said")
_DOUBTFUL: Final[tuple[Code, ...]] = (
    "blank-block",
    "cell-unit",
    "constant-column",
    "derivative-guess",
    "duplicate-name",
    "footer",
    "input-gap",
    "input-guess",
    "repeated-header",
    "rounded",
    "sentinel",
    "time-guess",
    "too-few-points",
    "zero-byte",
)


@dataclass(frozen=True, slots=True)
class Listed:
    """A finding for reading.

    Attributes:
        weight: whether the table cannot be used, something may not be what the person means, or it is only said.
        way_out: how to change it; `option` is what does so on the command line.
    """

    weight: Weight
    code: Code
    severity: Severity
    text: str
    way_out: str = ""
    option: str = ""


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Return what stops first, then what is to be minded, then the rest; of a kind at most SHOWN, and the count."""
    kinds: dict[tuple[Weight, Code], list[Finding]] = {}
    for one in findings:
        kinds.setdefault((_weight(one), one.code), []).append(one)
    order = sorted(kinds, key=lambda kind: _WEIGHTS.index(kind[0]))
    return tuple(line for kind in order for line in _lines(kind[0], kinds[kind]))


def _lines(weight: Weight, kind: Sequence[Finding]) -> Iterator[Listed]:
    for one in kind[:SHOWN]:
        yield Listed(weight, one.code, one.severity, sentence(one), one.way_out, OPTIONS.get(one.code, ""))
    if len(kind) > SHOWN:
        yield Listed(weight, kind[0].code, kind[0].severity, f"And {len(kind) - SHOWN} more of this kind.")


def _weight(one: Finding) -> Weight:
    """Names that are numbers or were made up are doubtful; names from a comment are only said."""
    if one.severity == "stops":
        return "stops"
    doubtful = bool(one.rows) if one.code == "no-header" else one.code in _DOUBTFUL
    return "mind" if doubtful else "said"
